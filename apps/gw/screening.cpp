// SPDX-License-Identifier: BSD-3-Clause
#include "screening.hpp"

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include <suite/plugin.hpp>

#include "plasmon_pole.hpp"

namespace suite::gw {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;
constexpr double zero_length2 = 1e-10;  // |q+G|^2 in Ry below which v is its average at the origin

// eps^-1 at a full q point from the matrix stored for its irreducible one: invariance under {R|t} gives
// eps^-1(RG,RG') = exp(-i RG.t) exp(+i RG'.t) eps^-1(G,G'); time reversal conjugates.
void rotate(std::vector<Complex>& matrix, const std::vector<Miller>& g, const FullGrid::Point& point,
            const Operation& operation) {
  const size_t n = g.size();
  std::vector<Complex> phase(n);
  for (size_t i = 0; i < n; ++i) phase[i] = std::polar(1.0, operation.phase(operation(g[i])));
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) {
      Complex& e = matrix[j * n + i];
      e *= phase[i] * std::conj(phase[j]);
      if (point.reversed) e = std::conj(e);
    }
}

// The wings of eps^-1: the row and the column of G = 0. At q = 0 they vanish on average in a semiconductor.
// At another q, where v is averaged over a mini-cell, they are scaled as 1/q is averaged. Three things here
// are BerkeleyGW's and repeated to agree with it (they are worth up to 0.03 eV on a coarse grid): the wings
// are those of the stored q, the length and the average of 1/q those of its image in [0,1), and v is that of
// the shortest q+G.
void fix_wings(std::vector<Complex>& matrix, const std::vector<Miller>& stored, const Screening& s,
               const Coulomb& coulomb, const Matrix3& bdot, double shortest_v) {
  const auto found = std::find(stored.begin(), stored.end(), Miller{0, 0, 0});
  if (found == stored.end() || (!s.at_zero && !coulomb.averaged())) return;
  const size_t n = stored.size(), zero = found - stored.begin();
  double row = 0, column = 0;
  if (!s.at_zero) {
    const double q = std::sqrt(length2(bdot, s.q)), average = coulomb.one_over_q(s.q);
    row = average * q / (8 * pi);
    column = average / (shortest_v * q);
  }
  for (size_t i = 0; i < n; ++i) {
    if (i == zero) continue;
    matrix[i * n + zero] *= row;
    matrix[zero * n + i] *= column;
  }
}

void sum_pairs(Screening& s, const Matrix3& bdot, double cutoff) {
  std::map<Miller, Complex> sums;
  for (int igp = 0; igp < s.ncouls; ++igp)
    for (int ig = 0; ig < s.ncouls; ++ig) {
      const Miller d = s.g[ig] - s.g[igp];
      if (length2(bdot, real(d)) < cutoff)
        sums[d] += s.I_eps[static_cast<size_t>(igp) * s.ncouls + ig] * s.vcoul[igp];
    }
  for (const auto& [d, sum] : sums) {
    s.difference.push_back(d);
    s.pair_sum.push_back(sum);
  }
}

}  // namespace

Coulomb::Coulomb(const Settings& settings, const Crystal& crystal, const Miller& grid)
    : mode_(settings.coulomb),
      bdot_(crystal.bdot),
      average_(crystal.bdot, grid, crystal.volume),
      head_(settings.coulomb_head) {
  if (mode_ == CoulombMode::file && settings.vcoul.empty())
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "the Coulomb interaction is to be read from a file, but none is given");
  // Without averages a file gives the one that is needed all the same, at q = 0.
  if (mode_ == CoulombMode::file || (mode_ == CoulombMode::none && !settings.vcoul.empty() && !(head_ > 0)))
    file_ = std::make_unique<CoulombFile>(settings.vcoul);
  if (head_ > 0) return;
  head_ = file_ ? file_->v({0, 0, 0}, {0, 0, 0}) : average_.v({0, 0, 0});
}

double Coulomb::v(const Vector3& q, const Miller& g) const {
  const double k2 = length2(bdot_, q + g);
  if (k2 < zero_length2) return head_;
  switch (mode_) {
    case CoulombMode::cell:
      return average_.v(q + g);
    case CoulombMode::file:
      return file_->v(q, g);
    case CoulombMode::none:
      break;
  }
  return 8 * pi / k2;
}

