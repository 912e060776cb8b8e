// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {

// As published: 128, from v3 on 512, in v9 256.
static int rows_of_group(int step) { return step < 3 ? 128 : step == 9 ? 256 : 512; }

void ladder_sums(Engine& engine, const Call& call, const Bands& bands, int step) {
  const auto most = static_cast<int>(std::min<size_t>(engine.device.most_items, 1024));
  // v1 and v2 are scalar, as published; fixed_length (step 10, v8 but for this) takes 2 on whatever device.
  const int vector = step < 3 ? 1 : step == 10 ? 2 : engine.vector();
  const int local = std::clamp(rows_of_group(step) / vector, 1, most);
  const auto room = static_cast<int>(std::min<cl_ulong>(engine.device.local_bytes, 1 << 20) / 8) / local;
  const cl_int together = step < 4 ? std::clamp((room - 2) / 4, 1, 8) : 1;
  const int64_t columns = engine.ncolumns, wanted_groups = int64_t(32) * engine.device.units;
  const int64_t rows = int64_t(local) * vector, row_blocks = ceil_div(call.ncouls, rows);
  const int64_t work = step == 1   ? ceil_div(columns * call.ncouls * call.ntband, rows)
                       : step == 2 ? ceil_div(columns * call.ncouls, rows)
                                   : row_blocks * columns;
  const int64_t groups = step != 9 ? std::clamp<int64_t>(work, 1, wanted_groups) : row_blocks;
  const int64_t stripes = step != 9 ? 1 : std::clamp<int64_t>(ceil_div(wanted_groups, row_blocks), 1, std::max<int64_t>(columns, 1));

  opencl::Scratch transposed(engine.backend, engine.queue, "the transposed wx_array");
  std::vector<double> values;
  if (step >= 5)
    for (int64_t e = 0; e < call.nex; ++e)
      for (int64_t iw = 0; iw < call.nw; ++iw)
        for (int64_t n1 = 0; n1 < call.ntband; ++n1) values.push_back(bands.x(iw, n1, e));
  const cl_mem wx_transposed = transposed.upload(values);

  for (cl_int iw = 0; iw < call.nw; iw += together) {
    const cl_int energies = std::min(together, call.nw - iw);
    const auto& kernel = engine.kernel(
        ladder_cl, "sigma_step",
        define("VW", vector) + define("LOCAL", local) + define("REAL", call.is_real()) + define("NE", energies) + define("STEP", step));
    const int64_t count = groups * stripes;
    const cl_mem partial = engine.partial.at_least(static_cast<size_t>(count * call.nex * (4 * energies + 2)) * sizeof(double));
    opencl::launch(engine.device, kernel, "sigma_step",
                   {{static_cast<size_t>(groups * local), static_cast<size_t>(stripes), static_cast<size_t>(call.nex)},
                    {static_cast<size_t>(local), 1, 1}},
                   poles_of(call).w, poles_of(call).I, memory_of(call.aqsntemp), memory_of(call.aqsmtemp), memory_of(call.wx_array),
                   wx_transposed, memory_of(call.occ_array), engine.igp_of_column.at_least(0), engine.row_of_column.at_least(0),
                   engine.v_of_column.at_least(0), partial, call.ncouls, call.ntband, engine.ncolumns, call.nw, iw, double{call.gamma},
                   double{call.sexcut});
    gather(engine, call, static_cast<cl_int>(count), energies, iw, 0, call.nex, false, false);
  }
}

}  // namespace suite::gpp
