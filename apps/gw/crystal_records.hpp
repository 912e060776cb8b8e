// SPDX-License-Identifier: BSD-3-Clause
// What BerkeleyGW's binary files WFN, RHO and VXC have in common: a title, the cell with its symmetries and atoms, and lists in pieces.
#pragma once

#include <array>
#include <functional>

#include "lattice.hpp"
#include "records.hpp"

namespace suite::gw {

// The flavour, 1 real or 2 complex, of a file whose title begins with `kind` ("WFN", "RHO", "VXC").
int read_title(Records& records, const std::string& kind);

struct CellRecords {
  double celvol = 0, alat = 0, recvol = 0, blat = 0, ecutrho = 0;
  std::array<double, 9> avec{}, adot{}, bvec{}, bdot{};  // each vector after the other
  int cell_symmetry = 0, atoms = 0;
  std::vector<int> rotations;        // 9 of each operation
  std::vector<double> translations;  // 3 of each
  std::vector<int> species;
  std::vector<Vector3> positions;

  int operations() const { return static_cast<int>(translations.size() / 3); }
  Crystal crystal() const;
};
// The numbers that stand second to sixth in every record of sizes: G vectors (returned), operations, cell_symmetry, atoms and cutoff.
int read_sizes(const Records& records, const std::vector<char>& sizes, CellRecords& cell, int& operations);
// The records from the direct lattice to the atoms. Fails unless the metric of the reciprocal lattice belongs to the cell's volume.
void read_cell(Records& records, int operations, CellRecords& cell);

// A list of n in one piece or several: take(done, count) reads each.
void read_pieces(Records& records, const std::string& what, int n, const std::function<void(int done, int count)>& take);

// A file of numbers for each G and spin: RHO, VXC.
struct FourierFile {
  CellRecords cell;
  Crystal crystal;
  std::vector<Miller> g;
  std::vector<std::vector<std::complex<double>>> values;  // by spin
};
// kind: as read_title; what: the numbers in words ("density").
FourierFile read_fourier_file(const std::filesystem::path& path, const std::string& kind, const std::string& what);

}  // namespace suite::gw
