// SPDX-License-Identifier: BSD-3-Clause
#include "factor_rows.hpp"

#include "common/quantities.hpp"

namespace suite::vmc {

bool read_rows(const app::Input& input, const char* path, std::vector<std::vector<double>>& rows) {
  rows = input.points(path);
  const std::string name = std::string(path).substr(8);
  if (rows.size() < 1 || rows.size() > 3) {
    input.fail(path, "'" + name + "' has " + app::counted(rows.size(), "row") + "; there must be 1 to 3 sets of spin pairs");
    return false;
  }
  return true;
}

void read_u(const app::Input& input, const System* system, Jastrow& j) {
  std::vector<std::vector<double>> rows;
  if (!read_rows(input, "jastrow.u", rows)) return;
  const bool polynomial = j.form == Form::polynomial;
  if (rows.front().size() < 2)
    return input.fail("jastrow.u", "'u' has " + app::counted(rows.front().size(), "coefficient") + " in a row; it needs at least 2");
  if (!system) return;
  j.nset_u = static_cast<int>(rows.size());
  j.nalpha = static_cast<int>(rows.front().size()) + (polynomial ? 1 : 4);
  j.alpha.assign(static_cast<size_t>(j.nalpha) * rows.size(), 0.0);
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  set_parameters(*system, j, values, Free::only_u());
}

void read_p(const app::Input& input, const System* system, Jastrow& j) {
  std::vector<std::vector<double>> rows;
  if (!read_rows(input, "jastrow.p", rows) || !system) return;
  j.nset_p = static_cast<int>(rows.size());
  j.nstar = static_cast<int>(rows.front().size());
  const Stars found = stars(system->cell, j.nstar);
  j.gvec = found.gvec, j.star = found.star;
  for (const auto& row : rows) j.a.insert(j.a.end(), row.begin(), row.end());
}

}  // namespace suite::vmc
