// SPDX-License-Identifier: BSD-3-Clause
// dfpt - all-electron density-functional perturbation theory with numeric atom-centred orbitals: the kernels
// that FHI-aims' developers name as its hot spots, rho, sum_up and H ("An OpenCL implementation of
// all-electron density-functional perturbation theory in FHI-aims", Front. Chem. 11, 1156891 (2023); Shang et
// al., Comput. Phys. Commun. 215, 26 (2017); Blum et al., Comput. Phys. Commun. 180, 2175 (2009)), and the
// smaller ones between them. FHI-aims' source is not public and was not read: formulas are from papers
// (docs/theory/dfpt.md), names are those of its manual and papers.
//
// Hartree atomic units. Basis function i sits on atom basis_atom(i): chi_i(r) = R_f(|r - R_a|)
// Y_lm(direction), f = basis_fn(i). Y_lm are real orthonormal spherical harmonics without the Condon-Shortley
// phase, m < 0 with sin(|m| phi), m > 0 with cos(m phi); component (l,m) is number l^2 + l + m + 1 of n_lm =
// (l_max+1)^2.
//
// Points come in batches (Havu et al., J. Comput. Phys. 228, 8367 (2009)): batch b has the points
// batch_points(b) to batch_points(b+1)-1 and the n_compute basis functions i_basis(batch_basis(b)) to
// i_basis(batch_basis(b+1)-1), all numbers from 1. wave holds chi at the points, batch after batch, function
// fastest: n_wave = sum over batches of n_compute times points. A caller short of memory gives some batches
// at a time.
//
// n_dir quantities of a kind are treated at once: 3 directions of a field, or 1 for the ground state.
//
// Radial tables are cubic splines: 4 coefficients a knot, a + b d + c d^2 + e d^3, d from 0 to 1 being what
// the knot number x lies behind the knot (the last knot's b, c, e do not count and are 0). Knots k
// = 1..n_knots are uniform in one of two ways, by which arguments are set:
//   r_grid_min and r_grid_inc:  r_k = r_grid_min r_grid_inc^(k-1)                                logarithmic
//   grid_scale and grid_max:    sqrt(1 - exp(-r_k/grid_scale)) from 0 to its value at grid_max   by shells
// At the first knot and below the table is taken at it, and only l = 0 counts; behind the last knot it is
// taken at that one.
#pragma once

#include <suite/plugin.hpp>

namespace suite::dfpt {

namespace argument {
inline constexpr suite_argument batch_points{"batch_points",
                                             SUITE_INT32,
                                             1,
                                             SUITE_CONSTANT,
                                             "n_batches+1",
                                             "1",
                                             "first point of each batch, from 1; last: n_points + 1",
                                             0};
inline constexpr suite_argument batch_basis{"batch_basis",
                                            SUITE_INT32,
                                            1,
                                            SUITE_CONSTANT,
                                            "n_batches+1",
                                            "1",
                                            "first entry of each batch in i_basis, from 1; last: n_list + 1",
                                            0};
inline constexpr suite_argument i_basis{"i_basis",
                                        SUITE_INT32,
                                        1,
                                        SUITE_CONSTANT,
                                        "n_list",
                                        "1",
                                        "basis functions of each batch, from 1, rising within a batch",
                                        0};
inline constexpr suite_argument coords{
    "coords", SUITE_REAL64, 2, SUITE_CONSTANT, "3,n_points", "bohr", "points, batch after batch", 0};
inline constexpr suite_argument atom_coords{"atom_coords", SUITE_REAL64, 2,        SUITE_CONSTANT,
                                            "3,n_atoms",   "bohr",       "nuclei", 0};
inline constexpr suite_argument species{
    "species", SUITE_INT32, 1, SUITE_CONSTANT, "n_atoms", "1", "species of each atom, from 1", 0};
inline constexpr suite_argument r_grid_min{"r_grid_min",
                                           SUITE_REAL64,
                                           1,
                                           SUITE_CONSTANT,
                                           "n_species",
                                           "bohr",
                                           "first knot of the species' logarithmic grid",
                                           0};
inline constexpr suite_argument r_grid_inc{
    "r_grid_inc", SUITE_REAL64, 1, SUITE_CONSTANT, "n_species", "1", "ratio of neighbouring knots of it", 0};
inline constexpr suite_argument grid_scale{"grid_scale",
                                           SUITE_REAL64,
                                           1,
                                           SUITE_CONSTANT | SUITE_OPTIONAL,
                                           "n_species",
                                           "bohr",
                                           "scale of the species' grid by shells",
                                           0};
inline constexpr suite_argument grid_max{
    "grid_max", SUITE_REAL64, 1, SUITE_CONSTANT | SUITE_OPTIONAL, "n_species", "bohr", "last knot of it", 0};
inline constexpr suite_argument wave{
    "wave", SUITE_REAL64, 1, SUITE_CONSTANT, "n_wave", "bohr^-3/2", "chi at the points, from dfpt.basis", 0};
inline constexpr suite_argument C{"C",
                                  SUITE_REAL64,
                                  2,
                                  SUITE_IN | SUITE_OPTIONAL,
                                  "n_basis,n_occ",
                                  "1",
                                  "coefficients of the occupied orbitals, two electrons in each",
                                  0};
constexpr suite_argument optional(suite_argument argument) {
  argument.intent |= SUITE_OPTIONAL;
  return argument;
}
}  // namespace argument

#define SUITE_DFPT_COST_AND_GENERATE                               \
  static int cost(const suite_array* arguments, suite_cost* cost); \
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error)

