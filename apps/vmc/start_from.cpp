// SPDX-License-Identifier: BSD-3-Clause
#include "start_from.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "casino_input.hpp"
#include "common/quantities.hpp"
#include "crystal/eshdf.hpp"
#include "crystal/potential_xml.hpp"
#include "molecule/casino_potential.hpp"
#include "molecule/gwfn.hpp"
#include "molecule/stowfn.hpp"
#include "molecule/trexio.hpp"

namespace suite::vmc {
namespace {

namespace fs = std::filesystem;

std::string title_of(const Molecule& m, const std::array<int32_t, 2>& nele, const fs::path& source) {
  return fmt::format("{}, {}, from {}", m.formula(), app::counted(static_cast<long>(nele[0] + nele[1]), "electron"),
                     source.filename().string());
}

// Files beside an ES-HDF file that are pseudopotentials of its nuclei, one for each element that needs one, as a value of an input; "" for
// none.
std::string potentials_beside(const fs::path& source, const EshdfFile& crystal, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(source.has_parent_path() ? source.parent_path() : "."))
    if (entry.is_regular_file() && (entry.path().extension() == ".xml" || entry.path().filename().string().ends_with("_pp.data")))
      files.push_back(source.parent_path() / entry.path().filename());
  std::sort(files.begin(), files.end());
  std::string list;
  std::vector<long> done;
  for (const fs::path& file : files) {
    CasinoPotential potential;
    try {
      potential = read_potential(file).potential;
    } catch (const std::exception&) { continue; }  // of something else
    for (size_t a = 0; a < crystal.atomic_number.size(); ++a) {
      const long number = crystal.atomic_number[a];
      const double charge = crystal.molecule.charge[a];
      if (number != potential.atomic_number || std::abs(charge - potential.charge) > 1e-6 || charge == static_cast<double>(number) ||
          std::find(done.begin(), done.end(), number) != done.end())
        continue;
      done.push_back(number);
      list += (list.empty() ? "[" : ", ") + app::value_of(file, folder);
    }
  }
  return list.empty() ? "" : list + "]";
}

bool is_hdf5(const fs::path& file) {
  char begin[4]{};
  std::ifstream(file, std::ios::binary).read(begin, 4);
  return std::string(begin, 4) == "\x89HDF";
}

}  // namespace

app::Starter::Start start_from(const fs::path& source, const fs::path& folder) {
  if (!fs::exists(source)) throw Failure(SUITE_NOT_FOUND, "no file or folder '" + source.string() + "'");
  app::Starter::Start start;
  if (fs::is_regular_file(source) && is_hdf5(source) && is_eshdf(source)) {
    EshdfChoice choice;
    choice.twist = first_twist(source);
    choice.complex = needs_complex(choice.twist);
    const EshdfFile file = read_eshdf(source, choice);
    start.title = title_of(file.molecule, file.nele, source);
    start.values = {{"method", "optimise"}, {"system.eshdf", app::value_of(source, folder)}};
    if (choice.twist != std::array<double, 3>{})
      start.values.push_back(
          {"system.twist", fmt::format("[{:.17g}, {:.17g}, {:.17g}]", choice.twist[0], choice.twist[1], choice.twist[2])});
    if (const std::string potentials = potentials_beside(source, file, folder); !potentials.empty())
      start.values.push_back({"system.pseudopotentials", potentials});
    return start;
  }
  if (fs::is_regular_file(source) && is_hdf5(source)) {
    const TrexioFile file = read_trexio(source);
    start.title = title_of(file.molecule, file.nele, source);
    start.values = {{"method", "optimise"}, {"system.trexio", app::value_of(source, folder)}};
    return start;
  }
  const fs::path input = fs::is_directory(source) ? source / "input" : source;
  if (!fs::exists(input))
    throw Failure(SUITE_NOT_FOUND, "folder '" + source.string() + "' has no file 'input' of CASINO; a TREXIO file is named itself");
  const CasinoInput casino = read_casino_input(input);
  if (casino.molecule) {
    const fs::path orbitals = input.parent_path() / casino.orbitals_file();
    Molecule molecule = casino.slater ? read_stowfn(orbitals, casino.nele) : read_gwfn(orbitals, casino.nele);
    add_casino_potentials(input.parent_path(), molecule);
    start.title = title_of(molecule, casino.nele, input);
  } else {
    start.title = fmt::format("electron gas, {}, from {}", app::counted(static_cast<long>(casino.nele[0] + casino.nele[1]), "electron"),
                              input.filename().string());
  }
  start.values = {{"system.casino_input", app::value_of(input, folder)}};
  return start;
}

}  // namespace suite::vmc
