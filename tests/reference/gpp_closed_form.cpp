// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numeric>

#include "variants.hpp"

namespace {

using Complex = std::complex<double>;

// All arrays one constant a, v = 1, as the public mini-apps fill them. Every term is then the same:
//   ach(x) = 1/2 nb ngpown ncouls |a|^2 a a/(x - a),   asx(x) = -nv ngpown ncouls |a|^2 a a^2/(x^2 - a^2).
void constant_arrays(suite::Kernel& kernel, const std::string& name, Complex a) {
  const int64_t nb = 64, nv = 2, ncouls = 257, ngpown = 19, nw = 3;
  const std::vector<Complex> pairs(ncouls * ngpown, a), m(ncouls * nb, a);
  const std::vector<double> v(ncouls, 1.0);
  std::vector<int32_t> columns(ngpown);
  std::iota(columns.begin(), columns.end(), 1);
  std::vector<double> wx, occupation(nb, 0.0);
  for (int64_t n1 = 0; n1 < nb; ++n1) wx.insert(wx.end(), {3.0, 4.0, 5.0});
  for (int64_t n1 = 0; n1 < nv; ++n1) occupation[n1] = 1;
  std::vector<Complex> asx(nw), ach(nw), achs(1), ach_n1(nw * nb), ach_n1_iw(nb), achs_n1(nb);
  const int32_t iw_n1 = 2;
  kernel.forget();
  kernel.set("wtilde_array", pairs.data(), {ncouls, ngpown});
  kernel.set("I_eps_array", pairs.data(), {ncouls, ngpown});
  kernel.set("vcoul", v.data(), {ncouls});
  kernel.set("indigp", columns.data(), {ngpown});
  kernel.set("aqsntemp", m.data(), {ncouls, nb, 1});
  kernel.set("aqsmtemp", m.data(), {ncouls, nb, 1});
  kernel.set("wx_array", wx.data(), {nw, nb, 1});
  kernel.set("occ_array", occupation.data(), {nb});
  kernel.set("asxtemp", asx.data(), {nw, 1});
  kernel.set("achtemp", ach.data(), {nw, 1});
  kernel.set("acht_n1", ach_n1.data(), {nw, nb, 1});
  kernel.set("achstemp", achs.data(), {1});
  kernel.set("acht_n1_iw", ach_n1_iw.data(), {nb, 1});
  kernel.set("achst_n1", achs_n1.data(), {nb, 1});
  kernel.set("iw_n1", iw_n1);
  kernel.run();
  kernel.get("asxtemp", asx.data(), {nw, 1});
  kernel.get("achtemp", ach.data(), {nw, 1});
  kernel.get("acht_n1", ach_n1.data(), {nw, nb, 1});
  kernel.get("achstemp", achs.data(), {1});
  const double terms = static_cast<double>(ncouls * ngpown);
  const auto close = [&](Complex x, Complex exact, const char* what) {
    BOOST_CHECK_MESSAGE(std::abs(x - exact) <= 1e-13 * std::abs(exact), name << ": " << what << " is " << x << ", exactly " << exact);
  };
  for (int iw = 0; iw < nw; ++iw) {
    const double x = 3.0 + iw;
    const Complex ch = 0.5 * terms * std::norm(a) * a * a / (x - a);
    close(ach[iw], static_cast<double>(nb) * ch, "achtemp");
    close(ach_n1[iw + nw * (nb - 1)], ch, "acht_n1 of the last band");
    close(asx[iw], -static_cast<double>(nv) * terms * std::norm(a) * a * a * a / (x * x - a * a), "asxtemp");
  }
  close(achs[0], -0.5 * static_cast<double>(nb) * terms * std::norm(a) * a, "achstemp");
  for (const int64_t n1 : {int64_t{0}, nb - 1}) {
    close(ach_n1_iw[n1], 0.5 * terms * std::norm(a) * a * a / (4.0 - a), "acht_n1_iw");
    close(achs_n1[n1], -0.5 * terms * std::norm(a) * a, "achst_n1");
  }
  // With E and E_n' instead of their differences, and a column beyond the sphere, which is skipped.
  const std::vector<double> energies{3.5, 4.5, 5.5}, ekq(nb, 0.5);
  const std::vector<Complex> before = ach;
  columns[7] = ncouls + 3;
  kernel.set("indigp", columns.data(), {ngpown});
  kernel.set("energies", energies.data(), {nw, 1});
  kernel.set("ekq", ekq.data(), {nb});
  BOOST_CHECK_EXCEPTION(kernel.run(), suite::Failure, [](const suite::Failure& failure) {
    return std::string(failure.what()).find("wx_array is set, and so are energies or ekq") != std::string::npos;
  });
  kernel.set("wx_array", suite_array{});
  kernel.run();
  kernel.get("achtemp", ach.data(), {nw, 1});
  for (int iw = 0; iw < nw; ++iw) close(ach[iw], before[iw] * (static_cast<double>(ngpown - 1) / ngpown), "achtemp without a column");
  // Where there is no band, or no column, the sums are zero.
  std::fill(ach.begin(), ach.end(), Complex(7));
  kernel.set("aqsntemp", m.data(), {ncouls, 0, 1});
  kernel.set("aqsmtemp", m.data(), {ncouls, 0, 1});
  kernel.set("occ_array", occupation.data(), {0});
  kernel.set("ekq", ekq.data(), {0});
  kernel.set("acht_n1", ach_n1.data(), {nw, 0, 1});
  kernel.set("acht_n1_iw", ach_n1_iw.data(), {0, 1});
  kernel.set("achst_n1", achs_n1.data(), {0, 1});
  kernel.run();
  kernel.get("achtemp", ach.data(), {nw, 1});
  BOOST_TEST((ach == std::vector<Complex>(nw)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(constant_arrays_with_complex_w_give_the_closed_form) {
  for_each_implementation([](suite::Kernel& kernel, const std::string& name) { constant_arrays(kernel, name, {0.5, 0.5}); });
}

BOOST_AUTO_TEST_CASE(constant_arrays_with_real_w_give_the_closed_form) {
  for_each_implementation([](suite::Kernel& kernel, const std::string& name) { constant_arrays(kernel, name, 0.5); });
}
