// SPDX-License-Identifier: BSD-3-Clause
// Between the arrays of a call, in either precision, and double precision.
#pragma once

#include <algorithm>
#include <complex>
#include <vector>

#include "../lfd.hpp"

namespace suite::lfd::reference {

using Complex = std::complex<double>;
using Field = std::vector<double>;      // (Nz,Ny,Nx)
using Orbitals = std::vector<Complex>;  // (Norb,Nz,Ny,Nx)

// f(its elements) of an argument in single or in double precision.
template <int rank, bool changes, class F> auto with_elements(const Argument<any_real, rank, changes>& a, F&& f) {
  return a.template is<real>() ? f(a.template as<real>().data()) : f(a.template as<element::single>().data());
}
template <int rank, bool changes, class F> auto with_elements(const Argument<any_complex, rank, changes>& a, F&& f) {
  return a.template is<element::complex>() ? f(a.template as<element::complex>().data())
                                           : f(a.template as<element::single_complex>().data());
}

template <class Numbers, class A> Numbers read(const A& argument) {
  int64_t count = 1;
  for (int d = 0; d < argument.array().rank; ++d) count *= argument.extent(d);
  return with_elements(argument, [&](const auto* from) { return Numbers(from, from + count); });
}
template <class A> Field read_field(const A& field) { return read<Field>(field); }
template <class A> Orbitals read_orbitals(const A& psi) { return read<Orbitals>(psi); }

// Rounds to the precision of the call.
template <class Numbers, class A> void write(const Numbers& numbers, const A& argument) {
  with_elements(argument, [&]<class T>(T* to) {
    std::transform(numbers.begin(), numbers.end(), to, [](const auto& x) { return static_cast<T>(x); });
  });
}

}  // namespace suite::lfd::reference
