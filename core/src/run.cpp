// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "call.hpp"
#include "finite.hpp"
#include "text.hpp"
#include "trace.hpp"
#include "trace_file.hpp"

using suite::Failure;
using namespace suite::core;

// What may have changed only when an argument took another type or other extents.
void suite_call::check_structure() {
  if (!structure_changed_) return;
  for (const auto& slot : slots_)
    if (slot.bound.rank < 0 && !slot.optional())
      throw Failure(SUITE_INVALID_ARGUMENT, std::string(slot.argument->name) + " of " + table->kernel + " is not set");
  for (const auto& slot : slots_) {
    if (!(slot.argument->type & SUITE_TYPE_SET) || slot.bound.rank < 0) continue;
    for (const auto& other : slots_)
      if (other.bound.rank >= 0 && other.argument->type == slot.argument->type && other.bound.type != slot.bound.type)
        throw Failure(SUITE_INVALID_ARGUMENT, std::string(slot.argument->name) + " is " + type_name(slot.bound.type) + " but " +
                                                  other.argument->name + " is " + type_name(other.bound.type) +
                                                  "; one call takes one of them for both");
  }
  entry_->shapes->check(arrays_.data());
  nothing_to_sum_ = std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) {
    return slot.bound.rank > 0 &&
           std::find(slot.bound.extent, slot.bound.extent + slot.bound.rank, 0) != slot.bound.extent + slot.bound.rank;
  });
  structure_changed_ = false;
}

void suite_call::check_finite() {
  if (!any_unchecked_) return;
  // One array for two arguments is searched once.
  std::vector<const suite_array*> searched;
  const auto is_known = [&](const suite_array& array) {
    return std::any_of(searched.begin(), searched.end(), [&](const suite_array* other) {
      return other->data == array.data && other->type == array.type && other->rank == array.rank &&
             std::equal(array.extent, array.extent + array.rank, other->extent);
    });
  };
  for (auto& slot : slots_) {
    if (!slot.unchecked) continue;
    if (check_ && !is_known(slot.bound)) {
      searched.push_back(&slot.bound);
      if (const std::string bad = not_finite(slot.bound, slot.argument->name); !bad.empty()) throw Failure(SUITE_INVALID_ARGUMENT, bad);
    }
    slot.unchecked = false;
  }
  any_unchecked_ = false;
}

// Where host memory is shared, arrays are used in place: their contents may have changed since they were set.
void suite_call::pack_inputs() {
  if (!any_layout_ || !device->shares_host_memory()) return;
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.layout.plain() || slot.bound.rank < 0 || !slot.in() || (slot.constant() && !slot.unpacked)) continue;
    suite::layout::pack(slot.layout, slot.bound, slot.packed.get());
    slot.unpacked = false;
  }
}

void suite_call::unpack_outputs() {
  if (!any_layout_ || !device->shares_host_memory()) return;
  for (auto& slot : slots_)
    if (!slot.layout.plain() && slot.bound.rank >= 0 && slot.out()) suite::layout::unpack(slot.layout, slot.packed.get(), slot.bound);
}

// On every backend the results end in the host arrays that were set.
void suite_call::bring_back() {
  if (device->shares_host_memory()) return unpack_outputs();
  for (auto& slot : slots_) {
    if (!slot.comes_back()) continue;
    fetch(slot, slot.bound);
    slot.brought = true;
  }
}

// The sums over nothing. State that a run would change stays as it is.
void suite_call::write_zeros() {
  for (auto& slot : slots_) {
    if (slot.argument->intent != SUITE_OUT || slot.bound.rank < 0) continue;
    uint64_t elements = 1;
    for (int d = 0; d < slot.bound.rank; ++d) elements *= static_cast<uint64_t>(slot.bound.extent[d]);
    if (elements == 0) continue;
    const uint64_t bytes = array_bytes(slot.bound, slot.argument->name);
    suite_array& there = arrays_[static_cast<size_t>(&slot - slots_.data())];
    if (slot.bound.place == SUITE_HOST) std::memset(slot.bound.data, 0, bytes);
    slot.brought = slot.bound.place == SUITE_HOST;
    if (device->shares_host_memory() || there.place == SUITE_HOST) continue;
    const std::vector<char> zeros(slot.bound.place == SUITE_HOST ? slot.device_bytes : bytes);
    device->upload(there.data, zeros.data(), zeros.size());
  }
}

void suite_call::make_kernel() {
  if (kernel_ && !parameters_changed_) return;
  destroy_kernel();
  suite_error error{};
  require_ok(table->create(device->backend, device->queue, parameters_.data(), &kernel_, &error), error, table->kernel);
  if (!kernel_) throw Failure(SUITE_INTERNAL, std::string(table->kernel) + ": create made no kernel");
  parameters_changed_ = false;
  prepare_needed_ = true;
}

void suite_call::prepare() {
  if (!prepare_needed_) return;
  prepare_seconds = 0;
  if (table->prepare) {
    const Span span("prepare", *this);
    const double from = seconds_now();
    suite_error error{};
    require_ok(table->prepare(kernel_, arrays_.data(), &error), error, table->kernel);
    if (!device->shares_host_memory()) require_ok(device->backend->wait(device->queue, &error), error, table->kernel);
    prepare_seconds = seconds_now() - from;
  }
  prepare_needed_ = false;
}

