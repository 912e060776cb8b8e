// SPDX-License-Identifier: BSD-3-Clause
#include "start_from.hpp"

#include <fstream>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "casino_input.hpp"
#include "common/quantities.hpp"
#include "molecule/casino_potential.hpp"
#include "molecule/gwfn.hpp"
#include "molecule/trexio.hpp"

namespace suite::vmc {
namespace {

namespace fs = std::filesystem;

std::string title_of(const Molecule& m, const std::array<int32_t, 2>& nele, const fs::path& source) {
  return fmt::format("{}, {}, from {}", m.formula(), app::counted(static_cast<long>(nele[0] + nele[1]), "electron"),
                     source.filename().string());
}

// As a value of an input: relative to its folder, quoted.
std::string value_of(const fs::path& file, const fs::path& folder) {
  const fs::path from = folder.empty() ? fs::path(".") : folder;
  std::string quoted;
  for (const char c : (file.is_absolute() ? file : fs::proximate(file, from)).generic_string())
    quoted += (c == '\\' || c == '"' ? "\\" : "") + std::string(1, c);
  return '"' + quoted + '"';
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
  if (fs::is_regular_file(source) && is_hdf5(source)) {
    const TrexioFile file = read_trexio(source);
    start.title = title_of(file.molecule, file.nele, source);
    start.values = {{"method", "optimise"}, {"system.trexio", value_of(source, folder)}};
    return start;
  }
  const fs::path input = fs::is_directory(source) ? source / "input" : source;
  if (!fs::exists(input))
    throw Failure(SUITE_NOT_FOUND, "folder '" + source.string() + "' has no file 'input' of CASINO; a TREXIO file is named itself");
  const CasinoInput casino = read_casino_input(input);
  if (casino.molecule) {
    Molecule molecule = read_gwfn(input.parent_path() / "gwfn.data", casino.nele);
    add_casino_potentials(input.parent_path(), molecule);
    start.title = title_of(molecule, casino.nele, input);
  } else {
    start.title = fmt::format("electron gas, {}, from {}", app::counted(static_cast<long>(casino.nele[0] + casino.nele[1]), "electron"),
                              input.filename().string());
  }
  start.values = {{"system.casino_input", value_of(input, folder)}};
  return start;
}

}  // namespace suite::vmc
