// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "fourier.hpp"

namespace suite::lfd {
namespace {

constexpr size_t most_shared = 48 << 10;  // bytes of a line, twice
constexpr int line_portions = 64;         // blocks that share the lines of a sum

// A thread's place in a block: one of `width` orbitals, and the numbers of the line it makes, row, row + rows, ..
struct LineThread {
  int lane, width, row, rows;
  __device__ __forceinline__ explicit LineThread(int shift)
      : lane(static_cast<int>(threadIdx.x) & ((1 << shift) - 1)),
        width(1 << shift),
        row(static_cast<int>(threadIdx.x) >> shift),
        rows(row_threads >> shift) {}
};

__device__ __forceinline__ int64_t start_of_line(const LinePlaces& at, int line) {
  return line / at.inner * at.outer_apart + line % at.inner * at.inner_apart;
}

// Of a stage, number `at` of the line: the sum of ../fourier.hpp, there or on the way back.
template <class T, bool back>
__device__ __forceinline__ Number<T> number_of_stage(const LineStages& s, int stage, const Number<T>* roots, const Number<T>* from, int at,
                                                     const LineThread& thread) {
  const int r = s.radix[stage], length = s.length[stage], q = length / r;
  const int first = at / length * length, major = (at - first) / q, j = (at - first) % q, each = s.n / length;
  int turn = back ? 0 : each * major * j;
  const int more = back ? each * (major * q + j) : major * (s.n / r);
  T re = 0, im = 0;
  for (int i = 0; i < r; ++i) {
    const Number<T> w = roots[turn], x = from[(first + i * q + j) * thread.width + thread.lane];
    const T y = back ? -w.im : w.im;
    re += w.re * x.re - y * x.im;
    im += w.re * x.im + y * x.re;
    turn += more;
    if (turn >= s.n) turn -= s.n;
  }
  return {re, im};
}

// The line in `from` to its waves, times phase of [place][orbital] where it is given. Returns where they are; `from` and `to`
// change places with each stage.
template <class T>
__device__ __forceinline__ void to_waves(const LineStages& s, const Number<T>* roots, const Number<T>* phase, int64_t norb, int64_t orbital,
                                         const LineThread& thread, Number<T>*& from, Number<T>*& to) {
  for (int stage = 0; stage < s.count; ++stage) {
    for (int at = thread.row; at < s.n; at += thread.rows) {
      Number<T> x = number_of_stage<T, false>(s, stage, roots, from, at, thread);
      if (phase && stage + 1 == s.count) x = phase[at * norb + orbital] * x;
      to[at * thread.width + thread.lane] = x;
    }
    __syncthreads();
    Number<T>* const other = from;
    from = to;
    to = other;
  }
}

template <class T>
__global__ void __launch_bounds__(row_threads)
    propagate_lines(LineStages s, LinePlaces places, const Number<T>* roots, const Number<T>* phase, const Number<T>* turn, Number<T>* psi,
                    int norb, int groups, int shift) {
  SUITE_GPU_DYNAMIC_SHARED(Number<T>, room);
  const LineThread thread(shift);
  const int n = static_cast<int>(blockIdx.x) % groups * thread.width + thread.lane;
  const int64_t own = n < norb ? n : norb - 1;
  Number<T>* const line = psi + start_of_line(places, static_cast<int>(blockIdx.x) / groups) * norb + own;
  Number<T>*from = room, *to = room + s.n * thread.width;
  for (int at = thread.row; at < s.n; at += thread.rows) {
    Number<T> x = line[at * places.apart * norb];
    if (turn) x = conjugate(turn[at * norb + own]) * x;
    from[at * thread.width + thread.lane] = x;
  }
  __syncthreads();
  to_waves(s, roots, phase, norb, own, thread, from, to);
  for (int stage = s.count - 1; stage >= 0; --stage) {
    for (int at = thread.row; at < s.n; at += thread.rows) {
      Number<T> x = number_of_stage<T, true>(s, stage, roots, from, at, thread);
      if (stage > 0) {
        to[at * thread.width + thread.lane] = x;
        continue;
      }
      if (turn) x = turn[at * norb + own] * x;
      if (n < norb) line[at * places.apart * norb] = x;
    }
    __syncthreads();
    Number<T>* const other = from;
    from = to;
    to = other;
  }
}

struct LinePlacesOfU {
  CellOrder order;
  int d;
};

// With fewer registers than eight blocks leave, nvcc 13.0 spills two of them.
// slots[portion][orbital]: sum of scale |psi_q|^2 and the energy or velocity of the wave, of some of the lines.
template <class T, bool velocity>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(row_threads, 8)
    sum_lines(LineStages s, LinePlaces places, const Number<T>* roots, const LineWave* waves, const Number<T>* turn, const Number<T>* psi,
              const Number<T>* u, LinePlacesOfU in_u, Momenta momenta, double scale, int norb, int groups, int shift, double* slots) {
  SUITE_GPU_DYNAMIC_SHARED(Number<T>, room);
  const LineThread thread(shift);
  const int n = static_cast<int>(blockIdx.x) % groups * thread.width + thread.lane, portion = static_cast<int>(blockIdx.x) / groups;
  const int portions = static_cast<int>(gridDim.x) / groups;
  const int64_t own = n < norb ? n : norb - 1;
  const double kappa = momenta(in_u.d, own);
  const CellOrder& o = in_u.order;
  double sum = 0;
  for (int l = portion; l < places.lines; l += portions) {
    const int64_t start = start_of_line(places, l);
    Number<T>*from = room, *to = room + s.n * thread.width;
    for (int at = thread.row; at < s.n; at += thread.rows) {
      const int64_t p = start + at * places.apart;
      Number<T> x = psi[p * norb + own];
      if (u) {
        const int q = static_cast<int>(p), plane = o.n[1] * o.n[2];
        x = u[o.place(q / plane, q / o.n[2] % o.n[1], q % o.n[2])] * x;
      }
      if (turn) x = conjugate(turn[at * norb + own]) * x;
      from[at * thread.width + thread.lane] = x;
    }
    __syncthreads();
    to_waves<T>(s, roots, nullptr, norb, own, thread, from, to);
    for (int at = thread.row; at < s.n; at += thread.rows) {
      const Number<T> x = from[at * thread.width + thread.lane];
      const double re = x.re, im = x.im;
      sum += (velocity ? waves[at].velocity(kappa) : waves[at].energy(kappa)) * (re * re + im * im);
    }
    __syncthreads();
  }
  auto* const parts = reinterpret_cast<double*>(room);
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
    if (2 * g.n[d] * static_cast<int64_t>(sizeof(Number<T>)) > static_cast<int64_t>(most_shared))
      throw Failure(SUITE_UNSUPPORTED,
                    concat("kinetic=fourier: the grid has ", g.n[d], " points in a direction; this implementation supports ",
                           most_shared / 2 / sizeof(Number<T>), " here"));
    const LinePlan plan(g.n[d]);
    stages_[d] = {};
    stages_[d].n = plan.n;
    for (const auto& [radix, length] : plan.stages) {
      stages_[d].radix[stages_[d].count] = radix;
      stages_[d].length[stages_[d].count++] = length;
    }
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

// As many orbitals side by side as rows have, where shared memory holds their line twice.
template <class T> int FourierLines<T>::shift(int d) const {
  int shift = row_shift(g_.norb);
  while (shift > 0 && (2 * static_cast<size_t>(g_.n[d]) * sizeof(Number<T>) << shift) > most_shared) --shift;
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
    SUITE_GPU_LAUNCH(propagate_lines<T>, static_cast<unsigned>(at.lines * groups), row_threads,
                     2 * static_cast<size_t>(g_.n[d]) * sizeof(Number<T>) << by, queue_.stream(), stages_[d], at, roots_.data() + before(d),
                     phases_.data() + before(d) * norb, turns_ ? turn_.data() + before(d) * norb : nullptr, psi, norb, groups, by);
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
  const size_t bytes = std::max(2 * static_cast<size_t>(g_.n[d]) * sizeof(Number<T>) << by, row_threads * sizeof(double));
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
