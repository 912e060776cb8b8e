// SPDX-License-Identifier: BSD-3-Clause
// BerkeleyGW's wavefunctions (WFN_inner, WFN, WFNq), checked.
#pragma once

#include "hdf5/hdf5.hpp"
#include "levels.hpp"
#include "numbers.hpp"
#include "wavefunction_file.hpp"

namespace suite::gw {

// What every mf_header of BerkeleyGW's HDF5 files says about the crystal; reads and checks it.
Crystal read_crystal(const hdf5::File& file);
// What is wrong where the metric does not belong to the volume; "" where it does.
std::string wrong_volume(const Crystal& crystal);

// Fails unless the two files mean the same cell with the same atoms, where they tell.
void require_same_cell(const Crystal& a, const std::string& file_a, const Crystal& b, const std::string& file_b);

// Whether k points have to be those of a grid, which may be shifted; of bands along a path they are not.
enum class KGrid { grid, none };

class Wavefunctions {
public:
  // Reads the headers only. Of `corrected` bands energies are as the settings want them, see Levels.
  explicit Wavefunctions(const std::filesystem::path& path, KGrid kgrid = KGrid::grid, const LevelSettings& settings = {},
                         int corrected = 0, const std::optional<std::array<double, 2>>& fermi = std::nullopt);

  // Plane-wave coefficients of some bands at one k: u(r) = sum_G c(G) exp(iGr), sum |c|^2 = 1.
  struct Sphere {
    std::vector<Miller> g;
    Numbers c;  // g fastest, then the components of a spinor, then band
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
  const std::vector<Operation>& operations() const { return operations_; }
  const Miller& grid() const { return header().grid; }
  const Vector3& shift() const { return header().shift; }  // of the grid, in its steps
  const std::vector<Vector3>& kpoints() const { return header().kpoints; }
  const std::vector<double>& weights() const { return header().weights; }
  int nbands() const { return header().nbands; }
  int spins() const { return header().spins; }
  int spinors() const { return header().spinors; }  // components of a wavefunction
  // Bands up to the last that holds electrons anywhere, and those that are full everywhere.
  int occupied(int spin = 0) const { return levels_.occupied(spin); }
  int full(int spin = 0) const { return levels_.full(spin); }
  std::array<int, 2> occupied_of_spins() const { return {occupied(0), spins() == 2 ? occupied(1) : 0}; }
  int most_occupied() const { return std::max(occupied(0), occupied(spins() - 1)); }
  bool partly_filled() const { return occupied(0) != full(0) || occupied(spins() - 1) != full(spins() - 1); }
  // By the file's own occupations, which may be those of a broadened Fermi level.
  double electrons() const;
  const Levels& levels() const { return levels_; }
  int flavour() const { return header().flavour; }  // 1 real, 2 complex
  double cutoff() const { return header().cutoff; }  // of |k+G|^2, Ry
  // Ry, with corrections and without.
  double energy(int k, int band, int spin = 0) const { return levels_.energy(k, band, spin); }
  double mean_field(int k, int band, int spin = 0) const {
    return header().energies[(static_cast<size_t>(spin) * kpoints().size() + static_cast<size_t>(k)) * static_cast<size_t>(nbands()) +
                             static_cast<size_t>(band)];
  }
  void write_header(hdf5::Writer& to) const { file_->write_header(to); }

private:
  const WavefunctionHeader& header() const { return file_->header(); }
  void check_points(KGrid kgrid) const;
  void check_occupations() const;
  void read_spinors(WavefunctionFile::Slab slab, Sphere& sphere) const;
  std::unique_ptr<WavefunctionFile> file_;
  std::vector<Operation> operations_;
  Levels levels_;
};

}  // namespace suite::gw
