// SPDX-License-Identifier: BSD-3-Clause
// Short lists that the call copies (suite_argument.copied): the host may drop them when suite_set has returned.
#include "support.hpp"

#include <memory>

BOOST_AUTO_TEST_SUITE(short_lists_are_copied)

using List = std::vector<int32_t>;

// Sets a list that is overwritten and freed at once: who still reads it is seen by its result, or by a sanitizer.
static void set_and_drop(suite::Kernel& kernel, const char* argument, const List& values) {
  const auto gone = std::make_unique<int32_t[]>(values.size());
  std::copy(values.begin(), values.end(), gone.get());
  kernel.set(argument, gone.get(), {static_cast<int64_t>(values.size())});
  std::fill_n(gone.get(), values.size(), -7);
}

static List picked(suite::Kernel& kernel, int64_t n) {
  List result(static_cast<size_t>(n));
  kernel.set("picked", result.data(), {n});
  kernel.run();
  kernel.get("picked", result.data(), {n});
  return result;
}

static const char* const implementations[] = {"cpu", "packed", "remote", "remotepacked"};

BOOST_AUTO_TEST_CASE(they_may_be_gone_when_the_kernel_runs) {
  for (const char* implementation : implementations) {
    BOOST_TEST_CONTEXT(implementation) {
      suite::Kernel kernel("probe.pick", implementation);
      set_and_drop(kernel, "bands", {1, 2, 3});
      set_and_drop(kernel, "kept", {4, 5, 6});
      BOOST_TEST((picked(kernel, 3) == List{14, 25, 36}));
      BOOST_TEST((picked(kernel, 3) == List{14, 25, 36}));
    }
  }
}

BOOST_AUTO_TEST_CASE(they_are_brought_back_as_they_were_set) {
  for (const char* implementation : implementations) {
    BOOST_TEST_CONTEXT(implementation) {
      suite::Kernel kernel("probe.pick", implementation);
      set_and_drop(kernel, "bands", {1, 2, 3});
      set_and_drop(kernel, "kept", {4, 5, 6});
      picked(kernel, 3);
      List bands(3), kept(3);
      kernel.get("bands", bands.data(), {3});
      kernel.get("kept", kept.data(), {3});
      BOOST_TEST((bands == List{1, 2, 3}));
      BOOST_TEST((kept == List{4, 5, 6}));
    }
  }
}

BOOST_AUTO_TEST_CASE(another_size_and_another_value_replace_them) {
  for (const char* implementation : implementations) {
    BOOST_TEST_CONTEXT(implementation) {
      suite::Kernel kernel("probe.pick", implementation);
      set_and_drop(kernel, "bands", {1, 2, 3});
      set_and_drop(kernel, "kept", {4, 5, 6});
      picked(kernel, 3);
      set_and_drop(kernel, "bands", {9, 8, 7});  // no prepare
      BOOST_TEST((picked(kernel, 3) == List{94, 85, 76}));
      set_and_drop(kernel, "kept", {1, 1, 1});
      BOOST_TEST((picked(kernel, 3) == List{91, 81, 71}));
      set_and_drop(kernel, "bands", {1, 2, 3, 4, 5});
      BOOST_TEST(outcome([&] { picked(kernel, 5); }) == "invalid argument: n is 5 in bands but 3 in kept");
      set_and_drop(kernel, "kept", {5, 4, 3, 2, 1});
      BOOST_TEST((picked(kernel, 5) == List{15, 24, 33, 42, 51}));
      kernel.set("kept", suite_array{});
      BOOST_TEST((picked(kernel, 5) == List{10, 20, 30, 40, 50}));
    }
  }
}

// What the core shows of an argument may be set again, although that frees what it points to.
BOOST_AUTO_TEST_CASE(the_copy_itself_may_be_set) {
  for (const char* implementation : implementations) {
    BOOST_TEST_CONTEXT(implementation) {
      suite::Kernel kernel("probe.pick", implementation);
      set_and_drop(kernel, "bands", {1, 2, 3});
      kernel.set("bands", kernel.argument("bands"));
      BOOST_TEST((picked(kernel, 3) == List{10, 20, 30}));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_refused_leaves_the_list_of_before) {
  suite::Kernel kernel("probe.pick", "cpu");
  set_and_drop(kernel, "bands", {1, 2, 3});
  const std::vector<double> wrong(3);
  BOOST_TEST(outcome([&] { kernel.set("bands", wrong.data(), {3}); }) == "invalid argument: bands takes int32, but real64 was given");
  BOOST_TEST((picked(kernel, 3) == List{10, 20, 30}));
}

BOOST_AUTO_TEST_CASE(forget_drops_them) {
  for (const char* implementation : implementations) {
    BOOST_TEST_CONTEXT(implementation) {
      suite::Kernel kernel("probe.pick", implementation);
      set_and_drop(kernel, "bands", {1, 2, 3});
      set_and_drop(kernel, "kept", {4, 5, 6});
      picked(kernel, 3);
      kernel.forget();
      BOOST_TEST(kernel.argument("bands").rank == -1);
      BOOST_TEST(outcome([&] { kernel.run(); }) == "invalid argument: bands of probe.pick is not set");
      set_and_drop(kernel, "bands", {2, 2});
      BOOST_TEST((picked(kernel, 2) == List{20, 20}));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
