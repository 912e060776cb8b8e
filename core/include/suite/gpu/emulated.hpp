// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/emulated.hpp - part of gpu.hpp for the emulation: what gpu/device.hpp is for CUDA and HIP.
#pragma once

#include <bit>
#include <cstring>

#include <suite/emulation/language.hpp>
#include <suite/gpu/properties.hpp>

namespace suite::gpu {

using Stream = const emulation::Stream*;
using Dim3 = ::dim3;
using emulation::largest_warp;
using emulation::launch;

// Work is done when a launch or a copy returns, so a queue's order is the program's.
inline void set_zero(Stream, void* to, size_t bytes) {
  emulation::do_or_record([=] { std::memset(to, 0, bytes); });
}
inline void copy(Stream, void* to, const void* from, size_t bytes) {
  emulation::do_or_record([=] { std::memmove(to, from, bytes); });
}

// As in gpu/graph.hpp: what a record keeps are the arguments of its launches, as they were.
class Graph {
public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  explicit operator bool() const { return !work_.empty(); }
  void clear() { work_.clear(); }
  template <class F> void record(Stream, F&& f) {
    clear();
    emulation::recording = &work_;
    try {
      f();
    } catch (...) {
      emulation::recording = nullptr;
      clear();
      throw;
    }
    emulation::recording = nullptr;
  }
  void launch(Stream) const {
    for (const auto& one : work_) one();
  }

private:
  std::vector<std::function<void()>> work_;
};
inline void select_device(Stream) {}
inline Properties properties(Stream stream) { return {stream->multiprocessors, stream->warp, stream->shared_per_block}; }
template <class... P> int resident_blocks(void (*)(P...), unsigned, size_t) { return 1; }

using Where = std::source_location;

template <int Width, class T> T shuffle(T value, int lane, const Where where = Where::current()) {
  const unsigned mine = emulation::current_block->lane();
  return emulation::current_block->exchange(value, mine / Width * Width + static_cast<unsigned>(lane) % Width, "shuffle", where);
}
template <int Width, class T> T shuffle_down(T value, unsigned delta, const Where where = Where::current()) {
  const unsigned mine = emulation::current_block->lane();
  const unsigned from = mine % Width + delta < Width ? mine + delta : mine;
  return emulation::current_block->exchange(value, from, "shuffle_down", where);
}
template <int Width, class T> T shuffle_xor(T value, int mask, const Where where = Where::current()) {
  const unsigned mine = emulation::current_block->lane();
  const unsigned partner = mine ^ static_cast<unsigned>(mask);
  const unsigned from = partner / Width == mine / Width ? partner : mine;
  return emulation::current_block->exchange(value, from, "shuffle_xor", where);
}
inline bool warp_any(bool mine, const Where where = Where::current()) { return emulation::current_block->any(mine, where); }
inline void sync_warp(const Where where = Where::current()) { emulation::current_block->warp_barrier("sync_warp", where); }

inline int opaque(int x) { return x; }

// As rough as a device's, so that the refinement is exercised.
inline double rough_reciprocal(double x) {
  constexpr uint64_t twenty_bits = ~uint64_t(0) << 32;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(1 / x) & twenty_bits);
}
inline float rough_reciprocal(float x) { return std::bit_cast<float>(std::bit_cast<uint32_t>(1 / x) ^ 1u); }

}  // namespace suite::gpu

#define SUITE_GPU_DYNAMIC_SHARED(type, name) type* const name = static_cast<type*>(::suite::emulation::current_block->shared())
#define SUITE_GPU_RESIDENT_BOUNDS(threads, blocks)
#define SUITE_GPU_UNROLL
#define SUITE_GPU_NO_UNROLL
