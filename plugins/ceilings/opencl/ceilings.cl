// SPDX-License-Identifier: BSD-3-Clause
// The roofs of an OpenCL device. Build options:
//   REAL    float or double; what reads or writes memory is in double
//   KIND    of the chains: 0 fused multiply-adds, 1 multiplications and additions, 2 divisions, 3 reciprocals
//   VW      numbers of a work-item's vector: the width of a CPU's vectors, 1 on a GPU
//   LOCAL   work-items of a group
//   CHAINS  independent operations that a work-item has in flight
//   STEPS   vectors that a work-item of the triad takes, LOCAL vectors apart
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#if VW == 1
typedef REAL vr;
typedef double vd;
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#else
typedef CAT(REAL, VW) vr;
typedef CAT(double, VW) vd;
#define LOAD(p) CAT(vload, VW)(0, (p))
#define STORE(v, p) CAT(vstore, VW)((v), 0, (p))
#endif

#if KIND == 0
#define STEP(x, c) fma(x, c, c)
#elif KIND == 1
#pragma OPENCL FP_CONTRACT OFF
#define STEP(x, c) ((x) * (c) + (c))
#elif KIND == 2
#define STEP(x, c) ((c) / (x))
#else
#define STEP(x, c) ((vr)((REAL)1) / (x))
#endif

// Mean of the chains of each group, to one slot per group. c (a half, or a numerator) is an argument, so that no compiler
// folds the loop. A chain of quotients is multiplied with its first number.
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void run_chains(long repeats, double c, __global double* slots) {
  const int me = get_local_id(0);
  const vr by = (vr)((REAL)c);
  vr x[CHAINS];
#pragma unroll
  for (int i = 0; i < CHAINS; ++i) x[i] = (vr)((REAL)(2 + i + me % 7));
  for (long r = 0; r < repeats; ++r) {
#pragma unroll
    for (int i = 0; i < CHAINS; ++i) x[i] = STEP(x[i], by);
  }
  double sum = 0;
#pragma unroll
  for (int i = 0; i < CHAINS; ++i) {
    REAL lanes[VW];
    STORE(x[i], lanes);
    for (int l = 0; l < VW; ++l) sum += KIND < 2 ? lanes[l] : (double)lanes[l] * (2 + i + me % 7);
  }
#if LOCAL > 1
  __local double all[LOCAL];
  all[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me > 0) return;
  for (int i = 1; i < LOCAL; ++i) sum += all[i];
#endif
  slots[get_group_id(0)] = sum / ((double)LOCAL * CHAINS * VW);
}

__kernel void average(const __global double* slots, int count, long n, __global REAL* result) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += slots[i];
  for (long i = 0; i < n; ++i) result[i] = (REAL)(sum / count);
}

__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void triad(const __global double* b, const __global double* c, double s,
                                                                       __global double* a, long n) {
  const long group = (long)get_group_id(0) * (LOCAL * STEPS * VW), first = group + get_local_id(0) * VW;
  if (group + LOCAL * STEPS * VW <= n) {
#pragma unroll 4
    for (int i = 0; i < STEPS; ++i) {
      const long at = first + (long)i * (LOCAL * VW);
      STORE(LOAD(b + at) + s * LOAD(c + at), a + at);
    }
    return;
  }
  for (int i = 0; i < STEPS; ++i)
    for (long at = first + (long)i * (LOCAL * VW), l = 0; l < VW && at + l < n; ++l) a[at + l] = b[at + l] + s * c[at + l];
}

// The sum of each group's share of x, read `repeats` times, to one slot per group.
__kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void read_shares(const __global double* x, long n, long repeats,
                                                                             __global double* slots) {
  const int me = get_local_id(0);
  const long lines = (n + 7) / 8, group = get_group_id(0), groups = get_num_groups(0), block = CHAINS * LOCAL * VW;
  const long begin = 8 * (lines * group / groups), end = min(n, 8 * (lines * (group + 1) / groups));
  vd part[CHAINS];
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) part[k] = (vd)(0.0);
  double sum = 0;
  for (long r = 0; r < repeats; ++r) {
    long at = begin;
    for (; at + block <= end; at += block) {
#pragma unroll
      for (int k = 0; k < CHAINS; ++k) part[k] += LOAD(x + at + (k * LOCAL + me) * VW);
    }
    for (long i = at + me; i < end; i += LOCAL) sum += x[i];
  }
#pragma unroll
  for (int k = 0; k < CHAINS; ++k) {
    double lanes[VW];
    STORE(part[k], lanes);
    for (int l = 0; l < VW; ++l) sum += lanes[l];
  }
#if LOCAL > 1
  __local double all[LOCAL];
  all[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me > 0) return;
  for (int i = 1; i < LOCAL; ++i) sum += all[i];
#endif
  slots[group] = sum;
}

__kernel void add_up(const __global double* slots, int count, long n, __global double* result) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += slots[i];
  for (long i = 0; i < n; ++i) result[i] = sum;
}
