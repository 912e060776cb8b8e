// SPDX-License-Identifier: BSD-3-Clause
#include "bands.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "plan.hpp"

namespace suite::gw {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double near_gap_eV = 5;

[[noreturn]] void refuse_bands(const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); }

using Level = StatesOnGrid::Level;
double mean_field_of(const LevelsAtK& levels, size_t band) { return levels.mean_field[band]; }
double quasiparticle_of(const LevelsAtK& levels, size_t band) { return levels.quasiparticle(band); }

std::array<bool, 3> flat_axes(const Miller& grid) { return {grid[0] == 1, grid[1] == 1, grid[2] == 1}; }

// States that the expansion around a point has beside the wanted ones: more do not change silicon's bands by a millielectronvolt.
int basis_for(int end) { return end + std::max(12, end / 2); }

// Corrections by spin, k point of the file and band, from those of the run, which has its k points in its own order.
std::vector<KpBands::Corrections> corrections_of(const Solution& solution, const Wavefunctions& w) {
  const Settings& s = solution.settings;
  const auto chosen = chosen_kpoints(s, w);
  const KpBands::Corrections none(w.kpoints().size(), std::vector<double>(static_cast<size_t>(s.band_max - s.band_min + 1)));
  std::vector<KpBands::Corrections> all(static_cast<size_t>(w.spins()), none);
  for (const Quasiparticle& q : solution.states) {
    KpBands::Corrections& of_spin = all[static_cast<size_t>(q.spin - 1)];
    of_spin[static_cast<size_t>(chosen[static_cast<size_t>(q.k)])][static_cast<size_t>(q.band - s.band_min)] = q.eqp1 - q.emf;
  }
  return all;
}

struct Middle {
  double low = -infinity, high = infinity;  // of the gap, in the energies of the run; the Fermi level where there is none
};

// Sums of squared errors of the states near the gap.
class Errors {
public:
  explicit Errors(const Middle& gap) : gap_(gap) {}
  void add(const LevelsOfSpins& found, const LevelsOfSpins& known, Level level) {
    for (size_t spin = 0; spin < known.size(); ++spin)
      for (size_t band = 0; band < known[spin].mean_field.size(); ++band) {
        const double e = known[spin].mean_field[band];
        if (std::isfinite(gap_.low) && (e < gap_.low - near_gap_eV || e > gap_.high + near_gap_eV)) continue;
        const double error = level(found[spin], band) - level(known[spin], band);
        sum_ += error * error;
        worst_ = std::max(worst_, std::abs(error));
        ++count_;
      }
  }
  double rms() const { return count_ > 0 ? std::sqrt(sum_ / count_) : 0; }
  double worst() const { return worst_; }

private:
  Middle gap_;
  double sum_ = 0, worst_ = 0;
  int count_ = 0;
};

// Each k point of the run from the others.
std::optional<HeldOut> leave_one_out(const SpinBands& bands, const Middle& gap) {
  if (bands.points() < 2) return {};
  Errors mean_field(gap), quasiparticle(gap);
  for (int i = 0; i < bands.points(); ++i) {
    const LevelsOfSpins found = bands.at(bands.point(i), i), known = bands.known(i);
    mean_field.add(found, known, mean_field_of);
    quasiparticle.add(found, known, quasiparticle_of);
  }
  return HeldOut{"run", bands.points(), mean_field.rms(), mean_field.worst(), quasiparticle.rms(), quasiparticle.worst()};
}

// The points of another file from those known before, and then these too.
std::optional<HeldOut> take_further(SpinBands& bands, const Wavefunctions& further, int first, int end, const Middle& gap) {
  Errors errors(gap);
  std::vector<Vector3> unknown;
  std::vector<LevelsOfSpins> known;
  for (int k = 0; k < static_cast<int>(further.kpoints().size()); ++k) {
    LevelsOfSpins& levels = known.emplace_back(static_cast<size_t>(further.spins()));
    for (int spin = 0; spin < further.spins(); ++spin)
      for (int band = first; band < end; ++band)
        levels[static_cast<size_t>(spin)].mean_field.push_back(further.energy(k, band, spin) * rydberg_eV);
    unknown.push_back(further.kpoints()[static_cast<size_t>(k)]);
  }
  const std::vector<LevelsOfSpins> found = bands.at(unknown);
  int points = 0;
  for (size_t i = 0; i < unknown.size(); ++i)
    if (!bands.corrected_at(unknown[i])) errors.add(found[i], known[i], mean_field_of), ++points;
  bands.add(further, {});
  if (points == 0) return {};
  return HeldOut{further.path().filename().string(), points, errors.rms(), errors.worst(), {}, {}};
}

