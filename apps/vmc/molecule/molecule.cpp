// SPDX-License-Identifier: BSD-3-Clause
#include "molecule.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/core.h>

#include <suite/qmc/shells.hpp>
#include <suite/qmc/quadrature.hpp>
#include <suite/qmc/solid_harmonics.hpp>

#include "crystal/crystal.hpp"
#include "cusp.hpp"
#include "slater_functions.hpp"

namespace suite::vmc {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double least_apart = 0.1;      // bohr; nuclei closer than this are a mistake

// sum c x^i y^j z^k.
struct Monomial {
  int power[3];
  double c;
};
using Harmonic = std::vector<Monomial>;

// Component k of l, with its norm: the coefficients of x^i y^j z^k, found from values of solid_harmonics() on a grid that determines a
// polynomial of degree l.
std::vector<Harmonic> harmonics_of(int l) {
  std::vector<std::array<int, 3>> powers;
  for (int i = l; i >= 0; --i)
    for (int j = l - i; j >= 0; --j) powers.push_back({i, j, l - i - j});
  const auto size = static_cast<Index>(powers.size());
  MatrixXd monomials(size, size), values(size, 2 * l + 1);
  for (Index p = 0; p < size; ++p) {
    // A homogeneous polynomial of degree l is known from its values at the points of the triangle i + j + k = l.
    const auto& at = powers[static_cast<size_t>(p)];
    const double x = at[0], y = at[1], z = at[2];
    for (Index m = 0; m < size; ++m) {
      const auto& n = powers[static_cast<size_t>(m)];
      monomials(p, m) = std::pow(x, n[0]) * std::pow(y, n[1]) * std::pow(z, n[2]);
    }
    double all[qmc::harmonics_to(qmc::largest_l)];
    qmc::by_l(l, [&](auto top) { qmc::solid_harmonics<top()>(x, y, z, x * x + y * y + z * z, all); });
    for (int k = 0; k < 2 * l + 1; ++k) values(p, k) = all[l * l + k] * qmc::harmonic_norm(l, k);
  }
  const MatrixXd found = monomials.fullPivLu().solve(values);
  std::vector<Harmonic> all(static_cast<size_t>(2 * l + 1));
  for (int k = 0; k < 2 * l + 1; ++k)
    for (Index m = 0; m < size; ++m) {
      const auto& n = powers[static_cast<size_t>(m)];
      if (std::abs(found(m, k)) > 1e-10) all[static_cast<size_t>(k)].push_back({{n[0], n[1], n[2]}, found(m, k)});
    }
  return all;
}

// Overlaps of x_A^i exp(-a x_A^2) and x_B^j exp(-b x_B^2) in one direction.
class AlongAxis {
public:
  static constexpr int most = qmc::largest_l + 3;  // the kinetic energy raises a power by 2
  AlongAxis(double a, double A, double b, double B) : b_(b) {
    const double p = a + b, P = (a * A + b * B) / p, half = 0.5 / p;
    s_[0][0] = std::sqrt(std::numbers::pi / p) * std::exp(-a * b / p * (A - B) * (A - B));
    for (int i = 0; i < most; ++i)
      for (int j = 0; j < most; ++j) {
        if (i > 0) s_[i][j] = (P - A) * s_[i - 1][j] + half * ((i > 1 ? (i - 1) * s_[i - 2][j] : 0) + (j > 0 ? j * s_[i - 1][j - 1] : 0));
        else if (j > 0) s_[i][j] = (P - B) * s_[i][j - 1] + half * (j > 1 ? (j - 1) * s_[i][j - 2] : 0);
      }
  }
  double overlap(int i, int j) const { return s_[i][j]; }
  double kinetic(int i, int j) const {
    return -0.5 * ((j > 1 ? j * (j - 1) * s_[i][j - 2] : 0) - 2 * b_ * (2 * j + 1) * s_[i][j] + 4 * b_ * b_ * s_[i][j + 2]);
  }

private:
  double b_, s_[most][most]{};
};

struct OfFunctions {
  MatrixXd overlap, kinetic;
};

OfFunctions integrals_of_functions(const Molecule& m) {
  std::vector<std::vector<Harmonic>> harmonics;
  for (int l = 0; l <= qmc::largest_l; ++l) harmonics.push_back(harmonics_of(l));
  std::vector<Index> first;
  Index nao = 0;
  for (const int32_t l : m.shell_l) first.push_back(nao), nao += 2 * l + 1;
  OfFunctions out{MatrixXd::Zero(nao, nao), MatrixXd::Zero(nao, nao)};
  for (size_t s = 0; s < m.shell_l.size(); ++s)
    for (size_t t = 0; t <= s; ++t) {
      const auto &of_s = harmonics[static_cast<size_t>(m.shell_l[s])], &of_t = harmonics[static_cast<size_t>(m.shell_l[t])];
      const double *const A = &m.rion[3 * static_cast<size_t>(m.shell_ion[s] - 1)],
                          *const B = &m.rion[3 * static_cast<size_t>(m.shell_ion[t] - 1)];
      for (auto p = static_cast<size_t>(m.shell_first[s] - 1); p < static_cast<size_t>(m.shell_first[s + 1] - 1); ++p)
        for (auto q = static_cast<size_t>(m.shell_first[t] - 1); q < static_cast<size_t>(m.shell_first[t + 1] - 1); ++q) {
          const double a = m.exponent[p], b = m.exponent[q], c = m.coefficient[p] * m.coefficient[q];
          const AlongAxis line[3] = {{a, A[0], b, B[0]}, {a, A[1], b, B[1]}, {a, A[2], b, B[2]}};
          for (size_t k = 0; k < of_s.size(); ++k)
            for (size_t n = 0; n < of_t.size(); ++n) {
              double overlap = 0, kinetic = 0;
              for (const Monomial& u : of_s[k])
                for (const Monomial& v : of_t[n]) {
                  double S[3], T[3];
                  for (int d = 0; d < 3; ++d) {
                    S[d] = line[d].overlap(u.power[d], v.power[d]);
                    T[d] = line[d].kinetic(u.power[d], v.power[d]);
                  }
                  overlap += u.c * v.c * S[0] * S[1] * S[2];
                  kinetic += u.c * v.c * (T[0] * S[1] * S[2] + S[0] * T[1] * S[2] + S[0] * S[1] * T[2]);
                }
              const Index i = first[s] + static_cast<Index>(k), j = first[t] + static_cast<Index>(n);
              out.overlap(i, j) += c * overlap;
              out.kinetic(i, j) += c * kinetic;
            }
        }
      if (s == t) continue;
      const Index rows = 2 * m.shell_l[s] + 1, columns = 2 * m.shell_l[t] + 1;
      out.overlap.block(first[t], first[s], columns, rows) = out.overlap.block(first[s], first[t], rows, columns).transpose();
      out.kinetic.block(first[t], first[s], columns, rows) = out.kinetic.block(first[s], first[t], rows, columns).transpose();
    }
  return out;
}

Integrals of_orbitals(const Molecule& m, const OfFunctions& functions, int spin) {
  const Index nao = functions.overlap.rows();
  const auto& mo = m.mo[static_cast<size_t>(spin)];
  const Index n = static_cast<Index>(mo.size()) / nao;
  const Eigen::Map<const MatrixXd> C(mo.data(), nao, n);
  const MatrixXd S = C.transpose() * functions.overlap * C, T = C.transpose() * functions.kinetic * C;
  return {n, {S.data(), S.data() + S.size()}, {T.data(), T.data() + T.size()}};
}

// The integrals of functions or, of Slater functions, of orbitals are made once.
class OfBothSpins {
public:
  explicit OfBothSpins(const Molecule& m) : m_(m) {
    if (!m.slater()) functions_ = integrals_of_functions(m);
    else up_ = slater_integrals(m, 0);
  }
  Integrals spin(int s) const {
    if (!m_.slater()) return of_orbitals(m_, functions_, s);
    return s == 0 || m_.mo[0] == m_.mo[1] ? up_ : slater_integrals(m_, 1);
  }

private:
  const Molecule& m_;
  OfFunctions functions_;
  Integrals up_;
};

}  // namespace

