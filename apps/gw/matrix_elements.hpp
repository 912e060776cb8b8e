// SPDX-License-Identifier: BSD-3-Clause
// Matrix elements M_nn'(k,q,G) = <nk| exp(i(q+G)r) |n' k-q> by Fourier transform of products in real space.
//
// Each wavefunction is brought to real space once. Two grids: products with occupied n' are needed for all G
// of the bare sphere, those with empty n' only for the smaller sphere of eps^-1, and a grid on which nothing
// that is needed is aliased is smaller for a smaller sphere: the product of two wavefunctions with components
// -R ... R reaches 2R, and a component at 2R appears at 2R - N, which must lie outside the sphere: N > 2R +
// sphere.
#pragma once

#include "base/fft/fft.hpp"
#include "plan.hpp"
#include "screening.hpp"

namespace suite::gw {

using app::allocate_complex;
using app::ComplexBuffer;
using app::fast_size;
using app::Transform;

class MatrixElements {
public:
  // For the items [first, end) of the plan. Fails with the memory needed where the machine has less.
  MatrixElements(const Plan& plan, size_t first, size_t end);

  // Fills m(ncouls, nbands, external bands) in the order of screening.g. With a screening that belongs to the
  // irreducible q, G is its image under the operation and m carries its phase, so that the screening need not
  // be rotated. For an image by time reversal m is then the conjugate. exchange[n] = sum over occupied n' and
  // G of |M|^2 vcoul, Ry.
  void compute(const Plan::Item& item, const Screening& screening, std::complex<double>* m, double* exchange) const;

  // The exact static CH: -1/2 sum_GG' <n|exp(i(G-G')r)|n> I(G,G') vcoul(G') of each external band, Ry.
  void static_coulomb_hole(const Plan::Item& item, const Screening& screening, double* ch) const;

  const Miller& exchange_grid() const { return large_->grid(); }
  const Miller& screened_grid() const { return small_->grid(); }

private:
  struct Orbitals {
    ComplexBuffer u;  // band after band
    int first = 0, end = 0;
    const std::complex<double>* band(int n, size_t size) const { return u.get() + size * (n - first); }
  };
  void choose_grids();
  void require_memory(const std::vector<char>& inner, const std::vector<char>& external) const;
  Wavefunctions::Sphere unfold(const Wavefunctions::Sphere& stored, const FullGrid::Point& point, int nbands) const;
  Orbitals to_real_space(const Transform& transform, const Wavefunctions::Sphere& sphere, int first, int end) const;
  void add_external(size_t e, const Wavefunctions::Sphere& stored);

  const Plan& plan_;
  std::unique_ptr<Transform> small_, large_;
  std::vector<Orbitals> inner_occupied_, inner_empty_;     // by full k; the ones needed are filled
  std::vector<Orbitals> external_small_, external_large_;  // by external k
  // <n|exp(iGr)|n>: large grid, by external k, of each external band
  std::vector<Orbitals> density_;
  std::vector<ComplexBuffer> works_;  // one for each thread
};

}  // namespace suite::gw
