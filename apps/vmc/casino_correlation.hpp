// SPDX-License-Identifier: BSD-3-Clause
// CASINO's correlation.data: the Jastrow factor with its u and p terms, read and written.
//
// The layout of the u term is that of files which CASINO users publish (Konjkov/pycasino on GitHub). No
// public file with numbers in a p term was found: its layout (lines of the G vectors as three integers and
// the number of their star, then one value for each star, set after set) is inferred from its headings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "jastrow.hpp"

namespace suite::vmc {

struct CorrelationData {
  std::string header = "No title given.", title = "No title given.";
  Jastrow jastrow;
  // "Optimizable" of what stands in the file; empty where the parameters are left out, which means 0.
  bool free_cutoff = false;
  std::vector<bool> free_alpha, free_a;
};

// Terms that there are no kernels for (CHI, F, Q, backflow, determinants) are refused by name, everything
// wrong with file, line and column (app::InputErrors). A cutoff of 0 stands for the inscribed radius.
CorrelationData parse_correlation_data(const std::string& name, const std::string& text, const System& system);
// Only what is wrong with the file whatever the system, which is not known because it is wrong itself.
void check_correlation_data(const std::filesystem::path& file);
// The file as text, which reads back to the last bit. Failure for a B-spline, which the format does not
// have.
std::string correlation_data_text(const CorrelationData& data);

CorrelationData read_correlation_data(const std::filesystem::path& file, const System& system);

}  // namespace suite::vmc
