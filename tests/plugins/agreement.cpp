// SPDX-License-Identifier: BSD-3-Clause
// Every plugin on the search path against the implementation `reference` of the same kernel, for every named
// choice of its parameters and both ends of its knobs, over the sizes "test:0", "test:1", ... that the kernel
// generates, three seeds each. Names no kernel. An error counts in the max norm of the reference's array,
// relative, against the argument's own tolerance, or against that of a named choice which is less
// exact (suite_choice.tolerance). In a call in single precision tolerances count
// 1e8-fold. A parameter that the reference has too says what is computed and is set in both: the one under
// test as it is tested, the others at their defaults for the first seed and at any choice for the further
// ones. What a kernel keeps from call to call is tried too: one number changes while the constants stay, an
// optional argument is left out, one kernel does all sizes.
//   test_plugins -- [--first] [--choices] FILE.so ...   compares these files only, instead of the search path,
//                                                       with their default choices or with all;
//                                                       --first: the process ends with 1 at the first difference
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include <suite/suite.hpp>

#include "../common/recent.hpp"
#include "cases.hpp"

namespace {

using namespace suite::test;
using suite::Failure;
using suite::Kernel;

bool first_ends = false;  // --first
[[noreturn]] void end(const std::string& why) {
  std::cout << why << std::endl;
  std::_Exit(1);
}
#define CHECK_OR_SAY(holds, otherwise)    \
  do {                                    \
    const bool well = (holds);            \
    if (!well && first_ends) {            \
      std::ostringstream said;            \
      said << otherwise;                  \
      end(said.str());                    \
    }                                     \
    BOOST_CHECK_MESSAGE(well, otherwise); \
  } while (false)

// What a file offers; the strings are copied because the tables belong to the plugin.
struct Offer {
  std::string file, kernel, implementation;
  std::string parameter, choice;  // what is not the plugin's default: a named choice,
  int64_t value = 0;              // or, where choice is empty, a knob at an end of its range
  double tolerance = 0;           // of the choice, 0 where it names none
  // It has arguments that is_number means, optional ones, or two inputs of one type and equal extents.
  bool numbers = false, optional = false, alike = false;
  bool slow = false;  // backend, or not the file for this processor: where the parameter is not the default one seed, and fewer sizes
  size_t seed_count() const { return slow && !parameter.empty() ? 1 : std::size(seeds); }
  // A slow backend: all sizes with the first seed and a third of them with each other one; choices that are not the
  // default try a third, knobs an eighth, others for another choice, and repeat up to two of those, for which all is compiled.
  bool tries_size(int index, size_t i_seed) const {
    const size_t third = parameter.empty() ? i_seed : parameter.size() + choice.size() + static_cast<size_t>(value);
    const size_t parts = index >= 3 && choice.empty() && !parameter.empty() ? 8 : 3;  // of the first three always one
    return !slow || (parameter.empty() && i_seed == 0) || static_cast<size_t>(index) % parts == third % parts;
  }
  bool repeats_size(int index) const { return !slow || parameter.empty() || (index < 6 && tries_size(index, 0)); }
};

Cases cases;

// Null, with the reason said aloud, where the plugin cannot be opened here (no such device).
std::shared_ptr<Kernel> open(const Offer& offer) {
  try {
    auto kernel = suite::test::kept_a_while(std::make_shared<Kernel>(offer.kernel, offer.file));
    if (!offer.choice.empty()) kernel->choose(offer.parameter.c_str(), offer.choice);
    else if (!offer.parameter.empty()) kernel->set_parameter(offer.parameter.c_str(), offer.value);
    return kernel;
  } catch (const Failure& failure) {
    if (failure.status() != SUITE_DEVICE_ERROR && failure.status() != SUITE_NOT_FOUND) throw;
    BOOST_TEST_MESSAGE("SKIPPED " << offer.kernel << " in " << offer.file << ": " << failure.what());
    return nullptr;
  }
}

bool same_choices(const suite_parameter& a, const suite_parameter& b) {
  bool same = a.choice_count == b.choice_count;
  for (uint32_t i = 0; same && i < a.choice_count; ++i) same = !std::strcmp(a.choices[i].name, b.choices[i].name);
  return same;
}

// Parameters with named choices that a kernel has in common with its reference.
std::vector<suite_parameter> shared_parameters(const suite_kernel_table& table) {
  const Kernel reference(table.kernel, "reference");
  std::vector<suite_parameter> shared;
  for (uint32_t i = 0; i < table.parameter_count; ++i)
    for (uint32_t j = 0; j < reference.table().parameter_count; ++j) {
      const suite_parameter &mine = table.parameters[i], &its = reference.table().parameters[j];
      if (!std::strcmp(mine.name, its.name) && mine.choices && same_choices(mine, its)) shared.push_back(mine);
    }
  return shared;
}

// What both compute in one case of an offer.
Choices choices_of(const Offer& offer, const std::vector<suite_parameter>& shared, int index, size_t i_seed) {
  Choices choices;
  for (size_t p = 0; p < shared.size(); ++p) {
    const int64_t n = shared[p].choice_count;
    // Any number that differs from parameter to parameter and from size to size will do.
    const int64_t any = (index * 5 + static_cast<int64_t>(i_seed) * 3 + static_cast<int64_t>(p) * 7) / 2 % n;
    choices[shared[p].name] = offer.parameter == shared[p].name ? offer.choice
                              : i_seed == 0                     ? shared[p].choices[shared[p].value].name
                                                                : shared[p].choices[any].name;
  }
  return choices;
}

std::string words(const Choices& choices) {
  std::string text;
  for (const auto& [parameter, choice] : choices) text += " " + parameter + "=" + choice;
  return text;
}

void agrees(const Offer& offer) {
  const auto kernel = open(offer);
  if (!kernel) return;
  const std::vector<suite_parameter> shared = shared_parameters(kernel->table());
  int compared = 0;
  std::map<std::string, double> worst;
  for (int index = 0;; ++index) {
    bool past_the_end = false;
    for (size_t i_seed = 0; i_seed < offer.seed_count(); ++i_seed) {
      const uint64_t seed = seeds[i_seed];
      const Choices choices = choices_of(offer, shared, index, i_seed);
      const Case* const c = cases.get(offer.kernel, index, seed, choices);
      if (!c) {
        past_the_end = true;
        break;
      }
      if (!offer.tries_size(index, i_seed)) continue;
      std::map<std::string, Owned> arguments = c->before;
      for (auto& [name, owned] : arguments) owned.array.data = owned.bytes.data();
      std::string what = offer.kernel + " test:" + std::to_string(index) + " seed " + std::to_string(seed) + words(choices);
      kernel->forget();
      choose_all(*kernel, choices);
      Cases::bind(*kernel, arguments);
      try {
        kernel->run();
      } catch (const Failure& failure) {
        if (failure.status() == SUITE_UNSUPPORTED) {
          BOOST_TEST_MESSAGE("SKIPPED " << what << " in " << offer.file << ": " << failure.what());
          continue;
        }
        throw;
      }
      const auto& table = kernel->table();
      for (uint32_t i = 0; i < table.argument_count; ++i) {
        const suite_argument& a = table.arguments[i];
        const auto truth = c->after.find(a.name);
        if (truth == c->after.end()) continue;
        Owned result(truth->second.array);
        kernel->get(a.name, result.array);
        const Distance d = distance(result, truth->second);
        worst[a.name] = std::max(worst[a.name], d.relative);
        const double allowed = suite::allowed(a, tolerance_factor(*kernel), offer.tolerance);
        CHECK_OR_SAY(d.relative <= allowed, what << ": " << a.name << element(result.array, d.where) << " is "
                                                 << number(result.array, result.bytes.data(), d.where) << ", the reference has "
                                                 << number(result.array, truth->second.bytes.data(), d.where) << ": relative " << d.relative
                                                 << " > " << allowed);
        ++compared;
      }
      // What a kernel only reads must be as it was.
      for (const auto& [name, owned] : arguments)
        for (uint32_t i = 0; i < table.argument_count; ++i)
          if (name == table.arguments[i].name && !(table.arguments[i].intent & SUITE_OUT))
            CHECK_OR_SAY(owned.bytes == c->before.at(name).bytes, what << ": the input " << name << " was changed");
    }
    if (past_the_end) break;
  }
  CHECK_OR_SAY(compared > 0, offer.kernel << " in " << offer.file << ": nothing was compared");
  std::ostringstream line;
  for (const auto& [name, error] : worst) line << "  " << name << " " << error;
  BOOST_TEST_MESSAGE(compared << " arrays compared, largest relative errors:" << line.str());
}

// The outputs of a run against `truth`.
void compare(Kernel& kernel, const Offer& offer, const std::map<std::string, Owned>& truth, const std::string& what) {
  for (uint32_t i = 0; i < kernel.table().argument_count; ++i) {
    const suite_argument& a = kernel.table().arguments[i];
    const auto at = truth.find(a.name);
    if (at == truth.end()) continue;
    Owned result(at->second.array);
    kernel.get(a.name, result.array);
    const double off = distance(result, at->second).relative, allowed = suite::allowed(a, tolerance_factor(kernel), offer.tolerance);
    CHECK_OR_SAY(off <= allowed,
                 offer.kernel << " " << what << ": " << a.name << " is off by " << off << " relative, allowed is " << allowed);
  }
}

// One array for two inputs, which a kernel may make use of.
void agrees_with_one_array(const Offer& offer) {
  const auto kernel = open(offer);
  if (!kernel) return;
  const auto& table = kernel->table();
  std::map<std::pair<uint32_t, uint32_t>, int> sizes;  // so far, with both
  int compared = 0;
  for (int index = 0;; ++index) {
    const Case* const c = cases.get(offer.kernel, index, seeds[0]);
    if (!c) break;
    for (uint32_t i = 0; i < table.argument_count; ++i)
      for (uint32_t j = i + 1; j < table.argument_count; ++j) {
        const char *const first = table.arguments[i].name, *const second = table.arguments[j].name;
        const auto x = c->before.find(first), y = c->before.find(second);
        if (x == c->before.end() || y == c->before.end() ||
            !may_be_one(table.arguments[i], x->second.array, table.arguments[j], y->second.array))
          continue;
        if (offer.slow && sizes[{i, j}]++ % 3) continue;
        const Case& one = cases.get_with_one_array(first, second, offer.kernel, index);
        std::map<std::string, Owned> arguments = one.before;
        for (auto& [name, owned] : arguments) owned.array.data = owned.bytes.data();
        arguments.at(second).array.data = arguments.at(first).bytes.data();
        const std::string what = "test:" + std::to_string(index) + ", " + second + " = " + first;
        kernel->forget();
        for (const auto& [name, owned] : arguments) kernel->set(name.c_str(), owned.array);
        int status = SUITE_OK;
        try {
          kernel->run();
        } catch (const Failure& failure) {
          status = failure.status();
          if (status == SUITE_UNSUPPORTED) continue;
          if (status != one.status) throw;
        }
        CHECK_OR_SAY(status == one.status, offer.kernel << " " << what << " gives status " << status << ", the reference " << one.status);
        if (status == SUITE_OK) compare(*kernel, offer, one.after, what);
        ++compared;
      }
  }
  CHECK_OR_SAY(compared > 0, offer.kernel << " in " << offer.file << ": nothing was compared");
}

// Constants stay as they are and one number of the call changes, which no prepare() follows: what a kernel
// keeps from call to call must not have been made of the old one.
void agrees_with_other_numbers(const Offer& offer) {
  const auto kernel = open(offer);
  if (!kernel) return;
  const auto& table = kernel->table();
  std::map<std::string, int> sizes;  // so far, with the number
  int compared = 0;
  for (int index = 0;; ++index) {
    const Case* const c = cases.get(offer.kernel, index, seeds[0]);
    if (!c) break;
    for (uint32_t i = 0; i < table.argument_count; ++i) {
      const char* const name = table.arguments[i].name;
      if (!is_number(table.arguments[i]) || !c->before.contains(name)) continue;
      if (offer.slow && sizes[name]++ % 3) continue;
      const Case& other = cases.get_with_other_number(name, offer.kernel, index);
      // Kernels on the host write into what they are given.
      std::map<std::string, Owned> before = c->before, changing = other.before;
      for (uint32_t k = 0; k < table.argument_count; ++k)
        if (is_constant(table.arguments[k])) changing.erase(table.arguments[k].name);
      kernel->forget();
      Cases::bind(*kernel, before);
      try {
        kernel->run();
        Cases::bind(*kernel, changing);
        kernel->run();
      } catch (const Failure& failure) {
        if (failure.status() == SUITE_UNSUPPORTED) continue;
        throw;
      }
      compare(*kernel, offer, other.after, "test:" + std::to_string(index) + " with another " + name);
      ++compared;
    }
  }
  CHECK_OR_SAY(compared > 0, offer.kernel << " in " << offer.file << ": nothing was compared");
}

// Without each optional argument in turn, at the first sizes that have it: what is left is computed as
// the reference does it, and refused where that refuses.
void agrees_without_an_argument(const Offer& offer) {
  const auto kernel = open(offer);
  if (!kernel) return;
  const auto& table = kernel->table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const char* const name = table.arguments[i].name;
    if (!is_optional(table.arguments[i])) continue;
    for (int index = offer.slow ? 2 : 0, sizes = 0; sizes < (offer.slow ? 1 : 3); ++index) {
      const Case* const c = cases.get(offer.kernel, index, seeds[0]);
      if (!c) break;
      if (!c->before.contains(name)) continue;
      ++sizes;
      const Case& without = cases.get_without(table.arguments[i], offer.kernel, index);
      const std::string what = "test:" + std::to_string(index) + " without " + name;
      std::map<std::string, Owned> arguments = without.before;
      kernel->forget();
      Cases::bind(*kernel, arguments);
      int status = SUITE_OK;
      try {
        kernel->run();
      } catch (const Failure& failure) {
        status = failure.status();
        if (status != SUITE_UNSUPPORTED && status != without.status) throw;
      }
      CHECK_OR_SAY(status == SUITE_UNSUPPORTED || status == without.status,
                   offer.kernel << " " << what << " gives status " << status << ", the reference " << without.status);
      if (status == SUITE_OK) compare(*kernel, offer, without.after, what);
    }
  }
}

