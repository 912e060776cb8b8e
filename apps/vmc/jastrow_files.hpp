// SPDX-License-Identifier: BSD-3-Clause
// Writes a Jastrow factor as files that later runs can read.
#pragma once

#include <string>
#include <vector>

#include "common/io.hpp"
#include "jastrow.hpp"

namespace suite::vmc {

// correlation.data (polynomials only; with an optimisable flag per coefficient), and jastrow.yaml with the section of an input.
std::vector<app::TextFile> jastrow_files(const System& system, const Jastrow& jastrow, const Free& free, const std::string& title);

}  // namespace suite::vmc
