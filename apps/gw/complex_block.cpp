// SPDX-License-Identifier: BSD-3-Clause
#include "complex_block.hpp"

namespace suite::gw {

void read_complex_block(const hdf5::File& file, const std::string& dataset, const std::vector<int64_t>& shape,
                        const std::vector<int64_t>& offset, const std::vector<int64_t>& count, std::complex<double>* out) {
  auto* const numbers = reinterpret_cast<double*>(out);
  if (count.back() == 2) return file.read_block(dataset, shape, offset, count, numbers);
  int64_t elements = 1;
  for (int64_t extent : count) elements *= extent;
  // Real numbers go into the second half of the place of the complex ones, and from there to theirs in
  // ascending order: number i is read at elements + i before 2 i and 2 i + 1 are written.
  double* const real = numbers + elements;
  file.read_block(dataset, shape, offset, count, real);
  for (int64_t i = 0; i < elements; ++i) {
    const double value = real[i];
    numbers[2 * i] = value;
    numbers[2 * i + 1] = 0;
  }
}

}  // namespace suite::gw
