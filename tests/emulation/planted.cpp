// SPDX-License-Identifier: BSD-3-Clause
// Errors that a GPU answers with a hang, garbage or nothing at all: the emulation names them.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <suite/gpu/matrix.hpp>

namespace gpu = suite::gpu;
using suite::Failure;
using suite::emulation::Stream;

namespace {

__global__ void barrier_in_two_branches(int* x) {
  if (threadIdx.x < 7) __syncthreads();
  else __syncthreads();
  x[threadIdx.x] = 1;
}

__global__ void barrier_for_some(int* x) {
  if (threadIdx.x % 2 == 0) __syncthreads();
  x[threadIdx.x] = 1;
}

__global__ void early_return(int* x, int n) {
  if (static_cast<int>(threadIdx.x) >= n) return;
  __syncthreads();
  x[threadIdx.x] = 1;
}

__global__ void late_return(int* x, int n) {
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < n) return;
  __syncthreads();
  x[threadIdx.x] = 1;
}

__global__ void shuffle_after_return(double* x) {
  if (threadIdx.x == 40) return;
  x[threadIdx.x] = gpu::shuffle_xor<32>(1.0, 1);
}

__global__ void shuffle_against_barrier(double* x) {
  if (threadIdx.x < 16) x[threadIdx.x] = gpu::shuffle_down<32>(1.0, 1);
  __syncthreads();
}

__global__ void shuffles_in_two_branches(double* x) {
  if (threadIdx.x < 16) x[threadIdx.x] = gpu::shuffle_down<32>(1.0, 1);
  else x[threadIdx.x] = gpu::shuffle_down<32>(2.0, 1);
}

// Step is the neighbour that is read without a barrier.
template <int Step> __global__ void no_barrier(double* x) {
  SUITE_GPU_DYNAMIC_SHARED(double, copy);
  const unsigned n = blockDim.x;
  copy[threadIdx.x] = x[blockIdx.x * n + threadIdx.x];
  x[blockIdx.x * n + threadIdx.x] = copy[(threadIdx.x + n + Step) % n];
}

// By the first `lanes` threads.
__global__ void tiles_of_some(double* x, int lanes) {
  double c[1][1][2] = {};
  const double a[1] = {x[threadIdx.x]}, b[1] = {1};
  if (static_cast<int>(threadIdx.x) < lanes) gpu::multiply_tiles(c, a, b);
  x[threadIdx.x] = c[0][0][0];
}

__global__ void absent_lanes(double* x) { x[threadIdx.x] = gpu::warp_sum(1.0); }

#if !SUITE_EMULATION_ASAN  // which ends the process instead
__global__ void deep_stack(int* x) {
  constexpr size_t bytes = suite::emulation::stack_bytes + 512;
  volatile char local[bytes];
  for (size_t i = 0; i < bytes; i += 16) local[i] = static_cast<char>(threadIdx.x);
  x[threadIdx.x] = local[bytes / 32 * 16];
}
#endif

__global__ void nothing(int) {}

const Stream narrow{0, 32, 2, 64 * 1024};

