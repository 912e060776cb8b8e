// SPDX-License-Identifier: BSD-3-Clause
// The device texts of this folder.
#pragma once

namespace suite::qmc::cl::text {

extern const char *const common, *const geometry, *const pairs, *const waves, *const ewald, *const ladder, *const powers,
    *const slater, *const blips, *const energy, *const sweep;

}  // namespace suite::qmc::cl::text
