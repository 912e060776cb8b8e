// SPDX-License-Identifier: BSD-3-Clause
#include "kp_bands.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <tuple>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#ifdef SUITE_HAVE_EIGEN
#include "base/dense/eigenpairs.hpp"
#endif

namespace suite::gw {

namespace {

constexpr size_t most_neighbours = 20;
constexpr double least_weight = 1e-4;  // smaller ones change an energy by about 1e-5 eV
constexpr double same_level = tol_energy_Ry * rydberg_eV;
constexpr double at_point = 1e-7;      // bohr^-1: nearer than the digits of a file

// The inverse of an integer matrix whose determinant is 1 or -1.
std::array<Miller, 3> integer_inverse(const std::array<Miller, 3>& m) {
  std::array<Miller, 3> out{};
  int determinant = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
  for (int j = 0; j < 3; ++j) determinant += m[0][j] * out[j][0];
  for (auto& row : out)
    for (int& x : row) x *= determinant;
  return out;
}

Vector3 operator*(const std::array<Miller, 3>& m, const Vector3& v) {
  Vector3 out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i] += m[i][j] * v[j];
  return out;
}

// Quasiparticle energies in ascending order, of valence and of conduction bands: where corrections swap bands, the n-th energy is continuous, but not that
// of the n-th state of the mean field.
void sort_energies(LevelsAtK& levels, int valence) {
  const size_t count = levels.mean_field.size();
  std::vector<double> energy;
  for (size_t band = 0; band < count; ++band) energy.push_back(levels.quasiparticle(band));
  const auto border = energy.begin() + std::clamp<std::ptrdiff_t>(valence, 0, static_cast<std::ptrdiff_t>(count));
  std::sort(energy.begin(), border);
  std::sort(border, energy.end());
  for (size_t band = 0; band < count; ++band) levels.correction[band] = energy[band] - levels.mean_field[band];
}

// As many states as fit without cutting a degenerate set, which would break the symmetry. A file may cut its last one; the highest bands of a file are
// often badly converged, so that levels far apart count as degenerate here.
int whole_sets(const Wavefunctions& w, int k, int spin, int most, int least) {
  constexpr double apart = 1e-3;  // Ry
  int n = std::min(most, w.nbands());
  const auto cuts = [&] { return n == w.nbands() || w.energy(k, n, spin) - w.energy(k, n - 1, spin) < apart; };
  while (n > least && cuts()) --n;
  return n;
}

}  // namespace

int KpBands::add(const Wavefunctions& w, const Corrections& corrections) {
#ifdef SUITE_HAVE_EIGEN
  using Matrix = app::Dense<std::complex<double>>;
  const AllImages all(w.kpoints(), w.operations());
  std::vector<int> number(w.kpoints().size(), -1);  // in points_
  const auto known = [&](const Vector3& k) {
    return std::any_of(images_.begin(), images_.end(), [&](const Image& image) { return equivalent(k, image.at); });
  };
  bdot_ = w.crystal().bdot;
  int added = 0;
  for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
    if (known(w.kpoints()[k])) continue;
    const int n = whole_sets(w, k, spin_, basis_, end_);
    Point point;
    point.k = w.kpoints()[k];
    point.occupied = gap_ ? w.occupied(spin_) : 0;
    for (int band = 0; band < n; ++band) point.energy.push_back(w.energy(k, band, spin_) * rydberg_eV);
    if (!corrections.empty()) point.correction = corrections[static_cast<size_t>(k)];
    else all_corrected_ = false;
    const auto sphere = w.read(k, 0, n, 2, spin_);
    const auto npw = static_cast<Eigen::Index>(sphere.g.size());
    const Eigen::Index rows = npw * w.spinors();
    const Eigen::Map<const Matrix> c(reinterpret_cast<const std::complex<double>*>(sphere.c.at(0)), rows, n);
    for (int axis = 0; axis < 3; ++axis) {
      Eigen::VectorXd gradient(rows);
      for (Eigen::Index i = 0; i < rows; ++i) {
        const Vector3 kg = point.k + sphere.g[static_cast<size_t>(i % npw)];
        gradient[i] = 2 * rydberg_eV * (bdot_[axis][0] * kg[0] + bdot_[axis][1] * kg[1] + bdot_[axis][2] * kg[2]);
      }
      const Matrix p = c.adjoint() * (gradient.asDiagonal() * c);
      point.p[axis].assign(p.data(), p.data() + p.size());
    }
    number[static_cast<size_t>(k)] = points();
    points_.push_back(std::move(point));
    ++added;
  }
  for (int i = 0; i < all.size(); ++i) {
    const FullGrid::Point& image = all[i];
    if (number[static_cast<size_t>(image.irreducible)] < 0) continue;
    Image& to = images_.emplace_back();
    to.at = image.at;
    to.point = number[static_cast<size_t>(image.irreducible)];
    to.back = integer_inverse(w.operations()[static_cast<size_t>(image.operation)].rotation);
    if (image.reversed)
      for (Miller& row : to.back) row = -row;
  }
  return added;
