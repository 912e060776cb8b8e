// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_chi (chi.cl).
#include "../chi.hpp"
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {
namespace {

class JastrowChiCL : public opencl::WithEngine<Engine, JastrowChi> {
public:
  using WithEngine::WithEngine;

  void prepare(const suite_array* arguments) {
    const JastrowChi c(arguments);
    cell_.set_or_open(c.cell);
    nele_ = engine.fetch<int32_t>(c.nele, "nele");
    const ChiTerm chi = chi_term(c, cell_.lattice_or_open(), engine.fetcher());
    in_frame_ = ions_.set(cell_, {1, c.nion(), c.nion()}, memory_of(c.rion), 1);
    beta_.upload(chi.beta);
    cutoff_.upload(chi.L);
    set_of_ion_.upload(chi.set_of_ion);
    nset_ = chi.nset;
    coefficients_ = chi.nbeta * chi.nset;
    options_ = cell_.kind() + define("FORM", 0) + define("NALPHA", chi.nbeta) + define("CUT", chi.C) + define("NSPIN", chi.nspin);
  }

  void execute(const suite_array* arguments) {
    const JastrowChi c(arguments);
    const Seats seats = seats_of(c, nele_.data());
    const cl_mem value = memory_of(c.value);
    start("jastrow_chi", 1, c, seats, outputs_of(c.value, c.gradient, c.laplacian, value), beta_.at_least(0), cutoff_.at_least(0));
    const Outputs derivatives = outputs_of(c.dvalue, c.dgradient, c.dlaplacian, value);
    if (derivatives.has) start("jastrow_chi_derivatives", coefficients_, c, seats, derivatives, cutoff_.at_least(0));
  }

private:
  // `tables` stand between the ions and the outputs; the kernel without beta needs the number of sets.
  template <class... Tables>
  void start(const char* name, int64_t numbers, const JastrowChi& c, const Seats& s, const Outputs& out, const Tables&... tables) {
    const int lanes = engine.vector(), items = engine.local();
    const int64_t rows = ceil_div(as_int(ceil_div(s.rows(), lanes) * numbers), items);
    const auto run = [&](auto... nset) {
      engine.start(text::chi, name, options_, rows, lanes, items, s.rele, s.rnew, cell_.numbers(), in_frame_, set_of_ion_.at_least(0),
                   tables..., out.value, out.gradient, out.laplacian, out.has, nset..., as_int(c.nion()), s.one(), as_int(s.moved.npos),
                   as_int(s.first), as_int(s.rows()), as_int(rows));
    };
    if constexpr (sizeof...(Tables) == 1) run(nset_);
    else run();
  }

  Cell cell_{engine};
  Framed ions_{engine, "the ions"};
  opencl::Scratch beta_{engine.scratch("the chi term")}, cutoff_{engine.scratch("the chi term")}, set_of_ion_{engine.scratch("the ions")};
  cl_mem in_frame_ = nullptr;
  cl_int nset_ = 0;
  int64_t coefficients_ = 0;
  std::string options_;
  std::vector<int32_t> nele_;
};

}  // namespace

extern const suite_kernel_table jastrow_chi_table;
constexpr suite_kernel_table jastrow_chi_table = kernel_table<JastrowChi, JastrowChiCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
