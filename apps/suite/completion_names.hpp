// SPDX-License-Identifier: BSD-3-Clause
// The names that completion scripts ask for: `suite completion TOPIC -- WORDS`, where WORDS are the command line so far.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

struct NameTopic {
  const char* name;
  // words: the line behind "suite", the word to be completed last; may be empty.
  std::vector<std::string> (*names)(const std::vector<std::string>& words);
};
const std::vector<NameTopic>& name_topics();

}  // namespace suite::app
