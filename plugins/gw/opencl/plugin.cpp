// SPDX-License-Identifier: BSD-3-Clause
// The kernels that this plugin offers, and the texts that the host sides in the folder device start.
#include "../device/mtxel.hpp"
#include "../device/screening.hpp"
#include "../device/tables.hpp"
#include "sources.hpp"

namespace suite::gw {

FromSphere from_sphere() { return {"from_sphere", mtxel_cl}; }
Between between() { return {"between", mtxel_cl}; }
ToFunctions to_functions() { return {"to_functions", mtxel_cl}; }
ProductLines product_lines() { return {"product_lines", mtxel_cl}; }
ToElements to_elements() { return {"to_elements", mtxel_cl}; }
SetRows set_rows() { return {"set_rows", screening_cl}; }
PairPoles pair_poles() { return {"pair_poles", screening_cl}; }

}  // namespace suite::gw

suite::opencl::Engine suite::device::engine_of_family(const suite_backend* backend, suite_queue* queue, opencl::Knobs knobs,
                                                      const char* kernel) {
  return {backend, queue, knobs, kernel, opencl::vectors_text};
}

SUITE_PLUGIN("gw", "opencl", suite::gw::mtxel_table(), suite::gw::screening_table(), suite::gw::chi_table())