// Arguments of another size for a kernel that has computed already and keeps what it has made.
void bind_next(Kernel& kernel, const std::map<std::string, Owned>& arguments) {
  for (uint32_t i = 0; i < kernel.table().argument_count; ++i) {
    const char* const name = kernel.table().arguments[i].name;
    if (!arguments.contains(name) && kernel.argument(name).rank >= 0) kernel.set(name, suite_array{});
  }
  Cases::bind(kernel, arguments);
}

// The same call gives the same bits again, with other sizes in between and with another number of threads:
// first each from a kernel that is as new, then all from one after the other.
void repeats(const Offer& offer) {
  const auto kernel = open(offer);
  if (!kernel) return;
  const auto& table = kernel->table();
  bool has_threads = false;
  for (uint32_t i = 0; i < table.parameter_count; ++i) has_threads = has_threads || !std::strcmp(table.parameters[i].name, "threads");
  std::map<std::string, std::vector<char>> first;
  for (int pass = 0; pass < 2; ++pass) {
    if (has_threads) kernel->set_parameter("threads", 1 + 2 * pass);
    for (int index = 0;; ++index) {
      const Case* const c = cases.get(offer.kernel, index, seeds[0]);
      if (!c) break;
      if (!offer.repeats_size(index)) continue;
      std::map<std::string, Owned> arguments = c->before;
      for (auto& [name, owned] : arguments) owned.array.data = owned.bytes.data();
      if (pass == 0) kernel->forget();
      bind_next(*kernel, arguments);
      try {
        kernel->run();
      } catch (const Failure& failure) {
        if (failure.status() == SUITE_UNSUPPORTED) continue;
        throw;
      }
      for (const auto& [name, truth] : c->after) {
        Owned result(truth.array);
        kernel->get(name.c_str(), result.array);
        const auto [at, is_new] = first.try_emplace(std::to_string(index) + name, result.bytes);
        CHECK_OR_SAY(is_new || at->second == result.bytes,
                     offer.kernel << " test:" << index << ": " << name << " has other bits in pass " << pass + 1);
      }
    }
  }
}

