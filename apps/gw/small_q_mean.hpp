// SPDX-License-Identifier: BSD-3-Clause
// eps^-1 at q -> 0 that has the symmetry of the crystal. The file has that of one small q0, whose direction would decide between equivalent k: by 6 meV
// of SX - X + CH of gallium arsenide at its four L, by 0.08 eV of graphene at its M, where q0 is a step of a 3x3 grid. In its place stands the mean over
// the images of q0 by all operations and time reversal,
//   eps^-1(G,G') = <exp(-i G.t) exp(i G'.t) eps^-1_q0(R^-1 G, R^-1 G')>,
// for which every G is taken that is an image of one of the file; where eps^-1_q0 has no such element nothing is screened.
#pragma once

#include "epsilon.hpp"
#include "lattice.hpp"

namespace suite::gw {

class SmallQMean {
public:
  // The file must live as long.
  SmallQMean(const InverseDielectric& eps, const std::vector<Operation>& operations);
  // Those of the file first.
  const std::vector<Miller>& g() const { return g_; }
  // Of the columns G' of one frequency `count` from number `first` on, G fastest. Reads all of the file, a block of columns at a time.
  std::vector<std::complex<double>> columns(int frequency, int64_t first, int64_t count) const;

private:
  // An operation, or its product with time reversal: where each G of the file goes, and its phase.
  struct Image {
    bool reversed = false;
    std::vector<int> to;
    std::vector<std::complex<double>> phase;
  };
  const InverseDielectric* eps_;
  std::vector<Miller> g_;
  std::vector<Image> images_;
  std::vector<double> v_;  // of the G of the file at q0; where it is not positive, 1
};

}  // namespace suite::gw
