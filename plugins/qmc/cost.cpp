// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this family cost: the operations of the best way known to do what the kernel does, and
// the least traffic. Compiled into every implementation. FMA counts 2; a root, a division, a sine or cosine,
// an exponential or a complementary error function counts as about 20.
#include <algorithm>
#include <cmath>

#include "ewald.hpp"
#include "qmc.hpp"

namespace suite::qmc {
namespace {

double number(int64_t n) { return static_cast<double>(n); }
double count(const suite_array& array) {
  double n = 1;
  for (int d = 0; d < array.rank; ++d) n *= number(array.extent[d]);
  return array.rank < 0 ? 0 : n;
}
double bytes(const suite_array& array) {
  constexpr int sizes[] = {0, 4, 8, 4, 8, 8, 16};
  return array.rank > 0 ? count(array) * sizes[array.type] : 0;
}
template <class Kernel>
double all_bytes(const suite_array* a) {
  double sum = 0;
  for (size_t i = 0; i < std::size(Kernel::arguments); ++i) {
    const bool both = (Kernel::arguments[i].intent & SUITE_INOUT) == SUITE_INOUT;
    sum += bytes(a[i]) * (both ? 2 : 1);
  }
  return sum;
}
bool set(const suite_array& array) { return array.rank >= 0; }

int put(suite_cost* cost, double flops, double bytes) {
  cost->flops = flops;
  cost->bytes = bytes;
  return SUITE_OK;
}

// A closest image and the distance; u and its derivatives by Horner's rule.
constexpr double image_flops = 20 + 20;
double u_flops(double nalpha, bool derivatives) {
  return (derivatives ? 6 : 2) * nalpha + (derivatives ? 30 : 6);
}
// exp(i G.r) by powers, and a product with rho_G.
double wave_flops(bool derivatives) { return 12 + (derivatives ? 14 : 4); }

// The range of the screening charge that makes both sums of the structure-factor algorithm equal: alpha L =
// s (pi/2)^(1/2) (N/40)^(1/6) or so; counted with the cell's edge as unit, since cost sees extents only.
double ewald_flops(double n) {
  const double s = ewald_reach(1e-12), alpha_L = std::max(2.0, 2.4 * std::cbrt(std::sqrt(n)));
  const double images = 4.19 * std::pow(s / alpha_L, 3),
               waves = 4.19 * std::pow(2 * alpha_L * s / 6.283, 3) / 2;
  return n * (n - 1) / 2 * (image_flops + 40 * std::max(1.0, images)) + n * waves * 10;
}

// One electron against all others, and against rho_G.
double jastrow_flops(const suite_array& alpha, const suite_array& gvec, double n, bool derivatives) {
  double flops = 0;
  if (set(alpha)) flops += n * (image_flops + u_flops(number(alpha.extent[0]), derivatives));
  if (set(gvec)) flops += number(gvec.extent[1]) * wave_flops(derivatives);
  return flops;
}

}  // namespace

int ClosestImages::cost(const suite_array* a, suite_cost* cost) {
  return put(cost, count(a[eevecs]) / 4 * image_flops, all_bytes<ClosestImages>(a));
}

int Ewald::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[rele].extent[1]), walkers = number(a[rele].extent[2]);
  const double one = 2 * ewald_flops(n) / n, npos = set(a[rnew]) ? number(a[rnew].extent[1]) : 0;
  return put(cost, walkers * (npos > 0 ? npos * one : ewald_flops(n)), all_bytes<Ewald>(a));
}

int JastrowU::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[rele].extent[1]), pairs = count(a[value]) * n / (set(a[ie]) ? 1 : 2);
  const double nalpha = number(a[alpha].extent[0]);
  const bool derivatives = set(a[gradient]) || set(a[laplacian]);
  const double by_parameter =
      (set(a[dvalue]) ? 2 : 0) + (set(a[dgradient]) ? 8 : 0) + (set(a[dlaplacian]) ? 4 : 0);
  return put(cost, pairs * (image_flops + u_flops(nalpha, derivatives) + by_parameter * nalpha),
             all_bytes<JastrowU>(a));
}

// By rho_G, which is made first where it is not given.
int JastrowP::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[rele].extent[1]), walkers = number(a[rele].extent[2]),
               waves = number(a[gvec].extent[1]);
  const bool derivatives = set(a[gradient]) || set(a[laplacian]) || set(a[dgradient]) || set(a[dlaplacian]);
  return put(cost,
             count(a[value]) * waves * wave_flops(derivatives) + (set(a[rhok]) ? 0 : walkers * n * waves * 8),
             all_bytes<JastrowP>(a));
}

