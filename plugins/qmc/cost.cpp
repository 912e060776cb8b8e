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
  return is_set(array) ? n : 0;
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

int put(suite_cost* cost, double flops, double bytes) {
  cost->flops = flops;
  cost->bytes = bytes;
  return SUITE_OK;
}

// A closest image and the distance, of positions in a frame of the lattice: tests/qmc/costs.cpp has what is
// counted, here and below, written out.
constexpr double image_flops = 40;
// u by Horner's rule, added up; with derivatives the division by r.
double u_flops(double nalpha, bool derivatives) { return derivatives ? 6 * nalpha + 46 : 2 * nalpha + 5; }
// exp(i G.r) as a product of two numbers, of which one belongs to a row of G, and its product with rho_G.
constexpr double wave_product = 6;
double wave_flops(bool derivatives) { return wave_product + (derivatives ? 15 : 4); }
// erfc(alpha r)/r of an image whose distance is there, times the charge, added up.
constexpr double screened_flops = 43;

// Besides, of an image that is not the closest the distance, of one beyond reach its square, and what a field
// takes.
constexpr double root_flops = 20, square_flops = 8, field_of_image = 36, field_of_wave = 9;

// What is asked of an Ewald sum of n charges.
struct EwaldWork {
  double n, npos = 0, tolerance = 1e-12;  // npos positions of one charge, or 0: all pairs
  bool each = false, field = false;       // energies or fields of every position; else totals
  double pairs() const { return npos > 0 ? n * npos : n * (n - 1) / 2; }
  double image() const { return screened_flops + (field ? field_of_image : 0); }
  // Weighted with rho_G and added up.
  double weighed() const { return 6 + (field ? field_of_wave : 0); }
};

// The range of the screening charge is the one that takes least; counted with the cell's edge as unit, since
// cost sees extents only. The exponentials that rho_G is made of serve its charges again.
double ewald_flops(const EwaldWork& work) {
  constexpr double sphere = 4.19, beyond = 0.6;  // in all directions, how far images must be looked at
  const double s = ewald_reach(work.tolerance);
  double least = HUGE_VAL;
  for (double alpha_L = 2; alpha_L < 15; alpha_L *= 1.05) {
    const double reach = s / alpha_L, images = std::max(1.0, sphere * std::pow(reach, 3)),
                 looked_at = reach <= 0.5 ? 1 : sphere * std::pow(reach + beyond, 3),
                 waves = sphere * std::pow(2 * alpha_L * s / 6.283, 3) / 2;
    const double of_pair =
        image_flops + images * work.image() + (images - 1) * root_flops + (looked_at - 1) * square_flops;
    const double of_wave =
        work.n * (wave_product + 2) + (work.npos > 0 ? work.npos * (wave_product + work.weighed())
                                       : work.each   ? work.n * work.weighed()
                                                     : 4);
    least = std::min(least, work.pairs() * of_pair + waves * of_wave);
  }
  return least;
}

// One electron against n others, and against rho_G.
double row_flops(const suite_array& alpha, double n, bool derivatives) {
  return is_set(alpha) ? n * (image_flops + u_flops(number(alpha.extent[0]), derivatives)) : 0;
}
double rho_flops(const suite_array& gvec, bool derivatives) {
  return is_set(gvec) ? number(gvec.extent[1]) * wave_flops(derivatives) : 0;
}
// An electron's part of rho_G.
double part_flops(const suite_array& gvec) {
  return is_set(gvec) ? number(gvec.extent[1]) * (wave_product + 2) : 0;
}

}  // namespace

int ClosestImages::cost(const suite_array* a, suite_cost* cost) {
  return put(cost, count(a[eevecs]) / 4 * image_flops, all_bytes<ClosestImages>(a));
}

int Ewald::cost(const suite_array* a, suite_cost* cost) {
  const double walkers = number(a[rele].extent[2]);
  EwaldWork work{number(a[rele].extent[1])};
  work.npos = is_set(a[rnew]) ? number(a[rnew].extent[1]) : 0;
  work.tolerance = std::clamp(scalar_or(a[ewald_tolerance], 1e-12), 1e-16, 1e-2);
  work.field = is_set(a[field]);
  work.each = work.field || is_set(a[energy]);
  if (!is_set(a[rhok])) return put(cost, walkers * ewald_flops(work), all_bytes<Ewald>(a));
  // As the caller's list has it: one image a pair.
  const double positions = work.npos > 0 ? work.npos : work.n;
  const double waves =
      number(a[gvec].extent[1]) * (work.each ? positions * (wave_product + work.weighed()) : 4);
  return put(cost, walkers * (work.pairs() * (image_flops + work.image()) + waves), all_bytes<Ewald>(a));
}

