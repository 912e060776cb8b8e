// SPDX-License-Identifier: BSD-3-Clause
// How the items of a process are dealt out to its threads.
#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "slice.hpp"

namespace suite::gw {

// Each thread has a stretch of the list, for items that follow each other share a screening. One that is done takes half of what is
// left of the longest stretch.
class Deal {
public:
  Deal(const Range& items, int threads) {
    const Slice share{0, threads};
    for (int i = 0; i < threads; ++i) {
      const Range part = share.part(items.count(), i);
      left_.push_back({items.first + part.first, items.first + part.end});
    }
  }
  // The next item of a thread; none: all are taken.
  std::optional<int64_t> next(int thread) {
    const std::lock_guard lock(mutex_);
    Range& own = left_[static_cast<size_t>(thread)];
    if (own.count() == 0) {
      Range& longest = *std::max_element(left_.begin(), left_.end(), [](const Range& a, const Range& b) { return a.count() < b.count(); });
      own = {longest.first + longest.count() / 2, longest.end};
      longest.end = own.first;
    }
    if (own.count() == 0) return std::nullopt;
    ++taken_;
    return own.first++;
  }
  int64_t taken() const {
    const std::lock_guard lock(mutex_);
    return taken_;
  }

private:
  mutable std::mutex mutex_;
  std::vector<Range> left_;
  int64_t taken_ = 0;
};

}  // namespace suite::gw
