// SPDX-License-Identifier: BSD-3-Clause
// lfd - local field dynamics: real-time time-dependent density functional theory on a grid, with the kernels
// of QXMD's LFD mini-app (Rajak, Luo, Nakano: "Porting LFD MiniApp to GPU via OpenMP Offload", Argonne).
// LFD's own source is not public: what is marked "inferred" was recovered from that talk and from the
// published ancestors of the method, not read from LFD.
//
// Hartree atomic units. The wavefunctions psi(Norb,Nz,Ny,Nx) have the orbital n as their fastest index, as
// LFD has them after its re-ordering (psi[i][j][k][n] in C); fields are v(Nz,Ny,Nx). Nx, Ny, Nz are even, or
// 1 for a direction that does not exist; the cell is periodic. Grid point i (from 0) along x lies at (i -
// Nx/2) hx.
//
// The orbitals obey  i d psi_n/dt = [ 1/2 (-i grad + A + k_n)^2 + v + V_nl ] psi_n,  v = vloc + vH + vxc +
// E.r : length gauge with E, velocity gauge with A (E = -dA/dt). The kinetic energy is that of second-order
// differences, with A and k as Peierls phases on the bonds:
//   (T psi)_i = psi_i/h^2 - (e^{+i(A+k)h} psi_{i+1} + e^{-i(A+k)h} psi_{i-1})/(2 h^2)      in every direction
//
// Its exponential is split (space-splitting method) into pairs A = (0,1),(2,3).. and B =
// (1,2),(3,4)..(N-1,0). On one pair exp(-i tau a [[1,-e^{i(A+k)h}],[-e^{-i(A+k)h},1]]), a = 1/(2h^2), is
// exactly
//   psi_i'     = ep psi_i     + em e^{+i(A+k)h} psi_{i+1}        ep = (1 + e^{-i phi})/2,  em = (1 - e^{-i
//   phi})/2 psi_{i+1}' = ep psi_{i+1} + em e^{-i(A+k)h} psi_i            phi = 2 a tau
// p = half: pairs A, phi = theta;  p = full: pairs B, phi = 2 theta;  theta = dt/(2 h^2), or with
// mass_correction theta = arctan(dt/(2 h^2)), which makes the effective mass of slow waves 1
// (docs/theory/lfd.md). A direction of extent 1 has no kinetic energy; with two points both sets hold the
// same pair, joined twice.
//
// One step of lfd.propagate from t to t + dt, E and A at t + dt/2:
//   psi *= exp(-i v(t) dt/2);   V_nl for dt/2, atoms ascending;   for d = x,y,z: half, full, half;
//   V_nl for dt/2, atoms descending;   rho, field, vxc, v(t + dt) from the new psi;   psi *= exp(-i v(t+dt)
//   dt/2)
// which is time reversible where the field is a function of the density (spectral, free, frozen).
//
// Field dynamics (inferred), v and w being the two slices of vH: per field step, with the 7-point Laplacian
// lap,
//   u = kappa (lap v + 4 pi (rho - mean rho)) - gamma w;   w += u;   v += w
// stable for 0 <= gamma < 2 and kappa 4 sum_d 1/h_d^2 < 4 - 2 gamma; it settles at lap v = -4 pi (rho - mean
// rho).
#pragma once

#include <suite/plugin.hpp>

