// SPDX-License-Identifier: BSD-3-Clause
// Symbols and shells of the elements up to krypton.
#pragma once

#include <string>
#include <vector>

namespace suite::all_electron {

struct Shell {
  int n, l;
  double occupation;
};

inline constexpr int last_element = 36;
inline constexpr const char* shell_letters = "spdfghik";  // of l = 0, 1, 2 ...

// What to say of a symbol that atomic_number does not know, with the element that it might mean.
std::string no_such_element(const std::string& symbol);

// Occupied shells of the free atom in the order of n, then l: those of the atoms' ground states (Cr 3d5 4s1, Cu 3d10 4s1; otherwise
// Madelung's rule). Open shells are occupied equally in all directions and spins.
std::vector<Shell> ground_state_shells(int Z);

}  // namespace suite::all_electron
