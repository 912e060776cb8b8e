// SPDX-License-Identifier: BSD-3-Clause
// OpenCL kernels at a size that an interpreter manages, in the shape of a GPU (groups of several work-items,
// one number each) and of a processor (vectors), compared with the reference. tests/opencl/oclgrind.cmake
// runs them.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <suite/suite.hpp>

namespace tiny {

struct Shape {
  int vector, local;
};

using Choices = std::vector<std::pair<const char*, const char*>>;

// All results of a call, one after the other, as real numbers.
inline std::vector<double> results(suite::Kernel& kernel) {
  std::vector<double> all;
  for (uint32_t i = 0; i < kernel.table().argument_count; ++i) {
    const suite_argument& argument = kernel.table().arguments[i];
    suite_array array = kernel.argument(argument.name);
    if (!(argument.intent & SUITE_OUT) || array.rank < 0) continue;
    std::vector<char> bytes(static_cast<size_t>(suite::count_of(array)) * suite_type_size(array.type));
    array.data = bytes.data();
    array.place = SUITE_HOST;
    kernel.get(argument.name, array);
    const auto append = [&](const auto* numbers) { all.insert(all.end(), numbers, numbers + bytes.size() / sizeof *numbers); };
    if (array.type == SUITE_REAL32 || array.type == SUITE_COMPLEX64) append(reinterpret_cast<const float*>(bytes.data()));
    else append(reinterpret_cast<const double*>(bytes.data()));
  }
  return all;
}

inline bool has_parameter(const suite::Kernel& kernel, const char* name) {
  for (uint32_t i = 0; i < kernel.table().parameter_count; ++i)
    if (!std::strcmp(kernel.table().parameters[i].name, name)) return true;
  return false;
}

// Whether the kernel gives what its reference does. Choices are made in both where the reference has them,
// since then they say what is computed, else in the kernel tried.
inline bool agrees(const suite::Device& device, const std::string& name, const std::string& size, const Choices& choices, Shape shape,
                   double tolerance = 1e-11) {
  suite::Kernel reference(name, "reference"), tried(name, "opencl", &device);
  std::string what = name;
  for (const auto& [parameter, choice] : choices) {
    tried.choose(parameter, choice);
    if (has_parameter(reference, parameter)) reference.choose(parameter, choice);
    what += std::string(" ") + choice;
  }
  tried.set_parameter("vector", shape.vector);
  tried.set_parameter("local", shape.local);
  for (suite::Kernel* kernel : {&reference, &tried}) {
    kernel->generate(size, 7);
    kernel->run();
  }
  const std::vector<double> truth = results(reference), answer = results(tried);
  double largest = 0, worst = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    largest = std::max(largest, std::abs(truth[i]));
    const double difference = std::abs(answer[i] - truth[i]);
    if (!(difference <= worst)) worst = difference;
  }
  const bool right = worst <= tolerance * largest;
  std::printf("%s %s vector %d local %d  %s: relative %.1e%s\n", right ? "ok   " : "WRONG", what.c_str(), shape.vector, shape.local,
              size.c_str(), worst / largest, right ? "" : " is too much");
  return right;
}

// The exit code of a program that tries all with f(device).
template <class F> int run(F&& f) {
  try {
    const suite::Device device("opencl");
    std::printf("device: %s\n", device.describe().c_str());
    return f(device) ? 0 : 1;
  } catch (const suite::Failure& failure) {
    std::printf("failed: %s\n", failure.what());
    return 1;
  }
}

}  // namespace tiny
