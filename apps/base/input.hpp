// SPDX-License-Identifier: BSD-3-Clause
// Input files: a YAML mapping checked against a table of keys. All errors of a file are found in one pass and printed
// with file:line:column, the line, a caret and, where one is near, the key or choice that was meant.
#pragma once

#include <array>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <suite/plugin.hpp>

namespace suite::app {

struct Document;

// Everything that is wrong with an input: what() holds one message per error, each with position, line and caret.
class InputErrors : public Failure {
public:
  // status: SUITE_NOT_FOUND where all that is wrong is a name of something that there is not.
  InputErrors(const std::string& text, size_t count, suite_status status = SUITE_INVALID_ARGUMENT) : Failure(status, text), count_(count) {}
  size_t count() const { return count_; }
  // The app whose keys the input has, once that is known.
  const std::string& app() const { return app_; }
  void set_app(const std::string& app) { app_ = app; }

private:
  size_t count_;
  std::string app_;
};

enum class Kind { integer, real, energy, length, time, boolean, text, choice, file, integers, reals, names, points, settings };

// Thrown where a value is asked for that cannot be read: an error tells so already.
struct Unreadable {};

// One key an app knows. It makes the check, `suite init` and `suite help APP`.
struct Key {
  const char* path;      // "sigma.bands"
  Kind kind;
  const char* default_text;  // as one would write it ("0.5 eV"); nullptr: required; "": optional without a value
  // For Kind::choice "gpp cohsex"; for numbers (also in lists) a range "1..100000", "0..", ">0", in eV, bohr, fs where
  // the kind has a unit; else nullptr.
  const char* choices;
  const char* meaning;   // one line
};

// An input file, read once: what is parsed is what is hashed.
struct InputText {
  std::filesystem::path file;
  std::string text;
};
// Throws IoFailure when there is no such file.
InputText read_input_text(const std::filesystem::path& file);

// What an input is for, read before its keys are known: app is set, or kernel ("gpp.sigma") for one kernel on
// generated data. Throws InputErrors when neither is, or app is not one of apps.
struct Header {
  std::string app, kernel;
};
Header read_header(const InputText& input, const std::vector<std::string>& apps, const std::vector<std::string>& overrides);

// Keys that every app's input has beside its own table: app, title, kernel.implementation, kernel.variant,
// kernel.parameters.
const std::vector<Key>& common_keys();
// Keys of an input for one kernel on generated data.
const std::vector<Key>& kernel_keys();

// A validated input. Getters return the default where the key is absent; asking for an unknown path is our bug.
class Input {
public:
  // Reads and checks; throws InputErrors with everything that is wrong.
  static Input read(const std::filesystem::path& file, const std::vector<Key>& keys, const std::vector<std::string>& overrides);
  // The same, but what is wrong is thrown by finish(), so that an app can find what else is wrong. Getters of values that cannot
  // be read throw Unreadable until then.
  static Input read_on(const InputText& input, const std::vector<Key>& keys, const std::vector<std::string>& overrides);
  // The same of a text that was made from a file of another kind, against these keys and no others.
  static Input made(const std::filesystem::path& file, const std::string& text, const std::vector<Key>& keys,
                    const std::vector<std::string>& overrides);
  bool has(const std::string& path) const;  // written by the user
  long integer(const std::string& path) const;
  int small_integer(const std::string& path) const;  // of a key whose range an int holds
  double real(const std::string& path) const;       // no unit
  double energy_eV(const std::string& path) const;  // written with Ry, Ha or eV
  double length_bohr(const std::string& path) const;
  double time_fs(const std::string& path) const;    // written with fs, as or hbar/Ha
  bool boolean(const std::string& path) const;
  std::string text(const std::string& path) const;  // also choices
  std::filesystem::path file(const std::string& path) const;  // relative paths: from the input's folder, then the installed inputs
  std::vector<long> integers(const std::string& path) const;
  std::vector<double> reals(const std::string& path) const;
  std::vector<std::string> names(const std::string& path) const;
  std::vector<std::vector<double>> points(const std::string& path) const;  // a list of rows of numbers
  std::vector<std::pair<std::string, std::string>> settings(const std::string& path) const;  // names and their values
  const std::filesystem::path& source() const;
  std::string sha256() const;  // of the file's text
  const std::vector<std::string>& overrides() const;
  // Adds an error at the position of a key, or of a name among settings ("kernel.parameters.precision"); finish() throws
  // if there are any.
  void fail(const std::string& path, const std::string& sentence, suite_status status = SUITE_INVALID_ARGUMENT) const;
  // "missing key 'rs' in 'system.jellium': WHAT", for keys that are needed only now and then.
  void fail_missing(const std::string& path, const std::string& what) const;
  // An error of each of these keys, or of a section's but `except`, that the user has written.
  void refuse(std::initializer_list<const char*> paths, const std::string& why) const;
  void refuse_section(const std::string& section, const std::string& why, const std::string& except = "") const;
  // Runs f up to the first value that cannot be read. What f finds wrong depends on nothing but what it asks for: with needs()
  // on values that it takes from elsewhere. So one mistake hides no other, and makes none.
  template <class F> void group(F&& f) const {
    try {
      f();
    } catch (const Unreadable&) {}
  }
  void needs(std::initializer_list<const char*> paths) const;
  bool sound() const;  // nothing was found wrong so far
  // Whether found is 3, as a vector needs it; else an error.
  bool need_three(const std::string& path, size_t found) const;
  // The three numbers of a list; nothing, and an error, where there are not three.
  std::optional<std::array<double, 3>> three_reals(const std::string& path) const;
  std::optional<std::array<int, 3>> three_integers(const std::string& path) const;
  // Runs f. What it throws as a Failure becomes an error of this key, the answer is false then.
  template <class F> bool holds(const std::string& path, F&& f) const {
    try {
      f();
      return true;
    } catch (const Failure& failure) {
      fail(path, failure.what());
      return false;
    }
  }
  void finish() const;

private:
  struct State;
  struct Asked;
  static Input checked(const Asked& asked, Document document);
  explicit Input(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace suite::app
