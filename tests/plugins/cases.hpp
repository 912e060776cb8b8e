// SPDX-License-Identifier: BSD-3-Clause
// Inputs of the sizes that a kernel generates for its tests, what the reference makes of them, and how far a
// result is from that.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <suite/suite.hpp>

namespace suite::test {

inline constexpr uint64_t seeds[] = {1, 20, 300};

inline size_t bytes_of(const suite_array& a) { return static_cast<size_t>(suite::count_of(a)) * suite_type_size(a.type); }

// A real number of an array of any type, complex as two.
inline int64_t numbers_of(const suite_array& a) {
  return suite::count_of(a) * (a.type == SUITE_COMPLEX64 || a.type == SUITE_COMPLEX128 ? 2 : 1);
}
inline double number(const suite_array& a, const void* data, int64_t i) {
  switch (a.type) {
    case SUITE_INT32: return static_cast<double>(static_cast<const int32_t*>(data)[i]);
    case SUITE_INT64: return static_cast<double>(static_cast<const int64_t*>(data)[i]);
    case SUITE_REAL32:
    case SUITE_COMPLEX64: return static_cast<const float*>(data)[i];
    default: return static_cast<const double*>(data)[i];
  }
}
inline bool is_floating(const suite_array& a) { return a.type != SUITE_INT32 && a.type != SUITE_INT64; }

// An array with memory of its own.
struct Owned {
  suite_array array{};
  std::vector<char> bytes;
  explicit Owned(const suite_array& like) : array(like), bytes(bytes_of(like)) {
    array.data = bytes.data();
    array.place = SUITE_HOST;
  }
  // All bits set is a NaN, and -1 for integers: an element that a kernel skips is seen.
  void poison() { std::memset(bytes.data(), 0xff, bytes.size()); }
};

// Inputs of one size and seed, and what the reference makes of them.
struct Case {
  std::map<std::string, Owned> before, after;  // arguments going in; arguments coming out
  int status = SUITE_OK;                       // what the reference says to it
};

// Named choices, by parameter.
using Choices = std::map<std::string, std::string>;

inline void choose_all(Kernel& kernel, const Choices& choices) {
  for (const auto& [parameter, choice] : choices) kernel.choose(parameter.c_str(), choice);
}

inline bool is_constant(const suite_argument& a) { return (a.intent & SUITE_CONSTANT) == SUITE_CONSTANT; }
// A real number that may change from call to call.
inline bool is_number(const suite_argument& a) {
  return a.type == SUITE_REAL64 && a.rank == 0 && !(a.intent & SUITE_OUT) && !is_constant(a);
}

inline bool is_optional(const suite_argument& a) { return a.when_unset != nullptr; }

// Inputs that may be one array, as one size describes them.
inline bool may_be_one(const suite_argument& a, const suite_array& x, const suite_argument& b, const suite_array& y) {
  return !((a.intent | b.intent) & SUITE_OUT) && x.rank > 0 && x.rank == y.rank && x.type == y.type &&
         std::equal(x.extent, x.extent + x.rank, y.extent);
}
// Whether any size that a kernel's tests have has two of them.
inline bool has_two_alike(const suite_kernel_table& table) {
  for (int index = 0;; ++index) {
    std::vector<suite_array> size(table.argument_count);
    for (suite_array& array : size) array.rank = -1;
    suite_error error{};
    if (table.generate(("test:" + std::to_string(index)).c_str(), seeds[0], size.data(), &error) != SUITE_OK) return false;
    for (uint32_t i = 0; i < table.argument_count; ++i)
      for (uint32_t j = i + 1; j < table.argument_count; ++j)
        if (may_be_one(table.arguments[i], size[i], table.arguments[j], size[j])) return true;
  }
}

class Cases {
public:
  // Null past the last size.
  const Case* get(const std::string& kernel, int index, uint64_t seed, const Choices& choices = {}) {
    const auto key = std::make_tuple(kernel, index, seed, choices);
    if (const auto found = cases_.find(key); found != cases_.end()) return &found->second;
    Kernel reference(kernel, "reference");
    choose_all(reference, choices);
    suite_error error{};
    const int status = suite_generate(reference.handle(), ("test:" + std::to_string(index)).c_str(), seed, &error);
    if (status == SUITE_NOT_FOUND) return nullptr;
    suite::require(status, error);
    Case made;
    const auto& table = reference.table();
    for (uint32_t i = 0; i < table.argument_count; ++i) {
      const suite_argument& a = table.arguments[i];
      const suite_array given = reference.argument(a.name);
      if (given.rank < 0) continue;
      Owned owned(given);
      if (a.intent & SUITE_IN) std::memcpy(owned.bytes.data(), given.data, owned.bytes.size());
      else owned.poison();
      made.before.emplace(a.name, std::move(owned));
    }
    made.after = results_of(reference, made.before);
    return &cases_.emplace(key, std::move(made)).first->second;
  }

