// SPDX-License-Identifier: BSD-3-Clause
// The inverse dielectric matrices of BerkeleyGW's epsilon step: eps0mat.h5 (q -> 0) and epsmat.h5 (the other
// q).
#pragma once

#include <complex>
#include <memory>
#include <mutex>

#include "hdf5/hdf5.hpp"
#include "lattice.hpp"

namespace suite::gw {

// Components of the q that stands for q -> 0. Without a gap it is a step of a k grid.
constexpr double largest_q0(ScreeningKind screening) { return screening == ScreeningKind::semiconductor ? 0.05 : 0.5; }

class InverseDielectric {
public:
  // Reads the headers. eps may be empty: a single q point.
  InverseDielectric(const std::filesystem::path& eps0, const std::filesystem::path& eps,
                    ScreeningKind screening = ScreeningKind::semiconductor);
  // One that is yet to be computed, and has no elements. The first q is the small one.
  struct Matrix {
    Vector3 q{};
    std::vector<Miller> g;
  };
  InverseDielectric(const Crystal& crystal, const Miller& grid, double cutoff, int flavour, Truncation truncation,
                    std::vector<std::complex<double>> frequencies, size_t on_imaginary_axis, const std::vector<Matrix>& matrices);

  int count() const { return static_cast<int>(entries_.size()); }
  // The irreducible q; the first, which stands for q -> 0, is (0,0,0).
  const std::vector<Vector3>& qpoints() const { return qpoints_; }
  const Vector3& small_q() const { return small_q_; }  // that for which the first was computed
  // G vectors of the matrix, by increasing |q+G|.
  const std::vector<Miller>& gvectors(int q) const { return entries_[q].g; }
  int largest() const;
  const Miller& grid() const { return grid_; }
  const Crystal& crystal() const { return crystal_; }
  double cutoff() const { return cutoff_; }  // of |q+G|^2, Ry
  // Frequencies of the matrices in eV: 0, then the imaginary ones, then the others.
  const std::vector<std::complex<double>>& frequencies() const { return frequencies_; }
  size_t on_imaginary_axis() const { return on_imaginary_axis_; }  // of them, with 0
  int flavour() const { return flavour_; }  // of the crystal
  Truncation truncation() const { return truncation_; }  // of v, with which it was computed

  // v(q+G) of a truncated interaction, as the file has it: Ry bohr^3, not averaged.
  std::vector<double> truncated_v(int q) const;

  // eps^-1(G,G') of one q and frequency, G fastest.
  std::vector<std::complex<double>> matrix(int q, int frequency) const {
    return columns(q, frequency, 0, static_cast<int64_t>(gvectors(q).size()));
  }
  // Of its columns G', `count` from number `first` on: no others are read. Several threads may call it.
  std::vector<std::complex<double>> columns(int q, int frequency, int64_t first, int64_t count) const;

private:
  struct Entry {
    int file = 0, row = 0;  // which file, and the q within it
    std::vector<Miller> g;
  };
  void read_header(int file, bool at_zero, ScreeningKind screening);
  std::vector<std::unique_ptr<hdf5::File>> files_;
  std::unique_ptr<std::mutex> reading_ = std::make_unique<std::mutex>();  // HDF5 is not for several threads
  std::vector<int64_t> matrix_extent_[2];
  std::vector<Entry> entries_;
  std::vector<Vector3> qpoints_;
  Vector3 small_q_{};
  Miller grid_{};
  Crystal crystal_;
  double cutoff_ = 0;
  int flavour_ = 0;
  Truncation truncation_ = Truncation::none;
  std::vector<std::complex<double>> frequencies_;
  size_t on_imaginary_axis_ = 1;
  std::vector<int> place_;  // of each in the files
};

}  // namespace suite::gw
