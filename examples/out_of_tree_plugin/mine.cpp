// SPDX-License-Identifier: BSD-3-Clause
// `mine`: an implementation of gpp.sigma from outside of suite. The formulas stand in gpp.hpp; what is
// special here is only that I(G,G') v(G') is multiplied once, in prepare().
#include <cmath>
#include <vector>

#include <suite/gpp/gpp.hpp>

namespace {

using suite::View;
using suite::gpp::Sigma;
using Complex = std::complex<double>;

// The two frequency factors of a pole w at distance x, without I.
struct Factors {
  Complex sx = 0, ch = 0;
  Factors(Complex w, double x, double gamma, double sexcut) {
    const Complex D = x - w;
    if (std::norm(D) > gamma * gamma && std::norm(w) < std::norm(D) / 4e-6) {
      ch = w / D;
      sx = w * w / (x * x - w * w);
    } else if (std::norm(w) > 1e-12 * std::norm(D)) {
      sx = -w / (2.0 * (x + w));
    }
    if (x < 0 && !(std::abs(sx) <= sexcut)) sx = 0;
  }
};

class Mine {
public:
  Mine(const suite_backend*, suite_queue*, const int64_t*) {}

  // Runs once after a constant argument changed.
  void prepare(const suite_array* arguments) {
    suite::gpp::check_columns(arguments);
    const View<const double, 1> v(arguments[Sigma::vcoul]);
    const View<const int32_t, 1> indigp(arguments[Sigma::indigp]);
    const bool real = arguments[Sigma::I_eps_array].type == SUITE_REAL64;
    const View<const double, 2> I_real(arguments[Sigma::I_eps_array]);
    const View<const Complex, 2> I_complex(arguments[Sigma::I_eps_array]);
    Iv_.assign(static_cast<size_t>(I_real.extent(0) * I_real.extent(1)), 0);
    for (int64_t igp = 0, i = 0; igp < I_real.extent(1); ++igp)
      for (int64_t ig = 0; ig < I_real.extent(0); ++ig, ++i)
        if (indigp(igp) > 0) Iv_[i] = v(indigp(igp) - 1) * (real ? I_real(ig, igp) : I_complex(ig, igp));
  }

  void execute(const suite_array* arguments) {
    arguments[Sigma::aqsntemp].type == SUITE_REAL64 ? sum<double>(arguments) : sum<Complex>(arguments);
  }

private:
  template <class T>
  void sum(const suite_array* arguments) const {
    const View<const Complex, 2> w(arguments[Sigma::wtilde_array]);
    const View<const int32_t, 1> indigp(arguments[Sigma::indigp]);
    const View<const T, 3> aqsn(arguments[Sigma::aqsntemp]), aqsm(arguments[Sigma::aqsmtemp]);
    const View<const double, 3> wx(arguments[Sigma::wx_array]);
    const View<const double, 1> occ(arguments[Sigma::occ_array]);
    const View<Complex, 2> asx(arguments[Sigma::asxtemp]), ach(arguments[Sigma::achtemp]);
    const View<Complex, 3> acht_n1(arguments[Sigma::acht_n1]);
    const View<Complex, 1> achs(arguments[Sigma::achstemp]);
    const double gamma = suite::scalar_or(arguments[Sigma::gamma], 0.5),
                 sexcut = suite::scalar_or(arguments[Sigma::sexcut], 4.0);
    for (int64_t e = 0; e < wx.extent(2); ++e) {
      if (achs) achs(e) = 0;
      for (int64_t iw = 0; iw < wx.extent(0); ++iw) {
        asx(iw, e) = ach(iw, e) = 0;
        for (int64_t n1 = 0; n1 < wx.extent(1); ++n1) {
          const double x = std::abs(wx(iw, n1, e)) < 1e-12 ? 1e-12 : wx(iw, n1, e);
          Complex sx = 0, ch = 0, all = 0;
          for (int64_t igp = 0, i = 0; igp < w.extent(1); ++igp) {
            const Complex m = indigp(igp) > 0 ? std::conj(Complex(aqsm(indigp(igp) - 1, n1, e))) : 0;
            for (int64_t ig = 0; ig < w.extent(0); ++ig, ++i) {
              const Complex P = aqsn(ig, n1, e) * m * Iv_[i];
              const Factors f(w(ig, igp), x, gamma, sexcut);
              sx += P * f.sx;
              ch += P * f.ch;
              all += P;
            }
          }
          asx(iw, e) -= occ(n1) * sx;
          ach(iw, e) += 0.5 * ch;
          if (acht_n1) acht_n1(iw, n1, e) = 0.5 * ch;
          if (achs && iw == 0) achs(e) -= 0.5 * all;
        }
      }
    }
  }

  std::vector<Complex> Iv_;
};

constexpr suite_kernel_table table = suite::kernel_table<Sigma, Mine>("mine", "cpu");

}  // namespace

SUITE_PLUGIN("gpp", "mine", &table)
