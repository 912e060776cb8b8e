// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cfenv>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <suite/suite.hpp>

extern "C" {
size_t size_of_array_in_c(void);
size_t size_of_argument_in_c(void);
size_t size_of_kernel_table_in_c(void);
}

namespace {

// What the loader says to plugin broken_<name>: "ok", or the sentence behind the path.
std::string said(const std::string& name) {
  const std::string path = std::string(TEST_PLUGINS) + "/suite_broken_" + name + ".so";
  try {
    suite::Kernel kernel("broken.one", path);
    double y = 0;
    kernel.set("y", &y, {1});
    kernel.run();
    return y == 1 ? "ok" : "wrong result";
  } catch (const suite::Failure& e) {
    const std::string text = e.what(), start = "cannot use " + path + ": ";
    return text.rfind(start, 0) == 0 ? text.substr(start.size()) : text;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(c_and_cxx_see_the_same_structs) {
  BOOST_TEST(size_of_array_in_c() == sizeof(suite_array));
  BOOST_TEST(size_of_argument_in_c() == sizeof(suite_argument));
  BOOST_TEST(size_of_kernel_table_in_c() == sizeof(suite_kernel_table));
}

BOOST_AUTO_TEST_CASE(sound_plugins_load) {
  BOOST_TEST(said("sound") == "ok");
  BOOST_TEST(said("unsealed_sound") == "ok");
}

BOOST_AUTO_TEST_CASE(versions_and_sizes) {
  BOOST_TEST(said("wrong_version") == "it was built for version 7 of the plugin contract; this suite has version 2");
  BOOST_TEST(said("newer_host_only") == "it does not serve version 2 of the plugin contract");
  BOOST_TEST(said("short_plugin") == "its plugin table has struct_size 24, less than the 64 of version 2");
  BOOST_TEST(said("short_kernel") == "its kernel table has struct_size 144, less than the 152 of version 2");
  BOOST_TEST(said("short_arguments") == "the elements of its table of arguments have 56 bytes, less than the 64 of version 2");
  BOOST_TEST(said("short_parameters") == "the elements of its table of parameters have 0 bytes, less than the 64 of version 2");
  BOOST_TEST(said("short_choices") == "the elements of its table of choices have 47 bytes, less than the 48 of version 2");
  BOOST_TEST(said("short_published") == "the elements of its table of published numbers have 8 bytes, less than the 48 of version 2");
}

// Built from the abi.h of version 1 that lies in v1/.
BOOST_AUTO_TEST_CASE(a_plugin_of_version_1_is_refused_with_a_sentence) {
  BOOST_TEST(said("version_1") == "it was built for version 1 of the plugin contract; this suite has version 2");
}

BOOST_AUTO_TEST_CASE(tables_may_grow) { BOOST_TEST(said("longer_tables") == "ok"); }

// Not only loaded: every member of the second and later elements is found, though they lie further apart.
BOOST_AUTO_TEST_CASE(elements_of_tables_may_grow) {
  BOOST_REQUIRE(said("longer_elements") == "ok");
  suite::Kernel kernel("broken.one", TEST_PLUGINS "/suite_broken_longer_elements.so");
  const suite_kernel_table& table = kernel.table();
  BOOST_TEST(table.sizes.argument == sizeof(suite_argument));  // what the host shows is as the host knows it
  BOOST_REQUIRE(table.argument_count == 2u);
  BOOST_TEST(std::string(table.arguments[1].name) == "x");
  BOOST_TEST(std::string(table.arguments[1].when_unset) == "2");
  BOOST_REQUIRE(table.parameter_count == 2u);
  BOOST_TEST(std::string(table.parameters[1].name) == "variant");
  BOOST_REQUIRE(table.parameters[1].choice_count == 2u);
  const suite_choice& other = table.parameters[1].choices[1];
  BOOST_TEST(std::string(other.name) == "other");
  BOOST_TEST(other.tolerance == 1e-5);
  BOOST_REQUIRE(other.published_count == 2u);
  BOOST_TEST(std::string(other.published[1].device) == "A100");
  BOOST_TEST(other.published[1].high == 0.7);
  double y = 0, x = 5;
  kernel.set("x", &x, {1});
  kernel.set("y", &y, {1});
  kernel.set_parameter("knob", 2);
  kernel.choose("variant", "other");
  kernel.run();
  BOOST_TEST(y == 5 * 2 + 1);
}

BOOST_AUTO_TEST_CASE(arguments_and_parameters) {
  BOOST_TEST(said("no_name") == "its kernel broken.one has an argument that has no name");
  BOOST_TEST(said("rank_seven") == "argument 'y' of broken.one has rank 7; it must be from 0 to 6");
  BOOST_TEST(said("unknown_type") == "argument 'y' of broken.one has the unknown type 99");
  BOOST_TEST(said("empty_set") == "argument 'y' of broken.one has the unknown type set 65536");
  BOOST_TEST(said("shape_rank") == "argument 'y' has rank 1 but its shape 'n,m' has 2 extents");
  BOOST_TEST(said("shape_syntax") == "argument 'y': its extent 'n+*2' cannot be read");
  BOOST_TEST(said("twice") == "kernel broken.one has two arguments 'y'");
  BOOST_TEST(said("no_such_intent") == "argument 'y' of broken.one has the unknown intent 4");
  BOOST_TEST(said("bad_tolerance") == "argument 'y' of broken.one has an impossible tolerance");
  BOOST_TEST(said("no_such_shape_brackets") == "argument 'y': its extent 'n[' cannot be read");
  BOOST_TEST(said("copied_result") == "argument 'y' of broken.one is copied when it is set, but it is a result");
  BOOST_TEST(said("default_out_of_range") == "parameter 'knob' of broken.one has the default 3 outside its range 0 to 2");
  BOOST_TEST(said("no_unit_of_a_knob") == "parameter 'knob' of broken.one lacks its meaning or unit");
  BOOST_TEST(said("merit_without_count") == "its figure of merit lacks its unit or count");
}

BOOST_AUTO_TEST_CASE(choices) {
  const std::string variant = "parameter 'variant' of broken.one", other = "choice 'other' of " + variant;
  BOOST_TEST(said("no_entries") == variant + " has the default 1 of 0 choices");
  BOOST_TEST(said("default_no_choice") == variant + " has the default 2 of 2 choices");
  BOOST_TEST(said("choice_without_name") == "its " + variant + " has a choice that has no name");
  BOOST_TEST(said("choice_without_meaning") == other + " lacks its meaning");
  BOOST_TEST(said("choice_twice") == variant + " has two choices 'plain'");
  for (const char* tolerance : {"negative", "nan", "infinite"})
    BOOST_TEST(said(std::string("choice_tolerance_") + tolerance) == other + " has an impossible tolerance");
  BOOST_TEST(said("after_nothing") == other + " comes after 'nowhere', which is not an earlier choice");
  BOOST_TEST(said("after_itself") == other + " comes after 'other', which is not an earlier choice");
  BOOST_TEST(said("after_a_later_one") == "choice 'plain' of " + variant + " comes after 'other', which is not an earlier choice");
  BOOST_TEST(said("no_such_effect") == other + " has the unknown expectation 4");
}

BOOST_AUTO_TEST_CASE(published_numbers) {
  const std::string other = "choice 'other' of parameter 'variant' of broken.one";
  BOOST_TEST(said("published_nowhere") == "it counts 1 published numbers but has no table of them");
  for (const char* lost : {"device", "unit", "source"})
    BOOST_TEST(said(std::string("published_without_") + lost) == other + " has a published number without its device, unit or source");
  BOOST_TEST(said("published_backwards") == other + " has a published number that is not a range");
  BOOST_TEST(said("published_nan") == other + " has a published number that is not a range");
}

// Callers use names: a plugin with its arguments in another order gives the same results.
BOOST_AUTO_TEST_CASE(the_order_of_arguments_is_the_plugins_own) {
  const auto of = [](const std::string& name) {
    suite::Kernel kernel("same.sum", std::string(SAME_PLUGINS) + "/suite_same_" + name + ".so");
    const std::vector<double> x{1, 2, 3};
    std::vector<double> y(3);
    kernel.set("factor", 3.0);
    kernel.set("x", x.data(), {3});
    kernel.set("y", y.data(), {3});
    kernel.run();
    y.push_back(kernel.cost().flops);
    y.push_back(static_cast<double>(kernel.merit()));
    return y;
  };
  BOOST_TEST((of("plain") == std::vector<double>{3, 6, 9, 3, 3}));
  BOOST_TEST((of("permuted") == of("plain")));
}

BOOST_AUTO_TEST_CASE(kernels_and_backends) {
  BOOST_TEST(said("no_execute") == "its kernel broken.one lacks create, execute or destroy");
  BOOST_TEST(said("wrong_family") == "its kernel 'gpp.one' is not named broken.<name>");
  BOOST_TEST(said("foreign_layout") == "no layout is named 'diagonal'");
  BOOST_TEST(said("no_kernels") == "it has 0 kernels; it must have 1 to 256");
  BOOST_TEST(said("two_kernels") == "it has two kernels 'broken.one'");
  BOOST_TEST(said("incomplete_backend") == "its backend 'half' lacks one of the functions that every backend has");
}

BOOST_AUTO_TEST_CASE(an_unsealed_plugin_that_dies_kills_only_the_child) {
  BOOST_TEST(said("crash_at_load") == "crashed while being loaded (signal 11)");
  BOOST_TEST(said("crash_in_query") == "crashed while being loaded (signal 11)");
  BOOST_TEST(said("wild_table") == "crashed while being loaded (signal 11)");
  BOOST_TEST(said("exit_at_load") == "it ended the process while being loaded");
  BOOST_TEST(said("throw_in_query") == "an exception of unknown type was thrown during loading");
}

BOOST_AUTO_TEST_CASE(what_the_dynamic_linker_says_is_kept) {
  BOOST_TEST(said("lost_symbol").find("undefined symbol: nobody_defines_this") != std::string::npos, said("lost_symbol"));
  BOOST_TEST(said("no_query") == "it has no function suite_plugin_query, so it is not a plugin of suite");
}

// A library linked with -ffast-math sets flush-to-zero for the whole thread when it is loaded.
BOOST_AUTO_TEST_CASE(the_floating_point_environment_survives_loading) {
#if defined(__x86_64__)
  const unsigned before = _mm_getcsr();
  BOOST_TEST(said("flush_to_zero") == "ok");
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  BOOST_TEST((_mm_getcsr() & (flush_to_zero | denormals_are_zero)) == 0u);
  BOOST_TEST((_mm_getcsr() & ~0x3fu) == (before & ~0x3fu));
  volatile double tiny = 1e-300;
  BOOST_TEST(tiny * 1e-10 > 0);
#endif
}
