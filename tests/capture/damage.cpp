// SPDX-License-Identifier: BSD-3-Clause
// Damages a capture in many ways and reads it: it is refused with a sentence, or what is read is what was
// written. Reading happens in children, so that a crash or an endless loop is found and named.
//
//     capture_damage FILES SEED
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hdf5/captured_call.hpp"
#include "support.hpp"

using suite::hdf5::CapturedCall;
using suite::hdf5::read_captured_call;

namespace {

constexpr int batch = 50;
constexpr unsigned patience_s = 60;

bool same(const std::map<std::string, suite::hdf5::Array>& a, const std::map<std::string, suite::hdf5::Array>& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [name, array] : a) {
    const auto other = b.find(name);
    if (other == b.end() || array.bytes != other->second.bytes || std::memcmp(&array.array, &other->second.array, sizeof(suite_array)))
      return false;
  }
  return true;
}

bool same(const CapturedCall& a, const CapturedCall& b) {
  return a.texts == b.texts && a.seconds == b.seconds && a.number == b.number && a.tolerance == b.tolerance && a.arguments == b.arguments &&
         same(a.before, b.before) && same(a.after, b.after);
}

std::string damaged(std::string bytes, unsigned long seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  switch (below(8)) {
    case 0: return bytes.substr(0, below(bytes.size()));
    case 1: {  // a block of zeros, as a file system leaves it after a crash
      const size_t from = below(bytes.size());
      std::fill_n(bytes.begin() + static_cast<long>(from), std::min<size_t>(bytes.size() - from, 1 + below(512)), '\0');
      return bytes;
    }
    default:
      for (size_t flips = 1 + below(4); flips > 0; --flips) bytes[below(bytes.size())] = static_cast<char>(random());
      return bytes;
  }
}

// 0: refused, 1: read as it was, 2: wrong data taken for good.
int verdict(const std::string& file, const CapturedCall& truth) {
  try {
    return same(read_captured_call(file), truth) ? 1 : 2;
  } catch (const suite::Failure& failure) { return std::strlen(failure.what()) > file.size() ? 0 : 2; }
}

// The child's exit code: how many were accepted, or 200 after naming one that was wrong. at: the seed it is
// at.
int read_batch(const std::string& file, const std::string& good, const CapturedCall& truth, unsigned long first, int count,
               unsigned long* at) {
  ::alarm(patience_s);
  int accepted = 0;
  for (int i = 0; i < count; ++i) {
    const unsigned long seed = first + static_cast<unsigned long>(i);
    std::filesystem::remove(file);  // some file systems wait for the disk where a file is emptied and written again
    std::ofstream(file, std::ios::binary) << damaged(good, seed);
    *at = seed;
    const int found = verdict(file, truth);
    if (found == 2) {
      std::printf("seed %lu: wrong data, or no sentence\n", seed);
      return 200;
    }
    accepted += found;
  }
  return accepted;
}

}  // namespace

int main(int count, char** words) {
  const int files = count > 1 ? std::atoi(words[1]) : 1000;
  const unsigned long seed = count > 2 ? std::strtoul(words[2], nullptr, 10) * 1000000 : 0;
  const suite::test::Captures captures;
  suite::test::Sum("cpu").kernel.run();
  ::unsetenv("SUITE_CAPTURE");
  std::ifstream in(captures.file("probe.sum-1.h5"), std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const CapturedCall truth = read_captured_call(captures.file("probe.sum-1.h5"));
  const std::string file = captures.file("damaged.h5");
  auto* at = static_cast<unsigned long*>(::mmap(nullptr, sizeof(unsigned long), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int accepted = 0, bad = 0;
  for (int done = 0; done < files; done += batch) {
    const pid_t child = ::fork();
    if (child == 0) {
      const int code = read_batch(file, good, truth, seed + static_cast<unsigned long>(done), std::min(batch, files - done), at);
      std::fflush(stdout);
      ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code >= 0 && code <= batch) {
      accepted += code;
      continue;
    }
    if (code < 0) std::printf("seed %lu: ended by signal %d\n", *at, WTERMSIG(status));
    ++bad;
  }
  std::printf(
      "%d damaged captures of %zu bytes: %d read as they were written, the others refused; %d batches went "
      "wrong\n",
      files, good.size(), accepted, bad);
  return bad > 0 || accepted * 2 > files ? 1 : 0;
}
