// SPDX-License-Identifier: BSD-3-Clause
// Completion scripts for shells, made from the tables of verbs and options.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

// What may stand for an argument or a value of the tables.
struct Completions {
  std::vector<std::string> words;  // as they are
  std::vector<std::string> asked;  // names that `suite completion` is asked for: "kernels"
  bool files = false, folders = false;
  bool list = false;  // several, with commas between them
};
// text: "FILE.yaml|KERNEL", "DIR", "all|A,B,...". option: "--implementations" or "".
Completions completions(const std::string& text, const std::string& option = "");

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace suite::app
