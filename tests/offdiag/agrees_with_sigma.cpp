// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma_offdiag against gpp.sigma: element (n,m) is what gpp.sigma gives for that pair at the same
// energies.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>

#include "implementations.hpp"

namespace {

using Complex = std::complex<double>;

// An input as it was generated, on the host.
template <class T> std::vector<T> input(const suite::Kernel& kernel, const char* name) {
  const suite_array a = kernel.argument(name);
  std::vector<T> copy(static_cast<size_t>(suite::count_of(a)));
  std::memcpy(copy.data(), a.data, copy.size() * sizeof(T));
  return copy;
}

std::vector<Complex> result(const suite::Kernel& kernel, const char* name) {
  suite_array a = kernel.argument(name);
  std::vector<Complex> values(static_cast<size_t>(suite::count_of(a)));
  a.data = values.data();
  a.place = SUITE_HOST;
  kernel.get(name, a);
  return values;
}

struct Matrices {
  int64_t nex = 0, nw = 0;
  std::vector<Complex> asx, ach;  // (n,m,iw)
};

// gpp.sigma called with every pair (n,m) as a pair of external bands.
template <class T> Matrices pair_by_pair(suite::Kernel& offdiag) {
  const suite_array m = offdiag.argument("aqs"), wx = offdiag.argument("wx_array");
  const int64_t ncouls = m.extent[0], ntband = m.extent[1], nex = m.extent[2], nw = wx.extent[0], pairs = nex * nex, band = ncouls * ntband;
  const auto M = input<T>(offdiag, "aqs");
  const auto energies = input<double>(offdiag, "wx_array");
  std::vector<T> left, right;
  std::vector<double> wx_pairs;
  for (int64_t p = 0; p < pairs; ++p) {
    left.insert(left.end(), M.begin() + p % nex * band, M.begin() + (p % nex + 1) * band);
    right.insert(right.end(), M.begin() + p / nex * band, M.begin() + (p / nex + 1) * band);
    wx_pairs.insert(wx_pairs.end(), energies.begin(), energies.end());
  }
  suite::Kernel sigma("gpp.sigma", "reference");
  for (const char* same : {"wtilde_array", "I_eps_array", "vcoul", "indigp", "occ_array"}) sigma.set(same, offdiag.argument(same));
  sigma.set("aqsntemp", left.data(), {ncouls, ntband, pairs});
  sigma.set("aqsmtemp", right.data(), {ncouls, ntband, pairs});
  sigma.set("wx_array", wx_pairs.data(), {nw, ntband, pairs});
  std::vector<Complex> sx(nw * pairs), ch(nw * pairs);
  sigma.set("asxtemp", sx.data(), {nw, pairs});
  sigma.set("achtemp", ch.data(), {nw, pairs});
  sigma.run();
  Matrices matrices{nex, nw, std::vector<Complex>(sx.size()), std::vector<Complex>(ch.size())};
  for (int64_t p = 0; p < pairs; ++p)
    for (int64_t iw = 0; iw < nw; ++iw) {
      matrices.asx[iw * pairs + p] = sx[p * nw + iw];
      matrices.ach[iw * pairs + p] = ch[p * nw + iw];
    }
  return matrices;
}

double distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double largest = 0, worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    const double d = std::abs(a[i] - b[i]);
    if (!(d <= worst)) worst = d;
  }
  return worst / largest;
}

template <class T> void agree(const std::string& implementation, const std::string& size) {
  suite::Kernel offdiag("gpp.sigma_offdiag", implementation);
  offdiag.generate(size, 7);
  offdiag.run();
  const Matrices pairs = pair_by_pair<T>(offdiag);
  const double sx = distance(result(offdiag, "asx"), pairs.asx), ch = distance(result(offdiag, "ach"), pairs.ach);
  BOOST_CHECK_MESSAGE(sx <= 1e-11 && ch <= 1e-11, implementation << " at " << size << ": SX " << sx << ", CH " << ch);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_element_is_that_of_gpp_sigma) {
  for (const std::string& implementation : implementations()) {
    agree<Complex>(implementation, "ntband=9,ngpown=33,ncouls=37,nw=3,nex=5,nvband=4,infinite=0.3,zero=0.1,padding=1");
    agree<Complex>(implementation, "ntband=12,ngpown=19,ncouls=301,nw=2,nex=9,nvband=6,soft=1,partial=1");
    agree<Complex>(implementation, "ntband=7,ngpown=13,ncouls=29,nw=2,nex=3,nvband=5,soft=1,tilted=1");
    agree<double>(implementation, "ntband=9,ngpown=31,ncouls=45,nw=2,nex=6,nvband=3,flavour=real,infinite=0.2");
  }
}

// The model is not Hermitian in n and m: v stands at G' only.
BOOST_AUTO_TEST_CASE(the_matrix_is_not_hermitian) {
  for (const std::string& implementation : implementations()) {
    suite::Kernel offdiag("gpp.sigma_offdiag", implementation);
    offdiag.generate("ntband=9,ngpown=37,ncouls=37,nw=1,nex=4,nvband=4", 7);
    offdiag.run();
    const auto ch = result(offdiag, "ach");
    double difference = 0;
    for (int n = 0; n < 4; ++n)
      for (int m = 0; m < 4; ++m) difference = std::max(difference, std::abs(ch[n + 4 * m] - std::conj(ch[m + 4 * n])));
    BOOST_TEST(difference > 1e-3);
  }
}
