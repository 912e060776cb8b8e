// SPDX-License-Identifier: BSD-3-Clause
// multiply_tiles of <suite/gpu/matrix.hpp> as nvcc compiles it for several architectures (matrix.cu), executed.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "device.hpp"

using namespace suite::ptx;

namespace {

// C += A B of 24 x 16 with no symmetry; the largest error.
double largest_error(const std::string& architecture) {
  constexpr int rows = 24, columns = 16, depth = 12;
  std::ifstream file(PTX_FOLDER "/matrix_" + architecture + ".ptx");
  BOOST_REQUIRE(file);
  Module module(std::string(std::istreambuf_iterator<char>(file), {}));
  Device device;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto array = [&](size_t count) {
    auto* const to = static_cast<double*>(device.allocate(count * sizeof(double)));
    for (size_t i = 0; i < count; ++i) to[i] = number(random);
    return to;
  };
  double *const A = array(rows * depth), *const B = array(depth * columns), *const C = array(rows * columns);
  std::vector<double> expected(C, C + rows * columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < depth; ++k) expected[static_cast<size_t>(i * columns + j)] += A[i * depth + k] * B[k * columns + j];
  const Function& function = module.function("multiply");
  Launch launch{&function, {}, {32, 1, 1}, 0, std::vector<uint8_t>(28)};
  std::memcpy(launch.parameters.data(), &A, 8);
  std::memcpy(launch.parameters.data() + 8, &B, 8);
  std::memcpy(launch.parameters.data() + 16, &C, 8);
  std::memcpy(launch.parameters.data() + 24, &depth, 4);
  for (const Finding& finding : device.run(launch)) BOOST_ERROR(sentence(finding));
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) worst = std::max(worst, std::abs(C[i] - expected[i]));
  const bool tensor_cores = architecture != "75";
  const uint64_t tiles = device.counts().begin()->second.lanes[static_cast<size_t>(Kind::mma64)];
  BOOST_TEST((tiles > 0) == tensor_cores);
  return worst;
}

}  // namespace

// Sums of 12 products of numbers below 1, each rounded to 1e-16.
BOOST_AUTO_TEST_CASE(tiles_by_shuffles) { BOOST_TEST(!(largest_error("75") > 1e-14)); }
BOOST_AUTO_TEST_CASE(tiles_of_8_rows_by_tensor_cores) { BOOST_TEST(!(largest_error("80") > 1e-14)); }
BOOST_AUTO_TEST_CASE(tiles_of_16_rows_by_tensor_cores) { BOOST_TEST(!(largest_error("90") > 1e-14)); }
