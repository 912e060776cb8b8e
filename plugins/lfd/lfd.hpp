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
// kinetic = fourier, of lfd.propagate and lfd.calc_energy: T is that of plane waves instead, 1/2 (q + A + k)^2 for psi ~
// e^{iq.r} (fourier.hpp), and its exponential for dt, exact for any dt, stands in the place of half, full, half.
//
// Field dynamics (inferred), v and w being the two slices of vH: per field step, with the 7-point Laplacian
// lap,
//   u = kappa (lap v + 4 pi (rho - mean rho)) - gamma w;   w += u;   v += w
// stable for 0 <= gamma < 2 and kappa 4 sum_d 1/h_d^2 < 4 - 2 gamma; it settles at lap v = -4 pi (rho - mean
// rho).
#pragma once

#include <optional>

#include <suite/plugin.hpp>

namespace suite::lfd {

enum class Part { half, full };
// The operator T: second-order differences, or plane waves.
enum class Kinetic { differences, fourier };
enum class Functional { none, pw92, pz81 };
// Eigenvalues of -lap in spectral_field_solve: of the 7-point Laplacian, q^2, or of an isolated charge (no
// images).
enum class Laplacian { differences, continuum, isolated };
// What lfd.propagate does with vH in each step: nothing; the steps of lfd.field_prop with ghost cells and two
// loops, in one fused loop, or all at once through one transform; or lfd.spectral_field_solve.
enum class Field { frozen, loop, fused, closed, spectral, isolated, continuum };
// The eigenvalues with which vH is solved in each step, or none.
inline std::optional<Laplacian> solution_of(Field field) {
  switch (field) {
    case Field::spectral: return Laplacian::differences;
    case Field::isolated: return Laplacian::isolated;
    case Field::continuum: return Laplacian::continuum;
    default: return std::nullopt;
  }
}

using element::integer, element::real;
// Precision of a call: psi and fields are all single or all double; check_precision() holds callers to it.
using any_real = element::Either<element::single, element::real>;
using any_complex = element::Either<element::single_complex, element::complex>;
// Of lfd.hpsi, which takes real orbitals as well.
using any_orbital = element::Either<element::single, element::real, element::single_complex, element::complex>;

// Lines that several kernels share.
namespace line {

// clang-format off
template <class Before>
struct Orbitals : Before {
  using Before::Before;
  SUITE_ARGUMENT(inout, any_complex, psi, "Norb,Nz,Ny,Nx", "bohr^-3/2", "wavefunctions", tolerance{5e-13});
  int64_t norb() const { return this->psi.extent(0); }
};
template <class Before>
struct GivenOrbitals : Before {
  using Before::Before;
  SUITE_ARGUMENT(in, any_complex, psi, "Norb,Nz,Ny,Nx", "bohr^-3/2", "wavefunctions");
  int64_t norb() const { return this->psi.extent(0); }
};
template <class Before>
struct Occupations : Before {
  using Before::Before;
  SUITE_ARGUMENT(in, real, f, "Norb", "1", "occupations, 0 to 2 (times the k-point weight)", copied);
};
template <class Before>
struct Spacings : Before {
  using Before::Before;
  SUITE_ARGUMENT(constant, real, h, "3", "bohr", "grid spacings hx, hy, hz", copied);
};
template <class Before>
struct TimeStep : Before {
  using Before::Before;
  SUITE_ARGUMENT(in, real, dt, "", "hbar/Ha", "time step; may be negative");
};
template <class Before>
struct VectorPotential : Before {
  using Before::Before;
  SUITE_ARGUMENT(in, real, A, "3", "bohr^-1", "vector potential", when_unset("0"), copied);
};
template <class Before>
struct BlochVectors : Before {
  using Before::Before;
  SUITE_ARGUMENT(in, real, k, "3,Norb", "bohr^-1", "Bloch vector of each orbital", when_unset("0"), copied);
};
template <class Before>
struct IonPotential : Before {
  using Before::Before;
  SUITE_ARGUMENT(in, any_real, vloc, "Nz,Ny,Nx", "Ha", "local potential of the ions");
};
template <class Before>
struct Density : Before {
  using Before::Before;
  SUITE_ARGUMENT(in, any_real, rho, "Nz,Ny,Nx", "bohr^-3", "electron density");
};
template <class Before>
struct HartreeField : Before {
  using Before::Before;
  SUITE_ARGUMENT(inout, any_real, vH, "Nz,Ny,Nx,2", "Ha", "Hartree field v and its change per field step w", tolerance{1e-12});
};
template <class Before>
struct GivenHartreeField : Before {
  using Before::Before;
  SUITE_ARGUMENT(in, any_real, vH, "Nz,Ny,Nx,2", "Ha", "Hartree field; its second slice is not used");
};

// Of the Hartree field.
struct WaveEquation : Arguments {
  using Arguments::Arguments;
  SUITE_ARGUMENT(in, real,    kappa,       "", "bohr^2", "(c dtau)^2 of the field step", when_unset("0.9 of the stable limit"));
  SUITE_ARGUMENT(in, real,    gamma,       "", "1",      "damping of the field per step, 0 <= gamma < 2", when_unset("0"));
  SUITE_ARGUMENT(in, integer, field_steps, "", "1",      "field steps per call, or per electronic step", when_unset("1"));
};

// The nonlocal pseudopotential sum_a |beta_i> dnl_ij <beta_j|, on a sphere of grid points around each atom. All four are set, or none.
struct Nonlocal : Arguments {
  using Arguments::Arguments;
  SUITE_ARGUMENT(constant, integer, nlpoint, "nsphere,natom",       "1",         "grid points of each atom's sphere, numbered from 1 in the order of v, "
                                                                                 "each at most once; zeros pad the end", when_unset("no pseudopotential"), copied);
  SUITE_ARGUMENT(constant, real,    nldisp,  "3,nsphere,natom",     "bohr",      "displacements r - R of these points (x, y, z), for the phase exp(-i(A+k).(r-R)) "
                                                                                 "of beta", when_unset("no pseudopotential"));
  SUITE_ARGUMENT(constant, real,    beta,    "nsphere,nproj,natom", "bohr^-3/2", "projectors at these points", when_unset("no pseudopotential"));
  SUITE_ARGUMENT(constant, real,    dnl,     "nproj,nproj,natom",   "Ha",        "coefficients between projectors, symmetric; 0 for projectors that an atom "
                                                                                 "lacks", when_unset("no pseudopotential"));
  int64_t nsphere() const { return beta.extent(0); }
  int64_t nproj() const { return beta.extent(1); }
  int64_t natom() const { return beta.extent(2); }
};
// clang-format on

}  // namespace line

// With<line::Orbitals, line::Spacings>: psi, then h.
template <class Before, template <class> class... Lines> struct Chain {
  using type = Before;
};
template <class Before, template <class> class First, template <class> class... Lines>
struct Chain<Before, First, Lines...> : Chain<First<Before>, Lines...> {};
template <template <class> class... Lines> struct With : Chain<Arguments, Lines...>::type {
  using Before = typename Chain<Arguments, Lines...>::type;
  using Before::Before;
};

#define SUITE_LFD_COST_AND_GENERATE                                \
  static int cost(const suite_array* arguments, suite_cost* cost); \
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error)

