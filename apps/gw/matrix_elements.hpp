// SPDX-License-Identifier: BSD-3-Clause
// Matrix elements M_nn'(k,q,G) = <nk| exp(i(q+G)r) |n' k-q> of the pairs (k,q) of a plan, by gw.mtxel.
//
// Coefficients are kept as the file has them, at irreducible k; those of an image are made when they are
// needed. Two kernels: all n' with the G of eps^-1, for the screened part of Sigma, and the occupied n' with
// all G of the bare sphere, for exchange.
#pragma once

#include "elements_kernel.hpp"
#include "plan.hpp"
#include "screening.hpp"

namespace suite::gw {

class MatrixElements {
public:
  // For the items [first, end) of the plan.
  MatrixElements(const Plan& plan, size_t first, size_t end, KernelSource& source);

  // Fills m(ncouls, nbands, external bands) in the order of screening.g. With a screening that belongs to the
  // irreducible q, G is its image under the operation and m carries its phase, so that the screening need not
  // be rotated. For an image by time reversal m is then the conjugate.
  void compute(const Plan::Item& item, const Screening& screening, std::complex<double>* m);

  // exchange[n] = sum over occupied n' and G of |M|^2 vcoul, Ry; off_diagonal[i] = the sum of M_nn' conj(M_mn')
  // vcoul of each element of the settings' offdiag.
  void exchange(const Plan::Item& item, const Screening& screening, double* exchange, std::complex<double>* off_diagonal = nullptr);

  // The exact static CH: -1/2 sum_GG' <n|exp(i(G-G')r)|n> I(G,G') vcoul(G') of each external band, Ry; the
  // sum over the columns G' that the screening has. The same between two bands for each element of offdiag.
  void static_coulomb_hole(const Plan::Item& item, const Screening& screening, double* ch,
                           std::complex<double>* off_diagonal = nullptr) const;

  // The row of gw.mtxel in result.json: all calls.
  app::Row record() const;

private:
  struct Image {  // of the bands at a full k
    int full_k = -1;
    std::vector<Miller> g;
    std::vector<std::complex<double>> c;
  };
  Bands internal_bands(int full_k, int count);
  Bands external_bands(const Plan::External& external) const;
  // The G of screening.g, up to `count`, in the lists of the plan's wavefunctions for this item.
  std::vector<Miller> wanted(const Plan::Item& item, const Screening& screening, size_t count) const;
  void keep_density(size_t e);
  size_t place_in_density(const Miller& g) const;

  const Plan& plan_;
  std::vector<Wavefunctions::Sphere> stored_;  // by irreducible k; the ones needed are filled
  Image image_;
  ElementsKernel screened_, bare_;
  // <n|exp(iGr)|n> by external k: the G of density_g_, then external bands; then <n|exp(iGr)|m> of the elements of offdiag
  std::vector<std::vector<std::complex<double>>> density_;
  std::vector<Miller> density_g_;
  std::vector<uint32_t> density_place_;  // of each G of a box
  Miller density_reach_{};
  std::vector<std::complex<double>> work_;
};

}  // namespace suite::gw
