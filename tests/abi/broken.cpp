// SPDX-License-Identifier: BSD-3-Clause
// A plugin with exactly one thing wrong (or, for some cases, right in an unusual way): see CMakeLists.txt.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <unistd.h>

#include <suite/plugin.hpp>

namespace {

int create(const suite_backend*, suite_queue*, const int64_t*, suite_kernel** kernel, suite_error*) {
  static int state;
  *kernel = reinterpret_cast<suite_kernel*>(&state);
  return SUITE_OK;
}
int execute(suite_kernel*, const suite_array* arguments, suite_error*) {
  *static_cast<double*>(arguments[0].data) = 1;
  return SUITE_OK;
}
void destroy(suite_kernel*) {}

// Tables of a future version: longer by a member that this host does not know.
struct LongerKernel {
  suite_kernel_table table;
  void* news = nullptr;
};
struct LongerPlugin {
  suite_plugin table;
  void* news = nullptr;
};

#if defined(CASE_FOREIGN_LAYOUT)
const char* const layouts[] = {"diagonal", nullptr};
#endif

suite_argument arguments[] = {{"y", SUITE_REAL64, 1, SUITE_OUT, 0, "n", "1", "", nullptr, 0},
                              {"x", SUITE_REAL64, 1, SUITE_IN, 0, "n", "1", "", "not read", 0}};
suite_published times[] = {{"V100", 1.1, 1.12, "times as fast", nullptr, "a paper"}};
suite_choice steps[] = {{"plain", "", 0, nullptr, SUITE_UNKNOWN, 0, nullptr},
                        {"other", "", 1e-5, "plain", SUITE_FASTER, 1, times}};
suite_parameter parameters[] = {{"knob", "a knob", "1", 1, 0, 2, nullptr, 0, 0}, {"variant", "steps", "1", 1, 0, 1, steps, 2, 0}};
LongerKernel kernel{}, second{};
LongerPlugin plugin{};
[[maybe_unused]] suite_backend backend{};

[[maybe_unused]] int fault() {
  ::raise(SIGSEGV);
  return 1;
}
#if defined(CASE_CRASH_AT_LOAD)
[[maybe_unused]] const int faulted = fault();
#elif defined(CASE_EXIT_AT_LOAD)
[[maybe_unused]] const int exited = (::_exit(0), 1);
#elif defined(CASE_LOST_SYMBOL)
extern "C" int nobody_defines_this();
[[maybe_unused]] int (*volatile lost)() = nobody_defines_this;
#endif

[[maybe_unused]] const suite_plugin* fill() {
  kernel.table.struct_size = sizeof(suite_kernel_table);
  kernel.table.kernel = "broken.one";
  kernel.table.implementation = CASE_NAME;
  kernel.table.backend = "cpu";
  kernel.table.summary = "sets y to 1";
  kernel.table.arguments = arguments;
  kernel.table.argument_count = 2;
  kernel.table.parameters = parameters;
  kernel.table.parameter_count = 2;
  kernel.table.sizes = {sizeof(suite_argument), sizeof(suite_parameter), sizeof(suite_choice), sizeof(suite_published)};
  kernel.table.create = create;
  kernel.table.execute = execute;
  kernel.table.destroy = destroy;
  static const suite_kernel_table* kernels[] = {&kernel.table, &second.table};
  plugin.table = {SUITE_ABI_VERSION, sizeof(suite_plugin), "1", "a compiler", nullptr, kernels, 1, "broken",
                  CASE_NAME};
#if defined(CASE_WRONG_VERSION)
  plugin.table.abi_version = 7;
#elif defined(CASE_NEWER_HOST_ONLY)
  return nullptr;
#elif defined(CASE_SHORT_PLUGIN)
  plugin.table.struct_size = 24;
#elif defined(CASE_SHORT_KERNEL)
  kernel.table.struct_size = offsetof(suite_kernel_table, layouts);
#elif defined(CASE_LONGER_TABLES)
  plugin.table.struct_size = sizeof plugin;
  kernel.table.struct_size = sizeof kernel;
#elif defined(CASE_SHORT_ARGUMENTS)
  kernel.table.sizes.argument = 56;
#elif defined(CASE_SHORT_PARAMETERS)
  kernel.table.sizes.parameter = 0;
#elif defined(CASE_SHORT_CHOICES)
  kernel.table.sizes.choice = sizeof(suite_choice) - 1;
#elif defined(CASE_SHORT_PUBLISHED)
  kernel.table.sizes.published = 8;
#elif defined(CASE_NO_NAME)
  arguments[1].name = nullptr;
#elif defined(CASE_NO_EXECUTE)
  kernel.table.execute = nullptr;
#elif defined(CASE_RANK_SEVEN)
  arguments[0].rank = 7;
#elif defined(CASE_UNKNOWN_TYPE)
  arguments[0].type = 99;
#elif defined(CASE_EMPTY_SET)
  arguments[0].type = SUITE_TYPE_SET;
#elif defined(CASE_SHAPE_RANK)
  arguments[0].shape = "n,m";
#elif defined(CASE_SHAPE_SYNTAX)
  arguments[0].shape = "n+*2";
#elif defined(CASE_TWICE)
  arguments[1].name = "y";
#elif defined(CASE_NO_SUCH_SHAPE_BRACKETS)
  arguments[0].shape = "n[,k";
  arguments[0].rank = 2;
#elif defined(CASE_COPIED_RESULT)
  arguments[0].copied = 1;
#elif defined(CASE_NO_UNIT_OF_A_KNOB)
  parameters[0].unit = nullptr;
#elif defined(CASE_NO_ENTRIES)
  parameters[1].choice_count = 0;
#elif defined(CASE_DEFAULT_NO_CHOICE)
  parameters[1].value = 2;
#elif defined(CASE_CHOICE_WITHOUT_NAME)
  steps[1].name = "";
#elif defined(CASE_CHOICE_WITHOUT_MEANING)
  steps[1].meaning = nullptr;
#elif defined(CASE_CHOICE_TWICE)
  steps[1].name = "plain";
#elif defined(CASE_CHOICE_TOLERANCE_NEGATIVE)
  steps[1].tolerance = -1e-5;
#elif defined(CASE_CHOICE_TOLERANCE_NAN)
  steps[1].tolerance = std::numeric_limits<double>::quiet_NaN();
#elif defined(CASE_CHOICE_TOLERANCE_INFINITE)
  steps[1].tolerance = std::numeric_limits<double>::infinity();
#elif defined(CASE_AFTER_NOTHING)
  steps[1].after = "nowhere";
#elif defined(CASE_AFTER_ITSELF)
  steps[1].after = "other";
#elif defined(CASE_AFTER_A_LATER_ONE)
  steps[0].after = "other";
  steps[1].after = nullptr;
#elif defined(CASE_NO_SUCH_EFFECT)
  steps[1].expected = 4;
#elif defined(CASE_PUBLISHED_NOWHERE)
  steps[1].published = nullptr;
#elif defined(CASE_PUBLISHED_WITHOUT_DEVICE)
  times[0].device = nullptr;
#elif defined(CASE_PUBLISHED_WITHOUT_UNIT)
  times[0].unit = "";
#elif defined(CASE_PUBLISHED_WITHOUT_SOURCE)
  times[0].source = "";
#elif defined(CASE_PUBLISHED_BACKWARDS)
  times[0].high = 1;
#elif defined(CASE_PUBLISHED_NAN)
  times[0].low = std::numeric_limits<double>::quiet_NaN();
#elif defined(CASE_MERIT_WITHOUT_COUNT)
  kernel.table.merit_unit = "numbers";
#elif defined(CASE_DEFAULT_OUT_OF_RANGE)
  parameters[0].value = 3;
#elif defined(CASE_WRONG_FAMILY)
  kernel.table.kernel = "gpp.one";
#elif defined(CASE_FOREIGN_LAYOUT)
  kernel.table.layouts = layouts;
#elif defined(CASE_NO_KERNELS)
  plugin.table.kernel_count = 0;
#elif defined(CASE_TWO_KERNELS)
  second = kernel;
  plugin.table.kernel_count = 2;
#elif defined(CASE_NO_SUCH_INTENT)
  arguments[0].intent = 4;
#elif defined(CASE_BAD_TOLERANCE)
  arguments[0].tolerance = -1;
#elif defined(CASE_INCOMPLETE_BACKEND)
  backend.struct_size = sizeof backend;
  backend.name = "half";
  plugin.table.backend = &backend;
#elif defined(CASE_CRASH_IN_QUERY)
  fault();
#elif defined(CASE_THROW_IN_QUERY)
  throw 42;
#elif defined(CASE_WILD_TABLE)
  kernel.table.kernel = reinterpret_cast<const char*>(8);
#endif
  return &plugin.table;
}

}  // namespace

#if !defined(CASE_NO_QUERY)
extern "C" SUITE_EXPORT const suite_plugin* suite_plugin_query(uint32_t) { return fill(); }
#endif
