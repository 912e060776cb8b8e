// SPDX-License-Identifier: BSD-3-Clause
// Local-density exchange and correlation of closed shells: energy per electron, potential and its density derivative.
//
// Slater exchange with the correlation of Perdew and Wang (Phys. Rev. B 45, 13244 (1992)), of Perdew and
// Zunger (Phys. Rev. B 23, 5048 (1981)) or of Vosko, Wilk and Nusair (Can. J. Phys. 58, 1200 (1980), formula
// V).
#pragma once

#include <span>
#include <vector>

namespace suite::all_electron {

enum class Xc { pw92, pz81, vwn5 };

struct XcValues {
  double e;  // Ha, per electron
  double v;  // Ha, d(n e)/dn
  double f;  // Ha bohr^3, dv/dn
};

// density: bohr^-3, both spins together. All values are 0 for densities below 1e-24. Uses libxc if built with it, else
// own_exchange_correlation; they agree to a relative 1e-12 (vwn5: 1e-6, libxc's A has more digits).
std::vector<XcValues> exchange_correlation(Xc xc, std::span<const double> density);
void exchange_correlation(Xc xc, std::span<const double> density, std::span<XcValues> values);

XcValues own_exchange_correlation(Xc xc, double density);

// pw92, pz81, vwn5
const char* name_of(Xc xc);

}  // namespace suite::all_electron
