// SPDX-License-Identifier: BSD-3-Clause
// qmc.local_energy on a GPU: a warp has an electron of a walker. Its lanes take the other electrons, for u
// and the short-range charges in one pass, then the G of p, then the orbitals; what it finds is added up by a
// block for each walker, with the sum over G of the Ewald energy.
#include "ewald.hpp"
#include "structure_factor.hpp"
#include "wavefunction.hpp"

namespace suite::qmc {
namespace {

// Numbers of an electron: its shares of KEI, TI, FISQ, J, and its short-range energy.
constexpr int shares = 5;

struct EnergyCall {
  const double *rele, *dbar[2];
  const Complex* rhok;                           // of gvec by spin
  double *velocity, *shares, *energy, *jastrow;  // velocity and jastrow may be null
};

template <LatticeKind kind> __global__ void __launch_bounds__(block_threads) sum_electrons(Psi psi, DeviceEwald ewald, EnergyCall c) {
  SUITE_GPU_DYNAMIC_SHARED(Complex, tables);
  const int warps = warps_of_block(), width = psi.powers.width, groups = (psi.netot + warps - 1) / warps;
  double* const alpha = reinterpret_cast<double*>(tables + warps * width);
  const int64_t walker = blockIdx.x / groups;
  const int first = static_cast<int>(blockIdx.x % groups) * warps;
  const int some = psi.netot - first < warps ? psi.netot - first : warps;
  const double* const rele = c.rele + 3 * walker * psi.netot;
  fill_tables(psi.cell, psi.powers, rele + 3 * first, some, tables, thread(), block_threads);
  for (int k = thread(); k < psi.u.numbers(); k += block_threads) alpha[k] = psi.u.alpha[k];
  __syncthreads();
  const bool there = warp_number() < some;  // all warps go to the shuffles
  const int i = first + (there ? warp_number() : 0), spin = psi.spin(i), n = psi.count(spin);
  const double* const x = rele + 3 * i;
  const Complex* const rho = c.rhok + walker * 2 * psi.p.count;
  const Complex* const table = tables + (i - first) * width;
  Local J{}, D{}, screened{};
  for (int j = gpu::lane(); there && j < psi.netot; j += warpSize) {
    if (j == i) continue;
    double d[3];
    const double distance = closest_vector<kind>(psi.rule, x, rele + 3 * j, d);
    if (distance < psi.u.L) add_radial(u_at(psi.u, alpha, set_of_pair(psi.u.nset, spin, psi.spin(j)), distance), distance, d, J);
    add_screened<false, true>(ewald, d, distance, 1.0, screened);
  }
  for (int g = gpu::lane(); there && g < psi.p.count; g += warpSize) {
    const Wave w = psi.p.waves[g];
    const Complex e = wave_at(psi.powers, table, w);
    double G[3];
    wave_vector(psi.cell, w, G);
    add_wave(G, e * conjugate(others_of(psi.p, w, g, spin, rho, e)), J);
  }
  if (there) add_orbitals(psi, n, table, c.dbar[spin] + (walker * n + psi.place(i)) * n, gpu::lane(), warpSize, D);
  warp_sums(J);
  warp_sums(D);
  screened.value = gpu::warp_sum(screened.value);
  if (!there || gpu::lane() > 0) return;
  double v2 = 0, D2 = 0;
  for (int d = 0; d < 3; ++d) {
    const double v = D.gradient[d] + J.gradient[d];
    v2 += v * v;
    D2 += D.gradient[d] * D.gradient[d];
    if (c.velocity) c.velocity[3 * (walker * psi.netot + i) + d] = v;
  }
  const double curvature = D.laplacian - D2 + J.laplacian;  // of ln|psi|
  double* const to = c.shares + (walker * psi.netot + i) * shares;
  to[0] = -0.5 * (curvature + v2);
  to[1] = -0.25 * curvature;
  to[2] = 0.5 * v2;
  to[3] = 0.5 * J.value;
  to[4] = 0.5 * screened.value;
}

__global__ void __launch_bounds__(block_threads) sum_walker(int netot, DeviceEwald ewald, const Complex* S, EnergyCall c) {
  __shared__ double parts[(shares + 1) * most_warps];
  const int64_t walker = blockIdx.x;
  double sum[shares + 1] = {};
  for (int i = thread(); i < netot; i += block_threads) {
    const double* const from = c.shares + (walker * netot + i) * shares;
    SUITE_GPU_UNROLL
    for (int k = 0; k < shares; ++k) sum[k] += from[k];
  }
  for (int g = thread(); g < ewald.count; g += block_threads) {
    const Complex s = S[walker * ewald.count + g];
    sum[shares] += 0.5 * ewald.weight[g] * (s.re * s.re + s.im * s.im - netot);
  }
  block_sums(sum, parts);
  if (thread() > 0) return;
  const double n = netot, charges = sum[4] + sum[shares] + 0.5 * n * (ewald.xi - (n - 1) * ewald.background);
  double* const energy = c.energy + 5 * walker;
  energy[static_cast<int>(Energy::total)] = sum[0] + charges;
  energy[static_cast<int>(Energy::kei)] = sum[0];
  energy[static_cast<int>(Energy::ti)] = sum[1];
  energy[static_cast<int>(Energy::fisq)] = sum[2];
  energy[static_cast<int>(Energy::ewald)] = charges;
  if (c.jastrow) c.jastrow[walker] = sum[3];
}

class LocalEnergyGpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::form};
  LocalEnergyGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : form_(static_cast<Form>(p[0])),
        queue_(backend, queue),
        wavefunction_(queue_),
        ewald_(queue_),
        waves_(queue_, "the structure factors"),
        shares_(queue_, "the energies of the electrons") {}