int64_t Molecule::nao() const {
  int64_t n = 0;
  for (const int32_t l : shell_l) n += 2 * l + 1;
  return n;
}

bool Molecule::bare(size_t ion) const {
  return std::none_of(potential.begin(), potential.end(), [&](const PotentialTerm& t) { return t.ion == static_cast<int32_t>(ion); });
}

double Molecule::repulsion() const {
  double sum = 0;
  for (size_t a = 0; a < charge.size(); ++a)
    for (size_t b = 0; b < a; ++b)
      sum += charge[a] * charge[b] /
             std::hypot(rion[3 * a] - rion[3 * b], rion[3 * a + 1] - rion[3 * b + 1], rion[3 * a + 2] - rion[3 * b + 2]);
  return sum;
}

std::vector<int32_t> Molecule::kind_of_ion() const {
  std::vector<int32_t> kinds;
  std::map<std::pair<std::string, double>, int32_t> known;
  for (size_t a = 0; a < charge.size(); ++a)
    kinds.push_back(known.try_emplace({label[a], charge[a]}, static_cast<int32_t>(known.size())).first->second);
  return kinds;
}

std::vector<std::string> Molecule::kinds() const {
  std::vector<std::string> names;
  const auto of_ion = kind_of_ion();
  for (size_t a = 0; a < of_ion.size(); ++a)
    if (of_ion[a] == static_cast<int32_t>(names.size())) names.push_back(label[a]);
  return names;
}

