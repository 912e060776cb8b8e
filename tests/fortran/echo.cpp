// SPDX-License-Identifier: BSD-3-Clause
// A plugin of the tests: echo.copy copies every a<rank> that is set into b<rank>, for any element type.
#include <cstring>

#include <suite/plugin.hpp>

namespace {

using namespace suite::element;
using suite::Arguments, suite::when_unset;
using any = Either<integer, long_integer, single, real, single_complex, complex>;

struct Copy : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "echo.copy";
  static constexpr const char* summary = "copies a<rank> into b<rank>";
  // clang-format off
  SUITE_ARGUMENT(in,  any, a0, "",                    "1", "in",  when_unset("nothing"));
  SUITE_ARGUMENT(out, any, b0, "",                    "1", "out", when_unset("nothing"));
  SUITE_ARGUMENT(in,  any, a1, "p1",                  "1", "in",  when_unset("nothing"));
  SUITE_ARGUMENT(out, any, b1, "p1",                  "1", "out", when_unset("nothing"));
  SUITE_ARGUMENT(in,  any, a2, "q1,q2",               "1", "in",  when_unset("nothing"));
  SUITE_ARGUMENT(out, any, b2, "q1,q2",               "1", "out", when_unset("nothing"));
  SUITE_ARGUMENT(in,  any, a3, "r1,r2,r3",            "1", "in",  when_unset("nothing"));
  SUITE_ARGUMENT(out, any, b3, "r1,r2,r3",            "1", "out", when_unset("nothing"));
  SUITE_ARGUMENT(in,  any, a4, "s1,s2,s3,s4",         "1", "in",  when_unset("nothing"));
  SUITE_ARGUMENT(out, any, b4, "s1,s2,s3,s4",         "1", "out", when_unset("nothing"));
  SUITE_ARGUMENT(in,  any, a5, "t1,t2,t3,t4,t5",      "1", "in",  when_unset("nothing"));
  SUITE_ARGUMENT(out, any, b5, "t1,t2,t3,t4,t5",      "1", "out", when_unset("nothing"));
  SUITE_ARGUMENT(in,  any, a6, "u1,u2,u3,u4,u5,u6",   "1", "in",  when_unset("nothing"));
  SUITE_ARGUMENT(out, any, b6, "u1,u2,u3,u4,u5,u6",   "1", "out", when_unset("nothing"));
  // clang-format on

  static int cost(const suite_array*, suite_cost* cost) {
    *cost = {};
    return SUITE_OK;
  }
  static int generate(const char*, uint64_t, suite_array*, suite_error* error) {
    return suite::guarded(error, [] { throw suite::Failure(SUITE_UNSUPPORTED, "echo.copy makes up no arguments"); });
  }
};

size_t bytes_of(const suite_array& array) {
  static constexpr size_t size[] = {0, 4, 8, 4, 8, 8, 16};
  size_t n = size[array.type];
  for (int d = 0; d < array.rank; ++d) n *= static_cast<size_t>(array.extent[d]);
  return n;
}

struct Kernel {
  Kernel(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    for (size_t i = 0; i < suite::rows<Copy>.size(); i += 2)
      if (arguments[i].data && arguments[i + 1].data) std::memcpy(arguments[i + 1].data, arguments[i].data, bytes_of(arguments[i]));
  }
};

constexpr suite_kernel_table copy = suite::kernel_table<Copy, Kernel>("test", "cpu");

}  // namespace

SUITE_PLUGIN("echo", "test", &copy)
