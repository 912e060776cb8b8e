// SPDX-License-Identifier: BSD-3-Clause
// What one q brings to the self-energy: the Coulomb interaction, and the screening in plasmon-pole form.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "coulomb.hpp"
#include "density.hpp"
#include "epsilon.hpp"
#include "symmetry.hpp"

namespace suite::gw {

// v(q+G) in the mode of the settings, Ry bohr^3.
class Coulomb {
public:
  Coulomb(const Settings& settings, const Crystal& crystal, const Miller& grid, const std::vector<Operation>& operations);
  double v(const Vector3& q, const Miller& g) const;
  double one_over_q(const Vector3& q) const;  // <8 pi/|q|>, Ry bohr^2
  // v is averaged over mini-cells, and the wings of eps^-1 have to follow.
  bool averaged() const { return mode_ != CoulombMode::none; }
  Wings wings() const { return wings_; }

private:
  CoulombMode mode_;
  Wings wings_;
  Matrix3 bdot_;
  std::vector<Operation> operations_;
  CoulombAverage average_;
  std::unique_ptr<CoulombFile> file_;
  std::unique_ptr<RandomPoints> random_;
  double head_ = 0;
};

struct Screening {
  Vector3 q{};
  bool at_zero = false;
  int ncouls = 0;
  std::vector<Miller> g;      // the sphere of the bare interaction; the first ncouls are those of eps^-1
  std::vector<double> vcoul;  // v(q+G) / (number of q, cell volume), Ry
  std::vector<std::complex<double>> I_eps, wtilde;  // (ncouls, ncouls), G fastest; wtilde in eV
  PoleCount poles;
  // For the exact static CH: sum over the pairs G - G' = difference of I(G,G') vcoul(G').
  std::vector<Miller> difference;
  std::vector<std::complex<double>> pair_sum;
};

// The screening of irreducible q number `iq`, or of its image `point` where that is given. bare_cutoff: of
// |q+G|^2 in Ry, for exchange and, as in BerkeleyGW, for |G-G'|^2 in the exact static CH.
Screening make_screening(const Settings& settings, const InverseDielectric& eps, const DensityFile& density, const Coulomb& coulomb,
                         double bare_cutoff, int iq, const FullGrid::Point* point, const std::vector<Operation>& operations);

// All G with |q+G|^2 < cutoff.
std::vector<Miller> sphere(const Matrix3& bdot, const Vector3& q, double cutoff);

}  // namespace suite::gw
