// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma_offdiag where it is hard, on every implementation that can run here, against the reference: what
// the generic test of all plugins (tests/plugins) does not come by.
#include <cmath>

#include "../common/numbers.hpp"
#include "implementations.hpp"

namespace {

using suite::test::relative_distance;

using Complex = std::complex<double>;

// One call with all its arrays on the host, complex flavour.
struct Call {
  int64_t ncouls = 0, ngpown = 0, ntband = 0, nw = 0, nex = 0;
  double gamma = 0.5, sexcut = 4;
  std::vector<Complex> wtilde, I, aqs;
  std::vector<double> vcoul, wx, occ;
  std::vector<int32_t> indigp;

  explicit Call(const std::string& more = "") {
    suite::Kernel kernel("gpp.sigma_offdiag", "reference");
    kernel.generate("ntband=9,ngpown=11,ncouls=90,nw=2,nex=5,nvband=3" + more, 7);
    const suite_array m = kernel.argument("aqs"), x = kernel.argument("wx_array");
    ncouls = m.extent[0];
    ntband = m.extent[1];
    nex = m.extent[2];
    nw = x.extent[0];
    copy(kernel, "wtilde_array", wtilde);
    copy(kernel, "I_eps_array", I);
    copy(kernel, "aqs", aqs);
    copy(kernel, "vcoul", vcoul);
    copy(kernel, "wx_array", wx);
    copy(kernel, "occ_array", occ);
    copy(kernel, "indigp", indigp);
    ngpown = std::ssize(indigp);
  }
  template <class T>
  static void copy(const suite::Kernel& kernel, const char* name, std::vector<T>& to) {
    const suite_array from = kernel.argument(name);
    const T* const data = static_cast<const T*>(from.data);
    to.assign(data, data + suite::count_of(from));
  }
};

struct Answer {
  std::vector<Complex> asx, ach;
};

Answer run(suite::Kernel& kernel, const Call& c) {
  const std::vector<Complex> nothing(static_cast<size_t>(c.nex * c.nex * c.nw), {-7, 7});
  Answer a{nothing, nothing};
  kernel.set("wtilde_array", c.wtilde.data(), {c.ncouls, c.ngpown});
  kernel.set("I_eps_array", c.I.data(), {c.ncouls, c.ngpown});
  kernel.set("vcoul", c.vcoul.data(), {c.ncouls});
  kernel.set("indigp", c.indigp.data(), {c.ngpown});
  kernel.set("aqs", c.aqs.data(), {c.ncouls, c.ntband, c.nex});
  kernel.set("wx_array", c.wx.data(), {c.nw, c.ntband});
  kernel.set("occ_array", c.occ.data(), {c.ntband});
  kernel.set("gamma", c.gamma);
  kernel.set("sexcut", c.sexcut);
  kernel.set("asx", a.asx.data(), {c.nex, c.nex, c.nw});
  kernel.set("ach", a.ach.data(), {c.nex, c.nex, c.nw});
  kernel.run();
  kernel.get("asx", a.asx.data(), {c.nex, c.nex, c.nw});
  kernel.get("ach", a.ach.data(), {c.nex, c.nex, c.nw});
  return a;
}

// Rounding: sums of 1e4 terms of mixed sign agree to some 1e-14; cpu's reciprocals leave 2e-13.
constexpr double rounding = 1e-12;

void check(suite::Kernel& kernel, const Call& c, const std::string& what) {
  suite::Kernel reference("gpp.sigma_offdiag", "reference");
  const Answer truth = run(reference, c), answer = run(kernel, c);
  const double sx = relative_distance(answer.asx, truth.asx), ch = relative_distance(answer.ach, truth.ach);
  BOOST_CHECK_MESSAGE(sx <= rounding && ch <= rounding, kernel.table().implementation << ", " << what
                                                                                      << ": SX off by " << sx
                                                                                      << ", CH by " << ch);
}

template <class F>
void for_each_kernel(F&& f) {
  for (const std::string& name : implementations()) {
    if (name == "reference") continue;
    suite::Kernel kernel("gpp.sigma_offdiag", name);
    f(kernel);
  }
}

bool has_parameter(const suite::Kernel& kernel, const std::string& name) {
  for (uint32_t i = 0; i < kernel.table().parameter_count; ++i)
    if (name == kernel.table().parameters[i].name) return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hard_cases)

// Portions of a few energies, columns and n' must add up to the whole.
BOOST_AUTO_TEST_CASE(little_memory_gives_the_same_sums) {
  for_each_kernel([](suite::Kernel& kernel) {
    if (!has_parameter(kernel, "scratch")) return;
    for (const char* more :
         {"", ",ngpown=150,ncouls=151,nw=5,ntband=5", ",nex=40,infinite=0.3,zero=0.1,padding=1"})
      for (const int64_t kibibytes : {1, 100, 300, 1000}) {
        kernel.set_parameter("scratch", kibibytes);
        check(kernel, Call(more), std::to_string(kibibytes) + " KiB" + more);
      }
  });
}

// Kernels keep buffers that grow; a smaller call in between must not see what is left in them.
BOOST_AUTO_TEST_CASE(calls_of_different_sizes_do_not_disturb_each_other) {
  for_each_kernel([](suite::Kernel& kernel) {
    const Call large(",nex=19,ngpown=70"), small, many(",nw=9,nex=2,ntband=20");
    check(kernel, large, "large");
    check(kernel, small, "small after large");
    check(kernel, many, "many energies");
    check(kernel, large, "large again");
  });
}

// More bands n' than any implementation takes at a time.
BOOST_AUTO_TEST_CASE(many_bands) {
  for_each_kernel([](suite::Kernel& kernel) {
    check(kernel, Call(",ntband=150,ncouls=20,nvband=70,nex=2"), "150 bands");
  });
}

// Past a portion of energies the first portion's sums must stay.
BOOST_AUTO_TEST_CASE(many_energies) {
  for_each_kernel([](suite::Kernel& kernel) {
    const Call c(",nw=300,ntband=2,nvband=1,ncouls=12,nex=1,ngpown=3");
    if (has_parameter(kernel, "scratch")) kernel.set_parameter("scratch", 64);
    check(kernel, c, "300 energies");
  });
}

BOOST_AUTO_TEST_CASE(energies_far_away_and_on_a_pole) {
  for_each_kernel([](suite::Kernel& kernel) {
    for (const double far : {1e5, -1e5, 1e9, -1e9, 1e12, -1e12, 1e100, -1e100}) {
      Call c(",infinite=0.2,zero=0.2");
      c.wx[2 * c.nw] = c.wx[5 * c.nw + 1] = far;
      check(kernel, c, "x = " + std::to_string(far));
    }
    Call c;
    for (int64_t n1 = 0; n1 < c.ntband; ++n1)
      c.wx[n1 * c.nw + 1] = c.wtilde[7 * n1].real() * (n1 % 2 ? 1 : -1);
    c.wx[5] = 0;
    c.wx[4] = 1e-13;
    check(kernel, c, "x = w, x = -w, x = 0");
    c.gamma = 0;
    check(kernel, c, "the same, gamma = 0");
    c.gamma = 3;
    c.sexcut = 0.2;
    check(kernel, c, "the same, gamma = 3, sexcut = 0.2");
  });
}

BOOST_AUTO_TEST_CASE(bands_all_occupied_or_all_empty) {
  for_each_kernel([](suite::Kernel& kernel) {
    for (const double f : {0.0, 0.5, 1.0}) {
      Call c;
      std::fill(c.occ.begin(), c.occ.end(), f);
      check(kernel, c, "f = " + std::to_string(f));
      if (f > 0) continue;
      for (const Complex z : run(kernel, c).asx) BOOST_CHECK_EQUAL(z, Complex(0));
    }
  });
}

// One number of w decides about the form that all take; small ones fall into branch C.
BOOST_AUTO_TEST_CASE(any_w) {
  for_each_kernel([](suite::Kernel& kernel) {
    for (const Complex w : {Complex(1e-9, 0), Complex(1e-60, 0), Complex(-3, 0), Complex(0, 4),
                            Complex(5, -2), Complex(2e12, 0), Complex(0, 1e-13)}) {
      Call c;
      c.wtilde[200] = w;
      c.wx[3] = 1e-3;
      check(kernel, c, "w = (" + std::to_string(w.real()) + "," + std::to_string(w.imag()) + ")");
      std::fill(c.wtilde.begin(), c.wtilde.end(), w);
      check(kernel, c, "all w = (" + std::to_string(w.real()) + "," + std::to_string(w.imag()) + ")");
    }
  });
}

BOOST_AUTO_TEST_CASE(no_column_counts) {
  for_each_kernel([](suite::Kernel& kernel) {
    Call c;
    std::fill(c.indigp.begin(), c.indigp.end(), 0);
    const Answer a = run(kernel, c);
    for (const auto* sums : {&a.asx, &a.ach})
      for (const Complex z : *sums) BOOST_CHECK_EQUAL(z, Complex(0));
  });
}

BOOST_AUTO_TEST_CASE(a_negative_column_is_refused) {
  for_each_kernel([](suite::Kernel& kernel) {
    Call c;
    c.indigp[3] = -1;
    BOOST_CHECK_EXCEPTION(run(kernel, c), suite::Failure, [](const suite::Failure& failure) {
      return failure.status() == SUITE_INVALID_ARGUMENT &&
             std::string(failure.what()).find("indigp(4) is -1; it must not be negative") != std::string::npos;
    });
  });
}

BOOST_AUTO_TEST_CASE(arrays_on_the_device) {
  for (const std::string& name : implementations()) {
    if (name == "reference") continue;
    const Call c;
    const suite::Device device(name == "cpu" ? "cpu" : name);
    suite::Kernel kernel("gpp.sigma_offdiag", name, &device), reference("gpp.sigma_offdiag", "reference");
    const Answer truth = run(reference, c);
    const Answer bound = run(kernel, c);  // the call keeps its addresses
    suite::Array<Complex> there(device, {c.ncouls, c.ntband, c.nex}), w(device, {c.ncouls, c.ngpown});
    there.upload(c.aqs);
    w.upload(c.wtilde);
    kernel.set("aqs", there.array());
    kernel.set("wtilde_array", w.array());
    kernel.run();
    std::vector<Complex> ach(truth.ach.size());
    kernel.get("ach", ach.data(), {c.nex, c.nex, c.nw});
    BOOST_TEST(relative_distance(ach, truth.ach) <= rounding, name);
    BOOST_TEST(relative_distance(bound.ach, truth.ach) <= rounding, name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
