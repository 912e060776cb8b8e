// SPDX-License-Identifier: BSD-3-Clause
#include "call.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <suite/deterministic.hpp>
#include <suite/plugin.hpp>

#include "finite.hpp"
#include "text.hpp"
#include "trace.hpp"

using suite::concat;
using suite::Failure;
using namespace suite::core;

double suite::core::seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

namespace {

bool same_extents(const suite_array& a, const suite_array& b) { return !std::memcmp(a.extent, b.extent, sizeof a.extent); }

bool accepts(int32_t type_or_set, int32_t type) {
  if (!(type_or_set & SUITE_TYPE_SET)) return type_or_set == type;
  return type_size(type) > 0 && (type_or_set >> type & 1);
}

template <class T> std::vector<std::string> names_of(const T* entries, uint32_t count) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < count; ++i) names.push_back(entries[i].name);
  return names;
}

bool is_empty(const suite_array& array) {
  return array.rank > 0 && std::find(array.extent, array.extent + array.rank, 0) != array.extent + array.rank;
}

std::string extents_text(const suite_array& array) {
  std::string text = "(";
  for (int d = 0; d < array.rank; ++d) text += concat(d ? "," : "", array.extent[d]);
  return text + ")";
}

}  // namespace

namespace suite::core {

HostMemory host_memory(uint64_t bytes, const std::string& what) {
  constexpr size_t line = 64;
  void* data = nullptr;
  if (::posix_memalign(&data, line, bytes) != 0)
    throw Failure(SUITE_OUT_OF_MEMORY, "out of memory: cannot allocate " + bytes_text(bytes) + " for " + what);
  return HostMemory(data);
}

// Where a kernel has to be asked for the same bits with any number of threads, SUITE_DETERMINISTIC=1 asks it.
static int64_t first_value(const suite_parameter& parameter) {
  return suite::deterministic_wanted() && !std::strcmp(parameter.name, "deterministic") ? 1 : parameter.value;
}

}  // namespace suite::core

suite_call::suite_call(const FoundKernel& found, suite_device* on)
    : plugin(found.plugin), table(&found.kernel->table), device(on), entry_(found.kernel), capture_(Capture::wanted(*table)) {
  slots_.resize(table->argument_count);
  arrays_.resize(table->argument_count);
  for (uint32_t i = 0; i < table->argument_count; ++i) {
    slots_[i].argument = &table->arguments[i];
    if (table->layouts && table->layouts[i]) slots_[i].layout = suite::layout::parse(table->layouts[i]);
    any_layout_ = any_layout_ || !slots_[i].layout.plain();
    unset(static_cast<int>(i));
  }
  for (uint32_t i = 0; i < table->parameter_count; ++i) parameters_.push_back(first_value(table->parameters[i]));
  const char* check = std::getenv("SUITE_CHECK");
  check_ = !(check && !std::strcmp(check, "0"));
  device->keep();
}

suite_call::~suite_call() {
  if (running_ && !nothing_to_sum_) {
    device->backend->wait(device->queue, nullptr);
    device->free_marks(marks_);
  }
  destroy_kernel();
  for (auto& slot : slots_) release_device_copy(slot);
  device->release();
}

void suite_call::destroy_kernel() {
  if (kernel_) table->destroy(kernel_);
  kernel_ = nullptr;
}

void suite_call::require_idle() const {
  if (running_) throw Failure(SUITE_INVALID_ARGUMENT, std::string(table->kernel) + " is running; call suite_wait first");
}

int suite_call::find(const char* argument) const {
  const int count = static_cast<int>(slots_.size());
  if (!argument) throw Failure(SUITE_INVALID_ARGUMENT, std::string("the name of an argument of ") + table->kernel + " is NULL");
  for (int k = 0, i = next_; k < count; ++k, i = i + 1 < count ? i + 1 : 0)
    if (!std::strcmp(argument, table->arguments[i].name)) {
      next_ = i + 1 < count ? i + 1 : 0;
      return i;
    }
  throw Failure(SUITE_NOT_FOUND, fitted(std::string(table->kernel) + " has no argument " + quoted(argument) +
                                        known_names(argument, names_of(table->arguments, table->argument_count))));
}

