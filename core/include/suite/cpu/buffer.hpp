// SPDX-License-Identifier: BSD-3-Clause
// suite/cpu/buffer.hpp - memory that a CPU kernel keeps between calls: aligned to a vector, in
// pages of 2 MiB where there is enough for them. For gpp.sigma a quarter of the first call's time went into
// faults on small ones. And the arguments of a call as plain pointers.
#pragma once

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include <suite/plugin.hpp>

namespace suite::cpu {

template <class T> class Buffer {
public:
  // owner: named in the error message if allocation fails: "gpp.sigma".
  explicit Buffer(const char* owner) : owner_(owner) {}
  // What the buffer held is kept only while it does not grow.
  T* at_least(int64_t count) {
    if (count <= count_) return data_.get();
    data_.reset();
    count_ = 0;
    const size_t huge = size_t{2} << 20, wanted = static_cast<size_t>(count) * sizeof(T);
    const size_t alignment = wanted < 2 * huge ? 4096 : huge;
    const size_t bytes = (wanted + alignment - 1) / alignment * alignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    if (!data_) throw Failure(SUITE_OUT_OF_MEMORY, concat("out of memory: cannot allocate ", owner_, ", ", bytes, " bytes of workspace"));
#ifdef MADV_HUGEPAGE
    if (alignment == huge) (void)madvise(data_.get(), bytes, MADV_HUGEPAGE);
#endif
    count_ = count;
    return data_.get();
  }
  T* data() const { return data_.get(); }

private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  const char* owner_;
  std::unique_ptr<T, Free> data_;
  int64_t count_ = 0;
};

template <class T> const T* numbers(const suite_array& array) { return static_cast<const T*>(array.data); }
template <class T> T* results(const suite_array& array) { return static_cast<T*>(array.data); }

// Workspace of each thread, contiguous in one buffer.
class Scratch {
public:
  explicit Scratch(const char* owner) : buffer_(owner) {}
  // Before a parallel region; sizes in doubles.
  void reserve(int team, int64_t each_thread) {
    size_ = (each_thread + 15) / 16 * 16;
    data_ = buffer_.at_least(size_ * team);
  }
  double* of(int thread) const { return data_ + size_ * thread; }

private:
  Buffer<double> buffer_;
  double* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace suite::cpu
