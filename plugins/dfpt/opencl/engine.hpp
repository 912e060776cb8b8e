// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common on the host.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <suite/opencl/engine.hpp>

#include "../call.hpp"

namespace suite::dfpt::cl {

using opencl::ceil_div, opencl::define, opencl::Knobs, opencl::memory_of, opencl::memory_or, opencl::Scratch;

inline size_t at(int64_t i) { return static_cast<size_t>(i); }

class Engine : public opencl::Engine {
public:
  // name: of the kernel, for messages.
  Engine(const suite_backend* backend, suite_queue* queue, Knobs knobs, const char* name);
};

// As many as an int counts; `what` is for the message.
cl_int as_int(int64_t n, const char* what);

// The arguments of a call with copies of some CONSTANT ones on the host, for the checks of call.hpp.
class HostArguments {
public:
  HostArguments(const Engine& engine, const suite_array* arguments, size_t count,
                std::initializer_list<int> integers, std::initializer_list<int> numbers);
  const suite_array* get() const { return arguments_.data(); }
  const int32_t* integers(int which) const { return static_cast<const int32_t*>(arguments_[at(which)].data); }
  const double* numbers(int which) const { return static_cast<const double*>(arguments_[at(which)].data); }

private:
  std::vector<suite_array> arguments_;
  std::vector<std::vector<int32_t>> integers_;
  std::vector<std::vector<double>> numbers_;
};

// The radial grids of species as common.cl reads them: first knot, length, factor.
std::vector<double> numbers_of(const std::vector<RadialGrid>& grids);

}  // namespace suite::dfpt::cl