struct KinProp : With<line::Orbitals, line::Spacings, line::TimeStep, line::VectorPotential, line::BlochVectors> {
  using With::With;
  static constexpr const char* name = "lfd.kin_prop";
  static constexpr const char* summary = "one part (half or full) of the kinetic propagator along one direction";
  static constexpr const char *merit_unit = "orbital points", *merit_count = "Nx*Ny*Nz*Norb";
  // Parameters: d, p, mass_correction.
  SUITE_LFD_COST_AND_GENERATE;
};

struct PotProp : With<line::Orbitals> {
  using With::With;
  static constexpr const char* name = "lfd.pot_prop";
  static constexpr const char* summary = "multiplies every orbital by the phase u(r)";
  static constexpr const char *merit_unit = "orbital points", *merit_count = "Nx*Ny*Nz*Norb";
  // clang-format off
  SUITE_ARGUMENT(in, any_complex, u, "Nz,Ny,Nx", "1", "exp(-i v dt/2), from lfd.set_prop");
  // clang-format on
  SUITE_LFD_COST_AND_GENERATE;
};

struct SetProp : With<line::TimeStep> {
  using With::With;
  static constexpr const char* name = "lfd.set_prop";
  static constexpr const char* summary = "the phase exp(-i v dt/2) of half a step";
  static constexpr const char *merit_unit = "grid points", *merit_count = "Nx*Ny*Nz";
  // clang-format off
  SUITE_ARGUMENT(in,  any_real,    v, "Nz,Ny,Nx", "Ha", "local potential, from lfd.compute_v");
  SUITE_ARGUMENT(out, any_complex, u, "Nz,Ny,Nx", "1",  "exp(-i v dt/2)", tolerance{1e-14});
  // clang-format on
  SUITE_LFD_COST_AND_GENERATE;
};

