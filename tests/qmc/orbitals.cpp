// SPDX-License-Identifier: BSD-3-Clause
// Plane waves by their formulas, blips by a tensor product of their own and by plane waves on their grid.
#include "support.hpp"

using namespace qmc_test;

namespace {

struct Evaluated {
  Numbers phi, dphi, d2phi;
};

Evaluated evaluate(Call& call, int64_t norb, const Numbers& r) {
  const int64_t npos = static_cast<int64_t>(r.size()) / 3;
  call.numbers("r", r, {3, npos, 1});
  call.numbers("phi", Numbers(static_cast<size_t>(norb * npos), 1e30), {norb, npos, 1});
  call.numbers("dphi", Numbers(static_cast<size_t>(3 * norb * npos), 1e30), {norb, 3, npos, 1});
  call.numbers("d2phi", Numbers(static_cast<size_t>(norb * npos), 1e30), {norb, npos, 1});
  call.run();
  return {call.get_numbers("phi"), call.get_numbers("dphi"), call.get_numbers("d2phi")};
}

Evaluated blips(Call& call, const Numbers& cell, const Numbers& c, const int64_t (&n)[3], const Numbers& r) {
  const int64_t norb = static_cast<int64_t>(c.size()) / (n[0] * n[1] * n[2]);
  call.forget();
  call.numbers("cell", cell, {3, 3});
  call.reals("c", c, {norb, n[2], n[1], n[0]});
  return evaluate(call, norb, r);
}

double blip(double t) {
  const double x = std::abs(t);
  return x <= 1 ? 1 - 1.5 * x * x + 0.75 * x * x * x : x <= 2 ? std::pow(2 - x, 3) / 4 : 0;
}

// sum over all grid points and their images, orbital by orbital.
double blip_sum(const Numbers& cell, const Numbers& c, int64_t norb, int64_t orbital, const int64_t (&n)[3], const double* r) {
  const Lattice lattice = suite::qmc::lattice_of(cell.data());
  std::vector<double> weight[3];
  for (int d = 0; d < 3; ++d) {
    double s = 0;
    for (int e = 0; e < 3; ++e) s += lattice.b[d][e] * r[e] / (2 * pi);
    for (int64_t i = 0; i < n[d]; ++i) {
      double sum = 0;
      for (int image = -6; image <= 6; ++image) sum += blip(static_cast<double>(n[d]) * (s - image) - static_cast<double>(i));
      weight[d].push_back(sum);
    }
  }
  double value = 0;
  for (int64_t i = 0; i < n[0]; ++i)
    for (int64_t j = 0; j < n[1]; ++j)
      for (int64_t k = 0; k < n[2]; ++k)
        value += c[orbital + norb * (k + n[2] * (j + n[1] * i))] * weight[0][i] * weight[1][j] * weight[2][k];
  return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(orbitals)

BOOST_AUTO_TEST_CASE(plane_waves) {
  for (const Numbers& shape : {sc, fcc, triclinic}) {
    const Numbers cell = scaled(shape, 2.3), r = positions(cell, 5, 21);
    const Lattice lattice = suite::qmc::lattice_of(cell.data());
    for (const int64_t norb : {1, 2, 7, 28}) {
      const Indices kvec = suite::qmc::shortest_reciprocal(lattice, std::max<int64_t>(1, norb / 2));
      each("qmc.orbitals_free", [&](Call& call) {
        call.forget();
        call.numbers("cell", cell, {3, 3});
        call.indices("kvec", kvec, {3, static_cast<int64_t>(kvec.size()) / 3});
        const Evaluated e = evaluate(call, norb, r);
        double worst = 0;
        const auto compare = [&](double x, double y) { worst = std::max(worst, std::abs(x - y)); };
        for (int64_t m = 0; m < 5; ++m)
          for (int64_t a = 0; a < norb; ++a) {
            double k[3] = {0, 0, 0}, phase = 0, square = 0;
            if (a > 0) suite::qmc::reciprocal_vector(lattice, &kvec[3 * ((a - 1) / 2)], k);
            for (int d = 0; d < 3; ++d) {
              phase += k[d] * r[3 * m + d];
              square += k[d] * k[d];
            }
            // sin x = cos(x - pi/2)
            const double shift = a > 0 && a % 2 == 0 ? pi / 2 : 0;
            compare(e.phi[a + norb * m], std::cos(phase - shift));
            compare(e.d2phi[a + norb * m], -square * std::cos(phase - shift));
            for (int d = 0; d < 3; ++d) compare(e.dphi[a + norb * (d + 3 * m)], -k[d] * std::sin(phase - shift));
          }
        check_below(call, "orbitals differ by", worst, 2e-11);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(blips_are_a_tensor_product) {
  const int64_t n[] = {5, 6, 4};
  for (const int64_t norb : {1, 3, 18})
    for (const Numbers& cell : {scaled(sc, 2), triclinic}) {
      // Representable in single precision, so that both tables are the same.
      Numbers c = random_numbers(norb * 120, 22, -1, 1);
      for (double& x : c) x = static_cast<double>(static_cast<float>(x));
      const Numbers r = positions(cell, 6, 23, -1.4, 2.3);
      for_each("qmc.orbitals_blip", Variants::all, [&](Call& call) {
        const Evaluated e = blips(call, cell, c, n, r);
        double worst = 0;
        for (int64_t m = 0; m < 6; ++m)
          for (int64_t a = 0; a < norb; ++a)
            worst = std::max(worst, std::abs(e.phi[a + norb * m] - blip_sum(cell, c, norb, a, n, &r[3 * m])));
        check_below(call, "orbitals differ by", worst, 1e-13);
      });
    }
}

// Differences of order 4 of the value, in a cell without right angles; blips have jumps in the third
// derivative, so that the error is of order h where a knot lies near: 1e-4 times 1e4.
BOOST_AUTO_TEST_CASE(derivatives_of_blips) {
  const int64_t n[] = {5, 4, 6};
  const Numbers c = random_numbers(2 * 120, 24, -1, 1);
  const double h = 1e-4;
  Numbers r;
  const Numbers centres = positions(triclinic, 4, 25);
  for (int m = 0; m < 4; ++m)
    for (int s = 0; s < 13; ++s) {
      r.insert(r.end(), &centres[3 * m], &centres[3 * m] + 3);
      constexpr int steps[] = {-2, -1, 1, 2};
      if (s > 0) r[r.size() - 3 + (s - 1) / 4] += h * steps[(s - 1) % 4];
    }
  each("qmc.orbitals_blip", [&](Call& call) {
    const Evaluated e = blips(call, triclinic, c, n, r);
    for (int m = 0; m < 4; ++m)
      for (int a = 0; a < 2; ++a) {
        const auto f = [&](int s) { return e.phi[a + 2 * (13 * m + s)]; };
        double laplacian = 0;
        for (int d = 0; d < 3; ++d) {
          const int s = 1 + 4 * d;
          const double slope = (f(s) - 8 * f(s + 1) + 8 * f(s + 2) - f(s + 3)) / (12 * h);
          check_below(call, "gradient differs by", std::abs(slope - e.dphi[a + 2 * (d + 39 * m)]), 1e-4);
          laplacian += (-f(s) + 16 * f(s + 1) - 30 * f(0) + 16 * f(s + 2) - f(s + 3)) / (12 * h * h);
        }
        check_below(call, "Laplacian differs by", std::abs(laplacian - e.d2phi[a + 2 * 13 * m]), 1.0);
      }
  });
}

// Coefficients that sample a plane wave: at the grid points the sum is the wave times prod_d (1 + cos
// (kappa_d)/2), kappa_d the phase from point to point. Between the points, divided by that, it is the wave up
// to kappa^4/180 or so.
BOOST_AUTO_TEST_CASE(plane_waves_on_a_grid) {
  const int64_t n[] = {24, 20, 28};
  const int m[] = {1, -1, 2};
  const Numbers cell = scaled(triclinic, 3);
  const Lattice lattice = suite::qmc::lattice_of(cell.data());
  const int32_t integers[] = {m[0], m[1], m[2]};
  double k[3], factor = 1, kappa_most = 0, square = 0;
  suite::qmc::reciprocal_vector(lattice, integers, k);
  for (int d = 0; d < 3; ++d) {
    const double kappa = 2 * pi * m[d] / static_cast<double>(n[d]);
    factor *= 1 + std::cos(kappa) / 2;
    kappa_most = std::max(kappa_most, std::abs(kappa));
    square += k[d] * k[d];
  }
  Numbers c, grid;
  for (int64_t i = 0; i < n[0]; ++i)
    for (int64_t j = 0; j < n[1]; ++j)
      for (int64_t l = 0; l < n[2]; ++l) {
        const double s[] = {double(i) / double(n[0]), double(j) / double(n[1]), double(l) / double(n[2])};
        const double phase = 2 * pi * (m[0] * s[0] + m[1] * s[1] + m[2] * s[2]);
        c.push_back(std::cos(phase) / factor);
        c.push_back(std::sin(phase) / factor);
        if ((i + j + l) % 97 == 0)
          for (int d = 0; d < 3; ++d) grid.push_back(s[0] * cell[d] + s[1] * cell[3 + d] + s[2] * cell[6 + d]);
      }
  const auto phase_at = [&](const double* r) { return k[0] * r[0] + k[1] * r[1] + k[2] * r[2]; };
  const Numbers between = positions(cell, 20, 26);
  const double error = std::pow(kappa_most, 4) / 180;
  each("qmc.orbitals_blip", [&](Call& call) {
    const Evaluated on = blips(call, cell, c, n, grid);
    double worst = 0;
    for (size_t i = 0; i < grid.size() / 3; ++i)
      worst = std::max({worst, std::abs(on.phi[2 * i] - std::cos(phase_at(&grid[3 * i]))),
                        std::abs(on.phi[2 * i + 1] - std::sin(phase_at(&grid[3 * i])))});
    check_below(call, "at grid points off by", worst, 1e-13);
    const Evaluated off = blips(call, cell, c, n, between);
    double value = 0, gradient = 0, laplacian = 0;
    for (size_t i = 0; i < 20; ++i) {
      const double phase = phase_at(&between[3 * i]);
      value = std::max(value, std::abs(off.phi[2 * i] - std::cos(phase)));
      for (int d = 0; d < 3; ++d) gradient = std::max(gradient, std::abs(off.dphi[2 * (d + 3 * i)] + k[d] * std::sin(phase)));
      laplacian = std::max(laplacian, std::abs(off.d2phi[2 * i] + square * std::cos(phase)));
    }
    check_below(call, "value off by", value, error);
    check_below(call, "gradient off by", gradient / std::sqrt(square), 10 * error);
    check_below(call, "Laplacian off by", laplacian / square, kappa_most * kappa_most);
  });
}

BOOST_AUTO_TEST_SUITE_END()