struct Basis {
  static constexpr const char* name = "dfpt.basis";
  static constexpr const char* summary = "numeric atom-centred orbitals at the points of batches";
  static constexpr const char* merit = "orbital values: n_wave";
  // With the kinetic radial tables instead of the orbitals' own it gives -1/2 lap chi. A function is 0 from
  // its outer_radius on.
  enum : int {
    batch_points,
    batch_basis,
    i_basis,
    coords,
    atom_coords,
    species,
    basis_atom,
    basis_fn,
    basis_l,
    basis_m,
    r_grid_min,
    r_grid_inc,
    basis_wave_spl,
    outer_radius,
    wave
  };
  static constexpr suite_argument arguments[] = {
      argument::batch_points,
      argument::batch_basis,
      argument::i_basis,
      argument::coords,
      argument::atom_coords,
      argument::species,
      {"basis_atom", SUITE_INT32, 1, SUITE_CONSTANT, "n_basis", "1", "atom of each function, from 1", 0},
      {"basis_fn", SUITE_INT32, 1, SUITE_CONSTANT, "n_basis", "1", "radial function of each, from 1", 0},
      {"basis_l", SUITE_INT32, 1, SUITE_CONSTANT, "n_basis", "1", "l of each, up to 8", 0},
      {"basis_m", SUITE_INT32, 1, SUITE_CONSTANT, "n_basis", "1", "m of each", 0},
      argument::r_grid_min,
      argument::r_grid_inc,
      {"basis_wave_spl", SUITE_REAL64, 3, SUITE_CONSTANT, "4,n_grid,n_basis_fns", "bohr^-3/2",
       "splines of R_f = u_f/r on the logarithmic grid of its atom's species", 0},
      {"outer_radius", SUITE_REAL64, 1, SUITE_CONSTANT, "n_basis_fns", "bohr",
       "where R_f ends, at most r_n_grid", 0},
      {"wave", SUITE_REAL64, 1, SUITE_OUT, "n_wave", "bohr^-3/2", "chi, function fastest, batch after batch",
       1e-13},
  };
  SUITE_DFPT_COST_AND_GENERATE;
};

