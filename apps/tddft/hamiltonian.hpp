// SPDX-License-Identifier: BSD-3-Clause
// H = T + v + V_nl on the grid, T with second-order differences or plane waves, for the orbitals of one k.
//
// Acts on Bloch functions psi = exp(ikr) u, so that k appears only in the phases exp(+-ikL) across the faces of the cell; the kernels'
// orbitals are u. For k = 0, T = double and everything is real. Orbitals are stored one after another, each with z fastest.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "base/fft/fft.hpp"
#include "pseudopotential.hpp"
#include "system.hpp"

namespace suite::tddft {

template <class T> class Hamiltonian {
public:
  Hamiltonian(const Grid& grid, const Vec3& k, const Nonlocal& nonlocal, Kinetic kinetic);

  void set_potential(const std::vector<double>& v);  // (Nz,Ny,Nx)
  void set_nonlocal(const Nonlocal& nonlocal);

  // out = scale H psi + shift psi + keep out, for `count` orbitals; out is not read if keep is 0.
  void combine(double scale, double shift, double keep, const T* psi, T* out, int count) const;
  void apply(const T* psi, T* out, int count) const { combine(1, 0, 0, psi, out, count); }

  // <psi|T|psi> and <psi|V_nl|psi> of one normalised orbital.
  double kinetic(const T* psi) const;
  double nonlocal(const T* psi) const;

  const Grid& grid() const { return grid_; }
  int64_t applications() const { return applications_; }

private:
  static constexpr int width = sizeof(T) / sizeof(double);
  struct Lines;
  struct Sphere {
    std::vector<int32_t> points;  // from 0
    std::vector<T> phases;        // exp(ik(r - R)) of the kernels times exp(-ikr): from psi to the frame of beta
    std::vector<double> beta;     // (points, projectors)
    std::vector<double> coefficients;  // (projectors, projectors)
    int projectors = 0;
  };

  void plane(double scale, double shift, double keep, const double* v, const T* psi, T* out, int ix) const;
  const T* neighbour(const T* psi, int ix, int iy, T* buffer) const;
  void project(const Sphere& sphere, const T* psi, double* gathered, double* amplitudes) const;
  void add_nonlocal(double scale, const T* psi, T* out) const;

  // T of plane waves.
  struct Waves {
    explicit Waves(const std::array<int, 3>& points) : there(points, app::Exponent::minus), back(points, app::Exponent::plus) {}
    app::Transform there, back;
    std::vector<double> energies;              // of each wave, over the number of points
    std::vector<std::complex<double>> phases;  // e^{ikr}; empty where k = 0
  };
  void set_waves(const Vec3& k);
  void add_waves(double scale, const T* psi, T* out, int count) const;

  Grid grid_;
  Vec3 k_;
  Vec3 coupling_{};               // 1/(2 h^2), 0 in a direction that does not exist
  std::array<T, 3> across_{};     // exp(ikL)
  std::vector<double> diagonal_;  // v + sum 1/h^2, once per real number of psi
  std::vector<double> bare_;      // the same without v, for one line
  std::vector<Sphere> spheres_;
  std::unique_ptr<const Waves> waves_;  // null with differences
  size_t largest_sphere_ = 0;
  int most_projectors_ = 0;
  mutable int64_t applications_ = 0;
};

extern template class Hamiltonian<double>;
extern template class Hamiltonian<std::complex<double>>;

}  // namespace suite::tddft
