// SPDX-License-Identifier: BSD-3-Clause
// The roofline model, on numbers made up by hand.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <boost/test/unit_test.hpp>

#include "measure/caches.hpp"
#include "measure/markup.hpp"
#include "measure/plot.hpp"
#include "measure/roofline.hpp"

using namespace suite::app;

namespace {

constexpr double MiB = 1048576;

// 100 GFLOP/s; L1 1000 GB/s up to 1 MiB, memory 20 GB/s by reading and 25 GB/s by the triad.
DeviceCeilings made_up() {
  DeviceCeilings c;
  c.device = "cpu";
  c.compute = {{"FMA", "ceilings.fma", 100e9}, {"no FMA", "ceilings.nofma", 60e9}, {"divide", "ceilings.divide", 5e9}};
  c.bandwidth = {{"L1", "ceilings.read", 1000e9, MiB / 2, MiB},
                 {"memory", "ceilings.read", 20e9, 256 * MiB, INFINITY},
                 {"memory, triad", "ceilings.triad", 25e9, 256 * MiB, INFINITY}};
  return c;
}

Dot dot(double flops, double bytes, double seconds, double working_set) {
  Dot d;
  d.kernel = "gpp.sigma";
  d.label = "v1";
  d.seconds = seconds;
  d.flops = flops;
  d.bytes = bytes;
  d.working_set_B = working_set;
  return d;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(the_roof_is_the_lower_one) {
  const DeviceCeilings c = made_up();
  // 10 flop/byte from memory: 250 GFLOP/s could be fed, 100 are there.
  Roof roof = roof_above(dot(1e9, 1e8, 0.02, 100 * MiB), c);
  BOOST_TEST(roof.name == "FMA");
  BOOST_TEST(roof.flop_per_s == 100e9);
  BOOST_TEST(std::abs(roof.fraction - 0.5) < 1e-12);
  // 1 flop/byte: the faster of the two measurements of memory feeds 25 GFLOP/s.
  roof = roof_above(dot(1e9, 1e9, 0.08, 100 * MiB), c);
  BOOST_TEST(roof.name == "memory");
  BOOST_TEST(std::abs(roof.flop_per_s - 25e9) < 1);
  BOOST_TEST(std::abs(roof.fraction - 0.5) < 1e-12);
  // The same from L1: arithmetic is what there is too little of.
  BOOST_TEST(roof_above(dot(1e9, 1e9, 0.08, MiB), c).name == "FMA");
  // No flops at all: bytes against the memory's bandwidth.
  roof = roof_above(dot(0, 25e9, 2, 100 * MiB), c);
  BOOST_TEST(roof.name == "memory");
  BOOST_TEST(std::abs(roof.fraction - 0.5) < 1e-12);
  BOOST_TEST(roof_above(dot(1e9, 1e8, 1, 1), DeviceCeilings{}).name == "");
  BOOST_TEST(roof_above(dot(0, 0, 1, 1), c).name == "");
}

// Only matrix units are faster than the FMA ceiling.
BOOST_AUTO_TEST_CASE(what_is_faster_than_the_fma_ceiling_is_below_that_of_matrix_units) {
  DeviceCeilings c = made_up();
  c.compute.push_back({"matrix", "ceilings.matrix", 200e9});
  Roof roof = roof_above(dot(1e9, 1e8, 1e9 / 150e9, MiB), c);
  BOOST_TEST(roof.name == "matrix");
  BOOST_TEST(std::abs(roof.fraction - 0.75) < 1e-12);
  BOOST_TEST(roof_above(dot(1e9, 1e8, 1e9 / 99e9, MiB), c).name == "FMA");
  BOOST_TEST(has(suite::plot::svg("title", {roofline_panel("gpu", c, {}, {dot(1e9, 1e8, 0.02, MiB)})}), "matrix 200 GFLOP/s"));
}

BOOST_AUTO_TEST_CASE(levels_are_found_in_a_scan) {
  // Too little work at first, then 64 KiB of L1, a size on the way, L2, a size on the way, memory.
  const std::vector<double> sizes{16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304};
  const std::vector<double> rates{300, 900, 1000, 700, 400, 390, 200, 50, 48};
  const auto levels = levels_of(sizes, rates);
  BOOST_REQUIRE(levels.size() == 3u);
  BOOST_TEST(levels[0].per_s == 1000.0);
  BOOST_TEST(levels[1].per_s == 400.0);
  BOOST_TEST(levels[1].capacity_B == 524288.0);
  BOOST_TEST(levels[2].name == "memory");
  BOOST_TEST(levels[2].per_s == 50.0);
  BOOST_TEST(std::isinf(levels[2].capacity_B));
  BOOST_TEST(levels_of({}, {}).empty());
  BOOST_TEST(levels_of({1024}, {5}).size() == 1u);  // the memory alone
}

BOOST_AUTO_TEST_CASE(caches_are_read_as_linux_writes_them) {
  const std::filesystem::path cpu = std::filesystem::path(SCRATCH) / "cpu0";
  std::filesystem::remove_all(cpu);
  const char* const made_up[][4] = {
      {"1", "Data", "48K", "0"}, {"1", "Instruction", "32K", "0"}, {"3", "Unified", "32M", "0-3,8-9"}, {"2", "Unified", "1024K", "0,4"}};
  for (int i = 0; i < 4; ++i) {
    const auto folder = cpu / "cache" / ("index" + std::to_string(i));
    std::filesystem::create_directories(folder);
    const char* const names[] = {"level", "type", "size", "shared_cpu_list"};
    for (int k = 0; k < 4; ++k) std::ofstream(folder / names[k]) << made_up[i][k] << "\n";
  }
  const auto caches = cpu_caches(cpu);
  BOOST_REQUIRE(caches.size() == 3u);
  BOOST_TEST(caches[0].size_B == 49152.0);
  BOOST_TEST(caches[1].level == 2);
  BOOST_TEST(caches[1].shared_by == 2);
  BOOST_TEST(caches[2].size_B == 32 * MiB);
  BOOST_TEST(caches[2].shared_by == 6);
  BOOST_TEST(cpu_caches(cpu / "nothing").empty());
}

BOOST_AUTO_TEST_CASE(powers_of_ten_on_logarithmic_axes) {
  BOOST_TEST(suite::plot::log_ticks(0.05, 200) == (std::vector<double>{0.1, 1, 10, 100}), boost::test_tools::per_element());
  BOOST_TEST(suite::plot::log_ticks(2, 30) == (std::vector<double>{2, 5, 10, 20}), boost::test_tools::per_element());
  BOOST_TEST(suite::plot::log_ticks(1, 500) == (std::vector<double>{1, 3, 10, 30, 100, 300}), boost::test_tools::per_element());
  BOOST_TEST(suite::plot::log_ticks(1e-12, 1e12).size() < 10);  // as many as have room
  BOOST_TEST(suite::plot::log_ticks(0, 1).empty());
  BOOST_TEST(suite::plot::ticks(1 - 3e-16, 1, 5).size() <= 1u);  // the spread is rounding
  const suite::plot::Range range{0.1, 1000, true};
  BOOST_TEST(range.part(0.1) == 0);
  BOOST_TEST(range.part(1000) == 1);
  BOOST_TEST(std::abs(range.part(10) - 0.5) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(names_are_escaped_in_text_and_in_attributes) {
  using namespace suite::markup;
  const std::string name = "Si<2x1> & 'H\"";
  const std::string written = tag("text", {{"class", name}}, name).str();
  const std::string safe = "Si&lt;2x1&gt; &amp; &#39;H&quot;";
  BOOST_TEST(written == "<text class=\"" + safe + "\">" + safe + "</text>");
  BOOST_TEST(unescaped(safe) == name);
  BOOST_TEST(unescaped("&amp;lt;") == "&lt;");
  BOOST_TEST(Markup("a\xff\x01").str() == "a\xef\xbf\xbd\xef\xbf\xbd");
  BOOST_TEST(Markup::raw("<g/>").str() == "<g/>");
}

BOOST_AUTO_TEST_CASE(a_chart_has_its_roofs_and_dots) {
  const Peak peak{"fp64", 200e9, "", "made up"}, other{"fp32", 400e9, "", "made up"};
  Dot counted = dot(1e9, 1e8, 0.02, 100 * MiB);
  counted.label = "<counted>";
  counted.traffic = {{"L2", 4e8}, {"memory", 5e7}};
  const auto panel = roofline_panel("cpu", made_up(), {peak, other}, {dot(1e9, 1e9, 0.08, MiB), counted, dot(0, 1e9, 1, MiB)});
  const std::string svg = suite::plot::svg("title", {panel});
  for (const char* part : {"FMA 100 GFLOP/s", "no FMA 60.0 GFLOP/s", "L1 1.00 TB/s", "memory 25.0 GB/s", "fp64 data sheet 200 GFLOP/s",
                           "stroke-dasharray", "&lt;counted&gt;", "L2, by counters", "memory, by counters"})
    BOOST_TEST(has(svg, part), part);
  for (const char* part : {"fp32", "divide", "triad", "nan", "inf"}) BOOST_TEST(!has(svg, part), part);
}
