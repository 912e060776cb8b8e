// SPDX-License-Identifier: BSD-3-Clause
// suite/generate.hpp - tools for the generate() of a kernel family: sizes as text ("standard", "nw=3,soft=1",
// "standard,nw=3", "test:4"), random numbers that do not depend on how a loop is split, and shapes. Include it in one
// source file of a family.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <suite/plugin.hpp>

namespace suite::generate {

// A named size and the keys it stands for.
struct Named {
  const char *name, *keys;
};

// The named sizes of a kernel, its test sizes test:0, test:1, .., and keys of the family that it does
// not support.
struct Catalogue {
  std::span<const Named> names;
  std::span<const char* const> tests;
  std::span<const std::string_view> without;
};

// The keys of a family's struct S: numbers with their range, or names from a list that ends with null
// (the member takes the index).
template <class S> struct IntegerKey {
  const char* name;
  int64_t S::*member;
  double low, high;
};
template <class S> struct RealKey {
  const char* name;
  double S::*member;
  double low, high;
};
template <class S> struct WordKey {
  const char* name;
  int64_t S::*member;
  const char* const* words;
};
template <class S> struct Keys {
  std::span<const IntegerKey<S>> integers;
  std::span<const RealKey<S>> reals;
  std::span<const WordKey<S>> words;
};

inline size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

[[noreturn]] inline void unknown(const char* what, std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best = known[0];
  std::string list;
  for (std::string_view k : known) {
    if (edit_distance(word, k) < edit_distance(word, best)) best = k;
    list += (list.empty() ? "" : ", ") + std::string(k);
  }
  std::string sentence = std::string("unknown ") + what + " '" + std::string(word) + "'";
  if (edit_distance(word, best) <= 1 + best.size() / 3) sentence += "; did you mean '" + std::string(best) + "'?";
  throw Failure(SUITE_NOT_FOUND, sentence + " (known: " + list + ")");
}

inline double number(std::string_view key, std::string_view value, double low, double high) {
  const std::string copy(value);
  char* end = nullptr;
  errno = 0;
  const double x = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0' || errno != 0 || !(x >= low && x <= high))
    throw Failure(SUITE_INVALID_ARGUMENT, concat(key, " is '", copy, "'; it must be a number from ", low, " to ", high));
  return x;
}

template <class S> void assign(S& s, const Catalogue& catalogue, const Keys<S>& keys, std::string_view key, std::string_view value) {
  const auto has = [&](const char* name) {
    return std::find(catalogue.without.begin(), catalogue.without.end(), name) == catalogue.without.end();
  };
  std::vector<std::string_view> known;
  for (const auto& w : keys.words) {
    if (!has(w.name)) continue;
    known.push_back(w.name);
    if (key != w.name) continue;
    std::vector<std::string_view> words;
    for (int64_t i = 0; w.words[i]; ++i) {
      words.push_back(w.words[i]);
      if (value == w.words[i]) {
        s.*w.member = i;
        return;
      }
    }
    unknown(w.name, value, words);
  }
  for (const auto& i : keys.integers) {
    if (!has(i.name)) continue;
    known.push_back(i.name);
    if (key != i.name) continue;
    const double x = number(key, value, i.low, i.high);
    if (x != static_cast<double>(static_cast<int64_t>(x)))
      throw Failure(SUITE_INVALID_ARGUMENT, std::string(key) + " is '" + std::string(value) + "'; it must be an integer");
    s.*i.member = static_cast<int64_t>(x);
    return;
  }
  for (const auto& r : keys.reals) {
    if (!has(r.name)) continue;
    known.push_back(r.name);
    if (key != r.name) continue;
    s.*r.member = number(key, value, r.low, r.high);
    return;
  }
  unknown("size key", key, known);
}

// A size is a named one, key=value pairs, or a named one with pairs that change it, separated by commas.
template <class S> void parse(S& s, const Catalogue& catalogue, const Keys<S>& keys, std::string_view size) {
  for (bool first = true; first || !size.empty(); first = false) {
    const size_t comma = size.find(',');
    const std::string_view token = size.substr(0, comma);
    size = comma == size.npos ? std::string_view{} : size.substr(comma + 1);
    if (const size_t equals = token.find('='); equals != token.npos) {
      assign(s, catalogue, keys, token.substr(0, equals), token.substr(equals + 1));
      continue;
    }
    if (first && token.starts_with("test:")) {
      const double index = number("test", token.substr(5), 0, 1e9);
      if (index >= static_cast<double>(catalogue.tests.size()))
        throw Failure(SUITE_NOT_FOUND, concat("the test sizes are test:0 to test:", catalogue.tests.size() - 1, ", not ", token));
      parse(s, catalogue, keys, catalogue.tests[static_cast<size_t>(index)]);
      continue;
    }
    bool found = false;
    for (const Named& n : catalogue.names)
      if (first && token == n.name) {
        parse(s, catalogue, keys, n.keys);
        found = true;
      }
    if (!found) {
      std::vector<std::string_view> known;
      for (const Named& n : catalogue.names) known.push_back(n.name);
      unknown("size", token, known);
    }
  }
}

// Counter-based (splitmix64 of seed, stream and counter), so that the values do not depend on how the loop
// is split.
struct Random {
  uint64_t key;
  Random(uint64_t seed, int stream) : key(mix(seed * 1024 + static_cast<uint64_t>(stream) + 1)) {}
  static uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In [0,1).
  double operator()(int64_t counter) const {
    return static_cast<double>(mix(key ^ (static_cast<uint64_t>(counter) * 0xd1342543de82ef95u)) >> 11) * 0x1p-53;
  }
};

template <class F> void parallel(int64_t n, F&& f) {
#pragma omp parallel for schedule(static) if (n > 65536)
  for (int64_t i = 0; i < n; ++i) f(i);
}

inline void shape(suite_array* arguments, int which, int32_t type, std::initializer_list<int64_t> extents) {
  suite_array& a = arguments[which];
  a.type = type;
  a.rank = 0;
  for (auto& e : a.extent) e = 1;
  for (int64_t e : extents) a.extent[a.rank++] = e;
}

}  // namespace suite::generate
