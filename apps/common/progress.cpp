// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include <fmt/core.h>
#include <suite/suite.hpp>

#include "communicator.hpp"

namespace suite::app {
namespace {

constexpr int bar_width = 20;
constexpr double redraw_s = 0.1;  // redrawing more often only burdens the terminal
constexpr double default_line_s = 60;

double since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

// Seconds between lines where there is no terminal; 0: none.
double line_interval_s() {
  const char* text = std::getenv("SUITE_PROGRESS_INTERVAL");
  if (!text || !*text) return default_line_s;
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (*end != 0 || !(value >= 0) || !std::isfinite(value))
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("SUITE_PROGRESS_INTERVAL must be a number of seconds, 0 or more, but is '{}'", text));
  return value;
}

// "12 s", "3 min 20 s", "2 h 05 min"
std::string duration_text(double seconds) {
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
}

}  // namespace

Progress::Progress(bool shown)
    : shown_(shown), bar_(isatty(STDERR_FILENO) == 1 && launched_rank() < 0), interval_s_(bar_ ? redraw_s : line_interval_s()) {
  if (!(interval_s_ > 0)) shown_ = false;
}

void Progress::start(const std::string& what, long total, long done) {
  what_ = what;
  total_ = total;
  before_ = done;
  begin_ = std::chrono::steady_clock::now();
  drawn_ = bar_ ? std::chrono::steady_clock::time_point{} : begin_;
  advance(done);
}

void Progress::start_iterations(const std::string& what, long most) {
  first_error_ = 0;
  start(what, most);
}

bool Progress::due(bool last) {
  if (!shown_ || total_ <= 0) return false;
  if (since(drawn_) < interval_s_ && !(last && bar_)) return false;
  drawn_ = std::chrono::steady_clock::now();
  return true;
}

void Progress::show(const std::string& text) {
  std::fprintf(stderr, bar_ ? "\r %s\033[K" : " %s\n", text.c_str());
  std::fflush(stderr);
}

void Progress::advance(long done, const std::string& note) {
  done = std::clamp(done, 0L, std::max(0L, total_));
  if (!due(done == total_)) return;
  std::string line = what_ + "  ";
  if (bar_) {
    const int filled = static_cast<int>(bar_width * done / total_);
    line +=
        fmt::format("[{}{}]  ", std::string(static_cast<size_t>(filled), '#'), std::string(static_cast<size_t>(bar_width - filled), '-'));
  }
  line += fmt::format("{}/{}", done, total_);
  if (!bar_) line += "   " + duration_text(since(begin_));
  if (done > before_ && done < total_)
    line += "   ETA " + duration_text(since(begin_) * static_cast<double>(total_ - done) / static_cast<double>(done - before_));
  if (!note.empty()) line += "   " + note;
  show(line);
}

void Progress::iterate(long number, double error, double tolerance) {
  if (!(first_error_ > 0)) first_error_ = error;
  if (!due(false)) return;
  std::string line = fmt::format("{}  iteration {}   error {:.1e} (tolerance {:.1e})", what_, number, error, tolerance);
  if (!bar_) line += "   " + duration_text(since(begin_));
  if (const double left = seconds_left(first_error_, error, tolerance, since(begin_)); left > 0) line += "   ETA " + duration_text(left);
  show(line);
}

void Progress::finish() {
  if (shown_ && bar_ && total_ > 0) {
    std::fprintf(stderr, "\r\033[K");
    std::fflush(stderr);
  }
  total_ = 0;
}

double seconds_left(double first, double now, double tolerance, double seconds) {
  if (!(now < first) || now <= tolerance) return 0;
  return seconds * std::log(now / tolerance) / std::log(first / now);
}

}  // namespace suite::app
