// SPDX-License-Identifier: BSD-3-Clause
// The flops that the kernels state, against arithmetic that counts itself.
#include "support.hpp"

#include <plan.hpp>

#include "../common/costs.hpp"

using namespace gw_test;

namespace {

// A product of matrices as it is written down.
double counted_product(suite::Kernel& kernel) {
  const auto extent = [&](const char* name, int d) { return kernel.argument(name).extent[d]; };
  const int64_t npw = extent("ket", 0), bands = extent("ket", 1) * extent("bra", 1), ng = extent("aqs", 0);
  const bool real = kernel.argument("ket").type == SUITE_REAL64;
  const double one = flops_of([&] {
    CountedComplex sum, a, b;
    if (real) sum.re += a.re * b.re;
    else sum = sum + a * b;
  });
  return one * static_cast<double>(npw * bands * ng);
}

// Multiply-adds of the elements of chi that have to be computed.
double counted_chi(suite::Kernel& kernel, bool half, int products) {
  const auto extent = [&](const char* name, int d) { return kernel.argument(name).extent[d]; };
  const int64_t rows = extent("chi", 0), columns = extent("chi", 1);
  const bool real = kernel.argument("aqs").type == SUITE_REAL64;
  const double one = flops_of([&] {
    CountedComplex sum, a, b;
    if (real) sum.re += a.re * b.re;
    else sum = sum + a * b;
  });
  const int64_t elements = half ? rows * (rows + 1) / 2 : rows * columns;
  return one * static_cast<double>(elements * extent("aqs", 1) * products);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(costs)

BOOST_AUTO_TEST_CASE(of_polarizabilities) {
  const auto chi = [](const char* size, bool half, int products) {
    states("gw.chi", size, [&](suite::Kernel& kernel) { return counted_chi(kernel, half, products); });
  };
  chi("ncouls=20,npair=30,nfreq=2,frequencies=imaginary", true, 2);
  chi("ncouls=20,npair=30,nfreq=2,frequencies=complex", false, 2);
  chi("ncouls=20,npair=30,ngpown=7", false, 1);
  chi("ncouls=20,npair=30,nfreq=2,frequencies=complex,flavour=real", true, 4);
}

BOOST_AUTO_TEST_CASE(of_few_wanted_vectors) {
  states("gw.mtxel", "ecutwfc=9,ecuts=0.1,ntband=11,nex=2", counted_product);
  states("gw.mtxel", "ecutwfc=9,ecuts=0.1,ntband=12,nex=3,flavour=real", counted_product);
}

// Stages of a line as the butterflies of this test do them: radices 2 and 4 have additions only, each other
// stage its twiddle factors.
BOOST_AUTO_TEST_CASE(of_lines) {
  BOOST_TEST(suite::gw::flops_of_line(1) == 0);
  BOOST_TEST(suite::gw::flops_of_line(2) == 4);
  BOOST_TEST(suite::gw::flops_of_line(4) == 16);
  BOOST_TEST(suite::gw::flops_of_line(8) == 2 * 16 + 4 * (4 + 6));
  BOOST_TEST(suite::gw::flops_of_line(16) == 4 * 16 + 4 * (16 + 18));
}

// Lengths are the next products of 2, 3, 5 and 7.
BOOST_AUTO_TEST_CASE(of_lengths) {
  const auto possible = [](int n) {
    for (const int p : {2, 3, 5, 7})
      while (n % p == 0) n /= p;
    return n == 1;
  };
  for (int n = 1; n <= 500; ++n) {
    const int m = suite::gw::shortest_length(n);
    int product = 1;
    for (const int r : suite::gw::stages_of(m)) product *= r;
    bool next = m >= n && product == m;
    for (int k = n; k < m; ++k) next = next && !possible(k);
    BOOST_REQUIRE_MESSAGE(next, n << " points become " << m);
  }
}

BOOST_AUTO_TEST_SUITE_END()
