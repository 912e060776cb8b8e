// SPDX-License-Identifier: BSD-3-Clause
#include "jastrow_files.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "casino_correlation.hpp"

namespace suite::vmc {
namespace {

// "  u:\n    - [1, 2]\n", one row per set.
std::string rows(const char* key, const std::vector<double>& values, int sets) {
  std::string out = fmt::format("  {}:\n", key);
  const size_t columns = values.size() / static_cast<size_t>(sets);
  for (size_t i = 0; i < values.size(); ++i)
    out += fmt::format("{}{:.17g}{}", i % columns ? ", " : "    - [", values[i], (i + 1) % columns ? "" : "]\n");
  return out;
}

// An input numbers stars from the shortest; correlation.data may have any G.
bool shortest_stars(const System& system, const Jastrow& j) {
  const Stars found = stars(system.cell, j.nstar);
  return found.gvec == j.gvec && found.star == j.star;
}

std::string yaml(const System& system, const Jastrow& j) {
  std::string out = "# Section 'jastrow' of an input with this Jastrow factor.\njastrow:\n";
  if (j.has_p() && !shortest_stars(system, j)) return out + "  file: correlation.data\n";
  if (j.has_u()) {
    out +=
        j.form == Form::polynomial ? fmt::format("  form: polynomial\n  truncation: {}\n", j.truncation) : std::string("  form: bspline\n");
    out += fmt::format("  cutoff: {:.17g} bohr\n", j.L_u) + rows("u", parameters(j, {true, false, false}), j.nset_u);
  }
  if (j.has_p()) out += rows("p", j.a, j.nset_p);
  if (j.has_chi()) {
    out += fmt::format("  chi_cutoff: {:.17g} bohr\n", j.L_chi.front());
    if (std::any_of(j.slope_chi.begin(), j.slope_chi.end(), [](double slope) { return slope != 0; })) out += "  chi_cusp: true\n";
    out += rows("chi", parameters(j, {false, false, true}), j.nset_chi);
  }
  return out;
}

}  // namespace

std::vector<app::TextFile> jastrow_files(const System& system, const Jastrow& j, const Free& free, const std::string& title) {
  std::vector<app::TextFile> files{{"jastrow.yaml", yaml(system, j)}};
  if (system.molecule || (j.has_u() && j.form != Form::polynomial)) return files;
  CorrelationData data;
  data.jastrow = j;
  data.title = title;
  data.free_alpha = free.each_u;
  data.free_a = free.each_p;
  files.push_back({"correlation.data", correlation_data_text(data)});
  return files;
}

}  // namespace suite::vmc
