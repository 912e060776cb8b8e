// SPDX-License-Identifier: BSD-3-Clause
// Two errors planted in a kernel, which oclgrind has to find: without them its silence about ours would say
// nothing. Both are silent on a processor.
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <dlfcn.h>

#include <suite/opencl.hpp>

namespace {

constexpr char source[] = R"(
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void race(__global int* to) {
  __local int scratch[8];
  const int me = get_local_id(0);
  scratch[me] = me;
  to[get_global_id(0)] = scratch[7 - me]; /* no barrier before another work-item's number is read */
}
__kernel void beyond(__global int* to) { to[get_global_id(0) + 1] = 1; }
)";

void launch_both(const suite_backend& backend, suite_queue* queue) {
  const suite::opencl::Device device(&backend, queue);
  const auto program = suite::opencl::build_program(device, source, "", "planted errors");
  suite::opencl::Scratch memory(&backend, queue, "planted errors");
  const cl_mem to = memory.at_least(8 * sizeof(cl_int));
  for (const char* name : {"race", "beyond"})
    suite::opencl::launch(device, suite::opencl::make_kernel(program, name), name, {{8, 1, 1}, {8, 1, 1}}, to);
  backend.wait(queue, nullptr);
}

}  // namespace

int main() {
  try {
    void* const plugin = ::dlopen(BACKEND_FILE, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!plugin) throw std::runtime_error(::dlerror());
    void* const symbol = ::dlsym(plugin, "suite_plugin_query");
    decltype(&suite_plugin_query) query;
    std::memcpy(&query, &symbol, sizeof query);
    const suite_backend& backend = *query(SUITE_ABI_VERSION)->backend;
    suite_error error{};
    suite_queue* queue = nullptr;
    if (backend.open(0, &queue, &error) != SUITE_OK) throw std::runtime_error(error.message);
    std::printf("device: %s\n", backend.describe(queue));
    launch_both(backend, queue);
    backend.close(queue);
    return 0;
  } catch (const std::exception& failure) {
    std::printf("failed: %s\n", failure.what());
    return 1;
  }
}
