// SPDX-License-Identifier: BSD-3-Clause
// The trial wavefunction of qmc.sweep and qmc.local_energy on the device.
#pragma once

#include <algorithm>

#include "p_term.hpp"
#include "u_term.hpp"

namespace suite::qmc::cl {

struct Trial {
  Trial(Engine& engine_, Form form)
      : engine(engine_), cell(engine), kvec(engine, "the wave vectors"), u(engine, cell, form), p(engine, cell) {}

  // What is derived from the constant arguments of a call.
  template <class Call> void set(const Call& c) {
    cell.set(c.cell);
    nele = engine.fetch<int32_t>(c.nele, "nele");
    waves = engine.fetch<int32_t>(c.kvec, "kvec");
    kvec.set(cell.lattice(), waves.data(), c.nkvec());
    u.leave_out();
    p.leave_out();
    if (has_u(c)) u.set(c);
    if (has_p(c)) p.set(c);
  }
  template <class Call> Electrons electrons(const Call& c) const {
    const Electrons e = electrons_of(c.rele, nele.data());
    check_orbitals(std::max(e.count(0), e.count(1)), c.nkvec(), waves.data());
    check_dbar(e, c);
    return e;
  }

  Engine& engine;
  Cell cell;
  WaveList kvec;
  UOnDevice u;
  POnDevice p;
  std::vector<int32_t> nele, waves;
};

}  // namespace suite::qmc::cl
