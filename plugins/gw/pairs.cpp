// SPDX-License-Identifier: BSD-3-Clause
#include "pairs.hpp"

#include <cstdio>
#include <limits>
#include <numeric>
#include <string>

namespace suite::gw {
namespace {

using Complex = std::complex<double>;

bool on_an_axis(const Complex& z) { return z.real() == 0 || z.imag() == 0; }

std::string written(const Complex& z) {
  char text[80];
  std::snprintf(text, sizeof text, "(%.10g, %.10g)", z.real(), z.imag());
  return text;
}
std::string written(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", x);
  return text;
}

}  // namespace

void check_frequency_arrays(const Chi& c) {
  if (!c.z && c.nfreq() != 1)
    throw Failure(SUITE_INVALID_ARGUMENT, concat("z is not set, but nfreq is ", c.nfreq(), " in chi; without z there is one frequency, 0"));
  if (!c.is_real() && c.chi_imaginary)
    throw Failure(SUITE_INVALID_ARGUMENT, "chi_imaginary is set, but aqs is complex, and then chi holds both parts");
}

void check_frequencies(const Chi& c) {
  check_frequency_arrays(c);
  for (int64_t i = 0; i < c.nfreq(); ++i) {
    const Complex z = frequency_of(c, i);
    if (c.is_real() && !c.chi_imaginary && !on_an_axis(z))
      throw Failure(SUITE_INVALID_ARGUMENT,
                    concat("z(", i + 1, ") is ", written(z),
                           ", where chi is complex; with real aqs its imaginary part needs chi_imaginary, which is not set"));
    for (int64_t p = 0; z.imag() == 0 && p < c.npair(); ++p) {
      const double delta = c.delta(p);
      if (delta > 0 && std::abs((delta - z.real()) * (delta + z.real())) < nearest_to_a_pole * delta * delta)
        throw Failure(SUITE_INVALID_ARGUMENT, concat("z(", i + 1, ") is ", written(z), ", a pole of chi: delta(", p + 1, ") is ",
                                                     written(delta), " Ry; give it an imaginary part"));
    }
  }
}

void set_columns(const Chi& c, ChiSums& sums) {
  const int64_t ncouls = c.ncouls(), ngpown = c.ngpown();
  if (!c.indigp && ngpown > ncouls)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  concat("ngpown is ", ngpown, " but ncouls is ", ncouls, "; without indigp columns are G vectors"));
  sums.columns.clear();
  sums.square = ngpown == ncouls;
  for (int64_t igp = 0; igp < ngpown; ++igp) {
    const int64_t g = c.indigp ? c.indigp(igp) : igp + 1;
    if (g < 0 || g > ncouls)
      throw Failure(SUITE_INVALID_ARGUMENT, concat("indigp(", igp + 1, ") is ", g, "; it must lie from 0 to ncouls = ", ncouls));
    sums.columns.push_back(static_cast<int32_t>(g - 1));
    sums.square = sums.square && g == igp + 1;
  }
}

void check_number_of_pairs(const Chi& c) {
  if (c.npair() > std::numeric_limits<int32_t>::max())
    throw Failure(SUITE_UNSUPPORTED, concat("npair is ", c.npair(), "; a call takes up to 2^31 - 1 pairs"));
}

ChiSums make_chi_sums(const Chi& c) {
  check_frequencies(c);
  ChiSums sums;
  set_columns(c, sums);
  check_number_of_pairs(c);
  for (int64_t p = 0; p < c.npair(); ++p)
    if (c.delta(p) > 0 && c.weight(p) != 0) sums.pairs.push_back(static_cast<int32_t>(p));
  for (int64_t i = 0; i < c.nfreq(); ++i) {
    const Complex z = frequency_of(c, i);
    ChiProduct product{i, false, c.is_real() || on_an_axis(z), {}}, second{i, true, true, {}};
    for (const int32_t p : sums.pairs) {
      const double delta = c.delta(p);
      // Factors rather than squares: next to a pole their difference keeps its digits.
      const Complex factor = -c.weight(p) * delta / ((delta - z) * (delta + z));
      product.factor.push_back(factor.real());
      if (!product.hermitian) product.factor.push_back(factor.imag());
      second.factor.push_back(factor.imag());
    }
    sums.products.push_back(std::move(product));
    if (c.is_real() && !on_an_axis(z)) sums.products.push_back(std::move(second));
  }
  return sums;
}

}  // namespace suite::gw
