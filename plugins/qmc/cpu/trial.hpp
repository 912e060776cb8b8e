// SPDX-License-Identifier: BSD-3-Clause
// The trial wavefunction of qmc.sweep and qmc.local_energy: what depends on the constant arguments, and the
// sums over wave vectors that one electron needs.
#pragma once

#include "p_term.hpp"
#include "u_row.hpp"

namespace suite::qmc {

// D(new)/D and the sums of gradients and Laplacians over it, from exp(i k.r) and the column of dbar, with
// zeros behind it: 1 + 2 width numbers.
template <bool derivatives> inline RowSums slater_sums(const WaveList& k, const double* re, const double* im, const double* column) {
  Vector value{}, g[3]{}, square{};
  for (int64_t m = 0; m < k.width(); m += lanes) {
    const Vector c = load(re + m), s = load(im + m);
    Vector of_cosine, of_sine;
    separate(load(column + 1 + 2 * m), load(column + 1 + 2 * m + lanes), of_cosine, of_sine);
    const Vector even = of_cosine * c + of_sine * s;
    value += even;
    if constexpr (derivatives) {
      const Vector odd = of_sine * c - of_cosine * s;
      for (int d = 0; d < 3; ++d) g[d] += odd * load(k.G(d) + m);
      square += even * load(k.square() + m);
    }
  }
  return {column[0] + sum(value), {sum(g[0]), sum(g[1]), sum(g[2])}, -sum(square)};
}

// The orbitals at one position: n of 1, cos, sin, ..; room for 1 + 2 width.
inline void free_orbitals(const WaveList& k, const double* re, const double* im, double* phi) {
  phi[0] = 1;
  for (int64_t m = 0; m < k.width(); m += lanes) {
    Vector low, high;
    interleave(load(re + m), load(im + m), low, high);
    store(phi + 1 + 2 * m, low);
    store(phi + 1 + 2 * m + lanes, high);
  }
}

// The p term of one electron: b = seen - own a e(here), of the others only, as real and imaginary parts of
// `width` each; then sums with exp(i G.r).
inline void without_own(const WaveList& waves, const double* seen, const double* own, const double* here, double* others) {
  const int64_t w = waves.width();
  for (int64_t g = 0; g < w; g += lanes) {
    const Vector a = load(own + g);
    store(others + g, load(seen + g) - a * load(here + g));
    store(others + w + g, load(seen + w + g) - a * load(here + w + g));
  }
}
template <bool derivatives> inline RowSums p_sums(const WaveList& waves, const double* at, const double* others) {
  const int64_t w = waves.width();
  Vector value{}, g[3]{}, square{};
  for (int64_t m = 0; m < w; m += lanes) {
    const Vector re = load(at + m), im = load(at + w + m), b = load(others + m), c = load(others + w + m);
    const Vector even = re * b + im * c;
    value += even;
    if constexpr (derivatives) {
      const Vector odd = re * c - im * b;
      for (int d = 0; d < 3; ++d) g[d] += odd * load(waves.G(d) + m);
      square += even * load(waves.square() + m);
    }
  }
  return {sum(value), {sum(g[0]), sum(g[1]), sum(g[2])}, -sum(square)};
}

class Trial {
public:
  Trial() = default;
  Trial(const Trial&) = delete;  // row points into it
  Trial& operator=(const Trial&) = delete;

  Lattice lattice;
  Frame frame{ImageRule{}};
  UTable u;
  URow row;
  PTable p;
  WaveList k;
  bool has_u = false, has_p = false;
  std::array<std::vector<double>, 3> a;  // of the p term by set and G, with zeros up to the width

  // From the constant arguments; those of the last time leave everything as it is.
  template <class Call> void set(const Call& c, Form form) {
    const auto same_constants = [&] { return constants_.same(c.cell, c.nele, c.kvec, c.alpha, c.L_u, c.truncation, c.gvec, c.star, c.a); };
    if (same_constants()) return;
    constants_.forget();
    lattice = lattice_of(c.cell.data());
    frame = Frame(lattice.images);
    const Electrons electrons = electrons_of(c.rele, c.nele.data());
    const int64_t most = std::max(electrons.count(0), electrons.count(1));
    check_orbitals(most, c.nkvec(), c.kvec.data());
    k = WaveList(lattice, c.kvec.data(), most / 2);  // no more than the electrons fill
    has_u = suite::qmc::has_u(c);
    if (has_u) {
      u = UTable(u_term(form, c, lattice), c.alpha.data());
      row = URow(lattice, frame, u);
    }
    has_p = suite::qmc::has_p(c);
    if (has_p) {
      p = PTable(lattice, c);
      k.share_tables(p.waves);
      for (int set = 0; set < p.term.nset; ++set) {
        a[set] = p.a[set];
        a[set].resize(static_cast<size_t>(p.waves.width()));
      }
      has_p = electrons.netot > 1;  // one alone sees exactly nothing
    }
    same_constants();
  }

  int64_t p_width() const { return has_p ? p.waves.width() : 0; }
  const double* a_of(int spin_i, int spin_j) const { return a[static_cast<size_t>(set_of_pair(p.term.nset, spin_i, spin_j))].data(); }
  // What the electrons of each spin see of all, 2 width numbers each, real parts first.
  int64_t see_size(const Electrons& e) const { return 4 * p.waves.count() + p.waves.sum_size(e.netot); }
  void see(const Electrons& e, const double* rele, double* seen, double* scratch) const {
    const int64_t count = p.waves.count(), width = p.waves.width();
    double* const rho = scratch;
    for (int spin = 0; spin < 2; ++spin)
      p.waves.structure_factor(rele + 3 * e.first(spin), nullptr, e.count(spin), rho + 2 * count * spin, rho + 4 * count);
    std::fill_n(seen, 4 * width, 0.0);
    for (int spin = 0; spin < 2; ++spin)
      for (int other = 0; other < 2; ++other)
        for (int64_t g = 0; g < count; ++g)
          for (int part = 0; part < 2; ++part)
            seen[(2 * spin + part) * width + g] += a_of(spin, other)[g] * rho[2 * (count * other + g) + part];
  }
  // Doubles of a column of dbar with its zeros.
  int64_t column_size() const { return padded(1 + 2 * k.width()) + lanes; }

private:
  Constants constants_;
};

// Pieces of one walker's working memory, each on a border of 64 bytes.
class Arena {
public:
  explicit Arena(double* memory) : at_(memory) {}
  double* take(int64_t doubles) {
    double* const taken = at_;
    at_ += (doubles + 7) / 8 * 8;
    return taken;
  }

private:
  double* at_;
};

}  // namespace suite::qmc
