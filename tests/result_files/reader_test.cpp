// SPDX-License-Identifier: BSD-3-Clause
// The reader of result files: what it finds, and what it says of files that are not as they should be.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <unistd.h>

#include "common/io.hpp"
#include "common/json_text.hpp"
#include "measure/fields_json.hpp"
#include "measure/result_fields.hpp"
#include "measure/result_file.hpp"

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using suite::Failure;
using suite::app::Provenance;
using suite::app::Row;
using namespace suite::app::stored;

namespace {

ordered_json comparison() {
  return ordered_json::parse(R"({
    "schema": "suite-compare-1", "kernel": "gpp.sigma", "description": "generated data, size small", "status": "failed",
    "contenders": [
      {"kernel": "gpp.sigma", "implementation": "cpu", "backend": "cpu", "variant": "best", "device": "a processor",
       "samples_s": [0.5, 0.25, 0.25, 0.5], "total_s": 1.5, "flops": 400, "bytes": 40, "parameters": {"b": "2", "a": "mixed"},
       "merit": {"unit": "terms", "formula": "n*m", "per_s": 7.5}, "energy_J": [1, 2, 3, 4],
       "verification": {"status": "verified", "max_relative_error": 1e-14},
       "median_s": 0.375, "low_s": 0.25, "high_s": 0.5, "ratio": {"median": 1, "low": 1, "high": 1}, "verdict": "baseline"},
      {"kernel": "gpp.sigma", "implementation": "opencl", "backend": "opencl", "variant": "", "device": "", "samples_s": [],
       "total_s": 0, "flops": 0, "bytes": 0,
       "verification": {"status": "failed", "max_relative_error": null, "detail": "asx(3) is NaN"}}],
    "left_out": [{"implementation": "cuda", "why": "no driver"}], "ceilings": {"fma_flop_per_s": 2e11},
    "provenance": {"suite_version": "0.1.0", "suite_commit": "abc", "plugins": [{"file": "a.so", "compiler": "GNU 12", "sha256": "00"}],
      "host": {"name": "vm", "cpu": "EPYC", "simd": "AVX-512", "cores": 2, "memory_B": 1e10, "system": "Linux"}, "threads": 2, "ranks": 1,
      "input": {"file": "k.yaml", "sha256": "11"}, "overrides": ["a=b"], "command_line": ["suite", "compare"], "utc": "2026-01-31T12:00:00Z"}})");
}

// The sentence with which a text is refused; "accepted" where it is not.
std::string refusal(const std::string& text) {
  try {
    parse_result("old.json", text);
  } catch (const Failure& failure) {
    BOOST_TEST(failure.status() == SUITE_INVALID_ARGUMENT);
    return failure.what();
  }
  return "accepted";
}

std::string changed(const std::function<void(ordered_json&)>& change) {
  ordered_json j = comparison();
  change(j);
  return refusal(j.dump());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_comparison_is_read_with_all_that_it_says) {
  const Result r = parse_result("old.json", comparison().dump(2));
  BOOST_TEST((r.schema == "compare" && r.version == 1 && r.status == "failed" && r.description == "generated data, size small"));
  BOOST_TEST_REQUIRE(r.rows.size() == 2U);
  const Row& row = r.rows[0];
  BOOST_TEST(row.label() == "cpu best a=mixed b=2");
  BOOST_TEST((row.kernel == "gpp.sigma" && row.device == "a processor" && row.size == "generated data, size small"));
  BOOST_TEST((row.samples_s == std::vector<double>{0.5, 0.25, 0.25, 0.5} && row.energy_J == std::vector<double>{1, 2, 3, 4}));
  BOOST_TEST((row.flops_per_run() == 100 && row.bytes_per_run() == 10));  // of one sample
  BOOST_TEST((row.merit.unit == "terms" && row.merit.formula == "n*m" && row.merit.per_s == 7.5));
  BOOST_TEST((row.time->median == 0.375 && row.time->low == 0.25 && row.time->high == 0.5));
  BOOST_TEST((row.ratio->median == 1 && row.verdict == "baseline" && row.threads == 2 && !row.failed()));
  BOOST_TEST((row.verification.status == "verified" && row.place == "old.json: /contenders/0"));
  BOOST_TEST(
      (r.rows[1].failed() && std::isinf(r.rows[1].verification.max_relative_error) && r.rows[1].verification.detail == "asx(3) is NaN"));
  BOOST_TEST((!r.rows[1].time && r.rows[1].samples_s.empty()));
  BOOST_TEST((r.left_out[0].implementation == "cuda" && r.ceilings.at("fma_flop_per_s") == 2e11));
  const Provenance& p = r.provenance;
  BOOST_TEST((p.suite_version == "0.1.0" && p.plugins[0].compiler == "GNU 12" && p.host.name == "vm" && p.host.cores == 2 &&
              p.host.memory_B == 10000000000));
  BOOST_TEST((p.threads == 2 && p.ranks == 1 && p.input.file == "k.yaml" && p.overrides[0] == "a=b" && p.command_line[1] == "compare"));
}

