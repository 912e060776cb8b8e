// SPDX-License-Identifier: BSD-3-Clause
#include "dfpt_app.hpp"

#include <map>
#include <ostream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/starter_from_files.hpp"
#include "base/starter_of_species.hpp"
#include "base/stop.hpp"
#include "common/machine.hpp"
#include "common/near.hpp"
#include "common/quantities.hpp"
#include "calculation.hpp"
#include "checks.hpp"
#include "memory.hpp"
#include "polyalanine.hpp"
#include "sample.hpp"
#include "settings.hpp"
#include "species_start.hpp"
#include "start_from.hpp"

namespace suite::all_electron {
namespace {

// C15H23N3O8: carbon and hydrogen first, the others alphabetically.
std::string formula(const Molecule& molecule) {
  std::map<std::string, int> counts;
  for (const auto& atom : molecule.atoms) ++counts[element_symbol(atom.Z)];
  std::string text;
  const auto take = [&](const std::string& symbol) {
    const auto found = counts.find(symbol);
    if (found == counts.end()) return;
    text += symbol + (found->second > 1 ? std::to_string(found->second) : std::string());
    counts.erase(found);
  };
  if (counts.count("C")) take("C"), take("H");
  while (!counts.empty()) take(counts.begin()->first);
  return text;
}

const char* kind_of(const Settings& s) {
  static constexpr const char* kinds[] = {"molecule", "chain, in its period", "slab, in its cell", "crystal, in its cell"};
  return kinds[s.crystal.vectors.size()];
}

// ", confined from 11.3 bohr"
std::string onset_text(const Choices& choices) { return choices.onset ? fmt::format(", confined from {:.4g} bohr", *choices.onset) : ""; }

// ", Mg of Mg.yaml"
std::string own_files(const Choices& choices) {
  std::string text;
  for (const auto& [Z, species] : choices.own_species) text += fmt::format(", {} of {}", element_symbol(Z), species.source);
  return text;
}

void describe(const Settings& s, std::ostream& out) {
  const Choices& c = s.choices;
  out << fmt::format("{} {}, {} atoms, charge {}, {} electrons", kind_of(s), formula(s.molecule), s.molecule.atoms.size(),
                     s.molecule.charge, s.molecule.electrons())
      << (s.molecule.unpaired > 0 ? fmt::format(", {} unpaired\n", s.molecule.unpaired)
                                  : std::string(s.molecule.two_spins() ? ", two spins\n" : "\n"))
      << "basis    "
      << (c.gaussian_file.empty()
              ? fmt::format("numeric orbitals, tier {}, {} grids", c.tier, c.level == Level::tight ? "tight" : "light") + onset_text(c) +
                    own_files(c)
              : "Gaussians of " + c.gaussian_file.filename().string())
      << "; " << name_of(c.xc) << "\n";
  const Counts counts = counts_of(s.molecule, c);
  if (!s.crystal.vectors.empty()) {
    const auto& k = s.crystal.k_points;
    const Setup setup = prepare(s.molecule, c, lattice_of(s.crystal), s.crystal.ewald_radius);
    out << fmt::format("sizes    {:.0f} functions in a cell, {} x {} x {} k points; with images {} functions, {} points\n",
                       counts.functions, k[0], k[1], k[2], setup.basis.n_basis, setup.grid.n_points())
        << fmt::format("memory   about {}; this machine has {}\n",
                       memory_text(memory_of_crystal(setup, s, 1, app::threads_in_use(), limit_of_crystal(s))),
                       app::bytes_text(static_cast<double>(app::machine().memory_B)));
    return;
  }
  out << fmt::format("sizes    {:.0f} functions, at most {:.0f} points\n", counts.functions, counts.points)
      << fmt::format("memory   at most {}, and the functions at the points; this machine has {}\n", memory_text(memory_of(counts, s)),
                     app::bytes_text(static_cast<double>(app::machine().memory_B)));
}

Settings settings_of(const app::Input& input) {
  Settings s = read_settings(input);
  input.finish();
  return s;
}

class DfptApp final : public app::App, public app::Starter, public app::StarterFromFiles, public app::StarterOfSpecies {
public:
  const char* name() const override { return "dfpt"; }
  const char* summary() const override {
    return "all-electron ground states and polarizabilities of molecules "
           "and crystals in numeric atom-centred orbitals";
  }
  const std::vector<app::Key>& keys() const override { return input_keys(); }

  void check(const app::Input& input, std::ostream& out) const override { describe(settings_of(input), out); }

  nlohmann::ordered_json results_schema() const override { return all_electron::results_schema(); }

  nlohmann::ordered_json run(const app::Input& input, app::Context& context) const override {
    const Settings settings = settings_of(input);
    const Calculated outcome = calculate(settings, context);
    judge(settings, outcome, context.outcome);
    nlohmann::ordered_json out = results(settings, outcome);
    context.out << table(settings, outcome);
    app::write_files(context, files(settings, outcome), out);
    if (!outcome.crystal) out["files"].push_back("checkpoint.h5");
    if (outcome.stopped_by)
      throw app::Stopped(outcome.stopped_by, out,
                         outcome.crystal
                             ? "crystals have no checkpoints to continue from"
                             : "to continue: --set restart.file=" + app::shell_word((context.folder / "checkpoint.h5").string()));
    return out;
  }

  Sample sample(const app::Input& input) const override { return typical_call(settings_of(input)); }

  Start polyalanine(long atoms, bool helix) const override {
    return polyalanine_input(atoms, helix ? Conformation::helix : Conformation::strand);
  }

  Start from(const std::filesystem::path& source, const std::filesystem::path& folder) const override { return start_from(source, folder); }

  std::string species_file(const std::string& element) const override { return species_file_of(element); }
};

}  // namespace
}  // namespace suite::all_electron

std::unique_ptr<suite::app::App> suite::app::make_dfpt() { return std::make_unique<suite::all_electron::DfptApp>(); }
