// SPDX-License-Identifier: BSD-3-Clause
// probe - a kernel family that exists to test the core: every kind of argument, on a backend that shares host
// memory and on one that does not.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <string_view>

#include <suite/plugin.hpp>

namespace probe {

using namespace suite::element;
using suite::Arguments, suite::copied, suite::tolerance, suite::when_unset;
using flavour = Either<real, complex>;

// total(j,e) = factor * gain * sum_i weight(i) values(i,j,e), state(i) += weight(i).
struct Sum : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "probe.sum";
  static constexpr const char* summary = "weighted sums";
  static constexpr const char *merit_unit = "sums", *merit_count = "m*nex*nm";
  static constexpr const char* sums_over = "n";
  // clang-format off
  SUITE_ARGUMENT(in,       real,         gain,     "",          "1", "multiplies the sums",       when_unset("1"));
  SUITE_ARGUMENT(in,       integer,      nm,       "",          "1", "counts in the merit only",  when_unset("1"));
  SUITE_ARGUMENT(constant, flavour,      weight,   "n",         "1", "kept by prepare");
  SUITE_ARGUMENT(in,       flavour,      values,   "n,m[,nex]", "1", "to be summed");
  SUITE_ARGUMENT(in,       integer,      offsets,  "m+1",       "1", "unused",                    when_unset("not needed"));
  SUITE_ARGUMENT(inout,    flavour,      state,    "n",         "1", "grows by weight",           tolerance{1e-15});
  SUITE_ARGUMENT(out,      flavour,      total,    "m[,nex]",   "1", "the sums",                  tolerance{1e-14});
  SUITE_ARGUMENT(out,      long_integer, counters, "2",         "1", "prepares and kernels made", when_unset("not counted"));
  // clang-format on

  static int cost(const suite_array* a, suite_cost* cost) {
    const Sum c(a);
    const double terms = static_cast<double>(c.values.extent(0) * c.values.extent(1) * c.values.extent(2));
    cost->flops = 2 * terms;
    cost->bytes = 8 * terms;
    return SUITE_OK;
  }

  // size: the number n, or "absurd" for more memory than there is.
  static int generate(const char* size, uint64_t seed, suite_array* a, suite_error* error) {
    return suite::guarded(error, [&] {
      int64_t n = 0;
      const std::string_view text = size;
      if (text == "absurd") n = int64_t(1) << 50;
      else if (std::from_chars(text.data(), text.data() + text.size(), n).ec != std::errc() || n < 1)
        throw suite::Failure(SUITE_INVALID_ARGUMENT, "no size is named '" + std::string(text) + "'");
      const auto shape = [&](int i, std::initializer_list<int64_t> extents) {
        a[i].type = SUITE_REAL64;
        a[i].rank = 0;
        for (int64_t e : extents) a[i].extent[a[i].rank++] = e;
      };
      constexpr int weight = suite::position<Sum>("weight"), values = suite::position<Sum>("values"), state = suite::position<Sum>("state"),
                    total = suite::position<Sum>("total");
      if (!a[weight].data) {
        shape(weight, {n});
        shape(values, {n, 2, 1});
        shape(state, {n});
        shape(total, {2, 1});
        return;
      }
      std::fill_n(static_cast<double*>(a[weight].data), n, static_cast<double>(seed));
      std::iota(static_cast<double*>(a[values].data), static_cast<double*>(a[values].data) + 2 * n, 1.0);
      std::fill_n(static_cast<double*>(a[state].data), n, 0.0);
    });
  }
};

// out(i,j,k) over "a*b,c+d,(e+f)/2": all equal to the last element of in.
struct Six : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "probe.six";
  static constexpr const char* summary = "rank 6 and shape expressions";
  static constexpr const char *merit_unit = "things", *merit_count = "a*(b+c)*nrow";
  // clang-format off
  SUITE_ARGUMENT(in,  single,  in,       "a,b,c,d,e,f",     "1", "");
  SUITE_ARGUMENT(in,  single,  triangle, "a*(a+1)/2",       "1", "unused",                               when_unset("not needed"));
  SUITE_ARGUMENT(in,  integer, rows,     "2*nrow-1",        "1", "unused; nrow stands nowhere alone",    when_unset("not needed"));
  SUITE_ARGUMENT(in,  integer, row,      "nrow+1",          "1", "unused",                               when_unset("not needed"));
  SUITE_ARGUMENT(out, single,  out,      "a*b,c+d,(e+f)/2", "1", "the last element of in, everywhere");
  // clang-format on
};

// copy = in, both in whatever layout the implementation names; raw shows in as it lay there.
struct Copy : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "probe.copy";
  static constexpr const char* summary = "layouts";
  // clang-format off
  SUITE_ARGUMENT(in,       flavour, in,         "n,m,k", "1", "");
  SUITE_ARGUMENT(constant, flavour, fixed,      "n,m",   "1", "");
  SUITE_ARGUMENT(out,      real,    raw,        "nraw",  "1", "the first reals of in in the kernel's layout");
  SUITE_ARGUMENT(out,      flavour, copy,       "n,m,k", "1", "");
  SUITE_ARGUMENT(out,      flavour, fixed_copy, "n,m",   "1", "");
  // clang-format on
};

// picked(i) = 10 * bands(i) + kept(i): short lists that the call copies, one of them a constant.
struct Pick : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "probe.pick";
  static constexpr const char* summary = "short lists";
  // clang-format off
  SUITE_ARGUMENT(in,       integer, bands,  "n", "1", "read by every run", copied);
  SUITE_ARGUMENT(constant, integer, kept,   "n", "1", "read by prepare",   copied, when_unset("zeros"));
  SUITE_ARGUMENT(out,      integer, picked, "n", "1", "both");
  // clang-format on
};

// out = in, unless a number is negative, which the kernel learns when the work is done.
struct Late : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "probe.late";
  static constexpr const char* summary = "refuses after the work";
  // clang-format off
  SUITE_ARGUMENT(in,  real,         in,    "n", "1", "");
  SUITE_ARGUMENT(out, real,         out,   "n", "1", "in");
  SUITE_ARGUMENT(out, long_integer, asked, "1", "1", "how often this kernel was asked before");
  // clang-format on
};

}  // namespace probe
