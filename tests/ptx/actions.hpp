// SPDX-License-Identifier: BSD-3-Clause
// What instructions do that are not arithmetic (block.cpp, memory.cpp), for the parser to name.
#pragma once

#include "warp.hpp"

namespace suite::ptx {

enum class Shuffle { up, down, bfly, idx };
enum class Vote { any, all, uni, ballot };
enum class Atomic { add, max, min, exch, cas, band, bor, bxor, inc };

// Generic addresses of shared and local memory; those of global memory are the executor's own.
inline constexpr uint64_t shared_window = uint64_t{1} << 56, local_window = uint64_t{2} << 56, window_mask = uint64_t{0xff} << 56;

void load(Warp& warp, const Instruction& i, uint32_t mask);
void store(Warp& warp, const Instruction& i, uint32_t mask);
void atomic(Warp& warp, const Instruction& i, uint32_t mask);
void shuffle(Warp& warp, const Instruction& i, uint32_t mask);
void vote(Warp& warp, const Instruction& i, uint32_t mask);
void active_mask(Warp& warp, const Instruction& i, uint32_t mask);
void local_address(Warp& warp, const Instruction& i, uint32_t mask);  // offset + where the function's frame begins
void pack(Warp& warp, const Instruction& i, uint32_t mask);           // width: bytes of the whole
void unpack(Warp& warp, const Instruction& i, uint32_t mask);
void add_offset(Warp& warp, const Instruction& i, uint32_t mask);  // to another address space
void multiply_tile(Warp& warp, const Instruction& i, uint32_t mask);  // mma.sync.aligned.m8n8k4 and .m16n8k4 of FP64
void trap(Warp& warp, const Instruction& i, uint32_t mask);
void nothing(Warp& warp, const Instruction& i, uint32_t mask);

}  // namespace suite::ptx
