// SPDX-License-Identifier: BSD-3-Clause
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <suite/opencl.hpp>

#include "../common/philox_answers.hpp"
#include "support.hpp"

namespace {

namespace fs = std::filesystem;

constexpr char one[] = "__kernel void first(__global int* a) { a[get_global_id(0)] = 1; }";
constexpr char two[] = "__kernel void second(__global int* a) { a[get_global_id(0)] = 2; }";

void run(suite::Kernel& kernel) {
  kernel.generate("test:2", 1);
  kernel.run();
}

// A device, and a cache folder of its own.
struct Bench {
  Bench() : folder(fs::temp_directory_path() / ("suite-opencl-" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
    ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    ::unsetenv("SUITE_OPENCL_CACHE");
    suite_error error{};
    if (table.open(0, &queue, &error) != SUITE_OK) throw suite::Failure(SUITE_DEVICE_ERROR, error.message);
    device = std::make_unique<suite::opencl::Device>(&table, queue);
  }
  ~Bench() {
    table.close(queue);
    fs::remove_all(folder);
    ::unsetenv("XDG_CACHE_HOME");
    ::unsetenv("SUITE_OPENCL_CACHE");
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    if (fs::exists(folder / "suite"))
      for (const auto& entry : fs::directory_iterator(folder / "suite")) found.push_back(entry.path());
    return found;
  }
  void clear() const {
    for (const fs::path& entry : entries()) fs::remove(entry);
  }
  // Whether the program built from this source has a kernel of that name.
  bool has(const char* source, const char* kernel, const std::string& options = "") {
    const auto program = suite::opencl::build_program(*device, source, options, "a test");
    return outcome([&] { suite::opencl::make_kernel(program, kernel); }) == "ok";
  }
  const suite_backend& table = backend_table();
  suite_queue* queue = nullptr;
  std::unique_ptr<suite::opencl::Device> device;
  fs::path folder;
};

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void overwrite(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary | std::ios::trunc) << text; }

}  // namespace

BOOST_AUTO_TEST_SUITE(programs_are_built_and_cached)

BOOST_AUTO_TEST_CASE(a_program_that_does_not_compile_says_where) {
  Bench bench;
  const std::string said = outcome([&] { bench.has("__kernel void f(__global int* a) { a[0] = unheard_of; }", "f"); });
  BOOST_TEST(contains(said, "device error: a test does not compile on"), said);
  BOOST_TEST(contains(said, "unheard_of"), said);
  BOOST_TEST(bench.entries().empty());
}

