// SPDX-License-Identifier: BSD-3-Clause
// `suite init dfpt --from FILE`: an input for the molecule or the crystal of a structure file.
#pragma once

#include "base/starter_from_files.hpp"

namespace suite::all_electron {

// With the species files of elements that are not built in. Throws Failure or InputErrors if the file is no good.
app::Starter::Start start_from(const std::filesystem::path& source, const std::filesystem::path& folder);

}  // namespace suite::all_electron
