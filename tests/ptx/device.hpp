// SPDX-License-Identifier: BSD-3-Clause
// The device that the executor pretends to be: its memory, launches, what they did wrong and how many instructions they executed.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "module.hpp"

namespace suite::ptx {

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

// Something that a kernel did wrong. what: "race", "undefined", "out of bounds", "misaligned", "barrier", "lanes", "trap", "endless".
struct Finding {
  std::string what, kernel, text;
  int line = 0, source_line = 0;  // in the PTX, in the .cu (0: not known)
  Dim block;
  int thread = 0;
};
std::string sentence(const Finding& finding);

struct Counts {
  uint64_t launches = 0, warp_instructions = 0, blocks = 0;
  std::array<uint64_t, static_cast<size_t>(Kind::count)> lanes{};  // by kind, each lane that executed it
};

struct Launch {
  const Function* function = nullptr;
  Dim grid, block;
  uint32_t dynamic_shared = 0;
  std::vector<uint8_t> parameters;
};

// Thrown where a block cannot continue.
struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Device {
public:
  static constexpr size_t max_findings = 8;            // of a launch; the rest is more of the same
  static constexpr uint64_t max_steps = 400'000'000;  // warp instructions of a block
  explicit Device(uint64_t seed = 1) : random_(seed) {}
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Memory filled with NaN, with room around it that belongs to nobody; null where the system has none.
  void* allocate(size_t bytes);
  bool release(void* data);
  void add_variable(const void* data, size_t bytes) { allocations_[reinterpret_cast<uint64_t>(data)] = {bytes, nullptr, 0}; }
  struct Found {
    uint64_t begin = 1, end = 0;
  };
  Found find(uint64_t address) const;  // empty where no allocation holds it
  size_t allocated() const { return allocated_; }

  // Runs all blocks in random order; what they did wrong.
  std::vector<Finding> run(const Launch& launch);
  const std::map<std::string, Counts>& counts() const { return counts_; }
  std::mt19937_64& random() { return random_; }

private:
  struct Allocation {
    size_t bytes = 0;
    void* mapped = nullptr;
    size_t mapped_bytes = 0;
  };
  std::map<uint64_t, Allocation> allocations_;
  std::map<std::string, Counts> counts_;
  std::mt19937_64 random_;
  size_t allocated_ = 0;
};

std::string readable(const std::string& symbol);  // demangled, without arguments

}  // namespace suite::ptx
