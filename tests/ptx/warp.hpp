// SPDX-License-Identifier: BSD-3-Clause
// A warp of a block that runs: registers, which of them are defined, and where each of its lanes is.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "module.hpp"

namespace suite::ptx {

class Block;

// Lanes that are at the same instruction. A warp runs those first that are furthest behind, so that lanes which took different
// branches meet again where the branches do.
struct Group {
  uint32_t at = 0, mask = 0;
  bool parked = false;  // waits for other lanes of the warp
};

// Registers of a function that a warp is in; a call has its own.
struct Frame {
  const Function* function = nullptr;
  std::vector<Lanes> registers;
  std::vector<uint32_t> defined, defined_high, predicates, predicates_defined;  // a bit for each lane; a register's halves
  uint32_t local = 0;                                             // where the frame begins in each thread's local memory
  std::vector<Group> groups;
};

struct Warp {
  Block* block = nullptr;
  Frame* frame = nullptr;
  int number = 0;
  uint32_t lanes = 0;  // that it has; the last warp of a block may have fewer than 32
  uint32_t epoch = 0;  // barriers of the warp that it has passed
  std::vector<uint8_t> local;  // of lane after lane
  uint32_t local_bytes = 0;    // of one

  const uint64_t* source(const Instruction& i, int n) const {
    const Operand o = i.source[static_cast<size_t>(n)];
    return o.constant ? frame->function->constants[o.index].data() : frame->registers[o.index].data();
  }
  uint64_t* result(const Instruction& i, int n = 0) const { return frame->registers[i.result[static_cast<size_t>(n)]].data(); }
};

template <class Do> void for_lanes(uint32_t mask, Do each) {
  for (; mask; mask &= mask - 1) each(std::countr_zero(mask));
}

}  // namespace suite::ptx
