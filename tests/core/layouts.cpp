// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <numeric>

#include <suite/layout.hpp>

BOOST_AUTO_TEST_SUITE(layouts_convert_there_and_back)

using suite::layout::parse;

BOOST_AUTO_TEST_CASE(names) {
  BOOST_TEST(parse("interleaved").plain());
  const auto all = parse("transposed+blocked(16)+split");
  BOOST_TEST(all.transposed);
  BOOST_TEST(all.split);
  BOOST_TEST(all.block == 16);
  for (const char* wrong :
       {"", "blocked", "blocked()", "blocked(0)", "blocked(-1)", "blocked(8", "blocked(8)x", "blocked(99999999999999999999)",
        "split+transposed", "split+split", "transposed+", "+split", "interleaved+split", "Split"})
    BOOST_TEST(outcome([&] { parse(wrong); }) == "unsupported: no layout is named '" + std::string(wrong) + "'");
}

static std::vector<double> packed(const char* name, const std::vector<double>& data, suite::Extents extents) {
  const auto array = suite::describe(data.data(), extents);
  std::vector<double> out(suite::layout::packed_bytes(parse(name), array) / 8, -1);
  suite::layout::pack(parse(name), array, out.data());
  return out;
}

static std::vector<double> packed(const char* name, const std::vector<Complex>& data, suite::Extents extents) {
  const auto array = suite::describe(data.data(), extents);
  std::vector<double> out(suite::layout::packed_bytes(parse(name), array) / 8, -1);
  suite::layout::pack(parse(name), array, out.data());
  return out;
}

// By hand, from the definitions at the top of layout.hpp.
BOOST_AUTO_TEST_CASE(small_arrays_by_hand) {
  const std::vector<double> two_by_three{11, 21, 12, 22, 13, 23};  // element (i,j) is 10 i + j
  using Reals = std::vector<double>;
  BOOST_TEST((packed("interleaved", two_by_three, {2, 3}) == two_by_three));
  BOOST_TEST((packed("transposed", two_by_three, {2, 3}) == Reals{11, 12, 13, 21, 22, 23}));
  BOOST_TEST((packed("blocked(2)", two_by_three, {3, 2}) == Reals{11, 21, 22, 13, 12, 0, 23, 0}));
  BOOST_TEST((packed("transposed+blocked(2)", two_by_three, {2, 3}) == Reals{11, 12, 21, 22, 13, 0, 23, 0}));
  const std::vector<Complex> three{{1, -1}, {2, -2}, {3, -3}};
  BOOST_TEST((packed("split", three, {3}) == Reals{1, 2, 3, -1, -2, -3}));
  BOOST_TEST((packed("blocked(2)", three, {3}) == Reals{1, -1, 2, -2, 3, -3, 0, 0}));
  BOOST_TEST((packed("blocked(2)+split", three, {3}) == Reals{1, 2, -1, -2, 3, 0, -3, 0}));
  BOOST_TEST((packed("split", two_by_three, {2, 3}) == two_by_three));  // a real flavour has no planes
}

template <class T> static void there_and_back(const char* name, suite::Extents extents) {
  int64_t count = 1;
  for (int64_t e : extents) count *= e;
  std::vector<T> from(count), to(count);
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_arithmetic_v<T>) from[i] = static_cast<T>(i + 1);
    else from[i] = {static_cast<typename T::value_type>(i + 1), static_cast<typename T::value_type>(-i)};
  }
  const auto layout = parse(name);
  const auto array = suite::describe(from.data(), extents), back = suite::describe(to.data(), extents);
  std::vector<char> bytes(suite::layout::packed_bytes(layout, array));
  suite::layout::pack(layout, array, bytes.data());
  suite::layout::unpack(layout, bytes.data(), back);
  BOOST_TEST((from == to));
}

