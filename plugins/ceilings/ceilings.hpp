// SPDX-License-Identifier: BSD-3-Clause
// ceilings - what the machine can do at most, measured: a roofline's roofs. ceilings.fma, .nofma, .divide and
// .reciprocal run nothing but one operation, in the precision of their result, ceilings.matrix nothing but products of
// small matrices by the units that a GPU has for them; ceilings.triad streams a = b +
// s c (J. McCalpin, STREAM), and ceilings.read reads what lies in memory or in a cache.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <suite/plugin.hpp>

namespace suite::ceilings {

// The one number of a size: "n=1000000", or a named one. A kernel of two precisions knows ",precision=single"
// too.
inline int64_t size_of(const char* kernel, const char* size, int64_t small, int64_t standard, bool* single = nullptr) {
  std::string text = size ? size : "standard";
  constexpr std::string_view suffix = ",precision=single";
  if (single && (*single = text.ends_with(suffix))) text.resize(text.size() - suffix.size());
  if (text == "small") return small;
  if (text == "standard") return standard;
  if (text.starts_with("test:")) throw Failure(SUITE_NOT_FOUND, std::string(kernel) + " has no test sizes: its results are not verified");
  char* end = nullptr;
  errno = 0;
  const double n = text.starts_with("n=") ? std::strtod(text.c_str() + 2, &end) : 0;
  if (!end || *end != '\0' || errno != 0 || !(n >= 1 && n <= 1e15))
    throw Failure(SUITE_NOT_FOUND, "unknown size '" + text + "' of " + kernel + " (known: small, standard, n=<1 to 1e15>" +
                                       (single ? "; each with ,precision=single" : "") + ")");
  return static_cast<int64_t>(n);
}

// A size of two numbers: "n=1000,repeats=8", of which the second may be left out.
inline int64_t size_and_repeats(const char* kernel, const char* size, int64_t small, int64_t standard, int64_t& repeats) {
  const std::string text = size ? size : "standard";
  constexpr std::string_view key = ",repeats=";
  repeats = 1;
  const size_t at = text.find(key);
  if (at == std::string::npos) return size_of(kernel, size, small, standard);
  char* end = nullptr;
  errno = 0;
  repeats = std::strtoll(text.c_str() + at + key.size(), &end, 10);
  if (*end != '\0' || errno != 0 || repeats < 1)
    throw Failure(SUITE_NOT_FOUND, "unknown size '" + text + "' of " + kernel + ": repeats must be a positive integer (n=1000,repeats=8)");
  return size_of(kernel, text.substr(0, at).c_str(), small, standard);
}

// An operation, of which a kernel runs as many as it can.
struct Operation {
  int kind;  // as ceilings.cl knows it
  const char *name, *summary;
  const char* merit;           // what is counted, in the plural
  const char *count, *result;  // what these arguments mean
  int64_t small, standard;
  double flops;          // of one operation
  double numerator = 0;  // of a quotient

  // A chain of quotients comes back to where it was after an even number of steps.
  constexpr bool odd() const { return numerator > 0; }
  // What a step x <- x/2 + 1/2 or x <- numerator/x takes beside x.
  constexpr double factor() const { return numerator > 0 ? numerator : 0.5; }
};

// The kernel: independent chains of one operation, so that no result is waited for and nothing is loaded.
template <const Operation& one> struct Chains : Arguments {
  using Arguments::Arguments;
  using either = element::Either<element::single, element::real>;
  static constexpr const char *name = one.name, *summary = one.summary;
  static constexpr const char *merit_unit = one.merit, *merit_count = "count";

  // clang-format off
  SUITE_ARGUMENT(in,  element::long_integer, count,  "",  "1", one.count);
  SUITE_ARGUMENT(out, either,                result, "n", "1", one.result, tolerance{1e-12});
  // clang-format on

  static int cost(const suite_array* arguments, suite_cost* cost) {
    const Chains c(arguments);
    cost->flops = one.flops * static_cast<double>(c.count);
    cost->bytes = 0;
    return SUITE_OK;
  }
  static int generate(const char* size, uint64_t, suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      bool single = false;
      const int64_t n = size_of(name, size, one.small, one.standard, &single);
      suite_array& count = arguments[position<Chains>("count")];
      if (count.data) {
        *static_cast<int64_t*>(count.data) = n;
        return;
      }
      describe_arguments<Chains>(arguments, single ? SUITE_REAL32 : SUITE_REAL64, {{"n", 1}});
    });
  }
};

// x <- x/2 + 1/2 tends to 1, whatever x was.
inline constexpr Operation fma{
    .kind = 0,
    .name = "ceilings.fma",
    .summary = "peak of fused multiply-adds",
    .merit = "fused multiply-adds",
    .count = "fused multiply-adds to run, over all threads",
    .result = "every chain's x <- x/2 + 1/2 in this precision, which tends to 1, averaged",
    .small = 100'000'000,
    .standard = 20'000'000'000,
    .flops = 2,
};

// The same with two roundings: what code reaches that has sums and products but no a b + c.
inline constexpr Operation nofma{
    .kind = 1,
    .name = "ceilings.nofma",
    .summary = "peak of multiplications and additions that are not fused",
    .merit = "multiplications and additions",
    .count = "multiplications, each followed by an addition, over all threads",
    .result = fma.result,
    .small = fma.small,
    .standard = fma.standard,
    .flops = 2,
};

