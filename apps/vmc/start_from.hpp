// SPDX-License-Identifier: BSD-3-Clause
// `suite init vmc --from`: an input for a TREXIO file, or for a folder of CASINO.
#pragma once

#include <filesystem>

#include "base/starter_from_files.hpp"

namespace suite::vmc {

// source: a TREXIO file, CASINO's `input`, or a folder with one; it is read whole, and its mistakes are reported. folder: where the input
// will be. A molecule of TREXIO starts with the optimisation of a Jastrow factor; CASINO's files say themselves what to do.
app::Starter::Start start_from(const std::filesystem::path& source, const std::filesystem::path& folder);

}  // namespace suite::vmc
