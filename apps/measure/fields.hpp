// SPDX-License-Identifier: BSD-3-Clause
// Describes the members of a struct in one table: key, unit, meaning and limits of each. Files, their schemas and their readers
// (fields_json.hpp) are generated from it; settings and their documentation may be.
//
//   struct Peak { double energy_eV = 0, strength = 0; };
//   template <> inline constexpr auto fields<Peak> = std::tuple{
//       Field{&Peak::energy_eV, "energy_eV", "eV", "where it is", {.low = 0}},
//       Field{&Peak::strength, "strength", "1", "its part of the f-sum"},
//   };
//
// A std::optional member may be missing. Members may be numbers, texts, bools, enumerations with names, structs with a table, lists of
// these, and values by name (std::map, or a vector of pairs if the order matters).
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace suite::app {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

// Type traits. For a list of lists, `item` means the innermost items.
template <class T> struct OptionalOf {
  using type = T;
  static constexpr bool is = false;
};
template <class T> struct OptionalOf<std::optional<T>> {
  using type = T;
  static constexpr bool is = true;
};
template <class T> struct ListOf {
  static constexpr bool is = false, of_lists = false;
};
template <class T> struct ListOf<std::vector<T>> {
  using item = T;
  static constexpr bool is = true, of_lists = ListOf<T>::is;
  static constexpr size_t count = 0;
};
template <class T, size_t n> struct ListOf<std::array<T, n>> {
  using item = T;
  static constexpr bool is = true, of_lists = ListOf<T>::is;
  static constexpr size_t count = n;
};
template <class T> struct NamedOf {
  static constexpr bool is = false;
};
template <class T> struct NamedOf<std::map<std::string, T>> {
  using item = T;
  static constexpr bool is = true;
};
template <class T> struct NamedOf<std::vector<std::pair<std::string, T>>> {
  using item = T;
  static constexpr bool is = true;
};

// Constraints on a value. For lists and values by name, all except `least`, `or_null` and `omit_empty` apply to each item.
struct Limits {
  double low = -unlimited, high = unlimited;
  bool above_low = false;               // low itself is excluded
  bool whole = false;                   // a double that holds a count
  std::span<const char* const> one_of = {};  // the allowed texts; empty: any
  const char* pattern = nullptr;        // regular expression for schemas; readers accept any text
  size_t longest = 0;                   // maximum bytes of a text; 0: unlimited
  size_t least = 0;                     // minimum characters of a text or items of a list
  bool or_null = false;                 // null if not finite or empty
  bool items_or_null = false;           // the same for each item
  bool items_not_empty = false;         // no empty texts in a list
  std::span<const char* const> names = {};  // the allowed names of values by name; empty: any
  bool omit_empty = false;                  // no key if empty
};

// A member. Role: which of several tables applies to a nested struct here.
template <class S, class T, class Role = void> struct Field {
  using type = T;
  using role = Role;
  T S::*member;
  const char *key, *unit, *meaning;  // unit: "" if there is none
  Limits limits;
  constexpr Field(T S::*of, const char* named, const char* in, const char* means, Limits within = {})
      : member(of), key(named), unit(in), meaning(means), limits(within) {}
};
template <class Role, class S, class T>
constexpr Field<S, T, Role> as(T S::*member, const char* key, const char* meaning, Limits limits = {}) {
  return {member, key, "", meaning, limits};
}

// A value computed by a method or function: written, never read.
template <class S, class T> T result_of(T (S::*)() const);
template <class S, class T> T result_of(T (*)(const S&));
template <class V> struct Computed {
  using type = std::remove_cvref_t<decltype(result_of(std::declval<V>()))>;
  using role = void;
  V value;
  const char *key, *unit, *meaning;
  Limits limits;
  constexpr Computed(V of, const char* named, const char* in, const char* means, Limits within = {})
      : value(of), key(named), unit(in), meaning(means), limits(within) {}
};

// A text that is the same in every object.
struct Constant {
  const char *key, *text, *meaning = "";
};

// A nested struct whose members are written into the outer object; of a std::optional, all or none of them. always: this table is for
// structs that have it.
template <class S, class T, class Role = void> struct Flat {
  using role = Role;
  T S::*member;
  bool always;
  constexpr explicit Flat(T S::*of, bool there = !OptionalOf<T>::is) : member(of), always(there) {}
};
template <class Role, class S, class T> constexpr Flat<S, T, Role> flat_as(T S::*member) { return Flat<S, T, Role>(member); }

template <class S, class Role = void> inline constexpr auto fields = nullptr;
template <class S, class Role = void>
concept HasFields = !std::is_same_v<std::remove_cvref_t<decltype(fields<S, Role>)>, std::nullptr_t>;

// Calls f with each entry of the table, in order.
template <class S, class Role = void, class F> constexpr void each_field(F&& f) {
  const auto& table = fields<S, Role>;
  [&]<size_t... i>(std::index_sequence<i...>) {
    (f(std::get<i>(table)), ...);
  }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(table)>>>());
}

// The texts for the values 0, 1, ... of an enumeration.
template <class E> inline constexpr std::span<const char* const> names_of{};

}  // namespace suite::app
