// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

#include <fmt/core.h>

#include "communicator.hpp"

namespace suite::app {
namespace {

constexpr int bar_width = 20;
constexpr double redraw_s = 0.1;  // redrawing more often only burdens the terminal

double since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

}  // namespace

Progress::Progress(bool shown) : shown_(shown && isatty(STDERR_FILENO) == 1 && launched_rank() < 0) {}

void Progress::start(const std::string& what, long total) {
  what_ = what;
  total_ = total;
  begin_ = std::chrono::steady_clock::now();
  drawn_ = {};
  advance(0);
}

void Progress::advance(long done, const std::string& note) {
  if (!shown_ || total_ <= 0) return;
  done = std::clamp(done, 0L, total_);
  if (done < total_ && since(drawn_) < redraw_s) return;
  drawn_ = std::chrono::steady_clock::now();
  const int filled = static_cast<int>(bar_width * done / total_);
  const double eta = done > 0 ? since(begin_) * static_cast<double>(total_ - done) / static_cast<double>(done) : 0;
  std::string line = fmt::format("\r {}  [{}{}]  {}/{}", what_, std::string(static_cast<size_t>(filled), '#'),
                                 std::string(static_cast<size_t>(bar_width - filled), '-'), done, total_);
  if (done > 0 && done < total_) line += fmt::format("   ETA {} s", static_cast<long>(std::ceil(eta)));
  if (!note.empty()) line += "   " + note;
  std::fprintf(stderr, "%s\033[K", line.c_str());
  std::fflush(stderr);
}

void Progress::finish() {
  if (shown_ && total_ > 0) {
    std::fprintf(stderr, "\r\033[K");
    std::fflush(stderr);
  }
  total_ = 0;
}

}  // namespace suite::app
