// SPDX-License-Identifier: BSD-3-Clause
// Parses untrusted JSON, and formats JSON documents as text.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace suite::app {

// Throws Failure (invalid argument) "old.json:12:5: ..." for invalid JSON or UTF-8, numbers out of the range of double, duplicate keys,
// and documents nested deeper or objects wider than any this program writes.
nlohmann::ordered_json parse_json(const std::string& name, const std::string& text);

// Formats a document for files and standard output: indented, with a final line feed. Invalid UTF-8, possible in file names and command
// lines, becomes U+FFFD.
std::string json_document(const nlohmann::ordered_json& document);

// For a terminal: replaces control characters except line feeds and tabs by U+FFFD.
std::string without_control(const std::string& text);

}  // namespace suite::app
