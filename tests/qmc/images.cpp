// SPDX-License-Identifier: BSD-3-Clause
// Closest images against trying all around, and what the lattice code says of cells.
#include "support.hpp"

#include <images.hpp>

using namespace qmc_test;

namespace {

// The same lattice in other vectors, which may be long and at sharp angles.
Numbers other_basis(const Numbers& cell) {
  Numbers other(9);
  for (int d = 0; d < 3; ++d) {
    other[d] = cell[d] + 2 * cell[3 + d];
    other[3 + d] = cell[3 + d] - cell[6 + d];
    other[6 + d] = cell[d] + 2 * cell[3 + d] + cell[6 + d];
  }
  return other;
}
// Turned by the angles of a 1, 2, 2 triple.
Numbers turned(const Numbers& cell) {
  constexpr double rotation[3][3] = {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}};
  Numbers other(9);
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < 3; ++e) other[3 * i + d] += rotation[d][e] * cell[3 * i + e] / 3;
  return other;
}

double shortest(const Numbers& cell, const double* r, int reach) {
  double best = HUGE_VAL;
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j)
      for (int k = -reach; k <= reach; ++k) {
        double square = 0;
        for (int d = 0; d < 3; ++d) square += std::pow(r[d] + i * cell[d] + j * cell[3 + d] + k * cell[6 + d], 2);
        best = std::min(best, square);
      }
  return std::sqrt(best);
}

// Distance of r - s from the nearest lattice vector, in components.
double off_lattice(const Lattice& lattice, const double* r, const double* s) {
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    double n = 0;
    for (int d = 0; d < 3; ++d) n += lattice.b[i][d] * (r[d] - s[d]) / (2 * pi);
    worst = std::max(worst, std::abs(n - std::rint(n)));
  }
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(images)

// All vectors of the cell itself, tried widely: 40 x 9 pairs in each cell.
BOOST_AUTO_TEST_CASE(shortest_of_all) {
  const Numbers flat{2, 0, 0, 0.9, 1.5, 0, 0.3, -0.4, 0.5};
  for (const Numbers& shape :
       {sc, fcc, bcc, triclinic, flat, turned(fcc), turned(bcc), turned(triclinic), other_basis(sc), other_basis(fcc), other_basis(bcc)}) {
    const Numbers cell = scaled(shape, 3.7);
    const Lattice lattice = suite::qmc::lattice_of(cell.data());
    const Numbers from = positions(cell, 9, 1), to = positions(cell, 40, 2);
    each("qmc.closest_images", [&](Call& call) {
      call.forget();
      call.numbers("cell", cell, {3, 3});
      call.numbers("rfrom", from, {3, 9, 1});
      call.numbers("rto", to, {3, 40, 1});
      call.numbers("eevecs", Numbers(4 * 360), {4, 40, 9, 1});
      call.run();
      const Numbers eevecs = call.get_numbers("eevecs");
      double too_long = 0, outside = 0, length = 0;
      for (int64_t i = 0; i < 9; ++i)
        for (int64_t j = 0; j < 40; ++j) {
          const double* const v = &eevecs[4 * (j + 40 * i)];
          double r[3];
          for (int d = 0; d < 3; ++d) r[d] = to[3 * j + d] - from[3 * i + d];
          const double norm = std::hypot(v[0], v[1], v[2]);
          too_long = std::max(too_long, std::abs(norm - shortest(cell, r, 7)));
          outside = std::max(outside, off_lattice(lattice, v, r));
          length = std::max(length, std::abs(norm - v[3]));
        }
      check_below(call, "too long by", too_long, 1e-13 * 3.7 * 2);
      check_below(call, "not an image by", outside, 1e-13);
      check_below(call, "length off by", length, 1e-14 * 3.7);
    });
  }
}