struct Rho {
  static constexpr const char* name = "dfpt.rho";
  static constexpr const char* summary = "densities at the points from density matrices or from orbitals";
  static constexpr const char* merit = "point directions: n_points*n_dir";
  // density_matrix set, C and C1 not:  rho_d(r) = sum_mn P_d(m,n) chi_m chi_n
  // C and C1 set:                      rho_d(r) = 4 sum_i psi_i psi1_i,d     C set alone: 2 sum_i psi_i^2,
  // n_dir = 1 with psi_i = sum_m C(m,i) chi_m, psi1_i,d = sum_m C1(m,i,d) chi_m. Parameter: variant.
  enum : int { batch_points, batch_basis, i_basis, wave, density_matrix, C, C1, rho };
  static constexpr suite_argument arguments[] = {
      argument::batch_points,
      argument::batch_basis,
      argument::i_basis,
      argument::wave,
      {"density_matrix", SUITE_REAL64, 3, SUITE_IN | SUITE_OPTIONAL, "n_basis,n_basis,n_dir", "1",
       "P_d, symmetric; only the upper triangle (m <= n) need be right", 0},
      argument::C,
      {"C1", SUITE_REAL64, 3, SUITE_IN | SUITE_OPTIONAL, "n_basis,n_occ,n_dir", "1",
       "first-order coefficients of the occupied orbitals", 0},
      {"rho", SUITE_REAL64, 2, SUITE_OUT, "n_points,n_dir", "bohr^-3", "densities at the points", 1e-12},
  };
  SUITE_DFPT_COST_AND_GENERATE;
};

struct H {
  static constexpr const char* name = "dfpt.h";
  static constexpr const char* summary = "matrices of local potentials, or their products with orbitals";
  static constexpr const char* merit = "point directions: n_points*n_dir";
  // H set:         H_d(m,n)  += sum_points W v_d chi_m chi_n     both triangles
  // C and HC set:  HC_d(m,i) += sum_points W v_d chi_m psi_i
  // v unset: 1, which gives the overlap. With wave_right, chi' of another dfpt.basis, chi_m chi_n becomes
  // (chi_m chi'_n + chi'_m chi_n)/2 (the kinetic energy); only for H. Parameter: variant.
  enum : int { batch_points, batch_basis, i_basis, wave, wave_right, partition_tab, v, C, H_, HC };
  static constexpr suite_argument arguments[] = {
      argument::batch_points,
      argument::batch_basis,
      argument::i_basis,
      argument::wave,
      {"wave_right", SUITE_REAL64, 1, SUITE_CONSTANT | SUITE_OPTIONAL, "n_wave", "bohr^-3/2",
       "a second set of functions at the points", 0},
      {"partition_tab", SUITE_REAL64, 1, SUITE_CONSTANT, "n_points", "bohr^3", "W, the points' weights", 0},
      {"v", SUITE_REAL64, 2, SUITE_IN | SUITE_OPTIONAL, "n_points,n_dir", "Ha", "potentials; 1 when unset",
       0},
      argument::C,
      {"H", SUITE_REAL64, 3, SUITE_INOUT | SUITE_OPTIONAL, "n_basis,n_basis,n_dir", "Ha",
       "symmetric matrices", 1e-12},
      {"HC", SUITE_REAL64, 3, SUITE_INOUT | SUITE_OPTIONAL, "n_basis,n_occ,n_dir", "Ha",
       "their products with the occupied orbitals", 1e-12},
  };
  SUITE_DFPT_COST_AND_GENERATE;
};

struct Multipoles {
  static constexpr const char* name = "dfpt.multipoles";
  static constexpr const char* summary = "partitioned multipole components of densities on the atoms' shells";
  static constexpr const char* merit = "point directions: n_points*n_dir";
  // rho_multipole(lm,s,a,d) = sum over the points of shell s of atom a of projection_weight rho_d
  // Y_lm(direction from a) (Delley, J. Chem. Phys. 92, 508 (1990)).
  enum : int { coords, atom_coords, point_atom, point_shell, projection_weight, rho, rho_multipole };
  static constexpr suite_argument arguments[] = {
      argument::coords,
      argument::atom_coords,
      {"point_atom", SUITE_INT32, 1, SUITE_CONSTANT, "n_points", "1",
       "the atom of each point's shell, from 1", 0},
      {"point_shell", SUITE_INT32, 1, SUITE_CONSTANT, "n_points", "1", "the shell, from 1", 0},
      {"projection_weight", SUITE_REAL64, 1, SUITE_CONSTANT, "n_points", "1",
       "4 pi times angular weight times partition function", 0},
      {"rho", SUITE_REAL64, 2, SUITE_IN, "n_points,n_dir", "bohr^-3", "densities", 0},
      {"rho_multipole", SUITE_REAL64, 4, SUITE_OUT, "n_lm,n_radial,n_atoms,n_dir", "bohr^-3",
       "components; 0 on shells without points", 1e-12},
  };
  SUITE_DFPT_COST_AND_GENERATE;
};

