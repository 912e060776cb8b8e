// SPDX-License-Identifier: BSD-3-Clause
// lfd.nlp_prop against the dense exponential of the same pseudopotential.
#include "dense.hpp"

using namespace lfd_test;

namespace {

struct Problem {
  Grid g{{6, 4, 4}, {0.5, 0.6, 0.55}, 3};
  Nonlocal V;
  double dt = 0.4;
  Numbers A, k;

  Orbitals run(Call& call, const Orbitals& psi, const char* order = "ascending") const {
    call.forget();
    call.choose("order", order);
    call.complexes("psi", psi, g.psi_extents());
    call.numbers("h", g.spacings(), {3});
    call.scalar("dt", dt);
    V.set(call);
    if (!A.empty()) call.numbers("A", A, {3});
    if (!k.empty()) call.numbers("k", k, {3, g.norb});
    call.run();
    return call.get_complexes("psi");
  }
  Vector momentum(int64_t n) const {
    Vector q{};
    for (int d = 0; d < 3; ++d) q[d] = (A.empty() ? 0 : A[d]) + (k.empty() ? 0 : k[3 * n + d]);
    return q;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(nonlocal)

// One atom, projectors neither orthogonal nor normalised, coupled coefficients, one projector without any,
// padding; without and with phases; time steps from small to where the exponential has turned many times.
BOOST_AUTO_TEST_CASE(is_the_exponential_of_one_atom) {
  Problem p;
  p.V = some_nonlocal(p.g, {p.g.index(2, 1, 3)}, 1.1, 2.0);
  for (const bool phases : {false, true}) {
    if (phases) {
      p.A = {0.4, -0.3, 0.2};
      p.k = random_numbers(3 * p.g.norb, 21, -0.6, 0.6);
    }
    for (const double dt : {0.02, -0.4, 11.0}) {
      p.dt = dt;
      const Orbitals start = random_orbitals(p.g, 20);
      Orbitals exact = start;
      for (int64_t n = 0; n < p.g.norb; ++n) {
        Matrix H(p.g.points());
        add_nonlocal(H, p.g, p.V, p.momentum(n));
        apply(exponential(H, {0, -dt}), p.g, exact, n);
      }
      for_each("lfd.nlp_prop", Variants::all, [&](Call& call) {
        check_below(call, "dt " + std::to_string(dt) + (phases ? ", phases" : "") + ": distance",
                    distance(p.run(call, start), exact) / largest(exact), call.allow(2e-13, 2e-6));
      });
    }
  }
}

// Atoms one after the other where spheres overlap: ascending is exp(V2) exp(V1), descending the other way
// round, and descending with -dt takes ascending back.
BOOST_AUTO_TEST_CASE(overlapping_atoms_follow_the_order) {
  Problem p;
  p.V = some_nonlocal(p.g, {p.g.index(2, 1, 2), p.g.index(3, 1, 2)}, 1.1, 2.0);
  p.k = random_numbers(3 * p.g.norb, 22, -0.6, 0.6);
  const Orbitals start = random_orbitals(p.g, 23);
  Orbitals ascending = start, descending = start;
  for (int64_t n = 0; n < p.g.norb; ++n)
    for (const int64_t atom : {0, 1}) {
      for (auto* psi : {&ascending, &descending}) {
        Matrix H(p.g.points());
        add_nonlocal(H, p.g, p.V, p.momentum(n), psi == &ascending ? atom : 1 - atom);
        apply(exponential(H, {0, -p.dt}), p.g, *psi, n);
      }
    }
  BOOST_REQUIRE(distance(ascending, descending) > 1e-3);
  for_each("lfd.nlp_prop", Variants::all, [&](Call& call) {
    Problem q = p;
    const Orbitals up = q.run(call, start);
    check_below(call, "ascending", distance(up, ascending) / largest(start), call.allow(2e-13, 2e-6));
    check_below(call, "descending", distance(q.run(call, start, "descending"), descending) / largest(start), call.allow(2e-13, 2e-6));
    q.dt = -q.dt;
    check_below(call, "and back", distance(q.run(call, up, "descending"), start) / largest(start), call.allow(2e-13, 2e-6));
  });
}

BOOST_AUTO_TEST_CASE(is_unitary) {
  Problem p;
  p.g = {{8, 8, 10}, {0.5, 0.6, 0.55}, 6};
  p.V = some_nonlocal(p.g, {p.g.index(2, 1, 2), p.g.index(3, 1, 2), p.g.index(7, 7, 9)}, 1.4, 3.0);
  p.A = {0.1, 0.2, -0.3};
  Orbitals start = random_orbitals(p.g, 24);
  orthonormalise(p.g, start);
  for_each("lfd.nlp_prop", Variants::all, [&](Call& call) {
    Orbitals psi = start;
    constexpr int steps = 20;
    for (int i = 0; i < steps; ++i) psi = p.run(call, psi);
    double worst = 0;
    for (int64_t n = 0; n < p.g.norb; ++n)
      for (int64_t m = 0; m < p.g.norb; ++m) worst = std::max(worst, std::abs(overlap(p.g, psi, m, n) - (m == n ? 1.0 : 0.0)));
    check_below(call, "change of overlaps in 20 calls", worst, call.allow(2e-13, 2e-6));
  });
}

// Points outside all spheres are not touched, and without a pseudopotential nothing is.
BOOST_AUTO_TEST_CASE(touches_the_spheres_only) {
  Problem p;
  p.V = some_nonlocal(p.g, {p.g.index(2, 1, 3)}, 1.1, 2.0);
  std::vector<bool> inside(static_cast<size_t>(p.g.points()));
  for (const int32_t point : p.V.point)
    if (point > 0) inside[point - 1] = true;
  for_each("lfd.nlp_prop", Variants::all, [&](Call& call) {
    Orbitals start = random_orbitals(p.g, 25);
    if (call.single())
      for (Complex& x : start) x = Complex(std::complex<float>(x));
    const Orbitals after = p.run(call, start);
    for (int64_t i = 0; i < p.g.points(); ++i)
      for (int64_t n = 0; n < p.g.norb; ++n)
        if (!inside[i]) BOOST_REQUIRE_EQUAL(after[n + p.g.norb * i], start[n + p.g.norb * i]);
    call.forget();
    call.complexes("psi", start, p.g.psi_extents());
    call.numbers("h", p.g.spacings(), {3});
    call.scalar("dt", p.dt);
    call.run();
    BOOST_CHECK(call.get_complexes("psi") == start);
  });
}

BOOST_AUTO_TEST_SUITE_END()
