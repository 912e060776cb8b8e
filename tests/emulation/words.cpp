// SPDX-License-Identifier: BSD-3-Clause
// What the emulation promises of the words that kernels are written in.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <suite/gpu/matrix.hpp>

namespace gpu = suite::gpu;
using suite::emulation::Stream;

namespace {

Stream stream_of(int warp) { return {0, warp, 2, 64 * 1024}; }

__global__ void reverse_dynamic(double* x, int n) {
  SUITE_GPU_DYNAMIC_SHARED(double, copy);
  const int i = static_cast<int>(threadIdx.x);
  copy[i] = x[i];
  __syncthreads();
  x[i] = copy[n - 1 - i];
}

__global__ void reverse_blocks(double* x) {
  __shared__ double copy[128];
  double* mine = x + blockIdx.x * 128;
  for (int twice = 0; twice < 3; ++twice) {
    copy[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = copy[127 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void add_up(const double* x, int n, double* sum, int* count, unsigned long long* largest) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    atomicAdd(sum, __ldg(x + i));
    atomicAdd(count, 1);
    atomicMax(largest, static_cast<unsigned long long>(i));
  }
}

__global__ void index_of(int* seen) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  atomicAdd(&seen[block * (blockDim.x * blockDim.y * blockDim.z) + thread], 1);
}

template <int Width> __global__ void shuffles(double* down, double* other, double* first, double* sum, int* any) {
  const int i = static_cast<int>(threadIdx.x);
  down[i] = gpu::shuffle_down<Width>(static_cast<double>(i), 3);
  other[i] = gpu::shuffle_xor<Width>(static_cast<double>(i), 5);
  first[i] = gpu::shuffle<Width>(static_cast<double>(i), 0);
  sum[i] = gpu::warp_sum(static_cast<double>(i));
  any[i] = gpu::warp_any(i == 70);
}

__global__ void reciprocals(double* x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] = gpu::reciprocal(x[i]);
}

// Each section of 32 lanes: C (16,24) += A (16,4) B (4,24), row by row, with the fragments that the PTX ISA names.
__global__ void tiles(const double* A, const double* B, double* C) {
  const int l = static_cast<int>(threadIdx.x) % 32, section = static_cast<int>(threadIdx.x) / 32;
  double c[2][3][2] = {}, a[2], b[3];
  for (int i = 0; i < 2; ++i) a[i] = A[64 * section + (8 * i + l / 4) * 4 + l % 4];
  for (int j = 0; j < 3; ++j) b[j] = B[96 * section + l % 4 * 24 + 8 * j + l / 4];
  gpu::multiply_tiles(c, a, b);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      a[i] = b[j] = 0;  // nobody reads them any more
      for (int n = 0; n < 2; ++n) C[384 * section + (8 * i + l / 4) * 24 + 8 * j + l % 4 * 2 + n] += c[i][j][n];
    }
}

