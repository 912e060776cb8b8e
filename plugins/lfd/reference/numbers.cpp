// SPDX-License-Identifier: BSD-3-Clause
#include "kernels.hpp"

namespace suite::lfd::reference {
namespace {

size_t count(const suite_array& array) {
  size_t n = 1;
  for (int d = 0; d < array.rank; ++d) n *= static_cast<size_t>(array.extent[d]);
  return n;
}

template <class To, class From>
std::vector<To> converted(const suite_array& array) {
  const auto* data = static_cast<const From*>(array.data);
  return std::vector<To>(data, data + count(array));
}

}  // namespace

Field read_field(const suite_array& array) {
  return array.type == SUITE_REAL32 ? converted<double, float>(array) : converted<double, double>(array);
}

void write_field(const Field& field, const suite_array& array) {
  for (size_t i = 0; i < field.size(); ++i) {
    if (array.type == SUITE_REAL32)
      static_cast<float*>(array.data)[i] = static_cast<float>(field[i]);
    else
      static_cast<double*>(array.data)[i] = field[i];
  }
}

Orbitals read_orbitals(const suite_array& array) {
  return array.type == SUITE_COMPLEX64 ? converted<Complex, std::complex<float>>(array)
                                       : converted<Complex, Complex>(array);
}

void write_orbitals(const Orbitals& psi, const suite_array& array) {
  for (size_t i = 0; i < psi.size(); ++i) {
    if (array.type == SUITE_COMPLEX64)
      static_cast<std::complex<float>*>(array.data)[i] = std::complex<float>(psi[i]);
    else
      static_cast<Complex*>(array.data)[i] = psi[i];
  }
}

}  // namespace suite::lfd::reference
