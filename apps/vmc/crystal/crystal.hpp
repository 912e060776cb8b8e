// SPDX-License-Identifier: BSD-3-Clause
// What makes ions and electrons a crystal: a periodic cell, and orbitals psi = exp(i k.r) u(r), or their Re or Im, with u as cubic B-splines on
// a mesh of the file's cell, which the simulation cell repeats. Hartree atomic units.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <suite/qmc/lattice.hpp>

namespace suite::vmc {

// A Bloch function by its plane waves: sum_G c(G) exp(i (k + G).r), G = sum_d g(d) b_d of the file's cell.
using PlaneWaves = std::vector<std::complex<double>>;
struct BlochFunctions {
  std::array<double, 3> k{};  // in units of the reciprocal vectors of the file's cell
  std::vector<int32_t> gvec;  // gvec(3,ng)
  std::vector<PlaneWaves> states;  // orthonormal
  bool paired = false;  // 2k is no reciprocal vector: -k belongs to them, and each has two real functions
};

// u = A + iB with the splines A and B of a table; without B, u is real. Complex orbitals are exp(i k.r) u itself.
struct SplineOrbital {
  std::array<double, 3> k{};  // bohr^-1; 0 with imaginary = none
  int32_t real = 0, imaginary = none;
  bool sine = false;  // Im exp(i k.r) u instead of Re
  static constexpr int32_t none = -1;
};

// The occupied orbitals of a spin: c(nspline,Nz,Ny,Nx) as qmc.orbitals_blip takes it.
struct SplineTable {
  int64_t nspline = 0;
  std::vector<double> c;
  std::vector<SplineOrbital> orbital;
  uint64_t digest = 0;  // of the splines, by which runs know them again
  double kinetic = 0;  // of their determinant, Ha, exactly that of the splines
  double error = 0;  // largest relative error of an orbital, root mean square over the cell
  bool plain() const;  // the orbitals are the splines themselves
};

struct Crystal {
  std::array<double, 9> cell{}, spline_cell{};  // of the simulation and of the splines, as System::cell
  std::array<int64_t, 3> mesh{};
  std::array<std::shared_ptr<const SplineTable>, 2> spin;
  qmc::Lattice lattice{};  // of cell
  int64_t copies = 1;  // of the file's cell in the simulation cell
  std::array<double, 3> twist{};
  bool complex = false;  // the orbitals of both spins
};

// Mesh on which orbitals with these G are resolved: `factor` times that of their density.
std::array<int64_t, 3> spline_mesh(const std::vector<BlochFunctions>& blocks, double factor);

// The splines of the occupied functions of a spin. A spline stands for each plane wave with its own coefficient, so that what it adds lies
// beyond the mesh (Alfe, Gillan, Phys. Rev. B 70, 161101 (2004)). complex: the functions as they are, where none may be paired. Throws
// Failure where real functions are wanted, and those at a k with 2k = G have no real combinations.
std::shared_ptr<const SplineTable> spline_table(const std::vector<BlochFunctions>& blocks, const qmc::Lattice& file_cell,
                                                const std::array<int64_t, 3>& mesh, bool complex = false);

}  // namespace suite::vmc
