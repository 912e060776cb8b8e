// SPDX-License-Identifier: BSD-3-Clause
// BerkeleyGW's wavefunctions (WFN_inner, WFN, WFNq), checked.
#pragma once

#include "hdf5/hdf5.hpp"
#include "numbers.hpp"
#include "wavefunction_file.hpp"

namespace suite::gw {

// What every mf_header of BerkeleyGW's HDF5 files says about the crystal; reads and checks it.
Crystal read_crystal(const hdf5::File& file);
// What is wrong where the metric does not belong to the volume; "" where it does.
std::string wrong_volume(const Crystal& crystal);

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
  // with `parts` 1 those of a file of the real flavour. spin: 0, or 1 in a polarised calculation.
  Sphere read(int k, int nbands) const { return read(k, 0, nbands); }
  Sphere read(int k, int first, int count, int parts = 2, int spin = 0) const;
  std::vector<Miller> gvectors(int k) const;
  std::vector<Miller> gspace() const { return file_->gspace(); }  // all G of the charge density, in the file's order
  Miller fft_grid() const { return file_->fft_grid(); }  // of the charge density
  int64_t plane_waves(int k) const { return header().plane_waves[static_cast<size_t>(k)]; }

  const std::filesystem::path& path() const { return file_->path(); }
  const Crystal& crystal() const { return header().crystal; }
  const std::vector<Operation>& operations() const { return header().operations; }
  const Miller& grid() const { return header().grid; }
  const Vector3& shift() const { return header().shift; }  // of the grid, in its steps
  const std::vector<Vector3>& kpoints() const { return header().kpoints; }
  const std::vector<double>& weights() const { return header().weights; }
  int nbands() const { return header().nbands; }
  int spins() const { return header().spins; }
  int occupied(int spin = 0) const { return occupied_[static_cast<size_t>(spin)]; }
  const std::array<int, 2>& occupied_of_spins() const { return occupied_; }
  int most_occupied() const { return std::max(occupied(0), occupied(spins() - 1)); }
  int electrons() const { return spins() == 2 ? occupied(0) + occupied(1) : 2 * occupied(0); }
  int flavour() const { return header().flavour; }  // 1 real, 2 complex
  double cutoff() const { return header().cutoff; }  // of |k+G|^2, Ry
  double energy(int k, int band, int spin = 0) const {  // Ry
    return header().energies[(static_cast<size_t>(spin) * kpoints().size() + static_cast<size_t>(k)) * static_cast<size_t>(nbands()) +
                             static_cast<size_t>(band)];
  }
  void write_header(hdf5::Writer& to) const { file_->write_header(to); }

private:
  const WavefunctionHeader& header() const { return file_->header(); }
  void check_points(KGrid kgrid) const;
  void check_occupations();
  std::unique_ptr<WavefunctionFile> file_;
  std::array<int, 2> occupied_{};  // by spin
};

}  // namespace suite::gw
