// SPDX-License-Identifier: BSD-3-Clause
// dfpt.reciprocal on a device: the plane waves in lines, listed once; then the factors of all pairs, and the
// sums over the lines.
#include "reciprocal.hpp"

#include "../call.hpp"
#include "../plane_waves.hpp"
#include "tables.hpp"

namespace suite::dfpt {
namespace {

class ReciprocalOnDevice {
public:
  static constexpr auto parameters = device::parameters();

  ReciprocalOnDevice(const suite_backend* backend, suite_queue* queue, const int64_t* knobs)
      : queue_(backend, queue, knobs, Reciprocal::name) {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Reciprocal> host(queue_, a, {"g_index", "reciprocal", "g_weight"});
    l_max_ = check_reciprocal(*host);
    queue_.check_extent(host->coords, 1, "coords");
    queue_.check_extent(host->atom_coords, 1, "atom_coords");
    const PlaneWaves waves = plane_waves_of(*host);
    n_lines_ = static_cast<int64_t>(waves.lines.size());
    n_pairs_ = waves.n_pairs();
    list_waves(*host, waves);
  }

  void execute(const suite_array* a) {
    queue_.select();
    const Reciprocal c(a);
    const int64_t n_dir = c.n_dir(), items = n_pairs_ * n_dir;
    queue_.check_count(items, "pairs of plane waves times directions");
    if (n_pairs_ == 0) return;
    device::launch(queue_, pair_factors(), items, pairs_, c.atom_coords, c.moments, factors_.at_least(4 * items), n_pairs_, c.n_atoms(),
                   n_dir, l_max_);
    device::launch(queue_, line_sums(), (c.n_points() + queue_.lanes() - 1) / queue_.lanes(), c.coords, c.reciprocal, lines_, factors_,
                   c.potential, n_lines_, c.n_points(), n_dir);
  }

private:
  void list_waves(const Reciprocal& host, const PlaneWaves& waves) {
    std::vector<int32_t> lines;
    std::vector<double> pairs;
    for (const PlaneWaves::Line& line : waves.lines) {
      lines.insert(lines.end(), {line.g1, line.g2, line.first, line.count});
      for (int32_t k = 0; k < line.count; ++k) {
        for (int d = 0; d < 3; ++d) pairs.push_back(line.g1 * host.reciprocal(d, 0) + line.g2 * host.reciprocal(d, 1));
        for (int d = 0; d < 3; ++d) pairs.push_back(k * host.reciprocal(d, 2));
        pairs.push_back(waves.up[static_cast<size_t>(line.first + k)]);
        pairs.push_back(waves.down[static_cast<size_t>(line.first + k)]);
      }
    }
    lines_.set(lines);
    pairs_.set(pairs);
  }

  device::Queue queue_;
  int l_max_ = 0;
  int64_t n_lines_ = 0, n_pairs_ = 0;
  device::Buffer<int32_t> lines_{queue_, "the lines of plane waves"};
  device::Buffer<double> pairs_{queue_, "the pairs of plane waves"}, factors_{queue_, "the factors of plane waves"};
};

}  // namespace

const suite_kernel_table* reciprocal_table() {
  static constexpr suite_kernel_table table = kernel_table<Reciprocal, ReciprocalOnDevice>(SUITE_DEVICE_BACKEND, SUITE_DEVICE_BACKEND);
  return &table;
}

}  // namespace suite::dfpt
