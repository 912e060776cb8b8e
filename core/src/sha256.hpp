// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <suite/sha256.hpp>

namespace suite::core {

using suite::Digest;
using suite::hexadecimal;
using suite::Sha256;
using suite::sha256;

}  // namespace suite::core
