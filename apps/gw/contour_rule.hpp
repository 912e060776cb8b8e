// SPDX-License-Identifier: BSD-3-Clause
// The two frequency integrals of contour deformation, for one pair of states and one internal band.
//
//   Sigma_c(E) = sum_n' { 1/pi int_0^inf dw  s(iw) x/(x^2 + w^2)  -  sign(x) s(|x|) [1 - f_n' for x >= 0, f_n' for x < 0] },   x = E - E_n',
//
// with s(z) = sum_GG' M(G) (delta - eps^-1(z))_GG' v(G') conj M(G'). Lebegue, Arnaud, Alouani, Bloechl, Phys. Rev. B 67, 155208 (2003), eq. 14.
#pragma once

#include <complex>
#include <vector>

#include "gw.hpp"

namespace suite::gw {

// 1/pi int_0^inf dw s(iw) x/(x^2 + w^2) from s at some w.
//
// The spline is cubic in t = w/(w + a), where s vanishes at t = 1 and its slope at both ends, since s is even in w and falls off with w^-2: its integral
// is exact. The others are BerkeleyGW's cd_integration_method 0 and 2, which end at the last frequency.
class ImaginaryIntegral {
public:
  // w, eV: increasing, the first is 0; two or more.
  ImaginaryIntegral(ContourRule rule, std::vector<double> w);
  // s at each w.
  void take(const std::complex<double>* s);
  // x must not be 0.
  std::complex<double> at(double x) const;

private:
  using Complex = std::complex<double>;
  void fit_spline(const Complex* s);
  Complex of_spline(double x) const;
  void cut_pieces(const Complex* s);
  Complex of_pieces(double x) const;

  ContourRule rule_;
  std::vector<double> w_;
  double scale_ = 1;  // a
  std::vector<double> t_;  // of the spline's nodes, the last 1
  struct Cubic {
    Complex c[4];  // of powers of t - t_i
  };
  std::vector<Cubic> cubics_;
  struct Piece {
    double from = 0, to = 0;
    Complex c[3];  // of powers of w
  };
  std::vector<Piece> pieces_;
};

// Between two of the real frequencies, linear.
struct Between {
  size_t first = 0;  // and the next
  double share = 0;  // of the next
};
// x within [0, the last of w], which increases from 0.
Between between(const std::vector<double>& w, double x);

// How much of the residue at x = E - E_n' a state of this occupation has. BerkeleyGW takes one at the Fermi level as full.
inline double residue_share(double x, double occupation, ContourRule rule) {
  const double f = rule == ContourRule::spline ? occupation : occupation >= 0.5 ? 1 : 0;
  return x >= 0 ? 1 - f : f;
}

}  // namespace suite::gw
