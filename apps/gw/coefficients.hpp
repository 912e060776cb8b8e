// SPDX-License-Identifier: BSD-3-Clause
// The plane-wave coefficients of BerkeleyGW's wavefunction file, some bands at a time.
#pragma once

#include <complex>

#include "hdf5/hdf5.hpp"

namespace suite::gw {

// wfns/coeffs, in C order (bands, components, plane waves of all k, flavour). A component is a spin of a polarised
// calculation or a part of a spinor.
class Coefficients {
public:
  // Fails unless the dataset has this shape. The file must outlive it.
  Coefficients(const hdf5::File& file, int64_t bands, int64_t components, int64_t plane_waves, int flavour);

  struct Slab {
    int64_t component = 0;
    int64_t first_band = 0, bands = 0;
    int64_t first_plane_wave = 0, plane_waves = 0;  // of one k
  };
  // Into c(plane_waves, bands), G fastest: 16 bytes an element.
  void read(const Slab& slab, std::complex<double>* c) const;
  // As the file has them, 8 bytes an element in the real flavour.
  void read(const Slab& slab, double* c) const;

private:
  std::vector<int64_t> offset(const Slab& slab) const { return {slab.first_band, slab.component, slab.first_plane_wave, 0}; }
  std::vector<int64_t> count(const Slab& slab) const { return {slab.bands, 1, slab.plane_waves, shape_.back()}; }
  const hdf5::File& file_;
  std::vector<int64_t> shape_;
};

}  // namespace suite::gw
