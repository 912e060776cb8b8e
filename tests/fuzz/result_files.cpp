// SPDX-License-Identifier: BSD-3-Clause
// Ten thousand damaged result files: each is refused with a sentence or read, and what is read can be
// compared with a sound one and reported in a page in which no name of the file acts. FUZZ_CASES and
// FUZZ_SEED change how many and which.
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <suite/plugin.hpp>

#include "measure/report/report.hpp"
#include "measure/result_comparison.hpp"
#include "measure/result_file.hpp"
#include "mutations.hpp"
#include "page_check.hpp"

namespace fs = std::filesystem;
using namespace suite::app::stored;

namespace {

struct Sound {
  std::string name;
  nlohmann::ordered_json json;
  Result result;
};

std::vector<Sound> sound_files() {
  std::vector<Sound> all;
  for (const auto& entry : fs::directory_iterator(RESULTS)) {
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    all.push_back(
        {entry.path().filename().string(), nlohmann::ordered_json::parse(text), parse_result(entry.path().filename().string(), text)});
  }
  std::sort(all.begin(), all.end(), [](const Sound& a, const Sound& b) { return a.name < b.name; });
  return all;
}

long number_from(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atol(text) : otherwise;
}

bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f; });
}

// Does what may refuse a file; the sentence, or nothing where all went well.
template <class F> std::optional<std::string> refusal(const F& act) {
  try {
    act();
    return {};
  } catch (const suite::Failure& failure) {
    const int status = failure.status();
    BOOST_TEST((status == SUITE_INVALID_ARGUMENT), "status " << status << ": " << failure.what());
    BOOST_TEST(std::string(failure.what()).size() > 10U);
    return failure.what();
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_files_make_sound_pages) {
  const auto files = sound_files();
  BOOST_TEST(files.size() >= 9U);
  for (const auto& file : files) {
    const std::string page = suite::report::report_page({file.result});
    BOOST_TEST(fuzz::PageCheck(page).problem() == "", file.name);
  }
}

BOOST_AUTO_TEST_CASE(an_unescaped_name_is_found) {
  for (const char* page : {"<p><m4rk></p>", "<p m4rk=\"1\">a</p>", "<p><script>1</script></p>", "<p>a", "<a href=\"javascript:m4rk\">a</a>",
                           "<p onclick=\"a\">b</p>", "<style>m4rk</style>", "<p title=a>b</p>", "<p title=\"<\">b</p>", "<p>\x1b</p>"})
    BOOST_TEST(fuzz::PageCheck(page).problem() != "", page);
  BOOST_TEST(fuzz::PageCheck("<!DOCTYPE html><p title=\"a &quot; m4rk\">&lt;m4rk&gt;<br></p>").problem() == "");
}

BOOST_AUTO_TEST_CASE(names_that_would_act_are_escaped_wherever_they_stand) {
  long reported = 0;
  for (const auto& file : sound_files())
    for (const auto& name : fuzz::hostile) {
      nlohmann::ordered_json changed = file.json;
      fuzz::append_to_texts(changed, name);
      std::optional<Result> read;
      if (refusal([&] { read = parse_result(file.name, changed.dump()); })) continue;
      const std::string page = suite::report::report_page({*read});
      BOOST_TEST(fuzz::PageCheck(page).problem() == "", file.name << " with " << name);
      ++reported;
    }
  BOOST_TEST(reported > 100);
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused_or_reported_without_harm) {
  const auto files = sound_files();
  const long cases = number_from("FUZZ_CASES", 10000), seed = number_from("FUZZ_SEED", 1);
  long refused = 0, reported = 0;
  for (long i = 0; i < cases; ++i) {
    BOOST_TEST_CHECKPOINT("case " << i << " of seed " << seed);
    fuzz::Mutator mutator(static_cast<uint64_t>(seed) * 1000003 + static_cast<uint64_t>(i));
    const Sound& sound = files[static_cast<size_t>(i) % files.size()];
    const std::string text = mutator.damage(sound.json);
    std::optional<Result> read;
    if (const auto why = refusal([&] { read = parse_result(sound.name, text); })) {
      ++refused;
      BOOST_TEST(!has_control(*why), "case " << i << ": " << *why);
      BOOST_TEST(why->rfind(sound.name + ":", 0) == 0U, "case " << i << ": " << *why);
      continue;
    }
    // Both ways round, and with everything that can be asked for.
    refusal([&] {
      for (const auto& compared : {compare_results(sound.result, *read), compare_results(*read, sound.result)})
        for (const auto& sentence : regressions(compared, parse_fail_on("slower:5%,failed,missing")))
          BOOST_TEST(!has_control(sentence), "case " << i << ": " << sentence);
    });
    std::string page;
    if (refusal([&] { page = suite::report::report_page({sound.result, *read}); })) continue;
    ++reported;
    BOOST_TEST(fuzz::PageCheck(page).problem() == "", "case " << i << " of seed " << seed << " from " << sound.name);
    BOOST_TEST(page.find("root:") == std::string::npos, "case " << i << ": a file from outside is in the page");
  }
  BOOST_TEST_MESSAGE(cases << " files: " << refused << " refused, " << reported << " reported");
  // Both happen often, or this tests nothing.
  BOOST_TEST(refused > cases / 20);
  BOOST_TEST(reported > cases / 20);
}
