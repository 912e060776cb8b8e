// SPDX-License-Identifier: BSD-3-Clause
// Sets the arguments shared by the kernels of the trial function.
#pragma once

#include <suite/suite.hpp>

#include "crystal/crystal.hpp"
#include "jastrow.hpp"
#include "molecule/molecule.hpp"
#include "system.hpp"

namespace suite::vmc {

// s and j must outlive the kernel's use of them.
inline void set_system(Kernel& kernel, const System& s) {
  kernel.set("cell", s.cell.data(), {3, 3});
  kernel.set("nele", s.nele.data(), {2});
  kernel.set("kvec", s.kvec.data(), {3, s.nkvec()});
}

inline void set_u(Kernel& kernel, const Jastrow& j) {
  kernel.choose("form", qmc::forms[static_cast<size_t>(j.form)].name);
  kernel.set("alpha", j.alpha.data(), {j.nalpha, j.nset_u});
  kernel.set("L_u", j.L_u);
  kernel.set("truncation", static_cast<int32_t>(j.truncation));
}

inline void set_p(Kernel& kernel, const Jastrow& j) {
  kernel.set("gvec", j.gvec.data(), {3, j.ngvec()});
  kernel.set("star", j.star.data(), {j.ngvec()});
  kernel.set("a", j.a.data(), {j.nstar, j.nset_p});
}

inline void set_chi(Kernel& kernel, const Jastrow& j) {
  kernel.set("set_of_ion", j.set_of_ion.data(), {static_cast<int64_t>(j.set_of_ion.size())});
  kernel.set("beta", j.beta.data(), {j.nbeta, j.nspin_chi, j.nset_chi});
  kernel.set("L_chi", j.L_chi.data(), {j.nset_chi});
  kernel.set("truncation", static_cast<int32_t>(j.truncation));
}

inline void set_f(Kernel& kernel, const Jastrow& j) {
  kernel.set("set_of_ion", j.f_of_ion.data(), {static_cast<int64_t>(j.f_of_ion.size())});
  kernel.set("gamma", j.gamma.data(), {j.nf_en, j.nf_en, j.nf_ee, j.npair_f, j.nset_f});
  kernel.set("L_f", j.L_f.data(), {j.nset_f});
  kernel.set("truncation", static_cast<int32_t>(j.truncation));
}

// A whole term, for a kernel of its own.
inline void set_u_term(Kernel& kernel, const System& s, const Jastrow& j) {
  kernel.set("cell", s.cell.data(), {3, 3});
  kernel.set("nele", s.nele.data(), {2});
  set_u(kernel, j);
}
inline void set_p_term(Kernel& kernel, const System& s, const Jastrow& j) {
  kernel.set("cell", s.cell.data(), {3, 3});
  kernel.set("nele", s.nele.data(), {2});
  set_p(kernel, j);
}
inline void set_ions(Kernel& kernel, const System& s) {
  if (s.crystal()) kernel.set("cell", s.cell.data(), {3, 3});
  kernel.set("rion", s.molecule->rion.data(), {3, s.molecule->nion()});
  kernel.set("nele", s.nele.data(), {2});
}
inline void set_chi_term(Kernel& kernel, const System& s, const Jastrow& j) {
  set_ions(kernel, s);
  set_chi(kernel, j);
}
inline void set_f_term(Kernel& kernel, const System& s, const Jastrow& j) {
  set_ions(kernel, s);
  set_f(kernel, j);
}
using SetTerm = void (*)(Kernel&, const System&, const Jastrow&);

inline void set_factor(Kernel& kernel, const Jastrow& j) {
  kernel.choose("form", qmc::forms[static_cast<size_t>(j.form)].name);
  if (j.has_u()) set_u(kernel, j);
  if (j.has_p()) set_p(kernel, j);
}

// The orbitals of a spin, for qmc.orbitals_gaussian or qmc.orbitals_slater.
inline void set_shells(Kernel& kernel, const Molecule& m, int spin) {
  const auto& mo = m.mo[static_cast<size_t>(spin)];
  kernel.set("rion", m.rion.data(), {3, m.nion()});
  kernel.set("shell_ion", m.shell_ion.data(), {m.nshell()});
  kernel.set("shell_l", m.shell_l.data(), {m.nshell()});
  kernel.set("shell_first", m.shell_first.data(), {m.nshell() + 1});
  if (m.slater()) kernel.set("power", m.power.data(), {m.nprim()});
  kernel.set("exponent", m.exponent.data(), {m.nprim()});
  kernel.set("coefficient", m.coefficient.data(), {m.nprim()});
  kernel.set("mo", mo.data(), {m.nao(), static_cast<int64_t>(mo.size()) / m.nao()});
}

// The splines of a spin, for qmc.orbitals_blip.
inline void set_splines(Kernel& kernel, const Crystal& crystal, int spin) {
  const SplineTable& table = *crystal.spin[static_cast<size_t>(spin)];
  kernel.set("cell", crystal.spline_cell.data(), {3, 3});
  kernel.set("c", table.c.data(), {table.nspline, crystal.mesh[2], crystal.mesh[1], crystal.mesh[0]});
}

}  // namespace suite::vmc
