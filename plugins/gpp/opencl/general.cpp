// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "sources.hpp"
#include "sums.hpp"

namespace suite::gpp {
namespace {

constexpr int64_t rows_of_block = 256,
                  columns_of_block = 8;  // w, I and aqsn of a block: 66 KiB, in cache over the bands
constexpr int64_t most_partial = int64_t(64) << 20;  // bytes of sums at a time

}  // namespace

void general_sums(Engine& engine, const Call& call, const Wanted& wanted) {
  const int vector = engine.vector(), local = engine.local(64);
  const int64_t row_blocks = ceil_div(call.ncouls, rows_of_block);
  const int64_t pairs = row_blocks * std::max<int64_t>(1, ceil_div(engine.ncolumns, columns_of_block));
  // CH of the bands at one energy alone needs no other, static CH alone none.
  const bool all_energies = wanted.totals || call.acht_n1;
  const auto only = static_cast<cl_int>(call.energy_n1());
  const cl_int first_energy = all_energies ? 0 : only;
  const cl_int end_energy = all_energies ? call.nw : first_energy + 1;
  const bool energies_wanted = all_energies || call.acht_n1_iw;
  const std::string sums_options = define("LOCAL", engine.local(64));
  const auto& gather_kernel = engine.kernel(sums_cl, "gather_bands", sums_options);
  const auto& finish_kernel = engine.kernel(sums_cl, "finish_bands", sums_options);
  const cl_mem ach_n1 = call.acht_n1 ? memory_of(call.acht_n1) : memory_of(call.achtemp),
               achs = call.achstemp ? memory_of(call.achstemp) : memory_of(call.achtemp),
               ach_n1_iw = call.acht_n1_iw ? memory_of(call.acht_n1_iw) : memory_of(call.achtemp),
               achs_n1 = call.achst_n1 ? memory_of(call.achst_n1) : memory_of(call.achtemp);

  for (cl_int iw = first_energy; iw < end_energy; iw += 3) {
    const cl_int energies = energies_wanted ? std::min(3, end_energy - iw) : 0, sums = 4 * energies + 2;
    const auto& kernel =
        engine.kernel(general_cl, "sigma_general",
                      define("VW", vector) + define("LOCAL", local) + define("REAL", call.is_real()) + define("NE", energies) +
                          define("BLOCK_ROWS", rows_of_block) + define("BLOCK_COLUMNS", columns_of_block) + define("SX", wanted.totals));
    const int64_t bytes = int64_t(8) * sums * call.ntband;
    const auto batch = static_cast<cl_int>(std::clamp<int64_t>(most_partial / (bytes * std::min<int64_t>(pairs, 64)), 1, call.nex));
    const int64_t panel = std::clamp<int64_t>(most_partial / (bytes * batch), 1, pairs);
    for (cl_int e0 = 0; e0 < call.nex; e0 += batch) {
      const cl_int externals = std::min(batch, call.nex - e0);
      const auto e_size = static_cast<size_t>(externals);
      const cl_mem partial = engine.partial.at_least(static_cast<size_t>(bytes * panel) * e_size);
      const cl_mem bands = engine.bands.at_least(static_cast<size_t>(bytes) * e_size);
      for (int64_t first = 0; first < pairs; first += panel) {
        const int64_t count = std::min(panel, pairs - first);
        opencl::launch(engine.device, kernel, "sigma_general",
                       {{static_cast<size_t>(call.ntband) * static_cast<size_t>(local), static_cast<size_t>(count), e_size},
                        {static_cast<size_t>(local), 1, 1}},
                       poles_of(call).w, poles_of(call).I, memory_of(call.aqsntemp), memory_of(call.aqsmtemp), memory_of(call.wx_array),
                       memory_of(call.occ_array), engine.igp_of_column.at_least(0), engine.row_of_column.at_least(0),
                       engine.v_of_column.at_least(0), partial, call.ncouls, call.ntband, engine.ncolumns, call.nw, iw,
                       static_cast<cl_int>(first), e0, double{call.gamma}, double{call.sexcut});
        opencl::launch(engine.device, gather_kernel, "gather_bands",
                       {{static_cast<size_t>(call.ntband) * static_cast<size_t>(sums), 1, e_size}}, partial, bands,
                       static_cast<cl_int>(count), call.ntband, cl_int(sums), cl_int(first > 0));
      }
      opencl::launch(engine.device, finish_kernel, "finish_bands", {{1, static_cast<size_t>(sums), e_size}}, bands,
                     memory_of(call.occ_array), memory_of(call.asxtemp), memory_of(call.achtemp), ach_n1, ach_n1_iw, achs, achs_n1,
                     call.ntband, energies, call.nw, iw, e0, cl_int(wanted.totals), cl_int(wanted.static_ch && iw == first_energy),
                     cl_int(static_cast<bool>(call.acht_n1)), call.acht_n1_iw ? only : cl_int(-1),
                     cl_int(call.achst_n1 && iw == first_energy));
    }
  }
}

}  // namespace suite::gpp