// A NaN planted in any input is refused with the argument's name and the element's indices.
void refuses_nan(const std::string& name) {
  const Case* const c = cases.get(name, 2, seeds[0]);
  if (!c) return;
  Kernel kernel(name, "reference");
  const auto& table = kernel.table();
  for (uint32_t i = 0; i < table.argument_count; ++i) {
    const suite_argument& a = table.arguments[i];
    const auto at = c->before.find(a.name);
    if (!(a.intent & SUITE_IN) || at == c->before.end() || !is_floating(at->second.array)) continue;
    std::map<std::string, Owned> arguments = c->before;
    Owned& broken = arguments.at(a.name);
    const int64_t planted = numbers_of(broken.array) - 1;
    const size_t width = bytes_of(broken.array) / static_cast<size_t>(numbers_of(broken.array));
    std::memset(broken.bytes.data() + static_cast<size_t>(planted) * width, 0xff, width);
    const std::string expected = a.name + (broken.array.rank ? element(broken.array, planted) : std::string());
    suite_error error{};
    int status = SUITE_OK;
    try {
      kernel.forget();
      Cases::bind(kernel, arguments);
      status = suite_run(kernel.handle(), nullptr, &error);
    } catch (const Failure& failure) {
      status = failure.status();
      std::strncpy(error.message, failure.what(), sizeof error.message - 1);
    }
    CHECK_OR_SAY(status == SUITE_INVALID_ARGUMENT && std::string(error.message).find(expected) != std::string::npos,
                 name << ": NaN in " << expected << " gives status " << status << " '" << error.message << "'");
  }
}

