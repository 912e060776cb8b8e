// SPDX-License-Identifier: BSD-3-Clause
// QMCPACK's semi-local pseudopotentials in XML, as its manual describes them and ppconvert and the public libraries write them: r V_l(r) in
// <semilocal> on a linear grid.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "molecule/casino_potential.hpp"

namespace suite::vmc {

struct NamedPotential {
  std::string element;  // "" in CASINO's format, which has the atomic number only
  CasinoPotential potential;
};

// Throws Failure with one sentence that names the file.
NamedPotential parse_potential_xml(const std::string& name, const std::string& text);
// By its content: XML, or CASINO's x_pp.data.
NamedPotential read_potential(const std::filesystem::path& file);

}  // namespace suite::vmc
