// SPDX-License-Identifier: BSD-3-Clause
// Twist averaging (Lin, Zong, Ceperley, Phys. Rev. E 64, 016702 (2001)): a method at each of several twists of a crystal, and the weighted
// mean of the energies.
#pragma once

#include "run.hpp"

namespace suite::vmc {

// The method at settings.twists, each in a folder of its own, "twist_1" and so on, and with a seed of its own, so that their errors are
// independent.
MethodOutput run_twists(const Settings& settings, app::Context& context, MethodOutput (*run_method)(const Settings&, app::Context&));

// Where the checkpoint of a twist lies, counted from 0, if `other` is that of any of them: twist_2/checkpoint.h5.
std::filesystem::path checkpoint_beside(const std::filesystem::path& other, size_t index);

}  // namespace suite::vmc
