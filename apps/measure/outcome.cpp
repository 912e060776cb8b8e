// SPDX-License-Identifier: BSD-3-Clause
#include "outcome.hpp"

#include <cmath>

#include <fmt/core.h>

#include "fields_json.hpp"
#include "result_fields.hpp"

namespace suite::app {
namespace {

std::string broken_sentence(const ConsistencyCheck& check) {
  const std::string unit = check.unit.empty() ? "" : " " + check.unit;
  return check.name + ": off by " + fmt::format("{:.3g}", check.deviation) + unit + ", more than " + fmt::format("{:.3g}", check.bound) +
         unit + (check.meaning.empty() ? "" : "; " + check.meaning);
}

}  // namespace

bool ConsistencyCheck::holds() const { return std::abs(deviation) <= bound; }

std::vector<std::string> warning_sentences(const Outcome& outcome) {
  std::vector<std::string> sentences;
  for (const auto& check : outcome.checks)
    if (!check.holds()) sentences.push_back(broken_sentence(check));
  sentences.insert(sentences.end(), outcome.warnings.begin(), outcome.warnings.end());
  return sentences;
}

void checked(const stored::Value& from, ConsistencyCheck& check) {
  if (!from["deviation"]) check.deviation = std::nan("");
}

void checked(const stored::Value& from, Observable& observable) {
  const size_t n = observable.values.size();
  if (observable.name.empty()) from.fail("has no key 'name'");
  if (n == 0) from.fail("has no values");
  const auto need_each = [&](const char* key, size_t found) {
    if (found != 0 && found != n) from.fail(fmt::format("has {} values and {} {}", n, found, key));
  };
  need_each("labels", observable.labels.size());
  need_each("errors", observable.errors.size());
}

}  // namespace suite::app
