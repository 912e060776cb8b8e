// SPDX-License-Identifier: BSD-3-Clause
// What all kernels of this family share. Build options:
//   VW     doubles that a work-item handles as one vector: 8 on a processor with AVX-512 (PoCL turns work-items into
//          a loop and does not vectorise it where there is an inner loop), 1 on GPUs
//   LOCAL  work-items of a work-group, along the rows G
//   REAL   1: matrix elements and I are real, 0: complex, interleaved
//   NE     energies of this launch
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#if VW == 1
typedef double vd;
typedef int vm;
#define SEL(mask, yes, no) ((mask) ? (yes) : (no))
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#else
typedef CAT(double, VW) vd;
typedef CAT(long, VW) vm;
#define SEL(mask, yes, no) select((vd)(no), (vd)(yes), (mask))
#define LOAD(p) CAT(vload, VW)(0, (p))
#define STORE(v, p) CAT(vstore, VW)((v), 0, (p))
#endif

#define PARTS (REAL ? 1 : 2)
// The model has x = E - E_n' no closer to zero.
#define TINY_X 1e-12

static double kept_off_zero(double x) { return fabs(x) < TINY_X ? TINY_X : x; }

// VW numbers from p, of which `rest` exist; the others are 0.
static vd load_rows(const __global double* p, int rest) {
  if (rest >= VW) return LOAD(p);
#if VW == 1
  return 0.0;
#else
  double t[VW];
  for (int l = 0; l < VW; ++l) t[l] = l < rest ? p[l] : 0.0;
  return LOAD(t);
#endif
}

// VW interleaved complex numbers from p, of which `rest` exist.
static void load_complex(const __global double* p, int rest, vd* re, vd* im) {
#if VW == 1
  *re = rest > 0 ? p[0] : 0.0;
  *im = rest > 0 ? p[1] : 0.0;
#else
  if (rest >= VW) {
    const vd a = LOAD(p), b = LOAD(p + VW);
    *re = (vd)(a.even, b.even);
    *im = (vd)(a.odd, b.odd);
    return;
  }
  double r[VW], i[VW];
  for (int l = 0; l < VW; ++l) {
    r[l] = l < rest ? p[2 * l] : 0.0;
    i[l] = l < rest ? p[2 * l + 1] : 0.0;
  }
  *re = LOAD(r);
  *im = LOAD(i);
#endif
}

// Numbers of this flavour: matrix elements and I.
static void load_flavour(const __global double* p, int rest, vd* re, vd* im) {
#if REAL
  *re = load_rows(p, rest);
  *im = 0.0;
#else
  load_complex(p, rest, re, im);
#endif
}

static double lane_sum(vd v) {
#if VW == 1
  return v;
#else
  double t[VW], s = 0;
  STORE(v, t);
  for (int l = 0; l < VW; ++l) s += t[l];
  return s;
#endif
}

// By halves: one lane after the other would be a chain of VW dependent operations.
static double lane_min(vd v) {
#if VW == 16
  const double8 v8 = fmin(v.lo, v.hi);
#elif VW == 8
  const double8 v8 = v;
#endif
#if VW >= 8
  const double4 v4 = fmin(v8.lo, v8.hi);
#elif VW == 4
  const double4 v4 = v;
#endif
#if VW >= 4
  const double2 v2 = fmin(v4.lo, v4.hi);
#elif VW == 2
  const double2 v2 = v;
#endif
#if VW >= 2
  return fmin(v2.x, v2.y);
#else
  return v;
#endif
}

// Adds the work-items' sums in their order and writes them, so that the same call gives the same bits: one barrier,
// no atomics. scratch holds count * LOCAL numbers; called by all work-items of the group.
#if LOCAL > 1
#define GROUP_SCRATCH(count) __local double scratch[(count) * LOCAL]
#define GROUP_SUM(sums, count, to)                                              \
  do {                                                                          \
    const int me_ = get_local_id(0);                                            \
    for (int s_ = 0; s_ < (count); ++s_) scratch[s_ * LOCAL + me_] = (sums)[s_]; \
    barrier(CLK_LOCAL_MEM_FENCE);                                               \
    for (int s_ = me_; s_ < (count); s_ += LOCAL) {                             \
      double total_ = 0;                                                        \
      for (int l_ = 0; l_ < LOCAL; ++l_) total_ += scratch[s_ * LOCAL + l_];    \
      (to)[s_] = total_;                                                        \
    }                                                                           \
  } while (0)
#else
#define GROUP_SCRATCH(count)
#define GROUP_SUM(sums, count, to)                            \
  do {                                                        \
    for (int s_ = 0; s_ < (count); ++s_) (to)[s_] = (sums)[s_]; \
  } while (0)
#endif
