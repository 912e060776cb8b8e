// SPDX-License-Identifier: BSD-3-Clause
// What the executor makes of instructions whose result is known: from the PTX ISA, or from what C++ says.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include "run.hpp"

using namespace suite::ptx::test;

namespace {

// Thread n's result of a body that leaves it in %fd1; x[n] is in %fd2, n in %r1.
std::vector<double> results(const std::string& body, unsigned threads = 32, uint64_t seed = 1) {
  std::vector<double> values;
  const auto found = run(R"(
	mov.u32 %r1, %tid.x;
	cvta.to.global.u64 %rd2, %rd1;
	mul.wide.s32 %rd3, %r1, 8;
	add.s64 %rd4, %rd2, %rd3;
	ld.global.f64 %fd2, [%rd4];
)" + body + "\tst.global.f64 [%rd4], %fd1;\n\tret;\n",
                         threads, threads, seed, &values);
  for (const auto& finding : found) BOOST_ERROR(suite::ptx::sentence(finding));
  return values;
}

}  // namespace

// A loop whose number of turns is the thread's number; lanes leave it one after another and meet behind it.
BOOST_AUTO_TEST_CASE(lanes_meet_again_after_a_loop) {
  const auto sums = results(R"(
	mov.u32 %r2, 0;
	mov.f64 %fd1, 0d0000000000000000;
$L_NEXT:
	setp.ge.s32 %p1, %r2, %r1;
	@%p1 bra $L_OUT;
	cvt.rn.f64.s32 %fd3, %r2;
	add.f64 %fd1, %fd1, %fd3;
	add.s32 %r2, %r2, 1;
	bra.uni $L_NEXT;
$L_OUT:
	bar.sync 0;
)",
                            64);
  for (int n = 0; n < 64; ++n) BOOST_TEST(sums[static_cast<size_t>(n)] == n * (n - 1) / 2);
}

// rcp.approx.ftz.f64 has 20 bits of the mantissa, so that it takes two steps of Newton's to be exact to rounding.
BOOST_AUTO_TEST_CASE(a_rough_reciprocal_is_rough) {
  const auto rough = results("\tadd.f64 %fd3, %fd2, 0d3FF4CCCCCCCCCCCD;\n\trcp.approx.ftz.f64 %fd1, %fd3;\n");
  double worst = 0;
  for (int n = 0; n < 32; ++n) worst = std::max(worst, std::abs(rough[static_cast<size_t>(n)] * (n + 1.3) - 1));
  BOOST_TEST(worst < 3e-6);
  BOOST_TEST(worst > 1e-8);
}

BOOST_AUTO_TEST_CASE(shuffles_take_the_lane_that_they_name) {
  const char* const body = R"(
	shfl.sync.MODE.b32 %r2|%p1, %r1, BY, CLAMP, -1;
	cvt.rn.f64.s32 %fd1, %r2;
)";
  const auto lanes = [&](const char* mode, const char* by, const char* clamp) {
    return results(with(body, {{"MODE", mode}, {"BY", by}, {"CLAMP", clamp}}));
  };
  const auto down = lanes("down", "3", "31"), up = lanes("up", "2", "0"), cross = lanes("bfly", "16", "31"),
             from = lanes("idx", "5", "6175");
  for (int n = 0; n < 32; ++n) {
    const auto i = static_cast<size_t>(n);
    BOOST_TEST(down[i] == (n + 3 < 32 ? n + 3 : n));
    BOOST_TEST(up[i] == (n >= 2 ? n - 2 : n));
    BOOST_TEST(cross[i] == (n ^ 16));
    BOOST_TEST(from[i] == (n / 8 * 8 + 5));  // 6175: sections of 8 lanes
  }
}

