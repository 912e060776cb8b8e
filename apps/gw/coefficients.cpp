// SPDX-License-Identifier: BSD-3-Clause
#include "coefficients.hpp"

#include "complex_block.hpp"

namespace suite::gw {

namespace {
constexpr const char* dataset = "wfns/coeffs";
}

Coefficients::Coefficients(const hdf5::File& file, int64_t bands, int64_t components, int64_t plane_waves, int flavour)
    : file_(file), shape_{bands, components, plane_waves, flavour} {
  if (file.shape(dataset) != shape_) file.read<double>(dataset, shape_);  // fails with both shapes
}

void Coefficients::read(const Slab& slab, std::complex<double>* c) const {
  read_complex_block(file_, dataset, shape_, offset(slab), count(slab), c);
}

void Coefficients::read(const Slab& slab, double* c) const { file_.read_block(dataset, shape_, offset(slab), count(slab), c); }

}  // namespace suite::gw