// About 24 points along the axis with most.
Miller fine_grid(const BandsSettings& settings, const Miller& grid) {
  if (settings.dos_grid != Miller{}) return settings.dos_grid;
  const int largest = *std::max_element(grid.begin(), grid.end()), times = std::max(1, (24 + largest / 2) / largest);
  Miller out = grid;
  for (int& n : out)
    if (n > 1) n *= times;
  return out;
}

// Candidates for the edges, and the smallest value of a function near the best of them.
class EdgeSearch {
public:
  EdgeSearch(const SpinBands& bands, const KPath& path, const std::vector<LevelsOfSpins>& on_path, const std::vector<WedgePoint>& grid,
             const std::vector<LevelsOfSpins>& on_grid, const Miller& fine)
      : bands_(bands), path_(path), on_path_(on_path), grid_(grid), on_grid_(on_grid), fine_(fine) {}

  template <class F> BandEdge lowest(const F& value) const {
    // A point of the path is preferred to an equivalent one beside it.
    constexpr double as_good = 1e-4;  // eV
    size_t line = 0, zone = 0;
    for (size_t i = 1; i < on_path_.size(); ++i)
      if (value(on_path_[i]) < value(on_path_[line])) line = i;
    for (size_t i = 1; i < on_grid_.size(); ++i)
      if (value(on_grid_[i]) < value(on_grid_[zone])) zone = i;
    BandEdge best = descend(value, path_.points()[line].k, value(on_path_[line]));
    const BandEdge other = descend(value, grid_[zone].at, value(on_grid_[zone]));
    if (other.energy < best.energy - as_good) best = other;
    const KPath::Place place = path_.place_of(best.k);
    if (place.name.empty()) return best;
    if (const double e = value(bands_.at(place.k)); e < best.energy + as_good) best = {e, place.k, place.name, 1};
    return best;
  }
  LevelsOfSpins at(const Vector3& k) const { return bands_.at(k); }

private:
  // Compass search: along each axis while it helps, then with half the step.
  template <class F> BandEdge descend(const F& value, Vector3 k, double lowest) const {
    constexpr double finest = 5e-4, gain = 1e-5;
    Vector3 step{};
    for (int i = 0; i < 3; ++i) step[i] = fine_[i] > 1 ? 0.5 / fine_[i] : 0;
    while (*std::max_element(step.begin(), step.end()) > finest) {
      bool better = false;
      for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {1.0, -1.0}) {
          if (step[axis] == 0) continue;
          Vector3 moved = k;
          moved[axis] += sign * step[axis];
          const double e = value(bands_.at(moved));
          if (!(e < lowest - gain)) continue;
          lowest = e, k = moved, better = true;
        }
      if (!better)
        for (double& s : step) s /= 2;
    }
    return {lowest, k, "", 1};
  }

  const SpinBands& bands_;
  const KPath& path_;
  const std::vector<LevelsOfSpins>& on_path_;
  const std::vector<WedgePoint>& grid_;
  const std::vector<LevelsOfSpins>& on_grid_;
  const Miller& fine_;
};

// Highest valence and lowest conduction band of each spin.
class Sides {
public:
  Sides(const Wavefunctions& w, int first, Level level) : level_(level) {
    for (int spin = 0; spin < w.spins(); ++spin) occupied_.push_back(w.occupied(spin) - first);
  }
  // Whether all of them are among `count` bands; a spin may hold no electrons.
  bool computed(const Wavefunctions& w, int count) const {
    for (int spin = 0; spin < w.spins(); ++spin) {
      const int n = occupied_[static_cast<size_t>(spin)];
      if (n >= count || (n <= 0 && w.occupied(spin) > 0)) return false;
    }
    return true;
  }
  double top(const LevelsAtK& at, size_t spin) const {
    return occupied_[spin] > 0 ? level_(at, static_cast<size_t>(occupied_[spin]) - 1) : -infinity;
  }
  double bottom(const LevelsAtK& at, size_t spin) const { return level_(at, static_cast<size_t>(occupied_[spin])); }
  double top(const LevelsOfSpins& at) const { return top(at[spin_of_top(at)], spin_of_top(at)); }
  double bottom(const LevelsOfSpins& at) const { return bottom(at[spin_of_bottom(at)], spin_of_bottom(at)); }
  size_t spin_of_top(const LevelsOfSpins& at) const { return at.size() == 2 && top(at[1], 1) > top(at[0], 0); }
  size_t spin_of_bottom(const LevelsOfSpins& at) const { return at.size() == 2 && bottom(at[1], 1) < bottom(at[0], 0); }

private:
  Level level_;
  std::vector<int> occupied_;  // of the bands there
};

