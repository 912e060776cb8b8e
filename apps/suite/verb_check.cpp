// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <sstream>

#include "exit_codes.hpp"
#include "session.hpp"
#include "verbs.hpp"

namespace suite::app {

int check_verb(const Arguments& arguments) {
  apply_environment(arguments);
  std::ostringstream about;
  const Loaded loaded = load_input(arguments, about);
  if (arguments.has("--quiet")) return exit_ok;
  std::cout << loaded.input.source().string() << ": ok (" << (loaded.app ? std::string("app ") + loaded.app->name() : "kernel " + loaded.kernel) << ")\n"
            << about.str();
  return exit_ok;
}

}  // namespace suite::app
