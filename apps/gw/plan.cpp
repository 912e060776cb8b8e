// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "dielectric_plan.hpp"
#include "eqp_file.hpp"
#include "frequencies.hpp"

namespace suite::gw {

namespace {

bool degenerate(const Wavefunctions& w, int k, int spin, int a, int b) {
  return std::abs(w.mean_field(k, a, spin) - w.mean_field(k, b, spin)) < tol_energy_Ry;
}

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

}  // namespace

std::vector<double> energy_shifts_of(const Settings& s) {
  const double d = s.finite_difference_spacing_eV;
  if (s.model == Model::cohsex) return {0};  // the static limit does not depend on energy
  switch (s.finite_difference_form) {
    case -3: {
      if (s.frequency_grid_points < 1) refuse(fmt::format("the frequency grid has {} points", s.frequency_grid_points));
      std::vector<double> out;
      const int n = s.frequency_grid_points;
      for (int i = 0; i < n; ++i)
        out.push_back(s.frequency_grid_min_eV + (n == 1 ? 0 : i * (s.frequency_grid_max_eV - s.frequency_grid_min_eV) / (n - 1)));
      return out;
    }
    case -2: return {0};
    case -1: return {-d, 0};
    case 0: return {-d, 0, d};
    case 1:
    case 2: return {0, d};
    default: refuse(fmt::format("finite_difference_form is {}; it can be -3 to 2", s.finite_difference_form));
  }
}

void require_band_sum(int nbands, const Wavefunctions& w) {
  if (nbands < w.most_occupied() || nbands > w.nbands())
    refuse(fmt::format("number of bands: {} asked for; {} (the occupied ones) to {} are possible with {}", nbands, w.most_occupied(),
                       w.nbands(), w.path().string()));
  const auto cut_at = [&](int n, int spin, size_t k) { return n < w.nbands() && degenerate(w, static_cast<int>(k), spin, n - 1, n); };
  const auto cuts = [&](int n) {
    for (int spin = 0; spin < w.spins(); ++spin)
      for (size_t k = 0; k < w.kpoints().size(); ++k)
        if (cut_at(n, spin, k)) return true;
    return false;
  };
  for (int spin = 0; spin < w.spins(); ++spin)
    for (size_t k = 0; k < w.kpoints().size(); ++k) {
      if (!cut_at(nbands, spin, k)) continue;
      int fewer = nbands - 1, more = nbands + 1;
      while (fewer >= w.most_occupied() && cuts(fewer)) --fewer;
      while (cuts(more)) ++more;
      refuse(fmt::format("bands {} and {} are degenerate at k = {}: a sum over {} bands would depend on how they are mixed; {}{} would not",
                         nbands, nbands + 1, text(w.kpoints()[k]), nbands, fewer >= w.most_occupied() ? fmt::format("{} or ", fewer) : "",
                         more));
    }
}

void require_screening(const Settings& s, const Wavefunctions& w) {
  // Who moves the Fermi level knows that it lies within bands.
  if (s.screening != ScreeningKind::semiconductor || !w.partly_filled() || s.levels.fermi_level_eV || s.epsilon.levels.fermi_level_eV)
    return;
  int spin = 0;
  while (w.occupied(spin) == w.full(spin)) ++spin;
  const int first = w.full(spin) + 1, last = w.occupied(spin);
  refuse(fmt::format("screening: bands {} to {} of {} are partly filled: a metal, or graphene, not a semiconductor", first, last,
                     w.path().string()));
}

void require_bands(const Settings& s, const Wavefunctions& w) {
  if (s.band_min < 1 || s.band_max < s.band_min || s.band_max > w.nbands())
    refuse(fmt::format("external bands {} to {} are asked for; the bands{} are 1 to {}", s.band_min, s.band_max,
                       s.wavefunctions_outer.empty() ? "" : " of " + w.path().string(), w.nbands()));
}

std::optional<Wavefunctions> open_outer(const Settings& s) {
  if (s.wavefunctions_outer.empty()) return std::nullopt;
  return std::optional<Wavefunctions>(std::in_place, s.wavefunctions_outer, KGrid::none, s.levels_outer);
}

void require_same_kind(const Wavefunctions& outer, const Wavefunctions& inner) {
  const std::string a = outer.path().string(), b = inner.path().string();
  require_same_cell(inner.crystal(), b, outer.crystal(), a);
  const auto differ = [&](const char* what, auto of_outer, auto of_inner) {
    if (of_outer != of_inner) refuse(fmt::format("{} is {} in {} and {} in {}", what, of_outer, a, of_inner, b));
  };
  differ("the flavour (1 real, 2 complex)", outer.flavour(), inner.flavour());
  differ("the number of spins", outer.spins(), inner.spins());
  differ("the number of spinor components", outer.spinors(), inner.spinors());
  differ("the number of symmetry operations", outer.operations().size(), inner.operations().size());
  if (!(std::abs(outer.cutoff() - inner.cutoff()) <= 1e-6))
    refuse(fmt::format("the cutoff is {:g} Ry in {} and {:g} Ry in {}", outer.cutoff(), a, inner.cutoff(), b));
  for (size_t i = 0; i < outer.operations().size(); ++i) {
    const Operation &of_outer = outer.operations()[i], &of_inner = inner.operations()[i];
    if (of_outer.rotation != of_inner.rotation || !(distance(of_outer.translation, of_inner.translation) <= 1e-5))
      refuse(fmt::format("symmetry operation {} differs in {} and {}", i + 1, a, b));
  }
}

std::vector<int> chosen_kpoints(const Settings& s, const Wavefunctions& w) {
  std::vector<int> chosen;
  if (s.kpoints.empty()) {
    chosen.resize(w.kpoints().size());
    std::iota(chosen.begin(), chosen.end(), 0);
  }
  for (const auto& k : s.kpoints) {
    const auto found = std::find_if(w.kpoints().begin(), w.kpoints().end(), [&](const Vector3& other) { return equivalent(k, other); });
    if (found == w.kpoints().end())
      refuse(fmt::format("k = {} is not among the {} k points of {}", text(k), w.kpoints().size(), w.path().string()));
    chosen.push_back(static_cast<int>(found - w.kpoints().begin()));
  }
  return chosen;
}

Plan::Plan(const Settings& s)
    : settings(s),
      wavefunctions(s.wavefunctions, KGrid::grid, s.levels, s.nbands),
      outer_file(open_outer(s)),
      density(read_density(s.density)),
      eps(s.makes_epsilon() ? DielectricPlan(s).header() : InverseDielectric(s.eps0, s.eps, s.screening)),
      k_full(wavefunctions.kpoints(), wavefunctions.operations(), wavefunctions.grid(), "k points of " + s.wavefunctions.string(),
             wavefunctions.shift()),
      q_full(eps.qpoints(), wavefunctions.operations(), eps.grid(),
             s.makes_epsilon() ? "q points of 'epsilon'" : "q points of " + s.eps0.string() + " and " + s.eps.string()),
      energy_shifts(energy_shifts_of(s)),
      screening_by_image(s.truncation == Truncation::none && s.coulomb != CoulombMode::none && s.wings == Wings::berkeleygw) {
  const Wavefunctions& w = wavefunctions;
  require_same_cell(w.crystal(), s.wavefunctions.string(), eps.crystal(), s.eps0_name());
  require_same_cell(w.crystal(), s.wavefunctions.string(), density.crystal, s.density.string());
  if (eps.flavour() != w.flavour())
    refuse(fmt::format("the flavour is {} in {} and {} in {} (1 real, 2 complex)", w.flavour(), s.wavefunctions.string(), eps.flavour(),
                       s.eps0_name()));
  if (eps.truncation() != s.truncation)
    refuse(fmt::format("truncation is {} in 'coulomb' and {} in {}", truncation_name(s.truncation), truncation_name(eps.truncation()),
                       s.eps0_name()));
  if (s.truncation != Truncation::none) {
    require_truncated_grid(s.truncation, w.grid(), "the k grid of " + s.wavefunctions.string());
    require_truncated_operations(s.truncation, w.operations(), s.wavefunctions.string());
  }
  if (outer_file) require_same_kind(*outer_file, w);
  if (w.flavour() == 1 && have_real_phases(w.operations())) parts = 1;
  for (int i = 0; i < 3; ++i)
    if (w.grid()[i] % eps.grid()[i] != 0)
      refuse("the q grid " + text(eps.grid()) + " of " + s.eps0_name() + " does not divide the k grid " + text(w.grid()) + " of " +
             s.wavefunctions.string());
  require_screening(s, w);
  const double electrons = density.rho.electrons();
  if (density.spins != w.spins())
    refuse(fmt::format("{} holds {} spin{} and {} {}", s.density.string(), density.spins, density.spins == 1 ? "" : "s",
                       s.wavefunctions.string(), w.spins()));
  if (!w.partly_filled() && !(std::abs(electrons - w.electrons()) <= 1e-3))
    refuse(fmt::format("{} holds {:f} electrons, but {} bands of {} are filled", s.density.string(), electrons,
                       w.spins() == 2 ? fmt::format("{} and {}", w.occupied(0), w.occupied(1)) : std::to_string(w.occupied()),
                       s.wavefunctions.string()));
  if (!(eps.cutoff() <= bare_cutoff() + 1e-6))
    refuse(fmt::format("the cutoff of eps^-1 is {:f} Ry, that of the wavefunctions only {:f} Ry", eps.cutoff(), bare_cutoff()));
  if (s.model == Model::godby_needs && (eps.frequencies().size() != 2 || !(std::abs(eps.frequencies()[1].real()) <= 1e-6) ||
                                        !(std::abs(eps.frequencies()[1].imag()) > 1e-3)))
    refuse(fmt::format("Godby-Needs needs eps^-1 at zero and at one imaginary frequency; {} has {}{}", s.eps0_name(),
                       eps.frequencies().size(),
                       eps.frequencies().size() == 1   ? " frequency"
                       : eps.frequencies().size() == 2 ? " frequencies, the second not imaginary"
                                                       : " frequencies"));
  if (s.model == Model::gpp) {  // the others do not use it
    density_asymmetry = asymmetry(density.rho, w.operations());
    if (density_breaks_symmetry() && s.density_symmetry == DensitySymmetry::symmetrise)
      density.rho = symmetrised(density.rho, w.operations());
    else if (density_breaks_symmetry()) screening_by_image = true;
  }

  require_band_sum(s.nbands, w);
  require_bands(s, outer());
  for (int k : chosen_kpoints(s, outer()))
    for (int spin = 0; spin < w.spins(); ++spin) {
      External e{k, spin, s.band_min - 1, s.band_max};
      while (s.wedge() && e.first > 0 && degenerate(outer(), k, spin, e.first - 1, e.first)) --e.first;
      while (s.wedge() && e.end < outer().nbands() && degenerate(outer(), k, spin, e.end - 1, e.end)) ++e.end;
      externals.push_back(e);
    }
  require_outer_levels();

  for (size_t e = 0; e < externals.size(); ++e) {
    const Vector3& k = outer().kpoints()[externals[e].k];
    for (const Star& star : irreducible_stars(q_full, k, w.operations(), s.wedge())) {
      const auto inner = k_full.find(k - q_full[star.q].at);
      if (inner.index < 0)
        refuse(fmt::format("k = {} of {} is no point of the k grid of {}", text(k), s.external_wavefunctions().string(),
                           s.wavefunctions.string()));
      items.push_back({static_cast<int>(e), star.q, inner.index, inner.shift, static_cast<double>(star.weight)});
    }
  }
  const auto order = [&](const Item& item) {
    const auto& q = q_full[item.q];
    const int size = static_cast<int>(eps.gvectors(q.irreducible).size());
    return std::tuple(-size, q.irreducible, item.q, item.external);
  };
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return order(a) < order(b); });
  if (s.full_frequency()) require_frequencies(*this);
}

