// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_f (f_term.cl).
#include "../f_term.hpp"
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {
namespace {

const char* f_term_text() {
  static const std::string text = std::string(text::seats) + text::f_term;
  return text.c_str();
}

class JastrowFCL : public opencl::WithEngine<Engine, JastrowF> {
public:
  using WithEngine::WithEngine;

  void prepare(const suite_array* arguments) {
    const JastrowF c(arguments);
    cell_.set_or_open(c.cell);
    nele_ = engine.fetch<int32_t>(c.nele, "nele");
    const FTerm f = f_term(c, cell_.lattice_or_open(), engine.fetcher());
    in_frame_ = ions_.set(cell_, {1, c.nion(), c.nion()}, memory_of(c.rion), 1);
    gamma_.upload(f.gamma);
    cutoff_.upload(f.L);
    set_of_ion_.upload(f.set_of_ion);
    nset_ = f.nset;
    options_ = cell_.kind() + define("NEN", f.nen) + define("NEE", f.nee) + define("CUT", f.C) + define("NSETS", f.nset_pair);
  }

  void execute(const suite_array* arguments) {
    const JastrowF c(arguments);
    const Seats seats = seats_of(c, nele_.data());
    const cl_mem value = memory_of(c.value);
    start("jastrow_f", c, seats, outputs_of(c.value, c.gradient, c.laplacian, value), gamma_.at_least(0), cutoff_.at_least(0));
    const Outputs derivatives = outputs_of(c.dvalue, c.dgradient, c.dlaplacian, value);
    if (derivatives.has) start("jastrow_f_derivatives", c, seats, derivatives, cutoff_.at_least(0));
  }

private:
  // `tables` stand between the ions and the outputs; the kernel without gamma needs the number of sets.
  template <class... Tables> void start(const char* name, const JastrowF& c, const Seats& s, const Outputs& out, const Tables&... tables) {
    const Layout layout{engine.lanes(std::max(s.first, s.netot - s.first)), s.netot, s.first};
    const cl_mem frame = electrons_.set(cell_, layout, s.rele, s.nwalker);
    const auto run = [&](auto... nset) {
      engine.start(f_term_text(), name, options_, s.rows(), layout.lanes, engine.local(), s.rele, s.rnew, frame, cell_.numbers(), in_frame_,
                   set_of_ion_.at_least(0), tables..., out.value, out.gradient, out.laplacian, out.has, nset..., as_int(c.nion()), s.one(),
                   as_int(s.moved.npos), as_int(s.netot), as_int(s.first), as_int(layout.begin(1)), as_int(layout.size()),
                   as_int(s.rows()));
    };
    if constexpr (sizeof...(Tables) == 1) run(nset_);
    else run();
  }

  Cell cell_{engine};
  Framed ions_{engine, "the ions"}, electrons_{engine, "the positions of the electrons"};
  opencl::Scratch gamma_{engine.scratch("the f term")}, cutoff_{engine.scratch("the f term")}, set_of_ion_{engine.scratch("the ions")};
  cl_mem in_frame_ = nullptr;
  cl_int nset_ = 0;
  std::string options_;
  std::vector<int32_t> nele_;
};

}  // namespace

extern const suite_kernel_table jastrow_f_table;
constexpr suite_kernel_table jastrow_f_table = kernel_table<JastrowF, JastrowFCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
