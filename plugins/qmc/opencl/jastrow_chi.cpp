// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_chi (chi.cl).
#include "../chi.hpp"
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {
namespace {

class JastrowChiCL : public opencl::WithEngine<Engine, JastrowChi> {
public:
  JastrowChiCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p),
        cell_(engine),
        ions_(engine, "the ions"),
        beta_(engine.backend, engine.queue, "the chi term"),
        cutoff_(engine.backend, engine.queue, "the chi term"),
        set_of_ion_(engine.backend, engine.queue, "the ions") {}

  void prepare(const suite_array* arguments) {
    const JastrowChi c(arguments);
    cell_.set_or_open(c.cell);
    nele_ = engine.fetch<int32_t>(c.nele, "nele");
    const ChiTerm chi = chi_term(c, cell_.is_open() ? nullptr : &cell_.lattice(), [&](const auto& from, const char* name, auto& to) {
      to = engine.fetch<typename std::decay_t<decltype(to)>::value_type>(from, name);
    });
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
    const int lanes = engine.vector(), items = engine.local();
    const int64_t vectors = ceil_div(seats.rows(), lanes);
    const auto start = [&](const char* name, int64_t shares, const Outputs& out, auto... first) {
      const int64_t rows = ceil_div(as_int(shares), items);
      start_with(name, rows, lanes, items, c, seats, out, first...);
    };
    start("jastrow_chi", vectors, outputs_of(c.value, c.gradient, c.laplacian, value));
    const Outputs derivatives = outputs_of(c.dvalue, c.dgradient, c.dlaplacian, value);
    if (derivatives.has) start("jastrow_chi_derivatives", vectors * coefficients_, derivatives, nset_);
  }

private:
  void start_with(const char* name, int64_t rows, int lanes, int items, const JastrowChi& c, const Seats& s, const Outputs& out) {
    engine.start(text::chi, name, options_, rows, lanes, items, s.rele, s.rnew, cell_.numbers(), in_frame_, set_of_ion_.at_least(0),
                 beta_.at_least(0), cutoff_.at_least(0), out.value, out.gradient, out.laplacian, out.has, as_int(c.nion()), s.one(),
                 as_int(s.moved.npos), as_int(s.first), as_int(s.rows()), as_int(rows));
  }
  void start_with(const char* name, int64_t rows, int lanes, int items, const JastrowChi& c, const Seats& s, const Outputs& out,
                  cl_int nset) {
    engine.start(text::chi, name, options_, rows, lanes, items, s.rele, s.rnew, cell_.numbers(), in_frame_, set_of_ion_.at_least(0),
                 cutoff_.at_least(0), out.value, out.gradient, out.laplacian, out.has, nset, as_int(c.nion()), s.one(),
                 as_int(s.moved.npos), as_int(s.first), as_int(s.rows()), as_int(rows));
  }

  Cell cell_;
  Framed ions_;
  opencl::Scratch beta_, cutoff_, set_of_ion_;
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
