// SPDX-License-Identifier: BSD-3-Clause
// Ground state on the grid, with the same kinetic energy, Hartree field and exchange and correlation as the propagation that starts from it.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pseudopotential.hpp"
#include "system.hpp"

namespace suite::tddft {

struct GroundStateSettings {
  std::string functional = "pw92";  // of app::named_functionals(); "none": independent electrons, no Hartree field
  std::string laplacian = "auto";  // of the Hartree field: "isolated", "differences", "continuum";
      // auto: by the boundary and the kinetic energy
  std::string implementation = "cpu";  // of lfd.spectral_field_solve and lfd.compute_vxc
  double density_tolerance = 1e-8;  // integral |rho_out - rho_in| per electron
  double residual_tolerance = 1e-6;  // |H psi - eps psi| of the occupied orbitals, Ha
  double force_tolerance = 0;  // Ha/bohr; > 0: converged when no force changes by more in an iteration, instead of the two above
  int max_iterations = 100;  // of the density
  int extra_orbitals = -1;  // per k, iterated but not kept; -1: chosen from the number of bands
  double mixing = 0.5;  // fraction of the new density in the first step of Pulay mixing
  int history = 8;  // number of densities in the Pulay mixing history
  double kerker = -1;  // q0, bohr^-1: damps small q by q^2/(q^2 + q0^2); 0: off; -1: chosen by the system
  uint64_t seed = 1;  // of the initial orbitals
};

// That of lfd.spectral_field_solve.
std::string laplacian_of(const System& system, const GroundStateSettings& settings);

struct GroundStateEnergies {  // Ha; kinetic to xc as returned by lfd.calc_energy
  double kinetic = 0, local = 0, nonlocal = 0, hartree = 0, xc = 0, ions = 0;
  double total() const { return kinetic + local + nonlocal + hartree + xc + ions; }
};

struct GroundStateIteration {
  int number = 0;
  double total_Ha = 0, density_error = 0, residual_Ha = 0;
};

struct GroundState {
  int spins = 1;  // 2: orbitals of spin up, then as many of spin down
  int bands = 0;  // per k and spin; orbital n = band + bands * (index of k + number of k * spin)
  int64_t orbitals = 0;  // Norb = bands * number of k * spins
  std::vector<std::complex<double>> psi;  // (Norb,Nz,Ny,Nx), orthonormal: sum |psi|^2 hx hy hz = 1
  std::vector<double> f;  // (Norb): occupation times weight of k
  std::vector<double> k;  // (3,Norb), bohr^-1
  std::vector<double> eigenvalues_Ha;  // (Norb)
  std::vector<double> rho, vH, vloc;  // (Nz,Ny,Nx)
  std::vector<double> vxc;  // (Nz,Ny,Nx,spins)
  std::vector<double> magnetisation;  // (Nz,Ny,Nx): density of spin up minus down; empty with one spin
  Nonlocal nonlocal;
  std::vector<Vec3> forces;  // on every atom, Ha/bohr
  GroundStateEnergies energies;
  double lowest_empty_Ha = 0;  // lowest eigenvalue of an empty orbital, over all k
  double residual_Ha = 0, density_error = 0;  // at the end
  double force_change = INFINITY;  // in the last iteration, Ha/bohr; with a force_tolerance
  int iterations = 0;
  bool converged = false;
  int64_t hamiltonians = 0;  // applications of H to one orbital
  double kernel_seconds = 0;  // in the two kernels

  int64_t orbitals_of_spin() const { return orbitals / spins; }
};

// Appends the orbitals of -k, u(-k) = conj(u(k)), for the k points that represent both, and divides the occupation between them.
// Every propagation begins with this, because a field distinguishes k from -k.
void add_minus_k(const System& system, GroundState& state);

// Solves a system and then the same with its atoms elsewhere, each from the orbitals of the one before. Deterministic: bitwise the same
// result for the same input with any number of threads. Throws Failure(SUITE_INVALID_ARGUMENT) for systems refused by check(system); lack
// of convergence is reported by GroundState::converged == false.
class GroundStateSolver {
public:
  virtual ~GroundStateSolver() = default;
  virtual GroundState solve(const std::function<void(const GroundStateIteration&)>& report = {}) = 0;
  // Moves the atoms; the next solve() starts from this density, with two spins (Nz,Ny,Nx,2): the total, then the magnetisation.
  virtual void move(const std::vector<Vec3>& positions, std::vector<double> density) = 0;
  virtual void set_force_tolerance(double tolerance) = 0;
  // Every function of the iteration, empty ones too, as real numbers: what move() and solve() need to continue bit for bit. restore() also
  // takes the place of the first solve().
  virtual std::vector<double> functions() const = 0;
  virtual void restore(const std::vector<double>& functions) = 0;
};
std::unique_ptr<GroundStateSolver> make_solver(const System& system, const GroundStateSettings& settings);

GroundState solve_ground_state(const System& system, const GroundStateSettings& settings,
                               const std::function<void(const GroundStateIteration&)>& report = {});

}  // namespace suite::tddft
