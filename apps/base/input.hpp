// SPDX-License-Identifier: BSD-3-Clause
// Input files: a YAML mapping checked against a table of keys. All errors of a file are found in one pass and printed with
// file:line:column, the line, a caret and, if there is a near match, the intended key or choice.
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
struct Position;
struct Quantity;
struct Unit;

// All errors of an input; what() holds one message per error, each with position, line and caret.
class InputErrors : public Failure {
public:
  // status: SUITE_NOT_FOUND if every error is about a name that does not exist.
  InputErrors(const std::string& text, size_t count, suite_status status = SUITE_INVALID_ARGUMENT) : Failure(status, text), count_(count) {}
  size_t count() const { return count_; }
  // The app the input is for; empty until it is known.
  const std::string& app() const { return app_; }
  void set_app(const std::string& app) { app_ = app; }

private:
  size_t count_;
  std::string app_;
};

// The kinds of the second line are numbers with a unit (quantity.hpp), those of the third are lists of them; positions are rows of lengths.
// clang-format off
enum class Kind { integer, real, boolean, text, choice, file, integers, reals, names, points, settings,
                  energy, length, time, area, wave_number, electric_field, intensity, angle, memory, energy_volume,
                  energies, lengths, times, positions };
// clang-format on

// Thrown by getters for a value that cannot be read; the error has already been reported.
struct Unreadable {};

// One input key of an app. `suite init`, `suite help APP` and the checks are generated from the table of keys.
struct Key {
  const char* path;  // "sigma.bands"
  Kind kind;
  const char* default_text;  // as a user would write it ("0.5 eV"); nullptr: required; "": optional without a value
  // For Kind::choice, the names: "gpp cohsex". For numbers (also in lists), a range "1..100000", "0..", ">0", in the canonical unit if
  // the kind has a unit. Otherwise nullptr.
  const char* choices;
  const char* meaning;  // one line
  // What a number without a unit means, if this kind has one. Inputs older than the rule that every such value carries its unit: taken in
  // this unit, with a warning.
  const char* former_unit = nullptr;
  // Lists: the key of the same section that names the unit of its lists ("system.unit").
  const char* unit_key = nullptr;
};

// The text of an input file, read once, so that the text parsed is the text hashed.
struct InputText {
  std::filesystem::path file;
  std::string text;
};
// Throws IoFailure if the file does not exist.
InputText read_input_text(const std::filesystem::path& file);

// What an input is for, read before its keys are known: sets app, or kernel ("gpp.sigma") for a single kernel on generated data.
// Throws InputErrors if neither is present or app is not one of apps.
struct Header {
  std::string app, kernel;
};
Header read_header(const InputText& input, const std::vector<std::string>& apps, const std::vector<std::string>& overrides);

// Keys accepted in every app's input: app, title, kernel.implementation, kernel.variant, kernel.parameters.
const std::vector<Key>& common_keys();
// Keys of an input for a single kernel on generated data.
const std::vector<Key>& kernel_keys();

// A validated input. Getters return the default if the key is absent; requesting an unknown path is a programming error.
class Input {
public:
  // Reads and checks; throws InputErrors with all errors.
  static Input read(const std::filesystem::path& file, const std::vector<Key>& keys, const std::vector<std::string>& overrides);
  // Defers the errors to finish(), so that an app can add its own. Until then getters of unreadable values throw Unreadable.
  static Input read_on(const InputText& input, const std::vector<Key>& keys, const std::vector<std::string>& overrides);
  // As read_on, for a text generated from a file in another format; accepts these keys only.
  static Input made(const std::filesystem::path& file, const std::string& text, const std::vector<Key>& keys,
                    const std::vector<std::string>& overrides);
  bool has(const std::string& path) const;  // whether the user wrote it
  long integer(const std::string& path) const;
  int small_integer(const std::string& path) const;  // for a key whose range fits into an int
  double real(const std::string& path) const;  // dimensionless
  double energy_eV(const std::string& path) const;
  double length_bohr(const std::string& path) const;
  double time_fs(const std::string& path) const;
  // Values of any kind with a unit, in this unit. What is written in it is returned without rounding.
  double quantity(const std::string& path, const std::string& unit) const;
  std::vector<double> quantities(const std::string& path, const std::string& unit) const;
  std::vector<std::vector<double>> positions_bohr(const std::string& path) const;  // of a table
  bool boolean(const std::string& path) const;
  std::string text(const std::string& path) const;  // also choices
  std::filesystem::path file(const std::string& path) const;  // relative paths: against the input's folder, then the installed inputs
  std::vector<long> integers(const std::string& path) const;
  std::vector<double> reals(const std::string& path) const;
  std::vector<std::string> names(const std::string& path) const;
  std::vector<std::vector<double>> points(const std::string& path) const;  // a list of rows of numbers
  std::vector<std::pair<std::string, std::string>> settings(const std::string& path) const;  // name-value pairs
  const std::filesystem::path& source() const;
  std::string sha256() const;  // of the file's text
  const std::vector<std::string>& overrides() const;
  // Adds an error at the position of a key, or of a name among settings ("kernel.parameters.precision"); finish() throws it.
  void fail(const std::string& path, const std::string& sentence, suite_status status = SUITE_INVALID_ARGUMENT) const;
  // Reports "missing key 'rs' in 'system.jellium': WHAT", for keys that are required only in some cases.
  void fail_missing(const std::string& path, const std::string& what) const;
  // Reports an error for each of these keys, or for each key of a section except `except`, that the user has written.
  void refuse(std::initializer_list<const char*> paths, const std::string& why) const;
  void refuse_section(const std::string& section, const std::string& why, const std::string& except = "") const;
  // Runs f up to the first value that cannot be read. f must depend only on values it reads itself or declares with needs(): then one
  // error neither hides others nor causes further ones.
  template <class F> void group(F&& f) const {
    try {
      f();
    } catch (const Unreadable&) {}
  }
  void needs(std::initializer_list<const char*> paths) const;
  bool sound() const;  // whether no error has been found so far
  // Returns whether found is 3, as a vector needs; otherwise reports an error.
  bool need_three(const std::string& path, size_t found) const;
  // Returns the three numbers of a list; reports an error and returns nullopt if there are not three.
  std::optional<std::array<double, 3>> three_reals(const std::string& path) const;
  std::optional<std::array<double, 3>> three_quantities(const std::string& path, const std::string& unit) const;
  std::optional<std::array<int, 3>> three_integers(const std::string& path) const;
  // Runs f. A Failure it throws is reported as an error of this key; returns false in that case.
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
  // Adds a warning at the position of a key. It stops nothing.
  void warn(const std::string& path, const std::string& sentence) const;
  // The warnings found so far, as text for standard error; empty without one.
  std::string warnings() const;

private:
  struct State;
  struct Asked;
  static Input checked(const Asked& asked, Document document);
  Position position_of(const std::string& path) const;
  double canonical(const std::string& path, Kind kind) const;
  std::vector<double> converted(const std::string& path, const std::string& unit) const;
  std::optional<Unit> unit_of(const Quantity& quantity, const Key& key) const;
  explicit Input(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace suite::app
