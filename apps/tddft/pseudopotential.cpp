// SPDX-License-Identifier: BSD-3-Clause
#include "pseudopotential.hpp"

#include <utility>

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

std::string functional_of(const std::string& in_file) {
  static const std::pair<const char*, const char*> names[] = {
      {"PADE", "pw92"},      {"LDA", "pw92"},          {"PW", "pw92"},       {"PZ", "pz81"},           {"PBE", "pbe"},
      {"PW PBX PBC", "pbe"}, {"PW PBE PBE", "pbe"},    {"REVPBE", "revpbe"}, {"PW RPB PBC", "revpbe"}, {"PW REVX PBC", "revpbe"},
      {"PBESOL", "pbesol"},  {"PW PSX PSC", "pbesol"}, {"BLYP", "blyp"},     {"B88 BLYP", "blyp"},     {"LYP B88 BLYP", "blyp"},
      {"BP", "bp86"},        {"PZ B88 P86", "bp86"},
  };
  for (const auto& [name, ours] : names)
    if (in_file == name) return ours;
  return in_file;
}

}  // namespace suite::tddft
