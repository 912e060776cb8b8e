// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma of the GPU source, on `emulated`: what the generic test of all plugins (tests/plugins) does not
// come by. Every case is compared with the reference.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>

#include <suite/suite.hpp>

#include "../common/numbers.hpp"

namespace {

using suite::test::relative_distance;

using Complex = std::complex<double>;

// One call with all its arrays on the host, complex flavour.
struct Call {
  int64_t ncouls = 150, ngpown = 11, ntband = 70, nw = 3, nex = 1;
  double gamma = 0.5, sexcut = 4;
  std::vector<Complex> wtilde, I, aqsn, aqsm;
  std::vector<double> vcoul, wx, occ;
  std::vector<int32_t> indigp;

  explicit Call(const std::string& more = "") {
    suite::Kernel kernel("gpp.sigma", "reference");
    kernel.generate("ntband=70,ngpown=11,ncouls=150,nw=3,nvband=7,offdiagonal=1" + more, 7);
    nex = kernel.argument("wx_array").extent[2];
    nw = kernel.argument("wx_array").extent[0];
    copy(kernel, "wtilde_array", wtilde);
    copy(kernel, "I_eps_array", I);
    copy(kernel, "aqsntemp", aqsn);
    copy(kernel, "aqsmtemp", aqsm);
    copy(kernel, "vcoul", vcoul);
    copy(kernel, "wx_array", wx);
    copy(kernel, "occ_array", occ);
    copy(kernel, "indigp", indigp);
  }
  template <class T> static void copy(const suite::Kernel& kernel, const char* name, std::vector<T>& to) {
    const suite_array from = kernel.argument(name);
    const T* const data = static_cast<const T*>(from.data);
    to.assign(data, data + suite::count_of(from));
  }
};

struct Answer {
  std::vector<Complex> asx, ach, ach_n1, achs;
};

Answer run(suite::Kernel& kernel, const Call& c) {
  const auto count = [](int64_t n) { return std::vector<Complex>(static_cast<size_t>(n), {-7, 7}); };
  Answer a{count(c.nw * c.nex), count(c.nw * c.nex), count(c.nw * c.ntband * c.nex), count(c.nex)};
  kernel.set("wtilde_array", c.wtilde.data(), {c.ncouls, c.ngpown});
  kernel.set("I_eps_array", c.I.data(), {c.ncouls, c.ngpown});
  kernel.set("vcoul", c.vcoul.data(), {c.ncouls});
  kernel.set("indigp", c.indigp.data(), {c.ngpown});
  kernel.set("aqsntemp", c.aqsn.data(), {c.ncouls, c.ntband, c.nex});
  kernel.set("aqsmtemp", c.aqsm.data(), {c.ncouls, c.ntband, c.nex});
  kernel.set("wx_array", c.wx.data(), {c.nw, c.ntband, c.nex});
  kernel.set("occ_array", c.occ.data(), {c.ntband});
  kernel.set("gamma", c.gamma);
  kernel.set("sexcut", c.sexcut);
  kernel.set("asxtemp", a.asx.data(), {c.nw, c.nex});
  kernel.set("achtemp", a.ach.data(), {c.nw, c.nex});
  kernel.set("acht_n1", a.ach_n1.data(), {c.nw, c.ntband, c.nex});
  kernel.set("achstemp", a.achs.data(), {c.nex});
  kernel.run();
  kernel.get("asxtemp", a.asx.data(), {c.nw, c.nex});
  kernel.get("achtemp", a.ach.data(), {c.nw, c.nex});
  kernel.get("acht_n1", a.ach_n1.data(), {c.nw, c.ntband, c.nex});
  kernel.get("achstemp", a.achs.data(), {c.nex});
  return a;
}

Answer reference(const Call& c) {
  suite::Kernel kernel("gpp.sigma", "reference");
  return run(kernel, c);
}

// Rounding: sums of 1e5 terms of mixed sign agree to some 1e-14.
constexpr double rounding = 1e-12;

void check(suite::Kernel& kernel, const Call& c, const std::string& what, double tolerance = rounding, double of_sx = rounding) {
  const Answer truth = reference(c), answer = run(kernel, c);
  const auto compare = [&](const char* name, const std::vector<Complex>& x, const std::vector<Complex>& y, double allowed) {
    const double d = relative_distance(x, y);
    BOOST_CHECK_MESSAGE(d <= allowed, what << ": " << name << " is off by " << d << " > " << allowed);
  };
  compare("asxtemp", answer.asx, truth.asx, of_sx);
  compare("achtemp", answer.ach, truth.ach, tolerance);
  compare("acht_n1", answer.ach_n1, truth.ach_n1, rounding);
  compare("achstemp", answer.achs, truth.achs, rounding);
}

void check_all(const Call& c, const std::string& what) {
  for (const char* precision : {"double", "mixed"}) {
    suite::Kernel kernel("gpp.sigma", "emulated");
    kernel.choose("precision", precision);
    check(kernel, c, what + ", " + precision, *precision == 'm' ? 1e-5 : rounding);
  }
}

}  // namespace

