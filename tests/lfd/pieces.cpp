// SPDX-License-Identifier: BSD-3-Clause
// The small kernels, by their definitions, and lfd.calc_energy against dense matrices.
#include "propagation.hpp"

using namespace lfd_test;

BOOST_AUTO_TEST_SUITE(pieces)

BOOST_AUTO_TEST_CASE(density_of_orbitals) {
  for_each("lfd.compute_rho", Variants::all, [](Call& call) {
    for (const int64_t norb : {1, 7, 40}) {
      System s;
      s.g = {{4, 6, 2}, {0.5, 0.5, 0.5}, norb};
      s.f = random_numbers(norb, 41, 0, 2);
      const Orbitals psi = random_orbitals(s.g, 42);
      call.forget();
      call.complexes("psi", psi, s.g.psi_extents());
      call.numbers("f", s.f, {norb});
      call.reals("rho", Numbers(48, 1e30), s.g.extents());
      call.run();
      const Numbers expected = density(s, psi);
      check_below(call, "distance", distance(call.get_reals("rho"), expected) / largest(expected), call.allow(1e-15 * 10, 1e-6));
    }
  });
}

// r is measured from the point (Nx/2, Ny/2, Nz/2); a direction of one point has r = 0.
BOOST_AUTO_TEST_CASE(potential_is_the_sum_of_its_parts) {
  for_each("lfd.compute_v", Variants::all, [](Call& call) {
    for (const Grid& g : {Grid{{6, 4, 8}, {0.5, 0.6, 0.7}, 1}, Grid{{1, 4, 2}, {0.5, 0.6, 0.7}, 1}})
      for (const bool all : {true, false}) {
        const Numbers vloc = random_numbers(g.points(), 43, -2, 1), vH = random_numbers(2 * g.points(), 44, -1, 1),
                      vxc = random_numbers(g.points(), 45, -1, 0), E{0.1, -0.2, 0.3};
        call.forget();
        call.reals("vloc", vloc, g.extents());
        call.reals("vH", vH, g.two_extents());
        if (all) call.reals("vxc", vxc, g.extents());
        if (all) call.numbers("E", E, {3});
        call.numbers("h", g.spacings(), {3});
        call.reals("v", Numbers(vloc.size(), 1e30), g.extents());
        call.run();
        Numbers expected(vloc.size());
        for (int64_t i = 0; i < g.points(); ++i) {
          expected[i] = vloc[i] + vH[i];
          if (all) expected[i] += vxc[i] + E[0] * g.r(0, i) + E[1] * g.r(1, i) + E[2] * g.r(2, i);
        }
        check_below(call, "distance", distance(call.get_reals("v"), expected), call.allow(1e-14, 2e-6));
      }
  });
}

BOOST_AUTO_TEST_CASE(phases_turn_orbitals) {
  const Grid g{{4, 2, 6}, {0.5, 0.5, 0.5}, 5};
  const Numbers v = random_numbers(g.points(), 46, -20, 20);
  const double dt = 0.37;
  for_each("lfd.set_prop", Variants::all, [&](Call& call) {
    call.forget();
    call.reals("v", v, g.extents());
    call.scalar("dt", dt);
    call.complexes("u", Orbitals(v.size(), 1e30), g.extents());
    call.run();
    Orbitals expected;
    for (const double x : v) expected.push_back(std::polar(1.0, -0.5 * x * dt));
    check_below(call, "distance", distance(call.get_complexes("u"), expected), call.allow(1e-15, 1e-6));
  });
  for_each("lfd.pot_prop", Variants::all, [&](Call& call) {
    Orbitals psi = random_orbitals(g, 47), u;
    for (const double x : v) u.push_back(std::polar(1.0, x));
    call.forget();
    call.complexes("psi", psi, g.psi_extents());
    call.complexes("u", u, g.extents());
    call.run();
    for (size_t i = 0; i < psi.size(); ++i) psi[i] *= u[i / 5];
    check_below(call, "distance", distance(call.get_complexes("psi"), psi), call.allow(1e-15, 1e-6));
  });
}

