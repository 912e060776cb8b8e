// SPDX-License-Identifier: BSD-3-Clause
// Loads, stores and atomics, and what passes between the lanes of a warp.
#include <algorithm>
#include <bit>
#include <cstring>

#include "actions.hpp"
#include "block.hpp"

namespace suite::ptx {
namespace {

std::string hexadecimal(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

uint64_t address_of(const Warp& warp, const Instruction& i, const uint64_t* base, int lane) {
  return base[lane] + static_cast<uint64_t>(i.offset) + (i.mode == 1 && i.space == Space::local ? warp.frame->local : 0);
}

uint64_t element(const uint8_t* from, const Instruction& i) {
  uint64_t value = 0;
  switch (i.width) {
    case 8: std::memcpy(&value, from, 8); return value;
    case 4: {
      uint32_t raw;
      std::memcpy(&raw, from, 4);
      return i.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(raw))) : raw;
    }
    case 2: {
      uint16_t raw;
      std::memcpy(&raw, from, 2);
      return i.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(raw))) : raw;
    }
    default: return i.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(*from))) : *from;
  }
}

template <class T> T changed(Atomic what, T old, T a, T b) {
  switch (what) {
    case Atomic::add: return static_cast<T>(old + a);
    case Atomic::max: return std::max(old, a);
    case Atomic::min: return std::min(old, a);
    case Atomic::exch: return a;
    case Atomic::cas: return old == a ? b : old;
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (what == Atomic::band) return old & a;
    if (what == Atomic::bor) return old | a;
    if (what == Atomic::bxor) return old ^ a;
  }
  return old;
}
template <class T> uint64_t change(uint8_t* at, Atomic what, uint64_t a, uint64_t b) {
  T old, x, y;
  std::memcpy(&old, at, sizeof(T));
  std::memcpy(&x, &a, sizeof(T));
  std::memcpy(&y, &b, sizeof(T));
  const T next = changed(what, old, x, y);
  std::memcpy(at, &next, sizeof(T));
  uint64_t raw = 0;
  std::memcpy(&raw, &old, sizeof(T));
  return raw;
}

}  // namespace

uint8_t* Block::place(Warp& warp, const Instruction& i, int lane, uint64_t address, uint32_t bytes, bool writes, const uint8_t* value) {
  Space space = i.space;
  if (space == Space::generic) {
    const uint64_t window = address & window_mask;
    space = window == shared_window ? Space::shared : window == local_window ? Space::local : Space::global;
    if (space != Space::global) address &= ~window_mask;
  }
  switch (space) {
    case Space::shared: {
      const auto offset = static_cast<uint32_t>(address);
      if (!shared_.holds(offset, bytes))
        stop("out of bounds", warp, i, lane,
             std::to_string(bytes) + " bytes at " + std::to_string(static_cast<int32_t>(offset)) +
                 " of shared memory belong to no variable (the first begins at " +
                 std::to_string(warp.frame->function->shared.empty() ? launch_->function->shared_bytes
                                                                     : launch_->function->shared[0].offset) +
                 ", the dynamic part of " + std::to_string(launch_->dynamic_shared) + " bytes at " +
                 std::to_string(launch_->function->shared_bytes) + ")");
      uint8_t* const at = shared_.at(offset);
      const int thread = warp.number * warp_lanes + lane;
      const int with = writes ? shared_.write(offset, bytes, thread, warp.epoch, value && std::memcmp(at, value, bytes) == 0)
                              : shared_.read(offset, bytes, thread, warp.epoch);
      if (with != SharedMemory::none)
        find("race", warp, i, lane,
             std::string(writes ? "writes" : "reads") + " shared memory at " + std::to_string(offset) + ", which thread " +
                 std::to_string(with) + " has accessed with no barrier between");
      return at;
    }
    case Space::local:
      if (address + bytes > warp.local_bytes || address + bytes < address)
        stop("out of bounds", warp, i, lane,
             std::to_string(bytes) + " bytes at " + std::to_string(address) + " of the thread's " + std::to_string(warp.local_bytes) +
                 " bytes of local memory");
      return warp.local.data() + size_t{warp.local_bytes} * static_cast<size_t>(lane) + address;
    case Space::param:
      if (address + bytes > parameters().size() || address + bytes < address)
        stop("out of bounds", warp, i, lane,
             "the kernel has " + std::to_string(parameters().size()) + " bytes of parameters, not " + std::to_string(address + bytes));
      return const_cast<uint8_t*>(parameters().data()) + address;
    default: break;
  }
  Device::Found& last = last_[reinterpret_cast<uintptr_t>(&i) / sizeof(Instruction) % last_.size()];
  if (address < last.begin || address + bytes > last.end) {
    const Device::Found found = device_->find(address);
    if (address < found.begin || address + bytes > found.end) {
      const std::string where = found.end ? ", the array there ends at " + hexadecimal(found.end) : ", where no array is";
      stop("out of bounds", warp, i, lane, std::to_string(bytes) + " bytes at " + hexadecimal(address) + where);
    }
    last = found;
  }
  return reinterpret_cast<uint8_t*>(address);
}