std::optional<BandEdges> band_edges_of(const EdgeSearch& search, const Wavefunctions& w, int first, int end, Level level) {
  const Sides sides(w, first, level);
  if (!sides.computed(w, end - first)) return {};
  BandEdges edges;
  edges.valence_top = search.lowest([&](const LevelsOfSpins& at) { return -sides.top(at); });
  edges.valence_top.energy = -edges.valence_top.energy;
  edges.valence_top.spin = static_cast<int>(sides.spin_of_top(search.at(edges.valence_top.k))) + 1;
  edges.conduction_bottom = search.lowest([&](const LevelsOfSpins& at) { return sides.bottom(at); });
  edges.conduction_bottom.spin = static_cast<int>(sides.spin_of_bottom(search.at(edges.conduction_bottom.k))) + 1;
  edges.direct = search.lowest([&](const LevelsOfSpins& at) { return sides.bottom(at) - sides.top(at); });
  return edges;
}

// What interpolation must keep: the energies at the known points, and the symmetry.
void check_bands(const SpinBands& bands, const Wavefunctions& w, const KPath& path, const std::vector<LevelsOfSpins>& levels,
                 app::Outcome& outcome) {
  double known = 0, symmetric = 0;
  const auto distance = [](const LevelsOfSpins& a, const LevelsOfSpins& b) {
    double worst = 0;
    for (size_t spin = 0; spin < a.size(); ++spin)
      for (size_t band = 0; band < a[spin].mean_field.size(); ++band) {
        worst = std::max(worst, std::abs(a[spin].mean_field[band] - b[spin].mean_field[band]));
        if (!b[spin].correction.empty()) worst = std::max(worst, std::abs(a[spin].correction[band] - b[spin].correction[band]));
      }
    return worst;
  };
  const auto& operations = w.operations();
  for (int i = 0; i < bands.points(); ++i) {
    const Operation& operation = operations[static_cast<size_t>(i) % operations.size()];
    known = std::max(known, distance(bands.at(operation(bands.point(i))), bands.known(i)));
  }
  constexpr size_t tried = 8;  // points of the path
  for (size_t i = 0; i < tried; ++i) {
    const size_t at = i * (levels.size() - 1) / (tried - 1);
    const Operation& operation = operations[(7 * i + 1) % operations.size()];
    symmetric = std::max(symmetric, distance(bands.at(operation(path.points()[at].k)), levels[at]));
  }
  outcome.checks.push_back(
      {"interpolated bands at the k points of the run", known, 1e-8, "eV", "the interpolation misses the energies it is made of"});
  outcome.checks.push_back(
      {"symmetry of interpolated bands", symmetric, 1e-5, "eV", "the wavefunctions do not have the symmetries that their file says"});
}

}  // namespace

KPath path_of(const BandsSettings& settings, const Wavefunctions& w) {
  const auto flat = flat_axes(w.grid());
  const KPath path(settings.path, settings.labels, zone_labels(w.crystal().bdot, flat), w.crystal().bdot, settings.points);
  for (const auto& point : path.points())
    for (int i = 0; i < 3; ++i)
      if (flat[i] && std::abs(point.k[i]) > 1e-9)
        refuse_bands(
            fmt::format("the k grid has one point along axis {}, which the path leaves at {} {}", i + 1, point.label, text(point.k)));
  return path;
}

void require_dos_grid(const BandsSettings& s, const Wavefunctions& w) {
  if (s.dos_grid != Miller{}) wedge_of(s.dos_grid, w.operations(), "the k grid of the density of states");
}

void require_all_kpoints(const Settings& s, const Wavefunctions& w) {
  if (*std::ranges::min_element(w.grid()) < 1)
    refuse_bands(fmt::format("bands are interpolated from the k points of a grid; {} has none", w.path().string()));
  if (s.kpoints.empty() && w.kpoints().size() < 2)
    refuse_bands(fmt::format("bands need more than the one k point of {}", w.path().string()));
  if (!s.kpoints.empty() && chosen_kpoints(s, w).size() != w.kpoints().size())
    refuse_bands(fmt::format("bands are interpolated from all {} k points of {}; leave out 'sigma.kpoints', which has {}",
                             w.kpoints().size(), w.path().string(), s.kpoints.size()));
}

