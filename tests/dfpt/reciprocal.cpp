// SPDX-License-Identifier: BSD-3-Clause
// dfpt.reciprocal: with the sum over near images that belongs to it, the potential of multipoles in a crystal.
// It must not depend on the radius that splits the two, and point charges have Madelung's constants. The near
// part is computed here from closed forms, or by dfpt.sum_up with tables.
#include "support.hpp"

using namespace dfpt_test;
using Vector = std::array<double, 3>;

namespace {

double product_of(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
int l_of_component(int64_t lm) { return static_cast<int>(std::sqrt(static_cast<double>(lm) + 0.5)); }

// r^l (-1)^l/(2l-1)!! (1/r d/dr)^l [erf(r/r0)/r] = r^-(l+1) P(l + 1/2, r^2/r0^2), P the regularised incomplete
// gamma function: 1 - Q(l + 1/2, x), Q by its recursion from erfc. Where that cancels, P by its series.
double smooth_part(int l, double r, double r0) {
  const double x = r * r / (r0 * r0);
  if (x < l + 2) {
    double term = std::exp(-x) * std::pow(r / (r0 * r0), l) / (r0 * std::tgamma(l + 1.5)), sum = 0;
    for (int k = 0; k < 200; ++k) {
      sum += term;
      term *= x / (l + 1.5 + k);
    }
    return sum;
  }
  double Q = std::erfc(std::sqrt(x));
  for (int k = 0; k < l; ++k) Q += std::pow(x, k + 0.5) * std::exp(-x) / std::tgamma(k + 1.5);
  return (1 - Q) * std::pow(r, -(l + 1));
}

struct Crystal {
  std::array<Vector, 3> a;  // lattice vectors
  Numbers atoms, coords;
  int64_t n_lm = 1, n_dir = 1;
  Numbers moments;

  int64_t n_atoms() const { return size_of(atoms) / 3; }
  int64_t n_points() const { return size_of(coords) / 3; }
  Vector cross(int i) const {
    const Vector &u = a[static_cast<size_t>((i + 1) % 3)], &v = a[static_cast<size_t>((i + 2) % 3)];
    return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  }
  double signed_volume() const { return product_of(a[0].data(), cross(0).data()); }
  Numbers reciprocal() const {
    Numbers b;
    for (int i = 0; i < 3; ++i)
      for (const double x : cross(i)) b.push_back(2 * pi / signed_volume() * x);
    return b;
  }
  // f(way from the image of atom to the point) for all images within `reach`.
  template <class F> void each_image(int64_t point, int64_t atom, double reach, F&& f) const {
    const int most = 40;
    const Numbers b = reciprocal();
    const double *const r = &coords[static_cast<size_t>(3 * point)], *const R = &atoms[static_cast<size_t>(3 * atom)];
    int low[3], high[3];
    const double way[3] = {r[0] - R[0], r[1] - R[1], r[2] - R[2]};
    for (size_t i = 0; i < 3; ++i) {
      const double centre = product_of(&b[3 * i], way) / (2 * pi), half = reach * std::sqrt(product_of(&b[3 * i], &b[3 * i])) / (2 * pi);
      low[i] = std::max(-most, static_cast<int>(std::floor(centre - half)));
      high[i] = std::min(most, static_cast<int>(std::ceil(centre + half)));
    }
    for (int i = low[0]; i <= high[0]; ++i)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int k = low[2]; k <= high[2]; ++k) {
          double from[3];
          for (size_t d = 0; d < 3; ++d) from[d] = way[d] - i * a[0][d] - j * a[1][d] - k * a[2][d];
          if (product_of(from, from) < reach * reach) f(from);
        }
  }
  // What is left of moment/r^(l+1) Y_lm without the smooth part, of all images; at a nucleus without its own
  // moment/r^(l+1), where only l = 0 has a limit.
  Numbers near(double r0) const {
    Numbers v;
    for (int64_t d = 0; d < n_dir; ++d)
      for (int64_t p = 0; p < n_points(); ++p) {
        double sum = 0;
        for (int64_t atom = 0; atom < n_atoms(); ++atom)
          each_image(p, atom, 7 * r0, [&](const double* from) {
            const double r = std::sqrt(product_of(from, from));
            for (int64_t lm = 0; lm < n_lm; ++lm) {
              const int l = l_of_component(lm), m = static_cast<int>(lm) - l * l - l;
              const double moment = moments[static_cast<size_t>(lm + n_lm * (atom + n_atoms() * d))];
              if (r > 1e-9) sum += moment * (std::pow(r, -(l + 1)) - smooth_part(l, r, r0)) * real_harmonic(l, m, from);
              else if (l == 0) sum -= moment * smooth_part(0, 1e-9, r0) / std::sqrt(4 * pi);
            }
          });
        v.push_back(sum);
      }
    return v;
  }
  Numbers add_far(Call& call, double r0, Numbers potential, double eta = 1e-17) const {
    const Numbers b = reciprocal();
    const double longest = 4 / (r0 * r0) * std::log(1 / eta);
    Indices index;
    Numbers weight;
    const int most = 60;
    for (int i = -most; i <= most; ++i)
      for (int j = -most; j <= most; ++j)
        for (int k = -most; k <= most; ++k) {
          if (i < 0 || (i == 0 && (j < 0 || (j == 0 && k <= 0)))) continue;
          double G[3];
          for (size_t d = 0; d < 3; ++d) G[d] = i * b[d] + j * b[3 + d] + k * b[6 + d];
          const double square = product_of(G, G);
          if (square > longest) continue;
          // Either one of a pair G, -G.
          const int sign = (i + 2 * j + 3 * k) % 5 < 2 ? -1 : 1;
          for (const int g : {i, j, k}) index.push_back(sign * g);
          weight.push_back(8 * pi / std::abs(signed_volume()) * std::exp(-0.25 * r0 * r0 * square) / square);
        }
    call.forget();
    call.numbers("coords", coords, {3, n_points()});
    call.numbers("atom_coords", atoms, {3, n_atoms()});
    call.indices("g_index", index, {3, size_of(weight)});
    call.numbers("reciprocal", b, {3, 3});
    call.numbers("g_weight", weight, {size_of(weight)});
    call.numbers("moments", moments, {n_lm, n_atoms(), n_dir});
    call.numbers("potential", potential, {n_points(), n_dir});
    call.run();
    return call.get_numbers("potential");
  }
};

const std::array<Vector, 3> triclinic = {Vector{5.1, 0.3, 0}, Vector{0, 6.0, 0.2}, Vector{0.4, 0, 5.5}};

Crystal with_multipoles(int l_max, int64_t n_dir, std::array<Vector, 3> lattice) {
  Crystal crystal{lattice, {0, 0, 0, 2.1, 2.9, 2.5, 1.0, -3.0, 12.0}, {}, (l_max + 1) * (l_max + 1), n_dir, {}};
  const Numbers inside = random_numbers(3 * 40, 71, 0, 1);
  for (size_t p = 0; p < 40; ++p)
    for (size_t d = 0; d < 3; ++d)
      crystal.coords.push_back(inside[3 * p] * lattice[0][d] + inside[3 * p + 1] * lattice[1][d] + inside[3 * p + 2] * lattice[2][d]);
  crystal.moments = random_numbers(crystal.n_lm * 3 * n_dir, 72, -1, 1);
  for (size_t i = 0; i < crystal.moments.size(); ++i)
    crystal.moments[i] *= std::pow(0.6, l_of_component(static_cast<int64_t>(i) % crystal.n_lm));
  for (size_t d = 0; d < static_cast<size_t>(n_dir); ++d) {  // neutral
    const size_t of = static_cast<size_t>(crystal.n_lm), first = 3 * of * d;
    crystal.moments[first] = -crystal.moments[first + of] - crystal.moments[first + 2 * of];
  }
  return crystal;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reciprocal)

// Multipoles of each l, in a cell of either handedness with an atom outside of it. The smooth charges that
// the far part adds are those that the near part takes away, whatever their radius.
BOOST_AUTO_TEST_CASE(potentials_do_not_depend_on_the_splitting) {
  const std::array<Vector, 3> left_handed = {triclinic[1], triclinic[0], triclinic[2]};
  for (const auto& [l_max, n_dir, lattice] : {std::tuple{0, 1, triclinic}, {2, 3, left_handed}, {5, 2, triclinic}, {8, 1, triclinic}}) {
    const Crystal crystal = with_multipoles(l_max, n_dir, lattice);
    const Numbers near_1 = crystal.near(1.25), near_2 = crystal.near(1.7);
    each_kept("dfpt.reciprocal", [&, l_max = l_max](Call& call) {
      const Numbers one = crystal.add_far(call, 1.25, near_1), other = crystal.add_far(call, 1.7, near_2);
      // (1.7/1.25)^9 times rounding of the smooth parts of l = 8, which are large.
      check_below(call, "dependence on the radius up to l = " + std::to_string(l_max), relative_distance(one, other), 1e-11);
    });
  }
}

// The potential of all others at an ion: -1.747564594633... / distance in rock salt, -1.762674773070... in
// caesium chloride; A. F. Wells' constants to all digits that are published.
BOOST_AUTO_TEST_CASE(ionic_crystals_have_madelungs_constants) {
  const double s = std::sqrt(4 * pi), d = 4.3;  // moments are 4 pi/(2l+1) times charges Y_00
  Crystal salt{{Vector{0, d, d}, Vector{d, 0, d}, Vector{d, d, 0}}, {0, 0, 0, d, 0, 0}, {0, 0, 0, d, 0, 0}, 1, 1, {s, -s}};
  Crystal caesium{
      {Vector{d, 0, 0}, Vector{0, d, 0}, Vector{0, 0, d}}, {0, 0, 0, d / 2, d / 2, d / 2}, {0, 0, 0, d / 2, d / 2, d / 2}, 1, 1, {s, -s}};
  each_kept("dfpt.reciprocal", [&](Call& call) {
    const Numbers of_salt = salt.add_far(call, 2, salt.near(2)), of_caesium = caesium.add_far(call, 2.5, caesium.near(2.5));
    const double salt_constant = 1.747564594633182 / d, caesium_constant = 1.762674773070988 / (d * std::sqrt(3.0) / 2);
    check_below(call, "rock salt", relative_distance(of_salt, {-salt_constant, salt_constant}), 1e-12);
    check_below(call, "caesium chloride", relative_distance(of_caesium, {-caesium_constant, caesium_constant}), 1e-12);
  });
}

// Point charges close to each other instead of a dipole and a quadrupole: the sum knows where they point.
BOOST_AUTO_TEST_CASE(moments_are_those_of_charges) {
  const double h = 1e-3;
  Crystal charges = with_multipoles(0, 1, triclinic), moments = with_multipoles(2, 1, triclinic);
  charges.coords = moments.coords;
  moments.atoms = {0.7, 1.1, 2.0};
  charges.atoms.clear();
  charges.moments.clear();
  moments.moments.assign(9, 0.0);
  const Numbers place = random_numbers(3 * 5, 73, -1, 1);
  double total = 0;
  for (size_t c = 0; c < 5; ++c) {
    const double charge = c < 4 ? 0.3 * static_cast<double>(c) - 0.5 : -total;
    total += charge;
    for (size_t d = 0; d < 3; ++d) charges.atoms.push_back(moments.atoms[d] + h * place[3 * c + d]);
    charges.moments.push_back(charge / h * std::sqrt(4 * pi));
    for (int64_t lm = 1; lm < 9; ++lm) {
      const int l = l_of_component(lm), m = static_cast<int>(lm) - l * l - l;
      const double r = h * std::sqrt(product_of(&place[3 * c], &place[3 * c]));
      moments.moments[static_cast<size_t>(lm)] += 4 * pi / (2 * l + 1) * charge / h * std::pow(r, l) * real_harmonic(l, m, &place[3 * c]);
    }
  }
  // Without their means: the charges' second moment makes a constant of its own.
  const auto shape = [](Numbers v) {
    double mean = 0;
    for (const double x : v) mean += x / 40;
    for (double& x : v) x -= mean;
    return v;
  };
  const Numbers near_charges = charges.near(2), near_moments = moments.near(2);
  each_kept("dfpt.reciprocal", [&](Call& call) {
    // What octupoles add, (h/r)^2 of the nearest point.
    check_below(call, "charges for moments",
                relative_distance(shape(charges.add_far(call, 2, near_charges)), shape(moments.add_far(call, 2, near_moments))), 1e-6);
  });
}

// It adds to what is there, and a G counts as often as it is there, with either sign.
BOOST_AUTO_TEST_CASE(plane_waves_are_added_as_often_as_they_are_given) {
  const Crystal crystal = with_multipoles(3, 4, triclinic);
  const Indices single = {1, -2, 3, 0, 0, -4, 0, 2, -1}, twice = {1, -2, 3, 0, 0, -4, 0, 2, -1, -1, 2, -3, 0, 0, 4, 0, 2, -1};
  each_kept("dfpt.reciprocal", [&](Call& call) {
    const auto of = [&](const Indices& index, double each) {
      const int64_t n = size_of(index) / 3;
      call.forget();
      call.numbers("coords", crystal.coords, {3, 40});
      call.numbers("atom_coords", crystal.atoms, {3, 3});
      call.indices("g_index", index, {3, n});
      call.numbers("reciprocal", crystal.reciprocal(), {3, 3});
      call.numbers("g_weight", Numbers(static_cast<size_t>(n), each), {n});
      call.numbers("moments", crystal.moments, {crystal.n_lm, 3, 4});
      call.numbers("potential", Numbers(160, 0.5), {40, 4});
      call.run();
      return call.get_numbers("potential");
    };
    check_below(call, "the same, given twice with half the weight", relative_distance(of(twice, 0.35), of(single, 0.7)), 1e-13);
    check_below(call, "nothing added", relative_distance(of(single, 0), Numbers(160, 0.5)), 0);
  });
}

BOOST_AUTO_TEST_SUITE_END()
