// SPDX-License-Identifier: BSD-3-Clause
// lfd.hpsi: plane waves are eigenvectors with the eigenvalues of their differences; the dense Hamiltonian of second order; Hermiticity;
// one result whatever the order of a host's indices, its ghost points and what it knows to be real.
#include "dense.hpp"

using namespace lfd_test;

namespace {

// How a host has its orbitals: which index is the fastest of the grid, how many orbitals are in front of it, ghosts on both sides.
struct Layout {
  bool xyz = false;
  int64_t nfast = 0;  // 0: all
  int32_t ghost = 0;
  std::vector<int32_t> boundary;
};
const Layout layouts[] = {
    {}, {true, 1, 0, {}}, {false, 2, 0, {}}, {true, 0, 4, {0, 2, 0}}, {true, 1, 5, {2, 2, 2}}, {false, 2, 4, {2, 0, 2}}};

struct HpsiProblem {
  Grid g{{6, 5, 9}, {0.5, 0.6, 0.55}, 4};
  Numbers v, A, k;
  std::vector<int32_t> spin;
  int64_t nspin = 1;
  const Nonlocal* V = nullptr;
  const char *differences = "eighth", *vector_potential = "gradient";
  bool zeros = false;  // beyond the grid, in all directions

  int64_t nfast(const Layout& l) const { return l.nfast ? l.nfast : g.norb; }
  // Where point (x,y,z) of orbital n lies in psi; coordinates may be those of ghosts.
  int64_t place(const Layout& l, int64_t n, const int64_t* at) const {
    int64_t point = 0;
    for (const int d : {0, 1, 2}) {  // the slowest first
      const int direction = l.xyz ? 2 - d : d;
      point = point * (g.n[direction] + 2 * l.ghost) + at[direction] + l.ghost;
    }
    return n % nfast(l) + nfast(l) * (point + n / nfast(l) * all_points(l));
  }
  int64_t all_points(const Layout& l) const { return (g.n[0] + 2 * l.ghost) * (g.n[1] + 2 * l.ghost) * (g.n[2] + 2 * l.ghost); }
  // A point's number in the host's v, from a number in v(Nz,Ny,Nx).
  int64_t point(const Layout& l, int64_t i) const { return l.xyz ? g.at(0, i) + g.n[0] * (g.at(1, i) + g.n[1] * g.at(2, i)) : i; }
  std::vector<int64_t> extents(const Layout& l) const {
    std::vector<int64_t> m{nfast(l)};
    for (const int d : {0, 1, 2}) m.push_back(g.n[l.xyz ? d : 2 - d] + 2 * l.ghost);
    m.push_back(g.norb / nfast(l));
    return m;
  }

