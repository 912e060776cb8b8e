// SPDX-License-Identifier: BSD-3-Clause
// Exchange and correlation: energy per electron, and derivatives of the energy density.
//
// Local-density approximation: Slater exchange with the correlation of Perdew and Wang (Phys. Rev. B 45, 13244 (1992)), of Perdew and Zunger
// (Phys. Rev. B 23, 5048 (1981)) or of Vosko, Wilk and Nusair (Can. J. Phys. 58, 1200 (1980), formula V). Functionals of the gradient, and of
// two spins, are libxc's.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace suite::app {

enum class Xc { pw92, pz81, vwn5, pbe, revpbe, rpbe, pbesol, blyp, bp86 };

// What inputs call them: the choices of a key "functional".
const std::vector<std::pair<const char*, Xc>>& named_functionals();
const char* name_of(Xc xc);
bool needs_gradients(Xc xc);
// Whether functionals of the gradient and of two spins can be computed.
bool have_libxc();

struct XcValues {
  double e;  // Ha, per electron
  double v;  // Ha, d(n e)/dn
  double f;  // Ha bohr^3, dv/dn
};

// density: bohr^-3, both spins together. All values are 0 for densities below 1e-24. Uses libxc if built with it, else
// own_exchange_correlation; they agree to a relative 1e-12 (vwn5: 1e-6, libxc's A has more digits).
// Without `second`, libxc does not compute f.
std::vector<XcValues> exchange_correlation(Xc xc, std::span<const double> density, bool second = true);
void exchange_correlation(Xc xc, std::span<const double> density, std::span<XcValues> values, bool second = true);

XcValues own_exchange_correlation(Xc xc, double density);

// Derivatives of n e by the spins' densities n_s and the products of their gradients, which for two spins are aa, ab, bb. Point by point,
// in libxc's order: of two spins nn aa, ab, bb; ns a.aa, a.ab, a.bb, b.aa, ...; ss aa.aa, aa.ab, aa.bb, ab.ab, ab.bb, bb.bb. Without
// gradients s, ns and ss are empty; nn, ns and ss are, if only the first derivatives are asked for.
struct XcDerivatives {
  std::vector<double> e;  // Ha, per electron
  std::vector<double> n, s, nn, ns, ss;
};
// densities: (n_spin,n_points), products: (1 or 3,n_points), or empty without gradients. Throws Failure where libxc is needed and absent.
XcDerivatives xc_derivatives(Xc xc, int n_spin, std::span<const double> densities, std::span<const double> products, bool second);

}  // namespace suite::app
