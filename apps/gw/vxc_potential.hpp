// SPDX-License-Identifier: BSD-3-Clause
// <nk|Vxc|mk> from the potential Vxc(G) in BerkeleyGW's binary file VXC: sum_G Vxc(G) <nk|exp(iGr)|mk>.
#pragma once

#include "plan.hpp"
#include "vxc.hpp"

namespace suite::gw {

// Reads either kind of file, VXC or vxc.dat, and fails where it is damaged or, with a plan, does not hold what that needs.
void check_vxc(const std::filesystem::path& file);
void check_vxc(const Plan& plan);

// Of every state and element between two bands that the plan wants, from either kind of file.
ExchangeCorrelation make_vxc(const Settings& settings, const std::string& implementation);

}  // namespace suite::gw
