// SPDX-License-Identifier: BSD-3-Clause
// Files of BerkeleyGW in another format than is read here: what they are, and which of its programs converts them.
#pragma once

#include <filesystem>

namespace suite::gw {

// Failures (invalid argument) for a file that is recognised as something else; silent where it is not.
void refuse_other_than_wavefunctions(const std::filesystem::path& path);
void refuse_other_than_density(const std::filesystem::path& path);
void refuse_other_than_vxc(const std::filesystem::path& path);
void refuse_other_than_dielectric(const std::filesystem::path& path);

}  // namespace suite::gw
