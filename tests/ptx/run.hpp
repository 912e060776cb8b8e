// SPDX-License-Identifier: BSD-3-Clause
// Runs a small kernel `planted(double* x)` that is written in PTX.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "device.hpp"

namespace suite::ptx::test {

inline std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& replacements) {
  for (const auto& [from, to] : replacements)
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  return text;
}

// One block of `threads` threads; %rd1 is x, of `count` doubles that hold their index and are copied back where `results` is given.
inline std::vector<Finding> run(const std::string& body, unsigned threads, size_t count, uint64_t seed = 1,
                                std::vector<double>* results = nullptr) {
  Module module(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry planted(\n\t.param .u64 planted_param_0\n)\n{\n"
      "\t.reg .pred %p<9>;\n\t.reg .b16 %rs<9>;\n\t.reg .f32 %f<9>;\n\t.reg .b32 %r<20>;\n\t.reg .f64 %fd<9>;\n\t.reg .b64 %rd<9>;\n"
      "\t.loc 1 7 0\n\tld.param.u64 %rd1, [planted_param_0];\n" +
      body + "}\n");
  Device device(seed);
  auto* const x = static_cast<double*>(device.allocate(count * sizeof(double)));
  for (size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i);
  Launch launch{&module.function("planted"), {}, {threads, 1, 1}, 0, std::vector<uint8_t>(sizeof(void*))};
  std::memcpy(launch.parameters.data(), &x, sizeof x);
  const auto found = device.run(launch);
  if (results) results->assign(x, x + count);
  return found;
}

}  // namespace suite::ptx::test