struct PeriodicBc : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "lfd.periodic_bc";
  static constexpr const char* summary = "periodic boundary: fills the faces of the ghost layer around a grid";
  static constexpr const char *merit_unit = "orbital points", *merit_count = "Nx*Ny*Nz*Norb";
  // clang-format off
  SUITE_ARGUMENT(inout, any_complex, psi, "Norb,Nz+2,Ny+2,Nx+2", "bohr^-3/2", "wavefunctions with a ghost layer; its six faces are set, edges and corners unchanged",
                                                                             tolerance{1e-15});
  // clang-format on
  SUITE_LFD_COST_AND_GENERATE;
};

struct ComputeRho : With<line::GivenOrbitals, line::Occupations> {
  using With::With;
  static constexpr const char* name = "lfd.compute_rho";
  static constexpr const char* summary = "electron density sum_n f_n |psi_n|^2";
  static constexpr const char *merit_unit = "orbital points", *merit_count = "Nx*Ny*Nz*Norb";
  // clang-format off
  SUITE_ARGUMENT(out, any_real, rho, "Nz,Ny,Nx", "bohr^-3", "electron density", tolerance{1e-14});
  // clang-format on
  SUITE_LFD_COST_AND_GENERATE;
};

struct ComputeVxc : With<line::Density> {
  using With::With;
  static constexpr const char* name = "lfd.compute_vxc";
  static constexpr const char* summary = "exchange and correlation in the local density approximation, unpolarised";
  static constexpr const char *merit_unit = "grid points", *merit_count = "Nx*Ny*Nz";
  // Parameter: functional, without "none": pw92 (Perdew and Wang, Phys. Rev. B 45, 13244 (1992)) or pz81
  // (Perdew and Zunger, Phys. Rev. B 23, 5048 (1981)). Densities below 1e-20 count as 0.
  // clang-format off
  SUITE_ARGUMENT(out, any_real, vxc, "Nz,Ny,Nx", "Ha", "exchange-correlation potential d(rho exc)/d rho", tolerance{1e-13});
  SUITE_ARGUMENT(out, any_real, exc, "Nz,Ny,Nx", "Ha", "exchange-correlation energy per electron", tolerance{1e-13}, when_unset("not computed"));
  // clang-format on
  SUITE_LFD_COST_AND_GENERATE;
};

struct ComputeV : With<line::IonPotential, line::GivenHartreeField, line::Spacings> {
  using With::With;
  static constexpr const char* name = "lfd.compute_v";
  static constexpr const char* summary = "local potential v = vloc + vH + vxc + E.r";
  static constexpr const char *merit_unit = "grid points", *merit_count = "Nx*Ny*Nz";
  // clang-format off
  SUITE_ARGUMENT(in,  any_real, vxc, "Nz,Ny,Nx", "Ha",      "exchange-correlation potential", when_unset("0"));
  SUITE_ARGUMENT(in,  real,     E,   "3",        "Ha/bohr", "electric field", when_unset("0"), copied);
  SUITE_ARGUMENT(out, any_real, v,   "Nz,Ny,Nx", "Ha",      "local potential", tolerance{1e-14});
  // clang-format on
  SUITE_LFD_COST_AND_GENERATE;
};

struct FieldProp : With<line::HartreeField, line::Density, line::Spacings> {
  using With::With;
  static constexpr const char* name = "lfd.field_prop";
  static constexpr const char* summary = "field_steps steps of the Hartree field's wave equation at fixed density";
  static constexpr const char *merit_unit = "grid point steps", *merit_count = "Nx*Ny*Nz*field_steps";
  // Parameter: variant.
  SUITE_ARGUMENT_GROUP(line::WaveEquation, wave);
  SUITE_LFD_COST_AND_GENERATE;
};

struct SpectralFieldSolve : With<line::Density, line::Spacings> {
  using With::With;
  static constexpr const char* name = "lfd.spectral_field_solve";
  static constexpr const char* summary = "Hartree field of a density, solved by Fourier transform";
  static constexpr const char *merit_unit = "grid points", *merit_count = "Nx*Ny*Nz";
  // Parameter: laplacian. Periodic: the mean of v is 0. isolated: the density repeated nowhere, by the
  // truncated Coulomb interaction on a grid twice as large (Vico, Greengard, Ferrando, J. Comput. Phys. 323,
  // 191 (2016)).
  // clang-format off
  SUITE_ARGUMENT(out, any_real, vH, "Nz,Ny,Nx,2", "Ha", "Hartree field; w = 0", tolerance{1e-12});
  // clang-format on
  SUITE_LFD_COST_AND_GENERATE;
};

