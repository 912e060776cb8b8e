// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include <cxxabi.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "block.hpp"

namespace suite::ptx {

std::string readable(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : symbol;
  std::free(text);
  if (name.starts_with("void ")) name.erase(0, 5);
  for (size_t at; (at = name.find("(anonymous namespace)::")) != std::string::npos;) name.erase(at, 23);
  int depth = 0;
  for (size_t at = 0; at < name.size(); ++at) {
    depth += (name[at] == '<') - (name[at] == '>');
    if (name[at] == '(' && depth == 0) return name.substr(0, at);
  }
  return name;
}

std::string sentence(const Finding& f) {
  std::string text = f.what + " in kernel " + readable(f.kernel) + ", line " + std::to_string(f.line) + " of the PTX";
  if (f.source_line > 0) text += " (line " + std::to_string(f.source_line) + " of the source)";
  return text + ", block (" + std::to_string(f.block.x) + ", " + std::to_string(f.block.y) + ", " + std::to_string(f.block.z) +
         "), thread " + std::to_string(f.thread) + ": " + f.text;
}

Device::~Device() {
  for (const auto& [address, allocation] : allocations_)
    if (allocation.mapped) munmap(allocation.mapped, allocation.mapped_bytes);
}

void* Device::allocate(size_t bytes) {
  constexpr size_t margin = size_t{1} << 16;
  const size_t mapped_bytes = (bytes + 2 * margin + 4095) / 4096 * 4096;
  void* const mapped = mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* const data = static_cast<char*>(mapped) + margin;
  std::memset(data, 0xff, bytes);
  allocations_[reinterpret_cast<uint64_t>(data)] = {bytes, mapped, mapped_bytes};
  allocated_ += bytes;
  return data;
}

bool Device::release(void* data) {
  const auto at = allocations_.find(reinterpret_cast<uint64_t>(data));
  if (at == allocations_.end() || !at->second.mapped) return false;
  munmap(at->second.mapped, at->second.mapped_bytes);
  allocated_ -= at->second.bytes;
  allocations_.erase(at);
  return true;
}

Device::Found Device::find(uint64_t address) const {
  auto at = allocations_.upper_bound(address);
  if (at == allocations_.begin()) return {};
  --at;
  return address < at->first + at->second.bytes ? Found{at->first, at->first + at->second.bytes} : Found{};
}

std::vector<Finding> Device::run(const Launch& launch) {
  std::vector<Finding> findings;
  const uint64_t blocks = uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  std::vector<uint64_t> order(blocks);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random_);
  try {
    Block block(*this, launch, findings);
    for (const uint64_t n : order)
      block.run({static_cast<unsigned>(n % launch.grid.x), static_cast<unsigned>(n / launch.grid.x % launch.grid.y),
                 static_cast<unsigned>(n / launch.grid.x / launch.grid.y)});
  } catch (const Stopped&) {
    // It is among the findings.
  }
  Counts& counts = counts_[launch.function->name];
  ++counts.launches;
  counts.blocks += blocks;
  const auto gather = [&](const Function& f, const auto& self) -> void {
    for (size_t i = 0; i < f.code.size(); ++i) {
      counts.warp_instructions += f.executed[i];
      counts.lanes[static_cast<size_t>(f.code[i].kind)] += f.executed_lanes[i];
      f.executed[i] = f.executed_lanes[i] = 0;
      if (f.code[i].call) self(*f.code[i].call->function, self);
    }
  };
  gather(*launch.function, gather);
  return findings;
}

}  // namespace suite::ptx