void suite_call::check_fits(const Slot& slot, const suite_array& array) const {
  const suite_argument& wanted = *slot.argument;
  const std::string name = wanted.name;
  if (!accepts(wanted.type, array.type))
    throw Failure(SUITE_INVALID_ARGUMENT, name + " takes " + type_text(wanted.type) + ", but " + type_name(array.type) + " was given");
  if (array.rank < 0 || array.rank > wanted.rank)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  concat(name, " has rank ", wanted.rank, wanted.rank ? std::string(" (") + wanted.shape + ")" : " (a scalar)",
                         ", but an array of rank ", array.rank, " was given"));
  if (array.rank == 0 && wanted.rank > 0)
    throw Failure(SUITE_INVALID_ARGUMENT, concat(name, " has rank ", wanted.rank, " (", wanted.shape, "), but a scalar was given"));
  if (array.place != SUITE_HOST && array.place != SUITE_DEVICE)
    throw Failure(SUITE_INVALID_ARGUMENT, concat("the place of ", name, " is ", array.place, "; it must be one of 0 (host), 1 (device)"));
  if (wanted.rank == 0 && array.place != SUITE_HOST) throw Failure(SUITE_INVALID_ARGUMENT, name + " is a scalar and must be on the host");
}

void suite_call::unset(int index) {
  Slot& slot = slots_[index];
  slot.bound = {};
  slot.bound.rank = -1;
  slot.unchecked = slot.unpacked = slot.kept = slot.brought = false;
  slot.generated.reset();
  slot.copy.reset();
  arrays_[index] = {};
  arrays_[index].type = slot.argument->type & SUITE_TYPE_SET ? 0 : slot.argument->type;
  arrays_[index].rank = slot.argument->rank;
  for (auto& extent : arrays_[index].extent) extent = 1;
  structure_changed_ = prepare_needed_ = true;
}

void suite_call::set(const char* argument, const suite_array* array) {
  require_idle();
  const int index = find(argument);
  Slot& slot = slots_[index];
  if (!array) throw Failure(SUITE_INVALID_ARGUMENT, std::string("no array was given for ") + argument);
  if (!array->data && !is_empty(*array)) {
    if (!slot.optional()) throw Failure(SUITE_INVALID_ARGUMENT, std::string(argument) + " is not optional, but its data is NULL");
    if (slot.bound.rank >= 0) unset(index);
    return;
  }
  bind(index, *array, false);
}

bool suite_call::may_be_empty(const Slot& slot, int axis) const {
  if (!table->sums_over) return false;
  const auto named = suite::extents_in(slot.argument->shape), summed = suite::extents_in(table->sums_over);
  return axis < std::ssize(named) && std::find(summed.begin(), summed.end(), named[static_cast<size_t>(axis)]) != summed.end();
}

// Whether the array has no element; throws where it must have some.
bool suite_call::checked_empty(const Slot& slot, const suite_array& array) const {
  bool empty = false;
  for (int d = 0; d < array.rank; ++d) {
    if (array.extent[d] >= 1) continue;
    if (array.extent[d] < 0 || !may_be_empty(slot, d)) array_bytes(array, slot.argument->name);  // throws
    empty = true;
  }
  return empty;
}

// Nothing is read or written there: the address may be any.
void suite_call::bind_empty(int index, const suite_array& array) {
  unset(index);
  Slot& slot = slots_[index];
  slot.bound = array;
  slot.bound.data = slot.scalar;
  slot.bound.reserved = 0;
  for (int d = array.rank; d < SUITE_MAX_RANK; ++d) slot.bound.extent[d] = 1;
  slot.bound.rank = slot.argument->rank;
  arrays_[index] = slot.bound;
}

