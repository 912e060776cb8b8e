// SPDX-License-Identifier: BSD-3-Clause
// suite/arguments.hpp and the helpers of suite/plugin.hpp: a line is a row of the table, a position and a typed member.
#include "support.hpp"

#include <cmath>

using namespace suite::element;
using suite::Arguments, suite::copied, suite::tolerance, suite::when_unset;

namespace {

struct Shared : Arguments {
  using Arguments::Arguments;
  SUITE_ARGUMENT(constant, complex, w, "n,k", "eV", "poles");
};

struct Lines : Shared {
  using Shared::Shared;
  using flavour = Either<real, complex>;
  // clang-format off
  SUITE_ARGUMENT(in,    real,         gamma,   "",         "eV", "width",     when_unset("0.5"));
  SUITE_ARGUMENT(in,    long_integer, steps,   "",         "1",  "how many");
  SUITE_ARGUMENT(in,    integer,      bands,   "nbands+1", "1",  "a list",    copied, when_unset("1, 2, ... nbands"));
  SUITE_ARGUMENT(in,    flavour,      m,       "n,k[,e]",  "1",  "elements");
  SUITE_ARGUMENT(inout, single,       state,   "2*n",      "1",  "goes on");
  SUITE_ARGUMENT(out,   complex,      result,  "n[,e]",    "Ry", "a result",  tolerance{1e-11}, when_unset("not computed"));
  // clang-format on
  int64_t n() const { return w.extent(0); }
};

struct Atoms : Arguments {
  using Arguments::Arguments;
  SUITE_ARGUMENT(in, real, x, "natoms", "bohr", "positions");
  SUITE_ARGUMENT(in, real, z, "natoms", "1", "charges");
};

struct Grouped : Arguments {
  using Arguments::Arguments;
  SUITE_ARGUMENT(in, integer, before, "", "1", "a number");
  SUITE_ARGUMENT_GROUP(Atoms, atoms);
  SUITE_ARGUMENT(in, integer, behind, "", "1", "a number");
};

// A call of Lines: n = 2, k = 3.
struct Given {
  std::vector<Complex> w{{11, 1}, {21, 1}, {12, 1}, {22, 1}, {13, 1}, {23, 1}}, result{2};
  std::vector<double> m{1, 2, 3, 4, 5, 6};
  std::vector<float> state{1, 2, 3, 4};
  double gamma = 0.25;
  int64_t steps = int64_t{1} << 40;
  std::vector<suite_array> arrays{
      suite::describe(w.data(), {2, 3}), suite::describe(&gamma, {}),        suite::describe(&steps, {}), unset(SUITE_INT32, 1),
      suite::describe(m.data(), {2, 3}), suite::describe(state.data(), {4}), unset(SUITE_COMPLEX128, 2)};
  Given() { arrays[4].rank = 3; }
  // As a kernel gets it.
  static suite_array unset(int32_t type, int32_t rank) {
    suite_array array{};
    array.type = type, array.rank = rank;
    for (int64_t& extent : array.extent) extent = 1;
    return array;
  }
};

std::string text(const char* t) { return t ? t : "(null)"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(an_argument_is_said_once)

BOOST_AUTO_TEST_CASE(lines_are_rows_of_the_table) {
  constexpr auto& rows = suite::rows<Lines>;
  BOOST_REQUIRE(rows.size() == 7u);
  const suite_argument expected[] = {
      {"w", SUITE_COMPLEX128, 2, SUITE_CONSTANT, 0, "n,k", "eV", "poles", nullptr, 0},  // of the base, and so first
      {"gamma", SUITE_REAL64, 0, SUITE_IN, 0, "", "eV", "width", "0.5", 0},
      {"steps", SUITE_INT64, 0, SUITE_IN, 0, "", "1", "how many", nullptr, 0},
      {"bands", SUITE_INT32, 1, SUITE_IN, 1, "nbands+1", "1", "a list", "1, 2, ... nbands", 0},
      {"m", SUITE_ONE_OF2(SUITE_REAL64, SUITE_COMPLEX128), 3, SUITE_IN, 0, "n,k[,e]", "1", "elements", nullptr, 0},
      {"state", SUITE_REAL32, 1, SUITE_INOUT, 0, "2*n", "1", "goes on", nullptr, 0},
      {"result", SUITE_COMPLEX128, 2, SUITE_OUT, 0, "n[,e]", "Ry", "a result", "not computed", 1e-11}};
  for (size_t i = 0; i < rows.size(); ++i) {
    const suite_argument &is = rows[i], &should = expected[i];
    BOOST_TEST_CONTEXT(should.name) {
      BOOST_TEST(text(is.name) == should.name);
      BOOST_TEST(is.type == should.type);
      BOOST_TEST(is.rank == should.rank);
      BOOST_TEST(is.intent == should.intent);
      BOOST_TEST(is.copied == should.copied);
      BOOST_TEST(text(is.shape) == should.shape);
      BOOST_TEST(text(is.unit) == should.unit);
      BOOST_TEST(text(is.meaning) == should.meaning);
      BOOST_TEST(text(is.when_unset) == text(should.when_unset));
      BOOST_TEST(is.tolerance == should.tolerance);
    }
  }
}

BOOST_AUTO_TEST_CASE(positions_are_those_of_the_table) {
  static_assert(suite::position<Lines>("w") == 0 && suite::position<Lines>("gamma") == 1);
  static_assert(suite::position<Lines>("m") == 4 && suite::position<Lines>("result") == 6);
}

BOOST_AUTO_TEST_CASE(numbers_of_when_unset_are_read) {
  static_assert(when_unset("0.5").value == 0.5 && when_unset("4").value == 4 && when_unset("0").value == 0);
  static_assert(when_unset("0.1").value == 0.1 && when_unset("12.75").value == 12.75);
  static_assert(when_unset("-1").value == -1 && when_unset("1e-12").value == 1e-12 && when_unset("-2.5e3").value == -2500);
  for (const double value :
       {when_unset("not computed").value, when_unset("").value, when_unset("1, 2, ... n").value, when_unset("3 of them").value,
        when_unset("1.2.3").value, when_unset("1e").value, when_unset("-").value, when_unset(".").value, when_unset("2e3 points").value})
    BOOST_TEST(std::isnan(value));
}

BOOST_AUTO_TEST_CASE(members_read_the_arrays_of_the_call) {
  Given given;
  const Lines c(given.arrays.data());
  BOOST_TEST(c.n() == 2);
  BOOST_TEST((c.w(1, 2) == Complex{23, 1}));
  BOOST_TEST(c.w.data() == given.w.data());
  BOOST_TEST(c.gamma == 0.25);
  BOOST_TEST(c.gamma.is_set());
  BOOST_TEST(c.steps == int64_t{1} << 40);
  BOOST_TEST(!c.bands);
  BOOST_TEST(bool(c.m));
  BOOST_TEST(c.m.is<real>());
  BOOST_TEST(!c.m.is<complex>());
  BOOST_TEST(c.m.as<real>()(1, 2, 0) == 6);
  BOOST_TEST(c.m.extent(1) == 3);
  BOOST_TEST(&c.m.array() == &given.arrays[4]);
  c.state(3) = 9;  // a kernel may write what it is to write, and nothing else
  BOOST_TEST(given.state[3] == 9);
  static_assert(std::is_same_v<decltype(c.w(0, 0)), const Complex&> && std::is_same_v<decltype(c.result(0, 0)), Complex&>);
  BOOST_TEST(!c.result);
}

BOOST_AUTO_TEST_CASE(a_scalar_that_is_unset_has_its_default) {
  Given given;
  given.arrays[1] = Given::unset(SUITE_REAL64, 0);
  const Lines c(given.arrays.data());
  BOOST_TEST(c.gamma == 0.5);
  BOOST_TEST(!c.gamma.is_set());
  BOOST_TEST(c.steps == int64_t{1} << 40);  // the ones behind it are where they were
}

// Unset arguments have rank -1 in a cost, and extents without data are there.
BOOST_AUTO_TEST_CASE(a_cost_sees_what_is_set_without_its_data) {
  Given given;
  given.arrays[0].data = nullptr;
  for (const int unset : {1, 3, 6}) given.arrays[unset].rank = -1, given.arrays[unset].data = nullptr;
  const Lines c(given.arrays.data());
  BOOST_TEST(c.w.is_set());
  BOOST_TEST(!c.w);
  BOOST_TEST(c.n() == 2);
  BOOST_TEST(!c.result.is_set());
  BOOST_TEST(!c.bands.is_set());
  BOOST_TEST(c.gamma == 0.5);
}

BOOST_AUTO_TEST_CASE(what_stands_in_brackets_may_be_left_out) {
  static_assert(suite::rank_of("") == 0 && suite::rank_of("n") == 1 && suite::rank_of("n,k[,e]") == 3);
  const auto extents = [](const char* shape) {
    std::string all;
    for (const auto& extent : suite::extents_in(shape)) all += extent + ";";
    return all;
  };
  BOOST_TEST(extents("") == "");
  BOOST_TEST(extents("ncouls,ntband[,nex]") == "ncouls;ntband;nex;");
  BOOST_TEST(extents("n[,k,e]") == "n;k;e;");
  BOOST_TEST(extents("nbatches+1") == "nbatches+1;");
  // No brackets that the grammar has: they stay, and cannot be read.
  BOOST_TEST(extents("[n]") == "[n];");
  BOOST_TEST(extents("n[,k],e") == "n[;k];e;");

  suite::Kernel kernel("probe.sum", "cpu");
  std::vector<double> weight{1}, values{2, 3}, state{0}, total(2);
  kernel.set("weight", weight.data(), {1});
  kernel.set("values", values.data(), {1, 2});
  kernel.set("state", state.data(), {1});
  kernel.set("total", total.data(), {2});
  kernel.run();
  BOOST_TEST((total == std::vector<double>{2, 3}));
  kernel.set("total", total.data(), {1, 2});
  BOOST_TEST(outcome([&] { kernel.run(); }) == "invalid argument: m is 2 in values but 1 in total");
}

BOOST_AUTO_TEST_CASE(the_cost_may_depend_on_the_parameters) {
  suite::Kernel kernel("probe.sum", "cpu");
  kernel.generate("4", 1);
  BOOST_TEST(kernel.cost().flops == 16);
  kernel.choose("variant", "doubled");
  BOOST_TEST(kernel.cost().flops == 16);  // of the interface: the same for all
  suite::Kernel pick("probe.pick", "cpu");
  const std::vector<int32_t> bands{1, 2, 3};
  std::vector<int32_t> picked(3);
  pick.set("bands", bands.data(), {3});
  pick.set("picked", picked.data(), {3});
  BOOST_TEST(pick.cost().flops == 3);
  pick.set_parameter("again", 5);
  BOOST_TEST(pick.cost().flops == 15);
}

BOOST_AUTO_TEST_CASE(a_group_of_lines_is_a_member) {
  static_assert(suite::rows<Grouped>.size() == 4);
  static_assert(suite::position<Grouped>("before") == 0 && suite::position<Grouped>("x") == 1 && suite::position<Grouped>("z") == 2 &&
                suite::position<Grouped>("behind") == 3);
  const std::vector<double> x{1, 2}, z{3, 4};
  const int32_t before = 5, behind = 6;
  const std::vector<suite_array> arrays{suite::describe(&before, {}), suite::describe(x.data(), {2}), suite::describe(z.data(), {2}),
                                        suite::describe(&behind, {})};
  const Grouped c(arrays.data());
  BOOST_TEST(c.before == 5);
  BOOST_TEST(c.atoms.x(1) == 2);
  BOOST_TEST(c.atoms.z(0) == 3);
  BOOST_TEST(c.behind == 6);
}

BOOST_AUTO_TEST_CASE(a_meaning_is_the_implementations_own) {
  static constexpr suite_published times[] = {{"V100", 1.63, 1.63, "s", "the large size", "a paper"}};
  static constexpr suite_choice steps[] = {suite::choice("v1", "as published"), suite::step("v2", "blocks", times, "v1", SUITE_FASTER)};
  constexpr auto mine = suite::with_meaning(steps, {{"v2", "blocks of 64"}});
  BOOST_TEST(text(mine[0].meaning) == "as published");
  BOOST_TEST(text(mine[1].meaning) == "blocks of 64");
  BOOST_TEST(mine[1].published == times);
  BOOST_TEST(mine[1].published_count == 1u);
  BOOST_TEST(text(mine[1].after) == "v1");
  BOOST_TEST(mine[1].expected == SUITE_FASTER);
  const suite_parameter variant = suite::variant("variant", 1, mine, "steps"), gauge = suite::option("gauge", 0, steps, "what");
  BOOST_TEST(variant.choice_count == 2u);
  BOOST_TEST(variant.high == 1);
  BOOST_TEST(variant.changes_result == 0u);
  BOOST_TEST(gauge.changes_result == 1u);
}

BOOST_AUTO_TEST_CASE(the_larger_of_two_tolerances_counts) {
  const suite_argument output{"y", SUITE_REAL64, 1, SUITE_OUT, 0, "n", "1", "", nullptr, 1e-12};
  BOOST_TEST(suite::allowed(output, 1, 0) == 1e-12);
  BOOST_TEST(suite::allowed(output, 1, 1e-5) == 1e-5);
  BOOST_TEST(suite::allowed(output, 1e8, 1e-5) == 1e8 * 1e-12);  // in single precision
  suite::Kernel pick("probe.pick", "cpu");
  BOOST_TEST(suite::tolerance_of_choices(pick) == 0);
  pick.choose("precision", "mixed");
  BOOST_TEST(suite::tolerance_of_choices(pick) == 1e-5);
  pick.choose("order", "any");
  BOOST_TEST(suite::tolerance_of_choices(pick) == 1e-5);
  pick.choose("precision", "double");  // the other one's is left
  BOOST_TEST(suite::tolerance_of_choices(pick) == 1e-7);
}

BOOST_AUTO_TEST_CASE(sentences_are_made_of_texts_letters_and_numbers) {
  const std::string name = "psi";
  const char* const word = " is ";
  enum Unscoped : uint32_t { three = 3 };
  BOOST_TEST(suite::concat("extent ", int64_t{1} << 40, " of ", name, word, std::string_view("2"), ' ', "xyz"[1]) ==
             "extent 1099511627776 of psi is 2 y");
  BOOST_TEST(suite::concat(0.5, ", ", -7, ", ", three, ", ", size_t{8}) == "0.500000, -7, 3, 8");
}

BOOST_AUTO_TEST_SUITE_END()
