// SPDX-License-Identifier: BSD-3-Clause
// Input files: a YAML mapping checked against a table of keys. All errors of a file are found in one pass and printed
// with file:line:column, the line, a caret and, where one is near, the key or choice that was meant.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace suite::app {

enum class Kind { integer, real, energy, length, time, boolean, text, choice, file, integers, points };

// One key an app knows. It makes the check, `suite init` and `suite help APP`.
struct Key {
  const char* path;      // "sigma.bands"
  Kind kind;
  const char* standard;  // as one would write it ("0.5 eV"); nullptr: required; "": optional without a value
  const char* choices;   // for Kind::choice: "gpp cohsex"; for numbers a range "1..100000"; else nullptr
  const char* meaning;   // one line
};

// A validated input. Getters return the standard where the key is absent; asking for an unknown path is our bug.
class Input {
public:
  // Reads and checks; throws InputErrors with everything that is wrong.
  static Input read(const std::filesystem::path& file, const std::vector<Key>& keys, const std::vector<std::string>& overrides);
  bool has(const std::string& path) const;  // written by the user
  long integer(const std::string& path) const;
  double real(const std::string& path) const;       // no unit
  double energy_eV(const std::string& path) const;  // written with Ry, Ha or eV
  double length_bohr(const std::string& path) const;
  double time_fs(const std::string& path) const;
  bool boolean(const std::string& path) const;
  std::string text(const std::string& path) const;  // also choices
  std::filesystem::path file(const std::string& path) const;  // relative paths: from the input's folder, then the installed inputs
  std::vector<long> integers(const std::string& path) const;
  std::vector<std::vector<double>> points(const std::string& path) const;  // a list of rows of numbers
  const std::filesystem::path& source() const;
  std::string sha256() const;
  // Adds an error at a key's position; finish() throws if there are any.
  void fail(const std::string& path, const std::string& sentence) const;
  void finish() const;

private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace suite::app
