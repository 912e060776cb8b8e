// SPDX-License-Identifier: BSD-3-Clause
#include "damage.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include <suite/plugin.hpp>

namespace suite::gw::test {

namespace {

long number_from(const char* variable, long otherwise) {
  const char* value = std::getenv(variable);
  return value ? std::atol(value) : otherwise;
}

std::string damaged(const std::string& sound, long seed, long i) {
  std::mt19937_64 random(static_cast<uint64_t>(seed) * 1000003 + static_cast<uint64_t>(i));
  std::string bytes = sound;
  // Half of the changes in the header, where every byte means something.
  const size_t range = i % 2 == 0 ? bytes.size() : std::min<size_t>(bytes.size(), 4096);
  const auto any = [&](size_t below) { return static_cast<size_t>(random() % below); };
  for (size_t change = 0; change <= any(3); ++change) {
    const size_t at = any(range - 8);
    switch (any(5)) {
      case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << any(8))); break;
      case 1: bytes[at] = static_cast<char>(any(256)); break;
      case 2: bytes.replace(at & ~size_t{3}, 4, raw(static_cast<int32_t>(any(3)) - 1 + (any(2) ? 0x7fffffff : 0))); break;
      case 3: bytes.erase(at, any(2) ? 4 : 1); break;
      case 4: bytes.resize(at + 8); break;
    }
    if (bytes.size() < range) break;
  }
  return bytes;
}

}  // namespace

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

long damaged_files() { return number_from("FUZZ_CASES", 300); }

long refused_of_damaged(const std::filesystem::path& file, const std::function<void()>& read) {
  const std::string sound = bytes_of(file);
  const long seed = number_from("FUZZ_SEED", 1);
  long refused = 0;
  for (long i = 0; i < damaged_files(); ++i) {
    std::ofstream(file, std::ios::binary) << damaged(sound, seed, i);
    BOOST_TEST_CHECKPOINT("case " << i << " of seed " << seed);
    try {
      read();
    } catch (const Failure& failure) {
      ++refused;
      const std::string text = failure.what();
      BOOST_CHECK_MESSAGE(std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= ' ' && c <= '~'; }),
                          "case " << i << " of seed " << seed << ": " << text);
    }
  }
  std::ofstream(file, std::ios::binary) << sound;
  return refused;
}

}  // namespace suite::gw::test