// What is written is what is read; a deviation that is no number breaks its law.
BOOST_AUTO_TEST_CASE(laws_and_warnings_of_a_run_are_read) {
  suite::app::Outcome outcome;
  outcome.checks = {{"electrons", -2e-9, 1e-8, "", ""},
                    {"f-sum rule along x", 0.05, 1e-3, "e", "the time step is too long"},
                    {"norm", std::nan(""), 1e-8, "", "the run diverged"}};
  outcome.warnings = {"the density was symmetrised"};
  ordered_json j{{"schema", "suite-result-1"}, {"app", "tddft"}, {"status", "ok"}, {"kernels", ordered_json::array()}};
  j.update(suite::app::json_of(outcome));
  const Result r = parse_result("r", suite::app::json_document(j));
  BOOST_TEST_REQUIRE(r.consistency.size() == 3U);
  BOOST_TEST((r.consistency[0].holds() && r.consistency[0].name == "electrons" && r.consistency[0].deviation == -2e-9));
  BOOST_TEST((!r.consistency[1].holds() && r.consistency[1].bound == 1e-3 && r.consistency[1].unit == "e"));
  BOOST_TEST((!r.consistency[2].holds() && std::isnan(r.consistency[2].deviation)));
  BOOST_TEST_REQUIRE(r.warnings.size() == 3U);
  BOOST_TEST(r.warnings[0] == "f-sum rule along x: off by 0.05 e, more than 0.001 e; the time step is too long");
  BOOST_TEST(r.warnings[1] == "norm: off by nan, more than 1e-08; the run diverged");
  BOOST_TEST(r.warnings[2] == "the density was symmetrised");
}

BOOST_AUTO_TEST_CASE(blocks_and_steps_are_rows) {
  const Result bench = parse_result("b", R"({"schema": "suite-bench-1", "status": "interrupted", "blocks": [
    {"kernel": "gpp.sigma", "size": "small", "threads": 3, "verified_at": "small", "fma_flop_per_s": 5, "contenders": [
      {"kernel": "gpp.sigma", "implementation": "cpu", "samples_s": [1, 3], "flops": 8}]}]})");
  BOOST_TEST((bench.rows[0].size == "small" && bench.rows[0].threads == 3 && bench.rows[0].flops_per_run() == 4));
  const Result ladder = parse_result("l", R"({"schema": "suite-ladder-1", "status": "ok", "blocks": [
    {"kernel": "gpp.sigma", "implementation": "cpu", "device": "d", "size": "small", "threads": 2, "fma_flop_per_s": 5, "parameters": {"p": "1"},
     "steps": [{"step": "v2", "sentence": "bands inside", "after": "v1", "published": [{"device": "V100", "seconds": 1.7, "text": "V100 1.73 s"}],
                "expected": "faster", "met": "met", "samples_s": [1, 3], "flops": 8, "verification": {"status": "verified", "max_relative_error": 0}}]}]})");
  const Row& row = ladder.rows[0];
  BOOST_TEST((row.label() == "cpu v2 p=1" && row.flops_per_run() == 8 && row.device == "d" && row.fma_flop_per_s == 5));
  BOOST_TEST((row.step->name == "v2" && row.step->after == "v1" && row.step->published[0].text == "V100 1.73 s" && row.step->met == "met"));
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_told_with_line_and_column) {
  BOOST_TEST(refusal("{\"a\": 1,\n  x}") == "old.json:2:3: no JSON at 'x}'");
  BOOST_TEST(refusal("{\"schema\": \"suite-") == "old.json:1:19: the file ends in the middle of the JSON text");
  BOOST_TEST(refusal("") == "old.json:1:1: the file ends in the middle of the JSON text");
  BOOST_TEST(refusal("{\n\"a\": [1e999]}") == "old.json:2:11: the number '1e999' is larger than any double");
  BOOST_TEST(refusal("{\"a\": NaN}") == "old.json:1:7: no JSON at 'NaN}'");
  BOOST_TEST(refusal("{\"a\": \"\xff\"}").rfind("old.json:1:8: no JSON at", 0) == 0U);
  BOOST_TEST(refusal("{\"a\": 1, \"a\": 2}") == "old.json: the key 'a' appears twice in an object");
  BOOST_TEST(refusal(std::string(100000, '[')) == "old.json: lists and objects are nested more than 32 deep");
  std::string wide = "{";
  for (int i = 0; i < 6000; ++i) wide += "\"" + std::to_string(i) + "\": 0, ";
  BOOST_TEST(refusal(wide + "\"\": 0}") == "old.json: an object has more than 5000 keys");
}

