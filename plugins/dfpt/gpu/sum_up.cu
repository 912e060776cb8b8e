// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up on a GPU: what is made of the constant arguments, and which step serves a call.
#include <memory>

#include "far_points.hpp"

namespace suite::dfpt {
namespace {

constexpr int64_t most_slots = 4096;  // naive's threads

class SumUpGpu {
public:
  static constexpr suite_parameter parameters[] = {
      variant_of(sum_up_steps), far_parameter,
      knob("scratch", 262144, 1, 16777216, "KiB", "workspace for the values of the near pairs in flight")};

  SumUpGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : variant_(static_cast<Step>(p[0])),
        far_(variant_ == Step::best && static_cast<Far>(p[1]) == Far::tree ? std::make_unique<FarField>(backend, queue, nullptr) : nullptr),
        capacity_(p[2] * 1024 / static_cast<int64_t>(3 * sizeof(double))),
        queue_(backend, queue),
        atoms_(queue_, "the atoms"),
        grids_(queue_, "the species' grids"),
        pairs_(queue_, "the near pairs"),
        slots_(queue_, "the near pairs of each point"),
        work_(queue_, variant_ == Step::best ? "the values of near pairs" : "the harmonics") {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<SumUp> host(
        queue_, a,
        {"coords", "atom_coords", "species", "atom_table", "r_grid_min", "r_grid_inc", "grid_scale", "grid_max", "multipole_radius"});
    call_ = check_sum_up(*host);
    std::vector<NearAtom> atoms;
    for (int64_t i = 0; i < call_.n_atoms; ++i) {
      const double radius = host->radius_of(i);
      atoms.push_back({radius * radius, host->atom_table(i) - 1, host->species(i) - 1});
    }
    atoms_.set(atoms);
    grids_.set(call_.grids);
    if (far_) far_->prepare(call_, *host);
    if (variant_ == Step::best)
      set_pairs(near_pairs(host->coords.data(), call_.n_points, host->atom_coords.data(), atoms, call_.grids, capacity_));
  }

  void execute(const suite_array* a) {
    queue_.select();
    const SumUp c(a);
    const Fields fields{c.coords.data(),
                        c.atom_coords.data(),
                        atoms_.data(),
                        grids_.data(),
                        c.potential_spl.data(),
                        c.moments.data(),
                        c.potential.data(),
                        call_.n_points,
                        c.n_tables(),
                        static_cast<int>(call_.n_atoms),
                        static_cast<int>(call_.n_lm),
                        static_cast<int>(call_.n_knots)};
    const int n_dir = static_cast<int>(call_.n_dir);
    if (variant_ == Step::naive) {
      const int64_t slots = std::min(most_slots, (call_.n_points + naive_points - 1) / naive_points + 31) / 32 * 32;
      sum_by_groups(queue_, fields, call_.l_max, n_dir, slots, work_.at_least(slots * naive_points * call_.n_lm));
    } else if (variant_ == Step::parallelism) {
      sum_by_points(queue_, fields, call_.l_max, n_dir);
    } else {
      by_directions(n_dir, [&](auto dirs, int first) {
        if (far_) sum_by_tree(c, fields, dirs, first);
        else sum(fields, dirs, first);
      });
    }
  }

private:
  void set_pairs(const NearPairs& made) {
    pairs_.set(made.pairs);
    slots_.set(made.slots);
    chunks_ = made.chunks;
  }

  void sum(const Fields& fields, int dirs, int first) {
    if (variant_ != Step::best) {
      sum_by_atoms(queue_, variant_, fields, call_.l_max, dirs, first, {nullptr, nullptr, 0, call_.n_points});
      return;
    }
    for (const PairChunk& chunk : chunks_)
      sum_by_atoms(queue_, variant_, fields, call_.l_max, dirs, first, near_values(fields, dirs, first, chunk));
  }

  void sum_by_tree(const SumUp& c, const Fields& fields, int dirs, int first) {
    far_->expand(c, first, dirs);
    sum_by_leaves(queue_, fields, call_.l_max, dirs, first,
                  {far_->cells().data(), far_->leaves().data(), far_->points().data(), far_->direct().data(), far_->locals().data(),
                   far_->leaves().count()});
    for (const PairChunk& chunk : chunks_)
      if (chunk.pairs > 0) add_values(queue_, fields, dirs, first, near_values(fields, dirs, first, chunk));
  }

  PairSums near_values(const Fields& fields, int dirs, int first, const PairChunk& chunk) {
    double* const values = work_.at_least(std::max<int64_t>(1, chunk.pairs * dirs));
    evaluate_pairs(queue_, fields, call_.l_max, dirs, first, pairs_.data() + chunk.first_pair, chunk.pairs, values);
    return {slots_.data(), values, chunk.first_point, chunk.last_point};
  }

  Step variant_;
  std::unique_ptr<FarField> far_;  // if far fields are expanded
  int64_t capacity_;
  gpu::Queue queue_;
  SumUpCall call_;
  std::vector<PairChunk> chunks_;
  device::Buffer<NearAtom> atoms_;
  device::Buffer<RadialGrid> grids_;
  device::Buffer<NearPair> pairs_;
  device::Buffer<PointSlots> slots_;
  gpu::Buffer<double> work_;
};

}  // namespace

const suite_kernel_table* sum_up_table() { return gpu_table<SumUp, SumUpGpu>(); }

}  // namespace suite::dfpt
