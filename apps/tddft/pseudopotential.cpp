// SPDX-License-Identifier: BSD-3-Clause
#include "pseudopotential.hpp"

#include <suite/plugin.hpp>

#include "gth.hpp"

namespace suite::tddft {

const Pseudopotential& pseudopotential(const System& system, const Atom& atom) {
  if (const auto found = system.pseudopotentials.find(atom.element); found != system.pseudopotentials.end()) return *found->second;
  if (const Gth* own = built_in(atom.element)) return *own;
  std::string known;
  for (std::string_view name : built_in_elements()) known += (known.empty() ? "" : ", ") + std::string(name);
  throw Failure(SUITE_NOT_FOUND, "no pseudopotential of element \"" + atom.element + "\"; there are " + known);
}

}  // namespace suite::tddft