#else
  static_cast<void>(w), static_cast<void>(corrections);
  throw Failure(SUITE_UNSUPPORTED, "bands along a path need Eigen, which this build lacks (libeigen3-dev)");
#endif
}

LevelsAtK KpBands::known(int i) const {
  const Point& point = points_[static_cast<size_t>(i)];
  LevelsAtK out{{point.energy.begin() + first_, point.energy.begin() + end_}, point.correction};
  if (!out.correction.empty()) sort_energies(out, point.occupied - first_);
  return out;
}

bool KpBands::corrected_at(const Vector3& k) const {
  return std::any_of(images_.begin(), images_.end(), [&](const Image& image) {
    return equivalent(k, image.at) && !points_[static_cast<size_t>(image.point)].correction.empty();
  });
}

// The nearest images, the nearest first, and one more, at whose distance the weights vanish.
std::vector<KpBands::Near> KpBands::nearest_images(const Vector3& k, bool corrected, std::optional<int> without) const {
  Vector3 inside{};
  for (int i = 0; i < 3; ++i) inside[i] = k[i] - std::floor(k[i]);
  std::vector<Near> all;
  all.reserve(27 * images_.size());
  for (size_t i = 0; i < images_.size(); ++i) {
    if (without == images_[i].point || (corrected && points_[static_cast<size_t>(images_[i].point)].correction.empty())) continue;
    const Vector3 d = inside - images_[i].at;
    for (int a = -1; a <= 1; ++a)
      for (int b = -1; b <= 1; ++b)
        for (int c = -1; c <= 1; ++c) {
          const Vector3 moved = d - Vector3{double(a), double(b), double(c)};
          all.push_back({length2(bdot_, moved), i, moved});
        }
  }
  const auto nearer = [](const Near& a, const Near& b) { return std::tie(a.distance, a.image) < std::tie(b.distance, b.image); };
  const size_t count = std::min(all.size(), most_neighbours + 1);
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(), nearer);
  all.resize(count);
  for (Near& near : all) near.distance = std::sqrt(near.distance);
  return all;
}

LevelsAtK KpBands::expanded(const Near& near) const {
  LevelsAtK out;
#ifdef SUITE_HAVE_EIGEN
  using Matrix = app::Dense<std::complex<double>>;
  const Image& image = images_[near.image];
  const Point& point = points_[static_cast<size_t>(image.point)];
  const auto n = static_cast<Eigen::Index>(point.energy.size());
  const Vector3 d = image.back * near.d;
  Matrix h = Matrix::Zero(n, n);
  for (int axis = 0; axis < 3; ++axis) h += d[axis] * Eigen::Map<const Matrix>(point.p[axis].data(), n, n);
  const double kinetic = length2(bdot_, d) * rydberg_eV;
  for (Eigen::Index i = 0; i < n; ++i) h(i, i) += point.energy[static_cast<size_t>(i)] + kinetic;
  const auto pairs = app::eigenpairs_of<std::complex<double>>(h);
  if (!pairs.found) return out;
  out.mean_field.assign(pairs.values.data() + first_, pairs.values.data() + end_);
  if (point.correction.empty()) return out;
  for (int band = first_; band < end_; ++band) {
    const bool filled = band < point.occupied;
    const int from = filled ? 0 : point.occupied, to = filled ? point.occupied : static_cast<int>(n);
    // Of degenerate states only the sum over the set does not depend on how they are mixed.
    int begin = band, end = band + 1;
    while (begin > 0 && pairs.values[begin] - pairs.values[begin - 1] < same_level) --begin;
    while (end < n && pairs.values[end] - pairs.values[end - 1] < same_level) ++end;
    double sum = 0, weights = 0;
    for (int m = from; m < to; ++m) {
      const double weight = pairs.vectors.row(m).segment(begin, end - begin).squaredNorm();
      sum += weight * point.correction[static_cast<size_t>(std::clamp(m, first_, end_ - 1) - first_)];  // of states beyond: the last one's
      weights += weight;
    }
    out.correction.push_back(weights > 0 ? sum / weights : point.correction[static_cast<size_t>(band - first_)]);
  }
  sort_energies(out, point.occupied - first_);
#else
  static_cast<void>(near);
#endif
  return out;
}

