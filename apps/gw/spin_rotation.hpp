// SPDX-License-Identifier: BSD-3-Clause
// How the operations of a crystal act on spinors.
#pragma once

#include "lattice.hpp"

namespace suite::gw {

// The operations with their `spin`: exp(-i angle n.sigma/2) of the proper part of each rotation; inversion leaves spins alone. Its sign is free.
std::vector<Operation> with_spin_rotations(std::vector<Operation> operations, const Crystal& crystal);

}  // namespace suite::gw