  // psi and the result are psi(Norb,Nz,Ny,Nx), whatever the layout.
  Orbitals run(Call& call, const Orbitals& psi, const Layout& l = {}, bool real = false) const {
    Orbitals there(static_cast<size_t>(g.norb * all_points(l)), Complex(7, -3));
    each_place(l, true, [&](int64_t n, int64_t i, int64_t to, bool outside) { there[to] = outside && zeros ? 0 : psi[n + g.norb * i]; });
    call.forget();
    call.choose("differences", differences);
    call.choose("axes", l.xyz ? "xyz" : "zyx");
    call.choose("vector_potential", vector_potential);
    if (real) {
      Numbers numbers;
      for (const Complex& x : there) numbers.push_back(x.real());
      call.reals("psi", numbers, extents(l));
      call.reals("hpsi", Numbers(there.size(), 5), extents(l));
    } else {
      call.complexes("psi", there, extents(l));
      call.complexes("hpsi", Orbitals(there.size(), 5), extents(l));
    }
    Numbers potential(v.empty() ? static_cast<size_t>(g.points() * nspin) : v.size());
    for (size_t i = 0; i < v.size(); ++i) {
      const auto spin_of = static_cast<int64_t>(i) / g.points(), at = static_cast<int64_t>(i) % g.points();
      potential[point(l, at) + g.points() * spin_of] = v[i];
    }
    call.reals("v", potential, {g.n[l.xyz ? 0 : 2], g.n[1], g.n[l.xyz ? 2 : 0], nspin});
    call.numbers("h", g.spacings(), {3});
    if (!A.empty()) call.numbers("A", A, {3});
    if (!k.empty()) call.numbers("k", k, {3, g.norb});
    if (!spin.empty()) call.indices("spin", spin, {g.norb});
    if (l.ghost) call.indices("ghost", std::vector<int32_t>(6, l.ghost), {2, 3});
    std::vector<int32_t> boundary = l.boundary.empty() && zeros ? std::vector<int32_t>{1, 1, 1} : l.boundary;
    if (zeros)
      for (int32_t& edge : boundary) edge = edge == 0 ? 1 : edge;
    if (!boundary.empty()) call.indices("boundary", boundary, {3});
    if (V) {
      Nonlocal turned = *V;
      for (int32_t& p : turned.point)
        if (p > 0) p = static_cast<int32_t>(point(l, p - 1) + 1);
      turned.set(call);
    }
    call.run();
    Orbitals result(psi.size());
    Complexes out;
    if (real) {
      const Numbers numbers = call.get_reals("hpsi");
      out.assign(numbers.begin(), numbers.end());
    } else {
      out = call.get_complexes("hpsi");
    }
    std::vector<bool> of_grid(out.size());
    each_place(l, false, [&](int64_t n, int64_t i, int64_t from, bool) {
      result[n + g.norb * i] = out[from];
      of_grid[from] = true;
    });
    for (size_t i = 0; i < out.size(); ++i)
      if (!of_grid[i]) BOOST_REQUIRE_EQUAL(out[i], 0.0);
    return result;
  }
  Vector momentum(int64_t n) const {
    Vector q{};
    for (int d = 0; d < 3; ++d) q[d] = (A.empty() ? 0 : A[d]) + (k.empty() ? 0 : k[3 * n + d]);
    return q;
  }

private:
  // f(orbital, point of the grid or of its periodic image, place, whether it is a ghost).
  template <class F> void each_place(const Layout& l, bool ghosts, F&& f) const {
    const int64_t beyond = ghosts ? l.ghost : 0;
    int64_t at[3];
    for (at[0] = -beyond; at[0] < g.n[0] + beyond; ++at[0])
      for (at[1] = -beyond; at[1] < g.n[1] + beyond; ++at[1])
        for (at[2] = -beyond; at[2] < g.n[2] + beyond; ++at[2]) {
          int64_t inside[3];
          bool outside = false;
          for (int d = 0; d < 3; ++d) {
            inside[d] = (at[d] + 8 * g.n[d]) % g.n[d];
            outside = outside || inside[d] != at[d];
          }
          for (int64_t n = 0; n < g.norb; ++n) f(n, g.index(inside[0], inside[1], inside[2]), place(l, n, at), outside);
        }
  }
};

const std::pair<const char*, int> orders[] = {{"second", 1}, {"fourth", 2}, {"sixth", 3}, {"eighth", 4}};

// R!^2/((R-m)! (R+m)!), from which both derivatives are made.
double share(int R, int m) { return std::exp(2 * std::lgamma(R + 1) - std::lgamma(R - m + 1) - std::lgamma(R + m + 1)); }

// What -1/2 d^2/dx^2 and -i d/dx make of e^{ipx} on a lattice.
double half_square(int R, double p, double h) {
  double sum = 0;
  for (int m = 1; m <= R; ++m) sum += (m % 2 ? 2 : -2) * share(R, m) / (m * m) * (1 - std::cos(m * p * h));
  return sum / (h * h);
}
double slope(int R, double p, double h) {
  double sum = 0;
  for (int m = 1; m <= R; ++m) sum += (m % 2 ? 2 : -2) * share(R, m) / m * std::sin(m * p * h);
  return sum / h;
}

Numbers some_potential(const Grid& g, int64_t nspin) { return random_numbers(g.points() * nspin, 31, -1, 0.5); }

// <psi_m|phi_n>, one after the other.
double not_hermitian(const HpsiProblem& p, const Orbitals& psi, const Orbitals& hpsi) {
  double worst = 0;
  for (int64_t n = 0; n < p.g.norb; ++n)
    for (int64_t m = 0; m < p.g.norb; ++m) {
      Complex a = 0, b = 0;
      for (int64_t i = 0; i < p.g.points(); ++i) {
        a += std::conj(psi[m + p.g.norb * i]) * hpsi[n + p.g.norb * i];
        b += std::conj(hpsi[m + p.g.norb * i]) * psi[n + p.g.norb * i];
      }
      worst = std::max(worst, std::abs(a - b) * p.g.dr());
    }
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hamiltonian)

// In every order and both forms of A + k, along every axis and in boxes narrower than the stencil, with a constant potential.
BOOST_AUTO_TEST_CASE(plane_waves_are_eigenvectors) {
  for (const auto& n : {std::array<int64_t, 3>{6, 5, 9}, {3, 7, 2}}) {
    HpsiProblem p;
    p.g = {{n[0], n[1], n[2]}, {0.5, 0.6, 0.55}, 4};
    p.v = Numbers(static_cast<size_t>(p.g.points()), -0.25);
    p.A = {0.3, -0.2, 0.1};
    p.k = {0.4, 0, 0, 0, -0.5, 0, 0, 0, 0.6, 0.2, 0.3, -0.4};
    const int wave[4][3] = {{1, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 1, 1}};
    const auto wave_number = [&](int64_t orbital, int d) {
      return 2 * std::numbers::pi * wave[orbital][d] / (static_cast<double>(p.g.n[d]) * p.g.h[d]);
    };
    Orbitals psi(static_cast<size_t>(4 * p.g.points()));
    for (int64_t i = 0; i < p.g.points(); ++i)
      for (int64_t m = 0; m < 4; ++m) {
        double angle = 0;
        for (int d = 0; d < 3; ++d) angle += wave_number(m, d) * p.g.r(d, i);
        psi[m + 4 * i] = std::polar(1.0, angle);
      }
    for (const auto& [name, R] : orders)
      for (const char* form : {"gradient", "bonds"}) {
        p.differences = name;
        p.vector_potential = form;
        Orbitals exact = psi;
        for (int64_t m = 0; m < 4; ++m) {
          double e = -0.25;
          for (int d = 0; d < 3; ++d) {
            const double q = p.momentum(m)[d], w = wave_number(m, d), h = p.g.h[d];
            e += form[0] == 'b' ? half_square(R, w + q, h) : q * q / 2 + half_square(R, w, h) + q * slope(R, w, h);
          }
          for (int64_t i = 0; i < p.g.points(); ++i) exact[m + 4 * i] *= e;
        }
        for_each("lfd.hpsi", Variants::standard, [&](Call& call) {
          check_below(call, std::string(name) + " order, " + form + ": distance", distance(p.run(call, psi), exact) / largest(exact),
                      call.allow(2e-14, 2e-6));
        });
      }
  }
}

// Phases on the bonds of second order, and overlapping spheres, one of them across the border.
BOOST_AUTO_TEST_CASE(is_the_dense_hamiltonian) {
  HpsiProblem p;
  p.g = {{6, 4, 4}, {0.5, 0.6, 0.55}, 4};
  const Nonlocal V = some_nonlocal(p.g, {p.g.index(2, 1, 3), p.g.index(3, 1, 3), p.g.index(0, 0, 0)}, 1.1, 2.0);
  p.V = &V;
  p.v = some_potential(p.g, 2);
  p.nspin = 2;
  p.spin = {1, 2, 2, 1};
  p.A = {0.4, -0.3, 0.2};
  p.k = random_numbers(12, 32, -0.6, 0.6);
  p.differences = "second";
  p.vector_potential = "bonds";
  const Orbitals psi = random_orbitals(p.g, 33);
  Orbitals exact = psi;
  for (int64_t n = 0; n < 4; ++n) {
    Matrix H(p.g.points());
    add_kinetic(H, p.g, p.momentum(n));
    for (int64_t atom = 0; atom < V.natom; ++atom) add_nonlocal(H, p.g, V, p.momentum(n), atom);
    for (int64_t i = 0; i < p.g.points(); ++i) H(i, i) += p.v[i + p.g.points() * (p.spin[n] - 1)];
    apply(H, p.g, exact, n);
  }
  for_each("lfd.hpsi", Variants::standard, [&](Call& call) {
    for (const Layout& l : {Layout{}, Layout{true, 1, 0, {}}, Layout{false, 2, 2, {}}})
      check_below(call, "distance", distance(p.run(call, psi, l), exact) / largest(exact), call.allow(2e-14, 2e-6));
  });
}

BOOST_AUTO_TEST_CASE(is_hermitian) {
  HpsiProblem p;
  const Nonlocal V = some_nonlocal(p.g, {p.g.index(2, 1, 3), p.g.index(5, 4, 8)}, 1.3, 2.0);
  p.V = &V;
  p.v = some_potential(p.g, 1);
  const Orbitals psi = random_orbitals(p.g, 34);
  for (const bool zeros : {false, true})
    for (const char* form : {"gradient", "bonds"}) {
      p.zeros = zeros;
      p.vector_potential = form;
      p.A = {0.2, 0.5, -0.3};
      for_each("lfd.hpsi", Variants::standard, [&](Call& call) {
        check_below(call, "<m|H n> - <H m|n>", not_hermitian(p, psi, p.run(call, psi)), call.allow(2e-13, 2e-5));
      });
    }
}

// Any order of indices, ghosts instead of the other side, ghosts of zeros instead of a boundary of zeros; real orbitals as complex ones.
BOOST_AUTO_TEST_CASE(is_the_same_in_every_layout) {
  HpsiProblem p;
  const Nonlocal V = some_nonlocal(p.g, {p.g.index(2, 1, 3), p.g.index(0, 0, 0)}, 1.3, 2.0);
  p.V = &V;
  p.v = some_potential(p.g, 2);
  p.nspin = 2;
  p.spin = {2, 1, 1, 2};
  for (const bool zeros : {false, true})
    for (const bool real : {false, true}) {
      p.zeros = zeros;
      p.A = real ? Numbers{} : Numbers{0.2, 0.5, -0.3};
      p.k = real ? Numbers{} : Numbers{0.1, 0.2, 0.3, 0.1, 0.2, 0.3, -0.2, 0, 0, 0, -0.4, 0};
      Orbitals psi = random_orbitals(p.g, 35);
      if (real)
        for (Complex& x : psi) x = x.real();
      Call exactly = reference("lfd.hpsi");
      const Orbitals expected = p.run(exactly, psi);
      for_each("lfd.hpsi", Variants::standard, [&](Call& call) {
        for (const Layout& l : layouts)
          check_below(call, std::string(zeros ? "zeros" : "periodic") + (real ? ", real" : "") + ": distance",
                      distance(p.run(call, psi, l, real), expected) / largest(expected), call.allow(2e-14, 2e-6));
      });
    }
}

BOOST_AUTO_TEST_SUITE_END()
