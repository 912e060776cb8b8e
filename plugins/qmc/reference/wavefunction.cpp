// SPDX-License-Identifier: BSD-3-Clause
#include "kernels.hpp"

namespace suite::qmc::reference {

Local Wavefunction::jastrow(const Place& place) const {
  Local sum;
  const auto add = [&](const Local& term) {
    sum.value += term.value;
    sum.laplacian += term.laplacian;
    for (int d = 0; d < 3; ++d) sum.gradient.x[d] += term.gradient.x[d];
  };
  if (u.there()) add(jastrow_u(lattice, electrons, u, alpha, place));
  if (p.term.there()) add(jastrow_p(electrons, p, place));
  return sum;
}

}  // namespace suite::qmc::reference
