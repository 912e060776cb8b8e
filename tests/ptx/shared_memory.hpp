// SPDX-License-Identifier: BSD-3-Clause
// The shared memory of a block that runs, and who has read and written it since the last barrier.
//
// Two accesses race where one of them writes and nothing orders them: no barrier of the block, and, of two lanes of a warp, none of
// the warp. Lanes of a warp need not run in step (since Volta), so that order inside a warp is not taken for granted. What is found does
// not depend on the order in which the warps happened to run.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "module.hpp"

namespace suite::ptx {

class SharedMemory {
public:
  // dynamic: bytes that the launch asks for, after the function's own variables.
  void begin(const Function& function, uint32_t dynamic) {
    const uint32_t bytes = function.shared_bytes + dynamic;
    granule_ = function.granule;
    bytes_.assign(bytes, 0xff);  // NaN
    cells_.assign((bytes + granule_ - 1) / granule_, Cell());
    belongs_.assign(cells_.size(), false);
    const auto mark = [&](uint32_t from, uint32_t count) {
      for (uint32_t at = from; at < from + count; at += granule_) belongs_[at / granule_] = true;
    };
    for (const Variable& v : function.shared) mark(v.offset, v.bytes);
    mark(function.shared_bytes, dynamic);
    epoch_ = 1;
  }
  void barrier() { ++epoch_; }
  uint8_t* at(uint32_t offset) { return bytes_.data() + offset; }
  bool holds(uint32_t offset, uint32_t count) const {
    if (uint64_t{offset} + count > bytes_.size()) return false;
    for (uint32_t cell = offset / granule_; cell <= (offset + count - 1) / granule_; ++cell)
      if (!belongs_[cell]) return false;
    return true;
  }
  static constexpr int none = -1;
  // The thread with which this access races, or none. warp_epoch: barriers that the thread's warp has passed.
  int read(uint32_t offset, uint32_t count, int thread, uint32_t warp_epoch) {
    for (uint32_t cell = offset / granule_; cell <= (offset + count - 1) / granule_; ++cell) {
      Cell& c = cells_[cell];
      if (c.write_epoch == epoch_ && unordered(c.writer, c.writer_warp_epoch, thread, warp_epoch)) return c.writer;
      if (c.read_epoch != epoch_) {
        c.read_epoch = epoch_;
        c.reader = thread;
        c.other = none;
        c.several = false;
      } else if (c.reader != thread) {
        if (c.reader / warp_lanes != thread / warp_lanes) c.other = c.reader, c.several = false;
        else c.several = (c.several || c.reader != thread) && c.reader_warp_epoch == warp_epoch;
        c.reader = thread;
      }
      c.reader_warp_epoch = warp_epoch;
    }
    return none;
  }
  // same: the value is the one that is there; that two threads write it does no harm.
  int write(uint32_t offset, uint32_t count, int thread, uint32_t warp_epoch, bool same) {
    for (uint32_t cell = offset / granule_; cell <= (offset + count - 1) / granule_; ++cell) {
      Cell& c = cells_[cell];
      if (!same && c.write_epoch == epoch_ && unordered(c.writer, c.writer_warp_epoch, thread, warp_epoch)) return c.writer;
      if (c.read_epoch == epoch_) {
        if (unordered(c.reader, c.reader_warp_epoch, thread, warp_epoch)) return c.reader;
        if (c.several && c.reader / warp_lanes == thread / warp_lanes && c.reader_warp_epoch == warp_epoch) return c.reader;
        if (c.other != none && c.other / warp_lanes != thread / warp_lanes) return c.other;
      }
      c.write_epoch = epoch_;
      c.writer = thread;
      c.writer_warp_epoch = warp_epoch;
    }
    return none;
  }

private:
  struct Cell {
    uint32_t write_epoch = 0, writer_warp_epoch = 0, read_epoch = 0, reader_warp_epoch = 0;
    int writer = none, reader = none;
    int other = none;      // a reader of another warp than `reader`
    bool several = false;  // lanes of the reader's warp have read it, since the same barrier of the warp
  };
  static bool unordered(int a, uint32_t a_epoch, int b, uint32_t b_epoch) {
    return a != b && (a / warp_lanes != b / warp_lanes || a_epoch == b_epoch);
  }

  std::vector<uint8_t> bytes_;
  std::vector<Cell> cells_;
  std::vector<bool> belongs_;
  uint32_t granule_ = 4, epoch_ = 1;
};

}  // namespace suite::ptx
