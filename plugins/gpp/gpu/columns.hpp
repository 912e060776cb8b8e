// SPDX-License-Identifier: BSD-3-Clause
// The list of the owned columns, which both kernels of this plugin make from indigp.
#pragma once

#include "call.hpp"

namespace suite::gpp {

class ColumnList {
public:
  explicit ColumnList(const gpu::Queue& queue) : queue_(queue), list_(queue, "the owned columns") {}

  // Throws as check_columns does. `arguments`: those of either kernel. Waits for the device.
  void prepare(const suite_array* arguments) {
    suite_array first[Sigma::indigp + 1];
    std::copy(arguments, arguments + std::size(first), first);
    suite_array& indigp = first[Sigma::indigp];
    std::vector<int32_t> on_host(indigp.extent[0]);
    queue_.download(on_host.data(), indigp.data, on_host.size() * sizeof(int32_t));
    queue_.wait();
    indigp.data = on_host.data();
    check_columns(first);

    std::vector<int> igp, g;
    for (size_t i = 0; i < on_host.size(); ++i)
      if (on_host[i] > 0) {
        igp.push_back(static_cast<int>(i));
        g.push_back(on_host[i] - 1);
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
