// SPDX-License-Identifier: BSD-3-Clause
// Truncations and bit flips of a plugin. Every damaged file is shown to suite_open and, in groups, to
// suite_visit, in child processes that take many files each, as `suite list` does: a file that kills its
// process fails the test by name.
#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace fs = std::filesystem;

namespace {

using Bytes = std::string;

Bytes read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Damage {
  std::string what;
  Bytes bytes;
};

// Evenly spread over the file, the last hundred bytes one by one.
std::vector<Damage> truncations(const Bytes& sound, size_t count) {
  std::vector<Damage> all;
  const size_t tail = 100;
  for (size_t i = 0; i < count; ++i) {
    const size_t length = i < tail ? sound.size() - 1 - i : (sound.size() - tail) * (i - tail) / (count - tail);
    all.push_back({"truncated to " + std::to_string(length) + " of " + std::to_string(sound.size()) + " bytes", sound.substr(0, length)});
  }
  return all;
}

// Half anywhere, a quarter in the first 4 kB (headers, symbols, relocations), a quarter in the last 2 kB
// (section table, seal).
std::vector<Damage> flips(const Bytes& sound, size_t count, unsigned seed) {
  std::vector<Damage> all;
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < count; ++i) {
    const size_t range = i % 4 == 2 ? 4096 : i % 4 == 3 ? 2048 : sound.size();
    const size_t at = i % 4 == 3 ? sound.size() - 1 - random() % range : random() % range;
    const int bit = static_cast<int>(random() % 8);
    Bytes bytes = sound;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    all.push_back(
        {"bit " + std::to_string(bit) + " of byte " + std::to_string(at) + " flipped (seed " + std::to_string(seed) + ")", bytes});
  }
  return all;
}

// Runs f in a child; its exit status, or -1 when it died.
int in_child(const std::function<int()>& f) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(f());
  int state = 0;
  ::waitpid(child, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

enum Outcome { refused = 0, opened = 1, failed_oddly = 2 };

int open_it(const std::string& file) {
  suite_call* call = nullptr;
  suite_error error{};
  const int status = suite_open("victim.norm", file.c_str(), nullptr, &call, &error);
  suite_close(call);
  if (status == SUITE_OK) return opened;
  return error.message[0] ? refused : failed_oddly;
}

struct Counted {
  int refused = 0, opened = 0, died = 0;
};

// A fresh folder per case: every file of it is opened by path and visited, in one process; only when that
// process dies, or opens a file, are the files looked at one by one.
Counted try_all(const std::string& name, const std::vector<Damage>& damages, bool may_open) {
  constexpr size_t group = 50;
  Counted counted;
  const std::string folder = std::string(TEST_PLUGINS) + "/../" + name;
  for (size_t from = 0; from < damages.size(); from += group) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms(0755));
    std::vector<std::string> files;
    const size_t to = std::min(damages.size(), from + group);
    for (size_t i = from; i < to; ++i) {
      files.push_back(folder + "/suite_victim_" + std::to_string(i) + ".so");
      std::ofstream(files.back(), std::ios::binary) << damages[i].bytes;
    }
    ::setenv("SUITE_PLUGIN_PATH", folder.c_str(), 1);
    const int visited = in_child([&] {
      int count = 0;
      suite_visit(
          [](void* with, const char* file, const suite_plugin* plugin, const char* why) {
            if (std::string(file).find("suite_victim_") != std::string::npos && !plugin && why[0]) ++*static_cast<int*>(with);
          },
          &count);
      return count;
    });
    // None has the name that its table says, so visit refuses every one.
    BOOST_TEST(visited == static_cast<int>(files.size()), name << ": suite_visit of files " << from << " to " << to << " gave " << visited);
    const int all = in_child([&] {
      for (const auto& file : files)
        if (open_it(file) != refused) return 1;
      return 0;
    });
    if (all == 0) {
      counted.refused += static_cast<int>(files.size());
      continue;
    }
    for (size_t i = 0; i < files.size(); ++i) {
      const int result = in_child([&] { return open_it(files[i]); });
      const auto& what = damages[from + i].what;
      counted.refused += result == refused;
      counted.opened += result == opened;
      counted.died += result < 0;
      BOOST_TEST(result >= 0, name << ": the process died of a plugin " << what);
      BOOST_TEST(result != failed_oddly, name << ": no sentence for a plugin " << what);
      BOOST_TEST((may_open || result != opened), name << ": opened a plugin " << what);
    }
  }
  fs::remove_all(folder);
  BOOST_TEST_MESSAGE(name << ": " << damages.size() << " files, " << counted.refused << " refused, " << counted.opened << " opened, "
                          << counted.died << " processes died");
  return counted;
}

std::string victim(const std::string& which) { return std::string(TEST_PLUGINS) + "/suite_victim_" + which + ".so"; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_damaged_sealed_plugin_is_always_refused) {
  BOOST_TEST(in_child([] { return open_it(victim("sealed")); }) == opened);
  const Bytes sound = read(victim("sealed"));
  const auto cut = try_all("truncated_sealed", truncations(sound, 400), false);
  BOOST_TEST(cut.refused == 400);
  const auto flipped = try_all("flipped_sealed", flips(sound, 500, 1), false);
  BOOST_TEST(flipped.refused == 500);
}

// Without a seal a flipped bit in code or data is invisible until it runs: such a plugin may open, but a
// process never dies of looking at it.
BOOST_AUTO_TEST_CASE(a_damaged_unsealed_plugin_kills_no_process) {
  BOOST_TEST(in_child([] { return open_it(victim("unsealed")); }) == opened);
  const Bytes sound = read(victim("unsealed"));
  const auto cut = try_all("truncated_unsealed", truncations(sound, 400), true);
  BOOST_TEST(cut.died == 0);
  const auto flipped = try_all("flipped_unsealed", flips(sound, 500, 2), true);
  BOOST_TEST(flipped.died == 0);
}
