// SPDX-License-Identifier: BSD-3-Clause
// The stages of ../fourier.hpp on a line in shared memory: a thread takes r numbers of a stage of radix r, 2 to 5, to registers and
// back to where they were. Both ways meet there at the last stage. A larger rest of N, which is the last stage, too, is summed up
// number by number between two arrays.
#pragma once

#include "fourier.hpp"

namespace suite::lfd {

// A thread's place in a block: one of `width` orbitals, and of the work on a line its parts row, row + rows, ..
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

template <class T> __device__ __forceinline__ Number<T> operator-(Number<T> a, Number<T> b) { return {a.re - b.re, a.im - b.im}; }
template <class T> __device__ __forceinline__ Number<T> operator*(T a, Number<T> b) { return {a * b.re, a * b.im}; }
// a + i b
template <class T> __device__ __forceinline__ Number<T> plus_i(Number<T> a, Number<T> b) { return {a.re - b.im, a.im + b.re}; }
template <class T> __device__ __forceinline__ Number<T> minus_i(Number<T> a, Number<T> b) { return {a.re + b.im, a.im - b.re}; }

// x_f = sum_m e^{-2 pi i f m/r} x_m
template <class T> __device__ __forceinline__ void transform(Number<T> (&x)[2]) {
  const Number<T> difference = x[0] - x[1];
  x[0] = x[0] + x[1];
  x[1] = difference;
}
template <class T> __device__ __forceinline__ void transform(Number<T> (&x)[3]) {
  const Number<T> sum = x[1] + x[2], mean = x[0] - T(0.5) * sum, s = T(0.86602540378443864676) * (x[1] - x[2]);
  x[0] = x[0] + sum;
  x[1] = minus_i(mean, s);
  x[2] = plus_i(mean, s);
}
template <class T> __device__ __forceinline__ void transform(Number<T> (&x)[4]) {
  const Number<T> even = x[0] + x[2], odd = x[1] + x[3], a = x[0] - x[2], b = x[1] - x[3];
  x[0] = even + odd;
  x[1] = minus_i(a, b);
  x[2] = even - odd;
  x[3] = plus_i(a, b);
}
template <class T> __device__ __forceinline__ void transform(Number<T> (&x)[5]) {
  constexpr T c1 = T(0.30901699437494742410), c2 = T(-0.80901699437494742410);
  constexpr T s1 = T(0.95105651629515357212), s2 = T(0.58778525229247312917);
  const Number<T> near = x[1] + x[4], far = x[2] + x[3], a = x[1] - x[4], b = x[2] - x[3];
  const Number<T> c = x[0] + c1 * near + c2 * far, d = x[0] + c2 * near + c1 * far, s = s1 * a + s2 * b, t = s2 * a - s1 * b;
  x[0] = x[0] + near + far;
  x[1] = minus_i(c, s);
  x[2] = minus_i(d, t);
  x[3] = plus_i(d, t);
  x[4] = plus_i(c, s);
}
// With e^{2 pi i f m/r}: the numbers but the first change places.
template <int r, class T> __device__ __forceinline__ void transform_back(Number<T> (&x)[r]) {
  transform(x);
  SUITE_GPU_UNROLL
  for (int f = 1; 2 * f < r; ++f) {
    const Number<T> other = x[f];
    x[f] = x[r - f];
    x[r - f] = other;
  }
}

// A stage: from(place) gives a number, to(place, number) takes one.
template <int r, bool back, class T, class From, class To>
__device__ __forceinline__ void stage_of_radix(const LineStages& s, const DeviceStage& stage, const Number<T>* roots,
                                               const LineThread& thread, const From& from, const To& to) {
  for (int part = thread.row; part < s.n / r; part += thread.rows) {
    const int piece = stage.piece_of(part), j = part - piece * stage.q, first = (piece * r) * stage.q + j, turn = stage.each * j;
    Number<T> x[r];
    SUITE_GPU_UNROLL
    for (int i = 0; i < r; ++i) x[i] = from(first + i * stage.q);
    if constexpr (back) {
      SUITE_GPU_UNROLL
      for (int f = 1; f < r; ++f) x[f] = conjugate(roots[f * turn]) * x[f];
      transform_back<r>(x);
    } else {
      transform(x);
      SUITE_GPU_UNROLL
      for (int f = 1; f < r; ++f) x[f] = roots[f * turn] * x[f];
    }
    SUITE_GPU_UNROLL
    for (int i = 0; i < r; ++i) to(first + i * stage.q, x[i]);
  }
}
template <bool back, class T, class From, class To>
__device__ __forceinline__ void take_stage(const LineStages& s, int number, const Number<T>* roots, const LineThread& thread,
                                           const From& from, const To& to) {
  const DeviceStage& stage = s.stage[number];
  if (stage.radix == 4) stage_of_radix<4, back>(s, stage, roots, thread, from, to);
  else if (stage.radix == 2) stage_of_radix<2, back>(s, stage, roots, thread, from, to);
  else if (stage.radix == 3) stage_of_radix<3, back>(s, stage, roots, thread, from, to);
  else stage_of_radix<5, back>(s, stage, roots, thread, from, to);
}

// The last stage there and the same back, with wave(place, number) between.
template <int r, class T, class From, class Wave, class To>
__device__ __forceinline__ void meet_at_radix(const LineStages& s, const LineThread& thread, const From& from, const Wave& wave,
                                              const To& to) {
  for (int piece = thread.row; piece < s.n / r; piece += thread.rows) {
    Number<T> x[r];
    SUITE_GPU_UNROLL
    for (int i = 0; i < r; ++i) x[i] = from(piece * r + i);
    transform(x);
    SUITE_GPU_UNROLL
    for (int i = 0; i < r; ++i) x[i] = wave(piece * r + i, x[i]);
    transform_back<r>(x);
    SUITE_GPU_UNROLL
    for (int i = 0; i < r; ++i) to(piece * r + i, x[i]);
  }
}
template <class T, class From, class Wave, class To>
__device__ __forceinline__ void meet(const LineStages& s, const LineThread& thread, const From& from, const Wave& wave, const To& to) {
  const int radix = s.stage[s.count - 1].radix;
  if (radix == 4) meet_at_radix<4, T>(s, thread, from, wave, to);
  else if (radix == 2) meet_at_radix<2, T>(s, thread, from, wave, to);
  else if (radix == 3) meet_at_radix<3, T>(s, thread, from, wave, to);
  else meet_at_radix<5, T>(s, thread, from, wave, to);
}

// A last stage of any radix, there or back.
template <bool back, class T, class From, class To>
__device__ __forceinline__ void sum_up_stage(const LineStages& s, const Number<T>* roots, const LineThread& thread, const From& from,
                                             const To& to) {
  const DeviceStage& stage = s.stage[s.count - 1];
  for (int at = thread.row; at < s.n; at += thread.rows) {
    const int f = at % stage.radix, first = at - f;
    Number<T> sum = {0, 0};
    int turn = 0;
    for (int i = 0; i < stage.radix; ++i) {
      const Number<T> w = roots[turn];
      sum = sum + (back ? conjugate(w) : w) * from(first + i);
      turn += stage.each * f;
      if (turn >= s.n) turn -= s.n;
    }
    to(at, sum);
  }
}

// A line in shared memory, as place -> number and (place, number) -> there.
template <class T> struct InRoom {
  const Number<T>* room;
  int lane, width;
  __device__ __forceinline__ Number<T> operator()(int at) const { return room[at * width + lane]; }
};
template <class T> struct IntoRoom {
  Number<T>* room;
  int lane, width;
  __device__ __forceinline__ void operator()(int at, Number<T> x) const { room[at * width + lane] = x; }
};

// All stages there of a line that is in the room: to(place, number) takes each wave.
template <class T, class To>
__device__ __forceinline__ void to_waves(const LineStages& s, const Number<T>* roots, const LineThread& thread, Number<T>* room,
                                         const To& to) {
  const InRoom<T> in_room{room, thread.lane, thread.width};
  const IntoRoom<T> into_room{room, thread.lane, thread.width};
  for (int stage = 0; stage < s.count - 1; ++stage) {
    take_stage<false>(s, stage, roots, thread, in_room, into_room);
    __syncthreads();
  }
  if (s.sums()) sum_up_stage<false>(s, roots, thread, in_room, to);
  else take_stage<false>(s, s.count - 1, roots, thread, in_room, to);
}

// All stages there, wave(place, number) and all stages back: start(place) is the line in memory, end(place, number) takes it. The
// room has the line twice where the last stage is summed up.
template <class T, class Start, class Wave, class End>
__device__ __forceinline__ void there_and_back(const LineStages& s, const Number<T>* roots, const LineThread& thread, Number<T>* room,
                                               const Start& start, const Wave& wave, const End& end) {
  const InRoom<T> in_room{room, thread.lane, thread.width};
  const IntoRoom<T> into_room{room, thread.lane, thread.width};
  if (s.count > 1) take_stage<false>(s, 0, roots, thread, start, into_room);
  else if (s.sums())
    for (int at = thread.row; at < s.n; at += thread.rows) into_room(at, start(at));
  __syncthreads();
  for (int stage = 1; stage < s.count - 1; ++stage) {
    take_stage<false>(s, stage, roots, thread, in_room, into_room);
    __syncthreads();
  }
  if (s.sums()) {
    Number<T>* const waves = room + s.n * thread.width;
    const IntoRoom<T> into_waves{waves, thread.lane, thread.width};
    sum_up_stage<false>(s, roots, thread, in_room, [&](int at, Number<T> x) { into_waves(at, wave(at, x)); });
    __syncthreads();
    const InRoom<T> in_waves{waves, thread.lane, thread.width};
    if (s.count == 1) sum_up_stage<true>(s, roots, thread, in_waves, end);
    else sum_up_stage<true>(s, roots, thread, in_waves, into_room);
  } else if (s.count == 1) {
    meet<T>(s, thread, start, wave, end);
  } else {
    meet<T>(s, thread, in_room, wave, into_room);
  }
  for (int stage = s.count - 2; stage > 0; --stage) {
    __syncthreads();
    take_stage<true>(s, stage, roots, thread, in_room, into_room);
  }
  if (s.count > 1) {
    __syncthreads();
    take_stage<true>(s, 0, roots, thread, in_room, end);
  }
}

}  // namespace suite::lfd
