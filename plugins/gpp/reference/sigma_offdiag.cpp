// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma_offdiag, the executable specification: the formulas of ../gpp.hpp in plain loops.
#include <vector>

#include "terms.hpp"

namespace suite::gpp {
namespace {

template <class T>
void sums(const suite_array* arguments) {
  using K = SigmaOffdiag;
  const View<const Complex, 2> wtilde(arguments[K::wtilde_array]);
  const View<const T, 2> I(arguments[K::I_eps_array]);
  const View<const double, 1> vcoul(arguments[K::vcoul]);
  const View<const int32_t, 1> indigp(arguments[K::indigp]);
  const View<const T, 3> M(arguments[K::aqs]);
  const View<const double, 2> wx(arguments[K::wx_array]);
  const View<const double, 1> occ(arguments[K::occ_array]);
  const View<Complex, 3> asx(arguments[K::asx]), ach(arguments[K::ach]);
  const double gamma = scalar_or(arguments[K::gamma], 0.5), sexcut = scalar_or(arguments[K::sexcut], 4.0);
  const int64_t ncouls = wtilde.extent(0), ngpown = wtilde.extent(1), nex = M.extent(2);
  const int64_t nw = wx.extent(0), ntband = wx.extent(1);

  for (int64_t iw = 0; iw < nw; ++iw)
    for (int64_t m = 0; m < nex; ++m)
      for (int64_t n = 0; n < nex; ++n) asx(n, m, iw) = ach(n, m, iw) = 0;

  for (int64_t n1 = 0; n1 < ntband; ++n1)
    for (int64_t iw = 0; iw < nw; ++iw) {
      const double x = energy(wx(iw, n1));
      std::vector<Complex> sx(nex * nex), ch(nex * nex);
      for (int64_t igp = 0; igp < ngpown; ++igp) {
        if (indigp(igp) == 0) continue;
        const int64_t column = indigp(igp) - 1;
        // M_n^T A of this column G', for every n.
        std::vector<Complex> sx_n(nex), ch_n(nex);
        for (int64_t ig = 0; ig < ncouls; ++ig) {
          const Terms t = factors(wtilde(ig, igp), x, gamma, sexcut);
          const Complex A_sx = vcoul(column) * t.ssx * I(ig, igp), A_ch = vcoul(column) * t.sch * I(ig, igp);
          for (int64_t n = 0; n < nex; ++n) {
            sx_n[n] += M(ig, n1, n) * A_sx;
            ch_n[n] += M(ig, n1, n) * A_ch;
          }
        }
        for (int64_t m = 0; m < nex; ++m)
          for (int64_t n = 0; n < nex; ++n) {
            sx[n + nex * m] += sx_n[n] * conjugate(M(column, n1, m));
            ch[n + nex * m] += ch_n[n] * conjugate(M(column, n1, m));
          }
      }
      for (int64_t m = 0; m < nex; ++m)
        for (int64_t n = 0; n < nex; ++n) {
          if (occ(n1) > 0) asx(n, m, iw) -= occ(n1) * sx[n + nex * m];
          ach(n, m, iw) += 0.5 * ch[n + nex * m];
        }
    }
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    check_columns(arguments);
    if (arguments[SigmaOffdiag::I_eps_array].type == SUITE_REAL64)
      sums<double>(arguments);
    else
      sums<Complex>(arguments);
  }
};

}  // namespace

extern const suite_kernel_table offdiag_table;
constinit const suite_kernel_table offdiag_table = kernel_table<SigmaOffdiag, Reference>("reference", "cpu");

}  // namespace suite::gpp