// What the other kernels use: the rule of a lattice for one vector.
BOOST_AUTO_TEST_CASE(rules_for_one_vector) {
  const auto stretched = [](Numbers cell) {
    for (int i = 0; i < 9; ++i) cell[i] *= 1 + 0.1 * (i % 3);
    return cell;
  };
  for (const Numbers& cell : {sc, fcc, bcc, turned(sc), turned(fcc), turned(bcc), triclinic, stretched(sc), stretched(fcc), stretched(bcc),
                              stretched(turned(bcc))}) {
    const Lattice lattice = suite::qmc::lattice_of(cell.data());
    const Numbers points = positions(cell, 300, 3);
    double too_long = 0, outside = 0;
    for (size_t i = 0; i < points.size(); i += 3) {
      double r[3] = {points[i], points[i + 1], points[i + 2]};
      suite::qmc::closest_image(lattice.images, r[0], r[1], r[2]);
      too_long = std::max(too_long, std::hypot(r[0], r[1], r[2]) - shortest(cell, &points[i], 4));
      outside = std::max(outside, off_lattice(lattice, r, &points[i]));
    }
    BOOST_CHECK(too_long <= 1e-14);
    BOOST_CHECK(outside <= 1e-14);
  }
}

// Two electrons where the cell's corners and faces are, and one on top of another.
BOOST_AUTO_TEST_CASE(points_of_symmetry) {
  const Numbers to{0.5, 0, 0, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0, 0, 0, 1, 0, 0, 0.25, 0.25, 0.25, -3, 4, 2};
  for (const Numbers& cell : {sc, fcc, bcc, turned(sc), triclinic})
    each("qmc.closest_images", [&](Call& call) {
      call.forget();
      call.numbers("cell", cell, {3, 3});
      call.numbers("rfrom", Numbers(3), {3, 1, 1});
      call.numbers("rto", to, {3, 7, 1});
      call.numbers("eevecs", Numbers(28), {4, 7, 1, 1});
      call.run();
      const Numbers eevecs = call.get_numbers("eevecs");
      for (int j = 0; j < 7; ++j) check_below(call, "too long by", std::abs(eevecs[4 * j + 3] - shortest(cell, &to[3 * j], 16)), 1e-13);
    });
}

BOOST_AUTO_TEST_CASE(lattices_are_recognised) {
  using suite::qmc::LatticeKind;
  struct Expected {
    Numbers cell;
    LatticeKind kind;
    double inscribed, circumscribed;
  };
  const double half = 0.5;
  const Expected expected[] = {
      {sc, LatticeKind::simple_cubic, half, std::sqrt(3) / 2},
      {fcc, LatticeKind::face_centred, std::sqrt(2) / 4, half},
      {bcc, LatticeKind::body_centred, std::sqrt(3) / 4, std::sqrt(5) / 4},
  };
  for (const Expected& e : expected)
    for (const Numbers& cell : {e.cell, other_basis(e.cell), turned(e.cell), other_basis(turned(e.cell))}) {
      const Lattice lattice = suite::qmc::lattice_of(cell.data());
      BOOST_CHECK(lattice.images.kind == e.kind);
      BOOST_CHECK(std::abs(lattice.inscribed_radius - e.inscribed) <= 1e-14);
      BOOST_CHECK(std::abs(lattice.circumscribed_radius - e.circumscribed) <= 1e-14);
      BOOST_CHECK(std::abs(lattice.volume - suite::qmc::lattice_of(e.cell.data()).volume) <= 1e-14);
    }
  for (const double stretch : {1 + 1e-9, 0.9}) {
    Numbers cell = fcc;
    for (int i = 0; i < 3; ++i) cell[3 * i + 2] *= stretch;
    BOOST_CHECK(suite::qmc::lattice_of(cell.data()).images.kind == LatticeKind::general);
  }
}

// Numbers of G vectors, one of each +-, after each star; closed shells of one spin.
BOOST_AUTO_TEST_CASE(stars_of_reciprocal_vectors) {
  const std::vector<std::pair<Numbers, std::vector<int>>> cells{
      {sc, {3, 9, 13, 16, 28, 40, 46, 61, 73, 85}},
      {fcc, {4, 7, 13, 25, 29, 32, 44, 56, 68, 84}},
      {bcc, {6, 9, 21, 27, 39, 43, 67, 70, 88, 100}},
  };
  for (const auto& [cell, counts] : cells) {
    Indices star;
    const Indices n = suite::qmc::shortest_reciprocal(suite::qmc::lattice_of(cell.data()), 101, &star);
    BOOST_CHECK_EQUAL(n.size(), 303);
    for (size_t s = 0; s < counts.size(); ++s)
      BOOST_CHECK_EQUAL(std::upper_bound(star.begin(), star.end(), static_cast<int32_t>(s + 1)) - star.begin(), counts[s]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