std::vector<Miller> sphere(const Matrix3& bdot, const Vector3& q, double cutoff) {
  // |k_i| <= sqrt(cutoff (bdot^-1)_ii): the extent of an ellipsoid along an axis.
  Miller low, high;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double minor = bdot[j][j] * bdot[k][k] - bdot[j][k] * bdot[k][j];
    double determinant = 0;
    for (int c = 0; c < 3; ++c) {
      const int d = (c + 1) % 3, e = (c + 2) % 3;
      determinant += bdot[0][c] * (bdot[1][d] * bdot[2][e] - bdot[1][e] * bdot[2][d]);
    }
    const double reach = std::sqrt(cutoff * minor / determinant);
    low[i] = static_cast<int>(std::ceil(-q[i] - reach - 1e-9));
    high[i] = static_cast<int>(std::floor(-q[i] + reach + 1e-9));
  }
  std::vector<Miller> out;
  for (int a = low[0]; a <= high[0]; ++a)
    for (int b = low[1]; b <= high[1]; ++b)
      for (int c = low[2]; c <= high[2]; ++c)
        if (length2(bdot, q + Miller{a, b, c}) < cutoff) out.push_back({a, b, c});
  return out;
}

Screening make_screening(const Settings& settings, const InverseDielectric& eps, const DensityFile& density,
                         const Coulomb& coulomb, double bare_cutoff, int iq, const FullGrid::Point* point,
                         const std::vector<Operation>& operations) {
  const Crystal& crystal = eps.crystal();
  Screening s;
  s.at_zero = iq == 0;
  s.q = point ? point->at : eps.qpoints()[iq];
  const auto& stored = eps.gvectors(iq);
  s.ncouls = static_cast<int>(stored.size());
  s.g = stored;
  if (point)
    for (auto& g : s.g) g = rotated(*point, operations[point->operation], g);

  std::set<Miller> known(s.g.begin(), s.g.end());
  for (const auto& g : sphere(crystal.bdot, s.q, bare_cutoff))
    if (!known.count(g)) s.g.push_back(g);
  const double factor = 1.0 / (double(eps.grid()[0]) * eps.grid()[1] * eps.grid()[2] * crystal.volume);
  std::vector<double> v;
  for (const auto& g : s.g) v.push_back(coulomb.v(s.q, g));
  for (double x : v) s.vcoul.push_back(x * factor);

  const auto matrix = [&](int frequency) {
    auto m = eps.matrix(iq, frequency);
    fix_wings(m, stored, s, coulomb, crystal.bdot, v[0]);
    if (point) rotate(m, stored, *point, operations[point->operation]);
    return m;
  };
  const size_t size = static_cast<size_t>(s.ncouls) * s.ncouls;
  s.I_eps.resize(size);
  s.wtilde.resize(size);
  const auto inverse = matrix(0);
  const PlasmonPoleInput input{inverse.data(),    s.ncouls,
                               s.g.data(),        s.q,
                               s.at_zero,         crystal.bdot,
                               v.data(),          &density.rho,
                               crystal.volume,    settings.invalid_gpp_mode,
                               eps.flavour() == 1};
  switch (settings.model) {
    case Model::gpp:
      hybertsen_louie(input, s.I_eps.data(), s.wtilde.data());
      break;
    case Model::godby_needs: {
      const auto imaginary = matrix(1);
      godby_needs(input, imaginary.data(), std::abs(eps.frequencies()[1].imag()), s.I_eps.data(),
                  s.wtilde.data());
      break;
    }
    case Model::cohsex:  // the static limit of every pole
      for (int j = 0; j < s.ncouls; ++j)
        for (int i = 0; i < s.ncouls; ++i) {
          const size_t at = static_cast<size_t>(j) * s.ncouls + i;
          s.I_eps[at] = (i == j ? 1.0 : 0.0) - inverse[at];
          s.wtilde[at] = 1e12;
        }
  }
  if (settings.exact_static_ch) sum_pairs(s, crystal.bdot, bare_cutoff);
  return s;
}

}  // namespace suite::gw
