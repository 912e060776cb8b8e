// SPDX-License-Identifier: BSD-3-Clause
// BerkeleyGW's wavefunction file (WFN_inner.h5, HDF5, version 1).
#pragma once

#include <complex>

#include "coefficients.hpp"
#include "hdf5/hdf5.hpp"
#include "lattice.hpp"
#include "numbers.hpp"

namespace suite::gw {

// What every mf_header of BerkeleyGW's HDF5 files says about the crystal; reads and checks it.
Crystal read_crystal(const hdf5::File& file);

// Fails unless the two files mean the same cell with the same atoms, where they tell.
void require_same_cell(const Crystal& a, const std::string& file_a, const Crystal& b, const std::string& file_b);

// Where the k points may lie: Sigma needs k - q on the grid of k; the polarizability pairs of k alone.
enum class KGrid { unshifted, any };

class Wavefunctions {
public:
  // Reads the headers only.
  explicit Wavefunctions(const std::filesystem::path& path, KGrid kgrid = KGrid::unshifted);

  // Plane-wave coefficients of some bands at one k: u(r) = sum_G c(G) exp(iGr), sum |c|^2 = 1.
  struct Sphere {
    std::vector<Miller> g;
    Numbers c;  // g fastest, then band
  };
  // Of the bands 0 ... nbands-1, or of `count` from number `first` on: no others are read, and no memory is taken but theirs. Complex numbers, or
  // with `parts` 1 those of a file of the real flavour.
  Sphere read(int k, int nbands) const { return read(k, 0, nbands); }
  Sphere read(int k, int first, int count, int parts = 2) const;
  std::vector<Miller> gvectors(int k) const;
  int64_t plane_waves(int k) const { return first_[k + 1] - first_[k]; }

  const std::filesystem::path& path() const { return file_.path(); }
  const Crystal& crystal() const { return crystal_; }
  const std::vector<Operation>& operations() const { return operations_; }
  const Miller& grid() const { return grid_; }
  const Vector3& shift() const { return shift_; }  // of the grid, in its steps
  const std::vector<Vector3>& kpoints() const { return kpoints_; }
  const std::vector<double>& weights() const { return weights_; }
  int nbands() const { return nbands_; }
  int occupied() const { return occupied_; }
  int flavour() const { return flavour_; }  // 1 real, 2 complex
  double cutoff() const { return cutoff_; }  // of |k+G|^2, Ry
  double energy(int k, int band) const { return energies_[static_cast<size_t>(k) * nbands_ + band]; }  // Ry

private:
  hdf5::File file_;
  Crystal crystal_;
  std::vector<Operation> operations_;
  Miller grid_{};
  Vector3 shift_{};
  std::vector<Vector3> kpoints_;
  std::vector<double> weights_, energies_;
  std::vector<int64_t> first_;  // row of gvecs at which each k begins; one more at the end
  int nbands_ = 0, occupied_ = 0, flavour_ = 2;
  double cutoff_ = 0;
};

}  // namespace suite::gw
