// SPDX-License-Identifier: BSD-3-Clause
// suite/emulation/launch.hpp - runs the blocks of a kernel on the CPU's cores.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <suite/emulation/block.hpp>
#include <suite/emulation/stream.hpp>

namespace suite::emulation {

inline void check_launch(const Block::Kernel& kernel, const Stream& stream) {
  const auto refuse = [&](const std::string& why) { throw Failure(SUITE_DEVICE_ERROR, std::string(kernel.name) + ": " + why); };
  if (kernel.threads.count() < 1 || kernel.threads.count() > most_threads || kernel.threads.z > 64)
    refuse(concat("a block of ", kernel.threads.text(), " threads; it must have 1 to ", most_threads, " threads, at most 64 along z"));
  if (kernel.grid.count() < 1 || kernel.grid.x > 0x7fffffffu || kernel.grid.y > 65535 || kernel.grid.z > 65535)
    refuse("a grid of " + kernel.grid.text() + " blocks; it must have 1 to 2147483647 along x and 1 to 65535 along y and z");
  if (kernel.shared_bytes > stream.shared_per_block)
    refuse(concat(kernel.shared_bytes, " bytes of dynamic shared memory; the device has ", stream.shared_per_block, " per block"));
}

// One per CPU thread, with its stacks, for all launches.
inline Block& own_block() {
  static thread_local Block block;
  return block;
}

inline void run_blocks(const Block::Kernel& kernel) {
  const auto count = static_cast<long long>(kernel.grid.count());
  std::exception_ptr failure;
  std::atomic<bool> failed{false};
  std::mutex guard;
#pragma omp parallel for schedule(dynamic) if (count > 1)
  for (long long number = 0; number < count; ++number) {
    if (failed) continue;
    try {
      own_block().run(kernel, static_cast<size_t>(number));
    } catch (...) {
      current_block = nullptr;
      const std::lock_guard lock(guard);
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

// Where work goes while a graph is recorded (suite/gpu/emulated.hpp); null: it is done at once.
inline thread_local std::vector<std::function<void()>>* recording = nullptr;
template <class F> void do_or_record(F&& f) {
  if (recording) recording->push_back(std::forward<F>(f));
  else f();
}

// name: "kernel sums". Arguments are converted to what the kernel declares.
template <class... P, class... A>
void launch(const char* name, void (*kernel)(P...), Index3 grid, Index3 threads, size_t shared_bytes, const Stream* stream,
            A&&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "a kernel must be given as many arguments as it declares");
  using Packed = std::pair<void (*)(P...), std::tuple<P...>>;
  const Packed packed(kernel, std::tuple<P...>(static_cast<P>(arguments)...));
  const auto run = [](const void* what) {
    const Packed& call = *static_cast<const Packed*>(what);
    std::apply(call.first, call.second);
  };
  const Block::Kernel described{name, run, &packed, grid, threads, shared_bytes, stream->warp};
  check_launch(described, *stream);
  if (!recording) return run_blocks(described);
  recording->push_back([packed, described] {
    Block::Kernel again = described;
    again.arguments = &packed;
    run_blocks(again);
  });
}

}  // namespace suite::emulation
