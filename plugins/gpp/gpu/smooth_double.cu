// SPDX-License-Identifier: BSD-3-Clause
#include "best.hpp"
#include "smooth.cuh"

namespace suite::gpp {

void sum_smooth_double(gpu::Stream stream, const Tiles& t, bool real, int energies, unsigned blocks) {
  if (real) launch_smooth<double, true>(stream, t, energies, blocks);
  else launch_smooth<double, false>(stream, t, energies, blocks);
}

}  // namespace suite::gpp
