// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common on the host.
#pragma once

#include <string>
#include <vector>

#include <suite/device.hpp>

#include "../call.hpp"
#include "../device/tables.hpp"
#include "../extents.hpp"

namespace suite::dfpt::cl {

using opencl::as_int, opencl::ceil_div, opencl::define, opencl::Knobs, opencl::memory_of, opencl::memory_or, opencl::Scratch;

class Engine : public opencl::Engine {
public:
  // name: of the kernel, for messages.
  Engine(const suite_backend* backend, suite_queue* queue, Knobs knobs, const char* name);
};

// The radial grids of species as common.cl reads them: first knot, length, factor.
std::vector<double> numbers_of(const std::vector<RadialGrid>& grids);

}  // namespace suite::dfpt::cl