// Portions of one group of columns and one external band must add up to the whole.
BOOST_AUTO_TEST_CASE(little_memory_gives_the_same_sums) {
  for (const char* more : {"", ",nex=5", ",nex=3,nw=7,infinite=0.3,zero=0.1"}) {
    const Call c(more);
    for (const int64_t kibibytes : {1, 40, 200})
      for (const char* precision : {"double", "mixed"}) {
        suite::Kernel kernel("gpp.sigma", "emulated");
        kernel.set_parameter("scratch", kibibytes);
        kernel.choose("precision", precision);
        check(kernel, c, std::to_string(kibibytes) + " KiB, " + precision + more, *precision == 'm' ? 1e-5 : rounding);
      }
  }
}

// Kernels keep buffers that grow; a smaller call in between must not see what is left in them.
BOOST_AUTO_TEST_CASE(calls_of_different_sizes_do_not_disturb_each_other) {
  suite::Kernel kernel("gpp.sigma", "emulated");
  const Call large(",nex=3"), small;
  check(kernel, large, "large");
  check(kernel, small, "small after large");
  check(kernel, large, "large after small");
}

// Tiles of rows x columns without any pole are left out; those of infinite ones take a form of their own.
BOOST_AUTO_TEST_CASE(whole_tiles_of_zero_and_of_infinite_modes) {
  Call c;
  for (int64_t igp = 0; igp < 8; ++igp)
    for (int64_t ig = 32; ig < 128; ++ig) c.wtilde[igp * c.ncouls + ig] = ig < 64 ? 0.0 : ig < 96 ? 1e12 : ig % 3 ? 1e12 : 0.0;
  check_all(c, "tiles");
  c.sexcut = 0.5;  // an infinite mode has |ssx/I| = 1
  check_all(c, "tiles, sexcut 0.5");
  std::fill(c.wtilde.begin(), c.wtilde.end(), 1e12);
  check_all(c, "all infinite");
  std::fill(c.wtilde.begin(), c.wtilde.end(), 0);
  const Answer truth = reference(c);
  for (const Complex z : truth.ach) BOOST_CHECK_EQUAL(z, Complex(0));
  check_all(c, "all zero");
}

BOOST_AUTO_TEST_CASE(energies_far_away_and_on_a_pole) {
  for (const double far : {1e5, -1e5, 1e9, -1e9, 1e12, -1e12, 1e150, -1e150}) {
    Call c(",infinite=0.2,zero=0.2");
    for (int64_t iw = 0; iw < c.nw; ++iw) c.wx[20 * c.nw + iw] = far;
    check_all(c, "x = " + std::to_string(far));
  }
  Call c;
  for (int64_t n1 = 0; n1 < c.ntband; n1 += 3) c.wx[n1 * c.nw + 1] = c.wtilde[n1].real() * (n1 % 2 ? 1 : -1);
  c.wx[5] = 0;
  check_all(c, "x = w, x = -w, x = 0");
  c.gamma = 0;
  check_all(c, "the same, gamma = 0");
}

