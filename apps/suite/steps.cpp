// SPDX-License-Identifier: BSD-3-Clause
#include "steps.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::app {
namespace {

bool is_time(const suite_published& p) { return !std::strcmp(p.unit, "s"); }

std::string number_text(const suite_published& p) {
  return (p.low == p.high ? fmt::format("{:.6g}", p.low) : fmt::format("{:.6g} to {:.6g}", p.low, p.high)) + " " + p.unit;
}

// Sets the expectation from the published times, device by device.
void expect(Step& step, const Step& before) {
  step.expected = static_cast<suite_effect>(step.choice.expected);
  step.expectation = name_of(step.expected);
  if (step.expected != SUITE_UNKNOWN) return;
  std::vector<std::pair<std::string, suite_effect>> said;
  for (const auto& p : by_device(step.published()))
    for (const auto& q : by_device(before.published()))
      if (p.device == q.device && p.seconds > 0 && q.seconds > 0) said.emplace_back(p.device, effect_of(p.seconds, q.seconds));
  if (said.empty()) return;
  const bool agreed = std::all_of(said.begin(), said.end(), [&](const auto& s) { return s.second == said.front().second; });
  if (agreed) {
    step.expected = said.front().second;
    step.expectation = name_of(step.expected);
    return;
  }
  for (const auto& [device, effect] : said)
    step.expectation += (step.expectation.empty() ? "" : ", ") + std::string(name_of(effect)) + " (" + device + ")";
}

}  // namespace

const char* name_of(suite_effect effect) {
  switch (effect) {
    case SUITE_FASTER: return "faster";
    case SUITE_SAME: return "same";
    case SUITE_SLOWER: return "slower";
    case SUITE_UNKNOWN: break;
  }
  return "";
}

suite_effect effect_of(double seconds, double before) {
  constexpr double matters = 0.03;
  const double ratio = seconds / before;
  return ratio < 1 - matters ? SUITE_FASTER : ratio > 1 + matters ? SUITE_SLOWER : SUITE_SAME;
}

std::vector<PublishedFor> by_device(std::span<const suite_published> published) {
  std::vector<PublishedFor> devices;
  for (const suite_published& p : published) {
    const auto known = std::find_if(devices.begin(), devices.end(), [&](const PublishedFor& d) { return d.device == p.device; });
    const bool first = known == devices.end();
    PublishedFor& device = first ? devices.emplace_back(PublishedFor{p.device, 0, p.device}) : *known;
    device.text += (first ? " " : ", ") + number_text(p);
    if (is_time(p)) device.seconds = (p.low + p.high) / 2;
  }
  return devices;
}

std::string published_text(std::span<const suite_published> published) {
  std::string text;
  for (const auto& device : by_device(published)) text += (text.empty() ? "" : "; ") + device.text;
  return text;
}

std::vector<Step> steps_of(const suite_parameter& parameter) {
  if (!parameter.choices)
    throw Failure(SUITE_UNSUPPORTED, std::string("parameter ") + parameter.name + " does not describe steps: it is a number, not a choice");
  std::vector<Step> steps;
  for (const suite_choice& choice : std::span(parameter.choices, parameter.choice_count)) {
    Step step;
    step.choice = choice;
    const Step* before = steps.empty() ? nullptr : &steps.back();
    if (choice.after)
      before = &*std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return !std::strcmp(s.choice.name, choice.after); });
    if (before) {
      step.after = before->choice.name;
      expect(step, *before);
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace suite::app