void suite_call::bind(int index, const suite_array& array, bool upload_always) {
  Slot& slot = slots_[index];
  if (!accepts(slot.argument->type, array.type) || array.rank != slot.argument->rank || array.place != SUITE_HOST) check_fits(slot, array);
  if (checked_empty(slot, array)) return bind_empty(index, array);
  suite_array given = array;
  given.reserved = 0;
  for (int d = array.rank; d < SUITE_MAX_RANK; ++d) given.extent[d] = 1;
  const bool changed = slot.bound.rank < 0 || given.type != slot.bound.type || !same_extents(given, slot.bound);
  if (changed) array_bytes(given, slot.argument->name);
  given.rank = slot.argument->rank;
  if (slot.argument->copied && given.place == SUITE_HOST) keep_copy(slot, given);
  // Something may fail below: a half-set argument counts as unset.
  slot.bound.rank = -1;
  slot.kept = slot.brought = false;
  if (slot.generated && slot.generated.get() != given.data) slot.generated.reset();
  const suite_array before = arrays_[index];
  arrays_[index] = given;
  slot.bound = given;
  try {
    if (given.rank == 0) bind_scalar(index, given);
    else if (device->shares_host_memory()) bind_shared(index);
    else bind_copied(index, upload_always);
  } catch (...) {
    unset(index);
    throw;
  }
  if (changed || !before.data) structure_changed_ = prepare_needed_ = true;
  if (slot.constant()) prepare_needed_ = true;
}

// Of the data of a short list, which the host may drop when suite_set returns.
void suite_call::keep_copy(Slot& slot, suite_array& given) {
  const uint64_t bytes = array_bytes(given, slot.argument->name);
  HostMemory copy = host_memory(bytes, std::string("the copy of ") + slot.argument->name);
  std::memcpy(copy.get(), given.data, bytes);
  slot.copy = std::move(copy);
  given.data = slot.copy.get();
}

void suite_call::bind_scalar(int index, const suite_array& array) {
  Slot& slot = slots_[index];
  std::memcpy(slot.scalar, array.data, type_size(array.type));
  slot.bound.data = arrays_[index].data = slot.scalar;
  slot.unchecked = slot.in();
  any_unchecked_ = any_unchecked_ || slot.unchecked;
}

void suite_call::bind_shared(int index) {
  Slot& slot = slots_[index];
  slot.unchecked = slot.in();
  any_unchecked_ = any_unchecked_ || slot.unchecked;
  if (slot.layout.plain()) return;
  const auto bytes = static_cast<uint64_t>(suite::layout::packed_bytes(slot.layout, slot.bound));
  if (slot.packed_bytes < bytes) {
    slot.packed = host_memory(bytes, std::string(slot.argument->name) + " in the kernel's layout");
    slot.packed_bytes = bytes;
  }
  arrays_[index].data = slot.packed.get();
  slot.unpacked = true;
}

void suite_call::reserve_device_copy(Slot& slot, uint64_t bytes) {
  if (slot.device_bytes >= bytes) return;
  release_device_copy(slot);
  slot.on_device = device->allocate(bytes, slot.argument->name);
  slot.device_bytes = bytes;
}

void suite_call::release_device_copy(Slot& slot) {
  if (slot.on_device) device->release(slot.on_device);
  slot.on_device = nullptr;
  slot.device_bytes = 0;
}

