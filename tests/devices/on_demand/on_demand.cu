// SPDX-License-Identifier: BSD-3-Clause
// A program for HIP with cmake/hip_on_demand.cpp in it, as plugins have it: whether it starts without AMD's
// runtime, loads it when it is needed, and tells it what the compiler had registered by then.
//   on_demand found | no_driver | no_runtime
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include <hip/hip_runtime.h>

namespace {

__global__ void store(int* to, int value) { *to = value; }

int failures = 0;

void promise(bool kept, const char* what) {
  if (kept) return;
  std::printf("broken: %s\n", what);
  ++failures;
}

bool loaded(const char* library) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(library) != line.npos) return true;
  return false;
}

void with_a_runtime() {
  int count = 0, value = 0;
  promise(!loaded("pretended_runtime"), "the runtime is not loaded with the program");
  store<<<dim3(3, 2), 64, 16>>>(&value, 7);
  promise(loaded("pretended_runtime"), "the first call loads it");
  promise(value == 7, "a kernel registered before is launched with its arguments");
  promise(hipGetDeviceCount(&count) == hipSuccess && count == 5, "the devices are counted by the runtime");
  promise(!std::strcmp(hipGetErrorName(hipErrorUnknown), "a name of the runtime"), "it names its errors");
  promise(hipDeviceSynchronize() != hipSuccess, "a function that the runtime lacks is an error");
}

void without_a_driver() {
  int count = 1;
  const hipError_t error = hipGetDeviceCount(&count);
  promise(error == hipErrorNoDevice && count == 0, "without a driver there is no device");
  promise(!std::strcmp(hipGetErrorName(error), "hipErrorNoDevice"), "the error has its name");
  promise(std::strstr(hipGetErrorString(error), "/dev/"), "and says what is missing");
  promise(hipGetLastError() == hipSuccess, "no error is kept");
  promise(!loaded("pretended_runtime"), "nothing of this loads the runtime");
}

void without_a_runtime() {
  int count = 1, device = 0;
  const hipError_t error = hipGetDeviceCount(&count);
  promise(error == hipErrorSharedObjectInitFailed && count == 0, "a driver without a runtime is an error");
  promise(!std::strcmp(hipGetErrorName(error), "hipErrorSharedObjectInitFailed"), "the error has its name");
  promise(std::strstr(hipGetErrorString(error), "no_such_runtime.so"), "and says which file is missing");
  promise(hipGetDevice(&device) == hipErrorSharedObjectInitFailed, "every call fails in the same way");
  promise(hipGetLastError() == hipSuccess, "no error is kept");
}

}  // namespace

int main(int, char** words) {
  const std::string asked = words[1] ? words[1] : "";
  if (asked == "found") with_a_runtime();
  else if (asked == "no_driver") without_a_driver();
  else if (asked == "no_runtime") without_a_runtime();
  else promise(false, "one of the three cases is asked for");
  return failures;
}