namespace suite::lfd {

// Precision of a call: psi and fields are all single or all double; check_precision() holds callers to it.
inline constexpr int32_t orbital_type = SUITE_ONE_OF2(SUITE_COMPLEX64, SUITE_COMPLEX128);
inline constexpr int32_t field_type = SUITE_ONE_OF2(SUITE_REAL32, SUITE_REAL64);

// Named choices that every implementation of a kernel has, in this order.
inline constexpr const char* directions[] = {"x", "y", "z", nullptr};
inline constexpr const char* parts[] = {"half", "full", nullptr};
inline constexpr const char* switches[] = {"off", "on", nullptr};
inline constexpr const char* orders[] = {"ascending", "descending", nullptr};
inline constexpr const char* functionals[] = {"none", "pw92", "pz81", nullptr};
inline constexpr const char* gauges[] = {"length", "velocity", nullptr};
// Eigenvalues of -lap in spectral_field_solve: of the 7-point Laplacian, q^2, or of an isolated charge (no
// images).
inline constexpr const char* laplacians[] = {"differences", "continuum", "isolated", nullptr};
// How lfd.field_prop does its steps: ghost cells and two loops, one fused loop, or all at once through one
// transform.
inline constexpr const char* field_forms[] = {"loop", "fused", "closed", nullptr};
// What lfd.propagate does with vH in each step: nothing, the three above, or lfd.spectral_field_solve.
inline constexpr const char* fields[] = {"frozen",   "loop",     "fused", "closed",
                                         "spectral", "isolated", nullptr};

enum class Part { half, full };
enum class Functional { none, pw92, pz81 };
enum class Laplacian { differences, continuum, isolated };
enum class Field { frozen, loop, fused, closed, spectral, isolated };

namespace argument {
inline constexpr suite_argument psi{"psi",       orbital_type,    4,    SUITE_INOUT, "Norb,Nz,Ny,Nx",
                                    "bohr^-3/2", "wavefunctions", 5e-13};
inline constexpr suite_argument psi_in{"psi",       orbital_type,    4, SUITE_IN, "Norb,Nz,Ny,Nx",
                                       "bohr^-3/2", "wavefunctions", 0};
inline constexpr suite_argument h{
    "h", SUITE_REAL64, 1, SUITE_CONSTANT, "3", "bohr", "grid spacings hx, hy, hz", 0};
inline constexpr suite_argument dt{
    "dt", SUITE_REAL64, 0, SUITE_IN, "", "hbar/Ha", "time step; may be negative", 0};
inline constexpr suite_argument f{
    "f", SUITE_REAL64, 1, SUITE_IN, "Norb", "1", "occupations, 0 to 2 (times the weight of k)", 0};
inline constexpr suite_argument k{"k",
                                  SUITE_REAL64,
                                  2,
                                  SUITE_IN | SUITE_OPTIONAL,
                                  "3,Norb",
                                  "bohr^-1",
                                  "Bloch vector of each orbital, 0 when unset",
                                  0};
inline constexpr suite_argument A{
    "A", SUITE_REAL64, 1, SUITE_IN | SUITE_OPTIONAL, "3", "bohr^-1", "vector potential, 0 when unset", 0};
inline constexpr suite_argument vloc{
    "vloc", field_type, 3, SUITE_IN, "Nz,Ny,Nx", "Ha", "local potential of the ions", 0};
inline constexpr suite_argument rho_in{"rho",     field_type,         3, SUITE_IN, "Nz,Ny,Nx",
                                       "bohr^-3", "electron density", 0};
inline constexpr suite_argument vH{
    "vH", field_type, 4, SUITE_INOUT, "Nz,Ny,Nx,2", "Ha", "Hartree field v and its change per field step w",
    1e-12};
inline constexpr suite_argument kappa{"kappa",
                                      SUITE_REAL64,
                                      0,
                                      SUITE_IN | SUITE_OPTIONAL,
                                      "",
                                      "bohr^2",
                                      "(c dtau)^2 of the field step; 0.9 of the stable limit when unset",
                                      0};
inline constexpr suite_argument gamma{"gamma",
                                      SUITE_REAL64,
                                      0,
                                      SUITE_IN | SUITE_OPTIONAL,
                                      "",
                                      "1",
                                      "damping of the field per step, 0 <= gamma < 2; 0 when unset",
                                      0};
inline constexpr suite_argument field_steps{
    "field_steps",
    SUITE_INT32,
    0,
    SUITE_IN | SUITE_OPTIONAL,
    "",
    "1",
    "field steps of one call, or of one step of the electrons; 1 when unset",
    0};
// The nonlocal pseudopotential sum_a |beta_i> dnl_ij <beta_j|, on a sphere of grid points around each atom.
// All four are set, or none.
inline constexpr suite_argument nlpoint{
    "nlpoint",
    SUITE_INT32,
    2,
    SUITE_CONSTANT | SUITE_OPTIONAL,
    "nsphere,natom",
    "1",
    "grid points of each atom's sphere, from 1 in the order of v(Nz,Ny,Nx), each "
    "once; 0: padding, at the end",
    0};
inline constexpr suite_argument nldisp{
    "nldisp",
    SUITE_REAL64,
    3,
    SUITE_CONSTANT | SUITE_OPTIONAL,
    "3,nsphere,natom",
    "bohr",
    "r - R of these points, x, y, z, for the phase exp(-i(A+k).(r-R)) of beta",
    0};
inline constexpr suite_argument beta{"beta",
                                     SUITE_REAL64,
                                     3,
                                     SUITE_CONSTANT | SUITE_OPTIONAL,
                                     "nsphere,nproj,natom",
                                     "bohr^-3/2",
                                     "projectors at these points",
                                     0};
inline constexpr suite_argument dnl{"dnl",
                                    SUITE_REAL64,
                                    3,
                                    SUITE_CONSTANT | SUITE_OPTIONAL,
                                    "nproj,nproj,natom",
                                    "Ha",
                                    "coefficients between projectors, symmetric; 0 where an atom has fewer",
                                    0};
}  // namespace argument

#define SUITE_LFD_COST_AND_GENERATE                                \
  static int cost(const suite_array* arguments, suite_cost* cost); \
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error)

