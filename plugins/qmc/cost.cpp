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
template <class Kernel> double all_bytes(const suite_array* arguments) {
  double sum = 0;
  for (size_t i = 0; i < rows<Kernel>.size(); ++i) sum += bytes(arguments[i]) * (rows<Kernel>[i].intent == SUITE_INOUT ? 2 : 1);
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
    const double of_pair = image_flops + images * work.image() + (images - 1) * root_flops + (looked_at - 1) * square_flops;
    const double of_wave = work.n * (wave_product + 2) + (work.npos > 0 ? work.npos * (wave_product + work.weighed())
                                                          : work.each   ? work.n * work.weighed()
                                                                        : 4);
    least = std::min(least, work.pairs() * of_pair + waves * of_wave);
  }
  return least;
}

// One electron against n others, and against rho_G.
double row_flops(const Wavefunction& c, double n, bool derivatives) {
  return c.alpha.is_set() ? n * (image_flops + u_flops(number(c.alpha.extent(0)), derivatives)) : 0;
}
double rho_flops(const Wavefunction& c, bool derivatives) { return c.gvec.is_set() ? number(c.ngvec()) * wave_flops(derivatives) : 0; }
// An electron's part of rho_G.
double part_flops(const Wavefunction& c) { return c.gvec.is_set() ? number(c.ngvec()) * (wave_product + 2) : 0; }

}  // namespace

int ClosestImages::cost(const suite_array* arguments, suite_cost* cost) {
  const ClosestImages c(arguments);
  return put(cost, count(c.eevecs) / 4 * image_flops, all_bytes<ClosestImages>(arguments));
}

int IonDistances::cost(const suite_array* arguments, suite_cost* cost) {
  const IonDistances c(arguments);
  // In open space a difference and a root.
  return put(cost, count(c.eivecs) / 4 * (c.cell.is_set() ? image_flops : 8 + root_flops), all_bytes<IonDistances>(arguments));
}

int Ewald::cost(const suite_array* arguments, suite_cost* cost) {
  const Ewald c(arguments);
  const double walkers = number(c.nwalker()), all = all_bytes<Ewald>(arguments);
  EwaldWork work{number(c.netot())};
  work.npos = c.rnew.is_set() ? number(c.rnew.extent(1)) : 0;
  work.tolerance = std::clamp<double>(c.ewald_tolerance, 1e-16, 1e-2);
  work.field = c.field.is_set();
  work.each = work.field || c.energy.is_set();
  if (!c.rhok.is_set()) return put(cost, walkers * ewald_flops(work), all);
  // As the caller's list has it: one image a pair.
  const double positions = work.npos > 0 ? work.npos : work.n;
  const double waves = number(c.gvec.extent(1)) * (work.each ? positions * (wave_product + work.weighed()) : 4);
  return put(cost, walkers * (work.pairs() * (image_flops + work.image()) + waves), all);
}

int JastrowU::cost(const suite_array* arguments, suite_cost* cost) {
  const JastrowU c(arguments);
  const double pairs = count(c.value) * number(c.netot()) / (c.rnew.is_set() ? 1 : 2);
  const double nalpha = number(c.alpha.extent(0));
  const bool derivatives = c.gradient.is_set() || c.laplacian.is_set();
  // r^l and its derivatives share r^l (x - L)^C.
  const double by_parameter = (c.dvalue.is_set() ? 3 : 0) + (c.dgradient.is_set() ? 10 : 0) + (c.dlaplacian.is_set() ? 8 : 0);
  return put(cost, pairs * (image_flops + u_flops(nalpha, derivatives) + by_parameter * nalpha), all_bytes<JastrowU>(arguments));
}

// Of every ion, as if all electrons were within its cutoff. In open space a difference and a root instead of an image.
int JastrowChi::cost(const suite_array* arguments, suite_cost* cost) {
  const JastrowChi c(arguments);
  const double pairs = count(c.value) * number(c.nion()), nbeta = number(c.beta.extent(0));
  const bool derivatives = c.gradient.is_set() || c.laplacian.is_set();
  const double by_parameter = (c.dvalue.is_set() ? 3 : 0) + (c.dgradient.is_set() ? 10 : 0) + (c.dlaplacian.is_set() ? 8 : 0);
  const double distance = c.cell.is_set() ? image_flops : 8 + root_flops;
  return put(cost, pairs * (distance + u_flops(nbeta, derivatives) + by_parameter * nbeta), all_bytes<JastrowChi>(arguments));
}