void suite_call::start() {
  require_idle();
  check_structure();
  check_finite();
  if (nothing_to_sum_) {
    running_ = true;
    return;
  }
  make_kernel();
  pack_inputs();
  prepare();
  if (!transfers_counted_) transfer_seconds = 0;
  transfers_counted_ = false;
  const auto* backend = device->backend;
  suite_error error{};
  marks_ = device->take_marks();
  if (!device->shares_host_memory())
    for (auto& slot : slots_) slot.brought = false;
  if (capture_) capture_->begin(*this);
  if (traced()) handed_over = trace_clock();
  int status = backend->mark(device->queue, 2 * marks_, &error);
  if (status == SUITE_OK) status = table->execute(kernel_, arrays_.data(), &error);
  if (status == SUITE_OK) status = backend->mark(device->queue, 2 * marks_ + 1, &error);
  if (status != SUITE_OK) {
    backend->wait(device->queue, nullptr);
    device->free_marks(marks_);
    if (capture_) capture_->abandon();
    require_ok(status, error, table->kernel);
  }
  running_ = true;
}

double suite_call::wait() {
  if (!running_) throw Failure(SUITE_INVALID_ARGUMENT, std::string(table->kernel) + " was not started, so there is nothing to wait for");
  running_ = false;
  if (nothing_to_sum_) return write_zeros(), 0;
  device->free_marks(marks_);
  suite_error error{};
  int status = device->backend->wait(device->queue, &error);
  if (status == SUITE_OK && table->finish) status = table->finish(kernel_, &error);
  if (status != SUITE_OK) {
    if (capture_) capture_->abandon();
    require_ok(status, error, table->kernel);
  }
  bring_back();
  const double seconds = device->backend->seconds(device->queue, 2 * marks_, 2 * marks_ + 1);
  if (capture_) capture_->finish(*this, seconds);
  return seconds;
}

suite_cost suite_call::cost() {
  check_structure();
  if (!table->cost) throw Failure(SUITE_UNSUPPORTED, std::string(table->kernel) + " does not count its operations");
  // Arguments that are unset have rank -1, as generate leaves them, while a kernel gets them with their own.
  // Arrays are the host's where they still have to be there.
  std::vector<suite_array> seen = arrays_;
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (slot.bound.rank < 0) seen[i].rank = -1;
    else if (slot.bound.rank > 0 && slot.bound.place == SUITE_HOST && (device->shares_host_memory() || slot.generated))
      seen[i] = slot.bound;
    else if (seen[i].rank > 0) seen[i].place = SUITE_DEVICE;
  }
  suite_cost cost{};
  const int status = table->cost(seen.data(), parameters_.data(), &cost);
  if (status != SUITE_OK) require_ok(status, suite_error{}, std::string(table->kernel) + ": the cost cannot be counted");
  return cost;
}

void suite_call::generate(const char* size, uint64_t seed) {
  require_idle();
  if (!size) throw Failure(SUITE_INVALID_ARGUMENT, std::string("the size of ") + table->kernel + " is NULL");
  if (!table->generate) throw Failure(SUITE_UNSUPPORTED, std::string(table->kernel) + " does not generate arguments");
  const size_t count = slots_.size();
  std::vector<suite_array> made(count);
  for (auto& array : made) {
    array.rank = -1;
    for (auto& extent : array.extent) extent = 1;
  }
  suite_error error{};
  const std::string what = std::string(table->kernel) + " of size " + quoted(size);
  require_ok(table->generate(size, seed, made.data(), &error), error, table->kernel);
  uint64_t total = 0;
  for (size_t i = 0; i < count; ++i)
    if (made[i].rank >= 0 && __builtin_add_overflow(total, array_bytes(made[i], slots_[i].argument->name), &total))
      throw Failure(SUITE_INVALID_ARGUMENT, what + " would have more than 2^64 bytes");
  uint64_t free = 0, all = 0;
  if (device->backend->memory(device->queue, &free, &all, nullptr) == SUITE_OK && all > 0 && total > free)
    throw Failure(SUITE_OUT_OF_MEMORY, what + " needs " + bytes_text(total) + " on " + device->name + ", which has " + bytes_text(free) +
                                           " free of " + bytes_text(all));
  std::vector<HostMemory> memory(count);
  for (size_t i = 0; i < count; ++i) {
    if (made[i].rank < 0) continue;
    const uint64_t bytes = array_bytes(made[i], slots_[i].argument->name);
    memory[i] = host_memory(bytes, slots_[i].argument->name);
    made[i].data = memory[i].get();
    made[i].place = SUITE_HOST;
    // All bits set is NaN: a kernel that leaves out an element, or all of them, is noticed.
    std::memset(made[i].data, 0xff, bytes);
  }
  require_ok(table->generate(size, seed, made.data(), &error), error, table->kernel);
  for (size_t i = 0; i < count; ++i) {
    if (made[i].rank < 0) {
      unset(static_cast<int>(i));
      continue;
    }
    made[i].data = memory[i].get();
    bind(static_cast<int>(i), made[i], true);
    slots_[i].generated = std::move(memory[i]);
  }
}
