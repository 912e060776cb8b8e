// SPDX-License-Identifier: BSD-3-Clause
// Is it right? Kernels compared with the reference, an app's results with the laws they must obey, and its numbers with published ones.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "common/quantities.hpp"
#include "chart.hpp"
#include "sections.hpp"

namespace suite::report {
namespace {

using app::PublishedCheck;

struct Tally {
  size_t verified = 0, failed = 0, unchecked = 0, matched = 0, missed = 0, held = 0, broken = 0;
  double worst = 0;
  bool stopped = false;  // a run interrupted before its results
};

Tally tally_of(const std::vector<Source>& sources) {
  Tally t;
  for (const auto& s : sources) {
    t.stopped = t.stopped || s.result.status == "error" || s.result.status == "interrupted";
    for (const auto& row : s.result.rows) {
      ++(row.verification.verified() ? t.verified : row.failed() ? t.failed : t.unchecked);
      if (row.verification.verified()) t.worst = std::max(t.worst, row.verification.max_relative_error);
    }
    for (const auto& check : s.result.checks) ++(check.verdict == "ok" ? t.matched : t.missed);
    for (const auto& law : s.result.consistency) ++(law.holds() ? t.held : t.broken);
  }
  return t;
}

void answer(const Tally& t, Section& section) {
  const size_t wrong = t.failed + t.missed + t.broken, right = t.verified + t.matched + t.held;
  section.bad = wrong > 0 || t.stopped;
  section.answer = wrong > 0         ? fmt::format("No: {} wrong", wrong)
                   : t.stopped       ? "Not finished"
                   : right == 0      ? "Not checked"
                   : t.unchecked > 0 ? "Yes, as far as checked"
                                     : "Yes";
  const size_t rows = t.verified + t.failed + t.unchecked, numbers = t.matched + t.missed;
  std::string& because = section.because;
  if (rows > 0) {
    because = fmt::format("{} of {} verified against the reference", t.verified, app::counted(rows, "row"));
    if (t.verified > 0) because += ", largest relative difference " + app::scientific(t.worst);
    if (t.failed > 0) because += fmt::format("; {} FAILED", t.failed);
    if (t.unchecked > 0) because += fmt::format("; {} not checked in this run", t.unchecked);
    because += ". ";
  }
  if (t.held + t.broken > 0)
    because += fmt::format("{} of {} conservation laws, sum rules and symmetries hold. ", t.held, t.held + t.broken);
  if (numbers > 0)
    because +=
        fmt::format("{} of {} with published numbers.", t.matched, app::counted(numbers, "number") + (numbers == 1 ? " agrees" : " agree"));
  if (because.empty()) because = "Nothing on this page was verified.";
}

Html verification(const Row& row) {
  if (row.verification.verified()) return good("✓ verified");
  if (row.failed()) return bad("✗ FAILED");
  return dim("– not checked");
}

// The value shared by all rows, shown once above them.
std::string shared(const std::vector<Row>& rows, std::string Row::*what) {
  const std::string& first = rows.front().*what;
  return std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return row.*what == first; }) ? first : "";
}

Html rows_table(const Result& result) {
  const std::string device = shared(result.rows, &Row::device), size = shared(result.rows, &Row::size);
  Table t{"Kernels compared with the reference implementation",
          columns("kernel|implementation|against the reference|>largest relative difference"),
          {}};
  if (!size.empty()) t.caption += ", at size " + size;
  if (!device.empty()) t.caption += ", on " + device;
  std::set<std::string> named;  // a device is named at its first row
  for (const auto& row : result.rows) {
    Html kernel = row.kernel, implementation = label_of(row), verdict = verification(row);
    if (row.step) implementation = row.name + ", " + label_of(row);
    if (size.empty() && !row.size.empty()) kernel += below(row.size);
    if (device.empty() && named.insert(row.device).second) implementation += below(row.device);
    if (!row.verification.detail.empty()) verdict += below(row.verification.detail);
    if (!row.verified_at.empty() && row.verified_at != row.size) verdict += below("at size " + row.verified_at);
    std::string difference = "–";
    if (row.verification.status != "not checked")
      difference = std::isfinite(row.verification.max_relative_error) ? typeset(app::scientific(row.verification.max_relative_error))
                                                                      : "not a number";
    t.rows.push_back({kernel, implementation, verdict, difference});
  }
  return table(t);
}

