// SPDX-License-Identifier: BSD-3-Clause
#include "levels.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include <suite/plugin.hpp>

#include "eqp_file.hpp"

namespace suite::gw {

namespace {

constexpr double no_level = std::numeric_limits<double>::infinity();
constexpr double tiny_occupation = 1e-12;

// Step function, or Methfessel and Paxton's of first order with its negative values.
double occupation_of(double above, double broadening) {
  if (broadening > 0) {
    const double x = above / broadening;
    return 0.5 * std::erfc(x) - x / (2 * std::sqrt(std::numbers::pi)) * std::exp(-x * x);
  }
  return above > tol_energy_Ry ? 0 : above < -tol_energy_Ry ? 1 : 0.5;
}

// Of one spin, or of both.
struct Edges {
  double top = -no_level, bottom = no_level;
  size_t top_at = 0, bottom_at = 0;  // in the list of all energies
  void join(const Edges& other) {
    if (other.top > top) top = other.top, top_at = other.top_at;
    if (other.bottom < bottom) bottom = other.bottom, bottom_at = other.bottom_at;
  }
  bool separate() const { return top <= bottom + tiny_occupation; }
};

}  // namespace

Levels::Levels(const WavefunctionFile& file, const LevelSettings& settings, int bands, const std::optional<std::array<double, 2>>& fermi)
    : kpoints_(file.header().kpoints.size()), bands_(static_cast<size_t>(file.header().nbands)), energies_(file.header().energies) {
  if (!settings.partial) correct(file, settings, bands);
  find_fermi(file, settings);
  if (fermi) fermi_ = *fermi;
  occupy(file.header(), settings.broadening_Ry);
  // Corrected levels beside others would have no Fermi level in common.
  if (settings.partial) correct(file, settings, bands);
}

void Levels::correct(const WavefunctionFile& file, const LevelSettings& settings, int bands) {
  const WavefunctionHeader& h = file.header();
  const Scissors& s = settings.scissors;
  const auto count = static_cast<int>(bands_);
  for (size_t i = 0; i < energies_.size(); ++i) {
    const bool occupied = static_cast<int>(i % bands_) < h.highest[i / bands_];
    double& e = energies_[i];
    e += occupied ? s.evs_Ry + s.evdel * (e - s.ev0_Ry) : s.ecs_Ry + s.ecdel * (e - s.ec0_Ry);
  }
  if (settings.eqp.empty()) return;
  const EqpFile eqp(settings.eqp);
  for (int spin = 0; spin < h.spins; ++spin)
    for (int k = 0; k < static_cast<int>(kpoints_); ++k)
      for (int band = 0; band < (bands > 0 ? std::min(bands, count) : count); ++band) {
        double& e = energies_[at(k, band, spin)];
        const EqpFile::State state{h.kpoints[static_cast<size_t>(k)], spin + 1, band + 1};
        if (settings.partial && !eqp.has(state)) continue;
        e = eqp.at(state, e * rydberg_eV, file.path().string()) / rydberg_eV;
      }
}

void Levels::find_fermi(const WavefunctionFile& file, const LevelSettings& settings) {
  const WavefunctionHeader& h = file.header();
  std::array<Edges, 2> of_spin;
  for (size_t i = 0; i < energies_.size(); ++i) {
    const size_t at_k = i / bands_;
    Edges& edges = of_spin[at_k / kpoints_];
    if (static_cast<int>(i % bands_) < h.highest[at_k]) edges.join({energies_[i], no_level, i, 0});
    else edges.join({-no_level, energies_[i], 0, i});
  }
  Edges both = of_spin[0];
  both.join(of_spin[1]);
  top_ = both.top, bottom_ = both.bottom;
  for (const Edges& edges : of_spin)
    if (!edges.separate()) {
      const auto name = [&](size_t i) {
        return fmt::format("band {} at k = {}{}", i % bands_ + 1, text(h.kpoints[i / bands_ % kpoints_]),
                           h.spins == 2 ? fmt::format(" of spin {}", i / bands_ / kpoints_ + 1) : "");
      };
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("{}: {} is occupied at {:.4f} eV{}, above {}, which is empty at {:.4f} eV: no Fermi level separates them",
                                file.path().string(), name(edges.top_at), edges.top * rydberg_eV,
                                settings.correct() ? " after corrections" : "", name(edges.bottom_at), edges.bottom * rydberg_eV));
    }
  const auto level = [&](const Edges& edges) {
    if (edges.bottom == no_level) return no_level;  // without empty bands all are full, wherever it lies
    if (!settings.fermi_level_eV) return (edges.top + edges.bottom) / 2;
    return *settings.fermi_level_eV / rydberg_eV + (settings.fermi_level_absolute ? 0 : (edges.top + edges.bottom) / 2);
  };
  for (size_t spin = 0; spin < 2; ++spin) fermi_[spin] = level(both.separate() || h.spins == 1 ? both : of_spin[spin]);
}

void Levels::occupy(const WavefunctionHeader& h, double broadening) {
  occupations_.resize(energies_.size());
  occupied_.resize(h.highest.size());
  most_ = {0, 0};
  full_ = {h.nbands, h.spins == 2 ? h.nbands : 0};
  for (size_t at_k = 0; at_k < occupied_.size(); ++at_k) {
    const size_t spin = at_k / kpoints_;
    int full = h.nbands;
    for (int band = 0; band < h.nbands; ++band) {
      const size_t i = at_k * bands_ + static_cast<size_t>(band);
      const double f = occupations_[i] = occupation_of(energies_[i] - fermi_[spin], broadening);
      if (std::abs(f) > tiny_occupation) occupied_[at_k] = band + 1;
      if (1 - f >= tol_energy_Ry) full = std::min(full, band);
    }
    most_[spin] = std::max(most_[spin], occupied_[at_k]);
    full_[spin] = std::min(full_[spin], full);
  }
}

}  // namespace suite::gw
