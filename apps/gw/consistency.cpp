// SPDX-License-Identifier: BSD-3-Clause
#include "consistency.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "kernel_call.hpp"

namespace suite::gw {
namespace {

using Complex = std::complex<double>;

// NaN counts as infinitely far.
void widen(double& worst, double distance) {
  if (!(distance <= worst)) worst = std::isnan(distance) ? INFINITY : distance;
}

std::vector<double> lengths(const InverseDielectric& eps, int iq) {
  std::vector<double> out;
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
    if (a.k != b.k || !(std::abs(a.emf - b.emf) < tol_energy_Ry * rydberg_eV)) continue;
    const Complex screened = a.sx[0] + a.ch[0] - b.sx[0] - b.ch[0];
    widen(worst, std::abs(a.x + a.remainder - b.x - b.remainder + screened.real()));
  }
  return worst;
}

constexpr double largest_invalid_weight = 0.25;  // silicon has 0.09
constexpr double split_tolerance = 5e-3;         // eV; the direction of q0 alone splits sets by 1e-3

}  // namespace

MatrixQuality quality(const InverseDielectric& eps, int iq, const std::vector<Operation>& operations) {
  MatrixQuality out;
  const auto& g = eps.gvectors(iq);
  const size_t n = g.size();
  const auto length = lengths(eps, iq);
  auto e = eps.matrix(iq, 0);
  // Squares of distances, as of infinity where one is not a number.
  double anti_hermitian = 0, asymmetric = 0, out_of_range = 0;
#pragma omp parallel for schedule(static)
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) e[j * n + i] *= length[i] / length[j];
#pragma omp parallel for schedule(dynamic, 8) reduction(max : anti_hermitian, out_of_range)
  for (size_t j = 0; j < n; ++j) {
    widen(out_of_range, std::max(-e[j * n + j].real(), e[j * n + j].real() - 1));
    for (size_t i = 0; i <= j; ++i) widen(anti_hermitian, std::norm(e[j * n + i] - std::conj(e[i * n + j])));
  }
  out.out_of_range = out_of_range;
  out.anti_hermitian = std::sqrt(anti_hermitian);
  if (iq == 0) return out;
  std::map<Miller, size_t> place;
  for (size_t i = 0; i < n; ++i) place[g[i]] = i;
#pragma omp parallel for schedule(dynamic) reduction(max : asymmetric)
  for (size_t number = 0; number < 2 * operations.size(); ++number) {
    const Operation& operation = operations[number / 2];
    const bool reversed = number % 2 == 1;
    const auto to = places_of_images(g, place, eps.qpoints()[iq], operation, reversed);
    if (to.empty()) continue;
    std::vector<Complex> phase;
    for (const auto& v : g) phase.push_back(std::polar(1.0, operation.phase(operation(v))));
    for (size_t j = 0; j < n; ++j)
      for (size_t i = 0; i < n; ++i) {
        const Complex image = product(product(e[j * n + i], phase[i]), std::conj(phase[j]));
        widen(asymmetric, std::norm(e[to[j] * n + to[i]] - (reversed ? std::conj(image) : image)));
      }
  }
  out.asymmetric = std::sqrt(asymmetric);
  return out;
}

double closure_excess(const SigmaArguments& a) {
  double worst = 0;
  const size_t ncouls = static_cast<size_t>(a.screening.ncouls);
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (int n = 0; n < a.nex; ++n) {
    std::vector<double> sum(ncouls);
    for (int n1 = 0; n1 < a.nbands; ++n1) {
      const Complex* m = a.m.data() + (static_cast<size_t>(n) * a.nbands + n1) * ncouls;
      for (size_t ig = 0; ig < ncouls; ++ig) sum[ig] += std::norm(m[ig]);
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
  add("electrons of the density", plan.density.rho.electrons() - 2 * plan.wavefunctions.occupied(), 1e-3, "electrons",
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
  if (poles.pairs > 0)
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
    for (auto* o : {&eqp0, &eqp1}) o->labels.push_back(fmt::format("k = {}, band {}", text(result.kpoints.at(s.k)), s.band));
    eqp0.values.push_back(s.eqp0);
    eqp1.values.push_back(s.eqp1);
  }
  if (const auto gap = find_gap(states, &Quasiparticle::eqp1, result.occupied, result.kpoints))
    outcome.observables.push_back({"gap", "eV", {gap->gap()}, {}, tolerance});
  outcome.observables.push_back(std::move(eqp0));
  outcome.observables.push_back(std::move(eqp1));
}

}  // namespace suite::gw
