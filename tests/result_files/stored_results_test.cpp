// SPDX-License-Identifier: BSD-3-Clause
// Results that an earlier build has left behind: what is read of them and written again has the same keys, order and digits.
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>

#include "common/io.hpp"
#include "common/json_text.hpp"
#include "measure/fields_json.hpp"
#include "measure/result_fields.hpp"

namespace fs = std::filesystem;
using namespace suite::app;
using suite::app::stored::Value;

namespace {

class Results {
public:
  explicit Results(const fs::path& file)
      : json_(parse_json(file.filename().string(), read_text_file(file, 1 << 20))),
        root_(std::make_shared<Value::Document>(Value::Document{file.filename().string(), json_})) {}

  // All objects in the list of that name.
  template <class Role, class T> int same(const Value& list, const nlohmann::ordered_json& json) {
    for (size_t i = 0; i < list.size(); ++i) {
      T value{};
      read_fields<Role>(list[i], value);
      auto written = json_of<Role>(value);
      // The samples of long runs were cut when the files were taken over, their sum was not.
      if (written.contains("total_s")) written["total_s"] = json[i]["total_s"];
      BOOST_TEST(written.dump() == json[i].dump(), list[i].place());
    }
    return static_cast<int>(list.size());
  }
  template <class Role, class T> int same(const char* key) { return root_[key] ? same<Role, T>(root_[key], json_[key]) : 0; }
  template <class T> int same_object(const char* key) {
    if (!root_[key]) return 0;
    T value{};
    read_fields(root_[key], value);
    BOOST_TEST(json_of(value).dump() == json_[key].dump(), root_[key].place());
    return 1;
  }
  bool is(const char* schema) const { return json_["schema"] == schema; }

private:
  nlohmann::ordered_json json_;
  Value root_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(stored_results_are_written_as_they_were_read) {
  int files = 0, rows = 0, blocks = 0, others = 0;
  for (const auto& entry : fs::directory_iterator(RESULTS)) {
    Results results(entry.path());
    ++files;
    rows += results.same<AsKernel, Row>("kernels") + results.same<AsCandidate, Row>("contenders");
    if (results.is("suite-ladder-1")) blocks += results.same<AsLadder, RowBlock>("blocks");
    else if (results.is("suite-roofline-1")) blocks += results.same<AsRoofline, RowBlock>("blocks");
    else blocks += results.same<void, RowBlock>("blocks");
    others += results.same_object<Times>("times") + results.same_object<Provenance>("provenance");
    others += results.same<void, LeftOut>("left_out") + results.same<void, PublishedCheck>("checks");
    others += results.same<void, ConsistencyCheck>("consistency") + results.same<void, Observable>("observables");
  }
  BOOST_TEST((files >= 12 && rows >= 10 && blocks >= 3 && others >= 24));
}