BOOST_AUTO_TEST_CASE(every_type_and_rank) {
  for (const char* name : {"interleaved", "transposed", "blocked(1)", "blocked(4)", "blocked(7)+split", "split", "transposed+split",
                           "transposed+blocked(8)", "transposed+blocked(3)+split"})
    BOOST_TEST_CONTEXT(name) {
      for (suite::Extents extents :
           {suite::Extents{5, 3}, suite::Extents{1, 1}, suite::Extents{7, 1, 2}, suite::Extents{3, 2, 2, 3, 1, 2}}) {
        there_and_back<int32_t>(name, extents);
        there_and_back<int64_t>(name, extents);
        there_and_back<float>(name, extents);
        there_and_back<double>(name, extents);
        there_and_back<std::complex<float>>(name, extents);
        there_and_back<Complex>(name, extents);
      }
      if (!parse(name).transposed) there_and_back<Complex>(name, {31});
    }
}

BOOST_AUTO_TEST_CASE(arguments_that_cannot_have_a_layout) {
  const suite_argument real{"x", SUITE_REAL64, 1, SUITE_IN, 0, "n", "1", "", nullptr, 0},
      scalar{"s", SUITE_COMPLEX128, 0, SUITE_IN, 0, "", "1", "", nullptr, 0};
  BOOST_TEST(outcome([&] { suite::layout::check(parse("split"), real); }) ==
             "unsupported: argument 'x' is never complex and cannot be split");
  BOOST_TEST(outcome([&] { suite::layout::check(parse("transposed"), real); }) ==
             "unsupported: argument 'x' has rank 1 and cannot be transposed");
  BOOST_TEST(outcome([&] { suite::layout::check(parse("blocked(2)"), scalar); }) ==
             "unsupported: argument 's' is a scalar and has no layout");
}

// probe.copy on "packed" (in place) and "remotepacked" (copied) names layouts; the core converts.
BOOST_AUTO_TEST_CASE(the_core_converts_for_kernels) {
  for (const char* implementation : {"cpu", "packed", "remote", "remotepacked"}) {
    BOOST_TEST_CONTEXT(implementation) {
      suite::Kernel kernel("probe.copy", implementation);
      std::vector<Complex> in(5 * 3 * 2), fixed(5 * 3), copy(in.size()), fixed_copy(fixed.size());
      for (size_t i = 0; i < in.size(); ++i) in[i] = {double(i + 1), -double(i + 1)};
      for (size_t i = 0; i < fixed.size(); ++i) fixed[i] = {double(i), 0.5};
      std::vector<double> raw(8);
      kernel.set("in", in.data(), {5, 3, 2});
      kernel.set("fixed", fixed.data(), {5, 3});
      kernel.set("raw", raw.data(), {8});
      kernel.set("copy", copy.data(), {5, 3, 2});
      kernel.set("fixed_copy", fixed_copy.data(), {5, 3});
      kernel.run();
      kernel.get("raw", raw.data(), {8});
      kernel.get("copy", copy.data(), {5, 3, 2});
      kernel.get("fixed_copy", fixed_copy.data(), {5, 3});
      BOOST_TEST((copy == in));
      BOOST_TEST((fixed_copy == fixed));
      using Reals = std::vector<double>;
      const std::string name = implementation;
      // transposed+blocked(4)+split of 5x3: the first block holds (1,1) (1,2) (1,3) and a zero.
      if (name == "packed") BOOST_TEST((raw == Reals{1, 6, 11, 0, -1, -6, -11, 0}));
      else if (name == "remotepacked") BOOST_TEST((raw == Reals{1, -1, 2, -2, 6, -6, 7, -7}));
      else BOOST_TEST((raw == Reals{1, -1, 2, -2, 3, -3, 4, -4}));
      // Where memory is shared, a change in place is seen without another set, as without layouts.
      if (name == "packed") {
        in[0] = {100, 0};
        kernel.run();
        BOOST_TEST(copy[0].real() == 100);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_device_array_in_another_layout_is_refused) {
  const suite::Device device("remote");
  suite::Array<double> there(device, {2, 2, 2});
  suite::Kernel kernel("probe.copy", "remotepacked", &device);
  BOOST_TEST(outcome([&] { kernel.set("in", there.array()); }) ==
             "unsupported: remotepacked wants in in the layout blocked(2); set it from the host");
}

BOOST_AUTO_TEST_SUITE_END()
