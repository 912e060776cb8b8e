// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "lines.cuh"

namespace suite::lfd {
namespace {

constexpr size_t most_shared = 48 << 10;  // bytes of a block
constexpr int line_portions = 64;         // blocks that share the lines of a sum

// The roots of unity to the start of shared memory; the room for lines is behind them.
template <class T> __device__ __forceinline__ Number<T>* with_roots(Number<T>* shared, const Number<T>* roots, int n) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += row_threads) shared[i] = roots[i];
  __syncthreads();
  return shared + n;
}

template <class T, bool turns>
__global__ void __launch_bounds__(row_threads)
    propagate_lines(LineStages s, LinePlaces places, const Number<T>* roots, const Number<T>* phase, const Number<T>* turn, Number<T>* psi,
                    int norb, int groups, int shift) {
  SUITE_GPU_DYNAMIC_SHARED(Number<T>, shared);
  const LineThread thread(shift);
  const int n = static_cast<int>(blockIdx.x) % groups * thread.width + thread.lane;
  const int own = n < norb ? n : norb - 1;
  Number<T>* const line = psi + start_of_line(places, static_cast<int>(blockIdx.x) / groups) * norb + own;
  const int64_t apart = places.apart * norb;
  Number<T>* const room = with_roots(shared, roots, s.n);
  there_and_back(
      s, shared, thread, room,
      [&](int at) {
        if constexpr (turns) return conjugate(turn[at * norb + own]) * line[at * apart];
        else return line[at * apart];
      },
      [&](int at, Number<T> x) { return phase[at * norb + own] * x; },
      [&](int at, Number<T> x) {
        if constexpr (turns) x = turn[at * norb + own] * x;
        if (n < norb) line[at * apart] = x;
      });
}

struct LinePlacesOfU {
  CellOrder order;
  int d;
};

// Without the bound nvcc 13.0 aims at more blocks and spills two registers.
// slots[portion][orbital]: sum of scale |psi_q|^2 and the energy or velocity of the wave, of some of the lines.
template <class T, bool velocity>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(row_threads, 5)
    sum_lines(LineStages s, LinePlaces places, const Number<T>* roots, const LineWave* waves, const Number<T>* turn, const Number<T>* psi,
              const Number<T>* u, LinePlacesOfU in_u, Momenta momenta, double scale, int norb, int groups, int shift, double* slots) {
  SUITE_GPU_DYNAMIC_SHARED(Number<T>, shared);
  const LineThread thread(shift);
  const int n = static_cast<int>(blockIdx.x) % groups * thread.width + thread.lane, portion = static_cast<int>(blockIdx.x) / groups;
  const int portions = static_cast<int>(gridDim.x) / groups;
  const int own = n < norb ? n : norb - 1, d = in_u.d;
  const int64_t apart = places.apart * norb;
  const double kappa = momenta(d, own);
  const CellOrder& o = in_u.order;
  Number<T>* const room = with_roots(shared, roots, s.n);
  const IntoRoom<T> into_room{room, thread.lane, thread.width};
  double sum = 0;
  for (int l = portion; l < places.lines; l += portions) {
    const int64_t start = start_of_line(places, l);
    const Number<T>* const line = psi + start * norb + own;
    const int q = static_cast<int>(start), first[] = {q / (o.n[1] * o.n[2]), q / o.n[2] % o.n[1], q % o.n[2]};
    for (int at = thread.row; at < s.n; at += thread.rows) {
      Number<T> x = line[at * apart];
      if (u) x = u[o.place(d == 0 ? at : first[0], d == 1 ? at : first[1], d == 2 ? at : first[2])] * x;
      if (turn) x = conjugate(turn[at * norb + own]) * x;
      into_room(at, x);
    }
    __syncthreads();
    to_waves(s, shared, thread, room, [&](int at, Number<T> x) {
      const double re = x.re, im = x.im;
      sum += (velocity ? waves[at].velocity(kappa) : waves[at].energy(kappa)) * (re * re + im * im);
    });
    __syncthreads();
  }
  auto* const parts = reinterpret_cast<double*>(shared);
  parts[thread.row * thread.width + thread.lane] = sum;
  __syncthreads();
  if (thread.row > 0 || n >= norb) return;
  sum = 0;
  for (int row = 0; row < thread.rows; ++row) sum += parts[row * thread.width + thread.lane];
  slots[static_cast<int64_t>(portion) * norb + n] = scale * sum;
}

