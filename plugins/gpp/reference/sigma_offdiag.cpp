// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma_offdiag, the executable specification: the formulas of ../gpp.hpp in plain loops.
#include <vector>

#include "terms.hpp"

namespace suite::gpp {
namespace {

template <class T> void sums(const SigmaOffdiag& c) {
  const auto I = c.I_eps_array.as<T>();
  const auto M = c.aqs.as<T>();
  const int64_t ncouls = c.ncouls(), nw = c.nw(), ntband = c.ntband(), nex = c.nex();
  const std::vector<Column> owned = owned_columns(c);

  for (int64_t iw = 0; iw < nw; ++iw)
    for (int64_t m = 0; m < nex; ++m)
      for (int64_t n = 0; n < nex; ++n) c.asx(n, m, iw) = c.ach(n, m, iw) = 0;

  for (int64_t n1 = 0; n1 < ntband; ++n1)
    for (int64_t iw = 0; iw < nw; ++iw) {
      const double x = kept_off_zero(c.wx_array(iw, n1));
      std::vector<Complex> sx(nex * nex), ch(nex * nex);
      for (const auto& [igp, column] : owned) {
        // M_n^T A of this column G', for every n.
        std::vector<Complex> sx_n(nex), ch_n(nex);
        for (int64_t ig = 0; ig < ncouls; ++ig) {
          const Terms t = factors(c.wtilde_array(ig, igp), x, c.gamma, c.sexcut);
          const Complex A_sx = c.vcoul(column) * t.ssx * I(ig, igp), A_ch = c.vcoul(column) * t.sch * I(ig, igp);
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
          if (c.occ_array(n1) > 0) c.asx(n, m, iw) -= c.occ_array(n1) * sx[n + nex * m];
          c.ach(n, m, iw) += 0.5 * ch[n + nex * m];
        }
    }
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const SigmaOffdiag c(arguments);
    if (c.is_real()) sums<SigmaOffdiag::real>(c);
    else sums<SigmaOffdiag::complex>(c);
  }
};

}  // namespace

extern const suite_kernel_table offdiag_table;
constinit const suite_kernel_table offdiag_table = kernel_table<SigmaOffdiag, Reference>("reference", "cpu");

}  // namespace suite::gpp