void require_further_file(const Settings& s, const Wavefunctions& w, const Wavefunctions& further) {
  require_same_cell(w.crystal(), w.path().string(), further.crystal(), further.path().string());
  if (further.nbands() < s.band_max)
    refuse_bands(fmt::format("{} has {} bands; 'sigma.bands' goes up to {}", further.path().string(), further.nbands(), s.band_max));
  if (further.spins() != w.spins())
    refuse_bands(fmt::format("{} has {} spins and {} has {}", further.path().string(), further.spins(), w.path().string(), w.spins()));
  for (int spin = 0; spin < w.spins(); ++spin)
    if (!w.partly_filled() && !further.partly_filled() && further.occupied(spin) != w.occupied(spin))
      refuse_bands(fmt::format("{} has {} occupied bands{} and {} has {}", further.path().string(), further.occupied(spin),
                               w.spins() == 2 ? fmt::format(" of spin {}", spin + 1) : "", w.path().string(), w.occupied(spin)));
  // The same crystal by the same calculation: energies at k points that both have.
  constexpr double tolerated_eV = 5e-3;
  for (size_t i = 0; i < further.kpoints().size(); ++i)
    for (size_t j = 0; j < w.kpoints().size(); ++j) {
      if (!equivalent(further.kpoints()[i], w.kpoints()[j])) continue;
      for (int spin = 0; spin < w.spins(); ++spin)
        for (int band = s.band_min - 1; band < s.band_max; ++band) {
          const double a = w.energy(static_cast<int>(j), band, spin) * rydberg_eV;
          const double b = further.energy(static_cast<int>(i), band, spin) * rydberg_eV;
          if (!(std::abs(a - b) <= tolerated_eV))
            refuse_bands(fmt::format("band {} at k = {}{} is {:.4f} eV in {} and {:.4f} eV in {}", band + 1, text(w.kpoints()[j]),
                                     w.spins() == 2 ? fmt::format(", spin {},", spin + 1) : "", a, w.path().string(), b,
                                     further.path().string()));
        }
    }
}

// The points of the dielectric matrix are there anyway; they do not count where they have too few bands, nor beside states of another mean field.
std::vector<std::filesystem::path> further_files(const Settings& s) {
  std::vector<std::filesystem::path> files;
  if (const auto& pairs = s.epsilon.wavefunctions;
      s.makes_epsilon() && s.wavefunctions_outer.empty() && !pairs.empty() && Wavefunctions(pairs).nbands() >= s.band_max)
    files.push_back(pairs);
  if (!s.bands.wavefunctions.empty()) files.push_back(s.bands.wavefunctions);
  return files;
}

BandStructure band_structure(const Solution& solution, app::Outcome& outcome) {
  const Settings& s = solution.settings;
  const Wavefunctions w(s.external_wavefunctions());
  const int first = s.band_min - 1, end = s.band_max;
  const KPath path = path_of(s.bands, w);
  const Miller fine = fine_grid(s.bands, w.grid());

  const bool gapped = !solution.result.fermi_eV;
  SpinBands bands(w.spins(), first, end, basis_for(end), gapped);
  bands.add(w, corrections_of(solution, w));

  BandStructure out;
  out.path = path.name();
  out.lattice = zone_labels(w.crystal().bdot, flat_axes(w.grid())).lattice;
  out.first_band = s.band_min;
  Middle gap;
  if (!gapped) gap = {*solution.result.fermi_eV, *solution.result.fermi_eV};
  else if (const auto found = find_gap(solution.states, &Quasiparticle::emf, solution.result))
    gap = {found->valence_top, found->conduction_bottom};
  if (const auto run = leave_one_out(bands, gap)) out.held_out.push_back(*run);
  for (const auto& file : further_files(s))
    if (const auto held = take_further(bands, Wavefunctions(file, KGrid::none), first, end, gap)) out.held_out.push_back(*held);
  out.known = bands.points();

  out.points = path.points();
  std::vector<Vector3> k;
  for (const auto& point : out.points) {
    k.push_back(point.k);
    out.computed.push_back(bands.corrected_at(point.k));
  }
  out.levels = bands.at(k);
  const std::vector<WedgePoint> grid = wedge_of(fine, w.operations(), "the k grid of the density of states");
  k.clear();
  for (const auto& point : grid) k.push_back(point.at);
  const std::vector<LevelsOfSpins> on_grid = bands.at(k);
  const int states_of_band = 2 / (w.spins() * w.spinors());
  const StatesOnGrid states(fine, grid, on_grid, states_of_band, s.bands.dos_width_eV);
  out.dos = states.density(mean_field_of, quasiparticle_of);
  if (gapped) {
    const EdgeSearch search(bands, path, out.levels, grid, on_grid, fine);
    out.mean_field = band_edges_of(search, w, first, end, mean_field_of);
    out.quasiparticle = band_edges_of(search, w, first, end, quasiparticle_of);
  } else {
    // A level that the user moved says how many electrons there are.
    const double electrons = s.levels.fermi_level_eV ? states.electrons_below(*solution.result.fermi_eV, mean_field_of)
                                                     : w.electrons() - static_cast<double>(first) * states_of_band * w.spins();
    out.fermi_mean_field = states.fermi_level(electrons, mean_field_of);
    out.fermi_quasiparticle = states.fermi_level(electrons, quasiparticle_of);
  }
  check_bands(bands, w, path, out.levels, outcome);
  return out;
}

}  // namespace suite::gw