__global__ void add_line_sums(const double* slots, int portions, int norb, bool add, double* result) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= norb) return;
  double sum = add ? result[n] : 0;
  for (int i = 0; i < portions; ++i) sum += slots[static_cast<int64_t>(i) * norb + n];
  result[n] = sum;
}

// phase[place][orbital] = exp(-i dt T)/N, turn[point][orbital] = e^{i(A+k)r} where it is wanted.
template <class T>
__global__ void set_line_phases(int extent, int d, double h, double dt, const LineWave* waves, Momenta momenta, int norb, Number<T>* phase,
                                Number<T>* turn) {
  const int64_t index = thread_index();
  if (index >= int64_t{1} * extent * norb) return;
  const int at = static_cast<int>(index / norb);
  const double kappa = momenta(d, index % norb);
  const Number<double> z = unit(-dt * waves[at].energy(kappa));
  phase[index] = {static_cast<T>(z.re / extent), static_cast<T>(z.im / extent)};
  if (!turn) return;
  const Number<double> to = unit(kappa * h * (at - extent / 2));
  turn[index] = {static_cast<T>(to.re), static_cast<T>(to.im)};
}

}  // namespace

template <class T>
FourierLines<T>::FourierLines(const gpu::Queue& queue)
    : queue_(queue),
      roots_(queue, "the roots of unity of lines"),
      phases_(queue, "the phases of waves"),
      turn_(queue, "the phases of points"),
      waves_(queue, "the waves of lines"),
      slots_(queue, "the sums of lines") {}

template <class T> void FourierLines<T>::set(const Grid& g) {
  const bool same = set_ && std::equal(g.n, g.n + 3, g_.n) && std::equal(g.h, g.h + 3, g_.h);
  g_ = g;
  if (same) return;
  set_ = false;
  std::vector<Number<T>> roots;
  std::vector<LineWave> waves;
  for (int d = 0; d < 3; ++d) {
    const LinePlan plan(g.n[d]);
    LineStages& s = stages_[d] = {};
    s.n = plan.n;
    for (const auto& [radix, length] : plan.stages) {
      const uint64_t q = length / radix;
      s.stage[s.count++] = {radix, static_cast<int>(q), plan.n / length, ((uint64_t{1} << 32) + q - 1) / q};
    }
    if (shared_bytes(d, 0) > most_shared)
      throw Failure(SUITE_UNSUPPORTED,
                    concat("kinetic=fourier: the grid has ", g.n[d], " points in a direction; this implementation supports ",
                           most_shared / (s.sums() ? 3 : 2) / sizeof(Number<T>), " here"));
    for (int i = 0; i < plan.n; ++i) {
      const double angle = -2 * std::numbers::pi * i / plan.n;
      roots.push_back({static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))});
      waves.push_back(line_wave(plan.wave[i], plan.n, g.h[d]));
    }
  }
  roots_.upload(roots.data(), std::ssize(roots));
  waves_.upload(waves.data(), std::ssize(waves));
  set_ = true;
}

// Of a block whose rows have 2^shift orbitals: roots, the line, and what its last stage is summed up to.
template <class T> size_t FourierLines<T>::shared_bytes(int d, int shift) const {
  const LineStages& s = stages_[d];
  const size_t n = static_cast<size_t>(s.n);
  return (n + ((s.count > 0 && s.sums() ? 2 * n : n) << shift)) * sizeof(Number<T>);
}

// As many orbitals side by side as rows have, where shared memory holds their line.
template <class T> int FourierLines<T>::shift(int d) const {
  int shift = row_shift(g_.norb);
  while (shift > 0 && shared_bytes(d, shift) > most_shared) --shift;
  return shift;
}

template <class T> LinePlaces FourierLines<T>::places(int d) const {
  const int64_t apart[] = {g_.n[1] * g_.n[2], g_.n[2], 1};
  const int outer = d == 0 ? 1 : 0, inner = d == 2 ? 1 : 2;
  return {apart[d], static_cast<int>(g_.n[outer] * g_.n[inner]), static_cast<int>(g_.n[inner]), apart[outer], apart[inner]};
}

