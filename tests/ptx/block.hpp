// SPDX-License-Identifier: BSD-3-Clause
// A block of threads that runs.
#pragma once

#include <memory>
#include <vector>

#include "device.hpp"
#include "shared_memory.hpp"
#include "warp.hpp"

namespace suite::ptx {

class Block {
public:
  Block(Device& device, const Launch& launch, std::vector<Finding>& findings);
  void run(Dim at);  // throws Stopped

  void find(const char* what, const Warp& warp, const Instruction& i, int lane, const std::string& text);
  [[noreturn]] void stop(const char* what, const Warp& warp, const Instruction& i, int lane, const std::string& text);
  // Where `bytes` bytes of a lane's access are; stops the block where there are none.
  uint8_t* place(Warp& warp, const Instruction& i, int lane, uint64_t address, uint32_t bytes, bool writes, const uint8_t* value);
  const std::vector<uint8_t>& parameters() const { return launch_->parameters; }

private:
  enum class Turn { again, barrier, ended };
  void start(Warp& warp, int number);
  Turn step(Warp& warp, Frame& frame, int64_t budget, bool in_call);
  void execute(Warp& warp, const Instruction& i, uint32_t mask, uint32_t at);
  void check_sources(Warp& warp, const Instruction& i, uint32_t mask);
  void mark_results(Warp& warp, const Instruction& i, uint32_t mask);
  void call(Warp& warp, const Instruction& i, uint32_t mask);
  [[noreturn]] void all_parked(Warp& warp, const Frame& frame);

  Device* device_;
  const Launch* launch_;
  std::vector<Finding>* findings_;
  Dim at_;
  int threads_ = 0;
  SharedMemory shared_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<Frame>> frames_;       // of the warps
  std::vector<std::unique_ptr<Frame>> call_frames_;  // free ones
  std::array<Device::Found, 1024> last_{};           // the allocation that an instruction has accessed last
  uint64_t steps_ = 0;
};

}  // namespace suite::ptx
