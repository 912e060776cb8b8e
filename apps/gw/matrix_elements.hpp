// SPDX-License-Identifier: BSD-3-Clause
// Matrix elements M_nn'(k,q,G) = <nk| exp(i(q+G)r) |n' k-q> of the pairs (k,q) of a plan, by gw.mtxel.
//
// Two kernels: all n' with the G of eps^-1, for the screened part of Sigma, and the occupied n' with all G of the bare sphere, for exchange.
//
// Ranks that share a (k,q) by columns G' need M of all n' and G, for every column meets every row G. Each computes it for its share of the n', and
// they exchange the shares: 16 ncouls nbands nex (s-1)/s bytes to each of s ranks. To keep the shares apart instead, and add up partial sums of
// Sigma, each would need all columns: 32 ncouls^2 (s-1)/s bytes of I and w, and the memory for them, which the slices are there to divide. nbands nex
// is about twice ncouls, so that it is no less, and where external bands are few it is more; and gpp.sigma runs over n' in its innermost loop.
#pragma once

#include <memory>

#include "band_store.hpp"
#include "plan.hpp"
#include "screening.hpp"

namespace suite::gw {

class MatrixElements {
public:
  // For the items [first, end) of the plan. The ranks of a slice make the same calls.
  MatrixElements(const Plan& plan, size_t first, size_t end, KernelSource& source, const Slice& slice = {});
  // The same for another thread: with kernels of its own, and what the first one has read.
  MatrixElements(const MatrixElements& first, KernelSource& source);

  // m(ncouls, nbands, external bands) in the order of screening.g. With a screening that belongs to the
  // irreducible q, G is its image under the operation and m carries its phase, so that the screening need not
  // be rotated. For an image by time reversal m is then the conjugate.
  void compute(const Plan::Item& item, const Screening& screening, Numbers& m);

  // Whether the ranks of a slice give the exchange of whole items in turns.
  bool takes_turns() const { return slice_.shares() && in_turns_; }
  // Of item number i of the plan: exchange[n] = sum over occupied n' and G of |M|^2 vcoul, Ry; off_diagonal[i] = the sum of M_nn' conj(M_mn')
  // vcoul of each element of the settings' offdiag. False, and nothing done, where another rank of the slice gives it.
  bool exchange(size_t i, const Screening& screening, double* exchange, std::complex<double>* off_diagonal = nullptr);

  // The exact static CH: -1/2 sum_GG' <n|exp(i(G-G')r)|n> I(G,G') vcoul(G') of each external band, Ry; the
  // sum over the columns G' that the screening has. The same between two bands for each element of offdiag.
  void static_coulomb_hole(const Plan::Item& item, const Screening& screening, double* ch,
                           std::complex<double>* off_diagonal = nullptr) const;

  // The row of gw.mtxel in result.json: all calls.
  app::Row record() const;

private:
  // <n|exp(iGr)|n> by external k: the G of the list, then external bands; then <n|exp(iGr)|m> of the elements of offdiag.
  struct Densities {
    std::vector<std::vector<std::complex<double>>> values;
    std::vector<Miller> g;
    std::vector<uint32_t> place;  // of each G of a box
    Miller reach{};
    size_t place_in_box(const Miller& g) const;
  };

  Bands external_bands(const Plan::External& external) const { return images_.store()->external(external); }
  // The G of screening.g, up to `count`, in the lists of the plan's wavefunctions for this item.
  std::vector<Miller> wanted(const Plan::Item& item, const Screening& screening, size_t count) const;
  std::vector<std::complex<double>> density_of(const Densities& densities, size_t e);

  const Plan& plan_;
  Slice slice_;
  bool in_turns_;
  BandImages images_;
  ElementsKernel screened_, bare_;
  std::shared_ptr<const Densities> densities_;  // none unless the exact static CH is wanted
  Numbers work_;
};

}  // namespace suite::gw
