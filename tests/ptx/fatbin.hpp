// SPDX-License-Identifier: BSD-3-Clause
// The PTX in what nvcc puts into an object file.
#pragma once

#include <string>

namespace suite::ptx {

// fatbin: what the wrapper given to __cudaRegisterFatBinary points at. The PTX of the newest architecture in it, or an empty string where
// there is machine code only. Throws std::runtime_error where it is compressed in a way that cannot be undone here.
std::string ptx_of(const void* fatbin);

}  // namespace suite::ptx
