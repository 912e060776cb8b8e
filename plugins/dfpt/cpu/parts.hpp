// SPDX-License-Identifier: BSD-3-Clause
// Parts of matrices that belong to the functions of a segment: runs of numbers are copied and added, sums of
// segments brought into the result.
#pragma once

#include <memory>

#include "../segments.hpp"
#include "kernels.hpp"

namespace suite::dfpt {

inline void copy(const double* from, int64_t count, double* to) {
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) store(to + i, load(from + i));
  if (i < count) store_first(to + i, load_first(from + i, count - i), count - i);
}
// The same by whole vectors: what lies behind is read and written, too.
inline void copy_more(const double* from, int64_t count, double* to) {
  for (int64_t i = 0; i < count; i += lanes) store(to + i, load(from + i));
}
inline void add(const double* from, int64_t count, double* to) {
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) store(to + i, load(to + i) + load(from + i));
  if (i < count) store_first(to + i, load_first(to + i, count - i) + load_first(from + i, count - i), count - i);
}

// Sums of segments on their way into the result: kept until all segments before have been added.
class OrderedSums {
public:
  explicit OrderedSums(size_t segments) : ready_(segments) { free_.reserve(segments); }
  // Zeros for one segment.
  std::unique_ptr<Numbers> memory(int64_t count) {
    std::unique_ptr<Numbers> sums;
#pragma omp critical(suite_dfpt_sums)
    if (!free_.empty()) {
      sums = std::move(free_.back());
      free_.pop_back();
    }
    if (!sums) sums = std::make_unique<Numbers>();
    sums->assign(at(count), 0.0);
    return sums;
  }
  // add(segment, sums) for this one and those that wait for it.
  template <class Add> void finish(int64_t segment, std::unique_ptr<Numbers> sums, Add&& add_to_result) noexcept {
#pragma omp critical(suite_dfpt_sums)
    {
      ready_[at(segment)] = std::move(sums);
      for (; next_ < ready_.size() && ready_[next_]; ++next_) {
        add_to_result(static_cast<int64_t>(next_), *ready_[next_]);
        free_.push_back(std::move(ready_[next_]));
      }
    }
  }

private:
  std::vector<std::unique_ptr<Numbers>> ready_, free_;
  size_t next_ = 0;
};

}  // namespace suite::dfpt
