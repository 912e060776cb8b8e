// SPDX-License-Identifier: BSD-3-Clause
#include "screening.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <map>
#include <numbers>
#include <set>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "measure/verification.hpp"
#include "multipole_fit.hpp"

namespace suite::gw {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;
constexpr double zero_length2 = 1e-10;  // |q+G|^2 in Ry below which v is its average at the origin
constexpr double same_length = 1e-6;    // lengths of images of one q+G, bohr^-1, and their squares

// The columns of eps^-1 from number `first` on.
struct Columns {
  std::vector<Complex> values;  // n of each
  size_t n = 0, first = 0;
  size_t end() const { return first + (n ? values.size() / n : 0); }
  Complex& operator()(size_t row, size_t column) { return values[(column - first) * n + row]; }
};

// eps^-1 at a full q point from the matrix stored for its irreducible one: invariance under {R|t} gives
// eps^-1(RG,RG') = exp(-i RG.t) exp(+i RG'.t) eps^-1(G,G'); time reversal conjugates where eps is Hermitian in its symmetric form.
void rotate(Columns& matrix, const std::vector<Miller>& g, const FullGrid::Point& point, const Operation& operation) {
  const size_t n = g.size();
  std::vector<Complex> phase(n);
  for (size_t i = 0; i < n; ++i) phase[i] = std::polar(1.0, operation.phase(operation(g[i])));
  for (size_t j = matrix.first; j < matrix.end(); ++j)
    for (size_t i = 0; i < n; ++i) {
      Complex& e = matrix(i, j);
      e *= phase[i] * std::conj(phase[j]);
      if (point.reversed) e = std::conj(e);
    }
}

// In the symmetric form of the whole matrix of a q; rotate() then makes of it what time reversal leaves where eps is not Hermitian.
void conjugate_transpose(Columns& matrix, const std::vector<Miller>& g, const Vector3& q, const Matrix3& bdot) {
  const size_t n = g.size();
  std::vector<double> length(n);  // squared: 1/v, but for a factor
  for (size_t i = 0; i < n; ++i) length[i] = length2(bdot, q + g[i]);
  Columns out{std::vector<Complex>(n * n), n, 0};
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) out(i, j) = std::conj(matrix(j, i)) * (length[j] / length[i]);
  matrix = std::move(out);
}

// Elements of the row and of the column of one G, but not the diagonal.
void scale_wing(Columns& matrix, size_t at, double row, double column) {
  for (size_t j = matrix.first; j < matrix.end(); ++j)
    if (j != at) matrix(at, j) *= row;
  if (at < matrix.first || at >= matrix.end()) return;
  for (size_t i = 0; i < matrix.n; ++i)
    if (i != at) matrix(i, at) *= column;
}

// The wings of eps^-1: the row and the column of the shortest q+G. At q = 0 they vanish on average in a
// semiconductor. At another q, where v is averaged over a mini-cell, they are scaled as 1/|q+G| is averaged.
// At the border of the Brillouin zone several q+G are the shortest, images of each other; all of them have
// wings. So neither the label of q nor the image that was stored matters.
void fix_wings(Columns& matrix, const Screening& s, const std::vector<double>& v, const Coulomb& coulomb, const Matrix3& bdot) {
  const auto length = [&](size_t i) { return std::sqrt(length2(bdot, s.q + s.g[i])); };
  const size_t n = s.ncouls;
  double shortest = length(0);
  for (size_t i = 1; i < n; ++i) shortest = std::min(shortest, length(i));
  for (size_t i = 0; i < n; ++i) {
    if (length(i) > shortest + same_length) continue;
    const double average = s.at_zero ? 0 : coulomb.one_over_q(s.q + s.g[i]);
    scale_wing(matrix, i, average * length(i) / (8 * pi), s.at_zero ? 0 : average / (v[i] * length(i)));
  }
}