  // With one number times 0.9, which no kernel refuses.
  const Case& get_with_other_number(const char* name, const std::string& kernel, int index) {
    const auto key = std::make_tuple(kernel, index, std::string(name));
    if (const auto found = other_number_.find(key); found != other_number_.end()) return found->second;
    Case made = *get(kernel, index, seeds[0]);
    *reinterpret_cast<double*>(made.before.at(name).bytes.data()) *= 0.9;
    Kernel reference(kernel, "reference");
    made.after = results_of(reference, made.before);
    return other_number_.emplace(key, std::move(made)).first->second;
  }

  // Without an argument that the size has.
  const Case& get_without(const suite_argument& argument, const std::string& kernel, int index) {
    const auto key = std::make_tuple(kernel, index, std::string(argument.name));
    if (const auto found = without_.find(key); found != without_.end()) return found->second;
    Case made = *get(kernel, index, seeds[0]);
    made.before.erase(argument.name);
    made.after.clear();
    try {
      Kernel reference(kernel, "reference");
      made.after = results_of(reference, made.before);
    } catch (const Failure& failure) { made.status = failure.status(); }
    return without_.emplace(key, std::move(made)).first->second;
  }

  // With the contents of one input in another that is alike, too.
  const Case& get_with_one_array(const char* from, const char* to, const std::string& kernel, int index) {
    const auto key = std::make_tuple(kernel, index, std::string(from) + "," + to);
    if (const auto found = one_array_.find(key); found != one_array_.end()) return found->second;
    Case made = *get(kernel, index, seeds[0]);
    made.before.at(to).bytes = made.before.at(from).bytes;
    made.after.clear();
    try {
      Kernel reference(kernel, "reference");
      made.after = results_of(reference, made.before);
    } catch (const Failure& failure) { made.status = failure.status(); }
    return one_array_.emplace(key, std::move(made)).first->second;
  }

  static void bind(Kernel& kernel, const std::map<std::string, Owned>& arguments) {
    for (const auto& [name, owned] : arguments) {
      suite_array array = owned.array;
      array.data = const_cast<char*>(owned.bytes.data());
      kernel.set(name.c_str(), array);
    }
  }

private:
  // The reference writes into arrays of its own: those of `before` have to reach the tested plugin poisoned.
  static std::map<std::string, Owned> results_of(Kernel& reference, const std::map<std::string, Owned>& before) {
    std::map<std::string, Owned> own = before, after;
    for (auto& [name, owned] : own) owned.array.data = owned.bytes.data();
    bind(reference, own);
    reference.run();
    for (uint32_t i = 0; i < reference.table().argument_count; ++i) {
      const suite_argument& a = reference.table().arguments[i];
      if (!(a.intent & SUITE_OUT) || !before.contains(a.name)) continue;
      Owned out(own.at(a.name).array);
      reference.get(a.name, out.array);
      after.emplace(a.name, std::move(out));
    }
    return after;
  }
  std::map<std::tuple<std::string, int, uint64_t, Choices>, Case> cases_;
  std::map<std::tuple<std::string, int, std::string>, Case> other_number_, without_, one_array_;
};
// max|x - y| / max|y|, and where; NaN counts as infinitely far.
struct Distance {
  double relative = 0;
  int64_t where = 0;
};
inline Distance distance(const Owned& result, const Owned& truth) {
  double largest = 0, worst = 0;
  Distance d;
  const double infinity = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < numbers_of(truth.array); ++i) {
    const double x = number(truth.array, result.bytes.data(), i), y = number(truth.array, truth.bytes.data(), i);
    const double difference = std::isfinite(x) && std::isfinite(y) ? std::abs(x - y) : infinity;
    if (std::abs(y) > largest) largest = std::abs(y);
    if (difference > worst) {
      worst = difference;
      d.where = i;
    }
  }
  d.relative = worst == 0 ? 0 : largest > 0 ? worst / largest : infinity;
  return d;
}

inline std::string element(const suite_array& a, int64_t number_index) {
  int64_t at = numbers_of(a) == suite::count_of(a) ? number_index : number_index / 2;
  std::string s = "(";
  for (int d = 0; d < a.rank; ++d, at /= a.extent[d - 1]) s += (d ? "," : "") + std::to_string(at % a.extent[d] + 1);
  return s + ")";
}

}  // namespace suite::test
