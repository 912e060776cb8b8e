// SPDX-License-Identifier: BSD-3-Clause
#include "bloch.hpp"

#include <cmath>
#include <numbers>

namespace suite::all_electron {

Bloch::Bloch(const Setup& setup, const Lattice& lattice, std::vector<KPoint> k_points) : k_points_(std::move(k_points)) {
  const Crystal& crystal = *setup.crystal;
  std::vector<Eigen::Index> counts(setup.atom_species.size(), 0), home_first;
  for (const int32_t atom : setup.basis.basis_atom) ++counts[static_cast<size_t>(atom - 1)];
  Eigen::Index first = 0;
  for (size_t a = 0; a < counts.size(); ++a) {
    const auto home = static_cast<size_t>(crystal.home[a]);
    if (a < setup.n_home()) home_first.push_back(first);
    atoms_.push_back({first, counts[a], home_first[home], crystal.cell[a]});
    first += counts[a];
    if (a + 1 == setup.n_home()) n_basis_ = first;
  }
  for (const Atom& m : atoms_)
    for (const Atom& n : atoms_) {
      const Cell R{n.cell[0] - m.cell[0], n.cell[1] - m.cell[1], n.cell[2] - m.cell[2]};
      if (number_.emplace(R, cells_.size()).second) cells_.push_back(R);
    }
  for (const Cell& R : cells_) places_.push_back(lattice.place(R));
  for (const Atom& atom : atoms_) atom_places_.push_back(lattice.place(atom.cell));
  for (const KPoint& k : k_points_) {
    std::vector<std::complex<double>>& phases = phase_.emplace_back();
    for (const Cell& R : cells_)
      phases.push_back(std::polar(1.0, 2 * std::numbers::pi * (k.fraction[0] * R[0] + k.fraction[1] * R[1] + k.fraction[2] * R[2])));
  }
}

// f(atom m, atom n, number of R).
template <class F> void Bloch::each_pair(F&& f) const {
  for (size_t m = 0; m < atoms_.size(); ++m)
    for (size_t n = 0; n < atoms_.size(); ++n) {
      const Cell &from = atoms_[m].cell, &to = atoms_[n].cell;
      f(m, n, number_.at({to[0] - from[0], to[1] - from[1], to[2] - from[2]}));
    }
}

Blocks Bloch::fold(const Eigen::Ref<const Matrix>& cluster) const {
  Blocks blocks = zeros();
  each_pair([&](size_t m, size_t n, size_t R) {
    const Atom &a = atoms_[m], &b = atoms_[n];
    blocks[R].block(a.home_first, b.home_first, a.count, b.count) += cluster.block(a.first, b.first, a.count, b.count);
  });
  return blocks;
}

Blocks Bloch::fold_position(const Eigen::Ref<const Matrix>& position, const Matrix& overlap, size_t axis) const {
  Blocks blocks = zeros();
  each_pair([&](size_t m, size_t n, size_t R) {
    const Atom &a = atoms_[m], &b = atoms_[n];
    blocks[R].block(a.home_first, b.home_first, a.count, b.count) +=
        position.block(a.first, b.first, a.count, b.count) - atom_places_[m][axis] * overlap.block(a.first, b.first, a.count, b.count);
  });
  return blocks;
}

void Bloch::unfold(const Blocks& blocks, Eigen::Ref<Matrix> cluster) const {
  each_pair([&](size_t m, size_t n, size_t R) {
    const Atom &a = atoms_[m], &b = atoms_[n];
    cluster.block(a.first, b.first, a.count, b.count) = blocks[R].block(a.home_first, b.home_first, a.count, b.count);
  });
}

ComplexMatrix Bloch::at(size_t k, const Blocks& blocks) const {
  ComplexMatrix sum = ComplexMatrix::Zero(n_basis_, n_basis_);
  for (size_t R = 0; R < cells_.size(); ++R) sum += phase_[k][R] * blocks[R];
  return sum;
}

ComplexMatrix Bloch::derivative(size_t k, const Blocks& blocks, size_t axis) const {
  ComplexMatrix sum = ComplexMatrix::Zero(n_basis_, n_basis_);
  for (size_t R = 0; R < cells_.size(); ++R) sum += std::complex<double>(0, places_[R][axis]) * phase_[k][R] * blocks[R];
  return sum;
}

void Bloch::add(size_t k, const ComplexMatrix& D, Blocks& to) const {
  for (size_t R = 0; R < cells_.size(); ++R) to[R] += k_points_[k].weight * (std::conj(phase_[k][R]) * D).real();
}

}  // namespace suite::all_electron