// Where v is cut off only what belongs to q+G = 0 is not taken as it is: the wings vanish on average, and the head is averaged; BerkeleyGW takes
// that of q0 at many frequencies.
enum class Head { of_small_q, real, complex };
struct AtFrequency {
  Head head;
  double inverse_head_static;  // (eps^-1)_00 of the small q at zero frequency
};
void fix_truncated(Columns& matrix, const Screening& s, const Coulomb& coulomb, const Vector3& small_q, Head head) {
  if (!s.at_zero) return;
  const auto at = static_cast<size_t>(std::find(s.g.begin(), s.g.end(), Miller{0, 0, 0}) - s.g.begin());
  scale_wing(matrix, at, 0, 0);
  if (!coulomb.of_molecule() && head != Head::of_small_q && at >= matrix.first && at < matrix.end())
    matrix(at, at) = coulomb.averaged_head({coulomb.kind(), small_q, head == Head::real ? matrix(at, at).real() : matrix(at, at)});
}

// q = 0 without a gap: the row of G = 0 is that of the small q, and so is the column, in which v(0) stands for v(small q). BerkeleyGW leaves the column
// of a metal as it is. In the static limit eps^-1 v tends to a constant in a metal and to a multiple of 1/q in graphene, with the value at the small q.
// At other frequencies it does not, and W is averaged at all of them; BerkeleyGW takes (eps^-1)_00 of the small q.
void fix_without_gap(Columns& matrix, const Screening& s, const std::vector<double>& v, const Coulomb& coulomb, const Matrix3& bdot,
                     const Vector3& small_q, const std::optional<AtFrequency>& frequency) {
  if (!s.at_zero || coulomb.at_small_q()) return;
  const auto at = static_cast<size_t>(std::find(s.g.begin(), s.g.end(), Miller{0, 0, 0}) - s.g.begin());
  const bool graphene = coulomb.kind() == ScreeningKind::graphene, as_berkeleygw = coulomb.wings() == Wings::berkeleygw;
  const double plain = as_berkeleygw && coulomb.truncated() ? coulomb.slab_limit(small_q) : coulomb.plain(small_q);
  if (graphene || !as_berkeleygw) scale_wing(matrix, at, 1, plain / v[at]);
  if (at < matrix.first || at >= matrix.end()) return;
  if (frequency) {
    if (frequency->head == Head::of_small_q) return;
    const Complex value = frequency->head == Head::real ? matrix(at, at).real() : matrix(at, at);
    matrix(at, at) = coulomb.averaged_head({coulomb.kind(), small_q, value, frequency->inverse_head_static});
    return;
  }
  if (coulomb.truncated()) return;
  matrix(at, at) *= (graphene ? coulomb.one_over_q({0, 0, 0}) / std::sqrt(length2(bdot, small_q)) : plain) / v[at];
}

// The wings as BerkeleyGW has them: those of G = 0 of the stored q, with the length and the average of 1/q of
// its image as it is written in [0,1), and v of the shortest q+G; of several, of the first in the order of
// its lists. They depend on how q is labelled (by up to 0.014 eV of Eqp1 in silicon).
void fix_wings_as_berkeleygw(Columns& matrix, const std::vector<Miller>& stored, const Screening& s, const std::vector<double>& v,
                             const Coulomb& coulomb, const Matrix3& bdot) {
  const auto found = std::find(stored.begin(), stored.end(), Miller{0, 0, 0});
  if (found == stored.end()) return;
  size_t first = 0;
  for (size_t i = 1; i < stored.size(); ++i) {
    const double longer = length2(bdot, s.q + s.g[i]) - length2(bdot, s.q + s.g[first]);
    if (longer < -same_length || (longer <= same_length && s.g[i] < s.g[first])) first = i;
  }
  const double q = std::sqrt(length2(bdot, s.q)), average = coulomb.one_over_q(s.q);
  scale_wing(matrix, static_cast<size_t>(found - stored.begin()), average * q / (8 * pi), average / (v[first] * q));
}