  void prepare(const suite_array* arguments) {
    const LocalEnergy c(arguments);
    queue_.select();
    const bool changed = wavefunction_.prepare(c, form_);
    ewald_.prepare(queue_, wavefunction_.cell().lattice(), changed, c, fastest_alpha_L);
  }

  void execute(const suite_array* arguments) {
    const LocalEnergy c(arguments);
    queue_.select();
    const Psi psi = wavefunction_.psi(c);
    const DeviceEwald ewald = ewald_.device();
    const int64_t nwalker = c.nwalker();
    const double* const rele = c.rele.data();
    Complex* const rhok = waves_.at_least((2 * psi.p.count + ewald.count) * nwalker);
    Complex* const S = rhok + 2 * psi.p.count * nwalker;
    sum_waves(queue_, psi.cell, psi.p.powers, psi.p.waves, psi.p.count, rele, psi.netot, nwalker, spins(psi.nup, psi.netot), rhok);
    sum_waves(queue_, psi.cell, ewald.powers, ewald.waves, ewald.count, rele, psi.netot, nwalker, {1, {0, 0}, {psi.netot, 0}, nullptr}, S);
    const EnergyCall call{rele,
                          {c.dbar_up.data(), c.dbar_dn.data()},
                          rhok,
                          c.velocity.data(),
                          shares_.at_least(shares * psi.netot * nwalker),
                          c.energy.data(),
                          c.jastrow.data()};
    const int warps = block_threads / queue_.properties().warp;
    const int64_t numbers = 2 * warps * psi.powers.width + psi.u.nalpha * psi.u.nset;
    by_kind(psi.rule.kind, [&](auto k) {
      SUITE_GPU_LAUNCH(sum_electrons<decltype(k)::value>, grid_of((psi.netot + warps - 1) / warps * nwalker), block_threads,
                       shared_numbers(queue_, numbers), queue_.stream(), psi, ewald, call);
    });
    SUITE_GPU_LAUNCH(sum_walker, grid_of(nwalker), block_threads, 0, queue_.stream(), psi.netot, ewald, S, call);
  }

private:
  Form form_;
  gpu::Queue queue_;
  WavefunctionTables wavefunction_;
  EwaldTables ewald_;
  gpu::Buffer<Complex> waves_;
  gpu::Buffer<double> shares_;
};

}  // namespace

const suite_kernel_table* local_energy_table() { return gpu_table<LocalEnergy, LocalEnergyGpu>(); }

}  // namespace suite::qmc
