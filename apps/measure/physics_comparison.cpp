// SPDX-License-Identifier: BSD-3-Clause
#include "physics_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/core.h>

namespace suite::app::stored {
namespace {

bool is_app_run(const Result& result) { return result.schema == "result" && result.app != "kernel"; }

double error_of(const Observable& o, size_t i) { return o.errors.empty() ? 0 : o.errors[i]; }

std::string label_of(const Observable& o, size_t i) {
  if (!o.labels.empty()) return o.labels[i];
  return o.values.size() > 1 ? std::to_string(i + 1) : "";
}

// Index of the value with that label; i itself if there are no labels.
std::optional<size_t> place_of(const Observable& o, size_t i, const std::string& label) {
  if (i < o.values.size() && label_of(o, i) == label) return i;
  const auto at = std::find(o.labels.begin(), o.labels.end(), label);
  if (at == o.labels.end()) return {};
  return static_cast<size_t>(at - o.labels.begin());
}

// Amount by which a difference exceeds what is allowed; infinite if one of the numbers is NaN.
double excess(double difference, double allowed) {
  const double of = std::abs(difference) / allowed;
  return difference == 0 ? 0 : std::isnan(of) ? std::numeric_limits<double>::infinity() : of;
}

MatchedObservable matched(const Observable& before, const Observable& after, PhysicsComparison& c) {
  MatchedObservable m;
  m.name = after.name;
  m.unit = after.unit;
  m.statistical = !before.errors.empty() || !after.errors.empty();
  if (before.unit != after.unit) {
    m.why = "in " + before.unit + " before and in " + after.unit + " after";
    return m;
  }
  m.same = true;
  double worst = -1;
  for (size_t i = 0; i < after.values.size(); ++i) {
    const std::string label = label_of(after, i);
    const auto at = place_of(before, i, label);
    if (!at) {
      c.added.push_back(after.name + " " + label);
      continue;
    }
    ++m.count;
    const double difference = after.values[i] - before.values[*at];
    const double allowed =
        std::max({before.tolerance, after.tolerance, most_joint_errors * std::hypot(error_of(before, *at), error_of(after, i))});
    if (!(std::abs(difference) <= allowed)) m.same = false;
    if (const double off = excess(difference, allowed); off > worst) {
      worst = off;
      m.label = label;
      m.before = before.values[*at];
      m.after = after.values[i];
      m.difference = difference;
      m.allowed = allowed;
    }
  }
  for (size_t i = 0; i < before.values.size(); ++i)
    if (const std::string label = label_of(before, i); !place_of(after, i, label)) c.missing.push_back(before.name + " " + label);
  return m;
}

const Observable* find(const Result& result, const std::string& name) {
  for (const auto& o : result.observables)
    if (o.name == name) return &o;
  return nullptr;
}

std::string why_not(const Result& before, const Result& after) {
  for (const Result* result : {&before, &after})
    if (!is_app_run(*result)) return "the " + std::string(result == &before ? "old" : "new") + " one is not the result of an app";
  if (before.app != after.app) return "the old one is from app " + before.app + ", the new one from " + after.app;
  for (const Result* result : {&before, &after})
    if (result->observables.empty())
      return "the " + std::string(result == &before ? "old" : "new") + " one has no observables" +
             (result->status == "ok" || result->status == "failed" ? ", which earlier versions did not write"
                                                                   : ": its status is " + result->status);
  return "";
}

}  // namespace

bool PhysicsComparison::same() const {
  return missing.empty() && std::all_of(rows.begin(), rows.end(), [](const MatchedObservable& row) { return row.same; });
}

PhysicsComparison compare_physics(const Result& before, const Result& after) {
  PhysicsComparison c;
  c.of_apps = is_app_run(before) || is_app_run(after);
  c.why_not = why_not(before, after);
  if (!c.why_not.empty()) return c;
  for (const auto& o : after.observables) {
    const Observable* old = find(before, o.name);
    if (!old) {
      c.added.push_back(o.name);
      continue;
    }
    const MatchedObservable m = matched(*old, o, c);
    if (m.count > 0 || !m.why.empty()) c.rows.push_back(m);
  }
  for (const auto& o : before.observables)
    if (!find(after, o.name)) c.missing.push_back(o.name);
  if (c.rows.empty()) c.why_not = "they share no observable";
  return c;
}

std::string quantity_text(const MatchedObservable& row) {
  std::string text = row.name + (row.unit.empty() ? "" : " (" + row.unit + ")");
  if (row.count > 1) text += fmt::format(", largest deviation of {}: {}", row.count, row.label);
  else if (!row.label.empty()) text += ", " + row.label;
  return text;
}

}  // namespace suite::app::stored
