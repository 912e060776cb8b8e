// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma, the executable specification: the formulas of ../gpp.hpp term by term, in plain loops.
#include <vector>

#include "terms.hpp"

namespace suite::gpp {
namespace {

template <class T> void sums(const Sigma& c) {
  const auto I = c.I_eps_array.as<T>();
  const auto aqsntemp = c.aqsntemp.as<T>(), aqsmtemp = c.aqsmtemp.as<T>();
  const int64_t ncouls = c.ncouls(), nw = c.nw(), ntband = c.ntband(), nex = c.nex();
  const std::vector<Column> owned = owned_columns(c);

  // Sums are nested, over G inside G' inside n', so that rounding grows with the longest loop and not with
  // their product.
  for (int64_t e = 0; e < nex; ++e) {
    std::vector<Complex> sx(nw), ch(nw);
    Complex static_ch = 0;
    for (int64_t n1 = 0; n1 < ntband; ++n1) {
      std::vector<Complex> sx_n1(nw), ch_n1(nw);
      Complex static_n1 = 0;
      for (const auto& [igp, column] : owned) {
        std::vector<Complex> sx_igp(nw), ch_igp(nw);
        Complex static_igp = 0;
        for (int64_t ig = 0; ig < ncouls; ++ig) {
          const Complex P = aqsntemp(ig, n1, e) * conjugate(aqsmtemp(column, n1, e)) * c.vcoul(column);
          const Complex PI = P * I(ig, igp);
          static_igp -= 0.5 * PI;
          for (int64_t iw = 0; iw < nw; ++iw) {
            const Terms t = factors(c.wtilde_array(ig, igp), kept_off_zero(c.wx_array(iw, n1, e)), c.gamma, c.sexcut);
            ch_igp[iw] += 0.5 * PI * t.sch;
            if (c.occ_array(n1) > 0) sx_igp[iw] -= c.occ_array(n1) * PI * t.ssx;
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
        if (c.acht_n1) c.acht_n1(iw, n1, e) = ch_n1[iw];
        if (c.acht_n1_iw && iw == c.energy_n1()) c.acht_n1_iw(n1, e) = ch_n1[iw];
      }
      if (c.achst_n1) c.achst_n1(n1, e) = static_n1;
    }
    for (int64_t iw = 0; iw < nw; ++iw) {
      c.asxtemp(iw, e) = sx[iw];
      c.achtemp(iw, e) = ch[iw];
    }
    if (c.achstemp) c.achstemp(e) = static_ch;
  }
}

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const FilledEnergies filled(arguments);
    const Sigma c(filled);
    if (c.is_real()) sums<Sigma::real>(c);
    else sums<Sigma::complex>(c);
  }
};

constexpr suite_kernel_table table = kernel_table<Sigma, Reference>("reference", "cpu");

}  // namespace

extern const suite_kernel_table offdiag_table;  // sigma_offdiag.cpp

}  // namespace suite::gpp

SUITE_PLUGIN("gpp", "reference", &suite::gpp::table, &suite::gpp::offdiag_table)
