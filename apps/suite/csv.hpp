// SPDX-License-Identifier: BSD-3-Clause
// The rows of a document as comma-separated values (RFC 4180, with line feeds). The columns are the keys of the document, so that --csv and --json use one
// set of names; those of a nested object are joined by a point: "ratio.low".
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace suite::app {

// A document of any command that prints a table. Lists, such as all samples, are left out unless they hold texts, which are joined by
// spaces.
std::string csv_of(const nlohmann::ordered_json& document);

}  // namespace suite::app