// What the launch says, or nothing where it says nothing.
template <class Launch> std::string complaint(Launch launch) {
  try {
    launch();
  } catch (const Failure& failure) {
    BOOST_TEST(failure.status() == SUITE_DEVICE_ERROR);
    return failure.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  BOOST_TEST_MESSAGE("'" << text << "' does not contain '" << part << "'");
  return false;
}

// After an error the emulation must serve the next kernel.
void still_works() {
  std::vector<int> x(64, 0);
  SUITE_GPU_LAUNCH(late_return, 1, 64, 0, &narrow, x.data(), 0);
  for (const int value : x) BOOST_TEST(value == 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(planted)

BOOST_AUTO_TEST_CASE(threads_at_different_barriers) {
  std::vector<int> x(64);
  const std::string text = complaint([&] { SUITE_GPU_LAUNCH(barrier_in_two_branches, 1, 64, 0, &narrow, x.data()); });
  BOOST_TEST(says(text, "kernel barrier_in_two_branches, block (0,0,0): thread (7,0,0) waits at __syncthreads in line "));
  BOOST_TEST(says(text, " of planted.cpp, but thread (0,0,0) at __syncthreads in line "));
  still_works();
}

BOOST_AUTO_TEST_CASE(a_barrier_that_some_never_reach) {
  std::vector<int> x(64);
  const std::string text = complaint([&] { SUITE_GPU_LAUNCH(barrier_for_some, 1, 64, 0, &narrow, x.data()); });
  BOOST_TEST(says(text, "thread (0,0,0) waits at __syncthreads"));
  BOOST_TEST(says(text, "thread (1,0,0) has ended"));
  still_works();
}

BOOST_AUTO_TEST_CASE(a_thread_that_ends_before_a_barrier) {
  std::vector<int> x(64);
  BOOST_TEST(says(complaint([&] { SUITE_GPU_LAUNCH(early_return, 1, 64, 0, &narrow, x.data(), 60); }), "thread (60,0,0) has ended"));
  BOOST_TEST(says(complaint([&] { SUITE_GPU_LAUNCH(late_return, 1, 64, 0, &narrow, x.data(), 1); }), "thread (0,0,0) has ended"));
  BOOST_TEST(complaint([&] { SUITE_GPU_LAUNCH(early_return, 1, 60, 0, &narrow, x.data(), 60); }) == "");
  still_works();
}

BOOST_AUTO_TEST_CASE(a_lane_that_ends_before_a_shuffle) {
  std::vector<double> x(64);
  BOOST_TEST(says(complaint([&] { SUITE_GPU_LAUNCH(shuffle_after_return, 1, 64, 0, &narrow, x.data()); }), "thread (40,0,0) has ended"));
  still_works();
}

BOOST_AUTO_TEST_CASE(a_warp_that_is_split_between_a_shuffle_and_a_barrier) {
  std::vector<double> x(64);
  const std::string text = complaint([&] { SUITE_GPU_LAUNCH(shuffle_against_barrier, 1, 32, 0, &narrow, x.data()); });
  BOOST_TEST(says(text, "waits at __syncthreads"));
  BOOST_TEST(says(text, "at shuffle_down"));
  BOOST_TEST(says(complaint([&] { SUITE_GPU_LAUNCH(shuffles_in_two_branches, 1, 32, 0, &narrow, x.data()); }), "at shuffle_down"));
  still_works();
}

// Ascending and descending order: whichever neighbour is read, one block reads it too early and finds NaN.
BOOST_AUTO_TEST_CASE(a_missing_barrier_shows_in_the_result) {
  const auto some_wrong = [](const std::vector<double>& x) {
    bool wrong = false;
    for (const double value : x) wrong = wrong || std::isnan(value);
    return wrong;
  };
  std::vector<double> x(128, 1.0);
  SUITE_GPU_LAUNCH(no_barrier<1>, 2, 64, 512, &narrow, x.data());
  BOOST_TEST(some_wrong(x));
  x.assign(128, 1.0);
  SUITE_GPU_LAUNCH(no_barrier<-1>, 2, 64, 512, &narrow, x.data());
  BOOST_TEST(some_wrong(x));
}

BOOST_AUTO_TEST_CASE(lanes_that_do_not_exist_bring_no_zeros) {
  std::vector<double> x(48, 0.0);
  SUITE_GPU_LAUNCH(absent_lanes, 1, 48, 0, &narrow, x.data());
  BOOST_TEST(x[0] == 32);
  BOOST_TEST(std::isnan(x[40]));
}

BOOST_AUTO_TEST_CASE(tiles_without_all_of_their_lanes) {
  std::vector<double> x(64, 1.0);
  BOOST_TEST(says(complaint([&] { SUITE_GPU_LAUNCH(tiles_of_some, 1, 48, 0, &narrow, x.data(), 48); }), "takes 32 lanes; its warp has 16"));
  BOOST_TEST(says(complaint([&] { SUITE_GPU_LAUNCH(tiles_of_some, 1, 64, 0, &narrow, x.data(), 60); }), "thread (60,0,0) has ended"));
  x.assign(64, 1.0);
  BOOST_TEST(complaint([&] { SUITE_GPU_LAUNCH(tiles_of_some, 1, 64, 0, &narrow, x.data(), 32); }) == "");
  BOOST_TEST(x[0] == 4);
  still_works();
}

BOOST_AUTO_TEST_CASE(a_launch_beyond_the_limits) {
  BOOST_TEST(says(complaint([] { SUITE_GPU_LAUNCH(nothing, 1, 1025, 0, &narrow, 0); }), "a block of (1025,1,1) threads"));
  BOOST_TEST(says(complaint([] { SUITE_GPU_LAUNCH(nothing, 0, 32, 0, &narrow, 0); }), "a grid of (0,1,1) blocks"));
  BOOST_TEST(says(complaint([] { SUITE_GPU_LAUNCH(nothing, gpu::Dim3(1, 65536), 32, 0, &narrow, 0); }), "a grid of (1,65536,1)"));
  BOOST_TEST(says(complaint([] { SUITE_GPU_LAUNCH(nothing, 1, 32, 65537, &narrow, 0); }), "65537 bytes of dynamic shared memory"));
}

#if !SUITE_EMULATION_ASAN
BOOST_AUTO_TEST_CASE(a_stack_that_is_too_deep) {
  std::vector<int> x(1);
  BOOST_TEST(says(complaint([&] { SUITE_GPU_LAUNCH(deep_stack, 1, 1, 0, &narrow, x.data()); }), "bytes of stack"));
  still_works();
}
#endif

BOOST_AUTO_TEST_SUITE_END()
