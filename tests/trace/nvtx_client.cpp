// SPDX-License-Identifier: BSD-3-Clause
// A program with NVIDIA's own header: what it tells the pretended profiler is what ours must tell it.
#include <nvtx3/nvToolsExt.h>

int main() {
  nvtxRangePushA("outer");
  nvtxRangePushA("inner");
  nvtxRangePop();
  nvtxRangePop();
  return 0;
}