void suite_call::bind_copied(int index, bool upload_always) {
  Slot& slot = slots_[index];
  suite_array& there = arrays_[index];
  const std::string name = slot.argument->name;
  const auto* backend = device->backend;
  const int lies = backend->place ? backend->place(device->queue, slot.bound.data) : -1;
  if (lies >= 0 && lies != slot.bound.place)
    throw Failure(SUITE_INVALID_ARGUMENT, name + " is declared to be on the " + (slot.bound.place == SUITE_HOST ? "host" : "device") +
                                              ", but its address is on the " + (lies == SUITE_HOST ? "host" : "device"));
  if (slot.bound.place == SUITE_DEVICE) {
    if (!slot.layout.plain())
      throw Failure(SUITE_UNSUPPORTED, std::string(table->implementation) + " wants " + name + " in the layout " + table->layouts[index] +
                                           "; set it from the host");
    slot.unchecked = false;
    return;
  }
  // The host's array may be gone at the next run, so it is searched for NaN now.
  if (check_ && slot.in())
    if (const std::string bad = not_finite(slot.bound, slot.argument->name); !bad.empty()) throw Failure(SUITE_INVALID_ARGUMENT, bad);
  const bool plain = slot.layout.plain();
  const uint64_t bytes =
      plain ? array_bytes(slot.bound, name) : static_cast<uint64_t>(suite::layout::packed_bytes(slot.layout, slot.bound));
  reserve_device_copy(slot, bytes);
  there.data = slot.on_device;
  there.place = SUITE_DEVICE;
  if (!slot.in() && !upload_always) return;
  const Span span("upload", *this, slot.argument->name, bytes);
  const double from = seconds_now();
  if (plain) {
    device->upload(slot.on_device, slot.bound.data, bytes);
  } else {
    const HostMemory packed = host_memory(bytes, name + " in the kernel's layout");
    suite::layout::pack(slot.layout, slot.bound, packed.get());
    device->upload(slot.on_device, packed.get(), bytes);
  }
  if (!transfers_counted_) transfer_seconds = 0;
  transfers_counted_ = true;
  transfer_seconds += seconds_now() - from;
}

void suite_call::get(const char* argument, const suite_array* array) {
  require_idle();
  Slot& slot = slots_[find(argument)];
  const std::string name = argument;
  if (!array || (!array->data && !is_empty(*array))) throw Failure(SUITE_INVALID_ARGUMENT, "no array was given to receive " + name);
  if (slot.bound.rank < 0) throw Failure(SUITE_INVALID_ARGUMENT, name + " was not set, so it has no value to return");
  suite_array into = *array;
  if (into.rank < 0 || into.rank > SUITE_MAX_RANK) array_bytes(into, name);
  for (int d = into.rank; d < SUITE_MAX_RANK; ++d) into.extent[d] = 1;
  if (into.type != slot.bound.type)
    throw Failure(SUITE_INVALID_ARGUMENT, name + " is " + type_name(slot.bound.type) + " in this call, but an array of " +
                                              type_name(into.type) + " was given to receive it");
  if (!same_extents(into, slot.bound))
    throw Failure(SUITE_INVALID_ARGUMENT, name + " has the extents " + extents_text(slot.bound) + " in this call, but an array of " +
                                              extents_text(into) + " was given to receive it");
  if (is_empty(slot.bound)) return;
  if (slot.bound.rank == 0 || slot.brought || device->shares_host_memory()) {
    if (into.data == slot.bound.data) return;
    if (into.place == SUITE_DEVICE && !device->shares_host_memory())
      return device->upload(into.data, slot.bound.data, array_bytes(slot.bound, name));
    std::memcpy(into.data, slot.bound.data, array_bytes(slot.bound, name));
    return;
  }
  if (into.data == slot.bound.data && slot.bound.place == SUITE_DEVICE) return;
  fetch(slot, into);
}

// From the device, where the value lies perhaps in the kernel's layout.
void suite_call::fetch(Slot& slot, const suite_array& into) {
  const std::string name = slot.argument->name;
  const suite_array& there = arrays_[static_cast<size_t>(&slot - slots_.data())];
  const uint64_t bytes = array_bytes(slot.bound, name);
  const bool plain = slot.layout.plain();
  const uint64_t there_bytes = plain ? bytes : static_cast<uint64_t>(suite::layout::packed_bytes(slot.layout, slot.bound));
  const Span span("download", *this, slot.argument->name, there_bytes);
  if (plain && into.place == SUITE_HOST) return device->download(into.data, there.data, bytes);
  const HostMemory raw = host_memory(there_bytes, name), straight = host_memory(bytes, name);
  device->download(raw.get(), there.data, there_bytes);
  suite_array host = slot.bound;
  host.data = into.place == SUITE_HOST ? into.data : straight.get();
  if (plain) std::memcpy(host.data, raw.get(), bytes);
  else suite::layout::unpack(slot.layout, raw.get(), host);
  if (into.place == SUITE_DEVICE) device->upload(into.data, host.data, bytes);
}

