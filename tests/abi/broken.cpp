// SPDX-License-Identifier: BSD-3-Clause
// A plugin with exactly one thing wrong (or, for some cases, right in an unusual way). It finds the case in its own file name,
// suite_broken_<case>.so, so that one library is compiled and copied for all of them; those that must be compiled or linked in another
// way are in CMakeLists.txt.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include <dlfcn.h>
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

const char* const layouts[] = {"diagonal", nullptr};

suite_argument arguments[] = {{"y", SUITE_REAL64, 1, SUITE_OUT, 0, "n", "1", "", nullptr, 0},
                              {"x", SUITE_REAL64, 1, SUITE_IN, 0, "n", "1", "", "not read", 0}};
suite_published times[] = {{"V100", 1.1, 1.12, "times as fast", nullptr, "a paper"}};
suite_choice steps[] = {{"plain", "", 0, nullptr, SUITE_UNKNOWN, 0, nullptr}, {"other", "", 1e-5, "plain", SUITE_FASTER, 1, times}};
suite_parameter parameters[] = {{"knob", "a knob", "1", 1, 0, 2, nullptr, 0, 0}, {"variant", "steps", "1", 1, 0, 1, steps, 2, 0}};
LongerKernel kernel{}, second{};
LongerPlugin plugin{};
suite_backend backend{};
bool served = true;

int fault() {
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

struct Case {
  const char* name;
  void (*spoil)();
};
// clang-format off
const Case cases[] = {
    {"wrong_version",             [] { plugin.table.abi_version = 7; }},
    {"newer_host_only",           [] { served = false; }},
    {"short_plugin",              [] { plugin.table.struct_size = 24; }},
    {"short_kernel",              [] { kernel.table.struct_size = offsetof(suite_kernel_table, layouts); }},
    {"longer_tables",             [] { plugin.table.struct_size = sizeof plugin; kernel.table.struct_size = sizeof kernel; }},
    {"short_arguments",           [] { kernel.table.sizes.argument = 56; }},
    {"short_parameters",          [] { kernel.table.sizes.parameter = 0; }},
    {"short_choices",             [] { kernel.table.sizes.choice = sizeof(suite_choice) - 1; }},
    {"short_published",           [] { kernel.table.sizes.published = 8; }},
    {"no_name",                   [] { arguments[1].name = nullptr; }},
    {"no_execute",                [] { kernel.table.execute = nullptr; }},
    {"rank_seven",                [] { arguments[0].rank = 7; }},
    {"unknown_type",              [] { arguments[0].type = 99; }},
    {"empty_set",                 [] { arguments[0].type = SUITE_TYPE_SET; }},
    {"shape_rank",                [] { arguments[0].shape = "n,m"; }},
    {"shape_syntax",              [] { arguments[0].shape = "n+*2"; }},
    {"twice",                     [] { arguments[1].name = "y"; }},
    {"no_such_shape_brackets",    [] { arguments[0].shape = "n[,k"; arguments[0].rank = 2; }},
    {"copied_result",             [] { arguments[0].copied = 1; }},
    {"no_unit_of_a_knob",         [] { parameters[0].unit = nullptr; }},
    {"no_entries",                [] { parameters[1].choice_count = 0; }},
    {"default_no_choice",         [] { parameters[1].value = 2; }},
    {"choice_without_name",       [] { steps[1].name = ""; }},
    {"choice_without_meaning",    [] { steps[1].meaning = nullptr; }},
    {"choice_twice",              [] { steps[1].name = "plain"; }},
    {"choice_tolerance_negative", [] { steps[1].tolerance = -1e-5; }},
    {"choice_tolerance_nan",      [] { steps[1].tolerance = std::numeric_limits<double>::quiet_NaN(); }},
    {"choice_tolerance_infinite", [] { steps[1].tolerance = std::numeric_limits<double>::infinity(); }},
    {"after_nothing",             [] { steps[1].after = "nowhere"; }},
    {"after_itself",              [] { steps[1].after = "other"; }},
    {"after_a_later_one",         [] { steps[0].after = "other"; steps[1].after = nullptr; }},
    {"no_such_effect",            [] { steps[1].expected = 4; }},
    {"published_nowhere",         [] { steps[1].published = nullptr; }},
    {"published_without_device",  [] { times[0].device = nullptr; }},
    {"published_without_unit",    [] { times[0].unit = ""; }},
    {"published_without_source",  [] { times[0].source = ""; }},
    {"published_backwards",       [] { times[0].high = 1; }},
    {"published_nan",             [] { times[0].low = std::numeric_limits<double>::quiet_NaN(); }},
    {"merit_without_count",       [] { kernel.table.merit_unit = "numbers"; }},
    {"default_out_of_range",      [] { parameters[0].value = 3; }},
    {"wrong_family",              [] { kernel.table.kernel = "gpp.one"; }},
    {"foreign_layout",            [] { kernel.table.layouts = layouts; }},
    {"no_kernels",                [] { plugin.table.kernel_count = 0; }},
    {"two_kernels",               [] { second = kernel; plugin.table.kernel_count = 2; }},
    {"no_such_intent",            [] { arguments[0].intent = 4; }},
    {"bad_tolerance",             [] { arguments[0].tolerance = -1; }},
    {"incomplete_backend",        [] { backend.struct_size = sizeof backend; backend.name = "half"; plugin.table.backend = &backend; }},
    {"crash_in_query",            [] { fault(); }},
    {"throw_in_query",            [] { throw 42; }},
    {"wild_table",                [] { kernel.table.kernel = reinterpret_cast<const char*>(8); }},
};
// clang-format on

// <case> of suite_broken_<case>.so, which may have been loaded from anywhere.
std::string case_of_this_file() {
  Dl_info info{};
  if (!::dladdr(&plugin, &info) || !info.dli_fname) return "";
  const std::string path = info.dli_fname, start = "suite_broken_";
  const size_t from = path.rfind(start) + start.size();
  return path.substr(from, path.rfind(".so") - from);
}

[[maybe_unused]] const suite_plugin* fill() {
  static const std::string name = case_of_this_file();
  kernel.table.struct_size = sizeof(suite_kernel_table);
  kernel.table.kernel = "broken.one";
  kernel.table.implementation = name.c_str();
  kernel.table.backend = "cpu";
  kernel.table.summary = "sets y to 1";
  kernel.table.arguments = arguments;
  kernel.table.argument_count = std::size(arguments);
  kernel.table.parameters = parameters;
  kernel.table.parameter_count = std::size(parameters);
  kernel.table.sizes = {sizeof(suite_argument), sizeof(suite_parameter), sizeof(suite_choice), sizeof(suite_published)};
  kernel.table.create = create;
  kernel.table.execute = execute;
  kernel.table.destroy = destroy;
  static const suite_kernel_table* kernels[] = {&kernel.table, &second.table};
  plugin.table = {SUITE_ABI_VERSION, sizeof(suite_plugin), "1", "a compiler", nullptr, kernels, 1, "broken", name.c_str()};
  for (const Case& c : cases)
    if (name == c.name) c.spoil();
  return served ? &plugin.table : nullptr;
}

}  // namespace

#if !defined(CASE_NO_QUERY)
extern "C" SUITE_EXPORT const suite_plugin* suite_plugin_query(uint32_t) { return fill(); }
#endif
