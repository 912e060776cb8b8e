// SPDX-License-Identifier: BSD-3-Clause
#include "quantities.hpp"

#include <cmath>

#include <fmt/core.h>

namespace suite::app {
namespace {

// Three digits: 1.23, 12.3, 123.
std::string three(double value) { return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }

}  // namespace

std::string fixed(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }
std::string scientific(double value) { return value == 0 ? "0" : fmt::format("{:.0e}", value); }

std::string metric(double value) {
  const char* letters[] = {"", " k", " M", " G", " T", " P"};
  int l = 0;
  for (; value >= 999.5 && l < 5; ++l) value /= 1000;
  return three(value) + letters[l];
}

std::string seconds_text(double s) {
  if (!std::isfinite(s)) return "-";
  if (s >= 99.95) return fmt::format("{:.0f} s", s);
  if (s >= 0.9995) return three(s) + " s";
  if (s >= 0.9995e-3) return three(s * 1e3) + " ms";
  if (s >= 0.9995e-6) return three(s * 1e6) + " us";
  return fmt::format("{:.0f} ns", s * 1e9);
}

std::string joules_text(double joules) {
  if (joules >= 0.9995) return metric(joules) + (joules < 999.5 ? " J" : "J");
  return joules >= 0.9995e-3 ? three(joules * 1e3) + " mJ" : three(joules * 1e6) + " uJ";
}

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int u = 0;
  for (; bytes >= 1024 && u < 4; ++u) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, u == 0 ? 0 : 1, units[u]);
}

std::string percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

std::string of_ceiling(double fraction) { return percent(fraction) + (fraction >= 1.005 ? " (!)" : ""); }
std::string explained(const std::string& table) {
  if (table.find(" (!)") == std::string::npos) return table;
  return table +
         "  (!) above the measured ceiling: it was measured while the machine was busier, or the kernel leaves out\n"
         "      counted operations or does them in a lower precision (docs/measuring.md)\n";
}

std::string counted(long number, const std::string& one) { return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s"); }

}  // namespace suite::app
