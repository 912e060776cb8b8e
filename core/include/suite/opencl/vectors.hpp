// SPDX-License-Identifier: BSD-3-Clause
// suite/opencl/vectors.hpp - the device text that OpenCL plugins put before their own: vectors of VW numbers
// as CPUs need them (a number on a GPU), and how groups share work. OpenCL C 1.2.
#pragma once

namespace suite::opencl {

// Build options:
//   SINGLE  1: `real` is float; 0 or absent: double
//   VW      numbers that a work-item handles as one vector: 8 doubles on a CPU with AVX-512, 1 on GPUs
//   LOCAL   work-items of a group, where they work together: 1 on a CPU, so that nothing has to wait
inline constexpr char vectors_text[] = R"SUITE_CL(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#if SINGLE
#define NUMBER float
#else
#define NUMBER double
#endif
typedef NUMBER real;
#if VW == 1
typedef real vr;
typedef double vd;
typedef long vl;
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#define TO_LONG(v) convert_long(v)
#define TO_DOUBLE(v) convert_double(v)
#define TO_REAL(v) ((real)(v))
#define ANY(c) (c)
#else
typedef CAT(NUMBER, VW) vr;
typedef CAT(double, VW) vd;
typedef CAT(long, VW) vl;
#define LOAD(p) CAT(vload, VW)(0, (p))
#define TO_LONG(v) CAT(convert_long, VW)(v)
#define TO_DOUBLE(v) CAT(convert_double, VW)(v)
#define TO_REAL(v) CAT(CAT(convert_, NUMBER), VW)(v)
#define ANY(c) any(c)
#if defined(__clang__)
// Some compilers for CPUs store the vectors of vstore in pieces, which the next loads have to wait for.
#define STORE(v, p) store_vector((v), (p))
#define STORE_VECTOR_TO(space, type)                                                                          \
  typedef CAT(type, VW) CAT(CAT(anywhere_, space), type) __attribute__((aligned(sizeof(type))));              \
  static void __attribute__((overloadable, always_inline)) store_vector(CAT(type, VW) v, space type* p) {     \
    *(space CAT(CAT(anywhere_, space), type)*)p = v;                                                          \
  }
STORE_VECTOR_TO(__global, double)
STORE_VECTOR_TO(__local, double)
STORE_VECTOR_TO(__private, double)
#if SINGLE
STORE_VECTOR_TO(__global, float)
STORE_VECTOR_TO(__local, float)
STORE_VECTOR_TO(__private, float)
#endif
#else
#define STORE(v, p) CAT(vstore, VW)((v), 0, (p))
#endif
#endif

// Some compilers for CPUs halve vectors of 512 bits unless a function asks for them.
#if defined(__has_attribute)
#if __has_attribute(min_vector_width)
#define WIDE __attribute__((min_vector_width(512)))
#endif
#endif
#ifndef WIDE
#define WIDE
#endif
// Sums that have to stay in registers are arrays: their loops must be unrolled.
#define UNROLL _Pragma("unroll")
// Functions with sums in arrays, which must be there for the loops around to be unrolled.
#if defined(__clang__)
#define INLINE static __attribute__((always_inline))
#else
#define INLINE static
#endif

// Contiguous shares of n pieces of work along dimension d.
#define SHARE_BEGIN(d, n) ((int)((long)(n) * get_global_id(d) / get_global_size(d)))
#define SHARE_END(d, n) ((int)((long)(n) * (get_global_id(d) + 1) / get_global_size(d)))
#define VECTORS(n) (((n) + VW - 1) / VW)
#define PADDED(n) (VECTORS(n) * VW)
#ifdef LOCAL
#define KERNEL WIDE __kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1)))
#if LOCAL > 1
#define ITEM ((int)get_local_id(0))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define ITEM 0
#define BARRIER
#endif
// Loops of a group over vectors or numbers.
#define FOR_EACH(i, n) for (int i = ITEM; i < (n); i += LOCAL)
#endif

// The sum of a vector's lanes.
#if VW == 16
#define SUM_OF_LANES(name, type)                           \
  static type name(CAT(type, 16) x) {                      \
    const CAT(type, 8) a = x.lo + x.hi;                    \
    const CAT(type, 4) b = a.lo + a.hi;                    \
    return (b.x + b.y) + (b.z + b.w);                      \
  }
#elif VW == 8
#define SUM_OF_LANES(name, type)                           \
  static type name(CAT(type, 8) x) {                       \
    const CAT(type, 4) b = x.lo + x.hi;                    \
    return (b.x + b.y) + (b.z + b.w);                      \
  }
#elif VW == 4
#define SUM_OF_LANES(name, type) \
  static type name(CAT(type, 4) x) { return (x.x + x.y) + (x.z + x.w); }
#elif VW == 2
#define SUM_OF_LANES(name, type) \
  static type name(CAT(type, 2) x) { return x.x + x.y; }
#else
#define SUM_OF_LANES(name, type) \
  static type name(type x) { return x; }
#endif
SUM_OF_LANES(sum_of, double)
SUM_OF_LANES(sum_of_lanes, NUMBER)

// The nearest integer of numbers below 2^51, and the larger and the smaller of two. The functions of the
// language look after what cannot be here, in many instructions on some CPUs.
static vd nearest(vd x) { return (x + 6755399441055744.0) - 6755399441055744.0; }
static vd larger(vd a, vd b) { return (a > b) ? a : b; }
static vd smaller(vd a, vd b) { return (a < b) ? a : b; }

// 0, 1, 2, ...
static vl lane_numbers(void) {
#if VW == 16
  return (long16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif VW == 8
  return (long8)(0, 1, 2, 3, 4, 5, 6, 7);
#elif VW == 4
  return (long4)(0, 1, 2, 3);
#elif VW == 2
  return (long2)(0, 1);
#else
  return 0;
#endif
}

// p[i] by lane.
static vd look_up(__global const double* p, vl i) {
#if VW == 16
  return (double16)(p[i.s0], p[i.s1], p[i.s2], p[i.s3], p[i.s4], p[i.s5], p[i.s6], p[i.s7], p[i.s8], p[i.s9],
                    p[i.sa], p[i.sb], p[i.sc], p[i.sd], p[i.se], p[i.sf]);
#elif VW == 8
  return (double8)(p[i.s0], p[i.s1], p[i.s2], p[i.s3], p[i.s4], p[i.s5], p[i.s6], p[i.s7]);
#elif VW == 4
  return (double4)(p[i.s0], p[i.s1], p[i.s2], p[i.s3]);
#elif VW == 2
  return (double2)(p[i.s0], p[i.s1]);
#else
  return p[i];
#endif
}

// The first n numbers, 0 behind them; and the other way.
static vr load_first(__global const real* p, int n) {
  if (n >= VW) return LOAD(p);
  real x[VW];
  for (int l = 0; l < VW; ++l) x[l] = l < n ? p[l] : 0;
  return LOAD(x);
}
static void store_first(vr v, __global real* p, int n) {
  if (n >= VW) {
    STORE(v, p);
    return;
  }
  real x[VW];
  STORE(v, x);
  for (int l = 0; l < n && l < VW; ++l) p[l] = x[l];
}
)SUITE_CL";

}  // namespace suite::opencl
