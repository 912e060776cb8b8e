// SPDX-License-Identifier: BSD-3-Clause
// Ranges for profilers: NVTX (NVIDIA) and ROCTX (AMD). Neither is linked, and neither is looked for unless a
// profiler has left its sign in the environment.
#pragma once

namespace suite::core {

class Ranges {
public:
  static const Ranges& of_process();
  bool wanted() const { return nvtx_push_ || roctx_push_; }
  void push(const char* name) const;
  void pop() const;

private:
  Ranges();
  using Push = int (*)(const char*);
  using Pop = int (*)();
  void attach_nvtx();
  void attach_roctx();
  Push nvtx_push_ = nullptr, roctx_push_ = nullptr;
  Pop nvtx_pop_ = nullptr, roctx_pop_ = nullptr;
};

}  // namespace suite::core
