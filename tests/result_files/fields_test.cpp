// SPDX-License-Identifier: BSD-3-Clause
// A struct and its table (fields.hpp): the JSON, the schema and the checked reader that come out of it.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <memory>

#include <suite/suite.hpp>

#include "measure/fields_json.hpp"

using nlohmann::ordered_json;
using suite::Failure;
using suite::app::json_of;
using suite::app::schema_of;
using suite::app::stored::Value;

namespace {

enum class Colour { red, green };

struct Point {
  double x = 0, y = 0;
};

struct Label {
  std::string text, detail;
};

struct Drawing {
  Label label;
  Colour colour = Colour::red;
  std::array<int, 2> cells{};
  std::vector<Point> points;
  std::vector<double> weights;
  std::vector<std::pair<std::string, double>> named;
  std::optional<double> ratio;
  double error = 0;
  bool closed = false;
  double length() const { return static_cast<double>(points.size()); }
};

struct Short;

constexpr const char* colours[] = {"red", "green"};
constexpr const char* texts[] = {"plain", "bold"};

}  // namespace

namespace suite::app {

template <> inline constexpr std::span<const char* const> names_of<Colour> = colours;
template <>
inline constexpr auto fields<Point> = std::tuple{
    Field{&Point::x, "x", "bohr", "to the right", {.low = 0, .high = 10}},
    Field{&Point::y, "y", "bohr", ""},
};
template <> inline constexpr auto fields<Point, Short> = std::tuple{Field{&Point::x, "x", "", ""}};
template <>
inline constexpr auto fields<Label> = std::tuple{
    Field{&Label::text, "text", "", "how it is set", {.one_of = texts}},
    Field{&Label::detail, "detail", "", "", {.longest = 5, .omit_empty = true}},
};
template <>
inline constexpr auto fields<Drawing> = std::tuple{
    Constant{"schema", "drawing-1"},
    Flat{&Drawing::label},
    Field{&Drawing::colour, "colour", "", ""},
    Field{&Drawing::cells, "cells", "", "", {.low = 0}},
    as<Short>(&Drawing::points, "points", "their x alone", {.least = 1}),
    Field{&Drawing::weights, "weights", "", "", {.low = 0, .items_or_null = true}},
    Field{&Drawing::named, "named", "Ha", "", {.low = -1}},
    Field{&Drawing::ratio, "ratio", "", "", {.low = 0, .above_low = true}},
    Field{&Drawing::error, "error", "", "", {.or_null = true}},
    Field{&Drawing::closed, "closed", "", ""},
    Computed{&Drawing::length, "length", "", "number of points", {.low = 0, .whole = true}},
};

}  // namespace suite::app

