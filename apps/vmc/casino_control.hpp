// SPDX-License-Identifier: BSD-3-Clause
// What CASINO's `input` says of the run beside the system: which of its keywords act, which the keys of our
// own input go before, and which do nothing.
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

// For the reader. Every keyword of the file that is not of the system is in one of the lists.
struct CasinoReport {
  std::filesystem::path file;  // empty: the input names none
  std::vector<std::string> used;
  std::map<std::string, std::string> overridden;  // keyword: the key of our input that goes before it
  std::vector<std::string> unused;                // of methods other than that of the run
  std::vector<std::string> ignored;               // without a meaning here

  bool any() const { return !file.empty(); }
  std::string text() const;  // lines of the head of a run
  std::vector<std::string> warnings() const;
};

// Values that keys of our input leave to CASINO's; and the account of it.
class CasinoControl {
public:
  // Reads the file that system.casino_input names, if any. Throws app::InputErrors.
  explicit CasinoControl(const app::Input& input);
  // Of a file that cannot be read: no keyword decides.
  CasinoControl(const app::Input& input, std::nullopt_t) : input_(input) {}

  const CasinoInput* file() const { return file_ ? &*file_ : nullptr; }
  // Whether CASINO's keyword decides: it is there, and the key is not.
  template <class T> bool decides(std::optional<T> CasinoInput::*value, const char* keyword, const char* path) {
    if (!file_ || !((*file_).*value)) return false;
    if (input_.has(path)) {
      overridden_[keyword] = path;
      return false;
    }
    used_.insert(keyword);
    return true;
  }
  // What the keyword says, where it decides, in place of what the key says.
  template <class T, class V> void apply(std::optional<T> CasinoInput::*value, const char* keyword, const char* path, V& setting) {
    if (decides(value, keyword, path)) setting = static_cast<V>(*((*file_).*value));
  }
  // The key, or the keyword in its place, as what is wrong with it is said of.
  std::string name_of(const char* path, const char* keyword) const;

  CasinoReport report() const;

private:
  const app::Input& input_;
  std::optional<CasinoInput> file_;
  std::set<std::string> used_;
  std::map<std::string, std::string> overridden_;
};

}  // namespace suite::vmc
