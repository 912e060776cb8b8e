// SPDX-License-Identifier: BSD-3-Clause
// Errors planted in small kernels written in PTX: each is reported with the kernel, the line and the thread.
#include <boost/test/unit_test.hpp>

#include "run.hpp"

using namespace suite::ptx::test;

// Each thread writes its element of shared memory and reads its neighbour's.
static const char* const neighbour = R"(
	.shared .align 8 .b8 tile[512];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, tile;
	shl.b32 %r3, %r1, 3;
	add.s32 %r4, %r2, %r3;
	cvt.rn.f64.s32 %fd1, %r1;
	st.shared.f64 [%r4], %fd1;
	BETWEEN
	xor.b32 %r5, %r3, NEIGHBOUR;
	add.s32 %r6, %r2, %r5;
	ld.shared.f64 %fd2, [%r6];
	cvta.to.global.u64 %rd2, %rd1;
	mul.wide.s32 %rd3, %r1, 8;
	add.s64 %rd4, %rd2, %rd3;
	st.global.f64 [%rd4], %fd2;
	ret;
)";

BOOST_AUTO_TEST_CASE(a_missing_barrier_is_a_race) {
  for (const uint64_t seed : {1, 2, 3}) {
    const auto found = run(with(neighbour, {{"BETWEEN", ""}, {"NEIGHBOUR", "256"}}), 64, 64, seed);
    BOOST_REQUIRE(!found.empty());
    BOOST_TEST(found[0].what == "race");
    BOOST_TEST(found[0].text.find("no barrier between") != std::string::npos);
    BOOST_TEST(suite::ptx::sentence(found[0]).find("race in kernel planted, line") == 0u);
    BOOST_TEST(found[0].source_line == 7);
  }
  BOOST_TEST(run(with(neighbour, {{"BETWEEN", "bar.sync 0;"}, {"NEIGHBOUR", "256"}}), 64, 64).empty());
}

// Lanes of a warp need not run in step, so that they need a barrier of the warp.
BOOST_AUTO_TEST_CASE(lanes_of_a_warp_race_too) {
  const auto found = run(with(neighbour, {{"BETWEEN", ""}, {"NEIGHBOUR", "8"}}), 64, 64);
  BOOST_REQUIRE(!found.empty());
  BOOST_TEST(found[0].what == "race");
  BOOST_TEST(run(with(neighbour, {{"BETWEEN", "bar.warp.sync -1;"}, {"NEIGHBOUR", "8"}}), 64, 64).empty());
  BOOST_TEST(!run(with(neighbour, {{"BETWEEN", "bar.warp.sync -1;"}, {"NEIGHBOUR", "256"}}), 64, 64).empty());
}

// The second write comes after reads that nothing orders.
BOOST_AUTO_TEST_CASE(a_write_after_a_read_is_a_race) {
  const char* const body = R"(
	.shared .align 8 .b8 tile[512];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, tile;
	shl.b32 %r3, %r1, 3;
	add.s32 %r4, %r2, %r3;
	mov.f64 %fd1, 0d3FF0000000000000;
	st.shared.f64 [%r4], %fd1;
	bar.sync 0;
	xor.b32 %r5, %r3, 256;
	add.s32 %r6, %r2, %r5;
	ld.shared.f64 %fd2, [%r6];
	BETWEEN
	add.f64 %fd3, %fd1, %fd1;
	st.shared.f64 [%r4], %fd3;
	ret;
)";
  BOOST_REQUIRE(!run(with(body, {{"BETWEEN", ""}}), 64, 64).empty());
  BOOST_TEST(run(with(body, {{"BETWEEN", "bar.sync 0;"}}), 64, 64).empty());
}

BOOST_AUTO_TEST_CASE(a_register_that_was_never_set_is_reported) {
  const char* const body = R"(
	mov.u32 %r1, %tid.x;
	setp.SET.u32 %p1, %r1, 5;
	@%p1 mov.f64 %fd1, 0d3FF0000000000000;
	add.f64 %fd2, %fd1, %fd1;
	ret;
)";
  const auto found = run(with(body, {{"SET", "ne"}}), 64, 64);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].what == "undefined");
  BOOST_TEST(found[0].thread == 5);
  BOOST_TEST(found[0].kernel == "planted");
  BOOST_TEST(run(with(body, {{"SET", "le"}}), 6, 64).empty() == true);
  BOOST_TEST(!run(with(body, {{"SET", "le"}}), 7, 64).empty());
}

// nvcc packs a value with an undefined half and shifts that half out again.
BOOST_AUTO_TEST_CASE(an_undefined_half_that_nobody_reads_is_none) {
  const char* const body = R"(
	mov.u32 %r1, %tid.x;
	mov.b64 %rd2, {%r2, %r1};
	shr.u64 %rd3, %rd2, SHIFT;
	cvt.u32.u64 %r3, %rd3;
	add.s32 %r4, %r3, 1;
	ret;
)";
  BOOST_TEST(run(with(body, {{"SHIFT", "32"}}), 64, 64).empty());
  BOOST_TEST(!run(with(body, {{"SHIFT", "31"}}), 64, 64).empty());
}