// Three energies that are not evenly spaced, or so far apart that the even form would lose digits.
BOOST_AUTO_TEST_CASE(any_spacing_of_the_energies) {
  Call c(",nw=5");
  for (int64_t n1 = 0; n1 < c.ntband; ++n1) c.wx[n1 * c.nw + 2] += 0.3;
  check_all(c, "uneven");
  Call wide(",nw=3");
  for (int64_t n1 = 0; n1 < wide.ntband; ++n1) {
    wide.wx[n1 * wide.nw] -= 30;
    wide.wx[n1 * wide.nw + 2] += 30;
  }
  check_all(wide, "wide");
  Call equal(",nw=3");
  for (int64_t n1 = 0; n1 < equal.ntband; ++n1) equal.wx[n1 * 3] = equal.wx[n1 * 3 + 1] = equal.wx[n1 * 3 + 2];
  check_all(equal, "three times the same energy");
}

BOOST_AUTO_TEST_CASE(bands_all_occupied_or_all_empty) {
  for (const double f : {0.0, 0.5, 1.0}) {
    Call c;
    std::fill(c.occ.begin(), c.occ.end(), f);
    check_all(c, "f = " + std::to_string(f));
  }
}

// Occupied bands by energies far below every pole, among the poles, above them, and below zero; full and partial occupation.
BOOST_AUTO_TEST_CASE(occupied_bands_far_from_and_near_the_poles) {
  for (const char* more : {",nw=1", ",nw=2", ",nw=3", ",nw=5", ",nw=2,nex=3,infinite=0.3,zero=0.1", ",nw=2,soft=1"}) {
    Call c(more);
    for (int64_t n1 = 0; n1 < 60; ++n1) c.occ[n1] = n1 % 11 == 3 ? 0.3 : 1;
    const auto shift = [&](double first, double step) {
      Call shifted = c;
      for (int64_t e = 0; e < c.nex; ++e)
        for (int64_t n1 = 0; n1 < 60; ++n1)
          for (int64_t iw = 0; iw < c.nw; ++iw)
            shifted.wx[(e * c.ntband + n1) * c.nw + iw] = first + step * static_cast<double>(n1) + 0.7 * static_cast<double>(iw);
      return shifted;
    };
    for (const auto& [first, step] : {std::pair{-4.5, 0.15}, {-30.0, 1.5}, {3.0, 0.9}, {70.0, 3.0}, {-2.0, 1e3}}) {
      Call shifted = shift(first, step);
      check_all(shifted, "from " + std::to_string(first) + more);
      shifted.sexcut = 0.9;
      check_all(shifted, "from " + std::to_string(first) + ", sexcut 0.9" + more);
      shifted.sexcut = 1.1;
      shifted.gamma = 3;
      for (int64_t n1 = 0; n1 < c.ntband; ++n1) shifted.wx[n1 * c.nw] -= 0.1;  // no longer even
      check_all(shifted, "from " + std::to_string(first) + ", uneven" + more);
    }
  }
}

// On a pole of another sign, x = -w, and at the edge of sexcut.
BOOST_AUTO_TEST_CASE(occupied_bands_at_the_cutoff) {
  Call c(",nw=2");
  std::fill(c.occ.begin(), c.occ.end(), 1);
  for (int64_t n1 = 0; n1 < c.ntband; ++n1) {
    const double w = c.wtilde[n1].real(), x = n1 % 3 == 0 ? -w : -w * std::sqrt(0.75) * (n1 % 3 == 1 ? 1 - 1e-9 : 1 + 1e-9);
    c.wx[2 * n1] = x;
    c.wx[2 * n1 + 1] = x + 1;
  }
  check_all(c, "sexcut 4");
}

