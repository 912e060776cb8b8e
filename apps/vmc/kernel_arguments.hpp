// SPDX-License-Identifier: BSD-3-Clause
// Sets the arguments shared by the kernels of the trial function.
#pragma once

#include <suite/suite.hpp>

#include "jastrow.hpp"
#include "system.hpp"

namespace suite::vmc {

// s and j must outlive the kernel's use of them.
inline void set_system(Kernel& kernel, const System& s) {
  kernel.set("cell", s.cell.data(), {3, 3});
  kernel.set("nele", s.nele.data(), {2});
  kernel.set("kvec", s.kvec.data(), {3, s.nkvec()});
}

inline void set_factor(Kernel& kernel, const Jastrow& j) {
  kernel.choose("form", qmc::forms[static_cast<size_t>(j.form)].name);
  if (j.has_u()) {
    kernel.set("alpha", j.alpha.data(), {j.nalpha, j.nset_u});
    kernel.set("L_u", j.L_u);
    kernel.set("truncation", static_cast<int32_t>(j.truncation));
  }
  if (j.has_p()) {
    kernel.set("gvec", j.gvec.data(), {3, j.ngvec()});
    kernel.set("star", j.star.data(), {j.ngvec()});
    kernel.set("a", j.a.data(), {j.nstar, j.nset_p});
  }
}

}  // namespace suite::vmc
