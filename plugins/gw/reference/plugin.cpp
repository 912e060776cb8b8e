// SPDX-License-Identifier: BSD-3-Clause
#include <suite/plugin.hpp>

namespace suite::gw {
extern const suite_kernel_table chi_table, mtxel_table, screening_table;
}
SUITE_PLUGIN("gw", "reference", &suite::gw::mtxel_table, &suite::gw::screening_table, &suite::gw::chi_table)
