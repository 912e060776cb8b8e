// SPDX-License-Identifier: BSD-3-Clause
// `suite init tddft --from FILE`: an input for the absorption of the molecule or the crystal of a structure file.
#pragma once

#include "base/starter_from_files.hpp"

namespace suite::tddft {

// Elements without a built-in pseudopotential get the name of a file that is still to be chosen. Throws Failure or InputErrors if the file
// is no good.
app::Starter::Start start_from(const std::filesystem::path& source, const std::filesystem::path& folder);

}  // namespace suite::tddft
