// SPDX-License-Identifier: BSD-3-Clause
// The few functions of libamdhip64 that the test calls. A launch is answered with success (0) only when the
// kernel has been registered for code that has been registered, and with the arguments that it was given.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

struct Dim3 {
  unsigned x, y, z;
};

namespace {

int codes[4];
int code_count = 0;
std::map<const void*, std::string> kernels;
struct Configuration {
  Dim3 grid, block;
  size_t shared;
  void* stream;
} pushed;

}  // namespace

extern "C" {

void** __hipRegisterFatBinary(const void*) { return reinterpret_cast<void**>(&codes[code_count++]); }
void __hipUnregisterFatBinary(void**) { std::puts("the code was unregistered after all"); }
void __hipRegisterFunction(void** module, const void* function, char*, const char* name, unsigned, void*, void*, Dim3*, Dim3*, int*) {
  const auto* code = reinterpret_cast<int*>(module);
  if (code >= codes && code < codes + code_count) kernels[function] = name;
}
int __hipPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared, void* stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}
int __hipPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared, void** stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *stream = pushed.stream;
  return 0;
}
// Stores what the kernel would, so that its arguments are known to have arrived.
int hipLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, size_t shared, void*) {
  const auto found = kernels.find(function);
  if (found == kernels.end() || found->second.find("store") == std::string::npos) return 98;
  if (grid.x != 3 || grid.y != 2 || block.x != 64 || shared != 16) return 1;
  int* to = nullptr;
  int value = 0;
  std::memcpy(&to, arguments[0], sizeof to);
  std::memcpy(&value, arguments[1], sizeof value);
  *to = value;
  return 0;
}
int hipGetDeviceCount(int* count) {
  *count = 5;
  return 0;
}
int hipGetLastError() { return 0; }
const char* hipGetErrorName(int) { return "a name of the runtime"; }
const char* hipGetErrorString(int) { return "a sentence of the runtime"; }
}
