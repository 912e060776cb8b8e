// SPDX-License-Identifier: BSD-3-Clause
// JSON from anywhere, made into a document without belief in it; and documents made into text.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace suite::app {

// Throws Failure (invalid argument) "old.json:12:5: ..." for what is no JSON or no UTF-8, numbers that no
// double holds, keys that stand twice, and documents nested deeper or objects wider than any of ours.
nlohmann::ordered_json parse_json(const std::string& name, const std::string& text);

// The document as files and standard output have it: indented, a line feed at its end. Bytes that are no UTF-8 become
// U+FFFD: names of files and words of a command line may hold any.
std::string json_document(const nlohmann::ordered_json& document);

// For a terminal: control characters become U+FFFD, but for line feeds and tabs.
std::string without_control(const std::string& text);

}  // namespace suite::app