// Of every ion, as if all electrons were within its cutoff: gamma and the powers of r_i make tables that serve all others.
int JastrowF::cost(const suite_array* arguments, suite_cost* cost) {
  const JastrowF c(arguments);
  const double n = number(c.netot()), walkers = number(c.nwalker()), ions = number(c.nion()), positions = count(c.value);
  const double nen = number(c.gamma.extent(0)), nee = number(c.gamma.extent(2)), sets = std::min<double>(2, number(c.gamma.extent(3)));
  const bool slopes = c.gradient.is_set() || c.laplacian.is_set();
  const bool by_parameters = c.dvalue.is_set() || c.dgradient.is_set() || c.dlaplacian.is_set();
  const double distance = c.cell.is_set() ? image_flops : 8 + root_flops;
  const double of_pair = distance + (slopes || by_parameters ? root_flops : 0);
  const double of_term = 4 + (slopes ? 6 * nen * nee + 12 * nee + 34 : 2 * nen * nee + 2 * nee + 2) +
                         (by_parameters ? nen * (2 + 2 * nee + 9 * (nee - 1)) : 0);
  const double of_ion = distance + nen * (slopes || by_parameters ? 55 : 2) + sets * nen * nen * nee * (slopes ? 6 : 2) +
                        (by_parameters ? sets * nen * nee * (6 + 27 * nen) : 0);
  return put(cost, walkers * n * ions * distance + positions * (n * of_pair + n * ions * of_term + ions * of_ion),
             all_bytes<JastrowF>(arguments));
}

// By rho_G, which is made first where it is not given. By the coefficients both spins of the others are
// apart.
int JastrowP::cost(const suite_array* arguments, suite_cost* cost) {
  const JastrowP c(arguments);
  const double n = number(c.netot()), walkers = number(c.nwalker()), waves = number(c.ngvec());
  const bool derivatives = c.gradient.is_set() || c.laplacian.is_set();
  const double by_parameter = (c.dvalue.is_set() ? 2 * 4 : 0) + (c.dgradient.is_set() ? 2 * 9 : 0) + (c.dlaplacian.is_set() ? 2 * 2 : 0);
  return put(
      cost,
      count(c.value) * waves * (wave_flops(derivatives) + by_parameter) + (c.rhok.is_set() ? 0 : walkers * n * waves * (wave_product + 2)),
      all_bytes<JastrowP>(arguments));
}

int StructureFactor::cost(const suite_array* arguments, suite_cost* cost) {
  const StructureFactor c(arguments);
  const double electrons = c.rnew.is_set() ? 2 : number(c.netot());
  return put(cost, number(c.nwalker()) * number(c.ngvec()) * (wave_product + 2) * electrons, all_bytes<StructureFactor>(arguments));
}

// Powers of three exponentials make a wave with 6 operations; both of its orbitals and their derivatives.
int OrbitalsFree::cost(const suite_array* arguments, suite_cost* cost) {
  const OrbitalsFree c(arguments);
  const double per_orbital = 3 + (c.dphi.is_set() ? 3 : 0) + (c.d2phi.is_set() ? 1 : 0);
  return put(cost, count(c.phi) * per_orbital, all_bytes<OrbitalsFree>(arguments));
}

// 64 coefficients per orbital; sums along z, then y, then x.
int OrbitalsBlip::cost(const suite_array* arguments, suite_cost* cost) {
  const OrbitalsBlip call(arguments);
  const double coefficient = call.c.is<single>() ? 4 : 8;
  const bool derivatives = call.dphi.is_set() || call.d2phi.is_set();
  return put(cost, count(call.phi) * 2 * (derivatives ? 64 * 3 + 16 * 6 + 4 * 10 : 64 + 16 + 4),
             count(call.phi) * 64 * coefficient + all_bytes<OrbitalsBlip>(arguments) - bytes(call.c));
}

// The exponentials and the sums of the primitives (R, and with derivatives R'/r and the bracket of the Laplacian), harmonics, of which
// each takes a few products, and the product of matrices.
int OrbitalsGaussian::cost(const suite_array* arguments, suite_cost* cost) {
  const OrbitalsGaussian c(arguments);
  const bool derivatives = c.dphi.is_set() || c.d2phi.is_set();
  const double nprim = number(c.nprim()), nao = number(c.nao()), norb = number(c.norb());
  const double of_position = derivatives ? 27 * nprim + 14 * nao + 10 * nao * norb : 23 * nprim + 2 * nao + 2 * nao * norb;
  return put(cost, number(c.positions()) * of_position, all_bytes<OrbitalsGaussian>(arguments));
}

// The same with a root and a reciprocal for the distance from each ion, and three powers of it for each primitive.
int OrbitalsSlater::cost(const suite_array* arguments, suite_cost* cost) {
  const OrbitalsSlater c(arguments);
  const bool derivatives = c.dphi.is_set() || c.d2phi.is_set();
  const double nion = number(c.nion()), nprim = number(c.nprim()), nao = number(c.nao()), norb = number(c.norb());
  const double of_position = 40 * nion + (derivatives ? 33 * nprim + 14 * nao + 10 * nao * norb : 24 * nprim + 2 * nao + 2 * nao * norb);
  return put(cost, number(c.positions()) * of_position, all_bytes<OrbitalsSlater>(arguments));
}

