// SPDX-License-Identifier: BSD-3-Clause
#include "outcome.hpp"

#include <cmath>

#include "print.hpp"

namespace suite::app {
namespace {

using nlohmann::ordered_json;

ordered_json check_json(const ConsistencyCheck& check) {
  return {{"name", check.name},
          {"deviation", check.deviation},
          {"bound", check.bound},
          {"unit", check.unit},
          {"verdict", check.holds() ? "holds" : "broken"},
          {"meaning", check.meaning}};
}

ordered_json observable_json(const Observable& observable) {
  ordered_json j{{"name", observable.name}, {"unit", observable.unit}, {"values", observable.values}};
  if (!observable.labels.empty()) j["labels"] = observable.labels;
  j["tolerance"] = observable.tolerance;
  if (!observable.errors.empty()) j["errors"] = observable.errors;
  return j;
}

std::string broken_sentence(const ConsistencyCheck& check) {
  const std::string unit = check.unit.empty() ? "" : " " + check.unit;
  return check.name + ": off by " + print("%.3g", check.deviation) + unit + ", more than " +
         print("%.3g", check.bound) + unit + (check.meaning.empty() ? "" : "; " + check.meaning);
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

void add_outcome(const Outcome& outcome, ordered_json& result) {
  result["consistency"] = ordered_json::array();
  for (const auto& check : outcome.checks) result["consistency"].push_back(check_json(check));
  result["observables"] = ordered_json::array();
  for (const auto& observable : outcome.observables)
    result["observables"].push_back(observable_json(observable));
  result["warnings"] = warning_sentences(outcome);
}

}  // namespace suite::app
