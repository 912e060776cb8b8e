// SPDX-License-Identifier: BSD-3-Clause
// The lowest orbitals of a Hamiltonian by Chebyshev-filtered subspace iteration (Zhou, Saad, Tiago,
// Chelikowsky, J. Comput. Phys. 219, 172 (2006)).
//
// A polynomial of H that is small on [cut, top], the unwanted part of the spectrum, and grows fast below it
// is applied to a block of functions, which are then made orthonormal and rotated to the eigenvectors of H
// within their space.
#pragma once

#include <cstdint>
#include <vector>

#include "hamiltonian.hpp"

namespace suite::tddft {

template <class T> class Eigensolver {
public:
  // `count` functions, the lowest `wanted` of which are to converge. `guess`: grid.size() * count numbers.
  Eigensolver(Hamiltonian<T>& h, std::vector<T> guess, int count, int wanted);

  // The Hamiltonian has got another potential; its largest eigenvalue has risen by at most `rise`.
  void potential_changed(double rise) { top_ += rise; }

  // One filter, as strong as it takes to bring the residuals down to `goal` of what they are, within bounds.
  void iterate(double goal);

  const T* orbital(int n) const { return psi_.data() + h_.grid().size() * n; }
  const std::vector<double>& eigenvalues() const { return eigenvalues_; }
  double residual() const;  // |H psi - eps psi|, the largest of the wanted ones
  int degree() const { return degree_; }

private:
  void find_top();
  void filter(int degree);
  void rotate_to_eigenvectors();

  Hamiltonian<T>& h_;
  std::vector<T> psi_, other_;
  int count_, wanted_, degree_ = 0;
  double top_ = 0;  // no eigenvalue of H lies above
  std::vector<double> eigenvalues_, residuals_;
};

extern template class Eigensolver<double>;
extern template class Eigensolver<std::complex<double>>;

}  // namespace suite::tddft