// As if every electron were within the cutoffs of mpair ions. A rotation is two sines, two cosines, two roots and the products of a
// quaternion; a term of v_l an exponential, its power and the factor of l; the axis three products; a point its cosine, the polynomials,
// of which l = 2 is counted, and where it is.
int Pseudopotential::cost(const suite_array* arguments, suite_cost* cost) {
  const Pseudopotential c(arguments);
  const double electrons = number(c.nelectron() * c.nwalker()), pairs = electrons * number(c.mpair()), points = pairs * number(c.npoint());
  const double terms = number(c.nterm()) / number(c.nset());
  const double rotation = c.stream.is_set() ? 6 * root_flops + 43 : 0, of_term = root_flops + 5.5, axis = 18;
  const double of_point = 13 + (c.points.is_set() ? 24 : 0) + (c.ratio.is_set() ? 2 : 0);
  return put(cost,
             electrons * number(c.nion()) * (c.cell.is_set() ? image_flops : 8 + root_flops) + pairs * (rotation + axis + of_term * terms) +
                 points * of_point,
             all_bytes<Pseudopotential>(arguments));
}

int SlaterRatio::cost(const suite_array* arguments, suite_cost* cost) {
  const SlaterRatio c(arguments);
  // A scalar that is set may have no value yet.
  const bool one = is_set(arguments[position<SlaterRatio>("ie")]);
  const double sums = 1 + (c.dphi.is_set() ? 3 : 0) + (c.d2phi.is_set() ? 1 : 0);
  const double window = c.delayed_phi.is_set() ? 4 * count(c.delayed_phi) + 2 * count(c.delayed_binv) : 0;
  return put(cost, 2 * count(c.phi) * sums + window * (one ? 1 : number(c.n())),
             bytes(c.dbar) / (one ? number(c.n()) : 1) + bytes(c.phi) + bytes(c.dphi) + bytes(c.d2phi) + bytes(c.delayed_phi) +
                 bytes(c.delayed_dbar));
}

// Each move costs 4 n^2 whether it waits or not; the matrices are read and written once per call.
int SlaterUpdate::cost(const suite_array* arguments, suite_cost* cost) {
  const SlaterUpdate c(arguments);
  const double n = number(c.n());
  const double moves = c.ie.is_set() ? number(c.ie.extent(0)) : c.delayed_phi.is_set() ? number(c.kmax()) : 0;
  return put(cost, number(c.nwalker()) * moves * 4 * n * n, all_bytes<SlaterUpdate>(arguments));
}

int SlaterInvert::cost(const suite_array* arguments, suite_cost* cost) {
  const SlaterInvert c(arguments);
  const double n = number(c.n());
  return put(cost, number(c.nwalker()) * 2 * n * n * n, all_bytes<SlaterInvert>(arguments));
}

// Every electron: both terms of the Jastrow factor here and there, the orbitals and their ratio; half of the
// moves are accepted, each for 4 n^2.
int Sweep::cost(const suite_array* arguments, suite_cost* cost) {
  const Sweep c(arguments);
  const double n = number(c.rele.extent(1));
  double flops = n * 2 * (row_flops(c, n - 1, false) + rho_flops(c, false));
  for (const auto* dbar : {&c.dbar_up, &c.dbar_dn}) {
    if (!dbar->is_set()) continue;
    const double size = number(dbar->extent(0));
    flops += size * (5 * size + 2 * size * size);
  }
  return put(cost, number(c.nwalker()) * number(c.nsweep) * flops, all_bytes<Sweep>(arguments));
}

int LocalEnergy::cost(const suite_array* arguments, suite_cost* cost) {
  const LocalEnergy c(arguments);
  const double n = number(c.netot());
  double flops = n / 2 * row_flops(c, n - 1, true) + n * (rho_flops(c, true) + part_flops(c)) + ewald_flops({n});
  for (const auto* dbar : {&c.dbar_up, &c.dbar_dn}) {
    if (!dbar->is_set()) continue;
    const double size = number(dbar->extent(0));
    flops += 16 * size * size;
  }
  return put(cost, number(c.nwalker()) * flops, all_bytes<LocalEnergy>(arguments));
}

int Branch::cost(const suite_array* arguments, suite_cost* cost) {
  const Branch c(arguments);
  return put(cost, 0, number(c.nwalker()) / number(c.nslot()) * all_bytes<Branch>(arguments));
}

}  // namespace suite::qmc