// Six faces; the twelve edges and eight corners stay.
BOOST_AUTO_TEST_CASE(ghosts_are_the_opposite_faces) {
  for_each("lfd.periodic_bc", Variants::all, [](Call& call) {
    const int64_t n[] = {2, 4, 6}, norb = 3;
    const Grid outer{{n[0] + 2, n[1] + 2, n[2] + 2}, {1, 1, 1}, norb};
    Orbitals psi;
    for (int64_t i = 0; i < norb * outer.points(); ++i) psi.emplace_back(static_cast<double>(i), -0.5);
    call.forget();
    call.complexes("psi", psi, outer.psi_extents());
    call.run();
    const Orbitals after = call.get_complexes("psi");
    for (int64_t i = 0; i < outer.points(); ++i) {
      int64_t from[3], ghosts = 0;
      for (int d = 0; d < 3; ++d) {
        from[d] = outer.at(d, i);
        ghosts += from[d] == 0 || from[d] == n[d] + 1;
      }
      if (ghosts == 1)
        for (int d = 0; d < 3; ++d) from[d] = from[d] == 0 ? n[d] : from[d] == n[d] + 1 ? 1 : from[d];
      const int64_t source = outer.index(from[0], from[1], from[2]);
      for (int64_t m = 0; m < norb; ++m) BOOST_REQUIRE_EQUAL(after[m + norb * i], psi[m + norb * source]);
    }
  });
}

// <T> and <V_nl> of each orbital with the dense operators, k and A included, and the five sums.
BOOST_AUTO_TEST_CASE(energies_of_the_dense_operators) {
  const Grid g{{6, 4, 4}, {0.5, 0.6, 0.55}, 3};
  const Nonlocal V = some_nonlocal(g, {g.index(2, 1, 3), g.index(3, 2, 2)}, 1.1, 2.0);
  const Vector A{0.3, -0.2, 0.1};
  const Numbers k = random_numbers(9, 48, -0.5, 0.5), f{2, 1.5, 0.25};
  const Orbitals psi = random_orbitals(g, 49);
  const Numbers vloc = random_numbers(g.points(), 50, -2, 1), vH = random_numbers(2 * g.points(), 51, -1, 1),
                rho = random_numbers(g.points(), 52, 0.01, 0.5);
  Numbers ekin(3), enl(3);
  for (int64_t n = 0; n < 3; ++n) {
    const Vector q{A[0] + k[3 * n], A[1] + k[3 * n + 1], A[2] + k[3 * n + 2]};
    Matrix T(g.points()), N(g.points());
    add_kinetic(T, g, q);
    add_nonlocal(N, g, V, q);
    for (int64_t i = 0; i < g.points(); ++i)
      for (int64_t j = 0; j < g.points(); ++j) {
        const Complex pair = std::conj(psi[n + 3 * i]) * psi[n + 3 * j] * g.dr();
        ekin[n] += std::real(pair * T(i, j));
        enl[n] += std::real(pair * N(i, j));
      }
  }
  for (const char* functional : {"none", "pz81"}) {
    Numbers expected(5);
    for (int n = 0; n < 3; ++n) {
      expected[0] += f[n] * ekin[n];
      expected[2] += f[n] * enl[n];
    }
    Call xc = reference("lfd.compute_vxc");
    xc.choose("functional", "pz81");
    xc.reals("rho", rho, g.extents());
    xc.reals("vxc", rho, g.extents());
    xc.reals("exc", rho, g.extents());
    xc.run();
    const Numbers exc = xc.get_reals("exc");
    for (int64_t i = 0; i < g.points(); ++i) {
      expected[1] += vloc[i] * rho[i] * g.dr();
      expected[3] += 0.5 * vH[i] * rho[i] * g.dr();
      expected[4] += std::string(functional) == "none" ? 0 : exc[i] * rho[i] * g.dr();
    }
    for_each("lfd.calc_energy", Variants::all, [&](Call& call) {
      call.forget();
      call.choose("functional", functional);
      call.complexes("psi", psi, g.psi_extents());
      call.numbers("f", f, {3});
      call.numbers("h", g.spacings(), {3});
      call.reals("vloc", vloc, g.extents());
      call.reals("vH", vH, g.two_extents());
      call.reals("rho", rho, g.extents());
      V.set(call);
      call.numbers("A", {A[0], A[1], A[2]}, {3});
      call.numbers("k", k, {3, 3});
      call.numbers("ekin", Numbers(3, 1e30), {3});
      call.numbers("enl", Numbers(3, 1e30), {3});
      call.numbers("energy", Numbers(5, 1e30), {5});
      call.run();
      check_below(call, "ekin", distance(call.get_numbers("ekin"), ekin) / largest(ekin), call.allow(1e-13, 1e-6));
      check_below(call, "enl", distance(call.get_numbers("enl"), enl) / largest(enl), call.allow(1e-13, 1e-6));
      check_below(call, "energy", distance(call.get_numbers("energy"), expected) / largest(expected), call.allow(1e-13, 1e-6));
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
