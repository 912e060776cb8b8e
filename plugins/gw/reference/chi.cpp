// SPDX-License-Identifier: BSD-3-Clause
// gw.chi, the executable specification: the sum over pairs of ../gw.hpp as it stands there, in plain loops, both time orders apart.
#include "../pairs.hpp"

namespace suite::gw {
namespace {

using Complex = std::complex<double>;

template <class T> class Sum {
public:
  explicit Sum(const Chi& c) : c_(c), aqs_(c.aqs.as<T>()), chi_(c.chi.as<T>()) {}

  void add(int64_t iw, const std::vector<int32_t>& columns) const {
    const Complex z = frequency_of(c_, iw);
    for (int64_t igp = 0; igp < c_.ngpown(); ++igp)
      for (int64_t ig = 0; ig < c_.ncouls() && columns[static_cast<size_t>(igp)] >= 0; ++ig) {
        Complex sum = 0;
        for (int64_t p = 0; p < c_.npair(); ++p) {
          const double delta = c_.delta(p);
          if (!(delta > 0)) continue;
          const Complex both_orders = 0.5 * (1.0 / (-delta - z) + 1.0 / (-delta + z));
          sum += c_.weight(p) * both_orders * (aqs_(ig, p) * std::conj(Complex(aqs_(columns[static_cast<size_t>(igp)], p))));
        }
        if constexpr (T::code == SUITE_COMPLEX128) {
          chi_(ig, igp, iw) += sum;
        } else {
          chi_(ig, igp, iw) += sum.real();
          if (c_.chi_imaginary) c_.chi_imaginary(ig, igp, iw) += sum.imag();
        }
      }
  }

private:
  const Chi& c_;
  decltype(c_.aqs.as<T>()) aqs_;
  decltype(c_.chi.as<T>()) chi_;
};

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}
  void execute(const suite_array* arguments) {
    const Chi c(arguments);
    check_frequencies(c);
    ChiSums sums;
    set_columns(c, sums);
    for (int64_t iw = 0; iw < c.nfreq(); ++iw)
      if (c.is_real()) Sum<Chi::real>(c).add(iw, sums.columns);
      else Sum<Chi::complex>(c).add(iw, sums.columns);
  }
};

}  // namespace

extern const suite_kernel_table chi_table;
constinit const suite_kernel_table chi_table = kernel_table<Chi, Reference>("reference", "cpu");

}  // namespace suite::gw
