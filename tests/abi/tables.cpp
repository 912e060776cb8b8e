// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cfenv>
#include <string>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <suite/suite.hpp>

extern "C" size_t size_of_array_in_c(void);

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
}

BOOST_AUTO_TEST_CASE(sound_plugins_load) {
  BOOST_TEST(said("sound") == "ok");
  BOOST_TEST(said("unsealed_sound") == "ok");
}

BOOST_AUTO_TEST_CASE(versions_and_sizes) {
  BOOST_TEST(said("wrong_version") ==
             "it was built for version 7 of the plugin contract; this suite has version 1");
  BOOST_TEST(said("newer_host_only") == "it does not serve version 1 of the plugin contract");
  BOOST_TEST(said("short_plugin") == "its plugin table has struct_size 24, less than the 64 of version 1");
  BOOST_TEST(said("short_kernel") == "its kernel table has struct_size 72, less than the 120 of version 1");
}

// Built from its own copy of abi.h, v1/abi.h: it loads as long as the contract has its version.
BOOST_AUTO_TEST_CASE(a_plugin_of_version_1_is_used_or_refused_with_a_sentence) {
  BOOST_TEST(said("version_1") ==
             (SUITE_ABI_VERSION == 1
                  ? std::string("ok")
                  : "it was built for version 1 of the plugin contract; this suite has version " +
                        std::to_string(SUITE_ABI_VERSION)));
}

BOOST_AUTO_TEST_CASE(tables_may_grow_and_end_early) {
  BOOST_TEST(said("longer_tables") == "ok");
  BOOST_TEST(said("shorter_kernel_table") == "ok");
}

BOOST_AUTO_TEST_CASE(arguments_and_parameters) {
  BOOST_TEST(said("no_name") == "its kernel broken.one has an argument that has no name");
  BOOST_TEST(said("rank_seven") == "argument 'y' of broken.one has rank 7; 0 to 6 are possible");
  BOOST_TEST(said("unknown_type") == "argument 'y' of broken.one has the unknown type 99");
  BOOST_TEST(said("empty_set") == "argument 'y' of broken.one has the unknown type set 65536");
  BOOST_TEST(said("shape_rank") == "argument 'y' has rank 1 but its shape 'n,m' has 2 extents");
  BOOST_TEST(said("shape_syntax") == "argument 'y': its extent 'n+*2' cannot be read");
  BOOST_TEST(said("twice") == "kernel broken.one has two arguments 'y'");
  BOOST_TEST(said("no_such_intent") == "argument 'y' of broken.one has the unknown intent 4");
  BOOST_TEST(said("bad_tolerance") == "argument 'y' of broken.one has an impossible tolerance");
  BOOST_TEST(said("default_out_of_range") ==
             "parameter 'knob' of broken.one has the default 3 outside its range 0 to 2");
}

BOOST_AUTO_TEST_CASE(kernels_and_backends) {
  BOOST_TEST(said("no_execute") == "its kernel broken.one lacks create, execute or destroy");
  BOOST_TEST(said("wrong_family") == "its kernel 'gpp.one' is not named broken.<name>");
  BOOST_TEST(said("foreign_layout") == "no layout is named 'diagonal'");
  BOOST_TEST(said("no_kernels") == "it has 0 kernels; 1 to 256 are possible");
  BOOST_TEST(said("two_kernels") == "it has two kernels 'broken.one'");
  BOOST_TEST(said("incomplete_backend") ==
             "its backend 'half' lacks one of the functions that every backend has");
}

BOOST_AUTO_TEST_CASE(an_unsealed_plugin_that_dies_kills_only_the_child) {
  BOOST_TEST(said("crash_at_load") == "crashed while being loaded (signal 11)");
  BOOST_TEST(said("crash_in_query") == "crashed while being loaded (signal 11)");
  BOOST_TEST(said("wild_table") == "crashed while being loaded (signal 11)");
  BOOST_TEST(said("exit_at_load") == "it ended the process while being loaded");
  BOOST_TEST(said("throw_in_query") == "an exception of unknown type was thrown while it was loaded");
}

BOOST_AUTO_TEST_CASE(what_the_dynamic_linker_says_is_kept) {
  BOOST_TEST(said("lost_symbol").find("undefined symbol: nobody_defines_this") != std::string::npos,
             said("lost_symbol"));
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
