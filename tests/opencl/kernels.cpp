// SPDX-License-Identifier: BSD-3-Clause
// tests/plugins varies one knob at a time on the device at hand; here the knobs together as a GPU has them:
// work-items of one number, groups of many.
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "../common/recent.hpp"
#include "support.hpp"

namespace {

using Complex = std::complex<double>;

double distance(suite::Kernel& truth, suite::Kernel& tried, const char* name) {
  suite_array shape = truth.argument(name);
  if (shape.rank < 0) return 0;
  std::vector<Complex> a(static_cast<size_t>(suite::count_of(shape))), b(a.size());
  shape.place = SUITE_HOST;
  shape.data = a.data();
  truth.get(name, shape);
  shape.data = b.data();
  tried.get(name, shape);
  double largest = 0, worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i]));
    if (!(std::abs(a[i] - b[i]) <= worst)) worst = std::abs(a[i] - b[i]);
  }
  return worst == 0 ? 0 : worst / largest;
}

void agree(const suite::Device& device, const std::string& size, const std::string& variant, const std::string& precision,
           double tolerance) {
  suite::Kernel reference("gpp.sigma", "reference");
  suite::Kernel& tried = *suite::test::kept_a_while(std::make_shared<suite::Kernel>("gpp.sigma", "opencl", &device));
  tried.choose("variant", variant);
  tried.choose("precision", precision);
  tried.set_parameter("vector", 1);
  tried.set_parameter("local", 32);
  for (suite::Kernel* kernel : {&reference, &tried}) {
    kernel->generate(size, 5);
    kernel->run();
  }
  for (const char* name : {"asxtemp", "achtemp", "acht_n1", "achstemp"}) {
    const double d = distance(reference, tried, name);
    BOOST_TEST(d <= tolerance, size << " " << variant << " " << precision << ": " << name << " is off by " << d);
    if (precision == "mixed") BOOST_TEST_MESSAGE("mixed precision, " << size << ": " << name << " off by " << d);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernels_agree_in_the_shape_of_a_gpu)

BOOST_AUTO_TEST_CASE(best_over_the_test_sizes) {
  const suite::Device device("opencl");
  for (int i = 0; i <= 16; ++i) agree(device, "test:" + std::to_string(i), "best", "double", 1e-11);
}

BOOST_AUTO_TEST_CASE(many_energies_by_moments_of_the_poles) {
  const suite::Device device("opencl");
  for (const char* size :
       {"ntband=40,ngpown=19,ncouls=530,nw=20,nvband=15,infinite=0.2,zero=0.1,static=1",
        "ntband=50,ngpown=7,ncouls=41,nw=8,nex=2,nvband=33,infinite=0.3,sexcut=0.9,offdiagonal=1,padding=1",
        "ntband=35,ngpown=11,ncouls=90,nw=10,nex=2,nvband=12,uneven=1,soft=1,gamma=0.05,sexcut=0.7,flavour=real,band_resolved=1",
        "ntband=9,ngpown=3,ncouls=11,nw=7,nvband=9,partial=1,infinite=1,energies=1,at_energy=7,static=1,static_resolved=1"}) {
    suite::Kernel reference("gpp.sigma", "reference"), tried("gpp.sigma", "opencl", &device);
    tried.choose("energies", "interpolated");
    tried.set_parameter("vector", 1);
    tried.set_parameter("local", 32);
    for (suite::Kernel* kernel : {&reference, &tried}) {
      kernel->generate(size, 5);
      kernel->run();
    }
    for (const char* name : {"asxtemp", "achtemp", "acht_n1", "achstemp", "acht_n1_iw", "achst_n1"}) {
      const double d = distance(reference, tried, name);
      BOOST_TEST(d <= 1e-8, size << " energies=interpolated: " << name << " is off by " << d);
    }
  }
}

// Below seven energies the exact sums serve. From there on a call gives the same bits again, with lists of modes that it made or found.
BOOST_AUTO_TEST_CASE(moments_serve_from_seven_energies_on) {
  const suite::Device device("opencl");
  for (const int energies : {6, 7}) {
    suite::Kernel first("gpp.sigma", "opencl", &device), second("gpp.sigma", "opencl", &device);
    first.choose("energies", energies == 6 ? "exact" : "interpolated");
    second.choose("energies", "interpolated");
    for (suite::Kernel* kernel : {&first, &second}) {
      kernel->set_parameter("vector", 1);
      kernel->set_parameter("local", 32);
      kernel->generate("ntband=50,ngpown=7,ncouls=41,nvband=33,nw=" + std::to_string(energies), 5);
      kernel->run();
    }
    second.run();
    BOOST_TEST(distance(first, second, "achtemp") == 0);
    BOOST_TEST(distance(first, second, "asxtemp") == 0);
    // Other poles of the same shape: the lists are made again.
    suite::Kernel fresh("gpp.sigma", "opencl", &device);
    fresh.choose("energies", "interpolated");
    fresh.set_parameter("vector", 1);
    fresh.set_parameter("local", 32);
    for (suite::Kernel* kernel : {&fresh, &second}) {
      kernel->generate("ntband=50,ngpown=7,ncouls=41,nvband=33,nw=" + std::to_string(energies), 6);
      kernel->run();
    }
    BOOST_TEST(distance(fresh, second, "achtemp") == 0);
  }
}

BOOST_AUTO_TEST_CASE(steps) {
  const suite::Device device("opencl");
  for (int step = 1; step <= 9; ++step)
    for (const char* size : {"test:3", "test:8"}) agree(device, size, "v" + std::to_string(step), "double", 1e-11);
}

BOOST_AUTO_TEST_CASE(mixed_precision_keeps_what_it_states) {
  const suite::Device device("opencl");
  for (const char* size : {"test:3", "test:9", "test:15", "small,static=1", "small,flavour=real,nw=3,infinite=0.3"})
    agree(device, size, "best", "mixed", 1e-6);
}

// Several groups along the external bands and along the columns; tests/plugins has the processor's shape.
BOOST_AUTO_TEST_CASE(offdiag_over_the_test_sizes) {
  const suite::Device device("opencl");
  for (const int local : {48, 128})
    for (int i = 0; i <= 13; ++i) {
      suite::Kernel reference("gpp.sigma_offdiag", "reference");
      suite::Kernel& tried = *suite::test::kept_a_while(std::make_shared<suite::Kernel>("gpp.sigma_offdiag", "opencl", &device));
      tried.set_parameter("vector", i % 2 ? 1 : 4);
      tried.set_parameter("local", local);
      for (suite::Kernel* kernel : {&reference, &tried}) {
        kernel->generate("test:" + std::to_string(i), 5);
        kernel->run();
      }
      for (const char* name : {"asx", "ach"}) {
        const double d = distance(reference, tried, name);
        BOOST_TEST(d <= 1e-11, "gpp.sigma_offdiag test:" << i << " local " << local << ": " << name << " is off by " << d);
      }
    }
}

// One kernel object serves calls of changing shapes, the larger after the smaller and back.
BOOST_AUTO_TEST_CASE(arrays_that_stay_on_the_device) {
  const suite::Device device("opencl");
  suite::Kernel host("gpp.sigma", "opencl", &device), there("gpp.sigma", "opencl", &device);
  host.generate("test:2", 1);
  there.generate("test:2", 1);
  const suite_array shape = host.argument("vcoul");
  suite::Array<double> v(device, {shape.extent[0]});
  v.upload({static_cast<const double*>(shape.data), static_cast<size_t>(shape.extent[0])});
  there.set("vcoul", v.array());
  host.run();
  there.run();
  BOOST_TEST(distance(host, there, "achtemp") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
