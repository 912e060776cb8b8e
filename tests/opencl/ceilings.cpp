// SPDX-License-Identifier: BSD-3-Clause
// The ceilings have no reference to be compared with; what they compute is known.
#include <cmath>
#include <vector>

#include "support.hpp"

namespace {

struct Shape {
  int vector, local;
};
constexpr Shape shapes[] = {{0, 0}, {1, 32}, {4, 3}, {16, 1}};  // the device's own, a GPU's, and odd ones

suite::Kernel kernel_of(const char* name, Shape shape) {
  suite::Kernel kernel(name, "opencl");
  kernel.set_parameter("vector", shape.vector);
  kernel.set_parameter("local", shape.local);
  return kernel;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ceilings_compute_what_they_say)

// Every chain comes to the same; one that was left out, or counted twice, shows in the mean.
BOOST_AUTO_TEST_CASE(chains) {
  struct Expected {
    const char* kernel;
    double result, flops;
  };
  for (const auto& [name, expected, flops] :
       {Expected{"ceilings.fma", 1, 2}, {"ceilings.nofma", 1, 2}, {"ceilings.divide", 3, 1}, {"ceilings.reciprocal", 1, 1}})
    for (const Shape shape : shapes) {
      suite::Kernel kernel = kernel_of(name, shape);
      // One kernel takes both precisions in turn.
      for (const bool single : {false, true, false}) {
        kernel.generate(single ? "n=10000000,precision=single" : "n=10000000", 1);
        kernel.run();
        double mean = 0;
        float narrow = 0;
        single ? kernel.get("result", &narrow, {1}) : kernel.get("result", &mean, {1});
        if (single) mean = static_cast<double>(narrow);
        BOOST_TEST(std::abs(mean - expected) <= (single ? 1e-5 : 1e-12),
                   name << ", vector " << shape.vector << ", local " << shape.local << ", single " << single << ": " << mean);
        BOOST_TEST(kernel.cost().flops == flops * 1e7);
      }
    }
}

BOOST_AUTO_TEST_CASE(reading_of_any_length) {
  for (const Shape shape : shapes)
    for (const int64_t n : {1, 9, 1000, 100003})
      for (const int64_t repeats : {1, 3}) {
        suite::Kernel read = kernel_of("ceilings.read", shape);
        std::vector<double> x(static_cast<size_t>(n));
        double expected = 0, sum = 0;
        for (size_t i = 0; i < x.size(); ++i) expected += x[i] = static_cast<double>(i % 13) - 3;
        read.set("x", x.data(), {n});
        read.set("repeats", repeats);
        read.set("sum", &sum, {1});
        read.run();
        read.get("sum", &sum, {1});
        BOOST_TEST(sum == expected * static_cast<double>(repeats), "n " << n << ", vector " << shape.vector << ": " << sum);
      }
}

BOOST_AUTO_TEST_CASE(triad_of_any_length) {
  for (const Shape shape : shapes)
    for (const int64_t n : {1, 7, 255, 4095, 4096, 4097, 100001}) {
      suite::Kernel triad = kernel_of("ceilings.triad", shape);
      std::vector<double> b(static_cast<size_t>(n)), c(b), a(b);
      for (size_t i = 0; i < b.size(); ++i) {
        b[i] = 0.5 + static_cast<double>(i);
        c[i] = 3 - static_cast<double>(i % 11);
      }
      triad.set("b", b.data(), {n});
      triad.set("c", c.data(), {n});
      triad.set("s", 2.0);
      triad.set("a", a.data(), {n});
      triad.run();
      triad.get("a", a.data(), {n});
      for (size_t i = 0; i < b.size(); ++i) BOOST_REQUIRE_EQUAL(a[i], b[i] + 2 * c[i]);
    }
}

BOOST_AUTO_TEST_CASE(a_vector_that_is_no_power_of_two_is_refused) {
  const std::string said = outcome([] {
    suite::Kernel fma = kernel_of("ceilings.fma", {3, 1});
    fma.generate("small", 1);
    fma.run();
  });
  BOOST_TEST(said == "invalid argument: ceilings.fma: vector is 3; it must be one of 0, 1, 2, 4, 8, 16", said);
}

BOOST_AUTO_TEST_SUITE_END()
