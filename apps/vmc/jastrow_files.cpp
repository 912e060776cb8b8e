// SPDX-License-Identifier: BSD-3-Clause
#include "jastrow_files.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "casino_correlation.hpp"
#include "molecule/molecule.hpp"

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

// The keys of an input have one chi for both spins, with one cutoff, and a row for each kind of atom.
bool chi_of_kinds(const System& system, const Jastrow& j) {
  const auto kinds = system.molecule->kind_of_ion();
  const bool cusps = std::any_of(j.slope_chi.begin(), j.slope_chi.end(), [](double slope) { return slope != 0; });
  if (j.nspin_chi != 1 || j.nset_chi != std::ssize(system.molecule->kinds())) return false;
  for (size_t a = 0; a < kinds.size(); ++a) {
    const auto set = static_cast<size_t>(j.set_of_ion[a]) - 1;
    if (j.set_of_ion[a] != kinds[a] + 1 || j.L_chi[set] != j.L_chi.front()) return false;
    if ((j.slope_chi[set] != 0) != (cusps && system.molecule->bare(a))) return false;
  }
  return true;
}

// The keys have an f of one order with one cutoff around each kind of atom, which repeats neither u nor chi.
bool f_of_kinds(const System& system, const Jastrow& j) {
  Jastrow plain = j;
  add_f(system, plain, {j.nf_en - 1, j.npair_f, j.L_f.front()});
  return plain.shape_f == j.shape_f && plain.L_f == j.L_f && plain.f_of_ion == j.f_of_ion;
}

std::string yaml(const System& system, const Jastrow& j) {
  std::string out = "# Section 'jastrow' of an input with this Jastrow factor.\njastrow:\n";
  if ((j.has_p() && !shortest_stars(system, j)) || (j.has_chi() && !chi_of_kinds(system, j)) || (j.has_f() && !f_of_kinds(system, j)))
    return out + "  file: correlation.data\n";
  if (j.has_u()) {
    out +=
        j.form == Form::polynomial ? fmt::format("  form: polynomial\n  truncation: {}\n", j.truncation) : std::string("  form: bspline\n");
    out += fmt::format("  cutoff: {:.17g} bohr\n", j.L_u) + rows("u", parameters(j, Free::only_u()), j.nset_u);
  }
  if (j.has_p()) out += rows("p", j.a, j.nset_p);
  if (j.has_chi()) {
    out += fmt::format("  chi_cutoff: {:.17g} bohr\n", j.L_chi.front());
    if (std::any_of(j.slope_chi.begin(), j.slope_chi.end(), [](double slope) { return slope != 0; })) out += "  chi_cusp: true\n";
    out += rows("chi", parameters(j, Free::only_chi()), j.nset_chi);
  }
  if (j.has_f()) {
    out += fmt::format("  f_order: {}\n  f_cutoff: {:.17g} bohr\n  f_sets: {}\n", j.nf_en - 1, j.L_f.front(), j.npair_f);
    out += rows("f", parameters(j, Free::only_f()), j.nset_f * j.npair_f);
  }
  return out;
}

}  // namespace

std::vector<app::TextFile> jastrow_files(const System& system, const Jastrow& j, const Free& free, const std::string& title) {
  std::vector<app::TextFile> files{{"jastrow.yaml", yaml(system, j)}};
  if (j.has_u() && j.form != Form::polynomial) return files;
  CorrelationData data;
  data.jastrow = j;
  data.title = title;
  data.free_alpha = free.each_u;
  data.free_a = free.each_p;
  data.free_beta = free.each_chi;
  data.free_gamma = free.each_f;
  data.free_cutoffs = free.each_cutoff;
  if (free.cutoffs && free.each_cutoff.empty()) data.free_cutoffs.assign((j.has_u() ? 1 : 0) + j.L_chi.size() + j.L_f.size(), true);
  files.push_back({"correlation.data", correlation_data_text(data)});
  return files;
}

}  // namespace suite::vmc