bool has_choices(const suite_kernel_table& table) {
  return std::any_of(table.parameters, table.parameters + table.parameter_count,
                     [](const suite_parameter& p) { return p.choices != nullptr; });
}

// A named choice that says what is computed is the reference's too, with the same choices and default; one that says how is not.
void states_what_changes_its_result(const suite_kernel_table& table) {
  const Kernel reference(table.kernel, "reference");
  const auto of = [](const suite_kernel_table& t) { return std::span(t.parameters, t.parameter_count); };
  const auto named = [&](const suite_kernel_table& t, const char* name) {
    const auto all = of(t);
    const auto at = std::find_if(all.begin(), all.end(), [&](const suite_parameter& p) { return !std::strcmp(p.name, name); });
    return at == all.end() ? nullptr : &*at;
  };
  for (const suite_parameter& mine : of(table)) {
    if (!mine.choices) continue;
    const suite_parameter* const its = named(reference.table(), mine.name);
    CHECK_OR_SAY((mine.changes_result != 0) == (its != nullptr),
                 table.kernel << ": " << mine.name
                              << (its ? " is a parameter of the reference too, but is not said to change the result"
                                      : " is said to change the result, but the reference does not have it"));
    CHECK_OR_SAY(!its || (its->changes_result && same_choices(mine, *its) && mine.value == its->value),
                 table.kernel << ": " << mine.name << " has other choices or another default than in the reference");
  }
  for (const suite_parameter& its : of(reference.table()))
    CHECK_OR_SAY(!its.choices || named(table, its.name), table.kernel << ": it lacks " << its.name << ", which the reference has");
}

