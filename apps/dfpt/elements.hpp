// SPDX-License-Identifier: BSD-3-Clause
// Names and shells of the elements up to argon.
#pragma once

#include <vector>

namespace suite::all_electron {

struct Shell {
  int n, l;
  double occupation;
};

inline constexpr int last_element = 18;

// The free atom's shells by Madelung's rule, open ones spread over all directions and spins alike.
std::vector<Shell> ground_state_shells(int Z);

}  // namespace suite::all_electron