// Parses "+0.31 sigma" as 0.31.
std::optional<double> sigmas(const PublishedCheck& check) {
  const size_t unit = check.deviation.find(" sigma");
  if (unit == std::string::npos) return {};
  const char* begin = check.deviation.data() + (check.deviation[0] == '+');
  double value = 0;
  const auto [end, error] = std::from_chars(begin, check.deviation.data() + unit, value);
  if (error != std::errc() || !std::isfinite(value)) return {};
  return value;
}

std::string value_text(double value, double error) {
  if (!std::isfinite(value)) return "not a number";
  return error > 0 ? with_error(value, error) : fmt::format("{:.10g}", value);
}

Html checks(const Result& result) {
  std::vector<Deviation> all;
  Table t{"This run compared with published numbers", columns("case|quantity and source|>this run|>expected|>deviation|"), {}};
  for (const auto& c : result.checks) {
    const bool right = c.verdict == "ok";
    const std::string expected = c.expected ? value_text(*c.expected, 0) : c.below ? "≤ " + value_text(*c.below, 0) : "";
    t.rows.push_back({c.name, Html(c.quantity) + below(c.source), value_text(c.value, c.error), expected, c.deviation,
                      right ? good("✓ ok") : bad("✗ FAILED")});
    if (const auto off = sigmas(c))
      all.push_back({c.name + ", " + c.quantity, fmt::format("{:+.2f}", *off), *off, *off - 1, *off + 1, right});
  }
  Html out;
  if (!all.empty())
    out = figure(deviations("Deviations of this run from published numbers in standard errors",
                            {"deviation (joint standard errors)", 0, 3, false}, all),
                 "Each dot has an error bar of one standard error. Numbers within the shaded strip, three standard errors, agree.");
  return out + table(t);
}

Html consistency(const Result& result) {
  Table t{"Conservation laws, sum rules and symmetries", columns("law|>deviation|>accepted|"), {}};
  const auto with_unit = [](double value, const std::string& unit) {
    return std::isfinite(value) ? typeset(fmt::format("{:.3g}", value)) + (unit.empty() ? "" : " " + unit) : "not a number";
  };
  for (const auto& law : result.consistency)
    t.rows.push_back({law.holds() || law.meaning.empty() ? Html(typeset(law.name)) : Html(typeset(law.name)) + below(law.meaning),
                      with_unit(law.deviation, law.unit), with_unit(law.bound, law.unit), law.holds() ? good("✓ holds") : bad("✗ BROKEN")});
  return table(t);
}

}  // namespace

Section right_section(const std::vector<Source>& sources) {
  Section section{"right", "Is it right?", "", "", false, {}};
  answer(tally_of(sources), section);
  for (const auto& s : sources) {
    if (!s.mark.empty()) section.body += heading(s, title_of(s.result));
    if (!s.result.error.empty()) section.body += tag("p", {{"class", "trouble"}}, "The run ended with an error: " + s.result.error);
    if (s.result.status == "interrupted")
      section.body += tag("p", {{"class", "trouble"}}, "The run was interrupted; the results are partial.");
    if (!s.result.rows.empty()) section.body += rows_table(s.result);
    if (!s.result.checks.empty()) section.body += checks(s.result);
    if (!s.result.consistency.empty()) section.body += consistency(s.result);
    for (const auto& sentence : s.result.warnings) section.body += tag("p", {{"class", "trouble"}}, "Warning: " + sentence);
    if (s.result.rows.empty() && s.result.checks.empty()) section.body += paragraph("No kernel was compared with the reference here.");
  }
  return section;
}

}  // namespace suite::report