// energies=interpolated: every bin of w is either far from a band at an energy, or summed over exactly.
BOOST_AUTO_TEST_CASE(many_energies_by_moments_of_the_poles) {
  constexpr double promised = 1e-8;
  const auto interpolated = [](const Call& c, const std::string& what) {
    suite::Kernel kernel("gpp.sigma", "emulated");
    kernel.choose("energies", "interpolated");
    check(kernel, c, what, promised, promised);
  };
  for (const char* more : {",nw=7", ",nw=20,nex=2,infinite=0.3,zero=0.1", ",nw=9,soft=1"}) {
    Call c(more);
    for (int64_t n1 = 0; n1 < 40; ++n1) c.occ[n1] = n1 % 11 == 3 ? 0.3 : 1;
    interpolated(c, more);
    c.sexcut = 0.9;
    interpolated(c, std::string("sexcut 0.9") + more);
    c.gamma = 0;
    for (int64_t n1 = 0; n1 < c.ntband; n1 += 3) c.wx[n1 * c.nw + 1] = c.wtilde[n1].real() * (n1 % 2 ? 1 : -1);
    c.wx[5] = 0;
    interpolated(c, std::string("x = w, x = -w, x = 0") + more);
    for (int64_t iw = 0; iw < c.nw; ++iw) c.wx[20 * c.nw + iw] = (iw % 2 ? 1e12 : -1e150);
    interpolated(c, std::string("far away") + more);
    std::fill(c.wtilde.begin(), c.wtilde.end(), 20.0);
    interpolated(c, std::string("one w") + more);
    std::fill(c.wtilde.begin(), c.wtilde.end(), 1e12);
    interpolated(c, std::string("all infinite") + more);
  }
  Call none(",nw=7");
  suite::Kernel kernel("gpp.sigma", "emulated");
  kernel.choose("energies", "interpolated");
  std::fill(none.wtilde.begin(), none.wtilde.end(), 0);
  for (const Complex z : run(kernel, none).ach) BOOST_CHECK_EQUAL(z, Complex(0));
  none = Call(",nw=7");
  std::fill(none.indigp.begin(), none.indigp.end(), 0);
  for (const Complex z : run(kernel, none).asx) BOOST_CHECK_EQUAL(z, Complex(0));
}

// From seven energies on, and the same bits again.
BOOST_AUTO_TEST_CASE(moments_serve_from_seven_energies_on) {
  for (const char* more : {",nw=6", ",nw=7"}) {
    const Call c(more);
    suite::Kernel exact("gpp.sigma", "emulated"), interpolated("gpp.sigma", "emulated");
    interpolated.choose("energies", "interpolated");
    const Answer a = run(exact, c), b = run(interpolated, c), again = run(interpolated, c);
    BOOST_CHECK_EQUAL(a.ach == b.ach, c.nw == 6);
    BOOST_CHECK(b.ach == again.ach && b.asx == again.asx);
  }
}

BOOST_AUTO_TEST_CASE(no_column_counts) {
  for (const char* variant : {"best", "v1", "v5", "v9"}) {
    Call c;
    std::fill(c.indigp.begin(), c.indigp.end(), 0);
    suite::Kernel kernel("gpp.sigma", "emulated");
    kernel.choose("variant", variant);
    const Answer a = run(kernel, c);
    for (const auto* sums : {&a.asx, &a.ach, &a.ach_n1, &a.achs})
      for (const Complex z : *sums) BOOST_CHECK_EQUAL(z, Complex(0));
  }
}

// The small w of branch C and a negative one are not for the real form; both go the general way by
// themselves.
BOOST_AUTO_TEST_CASE(poles_that_the_fast_form_cannot_have) {
  for (const Complex w : {Complex(1e-9, 0), Complex(-3, 0), Complex(0, 4), Complex(5, -2)}) {
    Call c;
    c.wtilde[200] = w;
    check_all(c, "w = (" + std::to_string(w.real()) + "," + std::to_string(w.imag()) + ")");
  }
}

BOOST_AUTO_TEST_CASE(a_negative_column_is_refused) {
  Call c;
  c.indigp[3] = -1;
  suite::Kernel kernel("gpp.sigma", "emulated");
  BOOST_CHECK_EXCEPTION(run(kernel, c), suite::Failure, [](const suite::Failure& failure) {
    return failure.status() == SUITE_INVALID_ARGUMENT &&
           std::string(failure.what()).find("indigp(4) is -1; it must not be negative") != std::string::npos;
  });
}

