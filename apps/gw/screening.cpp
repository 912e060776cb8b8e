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
constexpr double same_length = 1e-6;    // lengths of images of one q+G, bohr^-1, and their squares

// eps^-1 at a full q point from the matrix stored for its irreducible one: invariance under {R|t} gives
// eps^-1(RG,RG') = exp(-i RG.t) exp(+i RG'.t) eps^-1(G,G'); time reversal conjugates.
void rotate(std::vector<Complex>& matrix, const std::vector<Miller>& g, const FullGrid::Point& point, const Operation& operation) {
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

// Elements of the row and of the column of one G, but not the diagonal.
void scale_wing(std::vector<Complex>& matrix, size_t n, size_t at, double row, double column) {
  for (size_t i = 0; i < n; ++i) {
    if (i == at) continue;
    matrix[i * n + at] *= row;
    matrix[at * n + i] *= column;
  }
}

// The wings of eps^-1: the row and the column of the shortest q+G. At q = 0 they vanish on average in a
// semiconductor. At another q, where v is averaged over a mini-cell, they are scaled as 1/|q+G| is averaged.
// At the border of the Brillouin zone several q+G are the shortest, images of each other; all of them have
// wings. So neither the label of q nor the image that was stored matters.
void fix_wings(std::vector<Complex>& matrix, const Screening& s, const std::vector<double>& v, const Coulomb& coulomb,
               const Matrix3& bdot) {
  const auto length = [&](size_t i) { return std::sqrt(length2(bdot, s.q + s.g[i])); };
  const size_t n = s.ncouls;
  double shortest = length(0);
  for (size_t i = 1; i < n; ++i) shortest = std::min(shortest, length(i));
  for (size_t i = 0; i < n; ++i) {
    if (length(i) > shortest + same_length) continue;
    const double average = s.at_zero ? 0 : coulomb.one_over_q(s.q + s.g[i]);
    scale_wing(matrix, n, i, average * length(i) / (8 * pi), s.at_zero ? 0 : average / (v[i] * length(i)));
  }
}

// The wings as BerkeleyGW has them: those of G = 0 of the stored q, with the length and the average of 1/q of
// its image as it is written in [0,1), and v of the shortest q+G; of several, of the first in the order of
// its lists. They depend on how q is labelled (by up to 0.014 eV of Eqp1 in silicon).
void fix_wings_as_berkeleygw(std::vector<Complex>& matrix, const std::vector<Miller>& stored, const Screening& s,
                             const std::vector<double>& v, const Coulomb& coulomb, const Matrix3& bdot) {
  const auto found = std::find(stored.begin(), stored.end(), Miller{0, 0, 0});
  if (found == stored.end()) return;
  size_t first = 0;
  for (size_t i = 1; i < stored.size(); ++i) {
    const double longer = length2(bdot, s.q + s.g[i]) - length2(bdot, s.q + s.g[first]);
    if (longer < -same_length || (longer <= same_length && s.g[i] < s.g[first])) first = i;
  }
  const double q = std::sqrt(length2(bdot, s.q)), average = coulomb.one_over_q(s.q);
  scale_wing(matrix, stored.size(), found - stored.begin(), average * q / (8 * pi), average / (v[first] * q));
}

void sum_pairs(Screening& s, const Matrix3& bdot, double cutoff) {
  std::map<Miller, Complex> sums;
  for (int igp = 0; igp < s.ncouls; ++igp)
    for (int ig = 0; ig < s.ncouls; ++ig) {
      const Miller d = s.g[ig] - s.g[igp];
      if (length2(bdot, real(d)) < cutoff) sums[d] += s.I_eps[static_cast<size_t>(igp) * s.ncouls + ig] * s.vcoul[igp];
    }
  for (const auto& [d, sum] : sums) {
    s.difference.push_back(d);
    s.pair_sum.push_back(sum);
  }
}

}  // namespace

Coulomb::Coulomb(const Settings& settings, const Crystal& crystal, const Miller& grid, const std::vector<Operation>& operations)
    : mode_(settings.coulomb),
      wings_(settings.wings),
      bdot_(crystal.bdot),
      operations_(operations),
      average_(crystal.bdot, grid, crystal.volume),
      head_(settings.coulomb_head) {
  if (mode_ == CoulombMode::file && settings.vcoul.empty())
    throw Failure(SUITE_INVALID_ARGUMENT, "the Coulomb interaction is to be read from a file, but none is given");
  // Without averages a file gives the one that is needed all the same, at q = 0.
  if (mode_ == CoulombMode::file || (mode_ == CoulombMode::none && !settings.vcoul.empty() && !(head_ > 0)))
    file_ = std::make_unique<CoulombFile>(settings.vcoul);
  // A file of BerkeleyGW's averages of 1/q^2 goes with its averages of 1/q.
  if (mode_ == CoulombMode::berkeleygw || (mode_ == CoulombMode::file && wings_ == Wings::berkeleygw))
    random_ = std::make_unique<RandomPoints>(crystal.bdot, grid);
  if (head_ > 0) return;
  head_ = file_ ? file_->v({0, 0, 0}, {0, 0, 0}) : mode_ == CoulombMode::berkeleygw ? random_->v({0, 0, 0}) : average_.v({0, 0, 0});
}

double Coulomb::v(const Vector3& q, const Miller& g) const {
  const double k2 = length2(bdot_, q + g);
  if (k2 < zero_length2) return head_;
  switch (mode_) {
    case CoulombMode::cell: return average_.v(q + g);
    case CoulombMode::file: return wings_ == Wings::symmetric ? file_->mean_v(q, g, operations_) : file_->v(q, g);
    case CoulombMode::berkeleygw: {
      if (wings_ == Wings::berkeleygw) return random_->v(q + g);
      double sum = 0;  // equivalent q+G have different noise
      for (const auto& operation : operations_) sum += random_->v(operation(q + g));
      return sum / static_cast<double>(operations_.size());
    }
    case CoulombMode::none: break;
  }
  return 8 * pi / k2;
}

double Coulomb::one_over_q(const Vector3& q) const { return random_ ? random_->one_over_q(q) : average_.one_over_q(q); }

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

Screening make_screening(const Settings& settings, const InverseDielectric& eps, const DensityFile& density, const Coulomb& coulomb,
                         double bare_cutoff, int iq, const FullGrid::Point* point, const std::vector<Operation>& operations) {
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
    if (s.at_zero || (coulomb.averaged() && coulomb.wings() == Wings::symmetric)) fix_wings(m, s, v, coulomb, crystal.bdot);
    else if (coulomb.averaged()) fix_wings_as_berkeleygw(m, stored, s, v, coulomb, crystal.bdot);
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
    case Model::gpp: s.poles = hybertsen_louie(input, s.I_eps.data(), s.wtilde.data()); break;
    case Model::godby_needs: {
      const auto imaginary = matrix(1);
      s.poles = godby_needs(input, imaginary.data(), std::abs(eps.frequencies()[1].imag()), s.I_eps.data(), s.wtilde.data());
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
  if (settings.exact_ch()) sum_pairs(s, crystal.bdot, bare_cutoff);
  return s;
}

}  // namespace suite::gw
