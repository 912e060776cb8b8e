// SPDX-License-Identifier: BSD-3-Clause
// dfpt.multipoles on a device: the points of each shell of each atom, listed once.
#include "multipoles.hpp"

#include "../call.hpp"
#include "tables.hpp"

namespace suite::dfpt {
namespace {

class MultipolesOnDevice {
public:
  static constexpr auto parameters = device::parameters();

  MultipolesOnDevice(const suite_backend* backend, suite_queue* queue, const int64_t* knobs)
      : queue_(backend, queue, knobs, Multipoles::name) {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Multipoles> host(queue_, a, {"point_atom", "point_shell"});
    l_max_ = check_multipoles(*host);
    queue_.check_extent(host->coords, 1, "coords");
    queue_.check_count(host->n_radial() * host->n_atoms(), "shells");
    list_points(*host);
  }

  void execute(const suite_array* a) {
    queue_.select();
    const Multipoles c(a);
    device::launch(queue_, projection(), c.n_radial() * c.n_atoms(), c.coords, c.atom_coords, first_, points_, c.projection_weight, c.rho,
                   c.rho_multipole, c.n_radial(), c.n_atoms(), c.n_points(), c.n_dir(), l_max_);
  }

private:
  void list_points(const Multipoles& host) {
    const auto shell = [&](int64_t p) { return static_cast<size_t>(host.point_shell(p) - 1 + host.n_radial() * (host.point_atom(p) - 1)); };
    std::vector<int32_t> first(static_cast<size_t>(host.n_radial() * host.n_atoms() + 1)), points(static_cast<size_t>(host.n_points()));
    for (int64_t p = 0; p < host.n_points(); ++p) ++first[shell(p) + 1];
    for (size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
    std::vector<int32_t> next = first;
    for (int64_t p = 0; p < host.n_points(); ++p) points[static_cast<size_t>(next[shell(p)]++)] = static_cast<int32_t>(p);
    first_.set(first);
    points_.set(points);
  }

  device::Queue queue_;
  int l_max_ = 0;
  device::Buffer<int32_t> first_{queue_, "the points of each shell"}, points_{queue_, "the points of each shell"};
};

}  // namespace

const suite_kernel_table* multipoles_table() {
  static constexpr suite_kernel_table table = kernel_table<Multipoles, MultipolesOnDevice>(SUITE_DEVICE_BACKEND, SUITE_DEVICE_BACKEND);
  return &table;
}

}  // namespace suite::dfpt
