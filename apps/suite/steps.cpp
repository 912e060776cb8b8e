// SPDX-License-Identifier: BSD-3-Clause
#include "steps.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <suite/plugin.hpp>

#include "common/near.hpp"

namespace suite::app {
namespace {

[[noreturn]] void refuse(const suite_parameter& parameter, const std::string& why) {
  throw Failure(SUITE_UNSUPPORTED, std::string("the meaning of parameter ") + parameter.name + " does not describe steps: " + why);
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// "V100 1.73 s, 3.71 TFLOP"
Step::Published published_in(const std::string& fact, const suite_parameter& parameter) {
  const std::string time = fact.substr(0, fact.find(','));
  const size_t unit = time.rfind(' '), number = unit == std::string::npos || unit == 0 ? std::string::npos : time.rfind(' ', unit - 1);
  if (number == std::string::npos || time.substr(unit) != " s") refuse(parameter, "in [...] there is " + in_quotes(fact));
  char* end = nullptr;
  const double seconds = std::strtod(time.c_str() + number, &end);
  if (end != time.c_str() + unit || !(seconds > 0)) refuse(parameter, "in [...] there is " + in_quotes(fact));
  return {time.substr(0, number), seconds, fact};
}

Direction direction_named(const std::string& name) {
  for (const Direction d : {Direction::faster, Direction::same, Direction::slower})
    if (name == name_of(d)) return d;
  return Direction::unknown;
}

void read_facts(Step& step, const std::string& facts, const suite_parameter& parameter) {
  std::istringstream stream(facts);
  for (std::string fact; std::getline(stream, fact, ';');) {
    fact = trimmed(fact);
    if (fact.rfind("after ", 0) == 0) {
      step.after = trimmed(fact.substr(6));
    } else if (const Direction d = direction_named(fact); d != Direction::unknown) {
      step.expected = d;
      step.expectation = fact;
    } else {
      step.published.push_back(published_in(fact, parameter));
    }
  }
}

// What the published times say, device by device.
void expect(Step& step, const Step& before) {
  if (step.expected != Direction::unknown) return;
  std::vector<std::pair<std::string, Direction>> said;
  for (const auto& p : step.published)
    for (const auto& q : before.published)
      if (p.device == q.device) said.emplace_back(p.device, direction_of(p.seconds, q.seconds));
  if (said.empty()) return;
  const bool agreed = std::all_of(said.begin(), said.end(), [&](const auto& s) { return s.second == said.front().second; });
  if (agreed) {
    step.expected = said.front().second;
    step.expectation = name_of(step.expected);
    return;
  }
  for (const auto& [device, direction] : said) step.expectation += (step.expectation.empty() ? "" : ", ") + std::string(name_of(direction)) + " (" + device + ")";
}

}  // namespace

const char* name_of(Direction direction) {
  switch (direction) {
    case Direction::faster: return "faster";
    case Direction::same: return "same";
    case Direction::slower: return "slower";
    case Direction::unknown: break;
  }
  return "";
}

Direction direction_of(double seconds, double before) {
  constexpr double matters = 0.03;
  const double ratio = seconds / before;
  return ratio < 1 - matters ? Direction::faster : ratio > 1 + matters ? Direction::slower : Direction::same;
}

std::vector<Step> steps_of(const suite_parameter& parameter) {
  if (!parameter.choices) refuse(parameter, "it is a number, not a choice");
  std::vector<Step> steps;
  std::istringstream meaning(parameter.meaning ? parameter.meaning : "");
  for (const char* const* choice = parameter.choices; *choice; ++choice) {
    const std::string name = *choice;
    std::string line;
    if (!std::getline(meaning, line) || line.rfind(name + ":", 0) != 0) refuse(parameter, "no line for " + in_quotes(name) + ", or not in the order of the choices");
    Step step;
    step.name = name;
    step.sentence = trimmed(line.substr(name.size() + 1));
    if (const size_t bracket = step.sentence.rfind('['); bracket != std::string::npos && step.sentence.back() == ']') {
      read_facts(step, step.sentence.substr(bracket + 1, step.sentence.size() - bracket - 2), parameter);
      step.sentence = trimmed(step.sentence.substr(0, bracket));
    }
    const Step* before = steps.empty() ? nullptr : &steps.back();
    if (!step.after.empty()) {
      const auto named = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.name == step.after; });
      if (named == steps.end()) refuse(parameter, in_quotes(name) + " comes after " + in_quotes(step.after) + ", which is no step before it");
      before = &*named;
    }
    if (before) {
      step.after = before->name;
      expect(step, *before);
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace suite::app
