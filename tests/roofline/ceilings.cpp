// SPDX-License-Identifier: BSD-3-Clause
// The ceilings have no reference to be compared with; what they compute is known.
#include <cmath>
#include <vector>

#include <boost/test/unit_test.hpp>

#include <suite/suite.hpp>

namespace {

double result_of(suite::Kernel& kernel, bool single) {
  double wide = 0;
  float narrow = 0;
  single ? kernel.get("result", &narrow, {1}) : kernel.get("result", &wide, {1});
  return single ? static_cast<double>(narrow) : wide;
}

struct Expected {
  const char* kernel;
  double result, flops;  // flops of one of count
};
constexpr Expected chains[] = {{"ceilings.fma", 1, 2}, {"ceilings.nofma", 1, 2}, {"ceilings.divide", 3, 1}, {"ceilings.reciprocal", 1, 1}};

}  // namespace

// A chain that was left out, or that did other work than it says, shows in the mean.
BOOST_AUTO_TEST_CASE(chains_come_to_what_they_should) {
  for (const auto& [name, expected, flops] : chains)
    for (const int threads : {1, 3})
      for (const bool single : {false, true, false}) {
        suite::Kernel kernel(name, "cpu");
        kernel.set_parameter("threads", threads);
        kernel.generate(single ? "n=1000000,precision=single" : "n=1000000", 1);
        kernel.run();
        const double found = result_of(kernel, single);
        BOOST_TEST(std::abs(found - expected) <= (single ? 1e-5 : 1e-12), name << ", " << threads << " threads: " << found);
        BOOST_TEST(kernel.cost().flops == flops * 1e6);
        BOOST_TEST(kernel.merit() == 1e6);
      }
}

// Every element counts, once for each time it is read, however the threads share them.
BOOST_AUTO_TEST_CASE(reading_reads_every_element) {
  for (const int threads : {1, 2, 3})
    for (const int64_t n : {1, 7, 8, 95, 96, 97, 1000, 100003})
      for (const int64_t repeats : {1, 3}) {
        suite::Kernel read("ceilings.read", "cpu");
        read.set_parameter("threads", threads);
        std::vector<double> x(static_cast<size_t>(n));
        double expected = 0;
        for (size_t i = 0; i < x.size(); ++i) expected += x[i] = static_cast<double>(i % 13) - 3;
        double sum = 0;
        read.set("x", x.data(), {n});
        read.set("repeats", repeats);
        read.set("sum", &sum, {1});
        read.run();
        read.get("sum", &sum, {1});
        BOOST_TEST(sum == expected * static_cast<double>(repeats), "n " << n << ", " << threads << " threads");
        BOOST_TEST(read.cost().bytes == 8.0 * static_cast<double>(n * repeats));
      }
}

BOOST_AUTO_TEST_CASE(repeats_are_optional_and_positive) {
  suite::Kernel read("ceilings.read", "cpu");
  read.generate("n=1000", 1);
  BOOST_TEST(read.cost().bytes == 8000.0);
  read.generate("n=1000,repeats=5", 1);
  BOOST_TEST(read.cost().bytes == 40000.0);
  BOOST_TEST(read.cost().flops == 5000.0);  // an addition each
  for (const char* bad : {"n=1000,repeats=0", "n=1000,repeats=-1", "n=1000,repeats=x", "n=1000,repeats="})
    BOOST_CHECK_THROW(read.generate(bad, 1), suite::Failure);
}

// a = b + s c: what is computed is what is counted, a multiplication and an addition and three numbers moved.
BOOST_AUTO_TEST_CASE(triads_do_what_they_count) {
  suite::Kernel triad("ceilings.triad", "cpu");
  triad.generate("n=1000", 1);
  BOOST_TEST(triad.cost().flops == 2000.0);
  BOOST_TEST(triad.cost().bytes == 24000.0);
  const double s = 3;
  std::vector<double> b(1000), c(1000), a(1000);
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i), c[i] = 0.5 * static_cast<double>(i % 7);
  triad.set("b", b.data(), {1000});
  triad.set("c", c.data(), {1000});
  triad.set("s", &s, {});
  triad.set("a", a.data(), {1000});
  triad.run();
  triad.get("a", a.data(), {1000});
  for (size_t i = 0; i < a.size(); ++i) BOOST_TEST(a[i] == b[i] + s * c[i]);
}
