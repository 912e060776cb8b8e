// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up: point charges around atoms by their moments, harmonic polynomials by tables, and which of the
// two is used where; with a direct and with a hierarchical far field, where there is one.
#include "support.hpp"

using namespace dfpt_test;
using suite::dfpt::RadialGrid;

namespace {

// All atoms of one species; tables and moments of n_dir directions.
struct Field {
  Numbers coords, atoms;
  Indices table;
  bool by_shells = true;
  int64_t n_knots = 300, n_lm = 81, n_dir = 1;
  double end = 4, radius = 3.5;
  Numbers spline, moments;

  int64_t n_tables() const { return size_of(moments) / (n_lm * n_dir); }
  RadialGrid grid() const {
    return by_shells ? suite::dfpt::grid_by_shells(1.5, end, n_knots)
                     : suite::dfpt::logarithmic_grid(1e-4, std::pow(end / 1e-4, 1 / (n_knots - 1.0)), n_knots);
  }
  // v(lm, r, table, direction) and moment(lm, table, direction).
  template <class V, class M> void tabulate(int64_t n_tables, V&& v, M&& moment) {
    for (int64_t d = 0; d < n_dir; ++d)
      for (int64_t t = 0; t < n_tables; ++t) {
        Numbers values, one(static_cast<size_t>(4 * n_lm * n_knots));
        for (int64_t k = 0; k < n_knots; ++k)
          for (int64_t lm = 0; lm < n_lm; ++lm) values.push_back(v(lm, std::max(0.0, grid().radius(static_cast<double>(k))), t, d));
        suite::dfpt::interleaved_splines(values.data(), n_knots, n_lm, one.data());
        spline.insert(spline.end(), one.begin(), one.end());
        for (int64_t lm = 0; lm < n_lm; ++lm) moments.push_back(moment(lm, t, d));
      }
  }
  Numbers sum(Call& call) const {
    const int64_t np = size_of(coords) / 3, na = size_of(atoms) / 3;
    call.forget();
    call.numbers("coords", coords, {3, np});
    call.numbers("atom_coords", atoms, {3, na});
    call.indices("species", Indices(static_cast<size_t>(na), 1), {na});
    call.indices("atom_table", table, {na});
    call.numbers(by_shells ? "grid_scale" : "r_grid_min", {by_shells ? 1.5 : 1e-4}, {1});
    call.numbers(by_shells ? "grid_max" : "r_grid_inc", {by_shells ? end : std::pow(end / 1e-4, 1 / (n_knots - 1.0))}, {1});
    call.numbers("multipole_radius", {radius}, {1});
    call.numbers("potential_spl", spline, {n_lm, 4, n_knots, n_tables(), n_dir});
    call.numbers("moments", moments, {n_lm, n_tables(), n_dir});
    call.numbers("potential", garbage(np * n_dir), {np, n_dir});
    call.run();
    return call.get_numbers("potential");
  }
};

// Each implementation, variant and way to sum the far field.
void each_far(const std::function<void(Call&, double allowed)>& f) {
  each_kept("dfpt.sum_up", [&](Call& call) {
    f(call, 0);
    if (!call.has("far")) return;
    call.choose("far", "tree");
    f(call, 1e-9);
    call.choose("far", "direct");
  });
}

int l_of(int64_t lm) { return static_cast<int>(std::sqrt(static_cast<double>(lm) + 0.5)); }

double distance_of(const double* a, const double* b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// Charges within 0.15 bohr of 40 atoms in a box of 12 bohr, at points 5 bohr away and more: (0.15/5)^9 is 2e-14.
void compare_moments_with_charges(const Numbers& coords, int64_t n_dir) {
  Field field;
  const int64_t n_atoms = 40, n_charges = 3;
  const size_t points = coords.size() / 3;
  field.n_dir = n_dir;
  field.coords = coords;
  field.atoms = random_numbers(3 * n_atoms, 61, -6, 6);
  for (int32_t a = 0; a < n_atoms; ++a) field.table.push_back(a + 1);
  const Numbers shift = random_numbers(3 * n_charges * n_atoms, 62, -0.08, 0.08),
                charge = random_numbers(n_dir * n_charges * n_atoms, 63, -1, 1);
  field.tabulate(
      n_atoms, [](int64_t, double, int64_t, int64_t) { return 1e3; },
      [&](int64_t lm, int64_t a, int64_t d) {
        const int l = l_of(lm), m = static_cast<int>(lm) - l * l - l;
        double sum = 0;
        for (int64_t c = n_charges * a; c < n_charges * (a + 1); ++c) {
          const double* const s = &shift[static_cast<size_t>(3 * c)];
          sum +=
              charge[static_cast<size_t>(c + n_charges * n_atoms * d)] * std::pow(std::hypot(s[0], s[1], s[2]), l) * real_harmonic(l, m, s);
        }
        return 4 * pi / (2 * l + 1) * sum;
      });
  Numbers expected;
  for (int64_t d = 0; d < n_dir; ++d)
    for (size_t p = 0; p < points; ++p) {
      double sum = 0;
      for (size_t c = 0; c < static_cast<size_t>(n_charges * n_atoms); ++c) {
        double at[3];
        for (size_t k = 0; k < 3; ++k) at[k] = field.atoms[3 * (c / 3) + k] + shift[3 * c + k];
        sum += charge[c + static_cast<size_t>(n_charges * n_atoms * d)] / distance_of(&field.coords[3 * p], at);
      }
      expected.push_back(sum);
    }
  each_far([&](Call& call, double allowed) {
    check_below(call, "error of v", relative_distance(field.sum(call), expected), std::max(allowed, 1e-12));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sum_up)

BOOST_AUTO_TEST_CASE(far_from_atoms_moments_are_as_good_as_their_charges) {
  Numbers coords;
  for (int i = 0; i < 120; ++i) {
    const Numbers way = random_numbers(3, 100 + static_cast<unsigned>(i), -1, 1);
    const double length = std::hypot(way[0], way[1], way[2]), reach = 16 + 0.2 * i;
    for (const double x : way) coords.push_back(reach * x / length);
  }
  compare_moments_with_charges(coords, 2);
}

// Many points in little room: with far=tree the potential there is an expansion, handed down to smaller cells.
BOOST_AUTO_TEST_CASE(and_so_they_are_for_clouds_of_points) {
  Numbers coords;
  for (const Numbers& centre : {Numbers{14, 1, -2}, Numbers{-3, -15, 5}, Numbers{0, 0, 22}}) {
    const Numbers cloud = random_numbers(3 * 400, 71, -1.5, 1.5);
    for (size_t i = 0; i < cloud.size(); ++i) coords.push_back(centre[i % 3] + cloud[i]);
  }
  for (const int64_t n_dir : {1, 3}) compare_moments_with_charges(coords, n_dir);
}

// Tables r^l: x y, z, x^2 - y^2 and 1 around two atoms, on both kinds of grids. On a nucleus only l = 0 is
// left.
BOOST_AUTO_TEST_CASE(near_atoms_tables_are_used) {
  for (const bool by_shells : {true, false}) {
    Field field;
    field.by_shells = by_shells;
    field.n_knots = 1500;
    field.n_lm = 9;
    field.atoms = {0, 0, 0, 0.5, 1, -0.4};
    field.table = {2, 1};
    field.coords = random_numbers(3 * 50, 64, -1, 1);
    for (size_t i = 0; i < 6; ++i) field.coords[i] = field.atoms[i];
    const double factor[2][9] = {{1, 0, 0.5, 0, 2, 0, 0, 0, 0.3}, {-0.7, 0, 1.5, 0, 0, 0, 0, 0, -1}};
    field.tabulate(
        2, [&](int64_t lm, double r, int64_t t, int64_t) { return factor[t][lm] * std::pow(r, l_of(lm)); },
        [](int64_t, int64_t, int64_t) { return 1e3; });
    Numbers expected;
    for (size_t p = 0; p < 50; ++p) {
      double v = 0;
      for (size_t a = 0; a < 2; ++a) {
        const double* const c = factor[1 - a];
        double r[3];
        for (size_t d = 0; d < 3; ++d) r[d] = field.coords[3 * p + d] - field.atoms[3 * a + d];
        const double s = 1 / std::sqrt(4 * pi), P = std::sqrt(3.0) * s, D = std::sqrt(15.0) * s;
        v += c[0] * s + c[2] * P * r[2] + c[4] * D * r[0] * r[1] + c[8] * D / 2 * (r[0] * r[0] - r[1] * r[1]);
      }
      expected.push_back(v);
    }
    each_far([&](Call& call, double) {
      check_below(call, by_shells ? "error by shells" : "error on the logarithmic grid", distance(field.sum(call), expected), 1e-8);
    });
  }
}

// Tables that are 1 for all components: on a nucleus, and below the first knot, only l = 0 counts.
BOOST_AUTO_TEST_CASE(on_a_nucleus_only_the_first_component_counts) {
  for (const bool by_shells : {true, false}) {
    Field field;
    field.by_shells = by_shells;
    field.n_lm = 49;
    field.atoms = {0.1, -0.2, 0.3};
    field.table = {1};
    field.coords = {0.1, -0.2, 0.3, 0.1, -0.2, 0.3};
    if (!by_shells) field.coords[5] += 0.9e-4;
    field.tabulate(
        1, [](int64_t, double, int64_t, int64_t) { return 1.0; }, [](int64_t, int64_t, int64_t) { return 1.0; });
    each_far(
        [&](Call& call, double) { check_below(call, "error of v", distance(field.sum(call), Numbers(2, 1 / std::sqrt(4 * pi))), 1e-15); });
  }
}

// Values that differ show which one is used: 5 by the table, 2/r by the moment.
BOOST_AUTO_TEST_CASE(the_far_field_begins_at_the_multipole_radius) {
  Field field;
  field.n_lm = 1;
  field.atoms = {0, 0, 0};
  field.table = {1};
  field.coords = {0, 0, 3.499, 0, 0, 3.501, 0, 2, 0, 1e-9, 0, 0, -7, 0, 0};
  const double root = std::sqrt(4 * pi);
  field.tabulate(
      1, [&](int64_t, double, int64_t, int64_t) { return 5 * root; }, [&](int64_t, int64_t, int64_t) { return 2 * root; });
  each_far([&](Call& call, double allowed) {
    const Numbers expected = {5, 2 / 3.501, 5, 5, 2.0 / 7};
    check_below(call, "error of v", distance(field.sum(call), expected), std::max(allowed, 1e-13));
  });
}

// Atoms that share a table have the sum of what each has alone; behind each other's far fields or not.
BOOST_AUTO_TEST_CASE(potentials_of_atoms_add) {
  Field field;
  field.n_lm = 25;
  field.n_dir = 3;
  field.atoms = random_numbers(3 * 7, 65, -5, 5);
  field.coords = random_numbers(3 * 90, 66, -9, 9);
  const Numbers m = random_numbers(25 * 3, 67, -1, 1);
  field.tabulate(
      1,
      [&](int64_t lm, double r, int64_t, int64_t d) {
        return m[static_cast<size_t>(lm + 25 * d)] * std::pow(r, l_of(lm)) / std::pow(r * r + 1, l_of(lm) + 0.5);
      },
      [&](int64_t lm, int64_t, int64_t d) { return m[static_cast<size_t>(lm + 25 * d)]; });
  each_far([&](Call& call, double allowed) {
    Numbers expected = zeros(90 * 3);
    const Numbers all = field.atoms;
    for (size_t a = 0; a < 7; ++a) {
      Field one = field;
      one.atoms.assign(all.begin() + 3 * static_cast<long>(a), all.begin() + 3 * static_cast<long>(a + 1));
      one.table = {1};
      const Numbers v = one.sum(call);
      for (size_t i = 0; i < v.size(); ++i) expected[i] += v[i];
    }
    Field together = field;
    together.table.assign(7, 1);
    check_below(call, "error of v", relative_distance(together.sum(call), expected), std::max(2 * allowed, 1e-13));
  });
}

// A call that keeps what it made of places must notice when they change.
BOOST_AUTO_TEST_CASE(a_call_serves_other_directions_and_places) {
  const auto of = [](int64_t n_dir, const Numbers& atoms, const Numbers& coords) {
    Field field;
    field.n_lm = 4;
    field.n_dir = n_dir;
    field.radius = 3;
    field.atoms = atoms;
    field.coords = coords;
    field.table = {1, 2};
    field.tabulate(
        2, [](int64_t lm, double r, int64_t t, int64_t d) { return 1.0 / (1 + r) + 0.1 * static_cast<double>(lm + t + d); },
        [](int64_t lm, int64_t t, int64_t d) { return 0.3 + 0.2 * static_cast<double>(lm + t + d); });
    return field;
  };
  const Numbers atoms = {0, 0, 0, 2, -1, 0.5}, coords = random_numbers(3 * 40, 68, -6, 6);
  Numbers other_atoms = atoms, other_coords = coords;
  other_atoms[5] = -1.5;
  other_coords[100] += 2;
  const Field fields[] = {of(2, atoms, coords), of(3, atoms, coords), of(3, other_atoms, coords), of(3, other_atoms, other_coords),
                          of(2, atoms, coords)};
  std::vector<Numbers> expected;  // of the reference, which keeps nothing
  call_kept("dfpt.sum_up", "reference", "", [&](Call& call) {
    for (const Field& field : fields) expected.push_back(field.sum(call));
  });
  BOOST_REQUIRE_EQUAL(expected.size(), std::size(fields));
  each_kept("dfpt.sum_up", [&](Call& call) {
    for (size_t i = 0; i < expected.size(); ++i)
      check_below(call, "error of v", relative_distance(fields[i].sum(call), expected[i]), 1e-12);
  });
}

BOOST_AUTO_TEST_SUITE_END()
