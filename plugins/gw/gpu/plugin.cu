// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers; one source for CUDA, HIP and the emulation.
#include "../device/tables.hpp"

#include <suite/gpu.hpp>

SUITE_GPU_PLUGIN("gw", suite::gw::mtxel_table(), suite::gw::screening_table(), suite::gw::chi_table())
