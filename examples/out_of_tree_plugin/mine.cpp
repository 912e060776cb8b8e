// SPDX-License-Identifier: BSD-3-Clause
// `mine`: an implementation of gpp.sigma from outside of suite. The formulas stand in gpp.hpp; what is
// special here is only that I(G,G') v(G') is multiplied once, in prepare().
#include <cmath>
#include <vector>

#include <suite/gpp/gpp.hpp>

namespace {

using suite::gpp::Column;
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
    const Sigma c(arguments);
    owned_ = suite::gpp::owned_columns(c);
    Iv_.clear();
    for (const auto& [igp, g] : owned_)
      for (int64_t ig = 0; ig < c.ncouls(); ++ig)
        Iv_.push_back(c.vcoul(g) * (c.is_real() ? c.I_eps_array.as<Sigma::real>()(ig, igp) : c.I_eps_array.as<Sigma::complex>()(ig, igp)));
  }

  void execute(const suite_array* arguments) {
    const suite::gpp::FilledEnergies filled(arguments);  // wx_array, where energies and ekq were set
    const Sigma c(filled);
    c.is_real() ? sum<Sigma::real>(c) : sum<Sigma::complex>(c);
  }

private:
  template <class T> void sum(const Sigma& c) const {
    const auto aqsn = c.aqsntemp.as<T>(), aqsm = c.aqsmtemp.as<T>();
    for (int64_t e = 0; e < c.nex(); ++e) {
      if (c.achstemp) c.achstemp(e) = 0;
      for (int64_t iw = 0; iw < c.nw(); ++iw) {
        c.asxtemp(iw, e) = c.achtemp(iw, e) = 0;
        for (int64_t n1 = 0; n1 < c.ntband(); ++n1) {
          const double x = c.x(iw, n1, e);
          Complex sx = 0, ch = 0, all = 0;
          auto Iv = Iv_.begin();
          for (const auto& [igp, g] : owned_) {
            const Complex m = std::conj(Complex(aqsm(g, n1, e)));
            for (int64_t ig = 0; ig < c.ncouls(); ++ig) {
              const Complex P = aqsn(ig, n1, e) * m * *Iv++;
              const Factors f(c.wtilde_array(ig, igp), x, c.gamma, c.sexcut);
              sx += P * f.sx;
              ch += P * f.ch;
              all += P;
            }
          }
          c.asxtemp(iw, e) -= c.occ_array(n1) * sx;
          c.achtemp(iw, e) += 0.5 * ch;
          if (c.acht_n1) c.acht_n1(iw, n1, e) = 0.5 * ch;
          if (c.acht_n1_iw && iw == c.energy_n1()) c.acht_n1_iw(n1, e) = 0.5 * ch;
          if (c.achstemp && iw == 0) c.achstemp(e) -= 0.5 * all;
          if (c.achst_n1) c.achst_n1(n1, e) = -0.5 * all;
        }
      }
    }
  }

  std::vector<Column> owned_;
  std::vector<Complex> Iv_;  // I(G,G') v(G') of the owned columns
};

constexpr suite_kernel_table table = suite::kernel_table<Sigma, Mine>("mine", "cpu");

}  // namespace

SUITE_PLUGIN("gpp", "mine", &table)
