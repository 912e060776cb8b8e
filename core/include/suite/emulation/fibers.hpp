// SPDX-License-Identifier: BSD-3-Clause
// suite/emulation/fibers.hpp - stacks that one operating-system thread switches between, by Boost.Context,
// with what AddressSanitizer must be told at each switch.
#pragma once

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include <boost/context/detail/fcontext.hpp>

#include <suite/plugin.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define SUITE_EMULATION_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SUITE_EMULATION_ASAN 1
#endif
#endif
#ifndef SUITE_EMULATION_ASAN
#define SUITE_EMULATION_ASAN 0
#endif
#if SUITE_EMULATION_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace suite::emulation {

namespace fcontext = boost::context::detail;

// The sanitizer's frames are several times larger. Pages that are never touched cost nothing.
inline constexpr size_t stack_bytes = SUITE_EMULATION_ASAN ? 256 * 1024 : 64 * 1024;
// From one stack to the next. With a power of 2 the tops of all stacks would lie in the same few lines of the cache.
inline constexpr size_t stack_pitch = stack_bytes + 320;
// At the end of a stack; an overflow changes it.
inline constexpr auto canary = [] {
  std::array<unsigned char, 256> bytes{};
  bytes.fill(0x5a);
  return bytes;
}();

// Memory for the stacks of one block of threads.
class Stacks {
public:
  Stacks() = default;
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() { give_back(); }

  void at_least(size_t count) {
    if (count <= count_) return;
    give_back();
    // One more below the first, so that its overflow meets the canary and not the end of the mapping.
    void* mapped =
        ::mmap(nullptr, (count + 1) * stack_pitch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapped == MAP_FAILED)
      throw Failure(SUITE_OUT_OF_MEMORY, concat("the emulation needs stacks for ", count, " threads, ", count * stack_pitch, " bytes"));
    memory_ = static_cast<unsigned char*>(mapped);
    count_ = count;
  }
  // Lowest address of a stack, made ready for a new fiber.
  unsigned char* fresh(size_t i) {
    unsigned char* low = memory_ + (i + 1) * stack_pitch;
#if SUITE_EMULATION_ASAN
    __asan_unpoison_memory_region(low, stack_bytes);
#endif
    std::memcpy(low, canary.data(), canary.size());
    return low;
  }
  bool overflowed(size_t i) const { return std::memcmp(memory_ + (i + 1) * stack_pitch, canary.data(), canary.size()) != 0; }

private:
  void give_back() {
    if (!memory_) return;
#if SUITE_EMULATION_ASAN
    __asan_unpoison_memory_region(memory_, (count_ + 1) * stack_pitch);
#endif
    ::munmap(memory_, (count_ + 1) * stack_pitch);
    memory_ = nullptr;
    count_ = 0;
  }
  unsigned char* memory_ = nullptr;
  size_t count_ = 0;
};

// One side of a switch between the scheduler and a fiber.
struct Fiber {
  fcontext::fcontext_t context = nullptr;
  const void* low = nullptr;  // its stack, for the sanitizer
  size_t bytes = 0;
  void* fake_stack = nullptr;
};

inline void about_to_switch([[maybe_unused]] Fiber* from, [[maybe_unused]] const Fiber& to) {
#if SUITE_EMULATION_ASAN
  // A fiber that ends (from == nullptr) gives its fake stack back.
  __sanitizer_start_switch_fiber(from ? &from->fake_stack : nullptr, to.low, to.bytes);
#endif
}
inline void just_switched([[maybe_unused]] Fiber* to, [[maybe_unused]] Fiber* from) {
#if SUITE_EMULATION_ASAN
  const void* low = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(to ? to->fake_stack : nullptr, &low, &bytes);
  if (from) from->low = low, from->bytes = bytes;
#endif
}

}  // namespace suite::emulation