struct NlpProp : With<line::Orbitals, line::Spacings, line::TimeStep, line::VectorPotential, line::BlochVectors> {
  using With::With;
  static constexpr const char* name = "lfd.nlp_prop";
  static constexpr const char* summary = "exact exponential of the nonlocal pseudopotential, atom by atom";
  static constexpr const char *merit_unit = "orbital points", *merit_count = "Nx*Ny*Nz*Norb";
  // Parameter: order of the atoms, which matters where spheres overlap. Each atom is exact:
  //   psi += B K B^H psi hx hy hz,   K = (exp(-i dt dnl S) - 1) S^-1
  //   B = e^{-i(A+k).(r-R)} beta,    S = B^H B hx hy hz
  SUITE_ARGUMENT_GROUP(line::Nonlocal, nonlocal);
  SUITE_LFD_COST_AND_GENERATE;
};

struct CalcEnergy : With<line::GivenOrbitals, line::Occupations, line::Spacings, line::IonPotential, line::GivenHartreeField, line::Density,
                         line::VectorPotential, line::BlochVectors> {
  using With::With;
  static constexpr const char* name = "lfd.calc_energy";
  static constexpr const char* summary = "electronic energies, by orbital and by term";
  static constexpr const char *merit_unit = "orbital points", *merit_count = "Nx*Ny*Nz*Norb";
  // Parameters: functional, kinetic.
  // clang-format off
  SUITE_ARGUMENT_GROUP(line::Nonlocal, nonlocal);
  SUITE_ARGUMENT(out, real, ekin,   "Norb", "Ha", "<psi_n|T|psi_n>, not normalised", tolerance{1e-12});
  SUITE_ARGUMENT(out, real, enl,    "Norb", "Ha", "<psi_n|V_nl|psi_n>; 0 without V_nl", tolerance{1e-12});
  SUITE_ARGUMENT(out, real, energy, "5",    "Ha", "sum f ekin, int vloc rho, sum f enl, 1/2 int vH rho, int exc rho; their sum is the electronic "
                                                  "energy", tolerance{1e-12});
  // clang-format on
  static int cost_with(const suite_array* arguments, Kinetic kinetic, suite_cost* cost);
  SUITE_LFD_COST_AND_GENERATE;
};

struct Propagate
    : With<line::Orbitals, line::Occupations, line::IonPotential, line::Spacings, line::TimeStep, line::BlochVectors, line::HartreeField> {
  using With::With;
  static constexpr const char* name = "lfd.propagate";
  static constexpr const char* summary = "nsteps complete time steps of electrons and field";
  static constexpr const char *merit_unit = "orbital point steps", *merit_count = "Nx*Ny*Nz*Norb*nsteps";
  // Parameters: field, functional, gauge, mass_correction, kinetic, variant.
  // clang-format off
  SUITE_ARGUMENT(in,  real,     drive,   "3,nsteps", "Ha/bohr or bohr^-1", "E (length gauge) or A (velocity gauge) at the middle of each step", copied);
  SUITE_ARGUMENT_GROUP(line::WaveEquation, wave);
  SUITE_ARGUMENT_GROUP(line::Nonlocal, nonlocal);
  SUITE_ARGUMENT(out, any_real, rho,     "Nz,Ny,Nx", "bohr^-3",            "electron density after the last step", tolerance{1e-12});
  SUITE_ARGUMENT(out, real,     dipole,  "4,nsteps", "bohr",               "after each step: int x rho, int y rho, int z rho, and the number of "
                                                                           "electrons, int rho", tolerance{1e-12});
  SUITE_ARGUMENT(out, real,     current, "3,nsteps", "bohr Ha/hbar",       "after each step: sum_n f_n <psi_n| i[H, r] |psi_n> with A of that step and V_nl "
                                                                           "included; equals d/dt int r rho", tolerance{1e-12}, when_unset("not computed"));
  // clang-format on
  int64_t nsteps() const { return drive.extent(1); }
  static int cost_with(const suite_array* arguments, Kinetic kinetic, suite_cost* cost);
  SUITE_LFD_COST_AND_GENERATE;
};