double RadialTable::at(double distance) const {
  if (distance > r.back()) return 0;
  const size_t n = std::min<size_t>(4, r.size()), above = static_cast<size_t>(std::upper_bound(r.begin(), r.end(), distance) - r.begin());
  const size_t first = std::min(above < 2 ? 0 : above - 2, r.size() - n);
  double sum = 0;
  for (size_t i = first; i < first + n; ++i) {
    double weight = times_r[i];
    for (size_t j = first; j < first + n; ++j)
      if (j != i) weight *= (distance - r[j]) / (r[i] - r[j]);
    sum += weight;
  }
  return sum / distance;
}

double PotentialTerm::at(double r) const { return table ? table->at(r) : qmc::radial_term(coefficient, power, exponent, r); }

std::string flaw_of_nuclei(const Molecule& m) {
  for (size_t a = 0; a < m.charge.size(); ++a) {
    if (!(m.charge[a] > 0)) return fmt::format("nucleus {} ({}) has the charge {:g}; it must be positive", a + 1, m.label[a], m.charge[a]);
    for (size_t b = 0; b < a; ++b) {
      const double *const p = &m.rion[3 * a], *const q = &m.rion[3 * b];
      const double apart = std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
      if (apart < least_apart)
        return fmt::format("nuclei {} ({}) and {} ({}) are {:.3g} bohr apart", b + 1, m.label[b], a + 1, m.label[a], apart);
    }
  }
  return "";
}

std::string flaw_of_orbitals(const Molecule& m, double orthonormal_to) {
  const OfBothSpins both(m);
  for (int s = 0; s < 2; ++s) {
    const Integrals integrals = both.spin(s);
    for (int64_t i = 0; i < integrals.n; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        const double overlap = integrals.overlap[static_cast<size_t>(i + integrals.n * j)];
        if (!(std::abs(overlap - (i == j ? 1 : 0)) < orthonormal_to))
          return fmt::format("its orbitals are not orthonormal: the overlap of the occupied orbitals {} and {} of spin {} is {:.6g}", j + 1,
                             i + 1, s ? "down" : "up", overlap);
      }
  }
  return "";
}

std::string Molecule::formula() const {
  const auto names = kinds();
  std::vector<int> counts(names.size(), 0);
  for (const int32_t kind : kind_of_ion()) ++counts[static_cast<size_t>(kind)];
  std::string text;
  for (size_t k = 0; k < names.size(); ++k) text += (k ? " " : "") + names[k] + (counts[k] > 1 ? std::to_string(counts[k]) : "");
  return text;
}

Integrals integrals_of(const Molecule& molecule, int spin) { return OfBothSpins(molecule).spin(spin); }

double kinetic_energy(const Molecule& molecule) {
  if (molecule.crystal) {
    double sum = 0;
    for (const auto& spin : molecule.crystal->spin) sum += spin ? spin->kinetic : 0;
    return sum;
  }
  const OfBothSpins both(molecule);
  double sum = 0;
  for (int spin = 0; spin < 2; ++spin) {
    const Integrals one = CuspCorrection(molecule, spin).corrected(both.spin(spin));
    const Eigen::Map<const MatrixXd> S(one.overlap.data(), one.n, one.n), T(one.kinetic.data(), one.n, one.n);
    if (one.n > 0) sum += S.partialPivLu().solve(T).trace();  // cusps make orbitals that are no longer quite orthonormal
  }
  return sum;
}

}  // namespace suite::vmc
