// SPDX-License-Identifier: BSD-3-Clause
// qmc.sweep on a GPU: a block has one walker and stays with it through all sweeps of the call. Its threads
// share the other electrons, the G and the orbitals of each proposed move; accepted moves wait in a window
// until the inverse is brought up to date by products of matrices.
#include "../philox.hpp"
#include "distances.cuh"
#include "sweep.hpp"

#include "structure_factor.hpp"

namespace suite::qmc {
namespace {

// A walker in its block.
struct Walker {
  Complex *tables, *rho;  // tables: of where the electron is, and of where it would go
  double *positions, *alpha, *draws, *column, *phi;
  WindowWork work;
  Window window;
  double* scratch;
};

__device__ __forceinline__ Walker walker_at(const SweepCall& c, const Layout& layout, double* shared, int64_t w) {
  double* const device = c.memory + w * layout.device;
  Walker k;
  k.tables = reinterpret_cast<Complex*>(shared + layout.tables);
  k.rho = reinterpret_cast<Complex*>(device + layout.rho);
  k.positions = device + layout.positions;
  k.alpha = shared + layout.alpha;
  k.draws = shared + layout.draws;
  k.column = device + layout.column;
  k.phi = device + layout.phi;
  k.work = window_work(shared + layout.work, c.kmax);
  k.window = {0,
              c.kmax,
              device + layout.window_phi,
              device + layout.columns,
              shared + layout.binv,
              reinterpret_cast<int*>(shared + layout.electrons)};
  k.scratch = device + layout.scratch;
  return k;
}

// The powers of one place. Numbers that are picked out by a subscript would lie in memory: hence the selections.
__device__ __forceinline__ void fill_table(const Psi& psi, const double (&x)[3], Complex* table) {
  const double s[3] = {psi.cell.fraction(0, x), psi.cell.fraction(1, x), psi.cell.fraction(2, x)};
  const int y = psi.powers.start[1], z = psi.powers.start[2];
  for (int e = thread(); e < psi.powers.width; e += block_threads) {
    const double turns = e < y ? s[0] : e < z ? s[1] : s[2];
    table[e] = turn((turns - ::rint(turns)) * (e - (e < y ? 0 : e < z ? y : z)));
  }
}

// f(alpha, x, y, z) for this thread's share of the electrons besides i, spin by spin, with the parameters of u for the pair.
template <class F> __device__ __forceinline__ void for_others(const Psi& psi, const Walker& k, int i, const F& f) {
  if (psi.u.nalpha == 0) return;
  const double *const x = k.positions, *const y = x + psi.netot, *const z = y + psi.netot;
  SUITE_GPU_NO_UNROLL
  for (int spin = 0; spin < 2; ++spin) {
    const double* const alpha = k.alpha + set_of_pair(psi.u.nset, psi.spin(i), spin) * psi.u.nalpha;
    const int end = spin ? psi.netot : psi.nup;
    SUITE_GPU_NO_UNROLL
    for (int j = (spin ? psi.nup : 0) + thread(); j < end; j += block_threads)
      if (j != i) f(alpha, x[j], y[j], z[j]);
  }
}

// u at two distances; `alpha`: of the pair's set.
template <Form form> __device__ __forceinline__ double difference_of_u(const DeviceU& u, const double* alpha, double before, double after) {
  if constexpr (form == Form::bspline) return bspline_u(alpha, u.nalpha, u.L, after).value - bspline_u(alpha, u.nalpha, u.L, before).value;
  // Both by the same coefficients, which are read once.
  double P = 0, Q = 0;
  for (int l = u.nalpha - 1; l >= 0; --l) {
    P = P * before + alpha[l];
    Q = Q * after + alpha[l];
  }
  const double x = before - u.L, y = after - u.L;
  P *= x * x;
  Q *= y * y;
  if (u.C == 3) {
    P *= x;
    Q *= y;
  }
  return (y < 0 ? Q : 0.0) - (x < 0 ? P : 0.0);
}

// This thread's share of J as it depends on electron i at x, and of its gradient.
template <LatticeKind kind>
__device__ __forceinline__ void add_jastrow(const Psi& psi, const Walker& k, int i, const double* x, const Complex* table, Local& J) {
  for_others(psi, k, i, [&](const double* alpha, double ox, double oy, double oz) {
    const double other[3] = {ox, oy, oz};
    double d[3];
    const double distance = closest_vector<kind>(psi.rule, x, other, d);
    if (distance < psi.u.L) add_radial(u_at(psi.u, alpha, 0, distance), distance, d, J);
  });
  const int spin = psi.spin(i);
  for (int g = thread(); g < psi.p.count; g += block_threads) {
    const Wave w = psi.p.waves[g];
    const Complex b = others_of(psi.p, w, g, spin, k.rho, wave_at(psi.powers, k.tables, w));
    double G[3];
    wave_vector(psi.cell, w, G);
    add_wave(G, wave_at(psi.powers, table, w) * conjugate(b), J);
  }
}

// This thread's share of how J changes when electron i moves; both tables are there.
template <LatticeKind kind>
__device__ __forceinline__ double change_of_jastrow(const Psi& psi, const Walker& k, int i, const double* from, const double* to) {
  double sum = 0;
  const auto add_pairs = [&](auto form) {
    for_others(psi, k, i, [&](const double* alpha, double x, double y, double z) {
      sum += difference_of_u<decltype(form)::value>(psi.u, alpha, closest_distance<kind>(psi.rule, from[0] - x, from[1] - y, from[2] - z),
                                                    closest_distance<kind>(psi.rule, to[0] - x, to[1] - y, to[2] - z));
    });
  };
  if (psi.u.form == Form::bspline) add_pairs(std::integral_constant<Form, Form::bspline>());
  else add_pairs(std::integral_constant<Form, Form::polynomial>());
  const int spin = psi.spin(i);
  for (int g = thread(); g < psi.p.count; g += block_threads) {
    const Wave w = psi.p.waves[g];
    const Complex was = wave_at(psi.powers, k.tables, w), will = wave_at(psi.powers, k.tables + psi.powers.width, w);
    const Complex b = others_of(psi.p, w, g, spin, k.rho, was);
    sum += (will.re - was.re) * b.re + (will.im - was.im) * b.im;
  }
  return sum;
}

// J and its gradient, D(x)/D and grad D/D, the same in all threads.
struct There {
  double J, ratio, drift[3];
};
template <LatticeKind kind>
__device__ __forceinline__ There look(const Psi& psi, const Walker& k, int i, const double* x, const Complex* table, double* parts) {
  Local J{}, D{};
  add_jastrow<kind>(psi, k, i, x, table, J);
  add_orbitals(psi, k.window.n, table, k.column, thread(), block_threads, D);
  double sum[8] = {J.value, D.value, J.gradient[0], J.gradient[1], J.gradient[2], D.gradient[0], D.gradient[1], D.gradient[2]};
  block_sums(sum, parts);
  There there{sum[0], sum[1], {}};
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) there.drift[d] = sum[2 + d] + sum[5 + d] / sum[1];
  return there;
}
__device__ __forceinline__ double square(const double* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }
__device__ __forceinline__ void limit_drift(double* v, double alimit, double tau) {
  const double factor = 2 / (1 + ::sqrt(1 + 2 * alimit * square(v) * tau));
  for (int d = 0; d < 3; ++d) v[d] *= factor;
}

// A proposed move, the same in all threads.
struct Proposal {
  double x[3], ratio, log_ratio, diffused;
  bool accepted;
};

// Both looks are one piece of code in a loop: it is long, and a kernel for each lattice and move has it.
// drawn: g and u of this electron.
template <LatticeKind kind, bool langevin>
__device__ __forceinline__ Proposal propose(const Psi& psi, const SweepCall& c, const Walker& k, int i, const double* drawn,
                                            double* parts) {
  const double root = ::sqrt(c.tau), u = drawn[3];
  double here[3], g[3];
  Proposal to;
  SUITE_GPU_UNROLL
  for (int d = 0; d < 3; ++d) {
    here[d] = k.positions[d * psi.netot + i];
    g[d] = root * drawn[d];
    to.x[d] = here[d] + g[d];
  }
  to.diffused = square(g);
  const int width = psi.powers.width;
  double exponent;
  if constexpr (langevin) {
    There now{}, then{};
    SUITE_GPU_NO_UNROLL
    for (int step = 0; step < 2; ++step) {
      Complex* const table = k.tables + step * width;
      // A copy: a pointer to either would keep both in memory.
      double x[3];
      for (int d = 0; d < 3; ++d) x[d] = step == 0 ? here[d] : to.x[d];
      fill_table(psi, x, table);
      __syncthreads();
      now = then;
      then = look<kind>(psi, k, i, x, table, parts);
      limit_drift(then.drift, c.alimit, c.tau);
      for (int d = 0; d < 3 && step == 0; ++d) to.x[d] += c.tau * then.drift[d];
    }
    double back[3];
    for (int d = 0; d < 3; ++d) back[d] = here[d] - to.x[d] - c.tau * then.drift[d];
    to.ratio = then.ratio;
    to.log_ratio = ::log(::fabs(then.ratio)) + then.J - now.J;
    exponent = 2 * to.log_ratio - (square(back) - to.diffused) / (2 * c.tau);
  } else {
    fill_table(psi, here, k.tables);
    fill_table(psi, to.x, k.tables + width);
    __syncthreads();
    double sum[2] = {change_of_jastrow<kind>(psi, k, i, here, to.x), 0};  // and D'/D
    Local D{};
    add_orbitals(psi, k.window.n, k.tables + width, k.column, thread(), block_threads, D);
    sum[1] = D.value;
    block_sums(sum, parts);
    to.ratio = sum[1];
    to.log_ratio = ::log(::fabs(sum[1])) + sum[0];
    exponent = 2 * to.log_ratio;
  }
  to.accepted = (!langevin || to.ratio > 0) && u < ::exp(exponent);
  return to;
}

// The walker goes there.
__device__ __forceinline__ void accept(const Psi& psi, const Walker& k, const double* dbar, int i, const Proposal& to) {
  const int n = k.window.n;
  const Complex* const there = k.tables + psi.powers.width;
  for (int m = thread(); m < n / 2; m += block_threads) {
    const Complex e = wave_at(psi.powers, there, psi.kvec[m]);
    k.phi[2 * m + 1] = e.re;
    if (2 * m + 2 < n) k.phi[2 * m + 2] = e.im;
  }
  Complex* const rho = k.rho + psi.spin(i) * psi.p.count;
  for (int g = thread(); g < psi.p.count; g += block_threads) {
    const Wave w = psi.p.waves[g];
    rho[g] = rho[g] + (wave_at(psi.powers, there, w) - wave_at(psi.powers, k.tables, w));
  }
  if (thread() == 0) {
    k.phi[0] = 1;
    SUITE_GPU_UNROLL
    for (int d = 0; d < 3; ++d) k.positions[d * psi.netot + i] = to.x[d];
  }
  __syncthreads();
  join(k.window, dbar, psi.place(i), k.phi, to.ratio, k.work);
}

// Random numbers of electrons_drawn electrons from i on, half of the threads for g and half for u.
__device__ __forceinline__ void draw_some(const SweepCall& c, const Walker& k, int i, int netot, int64_t stream, int64_t sweep) {
  const int electron = i + thread() % electrons_drawn;
  double* const to = k.draws + thread() % electrons_drawn * numbers_drawn;
  if (electron >= netot) return;
  if (thread() < electrons_drawn) move_gaussians(c.seed, stream, sweep, electron, to);
  else to[3] = acceptance_uniform(c.seed, stream, sweep, electron);
}

// Back into the cell: fractions from 0 to 1.
__device__ __forceinline__ void write_wrapped(const Psi& psi, const SweepCall& c, const double* from, double* to) {
  for (int i = thread(); i < psi.netot; i += block_threads) {
    const double r[3] = {from[i], from[psi.netot + i], from[2 * psi.netot + i]};
    double whole[3];
    SUITE_GPU_UNROLL
    for (int d = 0; d < 3; ++d) whole[d] = ::floor(psi.cell.fraction(d, r));
    SUITE_GPU_UNROLL
    for (int d = 0; d < 3; ++d) to[3 * i + d] = r[d] - whole[0] * c.a[0][d] - whole[1] * c.a[1][d] - whole[2] * c.a[2][d];
  }
}

// Of all moves of the call, by one thread.
struct Totals {
  double diffused, diffused_accepted, log_ratio;
  int accepted;
  __device__ __forceinline__ void add(const Proposal& to) {
    diffused += to.diffused;
    if (!to.accepted) return;
    ++accepted;
    diffused_accepted += to.diffused;
    log_ratio += to.log_ratio;
  }
};

template <LatticeKind kind, bool langevin>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(block_threads, 4) sweep_walkers(Psi psi, SweepCall c, Layout layout) {
  SUITE_GPU_DYNAMIC_SHARED(double, shared);
  __shared__ Tiles tiles;
  __shared__ double parts[8 * most_warps];
  __shared__ Totals totals;
  const int64_t w = blockIdx.x, stream = c.stream[w];
  // Made anew for each part of a move, of a number whose origin the compiler cannot see: addresses that were held in registers all the
  // way would leave too few.
  const auto walker = [&](int n) {
    Walker k = walker_at(c, layout, shared, gpu::opaque(static_cast<int>(blockIdx.x)));
    k.window.n = n;
    return k;
  };
  const auto dbar_of = [&](int spin, int n) {
    return (spin ? c.dbar_dn : c.dbar_up) + static_cast<int64_t>(gpu::opaque(static_cast<int>(blockIdx.x))) * n * n;
  };
  {
    const Walker k = walker(0);
    const double* const rele = c.rele + 3 * w * psi.netot;
    for (int e = thread(); e < 3 * psi.netot; e += block_threads) k.positions[e % 3 * psi.netot + e / 3] = rele[e];
    for (int e = thread(); e < 2 * psi.p.count; e += block_threads) k.rho[e] = c.rhok[w * 2 * psi.p.count + e];
    for (int e = thread(); e < psi.u.numbers(); e += block_threads) k.alpha[e] = psi.u.alpha[e];
    if (thread() == 0) {
      k.window.electron[0] = 0;
      totals = {};
    }
    __syncthreads();
  }
  SUITE_GPU_NO_UNROLL
  for (int s = 0; s < c.nsweep; ++s) {
    SUITE_GPU_NO_UNROLL
    for (int spin = 0; spin < 2; ++spin) {
      const int n = psi.count(spin);
      SUITE_GPU_NO_UNROLL
      for (int place = 0; place < n; ++place) {
        const int i = (spin ? psi.nup : 0) + place;
        if (place % electrons_drawn == 0) {
          draw_some(c, walker(n), i, psi.netot, stream, c.first_sweep + s);
          __syncthreads();
        }
        {
          const Walker k = walker(n);
          current_column(k.window, dbar_of(spin, n), place, k.work, k.column);
        }
        const Walker k = walker(n);
        const Proposal to = propose<kind, langevin>(psi, c, k, i, k.draws + place % electrons_drawn * numbers_drawn, parts);
        if (thread() == 0) totals.add(to);
        if (to.accepted) accept(psi, walker(n), dbar_of(spin, n), i, to);
        const Walker last = walker(n);
        const int waiting = last.window.count();
        if (waiting == c.kmax || (place + 1 == n && waiting > 0)) flush(last.window, dbar_of(spin, n), tiles, last.scratch);
      }
    }
  }
  write_wrapped(psi, c, walker(0).positions, c.rele + 3 * w * psi.netot);
  if (thread() > 0) return;
  c.accepted[w] = totals.accepted;
  if (c.diffusion) {
    c.diffusion[2 * w] = totals.diffused_accepted;
    c.diffusion[2 * w + 1] = totals.diffused;
  }
  if (c.logpsi) c.logpsi[w] += totals.log_ratio;
}

class SweepGpu {
public:
  static constexpr suite_parameter parameters[] = {
      parameter::form, parameter::move,
      knob("delay", 32, 1, 64, "moves", "maximum number of accepted moves delayed before an inverse is updated")};
  SweepGpu(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : form_(static_cast<Form>(p[0])),
        move_(static_cast<Move>(p[1])),
        delay_(p[2]),
        queue_(backend, queue),
        wavefunction_(queue_),
        rhok_(queue_, "the structure factors"),
        memory_(queue_, "the memory of the walkers") {}

  void prepare(const suite_array* arguments) {
    const Sweep c(arguments);
    queue_.select();
    wavefunction_.prepare(c, form_);
  }

  void execute(const suite_array* arguments) {
    const Sweep c(arguments);
    queue_.select();
    const Walk walk = walk_of(move_, c);
    const Psi psi = wavefunction_.psi(c);
    const int64_t nwalker = c.nwalker();
    double* const rele = c.rele.data();
    Complex* const rhok = rhok_.at_least(2 * psi.p.count * nwalker);
    sum_waves(queue_, psi.cell, psi.p.powers, psi.p.waves, psi.p.count, rele, psi.netot, nwalker, spins(psi.nup, psi.netot), rhok);
    const int64_t kmax = std::min<int64_t>(delay_, std::max(psi.nup, psi.netot - psi.nup));
    const Layout layout = layout_of(psi, kmax);
    SweepCall call{rele,
                   c.dbar_up.data(),
                   c.dbar_dn.data(),
                   rhok,
                   c.stream.data(),
                   c.accepted.data(),
                   c.diffusion.data(),
                   c.logpsi.data(),
                   walk.tau,
                   walk.alimit,
                   walk.first_sweep,
                   walk.seed,
                   static_cast<int>(walk.nsweep),
                   static_cast<int>(kmax),
                   memory_.at_least(layout.device * nwalker),
                   {}};
    const Lattice& lattice = wavefunction_.cell().lattice();
    for (int d = 0; d < 3; ++d) std::copy_n(lattice.a[d], 3, call.a[d]);
    by_kind(psi.rule.kind, [&](auto k) {
      constexpr LatticeKind kind = decltype(k)::value;
      const auto kernel = move_ == Move::langevin ? sweep_walkers<kind, true> : sweep_walkers<kind, false>;
      SUITE_GPU_LAUNCH(kernel, grid_of(nwalker), block_threads, shared_numbers(queue_, layout.shared, sizeof(Tiles)), queue_.stream(), psi,
                       call, layout);
    });
  }

private:
  Form form_;
  Move move_;
  int64_t delay_;
  gpu::Queue queue_;
  WavefunctionTables wavefunction_;
  gpu::Buffer<Complex> rhok_;
  gpu::Buffer<double> memory_;
};

}  // namespace

const suite_kernel_table* sweep_table() { return gpu_table<Sweep, SweepGpu>(); }

}  // namespace suite::qmc
