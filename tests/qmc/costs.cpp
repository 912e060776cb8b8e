// SPDX-License-Identifier: BSD-3-Clause
// The flops that costs state against arithmetic written out with a number that counts, within 10 %, with and
// without each optional argument that changes it. The loops are the best way known to do what the kernel
// does, not what the reference does; loops that only repeat are gone through once and multiplied.
#include "../common/costs.hpp"
#include "support.hpp"

#include <array>

#include <ewald.hpp>

using namespace qmc_test;
using suite::test::Counted, suite::test::CountedComplex, suite::test::flops_of;

namespace {

// The vector between two electrons and its length: the rule of fcc (images.hpp).
Counted image(Counted (&d)[3]) {
  const Counted to[3] = {0.3, 0.4, -0.2}, from[3] = {1.7, -0.6, 0.1};
  Counted n[3];
  for (int k = 0; k < 3; ++k) {
    d[k] = to[k] - from[k];
    n[k] = nearest(d[k]);
    d[k] = d[k] - n[k];
  }
  const Counted half = (n[0] + n[1] + n[2]) * 0.5;
  if (nearest(half) < half) d[0] = d[0] - 1.0;
  else d[1] = d[1] - 1.0;
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * 2.0;
}

// The same in open space.
Counted open_distance(Counted (&d)[3]) {
  const Counted to[3] = {0.3, 0.4, -0.2}, from[3] = {1.7, -0.6, 0.1};
  for (int k = 0; k < 3; ++k) d[k] = to[k] - from[k];
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// One electron against one other, nalpha = n, C = 3.
struct Wanted {
  bool derivatives = false, dvalue = false, dgradient = false, dlaplacian = false;
};
void u_of_a_pair(int n, const Wanted& wanted, bool open = false) {
  Counted d[3], p, p1, p2, value, gradient[3], laplacian;
  const Counted r = open ? open_distance(d) : image(d), c = 0.1, x = r - 3.0;
  for (int l = 0; l < n; ++l) {
    if (wanted.derivatives) {
      p2 = p2 * r + p1;
      p1 = p1 * r + p;
    }
    p = p * r + c;
  }
  const Counted f1 = x * x, f = f1 * x;
  value += f * p;
  Counted slope;
  if (wanted.derivatives || wanted.dgradient || wanted.dlaplacian) slope = 1.0 / r;
  if (wanted.derivatives) {
    const Counted first = 3.0 * f1 * p + f * p1, second = 6.0 * x * p + 6.0 * f1 * p1 + 2.0 * f * p2, by_r = first * slope;
    for (int k = 0; k < 3; ++k) gradient[k] += by_r * d[k];
    laplacian += second + 2.0 * by_r;
  }
  // f r^l: its first derivative is r^l (3 x^2 + l f/r), and so on.
  Counted power = f, dvalue, dgradient[3], dlaplacian;
  const Counted three = 3.0 * f1, six = 6.0 * x, over = f * slope, square = slope * slope;
  for (int l = 0; l < n; ++l) {
    if (wanted.dvalue) dvalue += power * (1.0 + c);
    if (wanted.dgradient) {
      const Counted first = (three + double(l) * over) * power * slope;
      for (int k = 0; k < 3; ++k) dgradient[k] += first * d[k];
    }
    if (wanted.dlaplacian) dlaplacian += (six + double(2 * l + 2) * three * slope + double(l * l + l) * f * square) * power;
  }
}

// exp(i G.r) of one wave, whose row has its factor.
CountedComplex wave() { return CountedComplex{0.3, 0.9} * CountedComplex{0.8, 0.6}; }
void p_of_a_wave(const Wanted& wanted) {
  const CountedComplex e = wave(), b{0.1, 0.2};
  const Counted G[3] = {1, 2, 3}, square = 14;
  Counted value, gradient[3], laplacian;
  const Counted even = e.re * b.re + e.im * b.im;
  value += even;
  if (wanted.derivatives) {
    const Counted odd = e.im * b.re - e.re * b.im;
    for (int k = 0; k < 3; ++k) gradient[k] += G[k] * odd;
    laplacian += square * even;
  }
  for (int spin = 0; spin < 2; ++spin) {
    Counted of_spin, by_spin;
    if (wanted.dvalue) value += (of_spin = e.re * b.re + e.im * b.im);
    if (wanted.dgradient) {
      by_spin = e.im * b.re - e.re * b.im;
      for (int k = 0; k < 3; ++k) gradient[k] += G[k] * by_spin;
    }
    if (wanted.dlaplacian) laplacian += square * of_spin;
  }
}
double factor_of_a_wave() {
  return flops_of([] {
    CountedComplex rho;
    rho = rho + wave();
  });
}
double dot_flops(double n) {
  return n * flops_of([] {
           Counted sum;
           sum += Counted(2) * Counted(3);
         });
}

// Ewald sums: the closest image of a pair; erfc(alpha r)/r of one within reach, added up; w Re(e conj rho),
// added up; and -grad of both.
void distance() {
  Counted d[3];
  image(d);
}
void image_of_pair(bool field) {
  const Counted r = 0.5, inverse = 1.0 / r, screened = erfc(Counted(2) * r) * inverse;
  Counted sum, fields[2][3];
  sum += Counted(-1) * screened;
  if (!field) return;
  const Counted slope = (screened + 2.0 * exp(r * r * 4.0)) * (inverse * inverse);
  for (auto& of_charge : fields)
    for (Counted& x : of_charge) x += slope * 0.3;
}
void weigh(bool field) {
  const CountedComplex e{0.6, 0.8}, rho{0.1, 0.2};
  Counted sum, of_field[3];
  const Counted w = 0.01, re = w * rho.re, im = w * rho.im;
  sum += e.re * re + e.im * im;
  if (!field) return;
  const Counted odd = e.im * re - e.re * im;
  for (Counted& x : of_field) x += odd * 0.3;
}
void size_of_rho() {
  const CountedComplex rho{0.1, 0.2};
  Counted sum;
  sum += Counted(0.01) * (rho.re * rho.re + rho.im * rho.im);
}

// Images within reach of a pair, and those that must be looked at: lattice vectors no longer than the reach
// and the distance together. In the mean over pairs of the first walker.
struct Images {
  double within = 0, looked_at = 0;
};
Images images_of(const Lattice& lattice, const suite::qmc::EwaldSums& sums, const double* r, int64_t n) {
  Images mean;
  double pairs = 0;
  for (int64_t j = 0; j + 1 < std::min<int64_t>(n, 200); ++j, ++pairs) {
    double d[3];
    for (int k = 0; k < 3; ++k) d[k] = r[3 * j + k] - r[3 * j + 3 + k];
    closest_image(lattice.images, d[0], d[1], d[2]);
    const double length = std::hypot(d[0], d[1], d[2]);
    for (int64_t m = 0; m < sums.image_count(); ++m) {
      const double* const R = &sums.images[static_cast<size_t>(3 * m)];
      mean.within += m == 0 || std::hypot(d[0] - R[0], d[1] - R[1], d[2] - R[2]) < sums.r_cut;
      mean.looked_at += std::hypot(R[0], R[1], R[2]) <= sums.r_cut + length;
    }
  }
  return {mean.within / pairs, sums.r_cut <= lattice.inscribed_radius ? 1 : mean.looked_at / pairs};
}

// At the range of the screening charge that takes least.
double ewald_flops(suite::Kernel& k) {
  const Lattice lattice = suite::qmc::lattice_of(static_cast<const double*>(k.argument("cell").data));
  const suite_array rele = k.argument("rele"), rnew = k.argument("rnew");
  const suite_array given = k.argument("ewald_tolerance");
  const double tolerance = given.data ? *static_cast<const double*>(given.data) : 1e-12;
  const bool field = k.argument("field").data, each = field || k.argument("energy").data;
  const auto n = static_cast<double>(rele.extent[1]), npos = rnew.data ? static_cast<double>(rnew.extent[1]) : 0;
  const double root = flops_of([] { (void)sqrt(Counted(2)); }), square = flops_of([] {
                                                                  Counted d[3];
                                                                  for (Counted& x : d) x = x - 1.0;
                                                                  (void)(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                                                                });
  double least = HUGE_VAL;
  for (double alpha_L = 2.1; alpha_L < 13; alpha_L *= 1.1) {
    const auto sums = suite::qmc::ewald_sums(lattice, alpha_L / std::cbrt(lattice.volume), tolerance);
    const Images images = images_of(lattice, sums, static_cast<const double*>(rele.data), rele.extent[1]);
    const double of_pair = flops_of([] { distance(); }) + images.within * flops_of([=] { image_of_pair(field); }) +
                           (images.within - 1) * root + (images.looked_at - 1) * square;
    const double weighed = flops_of([=] { weigh(field); }), product = flops_of([] { wave(); });
    const double of_wave =
        n * (product + flops_of([] { (void)(CountedComplex{} + CountedComplex{}); })) + (npos > 0 ? npos * (product + weighed)
                                                                                         : each   ? n * weighed
                                                                                                  : flops_of([] { size_of_rho(); }));
    const double pairs = npos > 0 ? n * npos : n * (n - 1) / 2;
    least = std::min(least, pairs * of_pair + static_cast<double>(sums.g_count()) * of_wave);
  }
  return least * static_cast<double>(rele.extent[2]);
}

// One position: harmonics of each ion up to its largest l by the recursions of solid_harmonics.hpp, gradients from them, an exponential
// for each primitive, and the product with the orbitals. Slater functions need the distance, its reciprocal and powers of it.
void shells_at(suite::Kernel& k, bool slater, bool derivatives) {
  const suite_array shells = k.argument("shell_l"), ions = k.argument("shell_ion"), firsts = k.argument("shell_first"),
                    mo = k.argument("mo");
  const auto* const shell_l = static_cast<const int32_t*>(shells.data);
  const auto* const shell_ion = static_cast<const int32_t*>(ions.data);
  const auto* const first = static_cast<const int32_t*>(firsts.data);
  for (int64_t s = 0; s < shells.extent[0]; ++s) {
    const int l = shell_l[s];
    Counted x = 0.3, y = 0.2, z = 0.1, r2 = 0.14, c = 0.5, R, D, B;
    if (s == 0 || shell_ion[s] != shell_ion[s - 1]) {
      x = x - 1.0, y = y - 1.0, z = z - 1.0;
      r2 = x * x + y * y + z * z;
      if (slater) (void)(1.0 / sqrt(r2));
    }
    for (int32_t p = first[s]; p < first[s + 1]; ++p) {
      const Counted e = exp(c * r2);
      if (slater) (void)(c * e);  // times a power
      R += c * e;
      if (derivatives) D += c * e, B += c * e;
      if (derivatives && slater) D += c * e, B += c * e, B += c * e;
    }
    if (derivatives && !slater) B = B * r2 + 3.0 * D;
    const bool again = s > 0 && shell_ion[s] == shell_ion[s - 1] && shell_l[s] == l;  // the ion has these harmonics
    for (int m = 0; m <= l; ++m)
      for (int sine = 0; sine < (m ? 2 : 1); ++sine) {
        Counted S = c, gradient[3];
        if (l > 0 && !again) {
          S = m < l ? c * z * S : c * (x * S - y * S);
          if (m + 2 <= l) S -= c * r2 * S;
        }
        if (l > 0 && !again && derivatives) {
          gradient[0] = m ? c * S - c * S : S;
          gradient[1] = m ? c * S + c * S : S;
          gradient[2] = c * S;
        }
        (void)(R * S);
        if (!derivatives) continue;
        const Counted slope = D * S;
        for (Counted& g : gradient) g = R * g + slope * x;
        (void)(B * S);
      }
  }
  const int64_t sums = mo.extent[0] * mo.extent[1] * (derivatives ? 5 : 1);
  for (int64_t i = 0; i < sums; ++i) {
    Counted sum;
    sum += Counted(2) * Counted(3);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(costs)

BOOST_AUTO_TEST_CASE(images_and_u) {
  Counted d[3];
  states("qmc.closest_images", "lattice=fcc,netot=14,nwalker=2,nfrom=3,nto=19", 2 * 3 * 19 * flops_of([&] { image(d); }));
  const std::pair<const char*, Wanted> wanted[] = {
      {"gradient=0", {}}, {"gradient=1", {true}}, {"gradient=1,derivatives=1", {true, true, true, true}}};
  for (const auto& [keys, what] : wanted)
    for (const int nalpha : {4, 9}) {
      const double pair = flops_of([&, &w = what] { u_of_a_pair(nalpha, w); });
      const std::string size = std::string("nup=20,ndn=13,nwalker=2,nalpha=") + std::to_string(nalpha) + "," + keys;
      states("qmc.jastrow_u", size, 2 * 33 * 32 / 2 * pair);
      states("qmc.jastrow_u", size + ",one=1,npos=3", 2 * 3 * 32 * pair);
    }
}

BOOST_AUTO_TEST_CASE(distances_and_chi_of_ions) {
  Counted d[3];
  states("qmc.ion_distances", "lattice=fcc,netot=14,nwalker=2,nion=9", 2 * 14 * 9 * flops_of([&] { image(d); }));
  states("qmc.ion_distances", "netot=14,nwalker=2,nion=9,open=1", 2 * 14 * 9 * flops_of([&] { open_distance(d); }));
  const std::pair<const char*, Wanted> wanted[] = {
      {"gradient=0", {}}, {"gradient=1", {true}}, {"gradient=1,derivatives=1", {true, true, true, true}}};
  for (const auto& [keys, what] : wanted)
    for (const bool open : {false, true})
      for (const int nbeta : {4, 9}) {
        const double pair = flops_of([&, &w = what] { u_of_a_pair(nbeta, w, open); });
        const std::string size = "nup=7,ndn=6,nwalker=2,nion=9,nspin=2,nbeta=" + std::to_string(nbeta) + (open ? ",open=1," : ",") + keys;
        states("qmc.jastrow_chi", size, 2 * 13 * 9 * pair);
        states("qmc.jastrow_chi", size + ",one=1,npos=3", 2 * 3 * 9 * pair);
      }
}

// All electrons are close to all ions: distances, powers of the electron's own, tables with gamma, and polynomials of each pair at each
// ion.
BOOST_AUTO_TEST_CASE(f_at_ions) {
  const Counted r = 0.7, g = 0.3;
  const auto term = [&](int nen, int nee, bool slopes, bool derivatives) {
    const Counted x = r - 3.0, cut = x * x * x;
    Counted q, q1, q2, s, s1, t, value, gradient[3], laplacian;
    for (int n = 0; n < nee; ++n) {
      Counted h[3];
      for (int m = 0; m < nen; ++m)
        for (int k = 0; k < (slopes ? 3 : 1); ++k) h[k] = h[k] * r + g;
      if (slopes) {
        q2 = q2 * r + q1;
        q1 = q1 * r + q;
        s1 = s1 * r + s;
        s = s * r + h[1];
        t = t * r + h[2];
      }
      q = q * r + h[0];
    }
    value += cut * q;
    if (slopes) {
      const Counted slope = cut * (q1 * g), across = (g * r + g * r + g * r) * g, along = cut * s;
      for (Counted& d : gradient) d = d + (along * g + slope * r);
      laplacian += cut * (t + 2.0 * (q2 + s + s1 * across)) + 2.0 * slope;
    }
    if (!derivatives) return;
    Counted of_m = cut;
    for (int m = 0; m < nen; ++m, of_m = of_m * r) {
      Counted power = of_m, w = of_m * g, sums[5];
      for (int n = 0; n < nee; ++n) {
        sums[0] += power;
        power = power * r;
        if (n == 0) continue;
        const Counted v = double(n) * w;
        for (int d = 0; d < 3; ++d) sums[1 + d] += v * r;
        sums[4] += v;
        w = w * r;
      }
    }
  };
  const auto own = [&](int nen, bool slopes) {
    const Counted x = r - 3.0;
    Counted q = x * x * x;
    for (int l = 0; l < nen; ++l, q = q * r) {
      if (!slopes) continue;
      const Counted over = 1.0 / x, inverse = 1.0 / r, first = 3.0 * over + double(l) * inverse;  // of the logarithm
      (void)(first * q * inverse);
      (void)((first * first - 3.0 * over * over - double(l) * inverse * inverse) * q);
    }
  };
  const auto tables = [&](int nen, int nee, bool slopes, bool derivatives) {
    for (int k = 0; k < nen * nee; ++k)
      for (int l = 0; l < nen; ++l) {
        Counted h[3];
        for (int order = 0; order < (slopes ? 3 : 1); ++order) h[order] += g * r;
      }
    for (int k = 0; k < nen * nee && derivatives; ++k) {
      const Counted across = (g * r + g * r + g * r) * g;
      for (int l = 0; l < nen; ++l) {
        Counted of_gamma[5];
        of_gamma[0] += g * r;
        for (int d = 0; d < 3; ++d) of_gamma[1 + d] += g * r * g + r * g;
        of_gamma[4] += (g + 2.0 * r) * g + 2.0 * r * g + 2.0 * r * across;
      }
    }
  };
  const std::pair<const char*, std::array<bool, 2>> wanted[] = {
      {"gradient=0", {false, false}}, {"gradient=1", {true, false}}, {"gradient=1,derivatives=1", {true, true}}};
  for (const auto& [keys, what] : wanted)
    for (const bool open : {false, true})
      for (const auto& [nen, nee] : {std::pair{4, 4}, std::pair{3, 5}, std::pair{6, 2}}) {
        const bool slopes = what[0], derivatives = what[1];
        Counted d[3];
        const double distance = flops_of([&] { open ? open_distance(d) : image(d); });
        const double pair = distance + (slopes ? flops_of([&] { (void)(1.0 / r); }) : 0);
        const double of_term = flops_of([&, l = nen, n = nee] { term(l, n, slopes, derivatives); });
        const double ion = distance + flops_of([&, l = nen] { own(l, slopes); }) +
                           2 * flops_of([&, l = nen, n = nee] { tables(l, n, slopes, derivatives); });
        const std::string size = "nup=7,ndn=6,nwalker=2,nion=9,nset_f=2,nf_en=" + std::to_string(nen) + ",nf_ee=" + std::to_string(nee) +
                                 (open ? ",open=1," : ",lattice=fcc,") + keys;
        states("qmc.jastrow_f", size, 2 * (13 * 9 * distance + 13 * (13 * pair + 13 * 9 * of_term + 9 * ion)));
        states("qmc.jastrow_f", size + ",one=1,npos=3", 2 * (13 * 9 * distance + 3 * (13 * pair + 13 * 9 * of_term + 9 * ion)));
      }
}

// All ions are close: a rotation and two terms for each of three l, then the points.
BOOST_AUTO_TEST_CASE(pseudopotentials) {
  const auto pair = [](int npoint, bool turned, bool ratios) {
    const Counted half = 0.5, c = 0.3;
    if (turned) {
      Counted q[4];
      for (Counted& x : q) x = exp(c);  // as dear as a sine or cosine: of two angles both
      const Counted a = sqrt(half), b = sqrt(c);  // of the two halves
      for (Counted& x : q) x = x * (&x < q + 2 ? a : b);
      for (int i = 0; i < 3; ++i) {
        (void)(1.0 - 2.0 * (q[0] * q[1] + q[2] * q[3]));
        for (int j = 0; j < 2; ++j) (void)(2.0 * (q[0] * q[1] + q[2] * q[3]));
      }
    }
    for (int t = 0; t < 6; ++t) {
      Counted v = c * exp(half * c * c);
      if (t % 2) v = v * c;
      v = v * 3.0 + c;
    }
    for (int axis = 0; axis < 3; ++axis) (void)((c * half + c * half + c * half) * half);
    for (int point = 0; point < npoint; ++point) {
      const Counted x = c * half + c * half + c * half;
      const Counted p2 = 1.5 * x * x - half;
      const Counted weight = half * (c + c * x + c * p2);
      for (int d = 0; d < 3; ++d) (void)(c + (half * (c * half + c * half + c * half) - c));
      Counted sum;
      if (ratios) sum += weight * half;
    }
  };
  for (const char* keys : {"npoint=6", "npoint=12", "npoint=50", "npoint=12,turn=0", "npoint=12,ratio=0"})
    for (const bool open : {false, true}) {
      const std::string text = keys;
      const int npoint = text.find("50") != std::string::npos ? 50 : text.find("12") != std::string::npos ? 12 : 6;
      Counted d[3];
      const double of_ion = flops_of([&] { open ? open_distance(d) : image(d); });
      const double of_pair =
          flops_of([&] { pair(npoint, text.find("turn=0") == std::string::npos, text.find("ratio=0") == std::string::npos); });
      states("qmc.pseudopotential", "nup=3,ndn=2,nwalker=2,nion=4,nset=2," + text + (open ? ",open=1" : ""), 10 * 4 * (of_ion + of_pair));
    }
}

BOOST_AUTO_TEST_CASE(orbitals_of_shells) {
  for (const bool slater : {false, true})
    for (const char* basis : {"nion=5,zeta=3,norb=5", "nion=3,zeta=4,norb=17", "nion=4,zeta=2,norb=9", "nion=9,zeta=1,norb=6"})
      for (const bool derivatives : {false, true})
        states(slater ? "qmc.orbitals_slater" : "qmc.orbitals_gaussian",
               std::string(basis) + ",npos=3,nwalker=2,gradient=" + (derivatives ? "1" : "0"),
               [&](suite::Kernel& k) { return 6 * flops_of([&] { shells_at(k, slater, derivatives); }); });
}

BOOST_AUTO_TEST_CASE(p_and_structure_factors) {
  const std::pair<const char*, Wanted> wanted[] = {
      {"gradient=0", {}}, {"gradient=1", {true}}, {"gradient=1,derivatives=1", {true, true, true, true}}};
  const double of_wave = factor_of_a_wave();
  for (const auto& [keys, what] : wanted) {
    const double wave = flops_of([&, &w = what] { p_of_a_wave(w); });
    const std::string size = std::string("nup=7,ndn=6,nwalker=2,ngvec=29,") + keys;
    states("qmc.jastrow_p", size + ",rhok=1", 2 * 13 * 29 * wave);
    states("qmc.jastrow_p", size, 2 * 13 * 29 * (wave + of_wave));
    states("qmc.jastrow_p", size + ",one=1,npos=3,rhok=1", 2 * 3 * 29 * wave);
    states("qmc.jastrow_p", size + ",one=1,npos=3", 2 * 29 * (3 * wave + 13 * of_wave));
  }
  states("qmc.structure_factor", "nup=7,ndn=6,nwalker=2,ngvec=29", 2 * 13 * 29 * of_wave);
  states("qmc.structure_factor", "nup=7,ndn=6,nwalker=2,ngvec=29,charge=1", 2 * 13 * 29 * of_wave);
  states("qmc.structure_factor", "nup=7,ndn=6,nwalker=2,ngvec=29,one=1,accept=1", 2 * 2 * 29 * of_wave);
}

BOOST_AUTO_TEST_CASE(ewald_with_a_structure_factor) {
  suite::Kernel open("qmc.ewald", "reference");
  open.generate("netot=40,lattice=fcc,one=1,rhok=1", 1);
  const auto waves = static_cast<double>(open.argument("gvec").extent[1]);
  const double n = 40;
  for (const bool field : {false, true}) {
    const double of_pair = flops_of([] { distance(); }) + flops_of([=] { image_of_pair(field); }),
                 of_wave = flops_of([=] { wave(), weigh(field); });
    const std::string size = std::string("netot=40,lattice=fcc,rhok=1") + (field ? ",field=1" : "");
    states("qmc.ewald", size + ",one=1", n * of_pair + waves * of_wave);
    states("qmc.ewald", size + ",one=1,npos=3", 3 * (n * of_pair + waves * of_wave));
    states("qmc.ewald", size, n * (n - 1) / 2 * of_pair + n * waves * of_wave);
    if (!field) states("qmc.ewald", size + ",energy=0", n * (n - 1) / 2 * of_pair + waves * flops_of([] { size_of_rho(); }));
  }
}

BOOST_AUTO_TEST_CASE(ewald_alone) {
  for (const char* lattice : {"sc", "fcc"})
    for (const char* netot : {"14", "54", "300"})
      for (const char* keys : {",one=1", ",one=1,npos=4", ",one=1,field=1", "", ",energy=0", ",field=1", ",ewald_tolerance=1e-6",
                               ",one=1,ewald_tolerance=1e-6"})
        states("qmc.ewald", std::string("netot=") + netot + ",lattice=" + lattice + keys, ewald_flops);
}

BOOST_AUTO_TEST_CASE(orbitals_of_both_kinds) {
  // One product of two powers makes both of a wave's orbitals; their derivatives are products with k and k^2.
  const auto free = [](bool derivatives) {
    return flops_of([=] {
      const CountedComplex e = wave();
      if (!derivatives) return;
      for (int k = 0; k < 3; ++k) (void)(Counted(k) * e.re), (void)(Counted(k) * e.im);
      (void)(Counted(5) * e.re), (void)(Counted(5) * e.im);
    });
  };
  for (const bool derivatives : {false, true})
    states("qmc.orbitals_free", std::string("netot=66,nwalker=2,npos=3,norb=41,gradient=") + (derivatives ? "1" : "0"),
           2 * 3 * 20 * free(derivatives));
  // Sums over 4 coefficients along z, then y, then x; with derivatives 3 sums along z (value, first, second),
  // 6 along y, 10 along x.
  for (const bool derivatives : {false, true}) {
    const double sums = derivatives ? 16 * 3 + 4 * 6 + 10 : 16 + 4 + 1;
    states("qmc.orbitals_blip", std::string("norb=17,npos=7,nwalker=2,Nx=6,Ny=6,Nz=6,gradient=") + (derivatives ? "1" : "0"),
           17 * 7 * 2 * sums * dot_flops(4));
  }
}

BOOST_AUTO_TEST_CASE(determinants) {
  const double n = 24;
  states("qmc.slater_ratio", "nup=24,one=1,npos=4,gradient=0", 4 * dot_flops(n));
  states("qmc.slater_ratio", "nup=24,one=1,npos=4,gradient=1", 4 * 5 * dot_flops(n));
  states("qmc.slater_ratio", "nup=24,gradient=0", n * dot_flops(n));
  // Through a window of k moves a column takes k sums for t, k^2 for d and k columns.
  const double k = 8, column = k * dot_flops(n) + k * dot_flops(k) + k * dot_flops(n);
  states("qmc.slater_ratio", "nup=24,one=1,npos=1,gradient=0,kmax=8,waiting=8", column + dot_flops(n));
  states("qmc.slater_ratio", "nup=24,gradient=0,kmax=8,waiting=8", n * (column + dot_flops(n)));
  // A move: the product of the inverse with the new column, and the change of the inverse.
  const double move = n * dot_flops(n) + n * dot_flops(n);
  states("qmc.slater_update", "nup=24,nupdate=5,ordered=1,nwalker=2", 2 * 5 * move);
  states("qmc.slater_update", "nup=24,nupdate=5,ordered=1,nwalker=2,kmax=8,waiting=0", 2 * 5 * move);
  states("qmc.slater_update", "nup=24,nwalker=2,kmax=8,waiting=8,flush=1", 2 * k * move);
  // Gauss and Jordan in place: every column from every other one.
  states("qmc.slater_invert", "nup=24,nwalker=2", 2 * n * (n - 1) * dot_flops(n));
}

// A sweep tries every electron at two places, by value, and half of the moves are accepted; a local energy
// has every derivative once.
BOOST_AUTO_TEST_CASE(sweeps_and_local_energies) {
  const double n = 27, value = flops_of([] { u_of_a_pair(9, {}); }), of_wave = flops_of([] { p_of_a_wave({}); }),
               derived = flops_of([] { u_of_a_pair(9, {true}); }), wave_derived = flops_of([] { p_of_a_wave({true}); });
  const double orbitals = n / 2 * flops_of([] { wave(); });
  const std::string heg = "nup=27,ndn=27,rs=1,nalpha=9,ngvec=28,nwalker=2";
  const double updates = 2 * n * (orbitals + dot_flops(n) + 0.5 * 2 * n * dot_flops(n));
  states("qmc.sweep", heg, 2 * (54 * 2 * (53 * value + 28 * of_wave) + updates));
  states("qmc.sweep", heg + ",p=0", 2 * (54 * 2 * 53 * value + updates));
  states("qmc.sweep", heg + ",u=0", 2 * (54 * 2 * 28 * of_wave + updates));
  states("qmc.sweep", heg + ",u=0,p=0,nsweep=3", 2 * 3 * updates);
  // The parts of a local energy, by what each adds to the others.
  const auto energy = [&](const std::string& keys) {
    suite::Kernel open("qmc.local_energy", "reference");
    open.generate(heg + keys, 1);
    return open.cost().flops;
  };
  const double none = energy(",u=0,p=0");
  const auto adds = [&](const char* keys, double counted) {
    const double stated = energy(keys) - none;
    BOOST_CHECK_MESSAGE(std::abs(stated / counted - 1) <= 0.1, keys << ": " << stated << " stated, " << counted);
  };
  adds(",p=0", 2 * 54 * 53 / 2 * derived);
  adds(",u=0", 2 * 54 * 28 * (wave_derived + factor_of_a_wave()));
}

BOOST_AUTO_TEST_SUITE_END()