// H psi on the arrays of any host. With d for the direction of an axis of the grid, R = 1, 2, 3, 4 for differences of second to eighth
// order with the coefficients c_m of the second and d_m of the first derivative (stencil.hpp), and q = A + k_n,
//   (H psi_n)_i = (v_i + sum_d T0_d) psi_i + sum_d sum_{m=1..R} [ E_dm (psi_{i+m} + psi_{i-m}) + i O_dm (psi_{i+m} - psi_{i-m}) ]
//                 + sum_a sum_jl B_j dnl_jl <B_l|psi_n> hx hy hz,    B = e^{-i q.(r-R_a)} beta
//   vector_potential = gradient:  T0 = q^2/2 - c_0/(2h^2),   E_m = -c_m/(2h^2),             O_m = -q d_m/h
//   vector_potential = bonds:     T0 =       - c_0/(2h^2),   E_m = -c_m/(2h^2) cos(m q h),  O_m = -c_m/(2h^2) sin(m q h)
// gradient is 1/2 q^2 - 1/2 lap - i q.grad with differences for lap and grad, as hosts have it. bonds shifts the momenta of the lattice
// by q, so that it depends on the gauge as the continuum does; with second order it is the T above.
// The axes of the grid are numbered as they lie in memory, the fastest first: N1 points, then N2, N3. `axes` says which directions they
// are; h, A, k, nldisp, ghost and boundary are always in the order x, y, z. Orbital n (from 1) is fast + Nfast (slow - 1): psi(Norb,Nz,Ny,Nx)
// has Nfast = Norb, psi(1,Nx,Ny,Nz,Norb) has Nfast = 1. Any number of points is allowed; a periodic direction of one point does not exist
// and has no kinetic energy. Points outside the grid are not read, unless boundary says so; in hpsi they become 0.
struct Hpsi : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "lfd.hpsi";
  static constexpr const char* summary =
      "H psi by differences of second to eighth order, with nonlocal projectors, in the host's order of indices";
  static constexpr const char *merit_unit = "orbital points", *merit_count = "N1*N2*N3*Nfast*Nslow";
  // Parameters: differences, axes, vector_potential.
  // clang-format off
  SUITE_ARGUMENT(in,       any_orbital, psi,      "Nfast,M1,M2,M3[,Nslow]", "bohr^-3/2", "wavefunctions, real or complex, allocated with `ghost` points around the "
                                                                                        "grid: M = N + ghost below + ghost above");
  SUITE_ARGUMENT(in,       any_real,    v,        "N1,N2,N3[,nspin]",       "Ha",        "local potential");
  SUITE_ARGUMENT(constant, real,        h,        "3",                      "bohr",      "grid spacings hx, hy, hz", copied);
  SUITE_ARGUMENT(in,       real,        A,        "3",                      "bohr^-1",   "vector potential, of complex orbitals", when_unset("0"), copied);
  SUITE_ARGUMENT(in,       real,        k,        "3,Norb",                 "bohr^-1",   "Bloch vector of each orbital, of complex orbitals", when_unset("0"), copied);
  SUITE_ARGUMENT(constant, integer,     spin,     "Norb",                   "1",         "potential that each orbital has, from 1 to nspin", when_unset("1"), copied);
  SUITE_ARGUMENT(constant, integer,     ghost,    "2,3",                    "1",         "points of psi and hpsi beyond the grid, below and above it, in x, y, z", when_unset("0"),
                                                                                        copied);
  SUITE_ARGUMENT(constant, integer,     boundary, "3",                      "1",         "what lies beyond the grid in x, y, z: 0 its other side, 1 zeros, 2 the ghost points of psi",
                                                                                        when_unset("0"), copied);
  SUITE_ARGUMENT_GROUP(line::Nonlocal, nonlocal);
  SUITE_ARGUMENT(out,      any_orbital, hpsi,     "Nfast,M1,M2,M3[,Nslow]", "Ha bohr^-3/2", "H psi; 0 at the ghost points", tolerance{1e-13});
  // clang-format on
  int64_t norb() const { return psi.extent(0) * psi.extent(4); }
  static int cost_with(const suite_array* arguments, int radius, suite_cost* cost);
  SUITE_LFD_COST_AND_GENERATE;
};

#undef SUITE_LFD_COST_AND_GENERATE

using kernels = Kernels<KinProp, PotProp, SetProp, PeriodicBc, ComputeRho, ComputeVxc, ComputeV, FieldProp, SpectralFieldSolve, NlpProp,
                        CalcEnergy, Propagate, Hpsi>;

}  // namespace suite::lfd
