// SPDX-License-Identifier: BSD-3-Clause
// A plugin of the tests: echo.copy copies every a<rank> that is set into b<rank>, for any element type.
#include <cstring>

#include <suite/plugin.hpp>

namespace {

constexpr int32_t any_type = SUITE_TYPE_SET | 0x7e;

struct Copy {
  static constexpr const char* name = "echo.copy";
  static constexpr const char* summary = "copies a<rank> into b<rank>";
  static constexpr suite_argument arguments[] = {
      {"a0", any_type, 0, SUITE_IN | SUITE_OPTIONAL, "", "1", "in", 0},
      {"b0", any_type, 0, SUITE_OUT | SUITE_OPTIONAL, "", "1", "out", 0},
      {"a1", any_type, 1, SUITE_IN | SUITE_OPTIONAL, "p1", "1", "in", 0},
      {"b1", any_type, 1, SUITE_OUT | SUITE_OPTIONAL, "p1", "1", "out", 0},
      {"a2", any_type, 2, SUITE_IN | SUITE_OPTIONAL, "q1,q2", "1", "in", 0},
      {"b2", any_type, 2, SUITE_OUT | SUITE_OPTIONAL, "q1,q2", "1", "out", 0},
      {"a3", any_type, 3, SUITE_IN | SUITE_OPTIONAL, "r1,r2,r3", "1", "in", 0},
      {"b3", any_type, 3, SUITE_OUT | SUITE_OPTIONAL, "r1,r2,r3", "1", "out", 0},
      {"a4", any_type, 4, SUITE_IN | SUITE_OPTIONAL, "s1,s2,s3,s4", "1", "in", 0},
      {"b4", any_type, 4, SUITE_OUT | SUITE_OPTIONAL, "s1,s2,s3,s4", "1", "out", 0},
      {"a5", any_type, 5, SUITE_IN | SUITE_OPTIONAL, "t1,t2,t3,t4,t5", "1", "in", 0},
      {"b5", any_type, 5, SUITE_OUT | SUITE_OPTIONAL, "t1,t2,t3,t4,t5", "1", "out", 0},
      {"a6", any_type, 6, SUITE_IN | SUITE_OPTIONAL, "u1,u2,u3,u4,u5,u6", "1", "in", 0},
      {"b6", any_type, 6, SUITE_OUT | SUITE_OPTIONAL, "u1,u2,u3,u4,u5,u6", "1", "out", 0},
  };

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
    for (size_t i = 0; i < std::size(Copy::arguments); i += 2)
      if (arguments[i].data && arguments[i + 1].data) std::memcpy(arguments[i + 1].data, arguments[i].data, bytes_of(arguments[i]));
  }
};

constexpr suite_kernel_table copy = suite::kernel_table<Copy, Kernel>("test", "cpu");

}  // namespace

SUITE_PLUGIN("echo", "test", &copy)