std::vector<int64_t> defaults(const suite_kernel_table& table) {
  std::vector<int64_t> values;
  for (uint32_t i = 0; i < table.parameter_count; ++i) values.push_back(table.parameters[i].value);
  return values;
}

// A table without a figure of merit has no rate that a user of the field understands.
// The merit is never 0, and the cost of a call is that of the arguments which are set: no more than the size says
// before there are arrays but for scalars and occupations, in which a cost may find that less is to be done, and as
// many bytes.
void counts(const std::string& name) {
  Kernel kernel(name, "reference");
  const suite_kernel_table& table = kernel.table();
  for (int index = -1;; ++index) {
    const std::string size = index < 0 ? "small" : "test:" + std::to_string(index);
    suite_error error{};
    const int status = suite_generate(kernel.handle(), size.c_str(), 1, &error);
    if (status == SUITE_NOT_FOUND) break;
    suite::require(status, error);
    // A call may be asked for nothing: no steps.
    CHECK_OR_SAY(kernel.merit() > 0 || (index >= 0 && kernel.cost().flops == 0),
                 name << ": the merit of size " << size << " is " << kernel.merit()
                      << " (merit: " << (table.merit_count ? table.merit_count : "none") << ")");
    std::vector<suite_array> described(table.argument_count);
    for (suite_array& array : described) array.rank = -1;
    suite::require(table.generate(size.c_str(), 1, described.data(), &error), error);
    for (uint32_t i = 0; i < table.argument_count; ++i)
      if (described[i].rank == 0 || !std::strcmp(table.arguments[i].name, "occ_array"))
        described[i].data = kernel.argument(table.arguments[i].name).data;
    suite_cost stated{};
    BOOST_REQUIRE_EQUAL(table.cost(described.data(), defaults(table).data(), &stated), SUITE_OK);
    const suite_cost cost = kernel.cost();
    CHECK_OR_SAY(cost.flops >= 0 && cost.flops <= stated.flops * (1 + 1e-12),
                 name << " " << size << ": a call counts " << cost.flops << " flop, its size " << stated.flops);
    CHECK_OR_SAY(std::abs(cost.bytes - stated.bytes) <= 1e-12 * stated.bytes,
                 name << " " << size << ": a call counts " << cost.bytes << " bytes, its size " << stated.bytes);
  }
}

