// SPDX-License-Identifier: BSD-3-Clause
#include "consistency.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include <fmt/core.h>

#include "kernel_call.hpp"

namespace suite::gw {
namespace {

using Complex = std::complex<double>;

// NaN counts as infinitely far.
void widen(double& worst, double distance) {
  if (!(distance <= worst)) worst = std::isnan(distance) ? INFINITY : distance;
}

// |q+G|, or in general (8 pi/v)^1/2: what makes eps^-1 Hermitian. 0 where v is not positive, as the grid of a truncated one may leave it.
std::vector<double> lengths(const InverseDielectric& eps, int iq) {
  std::vector<double> out;
  if (eps.truncation() != Truncation::none) {
    for (double v : eps.truncated_v(iq)) out.push_back(v > 0 ? std::sqrt(8 * std::numbers::pi / v) : 0);
    return out;
  }
  for (const auto& g : eps.gvectors(iq))
    out.push_back(std::sqrt(length2(eps.crystal().bdot, (iq == 0 ? eps.small_q() : eps.qpoints()[iq]) + g)));
  return out;
}

// For every G the place of its image under +- operation, where that keeps q but for a lattice vector; else
// none.
std::vector<size_t> places_of_images(const std::vector<Miller>& g, const std::map<Miller, size_t>& place, const Vector3& q,
                                     const Operation& operation, bool reversed) {
  const Vector3 moved = reversed ? -operation(q) : operation(q);
  const Miller shift = nearest(moved - q);
  std::vector<size_t> out;
  if (!(distance(moved - q, real(shift)) <= 1e-5)) return out;
  for (const auto& v : g) {
    const Miller image = (reversed ? -operation(v) : operation(v)) + shift;
    const auto found = place.find(image);
    if (found == place.end()) return {};
    out.push_back(found->second);
  }
  return out;
}

// The largest difference of Sigma, at the first of its energies, within a degenerate set.
double largest_splitting(const std::vector<State>& states) {
  double worst = 0;
  for (size_t i = 1; i < states.size(); ++i) {
    const State &a = states[i - 1], &b = states[i];
    if (a.k != b.k || a.spin != b.spin || !(std::abs(a.emf - b.emf) < tol_energy_Ry * rydberg_eV)) continue;
    const Complex screened = a.sx[0] + a.ch[0] - b.sx[0] - b.ch[0];
    widen(worst, std::abs(a.x + a.remainder - b.x - b.remainder + screened.real()));
  }
  return worst;
}

constexpr double largest_invalid_weight = 0.25;  // silicon has 0.09
constexpr double largest_missed_weight = 0.05;
constexpr double split_tolerance = 5e-3;         // eV; the direction of q0 alone splits sets by 1e-3

}  // namespace

namespace {

// An operation that keeps q, or its product with time reversal: where every G goes, whence it comes, and its phase.
struct Kept {
  bool reversed;
  std::vector<size_t> to, from;
  std::vector<Complex> phase;
};

std::vector<Kept> kept_by(const InverseDielectric& eps, int iq, const std::vector<Operation>& operations) {
  const auto& g = eps.gvectors(iq);
  std::map<Miller, size_t> place;
  for (size_t i = 0; i < g.size(); ++i) place[g[i]] = i;
  std::vector<Kept> kept;
  for (const Operation& operation : operations)
    for (const bool reversed : {false, true}) {
      Kept k{reversed, places_of_images(g, place, eps.qpoints()[iq], operation, reversed), {}, {}};
      if (k.to.empty()) continue;
      k.from.resize(g.size());
      for (size_t i = 0; i < g.size(); ++i) {
        k.from[k.to[i]] = i;
        k.phase.push_back(std::polar(1.0, operation.phase(operation(g[i]))));
      }
      kept.push_back(std::move(k));
    }
  return kept;
}

// Some columns of the dimensionless matrix, and which they are: `first` and those that follow, of each rank's share.
struct Block {
  const Complex* values;
  std::vector<size_t> columns;
};

// Calls f with every column once, of all ranks, a block as large as one rank's share at a time.
template <class F> void pass_by(const std::vector<Complex>& own, size_t n, const Slice& slice, F&& f) {
  const auto count = static_cast<int64_t>(n);
  const auto share = [&](int i) { return slice.part(count, i); };
  if (!slice.shares()) {
    Block block{own.data(), std::vector<size_t>(own.size() / n)};
    std::iota(block.columns.begin(), block.columns.end(), static_cast<size_t>(slice.part(count).first));
    return f(block);
  }
  int64_t longest = 0;
  for (int i = 0; i < slice.slices; ++i) longest = std::max(longest, share(i).count());
  const int64_t step = (longest + slice.slices - 1) / slice.slices;
  std::vector<Complex> values;
  for (int64_t at = 0; at < longest; at += step) {
    Block block{nullptr, {}};
    std::vector<size_t> counts;
    for (int i = 0; i < slice.slices; ++i) {
      const Range all = share(i), some{std::min(all.first + at, all.end), std::min(all.first + at + step, all.end)};
      counts.push_back(static_cast<size_t>(some.count()));
      for (int64_t column = some.first; column < some.end; ++column) block.columns.push_back(static_cast<size_t>(column));
    }
    values.resize(n * block.columns.size());
    const auto mine = static_cast<size_t>(std::min(at, share(slice.slice).count()));
    slice.world->gather(reinterpret_cast<const double*>(own.data() + n * mine), reinterpret_cast<double*>(values.data()), 2 * n, counts, 1);
    block.values = values.data();
    f(block);
  }
}

}  // namespace

MatrixQuality quality(const InverseDielectric& eps, int iq, const std::vector<Operation>& operations, const Slice& slice) {
  MatrixQuality out;
  const size_t n = eps.gvectors(iq).size();
  const auto length = lengths(eps, iq);
  const Range mine = slice.part(static_cast<int64_t>(n));
  const auto first = static_cast<size_t>(mine.first), end = static_cast<size_t>(mine.end);
  auto own = eps.columns(iq, 0, mine.first, mine.count());
  const auto column = [&](size_t j) { return own.data() + (j - first) * n; };
  // Squares of distances, as of infinity where one is not a number.
  double anti_hermitian = 0, asymmetric = 0;
#pragma omp parallel for schedule(static)
  for (size_t j = first; j < end; ++j)
    for (size_t i = 0; i < n; ++i) column(j)[i] *= length[j] > 0 ? length[i] / length[j] : 0;
  for (size_t j = first; j < end; ++j) widen(out.out_of_range, std::max(-column(j)[j].real(), column(j)[j].real() - 1));
  const std::vector<Kept> kept = iq == 0 ? std::vector<Kept>() : kept_by(eps, iq, operations);
  pass_by(own, n, slice, [&](const Block& block) {
#pragma omp parallel for schedule(dynamic, 8) reduction(max : anti_hermitian)
    for (size_t b = 0; b < block.columns.size(); ++b) {
      const size_t j = block.columns[b];
      for (size_t i = first; i < end && i <= j; ++i) widen(anti_hermitian, std::norm(block.values[b * n + i] - std::conj(column(i)[j])));
    }
#pragma omp parallel for schedule(dynamic) reduction(max : asymmetric)
    for (size_t number = 0; number < kept.size(); ++number) {
      const Kept& k = kept[number];
      for (size_t b = 0; b < block.columns.size(); ++b) {
        const size_t j = k.from[block.columns[b]];
        if (j < first || j >= end) continue;
        for (size_t i = 0; i < n; ++i) {
          const Complex image = product(product(column(j)[i], k.phase[i]), std::conj(k.phase[j]));
          widen(asymmetric, std::norm(block.values[b * n + k.to[i]] - (k.reversed ? std::conj(image) : image)));
        }
      }
    }
  });
  out.anti_hermitian = std::sqrt(anti_hermitian);
  out.asymmetric = std::sqrt(asymmetric);
  return out;
}

double closure_excess(const SigmaArguments& a, const Slice& slice) {
  double worst = 0;
  const auto ncouls = static_cast<size_t>(a.screening.ncouls);
  const Range mine = slice.part(a.screening.ncouls);
  const auto first = static_cast<size_t>(mine.first), count = static_cast<size_t>(mine.count());
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (int n = 0; n < a.nex; ++n) {
    std::vector<double> sum(count);
    for (int n1 = 0; n1 < a.nbands; ++n1) {
      const double* const m = a.m.at((static_cast<size_t>(n) * a.nbands + n1) * ncouls + first);
      if (a.m.parts() == 1)
        for (size_t ig = 0; ig < count; ++ig) sum[ig] += m[ig] * m[ig];
      else
        for (size_t ig = 0; ig < count; ++ig) sum[ig] += m[2 * ig] * m[2 * ig] + m[2 * ig + 1] * m[2 * ig + 1];
    }
    for (double s : sum) widen(worst, s - 1);
  }
  return worst;
}

void Seen::see(int iq, const MatrixQuality& quality, const PoleCount& poles) {
  known_[iq] = 1;
  at(iq, anti_hermitian) = quality.anti_hermitian;
  at(iq, asymmetric) = quality.asymmetric;
  at(iq, out_of_range) = quality.out_of_range;
  at(iq, pairs) = poles.pairs;
  at(iq, invalid) = poles.invalid;
  at(iq, weight) = poles.weight;
  at(iq, invalid_weight) = poles.invalid_weight;
}

void Seen::see_closure(int iq, double excess) { widen(at(iq, closure), excess); }

void Seen::join(const Seen& other) {
  for (size_t i = 0; i < values_.size(); ++i) widen(values_[i], other.values_[i]);
  for (size_t i = 0; i < known_.size(); ++i) known_[i] |= other.known_[i];
}

// The largest of all ranks, by sums: each rank has its own places. Poles are counted by each slice in its own
// columns.
void Seen::share(const app::Communicator& world, int slices) {
  const size_t count = values_.size(), ranks = static_cast<size_t>(world.size());
  std::vector<double> all(count * ranks);
  std::copy(values_.begin(), values_.end(), all.begin() + static_cast<ptrdiff_t>(count * static_cast<size_t>(world.rank())));
  world.sum(std::span<double>(all));
  std::vector<double> of_slice(count);
  std::fill(values_.begin(), values_.end(), 0.0);
  for (size_t slice = 0; slice < static_cast<size_t>(slices); ++slice) {
    std::fill(of_slice.begin(), of_slice.end(), 0.0);
    for (size_t rank = slice; rank < ranks; rank += static_cast<size_t>(slices))
      for (size_t i = 0; i < count; ++i) widen(of_slice[i], all[rank * count + i]);
    for (size_t i = 0; i < count; ++i)
      if (i % fields >= pairs) values_[i] += of_slice[i];
      else widen(values_[i], of_slice[i]);
  }
}

double Seen::largest(Field field) const {
  double worst = 0;
  for (size_t i = field; i < values_.size(); i += fields) widen(worst, values_[i]);
  return worst;
}

double Seen::sum(Field field) const {
  double total = 0;
  for (size_t i = field; i < values_.size(); i += fields) total += values_[i];
  return total;
}

MatrixQuality Seen::worst() const { return {largest(anti_hermitian), largest(asymmetric), largest(out_of_range)}; }

void check_sums(const Plan& plan, const Seen& seen, app::Outcome& outcome) {
  const auto add = [&](const char* name, double deviation, double bound, const char* unit, const std::string& meaning) {
    outcome.checks.push_back({name, deviation, bound, unit, meaning});
  };
  const Settings& s = plan.settings;
  const Wavefunctions& w = plan.wavefunctions;
  if (s.screening == ScreeningKind::metal && !w.partly_filled())
    outcome.warnings.push_back(fmt::format(
        "'screening: metal', and no band of {} is partly filled: its highest full level lies {:.4f} eV below the lowest empty one",
        w.path().string(), (w.levels().bottom() - w.levels().top()) * rydberg_eV));
  add("electrons of the density", plan.density.rho.electrons() - w.electrons(), 1e-3, "electrons",
      "the density is of another calculation than the wavefunctions");
  if (plan.density_breaks_symmetry()) outcome.warnings.push_back(plan.density_sentence());
  else if (s.model == Model::gpp) add("symmetry of the density", plan.density_asymmetry, Plan::tolerated_asymmetry, "electrons", "");
  add("completeness of the matrix elements", seen.worst_closure(), 1e-8, "",
      "sums of |M|^2 over bands exceed 1: the wavefunctions are not orthonormal, or their symmetry "
      "operations are not those of "
      "the crystal");
  const MatrixQuality eps = seen.worst();
  add("eps^-1 Hermitian", eps.anti_hermitian, 1e-8, "", "the dielectric matrices are damaged");
  add("symmetry of eps^-1", eps.asymmetric, 1e-6, "", "the dielectric matrices do not have the symmetry operations of the wavefunctions");
  add("diagonal of eps^-1", eps.out_of_range, 1e-6, "",
      "it leaves 0 ... 1, which no static dielectric matrix does: the dielectric matrices are damaged or not "
      "converged");
  const PoleCount poles = seen.poles();
  if (s.multipole())
    add("weight of elements without poles", poles.invalid_weight / poles.weight, largest_missed_weight, "",
        "that much of the screening is missed by more than 5 % at the sampled frequencies; more poles (sigma.poles) or another "
        "sampling_range may do");
  else if (poles.pairs > 0)
    add("weight of invalid poles", poles.invalid_weight / poles.weight, largest_invalid_weight, "",
        "that much of the screening has w^2 < 0, which the plasmon-pole model does not describe");
}

void check_energies(const Settings& settings, const Result& result, const std::vector<Quasiparticle>& states, app::Outcome& outcome) {
  double worst_z = 0;
  for (const auto& s : states) widen(worst_z, std::max(-s.z, s.z - 1));
  outcome.checks.push_back({"quasiparticle weights", worst_z, 1e-9, "",
                            "Z leaves 0 ... 1: Sigma is not linear around the energies of some states, and "
                            "their Eqp1 means little; see "
                            "finite_difference_form"});
  if (!settings.wedge())
    outcome.checks.push_back({"degenerate states", largest_splitting(result.states), split_tolerance, "eV",
                              "Sigma splits them: the screening or the wavefunctions do not have the symmetry of the crystal"});
  // Implementations agree to 1e-9 eV and better; mixed precision to 1e-5.
  constexpr double tolerance = 1e-5;
  app::Observable eqp0{"Eqp0", "eV", {}, {}, tolerance}, eqp1{"Eqp1", "eV", {}, {}, tolerance};
  for (const auto& s : states) {
    for (auto* o : {&eqp0, &eqp1})
      o->labels.push_back(fmt::format("k = {}{}, band {}", text(result.kpoints.at(s.k)), result.spin_text(s.spin), s.band));
    eqp0.values.push_back(s.eqp0);
    eqp1.values.push_back(s.eqp1);
  }
  if (const auto gap = find_gap(states, &Quasiparticle::eqp1, result))
    outcome.observables.push_back({"gap", "eV", {gap->gap()}, {}, tolerance});
  outcome.observables.push_back(std::move(eqp0));
  outcome.observables.push_back(std::move(eqp1));
}

}  // namespace suite::gw
