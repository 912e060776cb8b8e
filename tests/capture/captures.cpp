// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <fstream>
#include <thread>

#include <unistd.h>

#include "../common/outcome.hpp"
#include "hdf5/captured_call.hpp"
#include "support.hpp"

using namespace suite::test;
using suite::hdf5::Array;
using suite::hdf5::CapturedCall;
using suite::hdf5::read_captured_call;
using Complex = std::complex<double>;

namespace {

template <class T> std::vector<T> numbers(const Array& array) {
  BOOST_REQUIRE_EQUAL(array.array.type, suite::type_of<T>);
  std::vector<T> values(array.bytes.size() / sizeof(T));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

std::vector<int64_t> extents(const Array& array) { return {array.array.extent, array.array.extent + array.array.rank}; }

}  // namespace

// On shared memory, in layouts of the kernel's own, and on a device whose memory is not the host's.
BOOST_AUTO_TEST_CASE(a_capture_holds_what_went_in_and_what_came_out) {
  for (const std::string implementation : {"cpu", "packed", "remote", "remotepacked"}) {
    const Captures captures;
    Sum sum(implementation);
    sum.kernel.set_parameter("factor", 3);
    sum.kernel.choose("variant", "doubled");
    sum.kernel.run();
    const CapturedCall call = read_captured_call(captures.file("probe.sum-1.h5"));
    BOOST_TEST_CONTEXT(implementation) {
      BOOST_TEST(call.arguments == (std::vector<std::string>{"gain", "weight", "values", "state", "total"}),
                 boost::test_tools::per_element());
      BOOST_TEST(numbers<double>(call.before.at("gain")) == std::vector<double>{2}, boost::test_tools::per_element());
      BOOST_TEST(call.before.at("gain").array.rank == 0);
      BOOST_TEST(numbers<double>(call.before.at("values")) == sum.values, boost::test_tools::per_element());
      BOOST_TEST(extents(call.before.at("values")) == (std::vector<int64_t>{3, 2, 1}), boost::test_tools::per_element());
      BOOST_TEST(numbers<double>(call.before.at("state")) == (std::vector<double>{10, 20, 30}), boost::test_tools::per_element());
      BOOST_TEST(numbers<double>(call.after.at("state")) == (std::vector<double>{11, 22, 33}), boost::test_tools::per_element());
      // factor 3, doubled, gain 2: 12 times the sums.
      BOOST_TEST(numbers<double>(call.after.at("total")) == (std::vector<double>{72, 144}), boost::test_tools::per_element());
      BOOST_TEST(call.before.count("total") + call.after.count("weight") + call.before.count("counters") == 0U);
      BOOST_TEST(call.texts.at("kernel") == "probe.sum");
      BOOST_TEST(call.texts.at("implementation") == implementation);
      BOOST_TEST(call.texts.at("parameters") == "factor=3 variant=doubled");
      BOOST_TEST(call.tolerance == 0);
      BOOST_TEST(call.texts.at("plugin_sha256").size() == 64U);
      BOOST_TEST(call.texts.at("suite_version") == suite_version());
      BOOST_TEST(call.texts.at("pid") == std::to_string(::getpid()));
      BOOST_TEST(call.seconds >= 0);
    }
  }
}

// That of the choices in force, which a plugin of the replay need not have.
BOOST_AUTO_TEST_CASE(the_largest_tolerance_of_the_choices_is_kept) {
  for (const std::string implementation : {"cpu", "remote"}) {
    const Captures captures("6");  // of the process
    suite::Kernel pick("probe.pick", implementation);
    std::vector<int32_t> bands{1, 2}, picked(2);
    pick.set("bands", bands.data(), {2});
    pick.set("picked", picked.data(), {2});
    bands[0] = -1;  // the call has its copy
    for (const char* precision : {"double", "mixed"}) pick.choose("precision", precision), pick.run();
    pick.choose("order", "any");
    pick.run();
    const auto captured = [&](int n) { return read_captured_call(captures.file("probe.pick-" + std::to_string(n) + ".h5")); };
    BOOST_TEST(captured(1).tolerance == 0);
    BOOST_TEST(captured(2).tolerance == 1e-5);
    BOOST_TEST(captured(3).tolerance == 1e-5);
    BOOST_TEST(captured(3).texts.at("parameters") == "again=1 precision=mixed order=any");
    BOOST_TEST((numbers<int32_t>(captured(1).before.at("bands")) == std::vector<int32_t>{1, 2}));
  }
}

BOOST_AUTO_TEST_CASE(every_type_and_rank_is_kept) {
  const Captures captures;
  suite::Kernel copy("probe.copy", "remotepacked");
  std::vector<Complex> in(2 * 3 * 4), out(in.size()), fixed(2 * 3), fixed_copy(fixed.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = {double(i), -double(i)};
  for (size_t i = 0; i < fixed.size(); ++i) fixed[i] = {0.5 * double(i), 1};
  std::vector<double> raw(2);
  copy.set("in", in.data(), {2, 3, 4});
  copy.set("fixed", fixed.data(), {2, 3});
  copy.set("raw", raw.data(), {2});
  copy.set("copy", out.data(), {2, 3, 4});
  copy.set("fixed_copy", fixed_copy.data(), {2, 3});
  copy.run();
  const CapturedCall call = read_captured_call(captures.file("probe.copy-1.h5"));
  BOOST_TEST((numbers<Complex>(call.before.at("in")) == in));
  BOOST_TEST((numbers<Complex>(call.after.at("copy")) == in));
  BOOST_TEST((numbers<Complex>(call.after.at("fixed_copy")) == fixed));

  suite::Kernel six("probe.six", "cpu");
  std::vector<float> all(2 * 2 * 2 * 2 * 2 * 2, 1.5F), last(2 * 2 * 4 * 2);
  const std::vector<int32_t> triangle{7};
  six.set("in", all.data(), {2, 2, 2, 2, 2, 2});
  six.set("out", last.data(), {4, 4, 2});
  six.run();
  const CapturedCall of_six = read_captured_call(captures.file("probe.six-1.h5"));
  BOOST_TEST(extents(of_six.before.at("in")).size() == 6U);
  BOOST_TEST((numbers<float>(of_six.after.at("out")) == last));
}

// Such as no version of suite writes, but a hand may.
BOOST_AUTO_TEST_CASE(a_capture_that_contradicts_itself_is_refused) {
  const Captures captures;
  Sum("cpu").kernel.run();
  const CapturedCall good = read_captured_call(captures.file("probe.sum-1.h5"));
  const auto reading = [&](const std::string& arguments, double number, double tolerance = 0, const char* schema = "suite-capture-2") {
    const auto file = captures.file("by_hand.h5");
    suite::hdf5::Writer out(file);
    out.text("schema", schema);
    for (const auto& [name, text] : good.texts) out.text(name, text);
    out.text("arguments", arguments);
    out.number("seconds", good.seconds);
    out.number("call", number);
    out.number("tolerance", tolerance);
    const auto write = [&](const std::string& dataset, const Array& array) {
      suite_array host = array.array;
      host.data = const_cast<char*>(array.bytes.data());
      out.array(dataset, host);
    };
    for (const auto& [name, array] : good.before) write(name, array);
    for (const auto& [name, array] : good.after) write("results/" + name, array);
    out.commit();
    const std::string said = outcome([&] { read_captured_call(file); }), start = "invalid argument: " + file.string() + ": ";
    return said.substr(said.rfind(start, 0) == 0 ? start.size() : 0);
  };
  BOOST_TEST(reading("gain weight values state total", 3) == "ok");
  BOOST_TEST(reading("gain weight values state total values", 3) == "dataset values: the arguments name it twice");
  BOOST_TEST(reading("gain counters", 3) == "dataset counters: there is no such dataset");
  BOOST_TEST(reading("gain", 0) == "dataset call: its value is 0.000000");
  BOOST_TEST(reading("gain", std::nan("")) == "dataset call: its value is nan");
  BOOST_TEST(reading("gain", 3, -1e-5) == "dataset tolerance: its value is -0.000010");
  BOOST_TEST(reading("gain", 3, std::nan("")) == "dataset tolerance: its value is nan");
  BOOST_TEST(reading("gain", 3, 0, "suite-capture-1") ==
             "its schema is 'suite-capture-1'; this suite reads captures of schema 'suite-capture-2'");
}

BOOST_AUTO_TEST_CASE(calls_are_captured_up_to_the_limit) {
  const Captures captures("2");
  Sum one("cpu"), other("cpu");
  for (int i = 0; i < 3; ++i) one.kernel.run(), other.kernel.run();
  BOOST_TEST(captures.count() == 2);
  BOOST_TEST(read_captured_call(captures.file("probe.sum-2.h5")).number > read_captured_call(captures.file("probe.sum-1.h5")).number);
}

BOOST_AUTO_TEST_CASE(data_are_captured_up_to_the_limit_and_that_is_said) {
  const Captures captures("1000,1KiB");
  Sum sum("cpu");
  for (int i = 0; i < 100; ++i) sum.kernel.run();
  BOOST_TEST(captures.count() > 1);
  BOOST_TEST(captures.count() < 20);
  BOOST_TEST(warnings().back() ==
             "SUITE_CAPTURE: calls not captured because the captures would exceed 1.0 KiB in all "
             "(SUITE_CAPTURE_LIMIT): probe.sum (" +
                 std::to_string(100 - captures.count()) + ", of 144 B or more each)");
}

BOOST_AUTO_TEST_CASE(the_first_calls_are_passed_over) {
  const Captures captures("2");
  ::setenv("SUITE_CAPTURE_SKIP", "3", 1);
  Sum sum("cpu");
  for (int i = 0; i < 3; ++i) sum.kernel.run();
  BOOST_TEST(captures.count() == 0);
  BOOST_TEST(warnings().back() ==
             "SUITE_CAPTURE_SKIP is 3; kernels that had no more calls than this, so that none was captured: probe.sum (3)");
  for (int i = 0; i < 4; ++i) sum.kernel.run();
  BOOST_TEST(captures.count() == 2);
  BOOST_TEST(read_captured_call(captures.file("probe.sum-1.h5")).number == 4);
  BOOST_TEST(read_captured_call(captures.file("probe.sum-2.h5")).number == 5);
  BOOST_TEST(warnings().empty());
}

BOOST_AUTO_TEST_CASE(nothing_is_overwritten) {
  const Captures captures("1000");
  Sum sum("cpu");
  for (const int taken : {1, 2, 3, 5}) std::ofstream(captures.file("probe.sum-" + std::to_string(taken) + ".h5")) << taken;
  for (int i = 0; i < 20; ++i) sum.kernel.run();
  BOOST_TEST(captures.count() == 24);
  BOOST_TEST(std::filesystem::file_size(captures.file("probe.sum-5.h5")) == 1U);
  for (int n = 6; n <= 24; ++n) read_captured_call(captures.file("probe.sum-" + std::to_string(n) + ".h5"));
}

// The folder is where it was when the kernel was opened, wherever the host goes.
BOOST_AUTO_TEST_CASE(a_host_may_change_its_folder) {
  const Captures captures;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(captures.folder());
  ::setenv("SUITE_CAPTURE", "here", 1);
  Sum sum("cpu");
  std::filesystem::current_path("/");
  sum.kernel.run();
  std::filesystem::current_path(before);
  BOOST_TEST(std::filesystem::exists(captures.folder() / "here/probe.sum-1.h5"));
}

BOOST_AUTO_TEST_CASE(only_the_kernel_that_was_named_is_captured) {
  const auto captured = [](const char* kernel) {
    const Captures captures(nullptr, kernel);
    Sum("cpu").kernel.run();
    return captures.count();
  };
  BOOST_TEST(captured("probe.sum") == 1);
  BOOST_TEST(captured("probe") == 1);
  BOOST_TEST(captured("probe.six") == 0);
  BOOST_TEST(captured("prob") == 0);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_is_never_opened_is_told) {
  const Captures captures(nullptr, "probe.sums");
  Sum("cpu").kernel.run();
  BOOST_TEST(warnings().back() == "SUITE_CAPTURE_KERNEL is 'probe.sums', but only these kernels were opened: probe.sum");
}

// Between start and wait another call runs; each has its own file. Threads do not disturb each other.
BOOST_AUTO_TEST_CASE(calls_under_way_together_have_files_of_their_own) {
  const Captures captures("100");
  Sum one("cpu"), other("cpu");
  other.values[0] = 7;
  one.kernel.start();
  other.kernel.start();
  other.kernel.wait();
  one.kernel.wait();
  BOOST_TEST(numbers<double>(read_captured_call(captures.file("probe.sum-1.h5")).before.at("values"))[0] == 7);
  BOOST_TEST(numbers<double>(read_captured_call(captures.file("probe.sum-2.h5")).before.at("values"))[0] == 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      Sum sum("cpu");
      for (int i = 0; i < 5; ++i) sum.kernel.run();
    });
  for (auto& thread : threads) thread.join();
  BOOST_TEST(captures.count() == 22);
  for (int n = 1; n <= 22; ++n) read_captured_call(captures.file("probe.sum-" + std::to_string(n) + ".h5"));
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_leaves_no_file) {
  const Captures captures("1");
  Sum sum("cpu");
  sum.kernel.set("gain", -1.0);
  BOOST_CHECK_THROW(sum.kernel.run(), suite::Failure);
  BOOST_TEST(captures.count() == 0);
  sum.kernel.set("gain", 1.0);
  sum.kernel.run();
  BOOST_TEST(captures.count() == 1);
}

BOOST_AUTO_TEST_CASE(a_call_given_up_leaves_no_file) {
  const Captures captures("1");
  {
    Sum sum("cpu");
    sum.kernel.start();
  }
  BOOST_TEST(captures.count() == 0);
  Sum("cpu").kernel.run();
  BOOST_TEST(captures.count() == 1);  // it did not count
}