// What is thrown is a difference too.
void ending(void (*compare)(const Offer&), const Offer& offer) {
  try {
    compare(offer);
  } catch (const std::exception& e) {
    if (first_ends) end(offer.kernel + ": " + e.what());
    throw;
  }
}

// Plugins by file, in the order of the search path; a file may be found on two ways.
using Found = std::map<std::string, const suite_plugin*>;

// A kernel with its default choices; with `choices` also with each other one and both ends of each knob.
void add_offers(const Offer& plain, const suite_kernel_table& table, bool choices, std::vector<Offer>& offers) {
  offers.push_back(plain);
  const suite_argument* const end = table.arguments + table.argument_count;
  offers.back().numbers = std::any_of(table.arguments, end, is_number);
  offers.back().optional = std::any_of(table.arguments, end, is_optional);
  offers.back().alike = has_two_alike(table);
  for (uint32_t p = 0; choices && p < table.parameter_count; ++p) {
    const suite_parameter& parameter = table.parameters[p];
    Offer offer = plain;
    offer.parameter = parameter.name;
    if (parameter.choices) {
      for (int64_t i = 0; i < parameter.choice_count; ++i) {
        if (i == parameter.value) continue;
        offer.choice = parameter.choices[i].name;
        offer.tolerance = parameter.choices[i].tolerance;
        offers.push_back(offer);
      }
    } else if (offer.parameter != "threads") {  // `repeats` varies those
      for (const int64_t end : {parameter.low, parameter.high}) {
        if (plain.slow && end == parameter.value) continue;  // as it is tested without a choice
        offer.value = end;
        offers.push_back(offer);
      }
    }
  }
}

// A plugin for the CPU is there for several instruction sets, from one source: kernels open the best of them.
bool is_for_lesser_processors(const suite_kernel_table& table) {
  return !std::strcmp(table.backend, "cpu") && std::strcmp(table.implementation, "reference") &&
         &Kernel(table.kernel, table.implementation).table() != &table;
}

void add_all(const std::string& file, const suite_plugin* plugin, std::vector<Offer>& offers) {
  for (uint32_t k = 0; k < plugin->kernel_count; ++k) {
    const suite_kernel_table& table = *plugin->kernels[k];
    const bool lesser = is_for_lesser_processors(table);
    // The one simulates each thread, the other compiles for each choice and shape.
    const bool slow = lesser || !std::strcmp(table.backend, "emulated") || !std::strcmp(table.backend, "opencl");
    if (slow && table.parameter_count > 0)
      std::cout
          << table.kernel << " in " << file << ": " << (lesser ? "another file is for this processor" : "the backend is slow")
          << ", so that choices other than the default are tried with every third size, knobs with every eighth, and one seed instead of "
          << std::size(seeds) << ", and repeated for two of those\n";
    add_offers({file, table.kernel, table.implementation, "", "", 0, 0, false, false, false, slow}, table, true, offers);
  }
}

