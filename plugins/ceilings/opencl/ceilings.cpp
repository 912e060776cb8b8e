// SPDX-License-Identifier: BSD-3-Clause
// The ceilings of an OpenCL device: vectors as wide as a CPU's, groups as wide as a GPU likes them.
#include "../ceilings.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

#include <suite/opencl.hpp>

#include "sources.hpp"

namespace suite::ceilings {
namespace {

constexpr suite_parameter shape_parameters[] = {
    knob("vector", 0, 0, 16, "numbers", "numbers per work-item, a power of 2; 0: the CPU's vector width, 1 on a GPU"),
    knob("local", 0, 0, 256, "work-items", "work-items per group; 0: 1 on a CPU, 256 on a GPU"),
};

// Enough independent chains to cover the latency of the units; on a CPU few enough for the 16 registers
// of AVX2, on a GPU other groups help.
constexpr int cpu_chains = 12, gpu_chains = 8;
// Groups for each unit: on a CPU many, because PoCL's threads take them in shrinking shares and the
// last ones should be short.
constexpr int cpu_groups = 64, gpu_groups = 8;
// Vectors of a work-item of the triad: 4 KiB pages of a CPU, a few loads in flight on a GPU.
constexpr int cpu_steps = 512, gpu_steps = 4;

struct Shape {
  Shape(const opencl::Device& device, const int64_t* parameters, bool in_single = false)
      : vector(static_cast<int>(parameters[0])), local(static_cast<int>(parameters[1])), on_cpu(device.is_processor), single(in_single) {
    if (device.doubles == 0) throw Failure(SUITE_UNSUPPORTED, device.name + " has no double precision");
    if (vector != 0 && !std::has_single_bit(static_cast<unsigned>(vector)))
      throw Failure(SUITE_INVALID_ARGUMENT, concat("vector is ", vector, "; it must be one of 0, 1, 2, 4, 8, 16"));
    if (vector == 0) vector = on_cpu ? static_cast<int>(std::min(16u, std::bit_floor(device.doubles) * (single ? 2u : 1u))) : 1;
    if (local == 0) local = on_cpu ? 1 : 256;
    local = static_cast<int>(std::min<size_t>(static_cast<size_t>(local), device.most_items));
  }
  int chains() const { return on_cpu ? cpu_chains : gpu_chains; }
  int groups_per_unit() const { return on_cpu ? cpu_groups : gpu_groups; }
  int steps() const { return on_cpu ? cpu_steps : gpu_steps; }
  opencl::Program build(const opencl::Device& device, const char* what, int kind = 0) const {
    const auto define = [](const char* name, int value) { return concat(" -D", name, "=", value); };
    return opencl::build_program(device, ceilings_cl,
                                 std::string("-cl-std=CL1.2 -DREAL=") + (single ? "float" : "double") + define("VW", vector) +
                                     define("LOCAL", local) + define("CHAINS", chains()) + define("STEPS", steps()) + define("KIND", kind),
                                 what);
  }
  int vector, local;
  bool on_cpu, single;
};

template <const Operation& one> class Peak {
public:
  static constexpr auto& parameters = shape_parameters;
  Peak(const suite_backend* backend, suite_queue* queue, const int64_t* parameters)
      : device_(backend, queue), slots_(backend, queue, "the sums of the groups") {
    std::copy_n(parameters, std::size(shape_parameters), parameters_);
  }

  void execute(const suite_array* arguments) {
    const Chains<one> call(arguments);
    const bool single = is_single(call.result.array());
    if (!program_ || program_->shape.single != single) program_.emplace(device_, Shape(device_, parameters_, single));
    const Shape& shape = program_->shape;
    const auto groups = static_cast<int64_t>(device_.units) * shape.groups_per_unit();
    const int64_t per_repeat = groups * shape.local * shape.chains() * shape.vector;
    const auto local = static_cast<size_t>(shape.local);
    const cl_mem slots = slots_.at_least(static_cast<size_t>(groups) * sizeof(double));
    const int64_t repeats = (call.count / per_repeat + 1) | one.odd();
    opencl::launch(device_, program_->run, "run_chains", {{static_cast<size_t>(groups) * local, 1, 1}, {local, 1, 1}}, cl_long(repeats),
                   one.factor(), slots);
    opencl::launch(device_, program_->average, "average", {}, slots, static_cast<cl_int>(groups), cl_long(call.result.extent(0)),
                   opencl::memory_of(call.result.array()));
  }

private:
  // Compiled for the precision of the last call.
  struct Program {
    Program(const opencl::Device& device, const Shape& s)
        : shape(s),
          program(shape.build(device, one.name, one.kind)),
          run(opencl::make_kernel(program, "run_chains")),
          average(opencl::make_kernel(program, "average")) {}
    Shape shape;
    opencl::Program program;
    opencl::Kernel run, average;
  };

  opencl::Device device_;
  int64_t parameters_[std::size(shape_parameters)];
  std::optional<Program> program_;
  opencl::Scratch slots_;
};

class TriadBandwidth {
public:
  static constexpr auto& parameters = shape_parameters;
  TriadBandwidth(const suite_backend* backend, suite_queue* queue, const int64_t* parameters)
      : device_(backend, queue),
        shape_(device_, parameters),
        program_(shape_.build(device_, Triad::name)),
        triad_(opencl::make_kernel(program_, "triad")) {}

