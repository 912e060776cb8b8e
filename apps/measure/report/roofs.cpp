// SPDX-License-Identifier: BSD-3-Clause
#include "roofs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace suite::report {

using app::stored::Value;

namespace {

constexpr double largest = 1e30;  // flop/s: beyond any machine

double rate(const Value& value) { return value ? value.number(0, largest) : 0; }

Ceiling ceiling_of(const Value& value) {
  Ceiling c;
  c.name = value["name"].text_or("");
  c.flop_per_s = rate(value["flop_per_s"]);
  c.byte_per_s = rate(value["B_per_s"]);
  return c;
}

void add_measured(std::vector<Ceiling>& all, const Value& device) {
  for (const char* kind : {"compute", "bandwidth"})
    for (const auto& value : device[kind].items()) {
      Ceiling c = ceiling_of(value);
      c.device = device["device"].text_or("");
      c.description = device["description"].text_or("");
      c.precision = device["precision"].text_or("double");
      c.threads = static_cast<int>(device["threads"].number_or(0));
      c.by = value["kernel"].text_or("");
      if (c.flop_per_s > 0 || c.byte_per_s > 0) all.push_back(c);
    }
}

}  // namespace

std::vector<Ceiling> ceilings_of(const std::vector<Source>& sources) {
  std::vector<Ceiling> all;
  for (const auto& s : sources) {
    if (s.result.schema != "roofline") continue;
    const Value list = s.result.root["ceilings"];
    if (list.is_list())
      for (const auto& device : list.items()) add_measured(all, device);
    for (const auto& value : s.result.root["peaks"].items()) {
      Ceiling c = ceiling_of(value);
      c.device = value["device"].text_or("");
      c.published = true;
      c.by = value["source"].text_or("");
      if (c.flop_per_s > 0 || c.byte_per_s > 0) all.push_back(c);
    }
  }
  return all;
}

bool is_above(const Ceiling& c, const Placed& p) {
  return !c.published && c.is_of(p.device) && c.precision == p.precision &&
         (c.threads == 0 || p.row->threads == 0 || c.threads == p.row->threads);
}

double memory_above(const std::vector<Ceiling>& ceilings, const Placed& row) {
  double best = 0;
  for (const auto& c : ceilings)
    if (c.is_memory() && is_above(c, row)) best = std::max(best, c.byte_per_s);
  return best;
}

namespace {

// Uses the position stored by 'suite roofline'.
bool place_as_stored(Placed& p) {
  if (!p.row->roofline) return false;
  const app::Place& stored = *p.row->roofline;
  if (p.device.empty()) p.device = stored.device;  // the name reported by the device distinguishes machines
  p.precision = stored.precision;
  p.intensity = std::isfinite(stored.flop_per_B) ? stored.flop_per_B : 0;
  if (stored.flop_per_s > 0) p.flop_per_s = stored.flop_per_s;
  p.binding = stored.roof.name;
  p.roof = stored.roof.flop_per_s;
  for (const auto& t : stored.traffic) p.traffic.push_back(t.level + fmt::format(" {:.3g} flop/byte", t.flop_per_B));
  return true;
}

// Places the row below the FMA ceiling of its own result or of 'suite roofline', whichever is higher, and below the memory bandwidth of
// the same device if 'suite roofline' has measured it. What is faster than the FMA ceiling is below that of the matrix units.
void place(Placed& p, double fma, const std::vector<Ceiling>& ceilings) {
  double matrix = 0;
  for (const auto& c : ceilings) {
    if (c.name == "FMA" && is_above(c, p)) fma = std::max(fma, c.flop_per_s);
    if (c.name == "matrix" && is_above(c, p)) matrix = std::max(matrix, c.flop_per_s);
  }
  p.fma = fma;
  p.byte_per_s = memory_above(ceilings, p);
  const double slope = p.byte_per_s > 0 && p.intensity > 0 ? p.byte_per_s * p.intensity : INFINITY;
  const bool by_matrix_units = matrix > 0 && p.flop_per_s > fma;
  const double compute = by_matrix_units ? matrix : fma;
  if (compute > 0 && compute <= slope) p.binding = by_matrix_units ? "matrix" : "FMA", p.roof = compute;
  else if (std::isfinite(slope)) p.binding = "memory", p.roof = slope;
}

}  // namespace

std::vector<Placed> placed_rows(const Source& source, const std::vector<Ceiling>& ceilings) {
  std::vector<Placed> all;
  const bool run = is_app_run(source.result);
  // A run has one ceiling, that of its device; in other results each row has its own.
  const auto known = source.result.ceilings.find("fma_flop_per_s");
  const double of_run = source.result.schema == "result" && known != source.result.ceilings.end() ? known->second : 0;
  for (const auto& row : source.result.rows) {
    if (!row.timed() || !(row.flops > 0)) continue;
    Placed p{&row, label_of(row), row.device, "double", row.total_s(), row.intensity(), row.rate(), "", 0, {}, 0, 0};
    // The calls of an app differ, so only their sum is meaningful.
    if (run && p.seconds > 0) p.flop_per_s = row.flops / p.seconds;
    if (!place_as_stored(p)) place(p, row.fma_flop_per_s.value_or(0) > 0 ? *row.fma_flop_per_s : of_run, ceilings);
    all.push_back(std::move(p));
  }
  return all;
}

}  // namespace suite::report