void load(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint64_t* const base = warp.source(i, 0);
  const uint32_t bytes = uint32_t{i.width} * i.elements;
  // Parameters have no end that a load could pass, and nvcc 13.0 names too few of their bytes where it merges two loads of one.
  uint32_t used = (i.space == Space::param ? ~0u : i.used_bytes) & (bytes >= 32 ? ~0u : (1u << bytes) - 1);
  if (used == 0) used = 1;
  const auto first = static_cast<uint32_t>(std::countr_zero(used)), count = static_cast<uint32_t>(std::bit_width(used)) - first;
  for_lanes(mask, [&](int l) {
    const uint64_t address = address_of(warp, i, base, l);
    if (address % bytes) warp.block->stop("misaligned", warp, i, l, hexadecimal(address) + " is no multiple of " + std::to_string(bytes));
    const uint8_t* const at = warp.block->place(warp, i, l, address + first, count, false, nullptr) - first;
    for (int e = 0; e < i.elements; ++e)
      if (used >> (e * i.width) & ((1u << i.width) - 1)) warp.result(i, e)[l] = element(at + e * i.width, i);
  });
}

void store(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint64_t* const base = warp.source(i, 0);
  const uint32_t bytes = uint32_t{i.width} * i.elements;
  for_lanes(mask, [&](int l) {
    const uint64_t address = address_of(warp, i, base, l);
    if (address % bytes) warp.block->stop("misaligned", warp, i, l, hexadecimal(address) + " is no multiple of " + std::to_string(bytes));
    uint8_t value[32];
    for (int e = 0; e < i.elements; ++e) std::memcpy(value + e * i.width, warp.source(i, 1 + e) + l, i.width);
    std::memcpy(warp.block->place(warp, i, l, address, bytes, true, value), value, bytes);
  });
}

void atomic(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint64_t *const base = warp.source(i, 0), *const a = warp.source(i, 1), *const b = i.sources > 2 ? warp.source(i, 2) : a;
  const auto what = static_cast<Atomic>(i.mode % 100);
  for_lanes(mask, [&](int l) {
    const uint64_t address = base[l] + static_cast<uint64_t>(i.offset);
    if (address % i.width)
      warp.block->stop("misaligned", warp, i, l, hexadecimal(address) + " is no multiple of " + std::to_string(i.width));
    if (i.space == Space::shared || (address & window_mask))
      warp.block->stop("lanes", warp, i, l, "atomics on shared memory are not known to the executor");
    uint8_t* const at = warp.block->place(warp, i, l, address, i.width, true, nullptr);
    const bool wide = i.width == 8;
    const uint64_t old = i.mode >= 200   ? wide ? change<int64_t>(at, what, a[l], b[l]) : change<int32_t>(at, what, a[l], b[l])
                           : i.mode >= 100 ? wide ? change<double>(at, what, a[l], b[l]) : change<float>(at, what, a[l], b[l])
                           : wide ? change<uint64_t>(at, what, a[l], b[l])
                                         : change<uint32_t>(at, what, a[l], b[l]);
    if (i.results) warp.result(i)[l] = old;
  });
}

// PTX ISA, shfl.sync. What a lane outside of its section would get is its own.
void shuffle(Warp& warp, const Instruction& i, uint32_t mask) {
  const Lanes from = [&] {
    Lanes copy;
    std::copy_n(warp.source(i, 0), warp_lanes, copy.begin());
    return copy;
  }();
  const uint64_t *const b = warp.source(i, 1), *const c = warp.source(i, 2);
  uint64_t* const d = warp.result(i);
  uint32_t inside = 0;
  for_lanes(mask, [&](int l) {
    const int by = static_cast<int>(b[l] & 31), clamp = static_cast<int>(c[l] & 31), section = static_cast<int>(c[l] >> 8 & 31);
    const int last = (l & section) | (clamp & ~section), first = l & section;
    int other = l;
    bool valid = true;
    switch (static_cast<Shuffle>(i.mode)) {
      case Shuffle::up: other = l - by, valid = other >= last; break;
      case Shuffle::down: other = l + by, valid = other <= last; break;
      case Shuffle::bfly: other = l ^ by, valid = other <= last; break;
      case Shuffle::idx: other = first | (by & ~section), valid = other <= last; break;
    }
    if (!valid) other = l;
    if (!(mask >> other & 1))
      warp.block->find("lanes", warp, i, l, "takes a value from lane " + std::to_string(other) + ", which is not there");
    d[l] = static_cast<uint32_t>(from[static_cast<size_t>(other)]);
    inside |= static_cast<uint32_t>(valid) << l;
  });
  if (i.pairs) {
    uint32_t& to = warp.frame->predicates[i.result[1]];
    to = (to & ~mask) | (inside & mask);
  }
}

