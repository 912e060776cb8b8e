// SPDX-License-Identifier: BSD-3-Clause
#include "generated_arguments.hpp"

#include <cstring>

#include "common/quantities.hpp"
#include "sizes.hpp"

namespace suite::app {

GeneratedArguments::GeneratedArguments(const std::string& kernel, const std::string& size, uint64_t seed) : owner_(kernel, "reference") {
  const suite_kernel_table& table = owner_.table();
  const double need = memory_B(arguments_of(table, size));
  uint64_t free = 0, total = 0;
  suite_error error{};
  require(suite_device_memory(suite_call_device(owner_.handle()), &free, &total, &error), error);
  if (need > static_cast<double>(free))
    throw Failure(SUITE_OUT_OF_MEMORY, "size '" + size + "' of " + kernel + " needs " + bytes_text(need) + "; " +
                                           bytes_text(static_cast<double>(free)) + " of " + bytes_text(static_cast<double>(total)) +
                                           " are free. Arguments of " + fixed(100 * static_cast<double>(free) / need, 2) +
                                           " % of that would fit");
  owner_.generate(size, seed);
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_array bound = owner_.argument(table.arguments[i].name);
    if ((table.arguments[i].intent & SUITE_INOUT) != SUITE_INOUT || bound.rank < 0 || !bound.data) continue;
    const auto* data = static_cast<const char*>(bound.data);
    state_.push_back({table.arguments[i].name, bound, {data, data + static_cast<size_t>(count_of(bound)) * suite_type_size(bound.type)}});
  }
}

std::string GeneratedArguments::small_size() const { return is_single() ? "small,precision=single" : "small"; }

void GeneratedArguments::give(Kernel& kernel) {
  const suite_kernel_table& table = owner_.table();
  for (const auto& start : state_) std::memcpy(start.array.data, start.bytes.data(), start.bytes.size());
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_array bound = owner_.argument(table.arguments[i].name);
    if (bound.rank >= 0 && bound.data) kernel.set(table.arguments[i].name, bound);
  }
}

}  // namespace suite::app
