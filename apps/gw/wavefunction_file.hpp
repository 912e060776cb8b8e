// SPDX-License-Identifier: BSD-3-Clause
// BerkeleyGW's wavefunction file in either of its formats: HDF5 (wfn2hdf.x), or records of Fortran (pw2bgw.x). What it holds, unjudged but for
// types, extents and numbers that no such file has; class Wavefunctions judges it.
#pragma once

#include <complex>
#include <memory>

#include "lattice.hpp"

namespace suite::hdf5 {
class Writer;
}

namespace suite::gw {

struct WavefunctionHeader {
  Crystal crystal;
  std::vector<Operation> operations;
  int flavour = 2;  // 1 real, 2 complex
  int spins = 1, spinors = 1;
  int nbands = 0;
  double cutoff = 0;  // of |k+G|^2, Ry
  Miller grid{};
  Vector3 shift{};  // of the grid, in its steps
  std::vector<Vector3> kpoints;
  std::vector<double> weights;
  std::vector<int> plane_waves;  // by k
  std::vector<int> lowest, highest;  // occupied bands, from 1; k fastest, then spin
  std::vector<double> energies, occupations;  // Ry; band fastest, then k, then spin
};

class WavefunctionFile {
public:
  // Reads the header and nothing else; the format is told by the first bytes.
  static std::unique_ptr<WavefunctionFile> open(const std::filesystem::path& path);
  virtual ~WavefunctionFile() = default;

  const WavefunctionHeader& header() const { return header_; }
  virtual const std::filesystem::path& path() const = 0;
  // All G of the charge density, in the file's order.
  virtual std::vector<Miller> gspace() const = 0;
  virtual Miller fft_grid() const = 0;  // of the charge density
  virtual std::vector<Miller> gvectors(int k) const = 0;

  // Bands of one k; a component is a spin of a polarised calculation or a part of a spinor.
  struct Slab {
    int k = 0, component = 0;
    int64_t first_band = 0, bands = 0;
  };
  // Into c(plane waves, bands), G fastest; in numbers as the file has them, 8 bytes an element in the real flavour, or in complex ones.
  virtual void read(const Slab& slab, double* c) const = 0;
  virtual void read(const Slab& slab, std::complex<double>* c) const = 0;

  // mf_header, with which every HDF5 file begins that is made of these wavefunctions.
  virtual void write_header(hdf5::Writer& to) const = 0;

  // `item` is the name that HDF5 files give to the number, such as "kpoints/shift".
  [[noreturn]] virtual void fail(const std::string& item, const std::string& sentence) const = 0;

protected:
  WavefunctionHeader header_;
};

// Items of mf_header, in the order in which HDF5 files have them.
struct HeaderItem {
  const char* name;
  bool is_real;
};
inline constexpr HeaderItem mean_field_items[] = {
    {"versionnumber", false},     {"flavor", false},
    {"crystal/celvol", true},     {"crystal/recvol", true},
    {"crystal/alat", true},       {"crystal/blat", true},
    {"crystal/nat", false},       {"crystal/avec", true},
    {"crystal/bvec", true},       {"crystal/adot", true},
    {"crystal/bdot", true},       {"crystal/atyp", false},
    {"crystal/apos", true},       {"gspace/ng", false},
    {"gspace/ecutrho", true},     {"gspace/FFTgrid", false},
    {"gspace/components", false}, {"kpoints/nspin", false},
    {"kpoints/nspinor", false},   {"kpoints/nrk", false},
    {"kpoints/mnband", false},    {"kpoints/ngkmax", false},
    {"kpoints/ecutwfc", true},    {"kpoints/kgrid", false},
    {"kpoints/shift", true},      {"kpoints/ngk", false},
    {"kpoints/ifmin", false},     {"kpoints/ifmax", false},
    {"kpoints/w", true},          {"kpoints/rk", true},
    {"kpoints/el", true},         {"kpoints/occ", true},
    {"symmetry/ntran", false},    {"symmetry/cell_symmetry", false},
    {"symmetry/mtrx", false},     {"symmetry/tnp", true},
};

// The lattice's metric; rotations and translations of `count` operations as both formats have them, 9 and 3 numbers each.
Matrix3 matrix_of(const double* numbers);
std::vector<Operation> operations_of(int count, const int* rotations, const double* translations);

std::unique_ptr<WavefunctionFile> open_wavefunctions_hdf5(const std::filesystem::path& path);
std::unique_ptr<WavefunctionFile> open_wavefunctions_binary(const std::filesystem::path& path);

}  // namespace suite::gw