// x <- c/x goes back and forth between two numbers whose product is c; after an odd number of steps the
// product with the first x is c. A division counts as one flop.
inline constexpr Operation divide{
    .kind = 2,
    .name = "ceilings.divide",
    .summary = "peak of divisions",
    .merit = "divisions",
    .count = "divisions to run, over all threads",
    .result = "3: the last of every chain's x <- 3/x times the first, after an odd number of steps, averaged",
    .small = 10'000'000,
    .standard = 2'000'000'000,
    .flops = 1,
    .numerator = 3,
};

inline constexpr Operation reciprocal{
    .kind = 3,
    .name = "ceilings.reciprocal",
    .summary = "peak of reciprocals in full precision",
    .merit = "reciprocals",
    .count = "reciprocals to run, over all threads",
    .result = "1: the last of every chain's x <- 1/x times the first, after an odd number of steps, averaged",
    .small = divide.small,
    .standard = divide.standard,
    .flops = 1,
    .numerator = 1,
};

// Products of matrices in double precision by the matrix units of a GPU (NVIDIA: tensor cores, AMD: matrix cores).
struct Matrix : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "ceilings.matrix";
  static constexpr const char* summary = "peak of multiply-adds by matrix units";
  static constexpr const char *merit_unit = fma.merit, *merit_count = "count";

  // clang-format off
  SUITE_ARGUMENT(in,  element::long_integer, count,  "",  "1", "multiply-adds to run, over all threads");
  SUITE_ARGUMENT(out, element::real,         result, "n", "1", "1: the elements of C <- A B + C, divided by the number of products, averaged", tolerance{1e-12});
  // clang-format on

  static int cost(const suite_array* arguments, suite_cost* cost) {
    cost->flops = 2 * static_cast<double>(Matrix(arguments).count);
    cost->bytes = 0;
    return SUITE_OK;
  }
  static int generate(const char* size, uint64_t, suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      const int64_t n = size_of(name, size, fma.small, fma.standard);
      suite_array& count = arguments[position<Matrix>("count")];
      if (count.data) *static_cast<int64_t*>(count.data) = n;
      else describe_arguments<Matrix>(arguments, SUITE_REAL64, {{"n", 1}});
    });
  }
};

struct Triad : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "ceilings.triad";
  static constexpr const char* summary = "memory bandwidth of a = b + s c";
  static constexpr const char *merit_unit = "elements", *merit_count = "n";

  // clang-format off
  SUITE_ARGUMENT(in,  element::real, b, "n", "1", "read");
  SUITE_ARGUMENT(in,  element::real, c, "n", "1", "read");
  SUITE_ARGUMENT(in,  element::real, s, "",  "1", "factor");
  SUITE_ARGUMENT(out, element::real, a, "n", "1", "b + s c", tolerance{1e-15});
  // clang-format on

  // 24 bytes an element, as STREAM counts them: that a CPU reads a line before it writes it is not counted.
  static int cost(const suite_array* arguments, suite_cost* cost) {
    const auto n = static_cast<double>(Triad(arguments).a.extent(0));
    cost->flops = 2 * n;
    cost->bytes = 24 * n;
    return SUITE_OK;
  }
  static int generate(const char* size, uint64_t, suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      const int64_t n = size_of(name, size, 100'000, int64_t{1} << 26);
      if (!arguments[position<Triad>("b")].data) {
        describe_arguments<Triad>(arguments, 0, {{"n", n}});
        return;
      }
      const Triad call(arguments);
      auto* const to_b = static_cast<double*>(call.b.array().data);
      auto* const to_c = static_cast<double*>(call.c.array().data);
#if defined(_OPENMP)
#pragma omp parallel for schedule(static)
#endif
      for (int64_t i = 0; i < n; ++i) {
        to_b[i] = 1;
        to_c[i] = static_cast<double>(i % 7);
      }
      *static_cast<double*>(arguments[position<Triad>("s")].data) = 3;
    });
  }
};

// The bandwidth of the level that a share of x fits into: x is cut into one share for each thread (CPU) or group
// of threads (GPU), and each reads its own again and again. Nothing is written.
struct Read : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "ceilings.read";
  static constexpr const char* summary = "bandwidth of reading, from memory or from a cache";
  static constexpr const char *merit_unit = "elements", *merit_count = "n*repeats";

  // clang-format off
  SUITE_ARGUMENT(in,  element::real,         x,       "n",   "1", "read");
  SUITE_ARGUMENT(in,  element::long_integer, repeats, "",    "1", "number of times that each share of x is read", when_unset("1"));
  SUITE_ARGUMENT(out, element::real,         sum,     "one", "1", "sum of x over all reads", tolerance{1e-12});
  // clang-format on

  static int cost(const suite_array* arguments, suite_cost* cost) {
    const Read c(arguments);
    const double read = static_cast<double>(c.x.extent(0)) * static_cast<double>(c.repeats);
    cost->flops = read;
    cost->bytes = 8 * read;
    return SUITE_OK;
  }
  static int generate(const char* size, uint64_t, suite_array* arguments, suite_error* error) {
    return guarded(error, [&] {
      int64_t times = 1;
      const int64_t n = size_and_repeats(name, size, 100'000, int64_t{1} << 27, times);
      suite_array& x = arguments[position<Read>("x")];
      if (!x.data) {
        describe_arguments<Read>(arguments, 0, {{"n", n}, {"one", 1}});
        return;
      }
      auto* const to = static_cast<double*>(x.data);
#if defined(_OPENMP)
#pragma omp parallel for schedule(static)
#endif
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<double>(i % 5);
      *static_cast<int64_t*>(arguments[position<Read>("repeats")].data) = times;
    });
  }
};

}  // namespace suite::ceilings