// Of the corrections of external levels only those that were needed.
void Plan::require_outer_levels() const {
  if (!outer_file || settings.levels_outer.eqp.empty()) return;
  const EqpFile eqp(settings.levels_outer.eqp);
  for (const External& e : externals)
    for (int band = e.first; band < e.end; ++band)
      eqp.at({outer().kpoints()[static_cast<size_t>(e.k)], e.spin + 1, band + 1}, mean_field_eV(e, band), outer().path().string(),
             "are wanted, or degenerate with one of these,");
}

int Plan::largest_external() const {
  int largest = 0;
  for (const auto& e : externals) largest = std::max(largest, e.count());
  return largest;
}

std::string Plan::system() const {
  const int atoms = wavefunctions.crystal().atoms;
  return fmt::format("{}{}{} electrons", atoms, atoms == 1 ? " atom, " : " atoms, ", std::lround(density.rho.electrons()));
}

std::string Plan::density_sentence() const {
  std::string sentence =
      fmt::format("{} breaks the {} symmetry operations of {} by up to {:.3g} of its {:.0f} electrons: ", settings.density.string(),
                  wavefunctions.operations().size(), settings.wavefunctions.string(), density_asymmetry, density.rho.electrons());
  if (settings.density_symmetry == DensitySymmetry::symmetrise)
    return sentence + "it was made symmetric (system.density_symmetry: as_is takes it as it is)";
  return sentence + "it was taken as it is, and " +
         (settings.wedge() ? "equivalent q, of which one is computed here, differ (sigma.symmetry: false computes all)"
                           : "every q has plasmon poles of its own");
}

}  // namespace suite::gw
