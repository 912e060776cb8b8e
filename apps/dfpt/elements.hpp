// SPDX-License-Identifier: BSD-3-Clause
// Symbols and shells of the elements up to argon.
#pragma once

#include <vector>

namespace suite::all_electron {

struct Shell {
  int n, l;
  double occupation;
};

inline constexpr int last_element = 18;
inline constexpr const char* shell_letters = "spdfghik";  // of l = 0, 1, 2 ...

// Shells of the free atom by Madelung's rule; open shells are occupied equally in all directions and spins.
std::vector<Shell> ground_state_shells(int Z);

}  // namespace suite::all_electron
