// SPDX-License-Identifier: BSD-3-Clause
// The command line as data: tables of verbs and options, from which help, parsing and error messages are generated.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <suite/plugin.hpp>

namespace suite::app {

struct Option {
  const char* name;     // "--implementation"
  const char* value;    // "NAME"; nullptr for an option without value
  const char* verbs;    // "run bench"; "" for all verbs
  const char* meaning;  // one line
  bool repeated = false;
};
const std::vector<Option>& options();
bool applies(const Option& option, const std::string& verb);

class Arguments;

struct Verb {
  const char* name;
  const char* arguments;  // "FILE.yaml"
  size_t least, most;     // positional arguments
  const char* summary;
  const char* details;  // paragraphs for `suite VERB --help`
  int (*run)(const Arguments&);
};
const std::vector<Verb>& verbs();
const Verb* find_verb(const std::string& name);

// An error on the command line; exit code 2.
class UsageError : public Failure {
public:
  explicit UsageError(const std::string& sentence) : Failure(SUITE_INVALID_ARGUMENT, sentence) {}
};

class Arguments {
public:
  // words: argv without the program name. Throws UsageError.
  static Arguments parse(const std::vector<std::string>& words);
  const std::string& verb() const { return verb_; }
  const std::vector<std::string>& positional() const { return positional_; }
  bool has(const std::string& option) const { return values_.count(option) > 0; }
  std::string get(const std::string& option, const std::string& otherwise = "") const;
  std::vector<std::string> all(const std::string& option) const;
  // A whole number in [low, high]; throws UsageError.
  long number(const std::string& option, long otherwise, long low, long high) const;
  const std::vector<std::string>& words() const { return words_; }

private:
  std::string verb_;
  std::vector<std::string> positional_, words_;
  std::map<std::string, std::vector<std::string>> values_;
};

// Splits "a,b,./c.so" at commas; empty parts are refused.
std::vector<std::string> split_list(const std::string& list, const std::string& option);

}  // namespace suite::app
