// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "common/communicator.hpp"

namespace suite::app {
namespace {

// Letters that show: continuation bytes of UTF-8 and colour sequences take no room.
size_t width(const std::string& text) {
  size_t n = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    n += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
  }
  return n;
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Three digits: 1.23, 12.3, 123.
std::string three(double value) { return number(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value); }

}  // namespace

void Table::header(std::vector<std::string> cells) { header_ = std::move(cells); }

std::string Table::text() const {
  std::vector<size_t> widths;
  auto measure = [&](const std::vector<std::string>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i >= widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], width(cells[i]));
    }
  };
  if (!header_.empty()) measure(header_);
  for (const auto& r : rows_) measure(r);
  auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string gap(widths[i] - width(cells[i]), ' ');
      if (i > 0) out += "  ";
      out += right_.count(i) ? gap + cells[i] : cells[i] + gap;
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out + "\n";
  };
  std::string out;
  if (!header_.empty()) out += line(header_);
  for (const auto& r : rows_) out += line(r);
  return out;
}

std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}
std::string scientific(double value) { return value == 0 ? "0" : number("%.0e", value); }

std::string metric(double value) {
  const char* letters[] = {"", " k", " M", " G", " T", " P"};
  int l = 0;
  for (; value >= 999.5 && l < 5; ++l) value /= 1000;
  return three(value) + letters[l];
}

std::string rate_text(const Merit& merit, double seconds) {
  if (!(merit.count > 0) || !(seconds > 0)) return "-";
  return metric(merit.count / seconds) + " " + merit.unit + "/s";
}

std::string seconds_text(double s) {
  if (!std::isfinite(s)) return "-";
  if (s >= 99.95) return number("%.0f s", s);
  if (s >= 0.9995) return three(s) + " s";
  if (s >= 0.9995e-3) return three(s * 1e3) + " ms";
  if (s >= 0.9995e-6) return three(s * 1e6) + " us";
  return number("%.0f ns", s * 1e9);
}

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int u = 0;
  for (; bytes >= 1024 && u < 4; ++u) bytes /= 1024;
  return number(u == 0 ? "%.0f" : "%.1f", bytes) + " " + units[u];
}

std::string percent(double fraction) { return number("%.0f %%", 100 * fraction); }

bool colour_on_stdout() {
  const char* no = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  // Under mpirun the output looks like a terminal, whatever it goes to.
  return isatty(STDOUT_FILENO) == 1 && launched_rank() < 0 && !(no && *no) && !(terminal && std::strcmp(terminal, "dumb") == 0);
}
std::string good(const std::string& text, bool colour) { return colour ? "\033[32m" + text + "\033[0m" : text; }
std::string bad(const std::string& text, bool colour) { return colour ? "\033[1;31m" + text + "\033[0m" : text; }

}  // namespace suite::app
