// SPDX-License-Identifier: BSD-3-Clause
// The two functions of ROCTX, written into the file RANGES_LOG.
#include <cstdio>
#include <cstdlib>

static int note(const char* what, const char* name) {
  if (std::FILE* log = std::fopen(std::getenv("RANGES_LOG"), "a")) {
    std::fprintf(log, "%s%s\n", what, name);
    std::fclose(log);
  }
  return 0;
}

extern "C" {
__attribute__((visibility("default"))) int roctxRangePushA(const char* name) { return note("push ", name); }
__attribute__((visibility("default"))) int roctxRangePop() { return note("pop", ""); }
}
