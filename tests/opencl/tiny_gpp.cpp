// SPDX-License-Identifier: BSD-3-Clause
// Every OpenCL kernel once, at a size that an interpreter manages, in the shape of a GPU (groups of several
// work-items, one number each) and of a processor (vectors), and compared with the reference.
// tests/opencl/oclgrind.cmake runs it.
#include <cmath>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace {

using Complex = std::complex<double>;

// All results of a call, one after the other.
std::vector<Complex> results(suite::Kernel& kernel) {
  std::vector<Complex> all;
  for (uint32_t i = 0; i < kernel.table().argument_count; ++i) {
    if (!(kernel.table().arguments[i].intent & SUITE_OUT)) continue;
    const char* const name = kernel.table().arguments[i].name;
    const suite_array shape = kernel.argument(name);
    if (shape.rank < 0) continue;
    std::vector<Complex> values(static_cast<size_t>(suite::count_of(shape)));
    suite_array host = shape;
    host.data = values.data();
    host.place = SUITE_HOST;
    kernel.get(name, host);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

struct Shape {
  int vector, local;
};

// Whether `tried` gives what the reference of the same kernel does, at this size.
bool agrees(suite::Kernel& tried, const std::string& size, const std::string& what, double tolerance) {
  suite::Kernel reference(tried.table().kernel, "reference");
  for (suite::Kernel* kernel : {&reference, &tried}) {
    kernel->generate(size, 7);
    kernel->run();
  }
  const auto truth = results(reference), answer = results(tried);
  double largest = 0, worst = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    largest = std::max(largest, std::abs(truth[i]));
    const double difference = std::abs(answer[i] - truth[i]);
    if (!(difference <= worst)) worst = difference;
  }
  const bool right = worst <= tolerance * largest;
  std::printf("%s %s  %s: relative %.1e%s\n", right ? "ok   " : "WRONG", what.c_str(), size.c_str(),
              worst / largest, right ? "" : " is too much");
  return right;
}

std::string text(Shape shape) {
  return " vector " + std::to_string(shape.vector) + " local " + std::to_string(shape.local);
}

bool sigma_agrees(const suite::Device& device, const std::string& size, const std::string& variant,
                  const std::string& precision, Shape shape) {
  suite::Kernel tried("gpp.sigma", "opencl", &device);
  tried.choose("variant", variant);
  tried.choose("precision", precision);
  tried.set_parameter("vector", shape.vector);
  tried.set_parameter("local", shape.local);
  return agrees(tried, size, variant + " " + precision + text(shape), precision == "mixed" ? 1e-6 : 1e-11);
}

bool offdiag_agrees(const suite::Device& device, const std::string& size, Shape shape) {
  suite::Kernel tried("gpp.sigma_offdiag", "opencl", &device);
  tried.set_parameter("vector", shape.vector);
  tried.set_parameter("local", shape.local);
  return agrees(tried, size, "offdiag" + text(shape), 1e-11);
}

// The ceilings: one multiply-add of each chain, and a triad with an incomplete last group.
bool ceilings_are_right(const suite::Device& device, Shape shape) {
  suite::Kernel fma("ceilings.fma", "opencl", &device), triad("ceilings.triad", "opencl", &device);
  for (suite::Kernel* kernel : {&fma, &triad}) {
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
  // Chains begin above 0 and one step brings them half the way to 1.
  const bool right = mean > 0.5 && mean < 20 && a == std::vector<double>(b.size(), 6.5);
  std::printf("%s ceilings vector %d local %d\n", right ? "ok   " : "WRONG", shape.vector, shape.local);
  return right;
}

}  // namespace

int main() {
  try {
    const suite::Device device("opencl");
    std::printf("device: %s\n", device.describe().c_str());
    const std::string base =
        "ntband=9,ngpown=3,ncouls=11,nvband=2,static=1,band_resolved=1,infinite=0.2,zero=0.1,padding=1";
    const Shape gpu{1, 4}, processor{4, 1};
    bool right = true;
    for (const Shape shape : {gpu, processor}) {
      right = ceilings_are_right(device, shape) && right;
      for (const char* more : {",nw=1,nex=2", ",nw=2,nex=1,flavour=real", ",nw=3,nex=1",
                               ",nw=3,nex=1,flavour=real,offdiagonal=1", ",nw=2,nex=1,mode=1"})
        right = sigma_agrees(device, base + more, "best", "double", shape) && right;
      right = sigma_agrees(device, base + ",nw=3,nex=1", "best", "mixed", shape) && right;
      right = sigma_agrees(device, base + ",nw=2,nex=1", "best", "mixed", shape) && right;
    }
    for (const char* step : {"v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "fixed_length"})
      right =
          sigma_agrees(device, "ntband=5,ngpown=3,ncouls=11,nvband=2,nw=2", step, "double", {4, 1}) && right;
    // More rows than a block of A has, several panels of external bands and tiles of columns, both ways to go
    // through them.
    const std::string offdiag = "ntband=3,ngpown=5,ncouls=35,nvband=1,nex=3,infinite=0.2,zero=0.1,padding=1";
    for (const Shape shape : {gpu, Shape{1, 32}, processor, Shape{1, 1}})
      for (const char* more : {",nw=2", ",nw=1,flavour=real", ",nw=1,mode=1", ",nw=1,mode=1,flavour=real"})
        right = offdiag_agrees(device, offdiag + more, shape) && right;
    right = offdiag_agrees(device, offdiag + ",nw=1,nex=19", {4, 1}) && right;
    right = offdiag_agrees(device, "ntband=2,ngpown=3,ncouls=259,nvband=1,nex=3,nw=1", {4, 1}) && right;
    return right ? 0 : 1;
  } catch (const suite::Failure& failure) {
    std::printf("failed: %s\n", failure.what());
    return 1;
  }
}
