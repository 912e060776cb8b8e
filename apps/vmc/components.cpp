// SPDX-License-Identifier: BSD-3-Clause
#include "components.hpp"

#include <fmt/core.h>

#include "molecule/molecule.hpp"
#include "run.hpp"

namespace suite::vmc {
namespace {

struct PartName {
  size_t part;
  const char *key, *what;
};
constexpr PartName kinetic_parts[] = {
    {part::kei, "KEI", "kinetic energy from the Laplacian of psi"},
    {part::ti, "TI", "kinetic energy from the Laplacian of ln psi"},
    {part::fisq, "FISQ", "kinetic energy from the gradient of ln psi"},
};
constexpr PartName parts_of_gas[] = {{part::ee, "ewald", "Coulomb energy with background and images"}};
constexpr PartName parts_of_molecule[] = {
    {part::en, "e-n", "Coulomb energy of electrons and nuclei"},
    {part::ee, "e-e", "Coulomb energy of the electrons"},
    {part::nn, "n-n", "Coulomb energy of the nuclei"},
};

constexpr PartName parts_of_pseudopotentials[] = {
    {part::local, "local", "pseudopotentials, local parts beyond -Z/r (which is in e-n)"},
    {part::nonlocal, "non-local", "pseudopotentials, projectors"},
};

std::vector<PartName> part_names(const System& system) {
  std::vector<PartName> names(std::begin(kinetic_parts), std::end(kinetic_parts));
  if (system.molecule) names.insert(names.end(), std::begin(parts_of_molecule), std::end(parts_of_molecule));
  else names.insert(names.end(), std::begin(parts_of_gas), std::end(parts_of_gas));
  if (system.molecule && !system.molecule->potential.empty())
    names.insert(names.end(), std::begin(parts_of_pseudopotentials), std::end(parts_of_pseudopotentials));
  return names;
}

}  // namespace

std::string components_text(const System& system, const Parts& parts) {
  std::string text;
  for (const auto& p : part_names(system)) {
    const Reblocked e = parts(p.part);
    text += fmt::format(" {:<13} {} Ha   {}\n", p.key, with_error(e.mean, e.error), p.what);
  }
  return text;
}

std::vector<std::pair<std::string, PartResult>> components_of(const System& system, const Parts& parts) {
  std::vector<std::pair<std::string, PartResult>> all;
  for (const auto& p : part_names(system)) {
    const Reblocked e = parts(p.part);
    all.push_back({p.key, {e.mean, e.error}});
  }
  return all;
}

}  // namespace suite::vmc
