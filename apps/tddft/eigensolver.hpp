// SPDX-License-Identifier: BSD-3-Clause
// Lowest orbitals of a Hamiltonian by Chebyshev-filtered subspace iteration (Zhou, Saad, Tiago, Chelikowsky, J. Comput. Phys. 219, 172
// (2006)).
//
// A block of functions is filtered by a polynomial of H that is small on [cut, top], the unwanted part of the spectrum, and grows rapidly
// below; the functions are then orthonormalised and rotated to the eigenvectors of H within their span.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hamiltonian.hpp"

namespace suite::tddft {

template <class T> class Eigensolver {
public:
  // `count` functions, the lowest `wanted` of which are to converge. `guess`: grid.size() * count numbers.
  Eigensolver(Hamiltonian<T>& h, std::vector<T> guess, int count, int wanted);

  // To be called when the potential of the Hamiltonian changes; its largest eigenvalue rises by at most `rise`.
  void potential_changed(double rise) { top_ += rise; }

  // To be called when anything else of the Hamiltonian changes: the orbitals stay and are its new start.
  void hamiltonian_changed() {
    rotate_to_eigenvectors();
    find_top();
  }

  // Every iterated function, one after another; what is put in their place is the start of the next iteration.
  const std::vector<T>& functions() const { return psi_; }
  void set_functions(std::vector<T> functions) { psi_ = std::move(functions); }

  // Applies one filter, strong enough to reduce the residuals by the factor `goal`, within bounds.
  void iterate(double goal);

  const T* orbital(int n) const { return psi_.data() + h_.grid().size() * n; }
  const std::vector<double>& eigenvalues() const { return eigenvalues_; }
  double residual() const;  // max |H psi - eps psi| of the wanted orbitals
  int degree() const { return degree_; }

private:
  void find_top();
  void filter(int degree);
  void rotate_to_eigenvectors();

  Hamiltonian<T>& h_;
  std::vector<T> psi_, other_;
  int count_, wanted_, degree_ = 0;
  double top_ = 0;  // upper bound of the spectrum of H
  std::vector<double> eigenvalues_, residuals_;
};

extern template class Eigensolver<double>;
extern template class Eigensolver<std::complex<double>>;

}  // namespace suite::tddft
