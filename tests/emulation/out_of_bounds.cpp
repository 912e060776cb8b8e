// SPDX-License-Identifier: BSD-3-Clause
// A program for the sanitizers: "array", "dynamic_shared" and "static_shared" step one element too far,
// "sound" does not and also ends kernels early by an error, which must leave the sanitizer in good order.
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <suite/gpu.hpp>

namespace {

__global__ void shift(double* x, int step) {
  const double mine = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x + static_cast<unsigned>(step)] = mine;
}

__global__ void shift_dynamic(double* x, int step) {
  SUITE_GPU_DYNAMIC_SHARED(double, copy);
  copy[threadIdx.x + static_cast<unsigned>(step)] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = suite::gpu::warp_sum(copy[threadIdx.x]);
}

__global__ void shift_static(double* x, int step) {
  __shared__ double copy[64];
  copy[threadIdx.x + static_cast<unsigned>(step)] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = copy[63 - threadIdx.x];
}

__global__ void apart(double* x) {
  if (threadIdx.x == 5) return;
  __syncthreads();
  x[threadIdx.x] = 1;
}

}  // namespace

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  const suite::emulation::Stream stream{0, 32, 2, 64 * 1024};
  std::vector<double> memory(64, 1.0);
  double* x = memory.data();
  if (!std::strcmp(what, "array")) SUITE_GPU_LAUNCH(shift, 1, 64, 0, &stream, x, 1);
  if (!std::strcmp(what, "dynamic_shared")) SUITE_GPU_LAUNCH(shift_dynamic, 1, 64, 512, &stream, x, 1);
  if (!std::strcmp(what, "static_shared")) SUITE_GPU_LAUNCH(shift_static, 1, 64, 0, &stream, x, 1);
  if (!std::strcmp(what, "sound"))
    for (int times = 0; times < 20; ++times) {
      SUITE_GPU_LAUNCH(shift, 1, 64, 0, &stream, x, 0);
      SUITE_GPU_LAUNCH(shift_dynamic, 1, 64, 512, &stream, x, 0);
      SUITE_GPU_LAUNCH(shift_static, 1, 64, 0, &stream, x, 0);
      try {
        SUITE_GPU_LAUNCH(apart, 1, 64, 0, &stream, x);
        std::puts("the planted error was not found");
        return 1;
      } catch (const suite::Failure&) {}
    }
  std::puts("done");
  return 0;
}