// Arrays that live on the device are used where they are; one that no 16-byte load can read is refused by
// name.
BOOST_AUTO_TEST_CASE(arrays_on_the_device) {
  const Call c;
  const suite::Device device("emulated");
  suite::Kernel kernel("gpp.sigma", "emulated", &device);
  const Answer truth = reference(c);
  const Answer kept = run(kernel, c);  // a later run writes into these arrays
  suite::Array<Complex> there(device, {c.ncouls * c.ntband * c.nex + 1});
  std::vector<Complex> values(c.aqsn);
  values.emplace_back(0);
  there.upload(values);
  suite_array aqsn = there.array();
  aqsn.rank = 3;
  aqsn.extent[0] = c.ncouls;
  aqsn.extent[1] = c.ntband;
  aqsn.extent[2] = c.nex;
  kernel.set("aqsntemp", aqsn);
  kernel.run();
  std::vector<Complex> ach(truth.ach.size());
  kernel.get("achtemp", ach.data(), {c.nw, c.nex});
  BOOST_CHECK(relative_distance(ach, truth.ach) <= rounding);
  BOOST_CHECK(kept.ach == ach);

  aqsn.data = static_cast<char*>(aqsn.data) + sizeof(double);
  BOOST_CHECK_EXCEPTION(
      {
        kernel.set("aqsntemp", aqsn);
        kernel.run();
      },
      suite::Failure,
      [](const suite::Failure& failure) {
        return std::string(failure.what()).find("aqsntemp lies at an address that is not a multiple of 16 bytes") != std::string::npos;
      });
}

// On the search path they are not: an emulated device has no ceiling that would mean anything.
BOOST_AUTO_TEST_CASE(ceilings_compute_what_they_say) {
  BOOST_CHECK_THROW(suite::Kernel("ceilings.fma", "emulated"), suite::Failure);
  suite::Kernel fma("ceilings.fma", CEILINGS_FILE);
  fma.generate("n=10000000", 1);
  fma.run();
  double mean = 0;
  fma.get("result", &mean, {1});
  BOOST_CHECK_SMALL(mean - 1, 1e-12);
  fma.generate("n=10000000,precision=single", 1);
  fma.run();
  float single = 0;
  fma.get("result", &single, {1});
  BOOST_CHECK_SMALL(single - 1, 1e-6f);
  for (const auto& [name, expected] : {std::pair{"ceilings.nofma", 1.0}, {"ceilings.divide", 3.0}, {"ceilings.reciprocal", 1.0}}) {
    suite::Kernel kernel(name, CEILINGS_FILE);
    kernel.generate("n=10000000", 1);
    kernel.run();
    kernel.get("result", &mean, {1});
    BOOST_CHECK_SMALL(mean - expected, 1e-12);
    kernel.generate("n=10000000,precision=single", 1);
    kernel.run();
    kernel.get("result", &single, {1});
    BOOST_CHECK_SMALL(single - static_cast<float>(expected), 1e-5f);
  }
  suite::Kernel matrix("ceilings.matrix", CEILINGS_FILE);
  matrix.generate("n=10000000", 1);
  matrix.run();
  matrix.get("result", &mean, {1});
  BOOST_CHECK_SMALL(mean - 1, 1e-12);
  BOOST_CHECK_EQUAL(matrix.cost().flops, 2e7);
  BOOST_CHECK_THROW(matrix.generate("n=10000000,precision=single", 1), suite::Failure);
  for (const int64_t n : {1, 9, 5000, 100003})
    for (const int64_t repeats : {1, 3}) {
      suite::Kernel read("ceilings.read", CEILINGS_FILE);
      std::vector<double> x(static_cast<size_t>(n));
      double expected = 0, sum = 0;
      for (size_t i = 0; i < x.size(); ++i) expected += x[i] = static_cast<double>(i % 13) - 3;
      read.set("x", x.data(), {n});
      read.set("repeats", repeats);
      read.set("sum", &sum, {1});
      read.run();
      read.get("sum", &sum, {1});
      BOOST_CHECK_EQUAL(sum, expected * static_cast<double>(repeats));
    }
  for (const int64_t n : {1, 255, 1023, 1024, 1025, 5000}) {
    suite::Kernel triad("ceilings.triad", CEILINGS_FILE);
    std::vector<double> b(static_cast<size_t>(n)), c(b), a(b);
    for (size_t i = 0; i < b.size(); ++i) {
      b[i] = 0.5 + static_cast<double>(i);
      c[i] = 3 - static_cast<double>(i % 11);
    }
    triad.set("b", b.data(), {n});
    triad.set("c", c.data(), {n});
    triad.set("s", 2.0);
    triad.set("a", a.data(), {n});
    triad.run();
    triad.get("a", a.data(), {n});
    for (size_t i = 0; i < b.size(); ++i) BOOST_REQUIRE_EQUAL(a[i], b[i] + 2 * c[i]);
  }
}
