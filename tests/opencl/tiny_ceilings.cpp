// SPDX-License-Identifier: BSD-3-Clause
// The ceilings under an interpreter.
#include "tiny.hpp"

namespace {

// One step of each chain, a triad with an incomplete last group, and shares that leave a rest.
bool ceilings_are_right(const suite::Device& device, tiny::Shape shape) {
  suite::Kernel fma("ceilings.fma", "opencl", &device), triad("ceilings.triad", "opencl", &device),
      divide("ceilings.divide", "opencl", &device), read("ceilings.read", "opencl", &device);
  for (suite::Kernel* kernel : {&fma, &triad, &divide, &read}) {
    kernel->set_parameter("vector", shape.vector);
    kernel->set_parameter("local", shape.local);
  }
  fma.generate("n=1", 1);
  fma.run();
  double mean = 0;
  fma.get("result", &mean, {1});
  const int64_t n = 2 * 512 * shape.vector * shape.local + 3;
  std::vector<double> b(static_cast<size_t>(n), 0.5), c(b.size(), 2), a(b.size(), -1);
  triad.set("b", b.data(), {n});
  triad.set("c", c.data(), {n});
  triad.set("s", 3.0);
  triad.set("a", a.data(), {n});
  triad.run();
  triad.get("a", a.data(), {n});
  divide.generate("n=1", 1);
  divide.run();
  double product = 0, sum = 0;
  divide.get("result", &product, {1});
  read.set("x", b.data(), {n});
  read.set("repeats", int64_t{2});
  read.set("sum", &sum, {1});
  read.run();
  read.get("sum", &sum, {1});
  // Chains begin above 0 and one step brings them half the way to 1.
  const bool right = mean > 0.5 && mean < 20 && a == std::vector<double>(b.size(), 6.5) && product > 2.999 && product < 3.001 &&
                     sum == static_cast<double>(n);
  std::printf("%s ceilings vector %d local %d\n", right ? "ok   " : "WRONG", shape.vector, shape.local);
  return right;
}

}  // namespace

int main() {
  return tiny::run([](const suite::Device& device) {
    bool right = true;
    for (const tiny::Shape shape : {tiny::Shape{1, 4}, tiny::Shape{4, 1}}) right = ceilings_are_right(device, shape) && right;
    return right;
  });
}
