// SPDX-License-Identifier: BSD-3-Clause
// A profiler's half of NVTX 3, as NVTX_INJECTION64_PATH names it: writes every range into the file
// RANGES_LOG. Like real ones it asks for the tables of all modules before it fills in those it needs.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

void note(const char* what, const char* name) {
  if (std::FILE* log = std::fopen(std::getenv("RANGES_LOG"), "a")) {
    std::fprintf(log, "%s%s%s\n", what, *name ? " " : "", name);
    std::fclose(log);
  }
}
int push(const char* name) {
  note("push", name);
  return 0;
}
int pop() {
  note("pop", "");
  return 0;
}

using Function = void (*)();
struct Callbacks {
  size_t struct_size;
  int (*module_table)(int module, Function*** table, unsigned* size);
};
struct Version {
  size_t struct_size;
  uint32_t version, reserved;
  void (*set)(uint32_t);
};

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void* (*tables)(uint32_t)) {
  const auto* version = static_cast<const Version*>(tables(3));
  if (!version || version->struct_size < sizeof(Version) || version->version != 3 || tables(2)) return 0;
  version->set(3);
  const auto* callbacks = static_cast<const Callbacks*>(tables(1));
  if (!callbacks || callbacks->struct_size < sizeof(Callbacks)) return 0;
  constexpr unsigned expected[] = {0, 16, 9, 15, 7, 16, 7};
  for (int module = 1; module <= 6; ++module) {
    Function** table = nullptr;
    unsigned size = 0;
    if (!callbacks->module_table(module, &table, &size) || size != expected[module] || table[0]) return 0;
    for (unsigned i = 1; i < size; ++i)
      if (!table[i]) return 0;
    if (module != 1) continue;
    *table[9] = reinterpret_cast<Function>(push);
    *table[11] = reinterpret_cast<Function>(pop);
  }
  return 1;
}
