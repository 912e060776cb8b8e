// SPDX-License-Identifier: BSD-3-Clause
#include "dielectric_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "plan.hpp"

namespace suite::gw {

namespace {

constexpr double same_small_q = 1e-6;  // of crystal coordinates: q0 is a thousandth

[[noreturn]] void refuse_epsilon(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

std::vector<DielectricPlan::Keeps> little_group(const Vector3& q, const std::vector<Operation>& operations, bool at_zero) {
  std::vector<DielectricPlan::Keeps> kept;
  for (bool reversed : {false, true})
    for (size_t s = 0; s < operations.size(); ++s) {
      const Vector3 image = operations[s](q), moved = (reversed ? -image : image) - q;
      const Miller shift = nearest(moved);
      if (distance(moved, real(shift)) <= same_small_q && !(at_zero && shift != Miller{}))
        kept.push_back({static_cast<int>(s), reversed, shift});
    }
  return kept;
}

// Numbers of those within the cutoff, by length; of one length, to rounding, in the order of the list.
std::vector<int> sorted_sphere(const std::vector<Miller>& all, const Matrix3& bdot, const Vector3& q, double cutoff) {
  std::vector<std::pair<double, int>> inside;
  for (size_t i = 0; i < all.size(); ++i)
    if (const double length = length2(bdot, q + all[i]); length < cutoff * (1 - 1e-10)) inside.emplace_back(length, static_cast<int>(i));
  std::sort(inside.begin(), inside.end());
  for (auto from = inside.begin(); from != inside.end();) {
    auto to = from;
    while (to != inside.end() && to->first - from->first <= 1e-8 * cutoff) ++to;
    std::sort(from, to, [](const auto& a, const auto& b) { return a.second < b.second; });
    from = to;
  }
  std::vector<int> numbers;
  for (const auto& [length, number] : inside) numbers.push_back(number);
  return numbers;
}

// Of occupied bands alone the Fermi level of the other file decides.
Wavefunctions open_q0(const Settings& s, const Wavefunctions& w) {
  LevelSettings levels = s.epsilon.levels;
  if (!s.epsilon.eqp_q0.empty()) levels.eqp = s.epsilon.eqp_q0;
  if (s.screening != ScreeningKind::semiconductor) return Wavefunctions(s.epsilon.wavefunctions_q0, KGrid::grid, levels, s.epsilon.nbands);
  return Wavefunctions(s.epsilon.wavefunctions_q0, KGrid::grid, levels, w.most_occupied(), w.levels().fermi());
}

// How much more the grid of k + q0 is shifted than that of k.
Vector3 small_q_of(const Settings& s, const Wavefunctions& w, const Wavefunctions& wq) {
  if (s.epsilon.q0) return *s.epsilon.q0;
  if (s.screening != ScreeningKind::semiconductor)
    refuse_epsilon(
        fmt::format("q0 is needed where the screening is not that of a semiconductor: a step of the {} grid of {} ('epsilon.q0')",
                    text(wq.grid()), wq.path().string()));
  Vector3 q{};
  for (int i = 0; i < 3; ++i) q[i] = (wq.shift()[i] - w.shift()[i]) / w.grid()[i];
  return q;
}

}  // namespace

DielectricPlan::DielectricPlan(const Settings& s)
    : settings(s),
      wavefunctions(s.epsilon_wavefunctions(), KGrid::grid, s.epsilon.levels, s.epsilon.nbands),
      wavefunctions_q0(open_q0(s, wavefunctions)),
      k_points(wavefunctions.kpoints(), wavefunctions.operations()),
      k_points_q0(wavefunctions_q0.kpoints(), wavefunctions_q0.operations()),
      nbands(s.epsilon.nbands > 0 ? s.epsilon.nbands : wavefunctions.nbands()),
      grid(s.epsilon.q_grid == Miller{} ? wavefunctions.grid() : s.epsilon.q_grid),
      frequencies{0.0},
      gspace(wavefunctions.gspace()) {
  check_files();
  if (s.epsilon.real_frequencies_eV.empty() && s.epsilon.complex_frequencies_eV.empty() && wavefunctions.flavour() == 1 &&
      have_real_phases(wavefunctions.operations()) && have_real_phases(wavefunctions_q0.operations()))
    parts = 1;
  if (s.model == Model::godby_needs) frequencies.emplace_back(0.0, s.epsilon.imaginary_frequency_Ry);
  for (const double w : s.epsilon.imaginary_frequencies_eV) frequencies.emplace_back(0.0, w / rydberg_eV);
  on_imaginary_axis = frequencies.size();
  for (const double w : s.epsilon.real_frequencies_eV) frequencies.push_back(std::complex<double>(w, s.epsilon.broadening_eV) / rydberg_eV);
  for (const auto& z : s.epsilon.complex_frequencies_eV) frequencies.push_back(z / rydberg_eV);
  const Vector3 q0 = small_q_of(s, wavefunctions, wavefunctions_q0);
  if (s.truncation != Truncation::none) {
    require_truncated_grid(s.truncation, grid, "the grid of q");
    require_truncated_operations(s.truncation, wavefunctions.operations(), wavefunctions.path().string());
    truncated_.emplace(s.truncation, wavefunctions.crystal().bdot, wavefunctions.fft_grid());
  }
  check_small_q(q0);
  for (const WedgePoint& point : wedge_of(grid, wavefunctions.operations(), "the q grid"))
    q.push_back(make_q(q.empty() ? q0 : point.at, q.empty()));
}

void DielectricPlan::check_small_q(const Vector3& q0) const {
  const Truncation truncation = settings.truncation;
  if (truncation == Truncation::box) {
    if (distance(q0, {0, 0, 0}) > same_small_q)
      refuse_epsilon(fmt::format("truncation box: the k points of {} are those of {} moved by {}, and a molecule has q = 0 alone",
                                 wavefunctions_q0.path().string(), wavefunctions.path().string(), text(q0)));
    return;
  }
  const double largest = largest_q0(settings.screening);
  if (pairs_in_q0() && !(distance(q0, {0, 0, 0}) > same_small_q && distance(q0, {0, 0, 0}) <= largest))
    refuse_epsilon(fmt::format("q0 = {} is no small vector: a step of the {} grid of {} is usual", text(q0), text(wavefunctions_q0.grid()),
                               wavefunctions_q0.path().string()));
  if (distance(q0, {0, 0, 0}) <= same_small_q)
    refuse_epsilon(fmt::format("the k points of {} are those of {}, not moved by a small q0, for which v(q0) is infinite",
                               wavefunctions_q0.path().string(), wavefunctions.path().string()));
  if (!(distance(q0, {0, 0, 0}) <= largest))
    refuse_epsilon(
        fmt::format("the k points of {} are those of {} moved by {}, which is no small q0: 0.001 of a reciprocal vector is usual",
                    wavefunctions_q0.path().string(), wavefunctions.path().string(), text(q0)));
  for (int i = 0; i < 3; ++i)
    if (std::abs(q0[i]) > same_small_q && ((truncation == Truncation::slab && i == 2) || (truncation == Truncation::wire && i < 2)))
      refuse_epsilon(fmt::format("truncation {}: the small q0 = {} leaves the directions in which the system is periodic",
                                 truncation_name(truncation), text(q0)));
}

std::vector<double> DielectricPlan::v(const Q& one) const {
  if (truncated_) return truncated_->v(one.at, one.g);
  std::vector<double> out;
  for (const Miller& g : one.g) out.push_back(8 * std::numbers::pi / length2(wavefunctions.crystal().bdot, one.at + g));
  return out;
}

DielectricPlan::Q DielectricPlan::make_q(const Vector3& at, bool at_zero) const {
  Q one;
  one.at = at;
  one.at_zero = at_zero;
  one.numbers = sorted_sphere(gspace, wavefunctions.crystal().bdot, at_zero ? Vector3{} : at, cutoff());
  for (int number : one.numbers) one.g.push_back(gspace[static_cast<size_t>(number)]);
  one.little_group = little_group(at, wavefunctions_of(at_zero).operations(), at_zero);
  find_points(one);
  return one;
}

void DielectricPlan::check_files() const {
  const Wavefunctions &w = wavefunctions, &wq = wavefunctions_q0;
  const std::string name = w.path().string(), name_q = wq.path().string();
  require_same_cell(w.crystal(), name, wq.crystal(), name_q);
  if (wq.flavour() != w.flavour())
    refuse_epsilon(fmt::format("the flavour is {} in {} and {} in {} (1 real, 2 complex)", w.flavour(), name, wq.flavour(), name_q));
  if (!(std::abs(w.cutoff() - wq.cutoff()) <= 1e-6))
    refuse_epsilon(fmt::format("the cutoff is {:g} Ry in {} and {:g} Ry in {}", w.cutoff(), name, wq.cutoff(), name_q));
  if (wq.spins() != w.spins()) refuse_epsilon(fmt::format("nspin is {} in {} and {} in {}", w.spins(), name, wq.spins(), name_q));
  if (wq.spinors() != w.spinors()) refuse_epsilon(fmt::format("nspinor is {} in {} and {} in {}", w.spinors(), name, wq.spinors(), name_q));
  for (int spin = 0; spin < w.spins() && !pairs_in_q0() && !w.partly_filled(); ++spin)
    if (wq.occupied(spin) != w.occupied(spin))
      refuse_epsilon(fmt::format("{} bands{} are occupied in {} and {} in {}", w.occupied(spin),
                                 w.spins() == 2 ? fmt::format(" of spin {}", spin + 1) : "", name, wq.occupied(spin), name_q));
  if (!(cutoff() <= w.cutoff() + 1e-6))
    refuse_epsilon(
        fmt::format("the cutoff of eps, {:g} Ry, is above that of the wavefunctions in {}, {:g} Ry", cutoff(), name, w.cutoff()));
  check_bands();
}

void DielectricPlan::check_bands() const {
  const Wavefunctions& w = wavefunctions;
  require_screening(settings, w);
  require_band_sum(nbands, w);
  if (pairs_in_q0()) require_band_sum(nbands, wavefunctions_q0);
  if (nbands == std::max(w.full(0), w.full(w.spins() - 1)))
    refuse_epsilon(fmt::format("{} bands are all occupied: without empty ones there is no screening", nbands));
}

// What files say of it: the middle between both spins' levels where each has its own.
double DielectricPlan::fermi() const {
  const auto& fermi = wavefunctions.levels().fermi();
  return wavefunctions.spins() == 2 ? (fermi[0] + fermi[1]) / 2 : fermi[0];
}

// The sum over all images of a k under the little group L is |images|/|L| times the sum over L of the image of its own term: so one of them is
// enough, and the sum over L is taken of the matrix at the end.
void DielectricPlan::find_points(Q& one) const {
  const auto& operations = wavefunctions_of(one.at_zero).operations();
  const AllImages& k_points = k_points_of(one.at_zero);
  std::vector<char> known(static_cast<size_t>(k_points.size()));
  for (int k = 0; k < k_points.size(); ++k) {
    if (known[static_cast<size_t>(k)]) continue;
    Point point{k, 0, {}, 0};
    for (const Keeps& keeps : one.little_group) {
      const Vector3 image = operations[static_cast<size_t>(keeps.operation)](k_points[k].at);
      const int at = k_points.find(keeps.reversed ? -image : image).index;
      if (known[static_cast<size_t>(at)]) continue;
      known[static_cast<size_t>(at)] = 1;
      ++point.weight;
    }
    const Vector3 wanted = k_points[k].at + one.at;
    const auto found = valence_points(one.at_zero).find(wanted);
    if (found.index < 0)
      refuse_epsilon(fmt::format("k + q = {} for q = {} is not among the k points of {} and their images{}", text(wanted), text(one.at),
                                 valence(one.at_zero).path().string(), one.at_zero ? "" : ": the q grid does not go with the k grid"));
    point.valence = found.index;
    point.umklapp = found.shift;
    one.points.push_back(point);
  }
}

int64_t DielectricPlan::pairs(const Q& one) const {
  int64_t of_point = 0;
  for (int spin = 0; spin < wavefunctions.spins(); ++spin)
    of_point += int64_t{occupied(one.at_zero, spin)} * (nbands - full(one.at_zero, spin));
  return of_point * static_cast<int64_t>(one.points.size());
}

int DielectricPlan::largest() const {
  size_t n = 0;
  for (const Q& one : q) n = std::max(n, one.g.size());
  return static_cast<int>(n);
}

InverseDielectric DielectricPlan::header() const {
  std::vector<InverseDielectric::Matrix> matrices;
  for (const Q& one : q) matrices.push_back({one.at, one.g});
  std::vector<std::complex<double>> in_eV;
  for (const auto& z : frequencies) in_eV.push_back(z * rydberg_eV);
  return {wavefunctions.crystal(), grid, cutoff(), wavefunctions.flavour(), settings.truncation, in_eV, on_imaginary_axis, matrices};
}

}  // namespace suite::gw