void vote(Warp& warp, const Instruction& i, uint32_t mask) {
  uint32_t bits = warp.frame->predicates[i.predicate[0]];
  if (i.offset) bits = ~bits;
  bits &= mask;
  bool holds = false;
  switch (static_cast<Vote>(i.mode)) {
    case Vote::any: holds = bits != 0; break;
    case Vote::all: holds = bits == mask; break;
    case Vote::uni: holds = bits == 0 || bits == mask; break;
    case Vote::ballot: for_lanes(mask, [&](int l) { warp.result(i)[l] = bits; }); return;
  }
  uint32_t& to = warp.frame->predicates[i.result[0]];
  to = holds ? to | mask : to & ~mask;
}

void active_mask(Warp& warp, const Instruction& i, uint32_t mask) {
  for_lanes(mask, [&](int l) { warp.result(i)[l] = mask; });
}

void local_address(Warp& warp, const Instruction& i, uint32_t mask) {
  for_lanes(mask, [&](int l) { warp.result(i)[l] = static_cast<uint64_t>(i.offset) + warp.frame->local; });
}

void pack(Warp& warp, const Instruction& i, uint32_t mask) {
  const int bits = 8 * i.width / i.sources;
  for_lanes(mask, [&](int l) {
    uint64_t whole = 0;
    for (int n = 0; n < i.sources; ++n) whole |= (warp.source(i, n)[l] & (~uint64_t{0} >> (64 - bits))) << (n * bits);
    warp.result(i)[l] = whole;
  });
}

void unpack(Warp& warp, const Instruction& i, uint32_t mask) {
  const int bits = 8 * i.width / i.results;
  for_lanes(mask, [&](int l) {
    const uint64_t whole = warp.source(i, 0)[l];
    for (int n = 0; n < i.results; ++n) warp.result(i, n)[l] = whole >> (n * bits) & (~uint64_t{0} >> (64 - bits));
  });
}

void add_offset(Warp& warp, const Instruction& i, uint32_t mask) {
  const uint64_t* const a = warp.source(i, 0);
  for_lanes(mask, [&](int l) { warp.result(i)[l] = a[l] + static_cast<uint64_t>(i.offset); });
}

// D = A B + C of 8x4 (or 16x4), 4x8 and 8x8 (16x8); PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f64 floating point type" and
// "mma.m16n8k4". A lane has A(lane / 4, lane % 4), B(lane % 4, lane / 4), and C(lane / 4, lane % 4 * 2) with its right neighbour; of 16
// rows also the same elements eight rows below.
void multiply_tile(Warp& warp, const Instruction& i, uint32_t mask) {
  const int tiles = i.results / 2;
  const uint64_t* const b = warp.source(i, tiles);
  Lanes d[4];
  for (int t = 0; t < tiles; ++t) {
    const uint64_t* const a = warp.source(i, t);
    for_lanes(mask, [&](int l) {
      const int row = l / 4;
      for (int n = 0; n < 2; ++n) {
        const int column = l % 4 * 2 + n;
        double sum = std::bit_cast<double>(warp.source(i, tiles + 1 + 2 * t + n)[l]);
        for (int k = 0; k < 4; ++k)
          sum = __builtin_fma(std::bit_cast<double>(a[4 * row + k]), std::bit_cast<double>(b[4 * column + k]), sum);
        d[2 * t + n][static_cast<size_t>(l)] = std::bit_cast<uint64_t>(sum);
      }
    });
  }
  for (int n = 0; n < 2 * tiles; ++n) for_lanes(mask, [&](int l) { warp.result(i, n)[l] = d[n][static_cast<size_t>(l)]; });
}

void trap(Warp& warp, const Instruction& i, uint32_t mask) {
  warp.block->stop("trap", warp, i, std::countr_zero(mask), "the kernel gives up");
}

void nothing(Warp&, const Instruction&, uint32_t) {}

}  // namespace suite::ptx