namespace {

Drawing drawing() {
  Drawing d;
  d.label.text = "bold";
  d.colour = Colour::green;
  d.cells = {3, 4};
  d.points = {{1, 2}, {3, 4}};
  d.weights = {0.5, std::nan("")};
  d.named = {{"z", 1}, {"a", -0.5}};
  d.error = std::nan("");
  return d;
}

const char* const written = R"({"schema":"drawing-1","text":"bold","colour":"green","cells":[3,4],"points":[{"x":1.0},{"x":3.0}],)"
                            R"("weights":[0.5,null],"named":{"z":1.0,"a":-0.5},"error":null,"closed":false,"length":2.0})";

Value value_of(const ordered_json& json) { return Value(std::make_shared<Value::Document>(Value::Document{"d.json", json})); }

// The sentence with which a changed drawing is refused; "" where it is not.
std::string refusal(const std::function<void(ordered_json&)>& change) {
  ordered_json json = ordered_json::parse(written);
  change(json);
  try {
    Drawing d;
    suite::app::read_all_fields(value_of(json), d);
  } catch (const Failure& failure) { return failure.what(); }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(members_are_written_in_the_order_of_the_table) {
  BOOST_TEST(json_of(drawing()).dump() == written);
  Drawing more = drawing();
  more.ratio = 2;
  more.label.detail = "x";
  const auto json = json_of(more);
  BOOST_TEST((json["ratio"] == 2 && json["detail"] == "x"));
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  Drawing d;
  suite::app::read_all_fields(value_of(ordered_json::parse(written)), d);
  BOOST_TEST(json_of(d).dump() == written);
  BOOST_TEST((d.colour == Colour::green && std::isnan(d.weights[1]) && d.named[0].first == "z" && !d.ratio));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_refused_with_its_place) {
  BOOST_TEST(refusal([](auto&) {}) == "");
  BOOST_TEST(refusal([](auto& j) { j["text"] = "thin"; }) == "d.json: /text is 'thin'; it must be one of 'plain', 'bold'");
  BOOST_TEST(refusal([](auto& j) { j["colour"] = "blue"; }) == "d.json: /colour is 'blue'; it must be one of 'red', 'green'");
  BOOST_TEST(refusal([](auto& j) { j["detail"] = "longer"; }) == "d.json: /detail is text of 6 bytes; it may have 5");
  BOOST_TEST(refusal([](auto& j) { j["cells"] = {1}; }) == "d.json: /cells has 1 items; it must have 2");
  BOOST_TEST(refusal([](auto& j) { j["cells"][1] = 1.5; }) == "d.json: /cells/1 is 1.5; it must be a whole number");
  BOOST_TEST(refusal([](auto& j) { j["points"][1]["x"] = "right"; }) == "d.json: /points/1/x is text; it must be a number");
  BOOST_TEST(refusal([](auto& j) { j["weights"][0] = -1; }) == "d.json: /weights/0 is -1; it must be at least 0");
  BOOST_TEST(refusal([](auto& j) { j["named"]["a"] = -2; }) == "d.json: /named/a is -2; it must be at least -1");
  BOOST_TEST(refusal([](auto& j) { j["ratio"] = 0; }) == "d.json: /ratio is 0; it must be above 0");
  BOOST_TEST(refusal([](auto& j) { j["length"] = 1.5; }) == "d.json: /length is 1.5; it must be a whole number");
  BOOST_TEST(refusal([](auto& j) { j["closed"] = 1; }) == "d.json: /closed is a number; it must be true or false");
  BOOST_TEST(refusal([](auto& j) { j.erase("closed"); }) == "d.json: /closed is missing; it must be true or false");
}

BOOST_AUTO_TEST_CASE(keys_that_are_not_there_leave_their_members) {
  Point p{7, 8};
  suite::app::read_fields(value_of({{"y", 2}}), p);
  BOOST_TEST((p.x == 7 && p.y == 2));
  BOOST_CHECK_THROW(suite::app::read_fields(value_of({{"x", 11}}), p), Failure);
}

BOOST_AUTO_TEST_CASE(the_schema_says_what_the_table_says) {
  BOOST_TEST(
      schema_of<Point>().dump() ==
      R"({"type":"object","required":["x","y"],"properties":{"x":{"description":"to the right [bohr]","type":"number","minimum":0,"maximum":10},)"
      R"("y":{"description":"[bohr]","type":"number"}},"additionalProperties":false})");
  const auto all = schema_of<Drawing>();
  const auto& p = all["properties"];
  BOOST_TEST(all["required"].dump() == R"(["schema","text","colour","cells","points","weights","named","error","closed","length"])");
  BOOST_TEST(p["schema"].dump() == R"({"const":"drawing-1"})");
  BOOST_TEST(p["text"].dump() == R"({"description":"how it is set","enum":["plain","bold"]})");
  BOOST_TEST(p["detail"].dump() == R"({"type":"string","maxLength":5})");
  BOOST_TEST(p["colour"].dump() == R"({"enum":["red","green"]})");
  BOOST_TEST(p["cells"].dump() == R"({"type":"array","items":{"type":"integer","minimum":0},"minItems":2,"maxItems":2})");
  BOOST_TEST((p["points"]["minItems"] == 1 && p["points"]["items"]["required"] == ordered_json{"x"}));
  BOOST_TEST(p["weights"].dump() == R"({"type":"array","items":{"type":["number","null"],"minimum":0}})");
  BOOST_TEST(p["named"].dump() == R"({"description":"[Ha]","type":"object","additionalProperties":{"type":"number","minimum":-1}})");
  BOOST_TEST(p["ratio"].dump() == R"({"type":"number","exclusiveMinimum":0})");
  BOOST_TEST(p["error"].dump() == R"({"type":["number","null"]})");
  BOOST_TEST(p["length"].dump() == R"({"description":"number of points","type":"integer","minimum":0})");
}
