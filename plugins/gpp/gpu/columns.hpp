// SPDX-License-Identifier: BSD-3-Clause
// The list of the owned columns, which both kernels of this plugin make from indigp.
#pragma once

#include "call.hpp"

namespace suite::gpp {

class ColumnList {
public:
  explicit ColumnList(const gpu::Queue& queue) : queue_(queue), list_(queue, "the owned columns") {}

  // Throws as owned_columns does. Waits for the device.
  void prepare(const Screening& call) {
    std::vector<int32_t> indigp(call.ngpown());
    if (call.indigp) {
      queue_.download(indigp.data(), call.indigp.data(), indigp.size() * sizeof(int32_t));
      queue_.wait();
    }
    std::vector<int> igp, g;
    for (const Column& column : owned_columns(call.indigp ? indigp.data() : nullptr, call.ngpown(), call.ncouls())) {
      igp.push_back(static_cast<int>(column.igp));
      g.push_back(static_cast<int>(column.g));
    }
    columns_ = {};
    columns_.count = std::ssize(igp);
    constexpr size_t largest_group = 8;
    while (igp.size() % largest_group != 0) igp.push_back(-1);
    columns_.padded = std::ssize(igp);
    g.resize(igp.size());
    igp.insert(igp.end(), g.begin(), g.end());
    if (columns_.count > 0) list_.upload(igp.data(), std::ssize(igp));
    queue_.wait();
    columns_.igp = list_.data();
    columns_.g = list_.data() + columns_.padded;
  }

  const Columns& columns() const { return columns_; }

private:
  const gpu::Queue& queue_;
  gpu::Buffer<int> list_;
  Columns columns_;
};

}  // namespace suite::gpp
