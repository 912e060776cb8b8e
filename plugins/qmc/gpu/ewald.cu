// SPDX-License-Identifier: BSD-3-Clause
// qmc.ewald on a GPU by S_G = sum_j q_j e^{iG.r_j}: a warp has a position, its lanes first the other charges
// and then the G.
#include "ewald.hpp"
#include "structure_factor.hpp"

namespace suite::qmc {
namespace {

// Shared memory: the tables of the positions of this block, and of where the moving electron is. e.count: 0
// where the waves are left out.
template <LatticeKind kind, bool stops, bool field>
__global__ void __launch_bounds__(block_threads)
    sum_charges(Reciprocal cell, ImageRule rule, DeviceEwald e, const double* charge, Positions at, const Complex* S, EwaldOut out) {
  SUITE_GPU_DYNAMIC_SHARED(Complex, tables);
  const int warps = warps_of_block(), groups = (at.npos + warps - 1) / warps, width = e.powers.width;
  const int64_t walker = blockIdx.x / groups;
  const int first = static_cast<int>(blockIdx.x % groups) * warps;
  const int some = at.npos - first < warps ? at.npos - first : warps;
  const double* const rele = at.of_walker(walker);
  if (e.count > 0) {
    fill_tables(cell, e.powers, at.position(first, walker), some, tables, thread(), block_threads);
    if (at.rnew) fill_tables(cell, e.powers, rele + 3 * at.which, 1, tables + some * width, thread(), block_threads);
  }
  __syncthreads();
  const bool there = warp_number() < some;  // all warps go to the shuffles
  const int m = there ? warp_number() : 0, i = at.electron(first + m);
  const double* const x = at.position(first + m, walker);
  Local sum{};
  double others = 0;
  for (int j = gpu::lane(); there && j < at.netot; j += warpSize) {
    if (j == i) continue;
    double d[3];
    const double distance = closest_vector<kind>(rule, x, rele + 3 * j, d);
    add_screened<field, stops>(e, d, distance, charge[j], sum);
    others += charge[j];
  }
  const Complex *const table = tables + m * width, *const old = at.rnew ? tables + some * width : table;
  for (int g = gpu::lane(); there && g < e.count; g += warpSize) {
    const Wave w = e.waves[g];
    const Complex b = S[walker * e.count + g] - charge[i] * wave_at(e.powers, old, w);
    const Complex z = e.weight[g] * (wave_at(e.powers, table, w) * conjugate(b));
    sum.value += z.re;
    if constexpr (field) {
      double G[3];
      wave_vector(cell, w, G);
      SUITE_GPU_UNROLL
      for (int d = 0; d < 3; ++d) sum.gradient[d] -= G[d] * z.im;
    }
  }
  sum.value -= others * e.background;
  warp_sums(sum);
  if (!there || gpu::lane() > 0) return;
  const int64_t position = walker * at.npos + first + m;
  if (out.energy) out.energy[position] = charge[i] * (sum.value + charge[i] * e.xi);
  for (int d = 0; d < 3 && field; ++d) out.field[3 * position + d] = -sum.gradient[d];
}

// total = 1/2 sum_i energy_i + 1/2 sum_G weight (|S|^2 - sum_i q_i^2); count: of the G that energy_i is
// without.
__global__ void __launch_bounds__(block_threads)
    sum_total(const double* energy, const double* charge, int netot, const double* weight, const Complex* S, int count, double* total) {
  __shared__ double parts[2 * most_warps];
  const int64_t walker = blockIdx.x;
  double sum[2] = {0, 0};
  for (int i = thread(); i < netot; i += block_threads) {
    sum[0] += energy[walker * netot + i];
    sum[1] += charge[i] * charge[i];
  }
  block_sums(sum, parts);
  double waves[1] = {0};
  for (int g = thread(); g < count; g += block_threads) {
    const Complex s = S[walker * count + g];
    waves[0] += weight[g] * (s.re * s.re + s.im * s.im - sum[1]);
  }
  block_sums(waves, parts);
  if (thread() == 0) total[walker] = 0.5 * (sum[0] + waves[0]);
}

class EwaldGpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::ewald_variant};
  EwaldGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : step_(static_cast<SumStep>(p[0])),
        queue_(backend, queue),
        tables_(queue_),
        waves_(queue_, "the structure factors and tables of the Ewald sum"),
        energies_(queue_, "the energies of the charges") {}