int JastrowU::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[rele].extent[1]), pairs = count(a[value]) * n / (is_set(a[ie]) ? 1 : 2);
  const double nalpha = number(a[alpha].extent[0]);
  const bool derivatives = is_set(a[gradient]) || is_set(a[laplacian]);
  // r^l and its derivatives share r^l (x - L)^C.
  const double by_parameter =
      (is_set(a[dvalue]) ? 3 : 0) + (is_set(a[dgradient]) ? 10 : 0) + (is_set(a[dlaplacian]) ? 8 : 0);
  return put(cost, pairs * (image_flops + u_flops(nalpha, derivatives) + by_parameter * nalpha),
             all_bytes<JastrowU>(a));
}

// By rho_G, which is made first where it is not given. By the coefficients both spins of the others are
// apart.
int JastrowP::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[rele].extent[1]), walkers = number(a[rele].extent[2]),
               waves = number(a[gvec].extent[1]);
  const bool derivatives = is_set(a[gradient]) || is_set(a[laplacian]);
  const double by_parameter = (is_set(a[dvalue]) ? 2 * 4 : 0) + (is_set(a[dgradient]) ? 2 * 9 : 0) +
                              (is_set(a[dlaplacian]) ? 2 * 2 : 0);
  return put(cost,
             count(a[value]) * waves * (wave_flops(derivatives) + by_parameter) +
                 (is_set(a[rhok]) ? 0 : walkers * n * waves * (wave_product + 2)),
             all_bytes<JastrowP>(a));
}

int StructureFactor::cost(const suite_array* a, suite_cost* cost) {
  const double waves = number(a[gvec].extent[1]), walkers = number(a[rele].extent[2]);
  const double electrons = is_set(a[ie]) ? 2 : number(a[rele].extent[1]);
  return put(cost, walkers * waves * (wave_product + 2) * electrons, all_bytes<StructureFactor>(a));
}

// Powers of three exponentials make a wave with 6 operations; both of its orbitals and their derivatives.
int OrbitalsFree::cost(const suite_array* a, suite_cost* cost) {
  const double per_orbital = 3 + (is_set(a[dphi]) ? 3 : 0) + (is_set(a[d2phi]) ? 1 : 0);
  return put(cost, count(a[phi]) * per_orbital, all_bytes<OrbitalsFree>(a));
}

// 64 coefficients per orbital; sums along z, then y, then x.
int OrbitalsBlip::cost(const suite_array* a, suite_cost* cost) {
  const double coefficient = a[c].type == SUITE_REAL32 ? 4 : 8;
  const bool derivatives = is_set(a[dphi]) || is_set(a[d2phi]);
  return put(cost, count(a[phi]) * 2 * (derivatives ? 64 * 3 + 16 * 6 + 4 * 10 : 64 + 16 + 4),
             count(a[phi]) * 64 * coefficient + all_bytes<OrbitalsBlip>(a) - bytes(a[c]));
}

int SlaterRatio::cost(const suite_array* a, suite_cost* cost) {
  const double sums = 1 + (is_set(a[dphi]) ? 3 : 0) + (is_set(a[d2phi]) ? 1 : 0);
  const double window = is_set(a[delayed_phi]) ? 4 * count(a[delayed_phi]) + 2 * count(a[delayed_binv]) : 0;
  const double columns = is_set(a[ie]) ? 1 : number(a[dbar].extent[0]);
  return put(cost, 2 * count(a[phi]) * sums + window * columns,
             (is_set(a[ie]) ? bytes(a[dbar]) / number(a[dbar].extent[0]) : bytes(a[dbar])) + bytes(a[phi]) +
                 bytes(a[dphi]) + bytes(a[d2phi]) + bytes(a[delayed_phi]) + bytes(a[delayed_dbar]));
}

// Each move costs 4 n^2 whether it waits or not; the matrices are read and written once per call.
int SlaterUpdate::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[dbar].extent[0]), walkers = number(a[dbar].extent[2]);
  const double moves = is_set(a[ie])            ? number(a[ie].extent[0])
                       : is_set(a[delayed_phi]) ? number(a[delayed_phi].extent[1])
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
  double flops = n * 2 * (row_flops(a[alpha], n - 1, false) + rho_flops(a[gvec], false));
  for (const int which : {dbar_up, dbar_dn}) {
    if (!is_set(a[which])) continue;
    const double size = number(a[which].extent[0]);
    flops += size * (5 * size + 2 * size * size);
  }
  return put(cost, walkers * sweeps * flops, all_bytes<Sweep>(a));
}

int LocalEnergy::cost(const suite_array* a, suite_cost* cost) {
  const double n = number(a[rele].extent[1]), walkers = number(a[rele].extent[2]);
  double flops = n / 2 * row_flops(a[alpha], n - 1, true) +
                 n * (rho_flops(a[gvec], true) + part_flops(a[gvec])) + ewald_flops({n});
  for (const int which : {dbar_up, dbar_dn}) {
    if (!is_set(a[which])) continue;
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