template <class T> void FourierLines<T>::set_step(double dt, const Momenta& momenta, bool turns) {
  turns_ = turns;
  const int64_t all = (before(2) + g_.n[2]) * g_.norb;
  Number<T>*const phases = phases_.at_least(all), *const turn = turns ? turn_.at_least(all) : nullptr;
  for (int d = 0; d < 3; ++d)
    SUITE_GPU_LAUNCH(set_line_phases<T>, blocks_for(g_.n[d] * g_.norb, 128), 128, 0, queue_.stream(), stages_[d].n, d, g_.h[d], dt,
                     waves_.data() + before(d), momenta, static_cast<int>(g_.norb), phases + before(d) * g_.norb,
                     turn ? turn + before(d) * g_.norb : nullptr);
}

template <class T> void FourierLines<T>::propagate(Number<T>* psi) {
  for (int d = 0; d < 3; ++d) {
    if (g_.n[d] == 1) continue;
    const LinePlaces at = places(d);
    const int norb = static_cast<int>(g_.norb), by = shift(d), groups = (norb + (1 << by) - 1) >> by;
    const auto launch = [&](auto kernel, const Number<T>* turn) {
      SUITE_GPU_LAUNCH(kernel, static_cast<unsigned>(at.lines * groups), row_threads, shared_bytes(d, by), queue_.stream(), stages_[d], at,
                       roots_.data() + before(d), phases_.data() + before(d) * norb, turn, psi, norb, groups, by);
    };
    if (turns_) launch(propagate_lines<T, true>, turn_.data() + before(d) * norb);
    else launch(propagate_lines<T, false>, nullptr);
  }
}

// Of the lines along d; returns how many portions there are.
template <class T>
template <bool velocity>
int FourierLines<T>::sum(const Number<T>* psi, const Number<T>* u, const Momenta& momenta, int d, double* slots) {
  if (g_.n[d] == 1) return 0;
  const LinePlaces at = places(d);
  const int norb = static_cast<int>(g_.norb), by = shift(d), groups = (norb + (1 << by) - 1) >> by;
  const int portions = std::min(line_portions, at.lines);
  const Number<T>* const turn = velocity && turns_ ? turn_.data() + before(d) * norb : nullptr;
  const size_t bytes = std::max(shared_bytes(d, by), row_threads * sizeof(double));
  SUITE_GPU_LAUNCH((sum_lines<T, velocity>), static_cast<unsigned>(portions * groups), row_threads, bytes, queue_.stream(), stages_[d], at,
                   roots_.data() + before(d), waves_.data() + before(d), turn, psi, u, (LinePlacesOfU{CellOrder(g_), d}), momenta,
                   g_.volume_element() / static_cast<double>(g_.n[d]), norb, groups, by, slots);
  return portions;
}

template <class T> void FourierLines<T>::energies(const Number<T>* psi, const Momenta& momenta, double* result) {
  const int norb = static_cast<int>(g_.norb);
  double* const slots = slots_.at_least(3 * line_portions * g_.norb);
  int portions = 0;
  for (int d = 0; d < 3; ++d) portions += sum<false>(psi, nullptr, momenta, d, slots + portions * g_.norb);
  SUITE_GPU_LAUNCH(add_line_sums, blocks_for(norb, 128), 128, 0, queue_.stream(), slots, portions, norb, false, result);
}

template <class T> void FourierLines<T>::add_velocities(const Number<T>* psi, const Number<T>* u, const Momenta& momenta, double* result) {
  const int norb = static_cast<int>(g_.norb);
  double* const slots = slots_.at_least(3 * line_portions * g_.norb);
  for (int d = 0; d < 3; ++d) {
    const int portions = sum<true>(psi, u, momenta, d, slots);
    SUITE_GPU_LAUNCH(add_line_sums, blocks_for(norb, 128), 128, 0, queue_.stream(), slots, portions, norb, true, result + d * g_.norb);
  }
}

template class FourierLines<float>;
template class FourierLines<double>;

}  // namespace suite::lfd
