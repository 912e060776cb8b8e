// SPDX-License-Identifier: BSD-3-Clause
// NVML with as many GPUs as PRETENDED_GPUS says; GPU i has drawn 1000 (i + 1) mJ more with every call. A GPU
// that PRETENDED_OLD numbers has no counter.
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int number(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value ? std::atoi(value) : otherwise;
}
unsigned long long drawn_mJ[8];

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT const char* nvmlErrorString(int code) { return code == 3 ? "Not Supported" : "Driver Not Loaded"; }
EXPORT int nvmlInit_v2() { return number("PRETENDED_GPUS", 1) > 0 ? 0 : 9; }
EXPORT int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(number("PRETENDED_GPUS", 1));
  return 0;
}
EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** gpu) {
  *gpu = &drawn_mJ[index];
  return 0;
}
EXPORT int nvmlDeviceGetHandleByUUID(const char* uuid, void** gpu) {
  *gpu = &drawn_mJ[std::atoi(uuid + std::strlen("GPU-"))];
  return 0;
}
EXPORT int nvmlDeviceGetTotalEnergyConsumption(void* gpu, unsigned long long* value_mJ) {
  auto* drawn = static_cast<unsigned long long*>(gpu);
  const auto index = drawn - drawn_mJ;
  if (index == number("PRETENDED_OLD", -1)) return 3;
  *value_mJ = *drawn += 1000ULL * static_cast<unsigned long long>(index + 1);
  return 0;
}