// A sum over a block as kernels do it: warps, then shared memory.
__global__ void block_sums(const double* x, double* sums) {
  __shared__ double partial[32];
  const int i = static_cast<int>(threadIdx.x), warp = i / warpSize;
  const double mine = gpu::warp_sum(x[blockIdx.x * blockDim.x + threadIdx.x]);
  if (gpu::lane() == 0) partial[warp] = mine;
  __syncthreads();
  if (i == 0)
    for (int w = 0; w < static_cast<int>(blockDim.x) / warpSize; ++w) atomicAdd(sums + blockIdx.x, partial[w]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(dynamic_shared_memory_and_barriers_serve_blocks_of_any_size) {
  for (const int n : {1, 2, 31, 32, 33, 63, 65, 100, 1024}) {
    const Stream stream = stream_of(32);
    std::vector<double> x(static_cast<size_t>(n));
    std::iota(x.begin(), x.end(), 0.0);
    SUITE_GPU_LAUNCH(reverse_dynamic, 1, static_cast<unsigned>(n), static_cast<size_t>(n) * 8, &stream, x.data(), n);
    for (int i = 0; i < n; ++i) BOOST_REQUIRE_EQUAL(x[static_cast<size_t>(i)], n - 1 - i);
  }
}

BOOST_AUTO_TEST_CASE(static_shared_memory_belongs_to_one_block) {
  const Stream stream = stream_of(32);
  constexpr int blocks = 200;
  std::vector<double> x(128 * blocks);
  std::iota(x.begin(), x.end(), 0.0);
  SUITE_GPU_LAUNCH(reverse_blocks, blocks, 128, 0, &stream, x.data());
  for (size_t i = 0; i < x.size(); ++i) BOOST_REQUIRE_EQUAL(x[i], static_cast<double>(i / 128 * 128 + 127 - i % 128));
}

BOOST_AUTO_TEST_CASE(atomics_lose_nothing) {
  const Stream stream = stream_of(32);
  const std::vector<double> x(20000, 0.5);
  double sum = 0;
  int count = 0;
  unsigned long long largest = 0;
  SUITE_GPU_LAUNCH(add_up, 37, 96, 0, &stream, x.data(), static_cast<int>(x.size()), &sum, &count, &largest);
  BOOST_TEST(sum == 10000);  // halves add without rounding
  BOOST_TEST(count == 20000);
  BOOST_TEST(largest == 19999u);
}

BOOST_AUTO_TEST_CASE(every_thread_of_a_grid_in_three_dimensions_runs_once) {
  const Stream stream = stream_of(32);
  std::vector<int> seen(3 * 4 * 5 * 7 * 3 * 2);
  SUITE_GPU_LAUNCH(index_of, gpu::Dim3(3, 4, 5), gpu::Dim3(7, 3, 2), 0, &stream, seen.data());
  for (const int times : seen) BOOST_REQUIRE_EQUAL(times, 1);
}

template <int Width> void check_shuffles(int warp) {
  const Stream stream = stream_of(warp);
  constexpr int n = 128;
  std::vector<double> down(n), other(n), first(n), sum(n);
  std::vector<int> any(n);
  SUITE_GPU_LAUNCH(shuffles<Width>, 1, n, 0, &stream, down.data(), other.data(), first.data(), sum.data(), any.data());
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<size_t>(i);
    BOOST_TEST(down[at] == (i % Width + 3 < Width ? i + 3 : i));
    BOOST_TEST(other[at] == (i ^ 5));
    BOOST_TEST(first[at] == i / Width * Width);
    const int begin = i / warp * warp;
    BOOST_TEST(sum[at] == warp * begin + warp * (warp - 1) / 2);
    BOOST_TEST(any[at] == (i / warp == 70 / warp));
  }
}

BOOST_AUTO_TEST_CASE(shuffles_of_32_lanes_stay_in_a_warp_of_32) { check_shuffles<32>(32); }
BOOST_AUTO_TEST_CASE(shuffles_of_64_lanes_span_a_warp_of_64) { check_shuffles<64>(64); }
BOOST_AUTO_TEST_CASE(shuffles_of_32_lanes_stay_in_halves_of_a_warp_of_64) { check_shuffles<32>(64); }

BOOST_AUTO_TEST_CASE(block_sums_agree_for_both_warps) {
  std::vector<double> x(256 * 50);
  std::iota(x.begin(), x.end(), 1.0);
  for (const int warp : {32, 64}) {
    const Stream stream = stream_of(warp);
    std::vector<double> sums(50);
    SUITE_GPU_LAUNCH(block_sums, 50, 256, 0, &stream, x.data(), sums.data());
    for (size_t b = 0; b < sums.size(); ++b) BOOST_TEST(sums[b] == 256.0 * (256.0 * static_cast<double>(b) + 1) + 255 * 128);
  }
}

// In warps of 64 two sections multiply different matrices.
BOOST_AUTO_TEST_CASE(tiles_are_multiplied) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> A(2 * 64), B(2 * 96), before(2 * 384);
  for (auto* const each : {&A, &B, &before})
    for (double& x : *each) x = number(random);
  for (const int warp : {32, 64}) {
    const Stream stream = stream_of(warp);
    std::vector<double> C = before;
    SUITE_GPU_LAUNCH(tiles, 1, 64, 0, &stream, A.data(), B.data(), C.data());
    for (size_t s = 0; s < 2; ++s)
      for (size_t i = 0; i < 16; ++i)
        for (size_t j = 0; j < 24; ++j) {
          double sum = before[384 * s + 24 * i + j];
          for (size_t k = 0; k < 4; ++k) sum += A[64 * s + 4 * i + k] * B[96 * s + 24 * k + j];
          // Five roundings of numbers up to 5.
          BOOST_REQUIRE(!(std::abs(C[384 * s + 24 * i + j] - sum) > 5e-15));
        }
  }
}

// The rough value has 20 bits here; two refinements leave the rounding of the last one.
BOOST_AUTO_TEST_CASE(reciprocals_are_right_to_two_units_of_the_last_place) {
  const Stream stream = stream_of(32);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(1, 2), exponent(-1020, 1020);
  std::vector<double> x(20000);
  for (double& value : x) value = std::ldexp(mantissa(random), static_cast<int>(exponent(random)));
  x[0] = -3;
  std::vector<double> y = x;
  SUITE_GPU_LAUNCH(reciprocals, 200, 128, 0, &stream, y.data(), static_cast<int>(y.size()));
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = 1 / x[i];
    BOOST_REQUIRE(!(std::abs(y[i] - exact) > 2 * std::abs(exact) * 0x1p-52));
  }
}

// The address of what changes stays; what lies there is that of each launch.
BOOST_AUTO_TEST_CASE(a_graph_repeats_launches_copies_and_zeros_in_their_order) {
  const Stream stream = stream_of(32);
  std::vector<double> x(64), kept(64), zeros(64, 1);
  std::iota(x.begin(), x.end(), 0.0);
  const std::vector<double> before = x;
  gpu::Graph graph;
  BOOST_TEST(!graph);
  const auto work = [&] {
    gpu::copy(&stream, kept.data(), x.data(), 64 * sizeof(double));
    SUITE_GPU_LAUNCH(reverse_dynamic, 1, 64, 64 * sizeof(double), &stream, x.data(), 64);
    gpu::set_zero(&stream, zeros.data(), 64 * sizeof(double));
  };
  graph.record(&stream, work);
  BOOST_TEST(bool(graph));
  BOOST_TEST(x == before);  // nothing is done yet
  BOOST_TEST(zeros[5] == 1);
  graph.launch(&stream);
  BOOST_TEST(x[0] == 63);
  BOOST_TEST(kept == before);
  BOOST_TEST(zeros[5] == 0);
  x[0] = -1;
  graph.launch(&stream);
  BOOST_TEST(kept[0] == -1);
  BOOST_TEST(x[63] == -1);
  // A record that fails leaves no graph, and work is done at once again.
  BOOST_CHECK_THROW(graph.record(&stream,
                                 [&] {
                                   work();
                                   throw suite::Failure(SUITE_INTERNAL, "on purpose");
                                 }),
                    suite::Failure);
  BOOST_TEST(!graph);
  gpu::set_zero(&stream, x.data(), 64 * sizeof(double));
  BOOST_TEST(x[63] == 0);
}

BOOST_AUTO_TEST_SUITE_END()
