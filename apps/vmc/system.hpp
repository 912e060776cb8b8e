// SPDX-License-Identifier: BSD-3-Clause
// The homogeneous electron gas in a periodic cell: cell, electrons and filled plane waves; or a molecule, or a crystal. Hartree atomic
// units.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace suite::vmc {

struct Molecule;

enum class Lattice { sc, fcc, bcc, given };

struct System {
  double rs = 0;  // bohr, for all electrons: volume = 4 pi/3 rs^3 netot
  Lattice lattice = Lattice::sc;
  std::array<double, 9> cell{};   // cell(:,1..3), lattice vectors one after the other, bohr
  std::array<int32_t, 2> nele{};  // spin up, spin down
  std::vector<int32_t> kvec;      // kvec(3,nkvec): filled plane waves, one of each +-k, without 0
  std::shared_ptr<const Molecule> molecule;  // null: the gas

  bool crystal() const;  // a molecule's nuclei and orbitals, but in the cell

  int64_t netot() const { return nele[0] + nele[1]; }
  int64_t nkvec() const { return static_cast<int64_t>(kvec.size()) / 3; }
  double volume() const;
  double inscribed_radius() const;  // of the Wigner-Seitz cell
  bool polarised() const { return nele[1] == 0; }
};

// shape: lattice vectors in any unit for Lattice::given, else unused; rs determines the volume. Throws Failure if a spin's electrons do not
// fill closed shells, naming the nearest numbers that do.
System make_system(double rs, Lattice lattice, const std::array<double, 9>& shape, int32_t up, int32_t down);

// A molecule in open space. Its cell is a cube so large that no image is ever closest, for kernels that need one: positions in units of its
// edge, a power of two, have the same bits. A crystal has its own.
System make_system(Molecule molecule, const std::array<int32_t, 2>& nele);

// Numbers of plane waves that fill closed shells of the cell, up to the first that is at least count.
std::vector<int32_t> closed_shells(const std::array<double, 9>& cell, int32_t count);

// Stars (sets of equal |G|) of the cell in ascending order, one of each +-G: gvec(3,ngvec), star(ngvec) from 1.
struct Stars {
  std::vector<int32_t> gvec, star;
  std::vector<double> length;  // |G| of each star, bohr^-1
};
Stars stars(const std::array<double, 9>& cell, int count);

const char* name_of(Lattice lattice);

}  // namespace suite::vmc