// Weights that add up to 1.
std::vector<double> KpBands::shares(const std::vector<Near>& near, int exponent) {
  const double reach = near.back().distance;
  std::vector<double> weights;
  double all = 0;
  for (const Near& one : near) all += weights.emplace_back(std::pow((reach - one.distance) / (reach * one.distance), exponent));
  double kept = 0;
  for (double& weight : weights) {
    if (!(weight > least_weight * all)) weight = all > 0 ? 0 : 1;  // all as far as the last: alike
    kept += weight;
  }
  for (double& weight : weights) weight /= kept;
  return weights;
}

LevelsAtK KpBands::blend(const std::vector<Near>& near) const {
  if (near.size() < 2) throw Failure(SUITE_INTERNAL, "no k points around the one wanted");
  if (near[0].distance < at_point) return known(images_[near[0].image].point);
  const std::vector<double> of_energy = shares(near, 4), of_correction = shares(near, 2);
  LevelsAtK out;
  const auto join = [](std::vector<double>& to, const std::vector<double>& from, double weight) {
    to.resize(from.size());
    for (size_t i = 0; i < from.size(); ++i) to[i] += weight * from[i];
  };
  for (size_t i = 0; i < near.size(); ++i) {
    if (of_energy[i] == 0 && of_correction[i] == 0) continue;
    const LevelsAtK one = expanded(near[i]);
    if (one.mean_field.empty())
      throw Failure(SUITE_INTERNAL, "the k.p matrix around " + text(images_[near[i].image].at) + " has no eigenvalues");
    join(out.mean_field, one.mean_field, of_energy[i]);
    join(out.correction, one.correction, of_correction[i]);
  }
  return out;
}

LevelsAtK KpBands::at(const Vector3& k, std::optional<int> without) const {
  LevelsAtK out = blend(nearest_images(k, !all_corrected_, without));
  if (!all_corrected_) out.mean_field = blend(nearest_images(k, false, without)).mean_field;
  return out;
}

std::vector<LevelsAtK> KpBands::at(const std::vector<Vector3>& k) const {
  std::vector<LevelsAtK> out(k.size());
  std::atomic<bool> failed = false;
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < k.size(); ++i) try {
      if (!failed) out[i] = at(k[i]);
    } catch (...) {
#pragma omp critical(suite_gw_bands_failure)
      failure = std::current_exception();
      failed = true;
    }
  if (failure) std::rethrow_exception(failure);
  return out;
}

SpinBands::SpinBands(int spins, int first, int end, int basis, bool gap) {
  for (int spin = 0; spin < spins; ++spin) spins_.emplace_back(first, end, basis, spin, gap);
}

int SpinBands::add(const Wavefunctions& w, const std::vector<KpBands::Corrections>& corrections) {
  int added = 0;
  for (size_t spin = 0; spin < spins_.size(); ++spin)
    added = spins_[spin].add(w, corrections.empty() ? KpBands::Corrections{} : corrections[spin]);
  return added;
}

LevelsOfSpins SpinBands::at(const Vector3& k, std::optional<int> without) const {
  LevelsOfSpins out;
  for (const KpBands& bands : spins_) out.push_back(bands.at(k, without));
  return out;
}

std::vector<LevelsOfSpins> SpinBands::at(const std::vector<Vector3>& k) const {
  std::vector<LevelsOfSpins> out(k.size());
  for (const KpBands& bands : spins_) {
    auto of_spin = bands.at(k);
    for (size_t i = 0; i < k.size(); ++i) out[i].push_back(std::move(of_spin[i]));
  }
  return out;
}

LevelsOfSpins SpinBands::known(int i) const {
  LevelsOfSpins out;
  for (const KpBands& bands : spins_) out.push_back(bands.known(i));
  return out;
}

}  // namespace suite::gw
