// SPDX-License-Identifier: BSD-3-Clause
// Converts values of input keys from text to numbers, with range (quantity.hpp: those with a unit). Each reader returns the value, or nullopt and a problem: the
// end of a sentence that starts with the key's name ("needs a unit (Ry, Ha, eV); got '12'").
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "input.hpp"
#include "yaml.hpp"

namespace suite::app {

std::optional<long> read_integer(const Node& node, std::string& problem);
std::optional<double> read_real(const Node& node, std::string& problem);
// A number as text, without a unit.
std::optional<double> parse_real(const std::string& text, std::string& problem);
std::optional<bool> read_boolean(const Node& node, std::string& problem);
std::optional<std::string> read_text(const Node& node, std::string& problem);
// at: set to the item that has the problem.
std::optional<std::vector<long>> read_integers(const Node& node, std::string& problem, const Node*& at);
std::optional<std::vector<double>> read_reals(const Node& node, std::string& problem, const Node*& at);
std::optional<std::vector<std::string>> read_names(const Node& node, std::string& problem, const Node*& at);
std::optional<std::vector<std::vector<double>>> read_points(const Node& node, std::string& problem, const Node*& at);
std::optional<std::vector<std::pair<std::string, std::string>>> read_settings(const Node& node, std::string& problem, const Node*& at);

std::vector<std::string> split_choices(const char* choices);
// Returns "" or the problem of a number of this key: "must be 1..100000; got '0'".
std::string check_range(double value, const Key& key, const std::string& text);
// "1..100000", "above 0 eV", or "".
std::string describe_range(const Key& key);
// Returns "integer, 1..100000" or "energy (Ry, Ha, eV), above 0 eV", for help and for missing keys.
std::string describe_kind(const Key& key);

}  // namespace suite::app
