// SPDX-License-Identifier: BSD-3-Clause
// Numbers that are real or complex by the flavour of a calculation: with inversion about the origin coefficients, matrix elements and screening are
// real, and half as many.
#pragma once

#include <complex>
#include <vector>

#include <suite/suite.hpp>

namespace suite::gw {

// `parts` doubles each, 1 or 2.
class Numbers {
public:
  Numbers() = default;
  explicit Numbers(int parts) : parts_(parts) {}
  // Of complex ones; their real parts alone where parts is 1.
  Numbers(const std::vector<std::complex<double>>& values, int parts) : Numbers(parts) {
    resize(values.size());
    for (size_t i = 0; i < values.size(); ++i) set(i, values[i]);
  }
  int parts() const { return parts_; }
  size_t size() const { return values_.size() / static_cast<size_t>(parts_); }
  void reserve(size_t count) { values_.reserve(count * static_cast<size_t>(parts_)); }
  void resize(size_t count) { values_.resize(count * static_cast<size_t>(parts_)); }
  // From number i on.
  double* at(size_t i) { return values_.data() + i * static_cast<size_t>(parts_); }
  const double* at(size_t i) const { return values_.data() + i * static_cast<size_t>(parts_); }
  std::complex<double> operator[](size_t i) const { return {*at(i), parts_ == 2 ? at(i)[1] : 0.0}; }
  void set(size_t i, const std::complex<double>& z) {
    *at(i) = z.real();
    if (parts_ == 2) at(i)[1] = z.imag();
  }

private:
  int parts_ = 2;
  std::vector<double> values_;
};

// An argument of a kernel, in the flavour of the numbers.
template <class K> void set_numbers(K& kernel, const char* argument, const double* numbers, int parts, Extents extents) {
  if (parts == 1) kernel.set(argument, numbers, extents);
  else kernel.set(argument, reinterpret_cast<const std::complex<double>*>(numbers), extents);
}

}  // namespace suite::gw