  void prepare(const suite_array* arguments) {
    const Ewald c(arguments);
    queue_.select();
    const bool changed = cell_.prepare(queue_, c.cell);
    tables_.prepare(queue_, cell_.lattice(), changed, c, step_ == SumStep::best ? fastest_alpha_L : balanced_alpha_L,
                    on_host<int32_t>(queue_, c.gvec));
  }

  void execute(const suite_array* arguments) {
    const Ewald c(arguments);
    queue_.select();
    const Moved moved = check_ewald(c);
    const Positions at = positions_of(c, moved, 0);
    const double* const charge = c.charge.data();
    double* const total = c.total.data();
    EwaldOut out{c.energy.data(), c.field.data()};
    const bool only_total = total && !out.energy && !out.field;
    if (total && !out.energy) out.energy = energies_.at_least(at.npos * at.nwalker);
    const DeviceEwald e = tables_.device();
    const bool over_pairs = step_ < SumStep::structure_factor;
    const Complex* S = nullptr;
    if (over_pairs)
      ewald_over_pairs(queue_, step_ == SumStep::split_loops, cell_.reciprocal(), cell_.lattice().images, e, charge, at, waves_, out);
    else S = sum(e, charge, at, device_data<const Complex>(c.rhok), out, only_total);
    if (total)
      SUITE_GPU_LAUNCH(sum_total, grid_of(at.nwalker), block_threads, 0, queue_.stream(), out.energy, charge, at.netot, e.weight, S,
                       only_total && !over_pairs ? e.count : 0, total);
  }

private:
  // Gives S, made where the caller has none; without_waves: energies are those without the sum over G.
  const Complex* sum(const DeviceEwald& e, const double* charge, const Positions& at, const Complex* S, const EwaldOut& out,
                     bool without_waves) {
    if (!S) {
      Complex* const made = waves_.at_least(e.count * at.nwalker);
      sum_waves(queue_, cell_.reciprocal(), e.powers, e.waves, e.count, at.rele, at.netot, at.nwalker, {1, {0, 0}, {at.netot, 0}, charge},
                made);
      S = made;
    }
    DeviceEwald wanted = e;
    if (without_waves) wanted.count = 0;
    by_kind(cell_.lattice().images.kind, [&](auto k) {
      constexpr LatticeKind kind = decltype(k)::value;
      const auto kernel = step_ == SumStep::best ? (out.field ? sum_charges<kind, true, true> : sum_charges<kind, true, false>)
                                                 : (out.field ? sum_charges<kind, false, true> : sum_charges<kind, false, false>);
      const int warps = block_threads / queue_.properties().warp;
      const int64_t groups = (at.npos + warps - 1) / warps;
      SUITE_GPU_LAUNCH(kernel, grid_of(groups * at.nwalker), block_threads, shared_numbers(queue_, 2 * (warps + 1) * e.powers.width),
                       queue_.stream(), cell_.reciprocal(), cell_.lattice().images, wanted, charge, at, S, out);
    });
    return S;
  }

  SumStep step_;
  gpu::Queue queue_;
  Cell cell_;
  EwaldTables tables_;
  gpu::Buffer<Complex> waves_;
  gpu::Buffer<double> energies_;
};

}  // namespace

const suite_kernel_table* ewald_table() { return gpu_table<Ewald, EwaldGpu>(); }

}  // namespace suite::qmc