void suite_call::keep(const char* argument) {
  require_idle();
  Slot& slot = slots_[find(argument)];
  if (!slot.out())
    throw Failure(SUITE_INVALID_ARGUMENT,
                  std::string(argument) + " of " + table->kernel + " is not a result, so there is nothing to keep on the device");
  if (slot.bound.rank < 0)
    throw Failure(SUITE_INVALID_ARGUMENT, std::string(argument) + " was not set, so there is nothing to keep on the device");
  slot.kept = true;
}

void suite_call::forget() {
  if (running_) wait();
  destroy_kernel();
  for (size_t i = 0; i < slots_.size(); ++i) {
    unset(static_cast<int>(i));
    release_device_copy(slots_[i]);
    slots_[i].packed.reset();
    slots_[i].packed_bytes = 0;
  }
  any_unchecked_ = false;
}

int suite_call::find_parameter(const char* parameter) const {
  if (!parameter) throw Failure(SUITE_INVALID_ARGUMENT, std::string("the name of a parameter of ") + table->kernel + " is NULL");
  for (uint32_t i = 0; i < table->parameter_count; ++i)
    if (!std::strcmp(parameter, table->parameters[i].name)) return static_cast<int>(i);
  throw Failure(SUITE_NOT_FOUND, fitted(std::string(table->kernel) + " on " + table->implementation + " has no parameter " +
                                        quoted(parameter) + known_names(parameter, names_of(table->parameters, table->parameter_count))));
}

void suite_call::set_parameter(const char* parameter, int64_t value) {
  require_idle();
  const int index = find_parameter(parameter);
  const suite_parameter& knob = table->parameters[index];
  int64_t low = knob.low, high = knob.high;
  if (knob.choices) low = 0, high = knob.choice_count - 1;
  if (value < low || value > high)
    throw Failure(SUITE_INVALID_ARGUMENT, concat(knob.name, " is ", value, "; it must be from ", low, " to ", high));
  parameters_changed_ = parameters_changed_ || parameters_[index] != value;
  parameters_[index] = value;
}

void suite_call::choose(const char* parameter, const char* choice) {
  require_idle();
  const int index = find_parameter(parameter);
  const suite_parameter& knob = table->parameters[index];
  if (!choice) throw Failure(SUITE_INVALID_ARGUMENT, std::string("the choice for ") + knob.name + " is NULL");
  if (!knob.choices)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  concat(knob.name, " takes a number from ", knob.low, " to ", knob.high, ", not the name ", quoted(choice)));
  std::vector<std::string> names;
  for (uint32_t i = 0; i < knob.choice_count; ++i) {
    if (!std::strcmp(choice, knob.choices[i].name)) return set_parameter(parameter, i);
    names.push_back(knob.choices[i].name);
  }
  throw Failure(SUITE_NOT_FOUND, fitted(std::string(knob.name) + " has no choice " + quoted(choice) + known_names(choice, names)));
}

int64_t suite_call::parameter(const char* parameter) const { return parameters_[find_parameter(parameter)]; }

suite_array suite_call::bound_array(const char* argument) const { return slots_[find(argument)].bound; }

suite_array suite_call::expected_array(const char* argument) const {
  const int index = find(argument);
  const suite_argument& wanted = *slots_[index].argument;
  suite_array expected{};
  expected.type = wanted.type;
  expected.rank = wanted.rank;
  if (wanted.type & SUITE_TYPE_SET) {
    const auto same = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
      return slot.bound.rank >= 0 && slot.in() && slot.argument->type == wanted.type;
    });
    expected.type = same == slots_.end() ? 0 : same->bound.type;
  }
  entry_->shapes->expect(arrays_.data(), index, expected.extent);
  return expected;
}