// Without the letters that --run_test reads in its own way.
std::string case_name(std::string name) {
  for (char& letter : name)
    if (std::strchr("/,*!+@", letter)) letter = '_';
  return name;
}

bool init() {
  namespace ut = boost::unit_test;
  ut::unit_test_log.set_threshold_level(ut::log_messages);
  auto& all = ut::framework::master_test_suite();
  Found visited;
  suite_visit(
      [](void* with, const char* file, const suite_plugin* plugin, const char* why) {
        if (plugin) static_cast<Found*>(with)->emplace(file, plugin);
        else std::cout << "SKIPPED " << file << ": " << why << '\n';
      },
      &visited);

  std::map<std::string, bool> references;  // whether it has choices
  for (const auto& [file, plugin] : visited)
    for (uint32_t k = 0; k < plugin->kernel_count; ++k)
      if (!std::strcmp(plugin->kernels[k]->implementation, "reference"))
        references.emplace(plugin->kernels[k]->kernel, has_choices(*plugin->kernels[k]));

  std::vector<Offer> offers;
  // Files given by hand may lie outside the search path: they are asked for every kernel that has a
  // reference.
  std::vector<std::string> files;
  bool choices = false;
  for (int i = 1; i < all.argc; ++i) {
    const std::string word = all.argv[i];
    if (word == "--first") first_ends = true;
    else if (word == "--choices") choices = true;
    else files.push_back(word);
  }
  for (const auto& file : files)
    for (const auto& [name, choices_there] : references) try {
        const Kernel kernel(name, file);
        const suite_kernel_table& table = kernel.table();
        add_offers({file, name, table.implementation, "", "", 0, 0, false, false, false, false}, table, choices, offers);
      } catch (const Failure& failure) {
        if (failure.status() != SUITE_NOT_FOUND) throw;
      }
  if (files.empty())
    for (const auto& [file, plugin] : visited) add_all(file, plugin, offers);

  for (const Offer& offer : offers) {
    if (!references.contains(offer.kernel)) {
      std::cout << "SKIPPED " << offer.kernel << " in " << offer.file << ": no implementation 'reference' to compare with\n";
      continue;
    }
    std::string name = offer.file + " " + offer.kernel;
    if (!offer.parameter.empty()) name += " " + offer.parameter + "=" + (offer.choice.empty() ? std::to_string(offer.value) : offer.choice);
    const auto add = [&](void (*compare)(const Offer&), const char* promise) {
      all.add(ut::make_test_case([offer, compare] { ending(compare, offer); }, case_name(name + promise), __FILE__, __LINE__));
    };
    if (offer.implementation != "reference") add(agrees, " agrees");
    if (offer.implementation != "reference" && offer.numbers) add(agrees_with_other_numbers, " agrees with other numbers");
    if (offer.implementation != "reference" && offer.optional) add(agrees_without_an_argument, " agrees without an argument");
    if (offer.parameter.empty() && offer.alike) add(agrees_with_one_array, " agrees with one array for two inputs");
    add(repeats, " repeats");
  }
  if (files.empty()) {
    for (const auto& [file, plugin] : visited)
      for (const suite_kernel_table* table : std::span(plugin->kernels, plugin->kernel_count)) {
        if (!references.contains(table->kernel) || !std::strcmp(table->implementation, "reference")) continue;
        if (!(has_choices(*table) || references.at(table->kernel))) continue;
        all.add(ut::make_test_case([table] { states_what_changes_its_result(*table); },
                                   case_name(file + " " + table->kernel + " states what changes its result"), __FILE__, __LINE__));
      }
    for (const auto& [kernel, choices_there] : references) {
      all.add(ut::make_test_case([kernel] { refuses_nan(kernel); }, kernel + " refuses NaN", __FILE__, __LINE__));
      all.add(ut::make_test_case([kernel] { counts(kernel); }, kernel + " counts what it gets done", __FILE__, __LINE__));
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) { return boost::unit_test::unit_test_main(init, argc, argv); }
