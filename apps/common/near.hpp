// SPDX-License-Identifier: BSD-3-Clause
// "did you mean": the candidate that a mistyped word was meant to be.
#pragma once

#include <string>
#include <vector>

namespace suite::app {

// The nearest candidate by edit distance (insert, delete, replace, swap of neighbours), or "" when none is near enough
// to be meant. Upper and lower case differ by less than two different letters.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

// "; did you mean 'nbands'?" or "".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

// A user's text inside a sentence: control characters replaced, long text cut, in single quotes.
std::string in_quotes(const std::string& text);

}  // namespace suite::app
