// SPDX-License-Identifier: BSD-3-Clause
// Numbers of BerkeleyGW's files that are real or complex, by the file's flavour.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "hdf5/hdf5.hpp"

namespace suite::gw {

// The block of `count` elements from `offset` of a dataset that has the shape `shape`, in C order. The last extent, whole in count,
// is the flavour: 1 real numbers, 2 pairs of real and imaginary part. Into out, complex in any case; takes no other memory.
void read_complex_block(const hdf5::File& file, const std::string& dataset, const std::vector<int64_t>& shape,
                        const std::vector<int64_t>& offset, const std::vector<int64_t>& count, std::complex<double>* out);

}  // namespace suite::gw
