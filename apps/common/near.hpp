// SPDX-License-Identifier: BSD-3-Clause
// "did you mean": the candidate nearest to a mistyped word.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

// The nearest candidate by edit distance (insert, delete, replace, swap of neighbours), or "" if none is near enough. A difference in
// case counts half.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

// "; did you mean 'nbands'?" or "".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

// Quotes a user's text for a message: control characters replaced, long text truncated, in single quotes.
std::string in_quotes(const std::string& text);

// As a word of a shell's command line, such as a file in a command that a user is told to run: in single quotes where a shell would
// divide or change it.
std::string shell_word(const std::string& text);

}  // namespace suite::app
