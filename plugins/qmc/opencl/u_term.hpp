// SPDX-License-Identifier: BSD-3-Clause
// The u term on the device.
#pragma once

#include "engine.hpp"

namespace suite::qmc::cl {

class UOnDevice {
public:
  UOnDevice(Engine& engine, Form form)
      : engine_(engine), form_(form), coefficients_(engine.backend, engine.queue, "the u term") {}
  void set(const suite_array& alpha, const suite_array& L_u, const suite_array& truncation,
           const Lattice& lattice);
  void leave_out() { term_ = {}; }
  bool there() const { return term_.there(); }
  std::string options() const;
  cl_mem coefficients() { return coefficients_.at_least(sizeof(double)); }
  double cutoff() const { return term_.L; }
  cl_int sets() const { return term_.nset; }

private:
  Engine& engine_;
  Form form_;
  UTerm term_;
  opencl::Scratch coefficients_;
};

}  // namespace suite::qmc::cl
