// SPDX-License-Identifier: BSD-3-Clause
#include "ranges.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace suite::core {
namespace {

// NVTX 3 has no library: a profiler names one of its own in NVTX_INJECTION64_PATH, and the program's copy of
// NVTX hands it the addresses of function pointers to fill in. What stands here is that handshake as in
// NVIDIA's header nvtx3/nvtxDetail/nvtxTypes.h, version 3. Profilers fill in more functions than ranges, so
// every module has its table.
using Function = void (*)();

struct Module {
  std::array<Function, 17> functions{};
  std::array<Function*, 18> slots{};  // slot 0 and the one behind the last are NULL
  unsigned size = 0;
};

constexpr unsigned range_push = 9, range_pop = 11;  // of the module "core"

std::array<Module, 7>& modules() {
  static auto& all = *new std::array<Module, 7>([] {
    // Functions of each module, the unused one number 0 included: core, cuda, opencl, cudart, core2, sync.
    constexpr unsigned sizes[] = {0, 16, 9, 15, 7, 16, 7};
    std::array<Module, 7> made;
    for (size_t m = 0; m < made.size(); ++m) made[m].size = sizes[m];
    return made;
  }());
  return all;
}

int module_table(int module, Function*** table, unsigned* size) {
  if (module < 1 || module >= static_cast<int>(modules().size())) return 0;
  Module& wanted = modules()[static_cast<size_t>(module)];
  for (unsigned i = 1; i < wanted.size; ++i) wanted.slots[i] = &wanted.functions[i];
  if (table) *table = wanted.slots.data();
  if (size) *size = wanted.size;
  return 1;
}

struct Callbacks {
  size_t struct_size;
  int (*module_table)(int module, Function*** table, unsigned* size);
};
struct Version {
  size_t struct_size;
  uint32_t version, reserved;
  void (*set_version_of_tool)(uint32_t);
};

const void* export_table(uint32_t id) {
  static const Callbacks callbacks{sizeof(Callbacks), module_table};
  static const Version version{sizeof(Version), 3, 0, [](uint32_t) {}};
  return id == 1 ? static_cast<const void*>(&callbacks) : id == 3 ? &version : nullptr;
}

template <class T> T function(void* library, const char* name) { return reinterpret_cast<T>(::dlsym(library, name)); }

// Signs that a profiler of AMD is attached; SUITE_ROCTX asks for its ranges where there is none of them.
bool roctx_is_asked_for() {
  for (const char* sign : {"SUITE_ROCTX", "HSA_TOOLS_LIB", "ROCP_TOOL_LIB", "ROCP_TOOL_LIBRARIES"})
    if (const char* value = std::getenv(sign); value && *value) return true;
  const char* preloaded = std::getenv("LD_PRELOAD");
  return preloaded && (std::strstr(preloaded, "rocprof") || std::strstr(preloaded, "roctracer"));
}

}  // namespace

const Ranges& Ranges::of_process() {
  static const auto& ranges = *new const Ranges;
  return ranges;
}

Ranges::Ranges() {
  attach_nvtx();
  attach_roctx();
}

void Ranges::attach_nvtx() {
  const char* tool = std::getenv("NVTX_INJECTION64_PATH");
  if (!tool || !*tool) return;
  void* library = ::dlopen(tool, RTLD_LAZY);
  if (!library) return;
  using Initialize = int (*)(const void* (*)(uint32_t));
  const auto initialize = function<Initialize>(library, "InitializeInjectionNvtx2");
  if (!initialize || !initialize(export_table)) return;
  const Module& core = modules()[1];
  if (!core.functions[range_push] || !core.functions[range_pop]) return;
  nvtx_push_ = reinterpret_cast<Push>(core.functions[range_push]);
  nvtx_pop_ = reinterpret_cast<Pop>(core.functions[range_pop]);
}

void Ranges::attach_roctx() {
  if (!roctx_is_asked_for()) return;
  for (const char* name : {"librocprofiler-sdk-roctx.so.1", "librocprofiler-sdk-roctx.so.0", "libroctx64.so.4"})
    if (void* library = ::dlopen(name, RTLD_LAZY)) {
      const auto push = function<Push>(library, "roctxRangePushA");
      const auto pop = function<Pop>(library, "roctxRangePop");
      if (!push || !pop) continue;
      roctx_push_ = push;
      roctx_pop_ = pop;
      return;
    }
}

void Ranges::push(const char* name) const {
  if (nvtx_push_) nvtx_push_(name);
  if (roctx_push_) roctx_push_(name);
}

void Ranges::pop() const {
  if (roctx_pop_) roctx_pop_();
  if (nvtx_pop_) nvtx_pop_();
}

}  // namespace suite::core
