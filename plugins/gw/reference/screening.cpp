// SPDX-License-Identifier: BSD-3-Clause
// gw.screening, the executable specification: the formulas of ../gw.hpp pair by pair.
#include <map>

#include "../crystal.hpp"

namespace suite::gw {
namespace {

using Complex = std::complex<double>;

// Where w^2 is negative there is no pole, and the mode says what stands for it.
Complex invalid_pole(Complex w2, int mode) {
  switch (mode) {
    case 0:
      return 0;
    case 1:
      return std::sqrt(w2);
    case 2:
      return 2 * rydberg_eV;
    default:
      return largest_w;
  }
}

// The density by its list.
template <class T>
std::map<Miller, Complex> density_of(const PolesOfScreening& c) {
  const auto rho = c.rho.as<T>();
  std::map<Miller, Complex> density;
  for (int64_t i = 0; i < c.ng(); ++i) density[{c.g_rho(0, i), c.g_rho(1, i), c.g_rho(2, i)}] = rho(i);
  return density;
}

template <class T>
class Pairs {
public:
  Pairs(const PolesOfScreening& c, const Scalars& s) : c_(c), s_(s), density_(density_of<T>(c)) {
    for (int i = 0; i < 9; ++i) bdot_[static_cast<size_t>(i)] = s.bdot[i];
  }

  // Omega^2(G,G'), eV^2.
  Complex omega2(int64_t ig, int64_t column) const {
    double x[3], xp[3];
    Miller difference;
    for (int i = 0; i < 3; ++i) {
      x[i] = s_.q[i] + c_.g(i, ig);
      xp[i] = s_.q[i] + c_.g(i, column);
      difference[i] = c_.g(i, ig) - c_.g(i, column);
    }
    // The product of v and the scalar product has a limit for q+G -> 0 where G' is G; otherwise it depends on
    // the direction.
    if (x[0] == 0 && x[1] == 0 && x[2] == 0) return ig == column ? s_.plasma2 : 0;
    const auto rho = density_.find(difference);
    if (rho == density_.end()) return 0;
    return s_.factor * product(bdot_, x, xp) * c_.vcoul(ig) * rho->second;
  }

  Complex hybertsen_louie(int64_t ig, int64_t column, Complex I) const {
    const Complex omega = omega2(ig, column);
    if (std::abs(omega) < smallest) return 0;
    const Complex z = omega / I;
    if (std::abs(z) < smallest || std::abs(z.real()) < smallest * std::abs(z)) return 0;
    const double w2 = std::norm(z) / z.real();
    return w2 < 0 ? invalid_pole(w2, s_.mode) : std::sqrt(w2);
  }

  // I(i w_i) = I w^2/(w^2 + w_i^2). Where the phases of I and I_i differ the quotient is complex, and its
  // real part decides.
  Complex godby_needs(Complex I, Complex I_i) const {
    if (I == I_i) return largest_w;  // no decay with frequency
    Complex w2 = s_.w_imaginary2 * I_i / (I - I_i);
    if (c_.is_real()) w2 = w2.real();  // without the sign of a zero, which would decide that of the root
    return w2.real() < 0 ? invalid_pole(w2, s_.mode) : std::sqrt(w2.real());
  }

  void all() const {
    const auto epsinv = c_.epsinv.as<T>(), epsinv_i = c_.epsinv_imaginary.as<T>();
    const auto I_eps = c_.I_eps_array.as<T>();
    for (int64_t igp = 0; igp < c_.ngpown(); ++igp)
      for (int64_t ig = 0; ig < c_.ncouls(); ++ig) {
        const int64_t column = (c_.indigp ? c_.indigp(igp) : static_cast<int32_t>(igp + 1)) - 1;
        Complex& w = c_.wtilde_array(ig, igp);
        I_eps(ig, igp) = 0;
        w = 0;
        if (column < 0) continue;
        const double delta = ig == column ? 1 : 0;
        const auto I = delta - epsinv(ig, igp);
        const auto I_i = s_.model == Model::godby_needs ? delta - epsinv_i(ig, igp) : 0.0;
        if (s_.model != Model::static_limit && std::abs(I) < smallest && std::abs(I_i) < smallest) continue;
        I_eps(ig, igp) = I;
        w = s_.model == Model::hybertsen_louie ? hybertsen_louie(ig, column, I)
            : s_.model == Model::godby_needs   ? godby_needs(I, I_i)
                                               : Complex(largest_w);
      }
  }

private:
  const PolesOfScreening& c_;
  const Scalars& s_;
  std::map<Miller, Complex> density_;
  Metric bdot_;
};

class Reference {
public:
  static constexpr suite_parameter parameters[] = {model_parameter};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : model_(static_cast<Model>(p[0])) {}
  void execute(const suite_array* arguments) {
    const PolesOfScreening c(arguments);
    const Scalars s = scalars_of(c, model_, make_density_box(c).electrons);
    if (c.is_real())
      Pairs<PolesOfScreening::real>(c, s).all();
    else
      Pairs<PolesOfScreening::complex>(c, s).all();
  }

private:
  Model model_;
};

}  // namespace

extern const suite_kernel_table screening_table;
constinit const suite_kernel_table screening_table =
    kernel_table<PolesOfScreening, Reference>("reference", "cpu");

}  // namespace suite::gw