void sum_pairs(Screening& s, const Matrix3& bdot, double cutoff) {
  std::map<Miller, Complex> sums;
  for (int column = 0; column < s.ngpown(); ++column) {
    const int igp = s.indigp[column] - 1;
    if (igp < 0) continue;
    for (int ig = 0; ig < s.ncouls; ++ig) {
      const Miller d = s.g[ig] - s.g[igp];
      if (length2(bdot, real(d)) < cutoff) sums[d] += s.I_eps[static_cast<size_t>(column) * s.ncouls + ig] * s.vcoul[igp];
    }
  }
  for (const auto& [d, sum] : sums) {
    s.difference.push_back(d);
    s.pair_sum.push_back(sum);
  }
}

const char* model_of_kernel(Model model) {
  switch (model) {
    case Model::gpp: return "hybertsen_louie";
    case Model::godby_needs: return "godby_needs";
    case Model::cohsex: return "static";
    case Model::contour_deformation:
    case Model::multipole: return "static";  // of which the other frequencies need no kernel
  }
  return "";
}

constexpr double fallback_pole = 2 * rydberg_eV;  // of invalid_gpp_mode 2

// Without a pole (mode 0) an invalid one would look like one that is not needed: as imaginary energy it can
// be counted, and removed.
int mode_of_kernel(int invalid_gpp_mode) { return invalid_gpp_mode == 0 ? 1 : invalid_gpp_mode; }
bool is_invalid(const Complex& w, int mode) { return mode == 3 ? w == static_limit : mode == 2 ? w == fallback_pole : w.imag() != 0; }

// Counts the invalid poles of a model that has such.
void count_poles(Screening& s, int invalid_gpp_mode) {
  for (int column = 0; column < s.ngpown(); ++column)
    for (int ig = 0; ig < s.ncouls; ++ig) {
      const size_t at = static_cast<size_t>(column) * s.ncouls + ig;
      Complex& w = s.wtilde[at];
      if (w == 0.0) continue;
      const double weight = std::abs(s.I_eps[at]) * s.vcoul[s.indigp[column] - 1];
      ++s.poles.pairs;
      s.poles.weight += weight;
      if (!is_invalid(w, mode_of_kernel(invalid_gpp_mode))) continue;
      ++s.poles.invalid;
      s.poles.invalid_weight += weight;
      if (invalid_gpp_mode == 0) w = 0;
    }
}

// The samples at all frequencies into poles, which take their place.
void fit_multipoles(Screening& s, const std::vector<Complex>& frequencies) {
  const PoleFit fit(frequencies);
  const size_t n = static_cast<size_t>(s.ncouls), columns = s.indigp.size(), npole = static_cast<size_t>(fit.poles());
  s.poles_of_pair = npole;
  s.multipoles.resize(4 * n * npole * columns);
  std::vector<PoleCount> counts(columns);
#pragma omp parallel for schedule(dynamic)
  for (size_t column = 0; column < columns; ++column) {
    if (s.indigp[column] == 0) continue;  // padding: no pole has a residue
    std::array<Complex, 2 * most_poles> x;
    std::array<Complex, most_poles> poles, residues;
    for (size_t i = 0; i < n; ++i) {
      for (size_t f = 0; f < frequencies.size(); ++f) x[f] = s.at_frequencies[f][column * n + i];
      const bool missed = fit.fit(x.data(), poles.data(), residues.data()) > tolerated_misfit;
      const double weight = std::abs(x[0]) * s.vcoul[static_cast<size_t>(s.indigp[column] - 1)];
      counts[column] += {1, missed ? 1.0 : 0.0, weight, missed ? weight : 0.0};
      for (size_t p = 0; p < npole; ++p) {
        double* const at = s.multipoles.data() + (column * npole + p) * 4 * n + i;
        at[0] = poles[p].real(), at[n] = poles[p].imag(), at[2 * n] = residues[p].real(), at[3 * n] = residues[p].imag();
      }
    }
  }
  for (const PoleCount& count : counts) s.poles += count;
  s.at_frequencies.clear();
}

// The real parts, in the first half of the memory; or nothing to do.
const double* in_flavour(std::vector<Complex>& values, int parts) {
  auto* const numbers = reinterpret_cast<double*>(values.data());
  for (size_t i = 0; parts == 1 && i < values.size(); ++i) numbers[i] = numbers[2 * i];
  return numbers;
}

