// SPDX-License-Identifier: BSD-3-Clause
// `suite init gw --from FOLDER`: an input for the files of BerkeleyGW or Quantum ESPRESSO's pw2bgw.x in a folder.
#pragma once

#include "base/starter_from_files.hpp"

namespace suite::gw {

// With what its sigma.inp and epsilon.inp set, if it has them. source: the folder, or one of these two files. Throws Failure if the
// folder has no wavefunctions, or an input has a keyword without a counterpart.
app::Starter::Start start_from(const std::filesystem::path& source, const std::filesystem::path& folder);

}  // namespace suite::gw
