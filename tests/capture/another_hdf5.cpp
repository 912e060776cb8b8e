// SPDX-License-Identifier: BSD-3-Clause
// The functions of HDF5 that this host has are of no use: they stand for those of another version. The module
// that writes captures must not meet them.
#include <cstdint>
#include <cstdio>

#include "support.hpp"

extern "C" {
int64_t H5Fcreate(const char*, unsigned, int64_t, int64_t) { return -1; }
int64_t H5Dcreate2(int64_t, const char*, int64_t, int64_t, int64_t, int64_t, int64_t) { return -1; }
int H5open(void) { return -1; }
int H5check_version(unsigned, unsigned, unsigned) { return -1; }
}

int main() try {
  const suite::test::Captures captures;
  suite::test::Sum("cpu").kernel.run();
  for (const auto& warning : suite::test::warnings()) std::printf("%s\n", warning.c_str());
  if (std::filesystem::exists(captures.file("probe.sum-1.h5"))) return 0;
  std::printf("nothing was captured\n");
  return 1;
} catch (const suite::Failure& failure) {
  std::printf("%s\n", failure.what());
  return 1;
}
