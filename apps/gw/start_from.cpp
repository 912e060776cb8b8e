// SPDX-License-Identifier: BSD-3-Clause
#include "start_from.hpp"

#include <algorithm>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "berkeleygw_input.hpp"
#include "wavefunctions.hpp"

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

// epsilon.q_grid, where the q that are listed are not those of the grid of `grid`, which is its default. With a self-energy they must be those of its own.
void add_q_grid(app::Starter::Start& start, const fs::path& epsilon, const fs::path& grid, const fs::path& of_sigma) {
  const Wavefunctions wavefunctions(grid);
  const Miller own = wavefunctions.grid();
  std::vector<Miller> grids;
  if (!of_sigma.empty()) {
    grids.push_back(Wavefunctions(of_sigma).grid());
  } else {
    for (int a = own[0]; a > 0; --a)
      for (int b = own[1]; b > 0; --b)
        for (int c = own[2]; c > 0; --c)
          if (own[0] % a == 0 && own[1] % b == 0 && own[2] % c == 0) grids.push_back({a, b, c});
  }
  const auto listed = listed_q_grid(epsilon, grids, wavefunctions.operations(), (of_sigma.empty() ? grid : of_sigma).string());
  if (listed && *listed != own)
    start.values.emplace_back("epsilon.q_grid", fmt::format("[{}, {}, {}]", (*listed)[0], (*listed)[1], (*listed)[2]));
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
  const fs::path outer = sigma.empty() ? fs::path() : first_of(from, {"WFN_outer.h5", "WFN_outer"});
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
      const bool is_file = key == "system.vxc" || key.ends_with("eqp_corrections") || key.ends_with("eqp_outer_corrections") ||
                           key.ends_with("eqp_corrections_q0");
      start.values.emplace_back(key, is_file ? app::value_of(from / value, to) : value);
    }
  };
  const bool only = sigma.empty() && !epsilon.empty();
  set_file("system.wavefunctions", inner);
  set_file("system.wavefunctions_outer", outer);
  if (!only) { set_file("system.density", first_of(from, {"RHO"})); }
  if (!sigma.empty()) {
    require_all_spins(sigma, WavefunctionFile::open(inner)->header().spins, inner.string());
    const KeyValues values = values_of_sigma_inp(sigma, !outer.empty());
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
  if (epsilon.empty() || !takes_q0_of_wfn(epsilon)) set_file("epsilon.wavefunctions_q0", shifted);
  if (!epsilon.empty()) {
    add(values_of_epsilon_inp(epsilon));
    add_q_grid(start, epsilon, grid.empty() ? inner : grid, only ? fs::path() : inner);
  } else start.values.emplace_back("epsilon.cutoff", "10 Ry");
  if (only) start.values.emplace_back("epsilon.only", "true");
  return start;
}

}  // namespace suite::gw