BOOST_AUTO_TEST_CASE(errors_carry_name_number_and_what_was_tried) {
  const std::string said = outcome([] { suite::opencl::check(CL_INVALID_ARG_SIZE, "clSetKernelArg 3 of f"); });
  BOOST_TEST(said == "device error: CL_INVALID_ARG_SIZE (-51) from clSetKernelArg 3 of f");
  BOOST_TEST(contains(outcome([] { suite::opencl::check(CL_DEVICE_NOT_AVAILABLE, "clFinish"); }), "the device was lost"));
  BOOST_TEST(contains(outcome([] { suite::opencl::check(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreateBuffer"); }),
                      "out of memory: CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)"));
  BOOST_TEST(contains(outcome([] { suite::opencl::check(-12345, "x"); }), "an unknown OpenCL error (-12345) from x"));
}

BOOST_AUTO_TEST_CASE(one_entry_for_each_source_and_options) {
  Bench bench;
  BOOST_TEST(bench.has(one, "first"));
  BOOST_TEST(bench.entries().size() == 1u);
  BOOST_TEST(bench.has(one, "first"));
  BOOST_TEST(bench.entries().size() == 1u);
  BOOST_TEST(bench.has(one, "first", "-DX=1"));
  BOOST_TEST(bench.has(two, "second"));
  BOOST_TEST(bench.entries().size() == 3u);
}

// The entry is really read: put another program's in its place and that one comes out.
BOOST_AUTO_TEST_CASE(a_second_build_takes_the_binary) {
  Bench bench;
  BOOST_TEST(bench.has(one, "first"));
  const fs::path entry_of_one = bench.entries().front();
  BOOST_TEST(bench.has(two, "second"));
  for (const fs::path& entry : bench.entries())
    if (entry != entry_of_one) overwrite(entry_of_one, content(entry));
  BOOST_TEST(bench.has(one, "second"));
}

BOOST_AUTO_TEST_CASE(damaged_entries_are_replaced) {
  Bench bench;
  BOOST_TEST(bench.has(one, "first"));
  const fs::path entry = bench.entries().front();
  const std::string sound = content(entry);
  std::string flipped = sound;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 4);
  // A binary that is whole but no program: its digest fits.
  const std::string nonsense(1000, 'x');
  const std::string foreign = suite::hexadecimal(suite::sha256(nonsense.data(), nonsense.size())) + nonsense;
  for (const std::string& damaged : {flipped, sound.substr(0, sound.size() / 2), sound.substr(0, 20), std::string(), foreign}) {
    overwrite(entry, damaged);
    BOOST_TEST(bench.has(one, "first"));
    BOOST_TEST(content(entry) != damaged, "the damaged entry of " << damaged.size() << " bytes was left");
    BOOST_TEST(bench.entries().size() == 1u);
  }
}

// It is code that will run as us.
BOOST_AUTO_TEST_CASE(entries_that_others_may_write_are_not_read) {
  Bench bench;
  BOOST_TEST(bench.has(one, "first"));
  const fs::path entry_of_one = bench.entries().front();
  BOOST_TEST(bench.has(two, "second"));
  for (const fs::path& entry : bench.entries())
    if (entry != entry_of_one) overwrite(entry_of_one, content(entry));
  BOOST_REQUIRE(::chmod(entry_of_one.c_str(), 0666) == 0);
  BOOST_TEST(bench.has(one, "first"));
}

BOOST_AUTO_TEST_CASE(no_cache_when_turned_off_or_unwritable) {
  Bench bench;
  ::setenv("SUITE_OPENCL_CACHE", "0", 1);
  BOOST_TEST(bench.has(one, "first"));
  BOOST_TEST(bench.entries().empty());
  ::unsetenv("SUITE_OPENCL_CACHE");
  ::setenv("XDG_CACHE_HOME", "/proc/none", 1);
  BOOST_TEST(bench.has(one, "first"));
}

// Whoever builds a program writes an entry.
BOOST_AUTO_TEST_CASE(kernels_that_are_open_at_once_share_programs) {
  Bench bench;
  {
    suite::Kernel first("gpp.sigma", "opencl"), second("gpp.sigma", "opencl");
    for (suite::Kernel* kernel : {&first, &second}) kernel->set_parameter("vector", 4);
    run(first);
    BOOST_TEST(!bench.entries().empty());
    bench.clear();
    run(second);
    BOOST_TEST(bench.entries().empty());
    second.set_parameter("vector", 2);
    run(second);
    BOOST_TEST(!bench.entries().empty());
    bench.clear();
  }
  suite::Kernel later("gpp.sigma", "opencl");
  later.set_parameter("vector", 4);
  run(later);
  BOOST_TEST(!bench.entries().empty(), "programs were kept without a kernel");
}

// The generator of plugins/qmc/opencl, whose text is not that of the other backends.
BOOST_AUTO_TEST_CASE(philox_gives_the_known_answers) {
  Bench bench;
  const std::string source = content(PHILOX_FILE) +
                             "__kernel void answer(__global uint4* counters, __global uint2* keys) {"
                             "  const size_t i = get_global_id(0);"
                             "  counters[i] = philox(counters[i], keys[i]);"
                             "}";
  const auto program = suite::opencl::build_program(*bench.device, source, "", "philox.cl");
  const auto kernel = suite::opencl::make_kernel(program, "answer");
  std::vector<uint32_t> counters, keys;
  for (const auto& known : suite::test::philox_answers) {
    counters.insert(counters.end(), known.counter, known.counter + 4);
    keys.insert(keys.end(), known.key, known.key + 2);
  }
  suite::opencl::Scratch on_device(&bench.table, bench.queue, "counters"), keys_there(&bench.table, bench.queue, "keys");
  const cl_mem drawn = on_device.upload(counters);
  suite::opencl::launch(*bench.device, kernel, "answer", {{std::size(suite::test::philox_answers), 1, 1}, {}}, drawn,
                        keys_there.upload(keys));
  suite_error error{};
  BOOST_REQUIRE(bench.table.download(bench.queue, counters.data(), drawn, counters.size() * sizeof(uint32_t), &error) == SUITE_OK);
  size_t at = 0;
  for (const auto& known : suite::test::philox_answers)
    for (const uint32_t word : known.words) BOOST_CHECK_EQUAL(counters[at++], word);
}

BOOST_AUTO_TEST_SUITE_END()
