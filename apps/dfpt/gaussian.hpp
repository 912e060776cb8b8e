// SPDX-License-Identifier: BSD-3-Clause
// Contracted gaussians from files in NWChem format:
//   basis "ao basis" spherical
//   O    S
//     11720.0   0.000710  -0.000160
//     ...
//   end
// Several columns are contractions of the same exponents; "SP" is an S and a P column. A file may contain several `basis` blocks. Functions
// are spherical; a cartesian block is refused.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace suite::all_electron {

struct GaussianShell {
  int l = 0;
  std::vector<double> exponents;  // bohr^-2
  std::vector<double> coefficients;  // of normalised primitives
};

// Shells by nuclear charge; elements beyond argon are skipped. Throws app::InputErrors with file, line and column for all errors.
std::map<int, std::vector<GaussianShell>> parse_gaussian_basis(const std::string& name, const std::string& text);
std::map<int, std::vector<GaussianShell>> read_gaussian_basis(const std::filesystem::path& file);

}  // namespace suite::all_electron
