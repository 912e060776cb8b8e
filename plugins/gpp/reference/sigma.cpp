// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma, the executable specification: the formulas of ../gpp.hpp term by term, in plain loops.
#include <vector>

#include "terms.hpp"

namespace suite::gpp {
namespace {

template <class T>
void sums(const suite_array* arguments) {
  const View<const Complex, 2> wtilde(arguments[Sigma::wtilde_array]);
  const View<const T, 2> I(arguments[Sigma::I_eps_array]);
  const View<const double, 1> vcoul(arguments[Sigma::vcoul]);
  const View<const int32_t, 1> indigp(arguments[Sigma::indigp]);
  const View<const T, 3> aqsn(arguments[Sigma::aqsntemp]), aqsm(arguments[Sigma::aqsmtemp]);
  const View<const double, 3> wx(arguments[Sigma::wx_array]);
  const View<const double, 1> occ(arguments[Sigma::occ_array]);
  const View<Complex, 2> asx(arguments[Sigma::asxtemp]), ach(arguments[Sigma::achtemp]);
  const View<Complex, 3> ach_n1(arguments[Sigma::acht_n1]);
  const View<Complex, 1> achs(arguments[Sigma::achstemp]);
  const double gamma = scalar_or(arguments[Sigma::gamma], 0.5),
               sexcut = scalar_or(arguments[Sigma::sexcut], 4.0);
  const int64_t ncouls = wtilde.extent(0), ngpown = wtilde.extent(1);
  const int64_t nw = wx.extent(0), ntband = wx.extent(1), nex = wx.extent(2);

  // Sums are nested, over G inside G' inside n', so that rounding grows with the longest loop and not with
  // their product.
  for (int64_t e = 0; e < nex; ++e) {
    std::vector<Complex> sx(nw), ch(nw);
    Complex static_ch = 0;
    for (int64_t n1 = 0; n1 < ntband; ++n1) {
      std::vector<Complex> sx_n1(nw), ch_n1(nw);
      Complex static_n1 = 0;
      for (int64_t igp = 0; igp < ngpown; ++igp) {
        if (indigp(igp) == 0) continue;
        const int64_t column = indigp(igp) - 1;
        std::vector<Complex> sx_igp(nw), ch_igp(nw);
        Complex static_igp = 0;
        for (int64_t ig = 0; ig < ncouls; ++ig) {
          const Complex P = aqsn(ig, n1, e) * conjugate(aqsm(column, n1, e)) * vcoul(column);
          const Complex PI = P * I(ig, igp);
          static_igp -= 0.5 * PI;
          for (int64_t iw = 0; iw < nw; ++iw) {
            const Terms t = factors(wtilde(ig, igp), energy(wx(iw, n1, e)), gamma, sexcut);
            ch_igp[iw] += 0.5 * PI * t.sch;
            if (occ(n1) > 0) sx_igp[iw] -= occ(n1) * PI * t.ssx;
          }
        }
        static_n1 += static_igp;
        for (int64_t iw = 0; iw < nw; ++iw) {
          sx_n1[iw] += sx_igp[iw];
          ch_n1[iw] += ch_igp[iw];
        }
      }
      static_ch += static_n1;
      for (int64_t iw = 0; iw < nw; ++iw) {
        sx[iw] += sx_n1[iw];
        ch[iw] += ch_n1[iw];
        if (ach_n1) ach_n1(iw, n1, e) = ch_n1[iw];
      }
    }
    for (int64_t iw = 0; iw < nw; ++iw) {
      asx(iw, e) = sx[iw];
      ach(iw, e) = ch[iw];
    }
    if (achs) achs(e) = static_ch;
  }
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    check_columns(arguments);
    if (arguments[Sigma::I_eps_array].type == SUITE_REAL64)
      sums<double>(arguments);
    else
      sums<Complex>(arguments);
  }
};

constexpr suite_kernel_table table = kernel_table<Sigma, Reference>("reference", "cpu");

}  // namespace

extern const suite_kernel_table offdiag_table;  // sigma_offdiag.cpp

}  // namespace suite::gpp

SUITE_PLUGIN("gpp", "reference", &suite::gpp::table, &suite::gpp::offdiag_table)
