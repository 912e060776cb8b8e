// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes CASINO's correlation.data: the Jastrow factor with its u term, the p term of a gas or crystal and the chi and f terms of a molecule or
// crystal.
//
// The layout of the u, chi and f terms follows files published by CASINO users (Konjkov/pycasino on GitHub). No public file with numbers in a p term
// was found: its layout (lines with the G vectors as three integers and the number of their star, then one value per star, set by set) is
// inferred from its headings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "jastrow.hpp"

namespace suite::vmc {

struct CorrelationData {
  std::string header = "No title given.", title = "No title given.";
  Jastrow jastrow;
  // "Optimizable" flags in the file; empty if the parameters are omitted, which means 0.
  std::vector<bool> free_alpha, free_a, free_beta, free_gamma;
  std::vector<bool> free_cutoffs;  // of u, of the sets of chi, of those of f
};

// Throws app::InputErrors with file, line and column for all errors, naming terms that are not read (Q, backflow, determinants; CHI and F
// of a gas, P of a molecule). A cutoff of 0 means the inscribed radius, for a molecule its usual cutoff.
CorrelationData parse_correlation_data(const std::string& name, const std::string& text, const System& system);
// Checks the file without a system, when the system itself is invalid.
void check_correlation_data(const std::filesystem::path& file);
// Formats the file such that it reads back bit for bit. Throws Failure for a B-spline, which the format does not support.
std::string correlation_data_text(const CorrelationData& data);

CorrelationData read_correlation_data(const std::filesystem::path& file, const System& system);

}  // namespace suite::vmc