  void execute(const suite_array* arguments) {
    const Triad call(arguments);
    const int64_t n = call.a.extent(0);
    const int64_t per_group = int64_t{shape_.local} * shape_.steps() * shape_.vector;
    const auto groups = static_cast<size_t>((n + per_group - 1) / per_group), local = static_cast<size_t>(shape_.local);
    opencl::launch(device_, triad_, "triad", {{groups * local, 1, 1}, {local, 1, 1}}, opencl::memory_of(call.b.array()),
                   opencl::memory_of(call.c.array()), double{call.s}, opencl::memory_of(call.a.array()), cl_long(n));
  }

private:
  opencl::Device device_;
  Shape shape_;
  opencl::Program program_;
  opencl::Kernel triad_;
};

class ReadBandwidth {
public:
  static constexpr auto& parameters = shape_parameters;
  ReadBandwidth(const suite_backend* backend, suite_queue* queue, const int64_t* parameters)
      : device_(backend, queue),
        shape_(device_, parameters),
        program_(shape_.build(device_, Read::name)),
        read_(opencl::make_kernel(program_, "read_shares")),
        add_up_(opencl::make_kernel(program_, "add_up")),
        slots_(backend, queue, "the sums of the groups") {}

  void execute(const suite_array* arguments) {
    const Read call(arguments);
    // A share for each group that runs at the same time: what they read together is n numbers.
    const auto groups = static_cast<size_t>(device_.units) * (shape_.on_cpu ? 1 : gpu_read_groups);
    const auto local = static_cast<size_t>(shape_.local);
    const cl_mem slots = slots_.at_least(groups * sizeof(double));
    opencl::launch(device_, read_, "read_shares", {{groups * local, 1, 1}, {local, 1, 1}}, opencl::memory_of(call.x.array()),
                   cl_long(call.x.extent(0)), cl_long(call.repeats), slots);
    opencl::launch(device_, add_up_, "add_up", {}, slots, static_cast<cl_int>(groups), cl_long(call.sum.extent(0)),
                   opencl::memory_of(call.sum.array()));
  }

private:
  static constexpr int gpu_read_groups = 4;

  opencl::Device device_;
  Shape shape_;
  opencl::Program program_;
  opencl::Kernel read_, add_up_;
  opencl::Scratch slots_;
};

template <const Operation& one> constexpr suite_kernel_table peak_table = kernel_table<Chains<one>, Peak<one>>("opencl", "opencl");
constexpr suite_kernel_table triad_table = kernel_table<Triad, TriadBandwidth>("opencl", "opencl");
constexpr suite_kernel_table read_table = kernel_table<Read, ReadBandwidth>("opencl", "opencl");

}  // namespace
}  // namespace suite::ceilings

SUITE_PLUGIN("ceilings", "opencl", &suite::ceilings::peak_table<suite::ceilings::fma>, &suite::ceilings::peak_table<suite::ceilings::nofma>,
             &suite::ceilings::peak_table<suite::ceilings::divide>, &suite::ceilings::peak_table<suite::ceilings::reciprocal>,
             &suite::ceilings::triad_table, &suite::ceilings::read_table)
