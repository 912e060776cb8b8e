// SPDX-License-Identifier: BSD-3-Clause
// Run control from a CASINO `input`: which of its keywords besides those of the system are used, which are overridden by keys of our own
// input, and which have no effect.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/input.hpp"
#include "casino_input.hpp"

namespace suite::vmc {

// Summary for the user. Every keyword of the file, except those of the system, is in one of the lists.
struct CasinoReport {
  std::filesystem::path file;  // empty: the input names none
  std::vector<std::string> used;
  std::map<std::string, std::string> overridden;  // keyword: the key of our input that overrides it
  std::vector<std::string> unused;                // belong to methods other than that of the run
  std::vector<std::string> ignored;               // have no meaning here

  bool any() const { return !file.empty(); }
  std::string text() const;  // lines in the header of a run
  std::vector<std::string> warnings() const;
};

// Takes values from CASINO's file unless our input sets them, and records which.
class CasinoControl {
public:
  // Reads the file named by system.casino_input, if any. Throws app::InputErrors.
  explicit CasinoControl(const app::Input& input);
  // For a file that cannot be read: no keyword is used.
  CasinoControl(const app::Input& input, std::nullopt_t) : input_(input) {}

  const CasinoInput* file() const { return file_ ? &*file_ : nullptr; }
  // Whether CASINO's keyword applies: it is present, and our key is not.
  template <class T> bool decides(std::optional<T> CasinoInput::*value, const char* keyword, const char* path) {
    if (!file_ || !((*file_).*value)) return false;
    if (input_.has(path)) {
      overridden_[keyword] = path;
      return false;
    }
    used_.insert(keyword);
    return true;
  }
  // Sets setting to the keyword's value if it applies.
  template <class T, class V> void apply(std::optional<T> CasinoInput::*value, const char* keyword, const char* path, V& setting) {
    if (decides(value, keyword, path)) setting = static_cast<V>(*((*file_).*value));
  }
  // The key, or the keyword used instead, for error messages.
  std::string name_of(const char* path, const char* keyword) const;

  CasinoReport report() const;

private:
  const app::Input& input_;
  std::optional<CasinoInput> file_;
  std::set<std::string> used_;
  std::map<std::string, std::string> overridden_;
};

}  // namespace suite::vmc
