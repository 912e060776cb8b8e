// SPDX-License-Identifier: BSD-3-Clause
// Semi-local pseudopotentials: wave functions whose angular integrals are known, and the ions that count.
#include "support.hpp"

#include <limits>

using namespace qmc_test;

namespace {

struct ChannelTerm {
  int32_t set, l, power;
  double exponent, coefficient;
  double at(double r) const { return coefficient * std::pow(r, power) * std::exp(-exponent * r * r); }
};

// Electrons and ions with potentials; an empty cell is open space.
struct Atoms {
  Numbers cell, rion, rele, cutoff;
  Indices set_of_ion;
  std::vector<ChannelTerm> terms;
  int64_t nwalker = 1, npoint = 12, mpair = 0;  // 0: all ions
  std::vector<int64_t> stream;                  // empty: the rule is not turned
  int64_t seed = 3, sweep = 7;

  int64_t nion() const { return std::ssize(set_of_ion); }
  int64_t netot() const { return std::ssize(rele) / (3 * nwalker); }
  int64_t pairs() const { return mpair > 0 ? mpair : nion(); }
  double potential(int set, int l, double r) const {
    double sum = 0;
    for (const ChannelTerm& t : terms)
      if (t.set == set && t.l == l) sum += t.at(r);
    return sum;
  }
};

struct Quadrature {
  Numbers weight, points, energy, negative;
  Indices ion;
};

void set(Call& call, const Atoms& x, int32_t ie) {
  const auto column = [&](auto member) {
    std::vector<std::decay_t<decltype(x.terms.front().*member)>> values;
    for (const ChannelTerm& t : x.terms) values.push_back(t.*member);
    return values;
  };
  const int64_t nterm = std::ssize(x.terms);
  call.forget();
  if (!x.cell.empty()) call.numbers("cell", x.cell, {3, 3});
  call.numbers("rion", x.rion, {3, x.nion()});
  call.indices("set_of_ion", x.set_of_ion, {x.nion()});
  call.numbers("cutoff", x.cutoff, {std::ssize(x.cutoff)});
  call.indices("term_set", column(&ChannelTerm::set), {nterm});
  call.indices("term_l", column(&ChannelTerm::l), {nterm});
  call.indices("power", column(&ChannelTerm::power), {nterm});
  call.numbers("exponent", column(&ChannelTerm::exponent), {nterm});
  call.numbers("coefficient", column(&ChannelTerm::coefficient), {nterm});
  call.numbers("rele", x.rele, {3, x.netot(), x.nwalker});
  if (ie) call.count("ie", ie);
  if (x.stream.empty()) return;
  call.kernel().set("seed", x.seed);
  call.kernel().set("sweep", x.sweep);
  call.kernel().set("stream", x.stream.data(), {x.nwalker});
}

// As a host does it: the points, psi there, the energies. psi(electron, r) may change with the electron only.
template <class Psi> Quadrature energies(Call& call, const Atoms& x, const Psi& psi, int32_t ie = 0) {
  const int64_t n = ie ? 1 : x.netot(), W = x.nwalker, K = x.pairs(), Q = x.npoint, count = Q * K * n * W;
  const auto many = [](int64_t size) { return Numbers(static_cast<size_t>(size), 1e30); };
  Quadrature q;
  set(call, x, ie);
  call.numbers("weight", many(count), {Q, K, n, W});
  call.numbers("points", many(3 * count), {3, Q, K, n, W});
  call.indices("ion", Indices(static_cast<size_t>(K * n * W), -1), {K, n, W});
  call.run();
  q.weight = call.get_numbers("weight");
  q.points = call.get_numbers("points");
  q.ion.resize(static_cast<size_t>(K * n * W));
  call.kernel().get("ion", q.ion.data(), {K, n, W});
  Numbers ratio(static_cast<size_t>(count), 1e30);  // not looked at where there is no ion
  for (int64_t k = 0; k < count; ++k) {
    const int64_t pair = k / Q, w = pair / K / n, i = ie ? ie - 1 : pair / K % n;
    if (q.ion[static_cast<size_t>(pair)] > 0) ratio[static_cast<size_t>(k)] = psi(&q.points[3 * k]) / psi(&x.rele[3 * (i + x.netot() * w)]);
  }
  set(call, x, ie);
  call.numbers("weight", many(count), {Q, K, n, W});
  call.numbers("ratio", ratio, {Q, K, n, W});
  call.numbers("energy", many(n * W), {n, W});
  call.numbers("negative", many(count), {Q, K, n, W});
  call.run();
  BOOST_TEST((call.get_numbers("weight") == q.weight));
  q.energy = call.get_numbers("energy");
  q.negative = call.get_numbers("negative");
  for (size_t k = 0; k < ratio.size(); ++k) {
    const double term = q.ion[k / static_cast<size_t>(Q)] > 0 ? q.weight[k] * ratio[k] : 0;
    check_below(call, "negative term off by", std::abs(q.negative[k] - std::min(term, 0.0)), 1e-15 * (1 + std::abs(term)));
  }
  return q;
}

double legendre(int l, double x) {
  if (l == 0) return 1;
  double before = 1, now = x;
  for (int n = 1; n < l; ++n) {
    const double next = ((2 * n + 1) * x * now - n * before) / (n + 1);
    before = now;
    now = next;
  }
  return now;
}

double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Two electrons near one ion, l alone, of the strength 1 where the first electron is.
Atoms one_channel(int32_t l, int64_t npoint, bool turned) {
  Atoms x;
  x.rion = {0.3, -0.2, 0.1};
  x.rele = {0.7, 0.1, -0.2, 0.2, -0.7, 0.5};
  x.cutoff = {2};
  x.set_of_ion = {1};
  x.terms = {{1, l, 1, 0.7, 1.3}};
  x.npoint = npoint;
  if (turned) x.stream = {npoint};
  return x;
}

// Seven ions of two potentials and four electrons in two walkers, all l.
Atoms many_ions(const Numbers& cell, bool open) {
  Atoms x;
  if (!open) x.cell = cell;
  x.rion = positions(cell, 7, 61);
  x.rele = positions(cell, 8, 62);
  x.set_of_ion = {1, 2, 0, 1, 2, 2, 1};
  const double radius = suite::qmc::lattice_of(cell.data()).inscribed_radius;
  x.cutoff = {0.95 * radius, 0.6 * radius};
  for (int32_t l = 0; l < 5; ++l) x.terms.push_back({1, l, l % 3, 0.5 + 0.1 * l, 1.0 - 0.4 * l});
  x.terms.push_back({2, 1, 0, 1.5, 2.0});
  x.terms.push_back({2, 1, -1, 0.9, -0.7});
  x.nwalker = 2;
  x.npoint = 50;
  x.stream = {5, (int64_t{9} << 32) + 1};
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pseudopotential)

// <P_l(d.n) P_L(a.n)> = P_l(d.a)/(2l+1) for l = L, 0 for others: a rule has it as long as l + L is at most its degree, and beyond
// somewhere not.
BOOST_AUTO_TEST_CASE(rules_are_exact_to_their_degree) {
  const double a[] = {0.48, -0.6, 0.64};
  for (const auto& [npoint, degree] : {std::pair{6, 3}, {12, 5}, {18, 5}, {26, 7}, {50, 11}})
    for (const bool turned : {false, true})
      each("qmc.pseudopotential", [&, npoint = npoint, degree = degree](Call& call) {
        double inside = 0, beyond = 0;
        for (int32_t l = 0; l < 5; ++l) {
          const Atoms x = one_channel(l, npoint, turned);
          for (int L = 0; L < 9; ++L) {
            const Quadrature found = energies(call, x, [&](const double* r) {
              const double d[] = {r[0] - x.rion[0], r[1] - x.rion[1], r[2] - x.rion[2]};
              return 0.1 + legendre(L, dot(a, d) / std::sqrt(dot(d, d)));
            });
            for (int i = 0; i < 2; ++i) {
              const double d[] = {x.rele[3 * i] - x.rion[0], x.rele[3 * i + 1] - x.rion[1], x.rele[3 * i + 2] - x.rion[2]};
              const double r = std::sqrt(dot(d, d)), cosine = dot(a, d) / r;
              const double exact = x.terms[0].at(r) * ((l == L) * legendre(l, cosine) + 0.1 * (l == 0)) / (0.1 + legendre(L, cosine));
              (l + L <= degree ? inside : beyond) = std::max(l + L <= degree ? inside : beyond, std::abs(found.energy[i] - exact));
            }
          }
        }
        check_below(call, "energy off by", inside, 2e-13);
        BOOST_TEST(beyond > 1e-4);
      });
}

// psi = cos(k.r + 0.4): (2l+1) i^l j_l(kr) P_l(k.d) about each ion; psi = exp(-a (r-b)^2): the same with i_l(2 a r s), s from the ion to b.
BOOST_AUTO_TEST_CASE(plane_waves_and_gaussians_have_their_closed_forms) {
  const double k[] = {0.31, -0.22, 0.17}, b[] = {0.2, 0.4, -0.3}, a = 0.08;
  for (const bool gaussian : {false, true}) {
    const Numbers cell = scaled(fcc, 6);
    const Atoms x = many_ions(cell, true);
    const auto psi = [&](const double* r) {
      const double s[] = {r[0] - b[0], r[1] - b[1], r[2] - b[2]};
      return gaussian ? std::exp(-a * dot(s, s)) : std::cos(dot(k, r) + 0.4);
    };
    each("qmc.pseudopotential", [&](Call& call) {
      const Quadrature found = energies(call, x, psi);
      for (int64_t i = 0; i < 8; ++i) {
        const double* const at = &x.rele[3 * i];
        double exact = 0;
        for (int64_t ion = 0; ion < 7; ++ion) {
          const int set = x.set_of_ion[ion];
          const double* const R = &x.rion[3 * ion];
          const double d[] = {at[0] - R[0], at[1] - R[1], at[2] - R[2]}, s[] = {b[0] - R[0], b[1] - R[1], b[2] - R[2]};
          const double r = std::sqrt(dot(d, d)), distance = std::sqrt(dot(s, s)), wave = std::sqrt(dot(k, k));
          if (set == 0 || r >= x.cutoff[set - 1]) continue;
          for (int l = 0; l < 5; ++l) {
            const double v = x.potential(set, l, r);
            if (gaussian) {
              const double z = 2 * a * r * distance, bessel = std::sqrt(pi / (2 * z)) * std::cyl_bessel_i(l + 0.5, z);
              exact += v * (2 * l + 1) * std::exp(-a * (r * r + distance * distance)) * bessel * legendre(l, dot(s, d) / (distance * r));
            } else {
              const double phase = dot(k, R) + 0.4 + 0.5 * pi * l;  // i^l
              exact += v * (2 * l + 1) * std::sph_bessel(l, wave * r) * legendre(l, dot(k, d) / (wave * r)) * std::cos(phase);
            }
          }
        }
        check_below(call, "energy off by", std::abs(found.energy[i] - exact / psi(at)), 3e-7);
      }
    });
  }
}

// In a cell a function of its period has the energy of the images around; the points lie on spheres around the closest one.
BOOST_AUTO_TEST_CASE(ions_of_a_cell_are_their_closest_images) {
  for (const Numbers& shape : {sc, fcc, bcc, triclinic}) {
    const Numbers cell = scaled(shape, 5);
    const Lattice lattice = suite::qmc::lattice_of(cell.data());
    const Atoms x = many_ions(cell, false);
    each("qmc.pseudopotential", [&](Call& call) {
      Call distances = next_to(call, "qmc.ion_distances");
      distances.numbers("cell", cell, {3, 3});
      distances.numbers("rion", x.rion, {3, 7});
      distances.numbers("r", x.rele, {3, 4, 2});
      distances.numbers("eivecs", Numbers(4 * 7 * 8), {4, 7, 4, 2});
      distances.run();
      const Numbers eivecs = distances.get_numbers("eivecs");
      const auto periodic = [&](const double* r) { return 1.3 + std::cos(dot(lattice.b[0], r)) + 0.5 * std::sin(dot(lattice.b[1], r)); };
      const Quadrature found = energies(call, x, periodic);
      double radius = 0, sum = 0;
      for (int64_t i = 0; i < 8; ++i) {
        int64_t p = 0;
        double energy = 0;
        for (int32_t ion = 1; ion <= 7; ++ion) {
          const double* const v = &eivecs[4 * (ion - 1 + 7 * i)];
          const int set = x.set_of_ion[ion - 1];
          if (set == 0 || v[3] >= x.cutoff[set - 1]) continue;
          BOOST_REQUIRE(found.ion[p + 7 * i] == ion);
          for (int64_t q = 0; q < 50; ++q) {
            const double* const point = &found.points[3 * (q + 50 * (p + 7 * i))];
            double from[3];
            for (int d = 0; d < 3; ++d) from[d] = point[d] - x.rele[3 * i + d] + v[d];
            radius = std::max(radius, std::abs(std::sqrt(dot(from, from)) - v[3]));
            double weight = 0;
            for (int l = 0; l < 5; ++l) weight += (2 * l + 1) * x.potential(set, l, v[3]) * legendre(l, dot(from, v) / (v[3] * v[3]));
            constexpr double faces = 4.0 / 315, edges = 64.0 / 2835, corners = 27.0 / 1280, between = 14641.0 / 725760;
            double nearest = 1e30;
            for (const double w : {faces, edges, corners, between})
              nearest = std::min(nearest, std::abs(found.weight[q + 50 * (p + 7 * i)] - w * weight));
            sum = std::max(sum, nearest);
            energy += found.weight[q + 50 * (p + 7 * i)] * periodic(point) / periodic(&x.rele[3 * i]);
          }
          ++p;
        }
        for (; p < 7; ++p) {
          BOOST_TEST(found.ion[p + 7 * i] == 0);
          for (int64_t q = 0; q < 50; ++q) {
            BOOST_TEST(found.weight[q + 50 * (p + 7 * i)] == 0);
            for (int d = 0; d < 3; ++d) BOOST_TEST(found.points[d + 3 * (q + 50 * (p + 7 * i))] == x.rele[3 * i + d]);
          }
        }
        check_below(call, "sum of the terms off by", std::abs(found.energy[i] - energy), 1e-12 * (1 + std::abs(energy)));
      }
      check_below(call, "points off the sphere by", radius, 1e-13);
      check_below(call, "weights off by", sum, 1e-13);
    });
  }
}

// Different for every electron, ion, walker and sweep, the same for a stream that comes again, and uniform: 6 points have the mean of
// the integral.
BOOST_AUTO_TEST_CASE(rules_are_turned_at_random) {
  constexpr int64_t n = 4000;
  Atoms x = one_channel(2, 6, false);
  const Numbers electron(x.rele.begin(), x.rele.begin() + 3);
  x.rele.clear();
  x.nwalker = n;
  for (int64_t w = 0; w < n; ++w) {
    x.rele.insert(x.rele.end(), electron.begin(), electron.end());
    x.stream.push_back(w < n - 1 ? 2 * w : 0);
  }
  const double c[] = {0.5, -0.9, 0.8};
  each("qmc.pseudopotential", [&](Call& call) {
    const auto psi = [&](const double* r) { return 1 + dot(c, r) + std::pow(dot(c, r), 4); };
    const Quadrature found = energies(call, x, psi);
    double sum = 0, square = 0;
    for (const double e : found.energy) sum += e, square += e * e;
    const double mean = sum / n, error = std::sqrt((square / n - mean * mean) / n);
    Atoms best = x;
    best.npoint = 50;
    best.nwalker = 1;
    best.rele = electron;
    best.stream.clear();
    const double exact = energies(call, best, psi).energy[0];
    BOOST_TEST(error > 1e-3 * std::abs(exact));
    check_below(call, "mean differs, in standard errors, by", std::abs(mean - exact) / error, 4.5);
    BOOST_TEST(found.energy[0] == found.energy[n - 1]);
    BOOST_TEST(found.energy[0] != found.energy[1]);
    Atoms next = best;
    next.npoint = 6;
    next.stream = {0};
    BOOST_TEST(energies(call, next, psi).energy[0] == found.energy[0]);
    ++next.sweep;
    BOOST_TEST(energies(call, next, psi).energy[0] != found.energy[0]);
    --next.sweep, ++next.seed;
    BOOST_TEST(energies(call, next, psi).energy[0] != found.energy[0]);
  });
}

BOOST_AUTO_TEST_CASE(one_electron_is_one_of_all) {
  const Atoms x = many_ions(scaled(triclinic, 5), false);
  each("qmc.pseudopotential", [&](Call& call) {
    const auto psi = [](const double* r) { return 1.5 + std::sin(r[0] - 2 * r[1]) * std::cos(r[2]); };
    const Quadrature all = energies(call, x, psi);
    for (const int32_t ie : {1, 4}) {
      const Quadrature one = energies(call, x, psi, ie);
      for (int64_t w = 0; w < 2; ++w) {
        BOOST_TEST(one.energy[w] == all.energy[ie - 1 + 4 * w]);
        for (int64_t k = 0; k < 350; ++k) BOOST_TEST(one.weight[k + 350 * w] == all.weight[k + 350 * (ie - 1 + 4 * w)]);
      }
    }
  });
}

// An electron at its ion, one exactly at the cutoff, one a last bit closer, one far away.
BOOST_AUTO_TEST_CASE(electrons_at_the_ion_and_at_the_cutoff) {
  Atoms x;
  x.rion = {0.25, -0.5, 0.125};
  x.set_of_ion = {1};
  x.cutoff = {1.5};
  x.terms = {{1, 0, 0, 0.7, 2}, {1, 0, -1, 0.7, 5}, {1, 1, 0, 0.5, 3}, {1, 2, -2, 0.5, 4}};
  x.rele = {0.25, -0.5, 0.125, 1.75, -0.5, 0.125, std::nextafter(1.75, 0), -0.5, 0.125, 40, 50, 60};
  for (const bool turned : {false, true}) {
    if (turned) x.stream = {11};
    each("qmc.pseudopotential", [&](Call& call) {
      const Quadrature found = energies(call, x, [](const double*) { return 1.0; });
      BOOST_TEST((found.ion == Indices{1, 0, 1, 0}));
      check_below(call, "at the ion off by", std::abs(found.energy[0] - 2), 1e-13);
      const double r = std::nextafter(1.75, 0) - 0.25;
      check_below(call, "inside the cutoff off by", std::abs(found.energy[2] - (2 + 5 / r) * std::exp(-0.7 * r * r)), 1e-13);
      BOOST_TEST(found.energy[1] == 0);
      BOOST_TEST(found.energy[3] == 0);
      for (int d = 0; d < 3; ++d) check_below(call, "point off by", std::abs(found.points[d] - x.rele[d]), 0);
    });
  }
}

BOOST_AUTO_TEST_CASE(more_ions_than_there_is_room_for) {
  Atoms x = many_ions(scaled(sc, 5), true);
  x.rele = {0, 0, 0, 40, 40, 40, 0, 0, 0, 0.1, 0.1, 0.1};
  x.rion = {0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0, 0, -0.5, 9, 9, 9, 9, 9, 8, 0, 0.2, -0.5};
  const auto psi = [](const double*) { return 1.0; };
  each("qmc.pseudopotential", [&](Call& call) {
    x.mpair = 4;
    BOOST_TEST((energies(call, x, psi).ion == Indices{1, 2, 4, 7, 0, 0, 0, 0, 1, 2, 4, 7, 1, 2, 4, 7}));
    x.mpair = 3;
    refused(call, {"electron 1 of walker 1 is within the cutoffs of 4 ions, but mpair is 3"}, [&] { energies(call, x, psi); });
    refused(call, {"electron 2 of walker 2 is within the cutoffs of 4 ions, but mpair is 3"}, [&] {
      Atoms far = x;
      for (int i : {0, 6}) far.rele[i] = 70;
      energies(call, far, psi, 2);
    });
  });
}

BOOST_AUTO_TEST_CASE(calls_that_are_refused) {
  standard("qmc.pseudopotential", [](Call& call) {
    const Atoms good = many_ions(scaled(fcc, 5), false);
    const auto psi = [](const double*) { return 1.0; };
    const auto run = [&](auto&& change, int32_t ie = 0) {
      Atoms x = good;
      change(x);
      energies(call, x, psi, ie);
    };
    run([](Atoms&) {});
    refused(call, {"cutoff(2) is 2.6", "inscribed radius"}, [&] { run([](Atoms& x) { x.cutoff[1] = 2.6; }); });
    refused(call, {"cutoff(1) is 0", "positive"}, [&] { run([](Atoms& x) { x.cutoff[0] = 0; }); });
    refused(call, {"set_of_ion(3) is 3", "1 to 2", "0 is none"}, [&] { run([](Atoms& x) { x.set_of_ion[2] = 3; }); });
    refused(call, {"term_set(1) is 0", "1 to 2"}, [&] { run([](Atoms& x) { x.terms[0].set = 0; }); });
    refused(call, {"term_l(2) is 5", "0 to 4"}, [&] { run([](Atoms& x) { x.terms[1].l = 5; }); });
    refused(call, {"power(2) is -3", "-2 to 8"}, [&] { run([](Atoms& x) { x.terms[1].power = -3; }); });
    refused(call, {"exponent(1) is -1", "positive"}, [&] { run([](Atoms& x) { x.terms[0].exponent = -1; }); });
    refused(call, {"a rule of 14 points", "6, 12, 18, 26, 50"}, [&] { run([](Atoms& x) { x.npoint = 14; }); });
    refused(call, {"ie is 5", "1 to 4"}, [&] { run([](Atoms&) {}, 5); });
    const auto weights = [&](int64_t nelectron) {
      call.numbers("weight", Numbers(static_cast<size_t>(50 * 7 * nelectron * 2)), {50, 7, nelectron, 2});
    };
    set(call, good, 0);
    weights(4);
    call.numbers("energy", Numbers(8), {4, 2});
    refused(call, {"energy is set but ratio is not"}, [&] { call.run(); });
    set(call, good, 0);
    weights(1);
    refused(call, {"nelectron is 1", "must be netot, 4"}, [&] { call.run(); });
    set(call, good, 2);
    weights(4);
    refused(call, {"nelectron is 4", "with ie set it must be 1"}, [&] { call.run(); });
    Atoms unturned = good;
    unturned.stream.clear();
    set(call, unturned, 0);
    weights(4);
    call.kernel().set("seed", int64_t{1});
    refused(call, {"seed is set but", "is not; turned rules need all of seed, sweep and stream"}, [&] { call.run(); });
  });
}

BOOST_AUTO_TEST_SUITE_END()
