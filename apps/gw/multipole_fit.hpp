// SPDX-License-Identifier: BSD-3-Clause
// Several complex poles for one element I = delta - eps^-1, from as many pairs of frequencies:
//
//   I(z) = sum_p 2 W_p R_p/(z^2 - W_p^2),   Re W > 0, Im W <= 0.
//
// Leon, Cardoso, Chiarotti, Varsano, Molinari, Ferretti, Phys. Rev. B 104, 115157 (2021): sampling along two lines parallel to the real axis, and what
// becomes of poles that are not physical.
#pragma once

#include <complex>
#include <vector>

namespace suite::gw {

inline constexpr int most_poles = 8;
inline constexpr double tolerated_misfit = 0.05;  // more counts as an element that has no such poles

// The frequencies for that many poles, eV, without 0: the second is on the imaginary axis. `range`: where eps^-1 has lost its structure.
std::vector<std::complex<double>> sampling_frequencies(int poles, double range_eV);

class PoleFit {
public:
  using Complex = std::complex<double>;
  // An even number of frequencies.
  explicit PoleFit(const std::vector<Complex>& z);
  int poles() const { return static_cast<int>(z_.size()) / 2; }
  // From the element at each frequency. Poles that are not physical are mirrored or left out, and the residues of all fitted to the samples again; those
  // that are not needed have no residue. By how much a sample is missed then, relative to the largest.
  double fit(const Complex* x, Complex* poles, Complex* residues) const;

private:
  bool attempt(int order, const Complex* x, Complex* poles, Complex* residues) const;
  std::vector<Complex> z_, y_;  // frequencies, and their squares by the largest
  double range_ = 1;  // the largest
};

}  // namespace suite::gw
