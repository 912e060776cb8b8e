// SPDX-License-Identifier: BSD-3-Clause
#include "start_from.hpp"

#include <algorithm>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "berkeleygw_input.hpp"
#include "wavefunction_file.hpp"

namespace suite::gw {
namespace {

namespace fs = std::filesystem;

// The first of these files that the folder has; empty: none.
fs::path first_of(const fs::path& folder, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (fs::is_regular_file(folder / name)) return folder / name;
  return {};
}

// Four occupied and four empty bands around the gap.
std::string bands_around_gap(const fs::path& wavefunctions) {
  const auto file = WavefunctionFile::open(wavefunctions);
  const WavefunctionHeader& header = file->header();
  const int highest = header.highest.empty() ? 0 : *std::ranges::max_element(header.highest);
  return fmt::format("[{}, {}]", std::max(1, highest - 3), std::max(1, std::min(header.nbands, highest + 4)));
}

}  // namespace

app::Starter::Start start_from(const fs::path& source, const fs::path& to) {
  if (!fs::exists(source)) throw Failure(SUITE_NOT_FOUND, "no file or folder '" + source.string() + "'");
  const fs::path from = fs::is_directory(source) ? source : source.parent_path();
  const fs::path sigma = first_of(from, {"sigma.inp"}), epsilon = first_of(from, {"epsilon.inp"});
  if (!fs::is_directory(source) && source.filename() != "sigma.inp" && source.filename() != "epsilon.inp")
    throw Failure(SUITE_INVALID_ARGUMENT,
                  "'" + source.string() + "' is not a folder with files of BerkeleyGW (WFN_inner, RHO, sigma.inp), and no sigma.inp");
  const fs::path grid = first_of(from, {"WFN.h5", "WFN"}), shifted = first_of(from, {"WFNq.h5", "WFNq"});
  fs::path inner = first_of(from, {"WFN_inner.h5", "WFN_inner"});
  if (inner.empty()) inner = grid;
  if (inner.empty())
    throw Failure(SUITE_NOT_FOUND, fmt::format("folder '{}' has no WFN_inner or WFN, binary or .h5", from.empty() ? "." : from.string()));
  const fs::path eps0 = first_of(from, {"eps0mat.h5"}), eps = first_of(from, {"epsmat.h5"});

  app::Starter::Start start;
  fs::path name = fs::absolute(from.empty() ? fs::path(".") : from).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  start.title = "GW from the files of " + name.filename().string();
  const auto set_file = [&](const char* key, const fs::path& file) {
    if (!file.empty()) start.values.emplace_back(key, app::value_of(file, to));
  };
  const auto add = [&](const KeyValues& values) {
    for (const auto& [key, value] : values) {
      const auto is_same = [&, key = key](const auto& other) { return other.first == key; };
      if (std::ranges::any_of(start.values, is_same)) continue;  // sigma.inp goes first
      const bool is_file = key == "system.vxc" || key.ends_with("eqp_corrections") || key.ends_with("eqp_corrections_q0");
      start.values.emplace_back(key, is_file ? app::value_of(from / value, to) : value);
    }
  };
  const bool only = sigma.empty() && !epsilon.empty();
  set_file("system.wavefunctions", inner);
  if (!only) { set_file("system.density", first_of(from, {"RHO"})); }
  if (!sigma.empty()) {
    const KeyValues values = values_of_sigma_inp(sigma);
    add(values);
    // v at q+G = 0, which is all that is averaged.
    if (std::ranges::find(values, std::pair<std::string, std::string>("coulomb.average", "none")) != values.end())
      set_file("coulomb.file", first_of(from, {"vcoul", "vcoul.gz"}));
  }
  if (sigma.empty() && !only) start.values.emplace_back("sigma.bands", bands_around_gap(inner));
  const auto is_vxc = [](const auto& value) { return value.first == "system.vxc"; };
  if (!only && std::ranges::none_of(start.values, is_vxc)) set_file("system.vxc", first_of(from, {"vxc.dat", "VXC"}));
  if (!eps0.empty() && !only) {
    set_file("system.eps0", eps0);
    set_file("system.eps", eps);
    return start;
  }
  if (grid != inner) set_file("epsilon.wavefunctions", grid);
  set_file("epsilon.wavefunctions_q0", shifted);
  if (!epsilon.empty()) add(values_of_epsilon_inp(epsilon));
  else start.values.emplace_back("epsilon.cutoff", "10 Ry");
  if (only) start.values.emplace_back("epsilon.only", "true");
  return start;
}

}  // namespace suite::gw