struct Poisson {
  static constexpr const char* name = "dfpt.poisson";
  static constexpr const char* summary = "radial potentials of multipole components, as splines, and moments";
  static constexpr const char* merit = "radial potentials: n_lm*n_atoms*n_dir";
  // 1. From shells to the logarithmic grid: cubic not-a-knot spline in the shell's number, with knot 0 at the
  //    nucleus (l = 0: the parabola through the first three shells, in r; else 0) and knot n + 1 of value 0
  //    behind the n = radial_points shells; 0 where grid_shell > n.
  // 2. v(r) = 4 pi/(2l+1) [r^-(l+1) int_0^r s^(l+2) f ds + r^l int_r^inf s^(1-l) f ds], x = ln r, an
  //    interval by the cubic through its four nearest points, h/24 (-1,13,13,-1), at the ends h/24
  //    (9,19,-5,1); below the first point f is constant; the first integral is summed outwards, the second
  //    inwards (differences would lose every digit for l >= 2).
  // 3. At the radii `knots` by the polynomial through the six nearest points in x, below the first point as
  //    r^l; behind the last shell moment/r^(l+1), and 0 for f. Then the cubic not-a-knot spline in the knot's
  //    number.
  // The six points are those from floor(x) - 2 to floor(x) + 3 (x from 0), shifted inwards at the ends. The
  // logarithmic grid reaches behind the last shell.
  enum : int {
    species,
    r_radial,
    radial_points,
    r_grid_min,
    r_grid_inc,
    grid_shell,
    knots,
    rho_multipole,
    potential_spl,
    moments,
    density_spl
  };
  static constexpr suite_argument arguments[] = {
      argument::species,
      {"r_radial", SUITE_REAL64, 2, SUITE_CONSTANT, "n_radial,n_species", "bohr",
       "radii of the shells, rising", 0},
      {"radial_points", SUITE_INT32, 1, SUITE_CONSTANT, "n_species", "1",
       "how many the species has, at least 4", 0},
      argument::r_grid_min,
      argument::r_grid_inc,
      {"grid_shell", SUITE_REAL64, 2, SUITE_CONSTANT, "n_grid,n_species", "1",
       "the shell's number at each point of the logarithmic grid: 0 at the nucleus, s at shell s, smooth "
       "between",
       0},
      {"knots", SUITE_REAL64, 2, SUITE_CONSTANT, "n_knots,n_species", "bohr",
       "radii of the tables' knots, rising; the first may be 0", 0},
      {"rho_multipole", SUITE_REAL64, 4, SUITE_IN, "n_lm,n_radial,n_atoms,n_dir", "bohr^-3",
       "components on the shells, from dfpt.multipoles", 0},
      {"potential_spl", SUITE_REAL64, 5, SUITE_OUT, "n_lm,4,n_knots,n_atoms,n_dir", "Ha", "splines of v",
       1e-11},
      {"moments", SUITE_REAL64, 3, SUITE_OUT, "n_lm,n_atoms,n_dir", "Ha bohr^(l+1)",
       "4 pi/(2l+1) int s^(l+2) f ds, so that v = moment/r^(l+1) outside", 1e-12},
      {"density_spl", SUITE_REAL64, 5, SUITE_OUT | SUITE_OPTIONAL, "n_lm,4,n_knots,n_atoms,n_dir", "bohr^-3",
       "splines of f itself, by the same two steps", 1e-11},
  };
  SUITE_DFPT_COST_AND_GENERATE;
};

