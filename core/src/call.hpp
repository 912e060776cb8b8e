// SPDX-License-Identifier: BSD-3-Clause
// A kernel open on a device: call.cpp binds arguments and parameters, run.cpp runs.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <suite/layout.hpp>
#include <suite/suite.h>

#include "capture.hpp"
#include "device.hpp"
#include "registry.hpp"

namespace suite::core {

struct Free {
  void operator()(void* data) const { std::free(data); }
};
using HostMemory = std::unique_ptr<void, Free>;
// Aligned to 64 bytes. Throws OUT_OF_MEMORY naming what it is for.
HostMemory host_memory(uint64_t bytes, const std::string& what);

double seconds_now();  // of a clock that only goes forward

// What a call knows of one argument.
struct Slot {
  const suite_argument* argument = nullptr;
  layout::Layout layout;
  suite_array bound{};  // as the caller gave it, extents filled up with 1; rank -1 while unset
  alignas(16) unsigned char scalar[16]{};
  void* on_device = nullptr;  // a copy that the call owns
  uint64_t device_bytes = 0;
  HostMemory packed;  // in the kernel's layout
  uint64_t packed_bytes = 0;
  HostMemory generated;
  HostMemory copy;  // of a short list that the host need not keep
  bool unchecked = false;  // to be searched for NaN before the next run
  bool kept = false;       // a result that only suite_get brings to the host
  bool brought = false;    // the host's array has the result of the last run
  bool unpacked = false;   // a constant to be brought into the kernel's layout before the next run

  bool in() const { return (argument->intent & SUITE_IN) != 0; }
  bool out() const { return (argument->intent & SUITE_OUT) != 0; }
  bool constant() const { return argument->intent == SUITE_CONSTANT; }
  // A result whose place is an array of the host.
  bool comes_back() const { return out() && bound.rank > 0 && bound.place == SUITE_HOST && !kept && !generated; }
  bool optional() const { return argument->when_unset != nullptr; }
};

}  // namespace suite::core

struct suite_call {
  suite_call(const suite::core::FoundKernel& found, suite_device* device);
  ~suite_call();
  suite_call(const suite_call&) = delete;
  suite_call& operator=(const suite_call&) = delete;

  void set(const char* argument, const suite_array* array);
  void keep(const char* argument);
  void get(const char* argument, const suite_array* array);
  void forget();
  void set_parameter(const char* parameter, int64_t value);
  void choose(const char* parameter, const char* choice);
  int64_t parameter(const char* parameter) const;
  void start();
  double wait();
  suite_cost cost();
  double merit() const { return entry_->shapes->merit(arrays_.data()); }
  void generate(const char* size, uint64_t seed);
  suite_array bound_array(const char* argument) const;
  suite_array expected_array(const char* argument) const;

  const suite::core::Plugin* plugin;
  const suite_kernel_table* table;
  suite_device* device;
  double prepare_seconds = 0, transfer_seconds = 0;
  double handed_over = 0;  // trace_clock() when the device got the last run, while somebody traces

private:
  using Slot = suite::core::Slot;
  int find(const char* argument) const;
  int find_parameter(const char* parameter) const;
  void require_idle() const;
  void check_fits(const Slot& slot, const suite_array& array) const;
  bool may_be_empty(const Slot& slot, int axis) const;
  bool checked_empty(const Slot& slot, const suite_array& array) const;
  void bind_empty(int index, const suite_array& array);
  void write_zeros();
  void unset(int index);
  void bind(int index, const suite_array& array, bool upload_always);
  void keep_copy(suite::core::Slot& slot, suite_array& given);
  void bind_scalar(int index, const suite_array& array);
  void bind_shared(int index);
  void bind_copied(int index, bool upload_always);
  void release_device_copy(Slot& slot);
  void reserve_device_copy(Slot& slot, uint64_t bytes);
  void check_structure();
  void check_finite();
  void pack_inputs();
  void unpack_outputs();
  void bring_back();
  void fetch(Slot& slot, const suite_array& into);
  void make_kernel();
  void prepare();
  void destroy_kernel();

  const suite::core::KernelEntry* entry_;
  std::unique_ptr<suite::core::Capture> capture_;  // null: not asked for
  std::vector<Slot> slots_;
  std::vector<suite_array> arrays_;  // what the kernel sees
  std::vector<int64_t> parameters_;
  suite_kernel* kernel_ = nullptr;
  mutable int next_ = 0;  // hosts set arguments in the order of the table: look there first
  int marks_ = 0;
  bool structure_changed_ = true, prepare_needed_ = true, parameters_changed_ = false;
  bool nothing_to_sum_ = false;  // an extent over which all results are sums is 0
  bool running_ = false, check_ = true, any_unchecked_ = false, any_layout_ = false, transfers_counted_ = false;
};