struct KinProp {
  static constexpr const char* name = "lfd.kin_prop";
  static constexpr const char* summary =
      "one part, half or full, of the kinetic propagator along one direction";
  static constexpr const char* merit = "orbital points: Nx*Ny*Nz*Norb";
  // Parameters: d (directions), p (parts), mass_correction (switches).
  enum : int { psi, h, dt, A, k };
  static constexpr suite_argument arguments[] = {argument::psi, argument::h, argument::dt, argument::A,
                                                 argument::k};
  SUITE_LFD_COST_AND_GENERATE;
};

struct PotProp {
  static constexpr const char* name = "lfd.pot_prop";
  static constexpr const char* summary = "multiplies every orbital by the phase u(r)";
  static constexpr const char* merit = "orbital points: Nx*Ny*Nz*Norb";
  enum : int { psi, u };
  static constexpr suite_argument arguments[] = {
      argument::psi,
      {"u", orbital_type, 3, SUITE_IN, "Nz,Ny,Nx", "1", "exp(-i v dt/2), from lfd.set_prop", 0},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

struct SetProp {
  static constexpr const char* name = "lfd.set_prop";
  static constexpr const char* summary = "the phase exp(-i v dt/2) of half a step";
  static constexpr const char* merit = "grid points: Nx*Ny*Nz";
  enum : int { v, dt, u };
  static constexpr suite_argument arguments[] = {
      {"v", field_type, 3, SUITE_IN, "Nz,Ny,Nx", "Ha", "local potential, from lfd.compute_v", 0},
      argument::dt,
      {"u", orbital_type, 3, SUITE_OUT, "Nz,Ny,Nx", "1", "exp(-i v dt/2)", 1e-14},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

struct PeriodicBc {
  static constexpr const char* name = "lfd.periodic_bc";
  static constexpr const char* summary =
      "copies the faces of a grid with one layer of ghost points around it";
  static constexpr const char* merit = "orbital points: Nx*Ny*Nz*Norb";
  enum : int { psi };
  static constexpr suite_argument arguments[] = {
      {"psi", orbital_type, 4, SUITE_INOUT, "Norb,Nz+2,Ny+2,Nx+2", "bohr^-3/2",
       "wavefunctions with ghosts: the six faces are set, edges and corners stay", 1e-15},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

struct ComputeRho {
  static constexpr const char* name = "lfd.compute_rho";
  static constexpr const char* summary = "electron density sum_n f_n |psi_n|^2";
  static constexpr const char* merit = "orbital points: Nx*Ny*Nz*Norb";
  enum : int { psi, f, rho };
  static constexpr suite_argument arguments[] = {
      argument::psi_in,
      argument::f,
      {"rho", field_type, 3, SUITE_OUT, "Nz,Ny,Nx", "bohr^-3", "electron density", 1e-14},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

struct ComputeVxc {
  static constexpr const char* name = "lfd.compute_vxc";
  static constexpr const char* summary =
      "exchange and correlation in the local density approximation, unpolarised";
  static constexpr const char* merit = "grid points: Nx*Ny*Nz";
  // Parameter: functional, without "none": pw92 (Perdew and Wang, Phys. Rev. B 45, 13244 (1992)) or pz81
  // (Perdew and Zunger, Phys. Rev. B 23, 5048 (1981)). Densities below 1e-20 count as 0.
  enum : int { rho, vxc, exc };
  static constexpr suite_argument arguments[] = {
      argument::rho_in,
      {"vxc", field_type, 3, SUITE_OUT, "Nz,Ny,Nx", "Ha", "potential d(rho exc)/d rho", 1e-13},
      {"exc", field_type, 3, SUITE_OUT | SUITE_OPTIONAL, "Nz,Ny,Nx", "Ha", "energy per electron", 1e-13},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

struct ComputeV {
  static constexpr const char* name = "lfd.compute_v";
  static constexpr const char* summary = "local potential v = vloc + vH + vxc + E.r";
  static constexpr const char* merit = "grid points: Nx*Ny*Nz";
  enum : int { vloc, vH, vxc, E, h, v };
  static constexpr suite_argument arguments[] = {
      argument::vloc,
      {"vH", field_type, 4, SUITE_IN, "Nz,Ny,Nx,2", "Ha", "Hartree field; its second slice is not used", 0},
      {"vxc", field_type, 3, SUITE_IN | SUITE_OPTIONAL, "Nz,Ny,Nx", "Ha",
       "exchange and correlation, 0 when unset", 0},
      {"E", SUITE_REAL64, 1, SUITE_IN | SUITE_OPTIONAL, "3", "Ha/bohr", "electric field, 0 when unset", 0},
      argument::h,
      {"v", field_type, 3, SUITE_OUT, "Nz,Ny,Nx", "Ha", "local potential", 1e-14},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

struct FieldProp {
  static constexpr const char* name = "lfd.field_prop";
  static constexpr const char* summary =
      "field_steps steps of the Hartree field's wave equation, density at rest";
  static constexpr const char* merit = "grid point steps: Nx*Ny*Nz*field_steps";
  // Parameter: variant (field_forms).
  enum : int { vH, rho, h, kappa, gamma, field_steps };
  static constexpr suite_argument arguments[] = {argument::vH,    argument::rho_in, argument::h,
                                                 argument::kappa, argument::gamma,  argument::field_steps};
  SUITE_LFD_COST_AND_GENERATE;
};

struct SpectralFieldSolve {
  static constexpr const char* name = "lfd.spectral_field_solve";
  static constexpr const char* summary = "the Hartree field of a density at once, by transform";
  static constexpr const char* merit = "grid points: Nx*Ny*Nz";
  // Parameter: laplacian (laplacians). Periodic: the mean of v is 0. isolated: the density repeated nowhere,
  // by the truncated Coulomb interaction on a grid twice as large (Vico, Greengard, Ferrando, J. Comput.
  // Phys. 323, 191 (2016)).
  enum : int { rho, h, vH };
  static constexpr suite_argument arguments[] = {
      argument::rho_in,
      argument::h,
      {"vH", field_type, 4, SUITE_OUT, "Nz,Ny,Nx,2", "Ha", "Hartree field; w = 0", 1e-12},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

struct NlpProp {
  static constexpr const char* name = "lfd.nlp_prop";
  static constexpr const char* summary = "exact exponential of the nonlocal pseudopotential, atom after atom";
  static constexpr const char* merit = "orbital points: Nx*Ny*Nz*Norb";
  // Parameter: order (orders) of the atoms, which matters where spheres overlap. Each atom is exact: with
  // B = e^{-i(A+k).(r-R)} beta, S = B^H B hx hy hz:  psi += B K B^H psi hx hy hz,  K = (exp(-i dt dnl S) - 1)
  // S^-1.
  enum : int { psi, h, dt, nlpoint, nldisp, beta, dnl, A, k };
  static constexpr suite_argument arguments[] = {argument::psi,     argument::h,      argument::dt,
                                                 argument::nlpoint, argument::nldisp, argument::beta,
                                                 argument::dnl,     argument::A,      argument::k};
  SUITE_LFD_COST_AND_GENERATE;
};

struct CalcEnergy {
  static constexpr const char* name = "lfd.calc_energy";
  static constexpr const char* summary = "energies of the electrons, by orbital and by part";
  static constexpr const char* merit = "orbital points: Nx*Ny*Nz*Norb";
  // Parameter: functional.
  enum : int { psi, f, h, vloc, vH, rho, nlpoint, nldisp, beta, dnl, A, k, ekin, enl, energy };
  static constexpr suite_argument arguments[] = {
      argument::psi_in,
      argument::f,
      argument::h,
      argument::vloc,
      {"vH", field_type, 4, SUITE_IN, "Nz,Ny,Nx,2", "Ha", "Hartree field; its second slice is not used", 0},
      argument::rho_in,
      argument::nlpoint,
      argument::nldisp,
      argument::beta,
      argument::dnl,
      argument::A,
      argument::k,
      {"ekin", SUITE_REAL64, 1, SUITE_OUT, "Norb", "Ha", "<psi_n|T|psi_n>, not normalised", 1e-12},
      {"enl", SUITE_REAL64, 1, SUITE_OUT, "Norb", "Ha", "<psi_n|V_nl|psi_n>; 0 without V_nl", 1e-12},
      {"energy", SUITE_REAL64, 1, SUITE_OUT, "5", "Ha",
       "sum f ekin, int vloc rho, sum f enl, 1/2 int vH rho, int exc rho; their sum is the energy of the "
       "electrons",
       1e-12},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

struct Propagate {
  static constexpr const char* name = "lfd.propagate";
  static constexpr const char* summary = "nsteps whole time steps of electrons and field";
  static constexpr const char* merit = "orbital point steps: Nx*Ny*Nz*Norb*nsteps";
  // Parameters: field (fields), functional, gauge (gauges), mass_correction (switches), variant.
  enum : int {
    psi,
    f,
    vloc,
    h,
    dt,
    drive,
    k,
    vH,
    kappa,
    gamma,
    field_steps,
    nlpoint,
    nldisp,
    beta,
    dnl,
    rho,
    dipole,
    current
  };
  static constexpr suite_argument arguments[] = {
      argument::psi,
      argument::f,
      argument::vloc,
      argument::h,
      argument::dt,
      {"drive", SUITE_REAL64, 2, SUITE_IN, "3,nsteps", "Ha/bohr or bohr^-1",
       "E (length gauge) or A (velocity gauge) in the middle of each step", 0},
      argument::k,
      argument::vH,
      argument::kappa,
      argument::gamma,
      argument::field_steps,
      argument::nlpoint,
      argument::nldisp,
      argument::beta,
      argument::dnl,
      {"rho", field_type, 3, SUITE_OUT, "Nz,Ny,Nx", "bohr^-3", "electron density after the last step", 1e-12},
      {"dipole", SUITE_REAL64, 2, SUITE_OUT, "4,nsteps", "bohr",
       "after each step: int x rho, int y rho, int z rho, and the number of electrons, int rho", 1e-12},
      {"current", SUITE_REAL64, 2, SUITE_OUT | SUITE_OPTIONAL, "3,nsteps", "bohr Ha/hbar",
       "after each step: sum_n f_n <psi_n| i[H, r] |psi_n> with A of that step, V_nl included: d/dt of int r "
       "rho",
       1e-12},
  };
  SUITE_LFD_COST_AND_GENERATE;
};

#undef SUITE_LFD_COST_AND_GENERATE

}  // namespace suite::lfd
