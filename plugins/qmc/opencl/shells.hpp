// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_gaussian and qmc.orbitals_slater (shells.cl): the functions of all shells, then their product with the orbitals, for as many
// positions at a time as the memory for the functions holds.
#pragma once

#include "../shells.hpp"
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {

template <class Call> class OrbitalsOfShells : public opencl::WithEngine<Engine, Call> {
public:
  using Base = opencl::WithEngine<Engine, Call>;
  using Base::Base, Base::engine;

  void prepare(const suite_array* arguments) {
    const Call c(arguments);
    const ShellBasis basis = shell_basis(shell_arguments(c, engine.fetcher()), c.nao());
    std::vector<cl_int> shells;
    std::vector<double> cutoff;
    for (const Shell& shell : basis.shells) {
      shells.insert(shells.end(), {cl_int{shell.ion}, cl_int{shell.l}, as_int(shell.ao), as_int(shell.first)});
      cutoff.push_back(shell.cutoff);
    }
    shells.insert(shells.end(), {0, 0, as_int(basis.nao), as_int(std::ssize(basis.exponent))});
    stride_ = (c.norb() + 1) / 2 * 2;
    rion_.upload(basis.rion);
    shells_.upload(shells);
    cutoff_.upload(cutoff);
    exponent_.upload(basis.exponent);
    coefficient_.upload(basis.coefficient);
    power_.upload(slater ? basis.power : std::vector<int32_t>{0});
    mo_.upload(orbitals_side_by_side(basis, engine.template fetch<double>(c.mo, "mo").data(), c.norb(), stride_));
  }

  void execute(const suite_array* arguments) {
    const Call c(arguments);
    const int64_t npos = c.positions(), nao = c.nao(), norb = c.norb();
    const Outputs out = outputs_of(c.phi, c.dphi, c.d2phi, memory_of(c.phi));
    const int outputs = out.has & 6 ? 5 : 1, lanes = engine.vector();
    const int64_t of_row = int64_t{lanes} * outputs * nao * int64_t{sizeof(double)}, all_rows = ceil_div(npos, lanes);
    const int64_t rows = std::clamp<int64_t>(functions_bytes / of_row, 1, all_rows);
    const cl_mem functions = functions_.at_least(static_cast<size_t>(rows * of_row));
    const std::string options = define("OUTPUTS", outputs) + define("SLATER", slater);
    for (int64_t row = 0; row < all_rows; row += rows) {
      const int64_t some = std::min(rows, all_rows - row);
      const cl_int first = as_int(row * lanes);
      engine.start(text::shells, "shell_functions", options, some, lanes, engine.local(), memory_of(c.r), rion_.at_least(0),
                   shells_.at_least(0), cutoff_.at_least(0), exponent_.at_least(0), coefficient_.at_least(0), power_.at_least(0), functions,
                   as_int(c.nshell()), as_int(nao), first, as_int(npos), as_int(some));
      engine.start(text::shells, "shell_orbitals", options, some, lanes, engine.local(), functions, mo_.at_least(0), out.value,
                   out.gradient, out.laplacian, out.has, as_int(nao), as_int(norb), as_int(stride_), first, as_int(npos), as_int(some));
    }
  }

private:
  static constexpr bool slater = std::same_as<Call, OrbitalsSlater>;
  static constexpr int64_t functions_bytes = int64_t{32} << 20;

  opencl::Scratch rion_{engine.scratch("the ions")}, shells_{engine.scratch("the shells")}, cutoff_{engine.scratch("the shells")},
      exponent_{engine.scratch("the primitives")}, coefficient_{engine.scratch("the primitives")}, power_{engine.scratch("the primitives")},
      mo_{engine.scratch("the orbitals")}, functions_{engine.scratch("the functions of the shells")};
  int64_t stride_ = 0;
};

}  // namespace suite::qmc::cl
