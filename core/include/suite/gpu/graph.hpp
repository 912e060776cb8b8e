// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/graph.hpp - part of gpu.hpp for CUDA and HIP: work that is launched again and again, as one unit.
#pragma once

#include <suite/gpu/runtime.hpp>

namespace suite::gpu {

// The launches, copies and zeros of a record, with the addresses and numbers that they had then.
class Graph {
public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { clear(); }

  explicit operator bool() const { return executable_ != nullptr; }
  void clear() {
    if (executable_) static_cast<void>(SUITE_GPU_NAME(GraphExecDestroy)(executable_));
    executable_ = nullptr;
  }

  // Nothing of f() is done. It must not wait for the device or allocate memory, and uses one stream.
  template <class F> void record(Stream stream, F&& f) {
    clear();
    // Relaxed, since the runtime may load the code of a kernel when it is first named.
    SUITE_GPU_CALL(StreamBeginCapture, stream, SUITE_GPU_NAME(StreamCaptureModeRelaxed));
    SUITE_GPU_NAME(Graph_t) graph = nullptr;
    const auto end = [&] { return SUITE_GPU_NAME(StreamEndCapture)(stream, &graph); };
    try {
      f();
    } catch (...) {
      if (end() == SUITE_GPU_NAME(Success) && graph) static_cast<void>(SUITE_GPU_NAME(GraphDestroy)(graph));
      throw;
    }
    check(end(), SUITE_GPU_TEXT "StreamEndCapture");
    const Status status = SUITE_GPU_NAME(GraphInstantiateWithFlags)(&executable_, graph, 0);
    static_cast<void>(SUITE_GPU_NAME(GraphDestroy)(graph));
    if (status != SUITE_GPU_NAME(Success)) executable_ = nullptr;
    check(status, SUITE_GPU_TEXT "GraphInstantiateWithFlags");
  }
  void launch(Stream stream) const { SUITE_GPU_CALL(GraphLaunch, executable_, stream); }

private:
  SUITE_GPU_NAME(GraphExec_t) executable_ = nullptr;
};

}  // namespace suite::gpu
