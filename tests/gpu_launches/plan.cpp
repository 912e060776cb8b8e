// SPDX-License-Identifier: BSD-3-Clause
// plan KERNEL SIZE LIMITS...: the launches of a kernel for HIP on pretended GPUs (pretended_gpu.cpp), each with the limits of a file,
// with the kernel's default parameters and then with each choice of each; how often the host waited for the device within
// execute() of a repeated call, and how many kernels and graphs it launched there. The first device should have the most memory: arguments are made there, once. A SIZE that does not
// exist is answered with those that do.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <suite/suite.hpp>

#include "../common/choices.hpp"

namespace {

using suite::Failure;
using suite::Kernel;

// Calls of the pretended runtime so far.
struct Counts {
  int waits = of("suite_pretended_waits"), launches = of("suite_pretended_launches"), graphs = of("suite_pretended_graphs");
  static int of(const char* name) {
    const auto function = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, name));
    return function ? function() : -1;
  }
};

// The arguments are made where the pretended device has them.
std::vector<suite_array> generate(const suite_kernel_table& table, const suite::Device& device, const std::string& size) {
  std::vector<suite_array> made(table.argument_count);
  for (auto& array : made) {
    array.rank = -1;
    for (auto& extent : array.extent) extent = 1;
  }
  suite_error error{};
  suite::require(table.generate(size.c_str(), 1, made.data(), &error), error);
  for (auto& array : made) {
    if (array.rank < 0) continue;
    suite::require(suite_allocate(device.handle(), &array, &error), error);
    array.place = SUITE_HOST;
  }
  suite::require(table.generate(size.c_str(), 1, made.data(), &error), error);
  for (auto& array : made)
    if (array.rank > 0) array.place = SUITE_DEVICE;
  return made;
}

// "default" or "variant=v3"; a choice that this call cannot have is no failure.
void plan(Kernel& kernel, const std::string& what, bool may_refuse) {
  try {
    kernel.run();
    const Counts before;
    kernel.start();
    const Counts after;
    kernel.wait();
    std::printf("planned %s waits %d launches %d graphs %d\n", what.c_str(), after.waits - before.waits, after.launches - before.launches,
                after.graphs - before.graphs);
  } catch (const Failure& failure) {
    if (failure.status() == SUITE_OUT_OF_MEMORY) {
      std::printf("too_large %s: %s\n", what.c_str(), failure.what());
      return;
    }
    const bool refused = failure.status() == SUITE_UNSUPPORTED || failure.status() == SUITE_INVALID_ARGUMENT;
    std::printf("%s %s %s: %s\n", may_refuse && refused ? "refused" : "failed", what.c_str(), suite_status_name(failure.status()),
                failure.what());
  }
}

void plan_all(Kernel& kernel) {
  plan(kernel, "default", false);
  suite::test::with_each_choice(kernel, [&](const std::string& choice) { plan(kernel, choice, true); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "plan KERNEL SIZE LIMITS...\n");
    return 2;
  }
  try {
    const suite::Device first("hip");
    const Kernel described(argv[1], "hip", &first);
    const std::vector<suite_array> arguments = generate(described.table(), first, argv[2]);
    const auto become = reinterpret_cast<void (*)(const char*)>(::dlsym(RTLD_DEFAULT, "suite_pretend"));
    for (int a = 3; a < argc; ++a) {
      std::printf("device %s\n", argv[a]);
      become(argv[a]);
      const suite::Device device("hip");
      Kernel kernel(argv[1], "hip", &device);
      for (uint32_t i = 0; i < kernel.table().argument_count; ++i)
        if (arguments[i].rank >= 0) kernel.set(kernel.table().arguments[i].name, arguments[i]);
      plan_all(kernel);
    }
  } catch (const Failure& failure) {
    std::printf("failed generate %s: %s\n", suite_status_name(failure.status()), failure.what());
    return 1;
  }
}
