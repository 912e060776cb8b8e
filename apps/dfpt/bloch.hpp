// SPDX-License-Identifier: BSD-3-Clause
// Matrices of a crystal. The kernels see a cluster: the atoms of the home cell, whose points are those of the grid, and all images whose
// functions reach these points. Between the cluster and the crystal
//   X_mn(R) = sum_R'' X_cluster[(m,R''),(n,R''+R)],   X(k) = sum_R e^(ik.R) X(R),
//   P_mn(R) = sum_k w_k Re[e^(-ik.R) D_mn(k)],        P_cluster[(m,R),(n,R')] = P_mn(R'-R)
#pragma once

#include <complex>
#include <map>
#include <vector>

#include "integration_setup.hpp"
#include "lattice.hpp"
#include "linear_algebra.hpp"

namespace suite::all_electron {

using ComplexMatrix = Eigen::MatrixXcd;
// A matrix of the functions of the home cell for each cell R of Bloch::cells().
using Blocks = std::vector<Matrix>;

class Bloch {
public:
  // setup: of a cluster. The k points are fractions of the reciprocal lattice vectors.
  Bloch(const Setup& setup, const Lattice& lattice, std::vector<KPoint> k_points);

  const std::vector<KPoint>& k_points() const { return k_points_; }
  Eigen::Index n_basis() const { return n_basis_; }
  size_t n_cells() const { return cells_.size(); }
  Place place(size_t cell) const { return places_[cell]; }  // R of blocks

  // cluster: (n_cluster,n_cluster). shift(R'') is multiplied by `shifted` and subtracted, for positions from the bra's cell.
  Blocks fold(const Eigen::Ref<const Matrix>& cluster) const;
  Blocks fold_position(const Eigen::Ref<const Matrix>& position, const Matrix& overlap, size_t axis) const;
  void unfold(const Blocks& blocks, Eigen::Ref<Matrix> cluster) const;

  // At a k point; derivative: by component `axis` of k.
  ComplexMatrix at(size_t k, const Blocks& blocks) const;
  ComplexMatrix derivative(size_t k, const Blocks& blocks, size_t axis) const;
  // Adds w_k Re[e^(-ik.R) D] to the blocks.
  void add(size_t k, const ComplexMatrix& D, Blocks& to) const;
  Blocks zeros() const { return Blocks(n_cells(), Matrix::Zero(n_basis_, n_basis_)); }

private:
  template <class F> void each_pair(F&& f) const;

  struct Atom {
    Eigen::Index first, count, home_first;  // functions in the cluster and in the home cell
    Cell cell;
  };
  std::vector<Atom> atoms_;
  std::vector<KPoint> k_points_;
  std::map<Cell, size_t> number_;
  std::vector<Cell> cells_;
  std::vector<Place> places_, atom_places_;
  Eigen::Index n_basis_ = 0;
  std::vector<std::vector<std::complex<double>>> phase_;  // e^(ik.R)
};

}  // namespace suite::all_electron
