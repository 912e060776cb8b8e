// SPDX-License-Identifier: BSD-3-Clause
// The trial wavefunction of qmc.sweep and qmc.local_energy on the device.
#pragma once

#include <algorithm>

#include "p_term.hpp"
#include "u_term.hpp"

namespace suite::qmc::cl {

struct Trial {
  Trial(Engine& engine_, Form form)
      : engine(engine_),
        cell(engine),
        kvec(engine, "the wave vectors"),
        u(engine, cell, form),
        p(engine, cell) {}

  // What is derived from the constant arguments of kernel K.
  template <class K>
  void set(const suite_array* a) {
    cell.set(a[K::cell]);
    nele = engine.fetch<int32_t>(a[K::nele], "nele");
    waves = engine.fetch<int32_t>(a[K::kvec], "kvec");
    kvec.set(cell.lattice(), waves.data(), a[K::kvec].extent[1]);
    u.leave_out();
    p.leave_out();
    if (has_u(a[K::alpha], a[K::L_u], a[K::truncation])) u.set(a[K::alpha], a[K::L_u], a[K::truncation]);
    if (has_p(a[K::gvec], a[K::star], a[K::a])) p.set(a[K::gvec], a[K::star], a[K::a]);
  }
  template <class K>
  Electrons electrons(const suite_array* a) const {
    const Electrons e = electrons_of(a[K::rele], nele.data());
    check_orbitals(std::max(e.count(0), e.count(1)), a[K::kvec].extent[1], waves.data());
    check_dbar(e, a[K::dbar_up], a[K::dbar_dn]);
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