BOOST_AUTO_TEST_CASE(what_is_no_result_of_suite_is_told_with_its_place) {
  BOOST_TEST(refusal("[1]") == "old.json: the file is not an object; a result of suite is one, with the key 'schema'");
  BOOST_TEST(refusal("{}") == "old.json: the file has no key 'schema'; it is not a result of suite");
  BOOST_TEST(changed([](auto& j) { j["schema"] = "suite-compare-2"; }) ==
             "old.json: /schema is 'suite-compare-2', but this version of suite supports at most 'suite-compare-1'; the file was written "
             "by a newer version");
  BOOST_TEST(changed([](auto& j) {
               j["schema"] = "suite-compare-x";
             }).rfind("old.json: /schema is 'suite-compare-x'; it must be one of ", 0) == 0U);
  BOOST_TEST(changed([](auto& j) { j["schema"] = 1; }) == "old.json: /schema is a number; it must be text");
  BOOST_TEST(changed([](auto& j) { j["status"] = "fine"; }) ==
             "old.json: /status is 'fine'; it must be one of 'ok', 'failed', 'error', 'interrupted'");
  BOOST_TEST(changed([](auto& j) { j["contenders"][0]["samples_s"][2] = "0.25"; }) ==
             "old.json: /contenders/0/samples_s/2 is text; it must be a number");
  BOOST_TEST(changed([](auto& j) { j["contenders"][0]["samples_s"][2] = -1; }) ==
             "old.json: /contenders/0/samples_s/2 is -1; it must be from 0 to 1e+09");
  BOOST_TEST(changed([](auto& j) { j["contenders"][0]["samples_s"][2] = 1e300; }) ==
             "old.json: /contenders/0/samples_s/2 is 1e+300; it must be from 0 to 1e+09");
  BOOST_TEST(changed([](auto& j) { j["contenders"][0]["samples_s"][2] = nullptr; }) ==
             "old.json: /contenders/0/samples_s/2 is null; it must be a number");
  BOOST_TEST(changed([](auto& j) { j["contenders"][0]["median_s"] = 7; }) ==
             "old.json: /contenders/0/median_s is 7, outside its interval from 0.25 to 0.5");
  BOOST_TEST(changed([](auto& j) { j["contenders"][1].erase("implementation"); }) == "old.json: /contenders/1 has no key 'implementation'");
  BOOST_TEST(changed([](auto& j) { j["contenders"] = "none"; }) == "old.json: /contenders is text; it must be a list");
  BOOST_TEST(changed([](auto& j) { j["provenance"]["threads"] = 1.5; }) ==
             "old.json: /provenance/threads is 1.5; it must be a whole number");
  BOOST_TEST(changed([](auto& j) { j["contenders"][0]["kernel"] = std::string(1000, 'k'); }) ==
             "old.json: /contenders/0/kernel is text of 1000 bytes; it may have 256");
}

BOOST_AUTO_TEST_CASE(texts_cannot_write_to_a_terminal) {
  ordered_json j = comparison();
  j["contenders"][0]["device"] =
      "\x1b[2J\x7f\xc2\x9b"
      "31m\r\na\tb";
  const Result r = parse_result("old.json", j.dump());
  BOOST_TEST(r.rows[0].device == "\uFFFD[2J\uFFFD\uFFFD31m\uFFFD\na\tb");
  BOOST_TEST(suite::app::without_control("Gr\xc3\xbc\xc3\x9f"
                                         "e") ==
             "Gr\xc3\xbc\xc3\x9f"
             "e");
}

BOOST_AUTO_TEST_CASE(files_are_found_by_name_folder_and_last) {
  const fs::path here = fs::current_path(), folder = fs::temp_directory_path() / ("suite-result-files-" + std::to_string(::getpid()));
  fs::create_directories(folder / "results" / "a");
  fs::create_directories(folder / "empty");
  fs::current_path(folder);
  std::ofstream("results/a/result.json") << comparison().dump();
  const auto why = [](const std::string& named) {
    try {
      read_result(named);
    } catch (const suite::app::IoFailure& failure) { return std::string(failure.what()); }
    return std::string("read");
  };
  BOOST_TEST(why("last") == "there is no results/last here; 'suite run' creates it in the folder in which it is started");
  fs::create_directory_symlink("a", "results/last");
  for (const char* named : {"last", "results/a", "results/a/", "results/a/result.json"}) BOOST_TEST(read_result(named).rows.size() == 2U);
  BOOST_TEST(read_result("results/a").folder == fs::path("results/a"));
  BOOST_TEST(why("empty") == "the folder 'empty' contains neither result.json nor validation.json");
  BOOST_TEST(why("absent.json") == "cannot read 'absent.json': No such file or directory");
  fs::current_path(here);
  fs::remove_all(folder);
}
