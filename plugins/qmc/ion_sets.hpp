// SPDX-License-Identifier: BSD-3-Clause
// Ions by sets of parameters, as terms of J with ions take them, checked. Host code.
#pragma once

#include <cstdint>
#include <vector>

#include "call.hpp"

namespace suite::qmc {

// set_of_ion(nion), from 1, made to count from 0; -1: none.
inline void check_sets_of_ions(std::vector<int32_t>& set_of_ion, int64_t nset) {
  for (size_t i = 0; i < set_of_ion.size(); ++i) {
    if (set_of_ion[i] < 0 || set_of_ion[i] > nset)
      refuse(concat(element("set_of_ion", i), " is ", set_of_ion[i], "; the sets are 1 to ", nset, ", and 0 is none"));
    --set_of_ion[i];
  }
}

// largest: in a cell, with what it is; below 0: open space.
inline void check_cutoffs(const char* name, const std::vector<double>& L, double largest, const char* what) {
  for (size_t s = 0; s < L.size(); ++s) {
    const std::string is = element(name, s) + " is " + text_of(L[s]) + " bohr; it must be ";
    if (!(L[s] > 0)) refuse(is + "positive");
    if (largest >= 0 && !(L[s] <= largest * (1 + 1e-9))) refuse(is + "at most " + what + " of the Wigner-Seitz cell, " + text_of(largest));
  }
}

inline void check_truncation(int C) {
  if (C != 2 && C != 3) refuse(concat("truncation is ", C, "; it must be one of 2, 3"));
}

}  // namespace suite::qmc
