// SPDX-License-Identifier: BSD-3-Clause
// Two stored results beside each other: matched rows, verdicts, what else differs, --fail-on.
#include <boost/test/unit_test.hpp>

#include <functional>

#include <nlohmann/json.hpp>

#include "../common/outcome.hpp"
#include "measure/result_comparison.hpp"

using namespace suite::app;
using namespace suite::app::stored;
using nlohmann::ordered_json;
using suite::test::outcome;

namespace {

ordered_json row(const std::string& implementation, const std::string& variant, double factor) {
  ordered_json j{{"kernel", "gpp.sigma"}, {"implementation", implementation}, {"backend", "cpu"},
                 {"variant", variant},    {"device", "AMD EPYC, 2 cores"},    {"better", "lower"}};
  for (int i = 0; i < 30; ++i) j["samples_s"].push_back(factor * (1e-3 + 1e-6 * ((7 * i) % 30)));
  j["merit"] = {{"unit", "terms"}, {"formula", "n*m"}, {"per_s", 1e9 / factor}, {"better", "higher"}};
  j["verification"] = {{"status", "verified"}, {"max_relative_error", 1e-15}};
  return j;
}

ordered_json bench(const std::vector<ordered_json>& rows) {
  ordered_json j{{"schema", "suite-bench-1"}, {"status", "ok"}};
  j["blocks"] = {{{"kernel", "gpp.sigma"}, {"size", "small"}, {"threads", 2}, {"fma_flop_per_s", 1e11}, {"contenders", rows}}};
  j["provenance"] = {
      {"suite_version", "0.1.0"},
      {"suite_commit", "1a2b3c4d"},
      {"plugins", {{{"file", "/a/suite_gpp_cpu.so"}, {"version", "0.1.0"}, {"compiler", "GNU 12.2.0"}, {"sha256", std::string(64, '1')}}}},
      {"host", {{"name", "here"}, {"cpu", "EPYC"}, {"simd", "AVX-512"}, {"cores", 2}, {"memory_B", 1000000}, {"system", "Linux"}}},
      {"threads", 2},
      {"ranks", 1},
      {"utc", "2026-11-20T20:00:00Z"}};
  return j;
}

ResultComparison compared(const ordered_json& before, const ordered_json& after) {
  return compare_results(parse_result("old.json", before.dump()), parse_result("new.json", after.dump()));
}

std::vector<std::string> verdicts(const ResultComparison& c) {
  std::vector<std::string> all;
  for (const auto& row : c.rows) all.push_back(row_name(row.after) + ": " + row.verdict);
  return all;
}

std::vector<std::string> wrong(const ResultComparison& c, const std::string& asked) { return regressions(c, parse_fail_on(asked)); }

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(rows_are_matched_and_judged) {
  ordered_json parameter = row("cpu", "best", 1.2);
  parameter["parameters"] = {{"block", "32"}};
  const auto c =
      compared(bench({row("cpu", "best", 1), row("cpu", "v9", 1), row("./old/suite_gpp_mine.so", "", 1), row("opencl", "best", 1)}),
               bench({row("cpu", "v9", 1.1), row("cpu", "best", 1), row("/new/suite_gpp_mine.so", "", 0.8), parameter}));
  const Texts expected{"gpp.sigma small cpu v9 2 threads: SLOWER", "gpp.sigma small cpu best 2 threads: same",
                       "gpp.sigma small suite_gpp_mine.so 2 threads: FASTER"};
  BOOST_TEST(verdicts(c) == expected, boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(c.missing.size() == 1);
  BOOST_TEST(row_name(c.missing[0]) == "gpp.sigma small opencl best 2 threads");
  BOOST_TEST_REQUIRE(c.added.size() == 1);
  BOOST_TEST(row_name(c.added[0]) == "gpp.sigma small cpu best block=32 2 threads");
  const Change& time = c.rows[0].changes.at(0);
  BOOST_TEST(time.comparison.ratio.median == 1.1, boost::test_tools::tolerance(1e-3));
  BOOST_TEST((time.comparison.ratio.low > 1.08 && time.comparison.ratio.high < 1.12));
  BOOST_TEST(c.differences.empty());
}

BOOST_AUTO_TEST_CASE(equal_rows_are_matched_in_their_order) {
  const auto c = compared(bench({row("cpu", "best", 1), row("cpu", "best", 2)}), bench({row("cpu", "best", 1), row("cpu", "best", 2)}));
  BOOST_TEST_REQUIRE(c.rows.size() == 2);
  for (const auto& row : c.rows) BOOST_TEST(row.verdict == "same");
}

BOOST_AUTO_TEST_CASE(a_failed_row_has_no_rank) {
  ordered_json failed = row("cpu", "best", 0.1);
  failed["verification"] = {{"status", "failed"}, {"max_relative_error", nullptr}, {"detail", "asxtemp(1,1) is nan"}};
  const auto after = compared(bench({row("cpu", "best", 1)}), bench({failed}));
  BOOST_TEST(after.rows.at(0).verdict == "FAILED");
  BOOST_TEST(after.rows[0].changes.empty());
  BOOST_TEST(wrong(after, "slower:0%").empty());
  BOOST_TEST(wrong(after, "failed") == Texts{"gpp.sigma small cpu best 2 threads fails its verification"},
             boost::test_tools::per_element());
  const auto before = compared(bench({failed}), bench({row("cpu", "best", 1)}));
  BOOST_TEST(before.rows.at(0).verdict == "was FAILED");
  BOOST_TEST(wrong(before, "slower:0%,failed,missing").empty());
  BOOST_TEST(wrong(compared(bench({}), bench({failed})), "failed").size() == 1);
}

BOOST_AUTO_TEST_CASE(the_direction_is_what_the_files_say) {
  ordered_json old_row = row("cpu", "best", 1), new_row = row("cpu", "best", 1.5);
  old_row["better"] = new_row["better"] = "higher";
  const auto c = compared(bench({old_row}), bench({new_row}));
  BOOST_TEST(c.rows.at(0).verdict == "FASTER");
  BOOST_TEST(wrong(c, "slower:5%").empty());
  BOOST_TEST(wrong(compared(bench({new_row}), bench({old_row})), "slower:5%").size() == 1);
  BOOST_TEST(outcome([&] { compared(bench({row("cpu", "best", 1)}), bench({new_row})); }) ==
             "invalid argument: new.json: /blocks/0/contenders/0: in the other file, better values are in the opposite direction");
}

BOOST_AUTO_TEST_CASE(energy_is_a_metric_of_its_own) {
  ordered_json old_row = row("cpu", "best", 1), new_row = row("cpu", "best", 1);
  old_row["energy_J"] = ordered_json::array();
  new_row["energy_J"] = ordered_json::array();
  for (int i = 0; i < 10; ++i) {
    old_row["energy_J"].push_back(1 + 0.001 * i);
    new_row["energy_J"].push_back(1.5 + 0.001 * i);
  }
  const auto c = compared(bench({old_row}), bench({new_row}));
  BOOST_TEST_REQUIRE(c.rows.at(0).changes.size() == 2);
  BOOST_TEST(c.rows[0].verdict == "same");
  BOOST_TEST(c.rows[0].changes[1].verdict == "MORE");
}

BOOST_AUTO_TEST_CASE(what_else_differs_is_named) {
  const ordered_json before = bench({row("cpu", "best", 1)});
  ordered_json after = before;
  const auto found = [&] {
    Texts all;
    for (const auto& d : compared(before, after).differences) all.push_back(d.what + ": " + d.before + " -> " + d.after);
    return all;
  };
  auto& provenance = after["provenance"];
  provenance["suite_version"] = "0.2.0";
  provenance["plugins"][0]["compiler"] = "Clang 15";
  provenance["plugins"][0]["sha256"] = std::string(64, '2');
  provenance["plugins"].push_back({{"file", "/a/suite_gpp_opencl.so"}});
  provenance["host"]["name"] = "there";
  provenance["host"]["system"] = "Linux 7";
  after["blocks"][0]["contenders"][0]["device"] = "AMD EPYC, 4 cores";
  after["blocks"][0]["fma_flop_per_s"] = 1.2e11;
  const Texts expected{"suite: 0.1.0 -> 0.2.0",
                       "compiler and flags of suite_gpp_cpu.so: GNU 12.2.0 -> Clang 15",
                       "sha256 of suite_gpp_cpu.so: 111111111111 -> 222222222222",
                       "plugin: none -> suite_gpp_opencl.so",
                       "device of cpu: AMD EPYC, 2 cores -> AMD EPYC, 4 cores",
                       "host: here -> there",
                       "system: Linux -> Linux 7",
                       "ceiling fma_flop_per_s: 100 G -> 120 G"};
  BOOST_TEST(found() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(fail_on_takes_three_words) {
  BOOST_TEST(parse_fail_on("slower:5%").slower_by == 0.05);
  BOOST_TEST(parse_fail_on("missing,slower:2.5%,failed").slower_by == 0.025);
  BOOST_TEST((!parse_fail_on("failed").slower && parse_fail_on("failed").failed && parse_fail_on("missing").missing));
  for (const char* text : {"", "slower", "slower:", "slower:%", "slower:5", "slower:-1%", "slower:nan%", "slower:1e99%", "faster:5%",
                           "failed,", ",failed", "Failed", "slower:5 %"})
    BOOST_TEST(outcome([&] { parse_fail_on(text); }).rfind("invalid argument: --fail-on has ", 0) == 0, text);
}

BOOST_AUTO_TEST_CASE(slower_means_the_whole_interval) {
  const auto by = [&](double factor) { return compared(bench({row("cpu", "best", 1)}), bench({row("cpu", "best", factor)})); };
  BOOST_TEST(wrong(by(1.2), "slower:5%").size() == 1);
  BOOST_TEST(wrong(by(1.2), "slower:30%").empty());
  BOOST_TEST(wrong(by(1.05), "slower:5%").empty());  // the interval reaches below
  BOOST_TEST(wrong(by(0.5), "slower:0%").empty());
  const Texts said = wrong(by(1.2), "slower:5%");
  BOOST_TEST(said.at(0).rfind("gpp.sigma small cpu best 2 threads is slower by more than 5 %: ratio 1.200 (1.1", 0) == 0, said.at(0));
  BOOST_TEST(
      wrong(compared(bench({row("cpu", "best", 1)}), bench({})), "missing") == Texts{"gpp.sigma small cpu best 2 threads is missing"},
      boost::test_tools::per_element());
}
