// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/host_device.hpp - SUITE_HOST_DEVICE marks a function of a family's headers that runs on the host and, compiled by a
// GPU compiler, on the device too. Needs nothing of gpu.hpp.
#pragma once

#if defined(__HIPCC__) && !defined(__CUDACC__)
#include <hip/hip_runtime.h>  // __host__ and __device__ are macros of this header
#endif
#if defined(__CUDACC__) || defined(__HIPCC__)
#define SUITE_HOST_DEVICE __host__ __device__ inline
#else
#define SUITE_HOST_DEVICE inline
#endif