struct SumUp {
  static constexpr const char* name = "dfpt.sum_up";
  static constexpr const char* summary = "potentials at the points from the multipoles of all atoms";
  static constexpr const char* merit = "point-atom pairs: n_points*n_atoms*n_dir";
  // potential_d(r) = sum_a sum_lm v_lm(|r - R_a|) Y_lm(direction from a): by the table where |r - R_a| is
  // below multipole_radius of a's species, moment/r^(l+1) beyond. Parameters: variant; far (direct or tree),
  // where an implementation has it.
  enum : int {
    coords,
    atom_coords,
    species,
    atom_table,
    r_grid_min,
    r_grid_inc,
    grid_scale,
    grid_max,
    multipole_radius,
    potential_spl,
    moments,
    potential
  };
  static constexpr suite_argument arguments[] = {
      argument::coords,
      argument::atom_coords,
      argument::species,
      {"atom_table", SUITE_INT32, 1, SUITE_CONSTANT, "n_atoms", "1",
       "each atom's table and moments, from 1: its own, or its species'", 0},
      argument::optional(argument::r_grid_min),
      argument::optional(argument::r_grid_inc),
      argument::grid_scale,
      argument::grid_max,
      {"multipole_radius", SUITE_REAL64, 1, SUITE_CONSTANT, "n_species", "bohr",
       "where the far field begins, at most the last knot", 0},
      {"potential_spl", SUITE_REAL64, 5, SUITE_IN, "n_lm,4,n_knots,n_tables,n_dir", "Ha",
       "splines, from dfpt.poisson", 0},
      {"moments", SUITE_REAL64, 3, SUITE_IN, "n_lm,n_tables,n_dir", "Ha bohr^(l+1)", "multipole moments", 0},
      {"potential", SUITE_REAL64, 2, SUITE_OUT, "n_points,n_dir", "Ha", "potentials at the points", 1e-12},
  };
  SUITE_DFPT_COST_AND_GENERATE;
};

struct Response {
  static constexpr const char* name = "dfpt.response";
  static constexpr const char* summary = "first-order orbitals and density matrices of a perturbation";
  static constexpr const char* merit = "coefficients: n_basis*n_states*n_dir";
  // U(a,i) = <a|H1|i>/(e_i - e_a), C1_i = sum_a C_a U(a,i) over the empty states a, P1 = 2 sum_i (C1_i C_i^T
  // + C_i C1_i^T) (sum over states of the Sternheimer equation; Shang et al.). H1 or HC1 is set, C1 or P1 or
  // both. A state a that does not lie above every occupied one is refused.
  enum : int { C, eigenvalues, n_occ, H1, HC1, C1, density_matrix };
  static constexpr suite_argument arguments[] = {
      {"C", SUITE_REAL64, 2, SUITE_IN, "n_basis,n_states", "1",
       "coefficients of all states, occupied ones first", 0},
      {"eigenvalues", SUITE_REAL64, 1, SUITE_IN, "n_states", "Ha", "of all states", 0},
      {"n_occ", SUITE_INT32, 0, SUITE_CONSTANT, "", "1", "number of occupied states", 0},
      {"H1", SUITE_REAL64, 3, SUITE_IN | SUITE_OPTIONAL, "n_basis,n_basis,n_dir", "Ha",
       "first-order matrices, symmetric", 0},
      {"HC1", SUITE_REAL64, 3, SUITE_IN | SUITE_OPTIONAL, "n_basis,n_occupied,n_dir", "Ha",
       "their products with the occupied orbitals; n_occupied = n_occ", 0},
      {"C1", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "n_basis,n_occupied,n_dir", "1",
       "first-order orbitals", 1e-11},
      {"density_matrix", SUITE_REAL64, 3, SUITE_OUT | SUITE_OPTIONAL, "n_basis,n_basis,n_dir", "1", "P1",
       1e-11},
  };
  SUITE_DFPT_COST_AND_GENERATE;
};

#undef SUITE_DFPT_COST_AND_GENERATE

}  // namespace suite::dfpt
