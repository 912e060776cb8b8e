// SPDX-License-Identifier: BSD-3-Clause
#include "row.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "fields_json.hpp"
#include "row_fields.hpp"

namespace suite::app {

Interval interval_of(const Comparison& c) { return {c.ratio.median, c.ratio.low, c.ratio.high, c.p}; }

double Row::total_s() const {
  double total = 0;
  for (const double s : samples_s) total += s;
  return total;
}

double Row::per_run(double summed) const { return samples_s.empty() ? 0 : summed / static_cast<double>(samples_s.size()); }

Merit Row::merit_per_run() const {
  Merit of_one = merit;
  of_one.count = per_run(merit.count);
  return of_one;
}

std::string Row::label() const { return name + (variant.empty() ? "" : " " + variant) + parameters_text(parameters); }

std::optional<double> Row::flops_of_step() const { return time ? std::optional(flops_per_run()) : std::nullopt; }
std::optional<double> Row::bytes_of_step() const { return time ? std::optional(bytes_per_run()) : std::nullopt; }
std::optional<Merit> Row::merit_of_step() const { return time ? std::optional(merit_per_run()) : std::nullopt; }
std::optional<std::string> Row::better_of_step() const { return time ? std::optional<std::string>("lower") : std::nullopt; }

void Row::conclude() {
  if (samples_s.empty()) return;
  time = estimate(samples_s);
  const double median_s = std::max(time->median, 1e-12);  // the clock may show 0 for something very short
  flop_per_s = flops_per_run() / median_s;
  merit.per_s = merit_per_run().count / median_s;
}

namespace {

void require_inside(const stored::Value& median, double value, double low, double high) {
  if (!(low <= value && value <= high)) median.fail(fmt::format("is {:.6g}, outside its interval from {:.6g} to {:.6g}", value, low, high));
}

}  // namespace

void read_from(const stored::Value& from, Parameters& into) {
  Parameters all;
  for (const auto& [name, value] : from.members()) {
    if (name.size() > name_limits.longest) value.fail(fmt::format("has a name of more than {} bytes", name_limits.longest));
    all.push_back({name, value.is_number() ? fmt::format("{:.17g}", value.number()) : value.text(name_limits.longest)});
  }
  into = std::move(all);
}

void checked(const stored::Value& from, Interval& interval) {
  require_inside(from["median"], interval.median, interval.low, interval.high);
}

void checked(const stored::Value& from, Verification& verification) {
  if (!from["status"]) from["status"].fail_type("text");
  if (!from["max_relative_error"]) verification.max_relative_error = INFINITY;
}

void checked(const stored::Value& from, Row& row) {
  row.place = from.place();
  if (row.step) {  // files store the counts of one run
    const auto n = static_cast<double>(row.samples_s.size());
    row.variant = row.step->name;
    row.flops = n * from["flops"].number_or(0);
    row.bytes = n * from["bytes"].number_or(0);
    if (const auto merit = from["merit"]) {
      read_fields(merit, row.merit);
      row.merit.count *= n;
    }
  }
  row.lower_is_better = from["better"].text_or("lower") != "higher";
  const Estimate found = estimate(row.samples_s);
  if (row.time) {
    require_inside(from["median_s"], row.time->median, row.time->low, row.time->high);
    row.time->interval = row.samples_s.empty() || found.interval;
  } else if (!row.samples_s.empty()) {
    row.time = found;
  }
}

}  // namespace suite::app