BOOST_AUTO_TEST_CASE(steps_beyond_an_array_are_reported) {
  const char* const body = R"(
	mov.u32 %r1, %tid.x;
	cvta.to.global.u64 %rd2, %rd1;
	mul.wide.s32 %rd3, %r1, 8;
	add.s64 %rd4, %rd2, %rd3;
	ld.global.f64 %fd1, [%rd4+OFFSET];
	add.f64 %fd2, %fd1, %fd1;
	st.global.f64 [%rd4], %fd2;
	ret;
)";
  BOOST_TEST(run(with(body, {{"OFFSET", "0"}}), 64, 64).empty());
  const auto beyond = run(with(body, {{"OFFSET", "8"}}), 64, 64);
  BOOST_REQUIRE(beyond.size() == 1u);
  BOOST_TEST(beyond[0].what == "out of bounds");
  BOOST_TEST(beyond[0].thread == 63);
  const auto before = run(with(body, {{"OFFSET", "-8"}}), 64, 64);
  BOOST_REQUIRE(before.size() == 1u);
  BOOST_TEST(before[0].thread == 0);
  const auto askew = run(with(body, {{"OFFSET", "4"}}), 32, 64);
  BOOST_REQUIRE(askew.size() == 1u);
  BOOST_TEST(askew[0].what == "misaligned");
}

BOOST_AUTO_TEST_CASE(steps_beyond_shared_and_local_memory_are_reported) {
  const char* const shared = R"(
	.shared .align 8 .b8 first[64];
	.shared .align 8 .b8 second[64];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, first;
	shl.b32 %r3, %r1, 3;
	add.s32 %r4, %r2, %r3;
	mov.f64 %fd1, 0d0000000000000000;
	st.shared.f64 [%r4], %fd1;
	ret;
)";
  BOOST_TEST(run(shared, 8, 64).empty());
  const auto found = run(shared, 9, 64);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].what == "out of bounds");
  BOOST_TEST(found[0].thread == 8);
  const char* const local = R"(
	.local .align 8 .b8 __local_depot0[16];
	mov.u64 %rd2, __local_depot0;
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 8;
	add.s64 %rd4, %rd2, %rd3;
	mov.f64 %fd1, 0d0000000000000000;
	st.local.f64 [%rd4], %fd1;
	ret;
)";
  BOOST_TEST(run(local, 2, 64).empty());
  const auto beyond = run(local, 3, 64);
  BOOST_REQUIRE(beyond.size() == 1u);
  BOOST_TEST(beyond[0].thread == 2);
}

// The lanes of a warp that took two branches are at two barriers: on a GPU this hangs or lets them pass.
BOOST_AUTO_TEST_CASE(lanes_that_do_not_meet_again_are_reported) {
  const char* const body = R"(
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p1, %r1, 7;
	@%p1 bra $L_A;
	bar.sync 0;
	ret;
$L_A:
	bar.sync 0;
	ret;
)";
  const auto found = run(body, 64, 64);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].what == "barrier");
  BOOST_TEST(found[0].text.find("different places") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_thread_that_ends_before_a_barrier_is_reported) {
  const char* const body = R"(
	mov.u32 %r1, %tid.x;
	setp.ge.u32 %p1, %r1, LAST;
	@%p1 bra $L_END;
	bar.sync 0;
$L_END:
	ret;
)";
  // Eight lanes of a warp, and a warp.
  for (const char* const last : {"56", "32"}) {
    const auto found = run(with(body, {{"LAST", last}}), 64, 64);
    BOOST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].what == "barrier");
    BOOST_TEST(found[0].text.find("ended") != std::string::npos);
  }
  BOOST_TEST(run(with(body, {{"LAST", "64"}}), 64, 64).empty());
}

BOOST_AUTO_TEST_CASE(a_shuffle_without_all_of_its_lanes_is_reported) {
  const char* const body = R"(
	mov.u32 %r1, %tid.x;
	shfl.sync.bfly.b32 %r2|%p1, %r1, 1, 31, -1;
	add.s32 %r3, %r2, %r2;
	ret;
)";
  BOOST_TEST(run(body, 64, 64).empty());
  const auto found = run(body, 40, 64);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].what == "lanes");
}

BOOST_AUTO_TEST_CASE(an_unknown_instruction_is_refused_by_name) {
  try {
    run("\tsin.approx.f32 %f1, %f2;\n\tret;\n", 32, 64);
    BOOST_FAIL("nothing was refused");
  } catch (const suite::ptx::ParseError& e) { BOOST_TEST(std::string(e.what()).find("sin.approx.f32") != std::string::npos); }
}
