// SPDX-License-Identifier: BSD-3-Clause
// suite VERB ...: finds the verb, runs it, and turns exceptions into a message and an exit code.
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/core.h>

#include <suite/openmp_waiting.hpp>
#include <suite/plugin.hpp>
#include <suite/suite.h>

#include "base/input.hpp"
#include "common/communicator.hpp"
#include "common/io.hpp"
#include "common/json_text.hpp"
#include "documents.hpp"
#include "exit_codes.hpp"
#include "folded_output.hpp"
#include "junit.hpp"
#include "table.hpp"
#include "verbs.hpp"

namespace suite::app {

int exit_code_of(const std::exception& error) {
  if (dynamic_cast<const IoFailure*>(&error)) return exit_io;
  if (const auto* failure = dynamic_cast<const Failure*>(&error)) switch (failure->status()) {
      case SUITE_OK: return exit_ok;
      case SUITE_INVALID_ARGUMENT: return exit_usage;
      case SUITE_UNSUPPORTED:
      case SUITE_NOT_FOUND: return exit_backend;
      case SUITE_OUT_OF_MEMORY: return exit_memory;
      case SUITE_DEVICE_ERROR: return exit_device;
      case SUITE_INTERNAL: return exit_bug;
    }
  if (dynamic_cast<const std::bad_alloc*>(&error)) return exit_memory;
  if (dynamic_cast<const std::filesystem::filesystem_error*>(&error)) return exit_io;
  return exit_bug;
}

namespace {

struct FailureDocument {
  ErrorMessage error;
};

}  // namespace

template <>
inline constexpr auto fields<FailureDocument> = std::tuple{
    Constant{"schema", "suite-error-1"},
    Constant{"status", "error"},
    Field{&FailureDocument::error, "error", "", ""},
};

SchemaObject error_schema() { return schema_of<FailureDocument>(); }

namespace {

// With --json a failure is also an object on standard output; the sentence goes to standard error in either case.
int report(const std::exception& error, const std::string& sentence, bool json) {
  const int code = exit_code_of(error);
  std::cerr << sentence << "\n";
  if (json) { std::cout << json_document(json_of(FailureDocument{{code, error.what()}})) << std::flush; }
  return code;
}

}  // namespace

int report_failure(const std::exception_ptr& failure, const std::string& topic, bool json) {
  try {
    std::rethrow_exception(failure);
  } catch (const UsageError& e) {
    return report(e, std::string("suite: error: ") + e.what() + "\nsee: suite " + topic, json);
  } catch (const InputErrors& e) {
    return report(e,
                  fmt::format("{}\n{}{}; nothing was run (exit {}){}", e.what(), e.count(), e.count() == 1 ? " error" : " errors",
                              exit_code_of(e), e.app().empty() ? "" : ".   keys: suite help " + e.app()),
                  json);
  } catch (const std::bad_alloc& e) { return report(e, "suite: error: out of memory", json); } catch (const std::exception& e) {
    return report(e, std::string("suite: error: ") + e.what(), json);
  }
}

namespace {

// Warns about a requested trace or capture that was not written, or not where it was requested. `suite list` reports everything else.
void report_warnings() {
  for (const char* asked : {"SUITE_TRACE", "SUITE_CAPTURE"})
    if (const char* value = std::getenv(asked); value && *value)
      suite_warnings(
          [](void* with, const char* warning) {
            const std::string name = static_cast<const char*>(with);
            if (std::string(warning).rfind(name, 0) == 0) std::cerr << "suite: warning: " << warning << "\n";
          },
          const_cast<char*>(asked));
}

// Whether the ranks of mpirun share the work; for other verbs the first rank does everything.
bool shares_work(const Verb& verb) { return verb.run == run_verb || verb.run == bench_verb; }

// Whether long lines are broken for the reader of a terminal: not where the output is meant for programs.
bool folds(const Arguments& arguments) {
  if (arguments.verb() == "completion") return false;
  for (const char* option : {"--json", "--csv", "--man"})
    if (arguments.has(option)) return false;
  return isatty(STDOUT_FILENO) == 1;
}

int run(const std::vector<std::string>& words) {
  bool json = false;
  int code = exit_ok;
  const bool silent = launched_rank() > 0;  // one message per error: that of the first rank, whose exit code counts
  try {
    const Arguments arguments = Arguments::parse(words);
    const Verb& verb = *find_verb(arguments.verb());
    if (silent && (arguments.has("--help") || !shares_work(verb))) return exit_ok;
    if (arguments.has("--help")) {
      std::cout << verb_help(verb);
      return exit_ok;
    }
    json = arguments.has("--json");
    require_junit_place(arguments);
    const std::unique_ptr<FoldedOutput> narrow = folds(arguments) ? std::make_unique<FoldedOutput>(std::cout, stdout_columns()) : nullptr;
    code = verb.run(arguments);
    std::cout.flush();
    if (!std::cout) throw IoFailure("cannot write to standard output");
  } catch (const std::exception&) {
    if (silent) return exit_ok;
    code = report_failure(std::current_exception(), !words.empty() && find_verb(words[0]) ? words[0] + " --help" : "help", json);
  }
  report_warnings();
  return code;
}

// libgomp reads its environment before main(), and the program is linked with it: unless the user has set how threads wait, the program
// sets it and restarts itself as the same process. If that fails, it continues as it is.
void start_with_patient_threads(char** words) {
  if (openmp_waiting_is_chosen()) return;
  setenv(openmp_spin_variable, openmp_spin_count, 1);
  setenv(openmp_block_variable, openmp_block_time, 1);
  execv("/proc/self/exe", words);
}

}  // namespace
}  // namespace suite::app

int main(int count, char** words) {
  suite::app::start_with_patient_threads(words);
  // A file beyond the limit of the shell or batch job (ulimit -f) is an error of the write like a full disk, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  return suite::app::run(std::vector<std::string>(words + (count > 0), words + count));
}
