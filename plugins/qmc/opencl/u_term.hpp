// SPDX-License-Identifier: BSD-3-Clause
// The u term on the device.
#pragma once

#include "waves.hpp"

namespace suite::qmc::cl {

class UOnDevice {
public:
  UOnDevice(Engine& engine, Cell& cell, Form form)
      : engine_(engine),
        cell_(cell),
        form_(form),
        coefficients_(engine.backend, engine.queue, "the u term"),
        frame_(engine, "the positions of the electrons") {}
  template <class Call> void set(const Call& c) { set(u_term(form_, c, cell_.lattice()), engine_.fetch<double>(c.alpha, "alpha")); }
  void leave_out() { term_ = {}; }
  bool there() const { return term_.there(); }
  std::string options() const;
  cl_mem coefficients() { return coefficients_.at_least(sizeof(double)); }
  double cutoff() const { return term_.L; }
  cl_int sets() const { return term_.nset; }

  // sum_{j/=i} u(r_ij) of the seats with derivatives, and the derivatives by the coefficients.
  void sums(const Seats& seats, const Outputs& out);
  void derivatives(const Seats& seats, const Outputs& out);

private:
  void set(const UTerm& term, std::vector<double> values);
  template <class... Arguments> void start(const char* name, const Seats& seats, const Outputs& out, const Arguments&... arguments);
  Engine& engine_;
  Cell& cell_;
  Form form_;
  UTerm term_;
  opencl::Scratch coefficients_;
  Framed frame_;
};

}  // namespace suite::qmc::cl