BOOST_AUTO_TEST_CASE(integers_wrap_and_widen) {
  const auto wide = results("\tmov.u32 %r2, -3;\n\tmul.wide.s32 %rd5, %r2, %r1;\n\tcvt.rn.f64.s64 %fd1, %rd5;\n");
  const auto carried = results(R"(
	mov.u32 %r2, -1;
	mov.u32 %r3, 1;
	add.cc.u32 %r4, %r2, %r3;
	addc.u32 %r5, %r1, 0;
	cvt.rn.f64.u32 %fd1, %r5;
)");
  const auto shifted =
      results("\tmov.u32 %r2, -64;\n\tshr.s32 %r3, %r2, 3;\n\tbfi.b32 %r4, %r1, %r3, 4, 8;\n\tcvt.rn.f64.s32 %fd1, %r4;\n");
  for (int n = 0; n < 32; ++n) {
    BOOST_TEST(wide[static_cast<size_t>(n)] == -3 * n);
    BOOST_TEST(carried[static_cast<size_t>(n)] == n + 1);
    BOOST_TEST(shifted[static_cast<size_t>(n)] == ((-8 & ~0xff0) | (n << 4)));
  }
}

BOOST_AUTO_TEST_CASE(conversions_round_as_they_say) {
  const auto down = results("\tmul.f64 %fd3, %fd2, 0dBFE0000000000000;\n\tcvt.rmi.f64.f64 %fd1, %fd3;\n");
  const auto near = results("\tmul.f64 %fd3, %fd2, 0d3FE0000000000000;\n\tcvt.rni.s32.f64 %r2, %fd3;\n\tcvt.rn.f64.s32 %fd1, %r2;\n");
  for (int n = 0; n < 32; ++n) {
    BOOST_TEST(down[static_cast<size_t>(n)] == std::floor(-0.5 * n));
    BOOST_TEST(near[static_cast<size_t>(n)] == std::nearbyint(0.5 * n));
  }
}

// 8x8 = 8x4 times 4x8, as the tensor cores have it: A(i, k) in lane 4i + k, B(k, j) in lane k + 4j. Neither A B nor its arrangement is
// symmetric: A's element of lane l is l, B's is l^2 - 40 l.
BOOST_AUTO_TEST_CASE(a_tile_is_multiplied) {
  const std::string operands = R"(
	mov.f64 %fd3, 0d3FF0000000000000;
	mul.f64 %fd5, %fd2, %fd2;
	mul.f64 %fd6, %fd2, 0d4044000000000000;
	sub.f64 %fd5, %fd5, %fd6;
	add.f64 %fd7, %fd2, 0d4024000000000000;
)";
  const auto b = [](int l) { return l * l - 40 * l; };
  const auto expected = [&](int lane, int n, int more) {
    double sum = 1;
    for (int k = 0; k < 4; ++k) sum += (lane / 4 * 4 + k + more) * b(4 * (lane % 4 * 2 + n) + k);
    return sum;
  };
  for (int n = 0; n < 2; ++n) {
    const auto sums = results(operands + "\tmma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {" + (n ? "%fd4, %fd1" : "%fd1, %fd4") +
                              "}, {%fd2}, {%fd5}, {%fd3, %fd3};\n");
    for (int lane = 0; lane < 32; ++lane) BOOST_TEST(sums[static_cast<size_t>(lane)] == expected(lane, n, 0));
  }
  // Two tiles of A, of which the second has 10 more in each element.
  for (int n = 0; n < 4; ++n) {
    std::string list;
    for (int m = 0; m < 4; ++m) list += (m ? ", " : "") + std::string(m == n ? "%fd1" : m < n ? "%fd4" : "%fd8");
    const auto sums = results(operands + "\tmma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {" + list +
                              "}, {%fd2, %fd7}, {%fd5}, {%fd3, %fd3, %fd3, %fd3};\n");
    for (int lane = 0; lane < 32; ++lane) BOOST_TEST(sums[static_cast<size_t>(lane)] == expected(lane, n % 2, n < 2 ? 0 : 10));
  }
}
