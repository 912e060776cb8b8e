// SPDX-License-Identifier: BSD-3-Clause
// Completion scripts for shells, generated from the tables of verbs and options.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

// Possible completions of an argument or a value.
struct Completions {
  std::vector<std::string> words;  // literal words
  std::vector<std::string> asked;  // names obtained from `suite completion`: "kernels"
  bool files = false, folders = false;
  bool any_file = false;
  std::vector<std::string> endings;  // of files; empty: any
  bool pairs = false;  // the names obtained are NAME=VALUE, or NAME= where a value is to follow
  bool list = false;  // several values, separated by commas
};
// text: "FILE.yaml|KERNEL", "DIR", "all|A,B,...". option: "--implementations" or "".
Completions completions(const std::string& text, const std::string& option = "");

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace suite::app
