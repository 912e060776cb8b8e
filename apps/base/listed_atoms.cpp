// SPDX-License-Identifier: BSD-3-Clause
#include "listed_atoms.hpp"

#include <cmath>

#include <fmt/core.h>

#include "common/quantities.hpp"

namespace suite::app {

namespace {

void refuse_near(const Input& input, const std::string& path, const std::vector<ListedAtom>& atoms, double least_apart) {
  for (size_t a = 0; a < atoms.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const auto &p = atoms[a].position, &q = atoms[b].position;
      const double apart = std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
      if (apart < least_apart)
        return input.fail(
            path, fmt::format("atoms {} ({}) and {} ({}) are {:.3g} bohr apart", b + 1, atoms[b].element, a + 1, atoms[a].element, apart));
    }
}

}  // namespace

std::optional<std::vector<ListedAtom>> listed_atoms(const Input& input, const std::string& section, double least_apart) {
  const std::string path = section + ".positions";
  const auto elements = input.names(section + ".elements");
  const auto positions = input.positions_bohr(path);
  if (elements.size() != positions.size()) {
    input.fail(path, "'positions' has " + counted(positions.size(), "row") + " but 'elements' has " + counted(elements.size(), "name"));
    return std::nullopt;
  }
  std::vector<ListedAtom> atoms;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!input.need_three(path, positions[i].size())) return std::nullopt;
    atoms.push_back({elements[i], {positions[i][0], positions[i][1], positions[i][2]}});
  }
  refuse_near(input, path, atoms, least_apart);
  return atoms;
}

}  // namespace suite::app