int StructureFactor::cost(const suite_array* a, suite_cost* cost) {
  const double waves = number(a[gvec].extent[1]), walkers = number(a[rele].extent[2]);
  return put(cost, walkers * waves * 8 * (set(a[ie]) ? 2 : number(a[rele].extent[1])),
             all_bytes<StructureFactor>(a));
}

// Powers of three exponentials make a wave with 6 operations; both of its orbitals and their derivatives.
int OrbitalsFree::cost(const suite_array* a, suite_cost* cost) {
  const double per_orbital = 3 + (set(a[dphi]) ? 3 : 0) + (set(a[d2phi]) ? 1 : 0);
  return put(cost, count(a[phi]) * per_orbital, all_bytes<OrbitalsFree>(a));
}

// 64 coefficients per orbital; sums along z, then y, then x.
int OrbitalsBlip::cost(const suite_array* a, suite_cost* cost) {
  const double coefficient = a[c].type == SUITE_REAL32 ? 4 : 8;
  const bool derivatives = set(a[dphi]) || set(a[d2phi]);
  return put(cost, count(a[phi]) * 2 * (derivatives ? 64 * 3 + 16 * 6 + 4 * 10 : 64 + 16 + 4),
             count(a[phi]) * 64 * coefficient + all_bytes<OrbitalsBlip>(a) - bytes(a[c]));
}

int SlaterRatio::cost(const suite_array* a, suite_cost* cost) {
  const double sums = 1 + (set(a[dphi]) ? 3 : 0) + (set(a[d2phi]) ? 1 : 0);
  const double window = set(a[delayed_phi]) ? 4 * count(a[delayed_phi]) + 2 * count(a[delayed_binv]) : 0;
  const double columns = set(a[ie]) ? 1 : number(a[dbar].extent[0]);
  return put(cost, 2 * count(a[phi]) * sums + window * columns,
             (set(a[ie]) ? bytes(a[dbar]) / number(a[dbar].extent[0]) : bytes(a[dbar])) + bytes(a[phi]) +
                 bytes(a[dphi]) + bytes(a[d2phi]) + bytes(a[delayed_phi]) + bytes(a[delayed_dbar]));
}

// Each move costs 4 n^2 whether it waits or not; the matrices are read and written once per call.
int SlaterUpdate::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[dbar].extent[0]), walkers = number(a[dbar].extent[2]);
  const double moves = set(a[ie])            ? number(a[ie].extent[0])
                       : set(a[delayed_phi]) ? number(a[delayed_phi].extent[1])
                                             : 0;
  return put(cost, walkers * moves * 4 * n * n, all_bytes<SlaterUpdate>(a));
}

int SlaterInvert::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[phi].extent[0]);
  return put(cost, number(a[phi].extent[2]) * 2 * n * n * n, all_bytes<SlaterInvert>(a));
}

// Every electron: both terms of the Jastrow factor here and there, the orbitals and their ratio; half of the
// moves are accepted, each for 4 n^2.
int Sweep::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[rele].extent[1]), walkers = number(a[rele].extent[2]),
               sweeps = number(scalar_or<int32_t>(a[nsweep], 1));
  double flops = n * 2 * jastrow_flops(a[alpha], a[gvec], n, false);
  for (const int which : {dbar_up, dbar_dn}) {
    if (!set(a[which])) continue;
    const double size = number(a[which].extent[0]);
    flops += size * (6 * size + 2 * size * size);
  }
  return put(cost, walkers * sweeps * flops, all_bytes<Sweep>(a));
}

int LocalEnergy::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[rele].extent[1]), walkers = number(a[rele].extent[2]);
  double flops = n / 2 * jastrow_flops(a[alpha], a[gvec], n, true) + ewald_flops(n);
  for (const int which : {dbar_up, dbar_dn}) {
    if (!set(a[which])) continue;
    const double size = number(a[which].extent[0]);
    flops += 16 * size * size;
  }
  return put(cost, walkers * flops, all_bytes<LocalEnergy>(a));
}

int Branch::cost(const suite_array* a, suite_cost* cost) {
  const double share = number(a[from].extent[0]) / number(a[rele].extent[2]);
  return put(cost, 0, share * all_bytes<Branch>(a));
}

}  // namespace suite::qmc
