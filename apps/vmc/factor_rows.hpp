// SPDX-License-Identifier: BSD-3-Clause
// Coefficients of the Jastrow factor as an input lists them, one row for each set of pairs.
#pragma once

#include "base/input.hpp"
#include "jastrow.hpp"

namespace suite::vmc {

// The rows of a key, 1 to 3. Otherwise reports an error and returns false.
bool read_rows(const app::Input& input, const char* path, std::vector<std::vector<double>>& rows);
// jastrow.u. system: nullptr if unknown.
void read_u(const app::Input& input, const System* system, Jastrow& jastrow);
// jastrow.p, likewise.
void read_p(const app::Input& input, const System* system, Jastrow& jastrow);

}  // namespace suite::vmc