// The columns of a slice, from 1. More slices than columns: one of padding, which counts nothing.
std::vector<int32_t> columns_of(const Slice& slice, int ncouls) {
  const Range own = slice.part(ncouls);
  std::vector<int32_t> columns;
  for (int64_t igp = own.first; igp < own.end; ++igp) columns.push_back(static_cast<int32_t>(igp + 1));
  if (columns.empty()) columns.push_back(0);
  return columns;
}

}  // namespace

Coulomb::Coulomb(const Settings& settings, const Crystal& crystal, const Miller& grid, const std::vector<Operation>& operations,
                 const Miller& fft_grid)
    : kind_(settings.screening),
      mode_(settings.coulomb),
      wings_(settings.wings),
      truncation_(settings.truncation),
      grid_(grid),
      bdot_(crystal.bdot),
      operations_(operations),
      average_(crystal.bdot, grid, crystal.volume),
      head_(settings.coulomb_head) {
  if (mode_ == CoulombMode::file && settings.vcoul.empty())
    throw Failure(SUITE_INVALID_ARGUMENT, "the Coulomb interaction is to be read from a file, but none is given");
  // Without averages a file gives the one that is needed all the same, at q = 0.
  if (mode_ == CoulombMode::file || (mode_ == CoulombMode::none && !settings.vcoul.empty() && !(head_ > 0)))
    file_ = std::make_unique<CoulombFile>(settings.vcoul);
  if (takes_random_points(settings)) random_ = std::make_unique<RandomPoints>(crystal.bdot, grid);
  if (truncation_ != Truncation::none) truncated_.emplace(truncation_, crystal.bdot, fft_grid);
  if (head_ > 0) return;
  if (truncated_ && truncation_ != Truncation::box) {
    Vector3 any{};
    any[truncation_ == Truncation::slab ? 0 : 2] = 1e-3;
    head_ = truncated_head({ScreeningKind::semiconductor, any}).v;
    return;
  }
  head_ = file_ ? file_->v({0, 0, 0}, {0, 0, 0}) : mode_ == CoulombMode::berkeleygw ? random_->v({0, 0, 0}) : average_.v({0, 0, 0});
}

