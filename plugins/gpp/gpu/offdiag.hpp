// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <suite/abi.h>

namespace suite::gpp {

// Of gpp.sigma_offdiag (sigma_offdiag.cu). A function, because clang would put a constant that other files see on the
// device as well.
const suite_kernel_table* offdiag_table();

}  // namespace suite::gpp
