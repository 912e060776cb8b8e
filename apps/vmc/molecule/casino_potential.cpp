// SPDX-License-Identifier: BSD-3-Clause
#include "casino_potential.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "base/structure/structure.hpp"
#include "base/units.hpp"
#include "casino_numbers.hpp"
#include "common/io.hpp"

namespace suite::vmc {
namespace {

constexpr size_t largest_potential_file = 64 << 20;
constexpr long most_points = 1000000, most_angular_momentum = 8;
constexpr double felt = 1e-5;       // Ha bohr: r (V_l - V_local) below this counts as nothing, as in CASINO
constexpr double charges_to = 1e-6;  // e

double hartree_in(CasinoNumbers& file) {
  const std::string unit = app::lower(file.line_after("energy units").text);
  if (unit == "rydberg") return 0.5;
  if (unit == "hartree") return 1;
  if (unit == "ev") return 1 / app::hartree_eV;
  file.fail(file.last().at, "the unit of energy must be rydberg, hartree or ev; got '" + file.last().text + "'");
}

}  // namespace

std::vector<PotentialTerm> semilocal_terms(const std::vector<double>& r, const std::map<long, std::vector<double>>& times_r, long local,
                                           double charge) {
  std::vector<PotentialTerm> terms;
  const auto& of_local = times_r.at(local);
  for (const auto& [l, of_l] : times_r) {
    std::vector<double> values(r.size());
    for (size_t i = 0; i < r.size(); ++i) values[i] = l == local ? of_l[i] + charge : of_l[i] - of_local[i];
    size_t size = r.size();
    if (l != local) {
      while (size > 4 && std::abs(values[size - 1]) < felt) --size;
      if (std::all_of(values.begin(), values.end(), [](double value) { return std::abs(value) < felt; })) continue;
    }
    values.resize(size);
    RadialTable table{{r.begin(), r.begin() + static_cast<std::ptrdiff_t>(size)}, std::move(values)};
    terms.push_back(
        {0, l == local ? local_channel : static_cast<int32_t>(l), 0, 0, 0, std::make_shared<const RadialTable>(std::move(table))});
  }
  return terms;
}

CasinoPotential parse_casino_potential(const std::string& name, const std::string& text) {
  CasinoNumbers file(name, text);
  CasinoPotential out;
  const auto charges = file.reals_after("atomic number", 2, "numbers (atomic number and pseudo-charge)");
  out.atomic_number = std::lround(charges[0]);
  out.charge = charges[1];
  if (!(out.charge > 0)) file.fail(file.last().at, fmt::format("the pseudo-charge is {:g}; it must be positive", out.charge));
  const double unit = hartree_in(file);
  const long local = file.integer_after("angular momentum of local", 0, most_angular_momentum);
  const auto local_at = file.last().at;
  out.rule = file.integers_after("nlrule", 2, "numbers (NLRULE)", 0, 7).front();
  const auto n = static_cast<size_t>(file.integer_after("number of grid points", 4, most_points));
  const auto r = file.reals_after("r(i)", n, "distances");
  for (size_t i = 0; i < n; ++i)
    if (!(r[i] >= 0) || (i > 0 && !(r[i] > r[i - 1])))
      file.fail(file.last().at, fmt::format("the distances must ascend from 0; number {} is {:g}", i + 1, r[i]));
  std::vector<std::vector<double>> times_r;  // of each l, Ha bohr
  while (!file.next().words.empty()) {
    if (app::lower(file.next().text).find("potential") == std::string::npos)
      file.fail(file.next().at, "'" + file.next().text + "' is unexpected here: only 'r*potential' of each angular momentum is read");
    times_r.push_back(file.reals_after("potential", n, "values of r times the potential"));
    for (double& value : times_r.back()) value *= unit;
  }
  if (local >= static_cast<long>(times_r.size()))
    file.fail(local_at, fmt::format("the local angular momentum is {}, but there are potentials up to {}", local,
                                    static_cast<long>(times_r.size()) - 1));
  std::map<long, std::vector<double>> channels;
  for (size_t l = 0; l < times_r.size(); ++l) channels[static_cast<long>(l)] = std::move(times_r[l]);
  out.terms = semilocal_terms(r, channels, local, out.charge);
  return out;
}

int points_of_casino_rule(long rule) {
  constexpr int points[] = {0, 0, 0, 6, 12, 18, 26, 50};
  return rule >= 0 && rule < std::ssize(points) ? points[rule] : 0;
}

std::optional<int> add_casino_potentials(const std::filesystem::path& folder, Molecule& m) {
  std::map<std::string, std::optional<CasinoPotential>> of_element;
  std::optional<int> points;
  const auto refuse = [](const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); };
  for (size_t a = 0; a < m.charge.size(); ++a) {
    const std::string& element = m.label[a];
    if (of_element.contains(element)) continue;
    auto& potential = of_element[element];
    const auto path = folder / (app::lower(element) + "_pp.data");
    if (!std::filesystem::exists(path)) continue;
    potential = parse_casino_potential(path.string(), app::read_text_file(path, largest_potential_file));
    if (app::element_of_number(potential->atomic_number) != element)
      refuse(fmt::format("{} is of the atomic number {}, but the atom is {}", path.string(), potential->atomic_number, element));
    if (potential->rule == 0) continue;
    const int asked = points_of_casino_rule(potential->rule);
    if (asked == 0)
      refuse(fmt::format("{}: NLRULE {} is not supported; it must be one of 0, 3, 4, 5, 6, 7", path.string(), potential->rule));
    points = std::max(points.value_or(0), asked);
  }
  // Converters write the charge of the bare nucleus or that of the pseudopotential; the latter counts.
  for (size_t a = 0; a < m.charge.size(); ++a) {
    const auto& potential = of_element[m.label[a]];
    const std::string atom = fmt::format("atom {} ({}) has the valence charge {:g}", a + 1, m.label[a], m.charge[a]);
    const bool bare =
        std::abs(m.charge[a] - std::round(m.charge[a])) < charges_to && app::element_of_number(std::lround(m.charge[a])) == m.label[a];
    if (!potential && !bare)
      refuse(fmt::format("{}, but there is no {}_pp.data with its pseudopotential in {}", atom, app::lower(m.label[a]),
                         folder.empty() ? "this folder" : folder.string()));
    if (!potential) continue;
    if (!bare && !(std::abs(potential->charge - m.charge[a]) < charges_to))
      refuse(fmt::format("{}, but {}_pp.data has the pseudo-charge {:g}", atom, app::lower(m.label[a]), potential->charge));
    m.charge[a] = potential->charge;
    for (PotentialTerm term : potential->terms) {
      term.ion = static_cast<int32_t>(a);
      m.potential.push_back(std::move(term));
    }
  }
  return points;
}

}  // namespace suite::vmc