double Coulomb::v(const Vector3& q, const Miller& g) const {
  const double k2 = length2(bdot_, q + g);
  if (k2 < zero_length2) return head_;
  switch (averaged() || mode_ == CoulombMode::file ? mode_ : CoulombMode::none) {
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

double Coulomb::plain(const Vector3& q) const { return truncated_ ? truncated_->v(q, {Miller{0, 0, 0}})[0] : 8 * pi / length2(bdot_, q); }

double Coulomb::slab_limit(const Vector3& q) const { return 8 * pi * (pi / std::sqrt(bdot_[2][2])) / std::sqrt(length2(bdot_, q)); }

TruncatedCoulomb::Head Coulomb::truncated_head(const SmallQ& at) const {
  if (truncation_ == Truncation::slab && random_)
    return truncated_->head_of_slab([this](const auto& f) { return random_->mean_in_plane(f); }, at);
  return truncated_->head(grid_, at);
}

Complex Coulomb::averaged_head(const SmallQ& at) const {
  if (truncation_ == Truncation::box) return at.inverse_head;
  if (truncated_) {
    const auto head = truncated_head(at);
    return head.w / head.v;
  }
  const SmallQPolarizability x(at, std::sqrt(length2(bdot_, at.q)), plain(at.q));
  return average_.mean_at_origin([&](double q) { return 8 * pi / (1.0 + 8 * pi / (q * q) * x(q)); }) / average_.v({0, 0, 0});
}

std::vector<double> Coulomb::v(const Vector3& q, const std::vector<Miller>& g) const {
  if (truncated_) {
    auto out = truncated_->v(q, g);
    for (size_t i = 0; i < g.size(); ++i)
      if (truncation_ != Truncation::box && length2(bdot_, q + g[i]) < zero_length2) out[i] = head_;
    return out;
  }
  std::vector<double> out(g.size());
  size_t failed = g.size();  // the first that the file does not have
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 4)
  for (size_t i = 0; i < g.size(); ++i) {
    try {
      out[i] = v(q, g[i]);
    } catch (...) {
#pragma omp critical(suite_gw_coulomb)
      if (i < failed) failed = i, failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return out;
}

// A file of BerkeleyGW's averages of 1/q^2 goes with its averages of 1/q.
bool Coulomb::takes_random_points(const Settings& s) {
  return s.coulomb == CoulombMode::berkeleygw || (s.coulomb == CoulombMode::file && s.wings == Wings::berkeleygw);
}

double Coulomb::one_over_q(const Vector3& q) const { return random_ ? random_->one_over_q(q) : average_.one_over_q(q); }

std::vector<Miller> sphere(const Matrix3& bdot, const Vector3& q, double cutoff) {
  const Vector3 most = sphere_extent(bdot, cutoff);
  Miller low, high;
  for (int i = 0; i < 3; ++i) {
    low[i] = static_cast<int>(std::ceil(-q[i] - most[i] - 1e-9));
    high[i] = static_cast<int>(std::floor(-q[i] + most[i] + 1e-9));
  }
  std::vector<Miller> out;
  for (int a = low[0]; a <= high[0]; ++a)
    for (int b = low[1]; b <= high[1]; ++b)
      for (int c = low[2]; c <= high[2]; ++c)
        if (length2(bdot, q + Miller{a, b, c}) < cutoff) out.push_back({a, b, c});
  return out;
}

Screenings::Screenings(const Plan& plan, KernelSource& source, Slice slice)
    : Screenings(
          plan, source, slice,
          std::make_shared<Coulomb>(plan.settings, plan.eps.crystal(), plan.eps.grid(), plan.wavefunctions.operations(),
                                    plan.settings.truncation == Truncation::none ? Miller{1, 1, 1} : plan.wavefunctions.fft_grid()),
          Coulomb::takes_mean_at_zero(plan.settings) ? std::make_shared<SmallQMean>(plan.eps, plan.wavefunctions.operations()) : nullptr) {}

Screenings::Screenings(const Screenings& first, KernelSource& source)
    : Screenings(first.plan_, source, first.slice_, first.coulomb_, first.at_zero_) {}

Screenings::Screenings(const Plan& plan, KernelSource& source, Slice slice, std::shared_ptr<const Coulomb> coulomb,
                       std::shared_ptr<const SmallQMean> at_zero)
    : plan_(plan),
      slice_(slice),
      coulomb_(std::move(coulomb)),
      at_zero_(std::move(at_zero)),
      rho_(plan.density.rho.values(), plan.parts),
      timed_(source.open("gw.screening")) {
  timed_->choose("model", model_of_kernel(plan.settings.model));
}

// Each rank of a slice averages over the mini-cell for its part of the G.
std::vector<double> Screenings::v(const Vector3& q, const std::vector<Miller>& g) const {
  if (!slice_.shares()) return coulomb_->v(q, g);
  const Range own = slice_.part(static_cast<int64_t>(g.size()));
  const std::vector<double> mine = coulomb_->v(q, {g.begin() + own.first, g.begin() + own.end});
  std::vector<double> all(g.size());
  slice_.gather(mine.data(), all.data(), 1, static_cast<int64_t>(g.size()));
  return all;
}

std::vector<double> Screenings::v_of_images(const std::vector<Miller>& g) const {
  const auto& operations = plan_.wavefunctions.operations();
  std::vector<double> mean(g.size());
  for (const int sign : {1, -1})
    for (const Operation& operation : operations) {
      std::vector<Miller> turned;
      for (const Miller& one : g) turned.push_back(operation(sign == 1 ? one : -one));
      const std::vector<double> v = coulomb_->v(plan_.eps.small_q(), turned);
      for (size_t i = 0; i < g.size(); ++i) mean[i] += v[i] / (2.0 * static_cast<double>(operations.size()));
    }
  return mean;
}

Screening Screenings::make(int iq, const FullGrid::Point* point) {
  const Settings& settings = plan_.settings;
  const InverseDielectric& eps = plan_.eps;
  const Crystal& crystal = eps.crystal();
  const auto& operations = plan_.wavefunctions.operations();
  Screening s;
  s.at_zero = iq == 0;
  s.q = point ? point->at : eps.qpoints()[iq];
  const SmallQMean* const mean = s.at_zero ? at_zero_.get() : nullptr;
  if (mean) point = nullptr;  // all operations leave it as it is
  const auto& stored = mean ? mean->g() : eps.gvectors(iq);
  s.ncouls = static_cast<int>(stored.size());
  s.g = stored;
  if (point)
    for (auto& g : s.g) g = rotated(*point, operations[point->operation], g);

  std::set<Miller> known(s.g.begin(), s.g.end());
  for (const auto& g : sphere(crystal.bdot, s.q, plan_.bare_cutoff()))
    if (!known.count(g)) s.g.push_back(g);
  const double factor = 1.0 / (double(eps.grid()[0]) * eps.grid()[1] * eps.grid()[2] * crystal.volume);
  const bool at_small_q = s.at_zero && coulomb_->at_small_q();
  std::vector<Miller> of_v = s.g;
  // That code turns the matrix by the last operation that keeps q = 0, as matrix elements are turned here, but not v.
  if (at_small_q && coulomb_->wings() == Wings::berkeleygw)
    for (Miller& g : of_v) g = operations[static_cast<size_t>(plan_.q_full[plan_.q_full.find({0, 0, 0}).index].operation)](g);
  const std::vector<double> v = at_small_q && mean ? v_of_images(s.g) : this->v(at_small_q ? eps.small_q() : s.q, of_v);
  for (double x : v) s.vcoul.push_back(x * factor);

  s.indigp = columns_of(slice_, s.ncouls);
  const auto first = static_cast<size_t>(std::max(0, s.indigp[0] - 1));  // of padding: any
  const auto head_at = [&](int frequency) {
    if (settings.full_frequency() && coulomb_->wings() == Wings::berkeleygw) return Head::of_small_q;
    return static_cast<size_t>(frequency) < eps.on_imaginary_axis() ? Head::real : Head::complex;
  };
  double inverse_head_static = 1;
  if (s.at_zero && settings.full_frequency()) {
    const auto at = std::find(stored.begin(), stored.end(), Miller{0, 0, 0}) - stored.begin();
    inverse_head_static = eps.columns(iq, 0, at, 1)[static_cast<size_t>(at)].real();
  }
  const auto matrix = [&](int frequency) {
    // Off the imaginary axis time reversal exchanges G and G', for which the whole matrix is needed.
    const bool transposed = point && point->reversed && static_cast<size_t>(frequency) >= eps.on_imaginary_axis();
    const auto n = static_cast<size_t>(s.ncouls), from = transposed ? 0 : first;
    const int64_t count = transposed ? s.ncouls : s.ngpown();
    Columns m{
        mean ? mean->columns(frequency, static_cast<int64_t>(from), count) : eps.columns(iq, frequency, static_cast<int64_t>(from), count),
        n, from};
    if (transposed) conjugate_transpose(m, stored, iq == 0 ? eps.small_q() : eps.qpoints()[iq], crystal.bdot);
    if (coulomb_->kind() != ScreeningKind::semiconductor)
      fix_without_gap(m, s, v, *coulomb_, crystal.bdot, eps.small_q(),
                      settings.full_frequency() ? std::optional(AtFrequency{head_at(frequency), inverse_head_static}) : std::nullopt);
    else if (coulomb_->truncated()) fix_truncated(m, s, *coulomb_, eps.small_q(), head_at(frequency));
    else if (s.at_zero || (coulomb_->averaged() && coulomb_->wings() == Wings::symmetric)) fix_wings(m, s, v, *coulomb_, crystal.bdot);
    else if (coulomb_->averaged()) fix_wings_as_berkeleygw(m, stored, s, v, *coulomb_, crystal.bdot);
    if (point) rotate(m, stored, *point, operations[point->operation]);
    if (transposed)
      m.values = {m.values.begin() + static_cast<ptrdiff_t>(first * n),
                  m.values.begin() + static_cast<ptrdiff_t>((first + s.indigp.size()) * n)};
    return std::move(m.values);
  };
  s.I_eps = Numbers(plan_.parts);
  // BerkeleyGW's rules take the first of the real frequencies for the static limit.
  const bool first_real = settings.contour() && settings.contour_rule != ContourRule::spline;
  std::vector<Complex> inverse = matrix(first_real ? static_cast<int>(eps.on_imaginary_axis()) : 0), imaginary;
  if (settings.model == Model::godby_needs) imaginary = matrix(1);
  run(s, in_flavour(inverse, plan_.parts), imaginary.empty() ? nullptr : in_flavour(imaginary, plan_.parts));
  if (settings.has_poles()) count_poles(s, settings.invalid_gpp_mode);
  if (settings.exact_ch()) sum_pairs(s, crystal.bdot, plan_.bare_cutoff());
  if (!settings.full_frequency()) return s;
  for (size_t i = 0; i < eps.frequencies().size(); ++i) {
    std::vector<Complex> values = matrix(static_cast<int>(i));
    for (Complex& e : values) e = -e;
    for (int column = 0; column < s.ngpown(); ++column)
      if (const int igp = s.indigp[column] - 1; igp >= 0) values[static_cast<size_t>(column) * s.ncouls + igp] += 1;
    s.at_frequencies.emplace_back(values, i < eps.on_imaginary_axis() ? plan_.parts : 2);
  }
  if (settings.multipole()) fit_multipoles(s, eps.frequencies());
  return s;
}

namespace {

// The arguments of gw.screening. They must live until it has run.
struct PolesCall {
  const std::vector<int32_t>& indigp;
  const Numbers& rho;
  const double *epsinv, *epsinv_imaginary;  // in the flavour of rho; the second null where the model has none
  double* I_eps;
  Complex* wtilde;
};

void set(Kernel& kernel, const Plan& plan, const Screening& s, const PolesCall& call) {
  const Density& density = plan.density.rho;
  const int64_t n = s.ncouls, columns = static_cast<int64_t>(call.indigp.size());
  const int parts = call.rho.parts();
  const Miller& grid = plan.eps.grid();
  const auto list = [&](const char* name, const std::vector<Miller>& g, int64_t count) {
    kernel.set(name, reinterpret_cast<const int32_t*>(g.data()), {3, count});
  };
  list("g", s.g, n);
  list("g_rho", density.gvectors(), static_cast<int64_t>(density.gvectors().size()));
  set_numbers(kernel, "rho", call.rho.at(0), parts, {static_cast<int64_t>(call.rho.size())});
  kernel.set("indigp", call.indigp.data(), {columns});
  set_numbers(kernel, "epsinv", call.epsinv, parts, {n, columns});
  if (call.epsinv_imaginary) set_numbers(kernel, "epsinv_imaginary", call.epsinv_imaginary, parts, {n, columns});
  if (call.epsinv_imaginary) kernel.set("w_imaginary", std::abs(plan.eps.frequencies()[1].imag()));
  kernel.set("vcoul", s.vcoul.data(), {n});
  kernel.set("q", s.q.data(), {3});
  kernel.set("bdot", plan.eps.crystal().bdot[0].data(), {3, 3});
  kernel.set("nq", int32_t{grid[0] * grid[1] * grid[2]});
  kernel.set("invalid_gpp_mode", int32_t{mode_of_kernel(plan.settings.invalid_gpp_mode)});
  set_numbers(kernel, "I_eps_array", call.I_eps, parts, {n, columns});
  kernel.set("wtilde_array", call.wtilde, {n, columns});
}

}  // namespace

void Screenings::run(Screening& s, const double* inverse, const double* imaginary) {
  s.I_eps.resize(static_cast<size_t>(s.ncouls) * s.indigp.size());
  s.wtilde.resize(s.I_eps.size());
  set(timed_.kernel(), plan_, s, {s.indigp, rho_, inverse, imaginary, s.I_eps.at(0), s.wtilde.data()});
  timed_.run();
  if (timed_.record().samples_s.size() == 1) verify(s, inverse, imaginary);
}

// Against the reference, which looks up the density pair by pair: some of the columns.
void Screenings::verify(const Screening& s, const double* inverse, const double* imaginary) {
  app::Verification& verification = timed_.record().verification;
  if (timed_.record().implementation == "reference") {
    verification.detail = "this is the reference implementation";
    return;
  }
  constexpr size_t most_columns = 8;
  const size_t n = static_cast<size_t>(s.ncouls), own = s.indigp.size(), step = (own + most_columns - 1) / most_columns;
  std::vector<int32_t> indigp;
  std::vector<double> epsinv, epsinv_imaginary, I_eps;
  std::vector<Complex> wtilde;
  const auto append = [&](std::vector<double>& to, const double* from, size_t column) {
    const size_t numbers = n * static_cast<size_t>(plan_.parts);
    if (from) to.insert(to.end(), from + numbers * column, from + numbers * (column + 1));
  };
  for (size_t column = 0; column < own; column += step) {
    indigp.push_back(s.indigp[column]);
    append(epsinv, inverse, column);
    append(epsinv_imaginary, imaginary, column);
    append(I_eps, s.I_eps.at(0), column);
    wtilde.insert(wtilde.end(), s.wtilde.data() + n * column, s.wtilde.data() + n * (column + 1));
  }
  std::vector<double> I_expected(I_eps.size());
  std::vector<Complex> w_expected(wtilde.size());
  Kernel reference("gw.screening", "reference");
  reference.choose("model", model_of_kernel(plan_.settings.model));
  set(reference, plan_, s,
      {indigp, rho_, epsinv.data(), imaginary ? epsinv_imaginary.data() : nullptr, I_expected.data(), w_expected.data()});
  reference.run();
  // Beside the static limit no error of another pole would be seen: where both have it, it is left out.
  for (size_t i = 0; i < wtilde.size(); ++i)
    if (wtilde[i] == static_limit && w_expected[i] == static_limit) wtilde[i] = w_expected[i] = 0;
  std::vector<app::Output> wanted = app::outputs_of(reference), found = wanted;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto put = [](app::Output& output, const auto& values) { std::memcpy(output.bytes.data(), values.data(), output.bytes.size()); };
    if (wanted[i].name == "I_eps_array") put(wanted[i], I_expected), put(found[i], I_eps);
    else put(wanted[i], w_expected), put(found[i], wtilde);
  }
  verification = app::verify(timed_.kernel(), wanted, found);
}

app::App::Sample sample_of_screening(const Settings& settings) {
  struct Call {
    Plan plan;
    Screening screening;
    Numbers rho, I_eps;
    std::vector<Complex> inverse, wtilde;
    explicit Call(const Settings& s) : plan(s) {}
  };
  auto call = std::make_shared<Call>(settings);
  KernelSource source("cpu");
  call->screening = Screenings(call->plan, source).make(call->plan.eps.count() / 2);
  call->rho = Numbers(call->plan.density.rho.values(), call->plan.parts);
  const Screening& s = call->screening;
  call->I_eps = s.I_eps;
  call->wtilde = s.wtilde;
  const auto n = static_cast<size_t>(s.ncouls);
  for (size_t i = 0; i < s.I_eps.size(); ++i) call->inverse.push_back((i % n == i / n ? 1.0 : 0.0) - s.I_eps[i]);
  in_flavour(call->inverse, call->plan.parts);
  app::App::Sample sample;
  sample.data = call;
  sample.set_arguments = [call = call.get()](Kernel& kernel) {
    kernel.choose("model", model_of_kernel(call->plan.settings.model));
    set(kernel, call->plan, call->screening,
        {call->screening.indigp, call->rho, reinterpret_cast<const double*>(call->inverse.data()), nullptr, call->I_eps.at(0),
         call->wtilde.data()});
  };
  sample.kernel = "gw.screening";
  sample.description = fmt::format("q = {}: {} G, static limit", text(s.q), s.ncouls);
  return sample;
}

}  // namespace suite::gw
