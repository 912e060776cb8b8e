// SPDX-License-Identifier: BSD-3-Clause
// qmc.pseudopotential (pseudopotential.cl): the ions close to each electron, then the points around them.
#include "../semilocal.hpp"
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {
namespace {

const char* quadrature_text() {
  static const std::string text = std::string(text::philox) + text::pseudopotential;
  return text.c_str();
}

class PseudopotentialCL : public opencl::WithEngine<Engine, Pseudopotential> {
public:
  using WithEngine::WithEngine;

  void prepare(const suite_array* arguments) {
    const Pseudopotential c(arguments);
    cell_.set_or_open(c.cell);
    const Semilocal potential = semilocal_of(semilocal_arguments(c, engine.fetcher()), cell_.lattice_or_open());
    some_left_out_ = c.mpair() < potential.ions();
    layout_ = {engine.vector(), c.nion(), c.nion()};
    in_frame_ = ions_.set(cell_, layout_, memory_of(c.rion), 1);
    set_of_ion_.upload(potential.set_of_ion);
    cutoff_.upload(potential.cutoff);
    first_.upload(potential.first);
    power_.upload(potential.power);
    exponent_.upload(potential.exponent);
    coefficient_.upload(potential.coefficient);
    const SphereRule rule = sphere_rule(c.npoint());
    padded_ = ceil_div(c.npoint(), engine.vector()) * engine.vector();
    std::vector<double> numbers(static_cast<size_t>(4 * padded_), 0.0);
    for (size_t q = 0; q < rule.point.size(); ++q)
      for (size_t d = 0; d < 4; ++d) numbers[static_cast<size_t>(padded_) * d + q] = d < 3 ? rule.point[q][d] : rule.weight[q];
    rule_.upload(numbers);
    options_ = cell_.kind() + define("L_CHANNELS", l_channels);
  }

  void execute(const suite_array* arguments) {
    const Pseudopotential c(arguments);
    const QuadratureCall call = check_pseudopotential(c);
    const int lanes = engine.vector(), items = engine.local();
    const int64_t count = c.nelectron() * c.nwalker(), rows = ceil_div(count, items);
    const cl_int which = call.one ? as_int(call.which) : -1, mpair = as_int(c.mpair()), nelectron = as_int(c.nelectron()),
                 netot = as_int(c.netot());
    as_int(c.mpair() * padded_);
    const cl_mem rele = memory_of(c.rele), weight = memory_of(c.weight);
    const cl_mem pairs = pairs_.at_least(static_cast<size_t>(count * c.mpair() * numbers_of_pair) * sizeof(double)),
                 close = close_.at_least(static_cast<size_t>(count) * sizeof(cl_int));
    const cl_ulong seed = call.turns ? static_cast<cl_ulong>(static_cast<int64_t>(c.seed)) : 0;
    const cl_uint sweep = call.turns ? static_cast<cl_uint>(static_cast<int64_t>(c.sweep)) : 0;
    engine.start(quadrature_text(), "find_pairs", options_, rows, lanes, items, rele, cell_.numbers(), in_frame_, as_int(layout_.size()),
                 as_int(c.nion()), set_of_ion_.at_least(0), cutoff_.at_least(0), first_.at_least(0), power_.at_least(0),
                 exponent_.at_least(0), coefficient_.at_least(0), memory_or(c.stream, rele), cl_int(call.turns), seed, sweep, netot,
                 nelectron, which, mpair, as_int(count), pairs, close, memory_or(c.ion, weight), cl_int(c.ion ? 1 : 0), as_int(rows));
    engine.start(quadrature_text(), "put_quadrature", options_, count, lanes, items, rele, pairs, close, rule_.at_least(0), as_int(padded_),
                 as_int(c.npoint()), memory_or(c.ratio, rele), weight, memory_or(c.points, weight), memory_or(c.energy, weight),
                 memory_or(c.negative, weight), cl_int((c.points ? 1 : 0) | (c.energy ? 2 : 0) | (c.negative ? 4 : 0)), netot, nelectron,
                 which, mpair, as_int(count));
    if (some_left_out_) check_found(c, call, count);
  }

private:
  static constexpr int64_t numbers_of_pair = 16 + l_channels;  // OF_PAIR

  void check_found(const Pseudopotential& c, const QuadratureCall& call, int64_t count) {
    suite_array array{};
    array.data = close_.at_least(0);
    array.rank = 1;
    array.extent[0] = count;
    const auto close = engine.fetch<int32_t>(array, "the ions that are close");
    for (int64_t k = 0; k < count; ++k)
      check_pairs(close[static_cast<size_t>(k)], c.mpair(), call.electron(k % c.nelectron()), k / c.nelectron());
  }

  Cell cell_{engine};
  Framed ions_{engine, "the ions"};
  Layout layout_;
  cl_mem in_frame_ = nullptr;
  opencl::Scratch set_of_ion_{engine.scratch("the ions")}, cutoff_{engine.scratch("the pseudopotentials")},
      first_{engine.scratch("the pseudopotentials")}, power_{engine.scratch("the pseudopotentials")},
      exponent_{engine.scratch("the pseudopotentials")}, coefficient_{engine.scratch("the pseudopotentials")},
      rule_{engine.scratch("the rule")}, pairs_{engine.scratch("the ions that are close")},
      close_{engine.scratch("the ions that are close")};
  int64_t padded_ = 0;
  bool some_left_out_ = false;  // mpair is less than the number of ions with a potential
  std::string options_;
};

}  // namespace

extern const suite_kernel_table pseudopotential_table;
constexpr suite_kernel_table pseudopotential_table = kernel_table<Pseudopotential, PseudopotentialCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
