// SPDX-License-Identifier: BSD-3-Clause
// suite VERB ...: finds the verb, runs it, turns what it throws into a message and an exit code.
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <suite/plugin.hpp>

#include "common/input.hpp"
#include "common/io.hpp"
#include "exit_codes.hpp"
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

int run(const std::vector<std::string>& words) {
  try {
    const Arguments arguments = Arguments::parse(words);
    const Verb& verb = *find_verb(arguments.verb());
    if (arguments.has("--help")) {
      std::cout << verb_help(verb);
      return exit_ok;
    }
    const int code = verb.run(arguments);
    std::cout.flush();
    if (!std::cout) throw IoFailure("cannot write to standard output");
    return code;
  } catch (const UsageError& e) {
    std::cerr << "suite: error: " << e.what() << "\n";
    const bool known = !words.empty() && find_verb(words[0]);
    std::cerr << "see: suite " << (known ? words[0] + " --help" : "help") << "\n";
    return exit_usage;
  } catch (const InputErrors& e) {
    std::cerr << e.what() << "\n" << e.count() << (e.count() == 1 ? " error" : " errors") << "; nothing was run (exit " << exit_usage << ")\n";
    return exit_usage;
  } catch (const std::bad_alloc&) {
    std::cerr << "suite: error: out of memory\n";
    return exit_memory;
  } catch (const std::exception& e) {
    std::cerr << "suite: error: " << e.what() << "\n";
    return exit_code_of(e);
  }
}

}  // namespace
}  // namespace suite::app

int main(int count, char** words) { return suite::app::run(std::vector<std::string>(words + (count > 0), words + count)); }
