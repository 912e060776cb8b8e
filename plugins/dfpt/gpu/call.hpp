// SPDX-License-Identifier: BSD-3-Clause
// What the host code of this plugin's parts has in common.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "../call.hpp"
#include "tables.hpp"

#include "device.cuh"

namespace suite::dfpt {

using gpu::blocks_for, gpu::device_data;

inline constexpr int64_t most_blocks = (int64_t{1} << 31) - 1;
inline unsigned grid_of(int64_t blocks) {
  if (blocks > most_blocks)
    throw Failure(SUITE_UNSUPPORTED, "the call takes " + text_of(blocks) +
                                         " blocks of threads; this implementation serves up to " +
                                         text_of(most_blocks));
  return static_cast<unsigned>(blocks);
}

// Bytes of so many numbers in shared memory, refused where a block cannot have them.
inline size_t shared_numbers(const gpu::Queue& queue, int64_t count, const char* what) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(double);
  if (bytes > queue.properties().shared_per_block)
    throw Failure(SUITE_UNSUPPORTED, std::string(what) + " take " + std::to_string(bytes) +
                                         " bytes of a block's memory; this device has " +
                                         std::to_string(queue.properties().shared_per_block));
  return bytes;
}

// The arguments of a kernel with some of its arrays copied to the host, for what looks at their contents.
class HostArguments {
public:
  HostArguments(const gpu::Queue& queue, const suite_array* arguments, size_t count,
                std::initializer_list<int> wanted)
      : arguments_(arguments, arguments + count), copies_(wanted.size()) {
    auto copy = copies_.begin();
    for (const int i : wanted) {
      suite_array& array = arguments_[static_cast<size_t>(i)];
      if (!array.data || array.rank == 0) continue;  // scalars lie on the host
      int64_t numbers = 1;
      for (int d = 0; d < array.rank; ++d) numbers *= array.extent[d];
      copy->resize(static_cast<size_t>(numbers) *
                   (array.type == SUITE_INT32 ? sizeof(int32_t) : sizeof(double)));
      queue.download(copy->data(), array.data, copy->size());
      array.data = copy->data();
      ++copy;
    }
    queue.wait();
  }
  const suite_array* data() const { return arguments_.data(); }
  const suite_array& operator[](int i) const { return arguments_[static_cast<size_t>(i)]; }
  template <class T>
  const T* get(int i) const {
    return static_cast<const T*>(arguments_[static_cast<size_t>(i)].data);
  }

private:
  std::vector<suite_array> arguments_;
  std::vector<std::vector<char>> copies_;
};

// A list that lies on the device.
template <class T>
class DeviceList {
public:
  DeviceList(const gpu::Queue& queue, const char* what) : queue_(&queue), list_(queue, what) {}
  void set(const std::vector<T>& list) {
    count_ = static_cast<int64_t>(list.size());
    if (list.empty()) return;
    list_.upload(list.data(), count_);
    queue_->wait();  // `list` may go
  }
  const T* data() const { return list_.data(); }
  int64_t count() const { return count_; }

private:
  const gpu::Queue* queue_;
  gpu::Buffer<T> list_;
  int64_t count_ = 0;
};

// Directions are treated three at a time as long as there are three, then one by one: f(dirs, first) with
// dirs a constant.
template <class F>
void by_directions(int64_t n_dir, F&& f) {
  int64_t first = 0;
  for (; first + 3 <= n_dir; first += 3) f(std::integral_constant<int, 3>(), static_cast<int>(first));
  for (; first < n_dir; ++first) f(std::integral_constant<int, 1>(), static_cast<int>(first));
}

}  // namespace suite::dfpt
