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

using namespace element;

// clang-format off

// Rows that kernels share.
struct InBatches : Arguments {
  using Arguments::Arguments;
  SUITE_ARGUMENT(constant, integer, batch_points,    "n_batches+1", "1",          "first point of each batch, from 1; last element: n_points + 1", copied);
  SUITE_ARGUMENT(constant, integer, batch_basis,     "n_batches+1", "1",          "first entry of each batch in i_basis, from 1; last element: n_list + 1", copied);
  SUITE_ARGUMENT(constant, integer, i_basis,         "n_list",      "1",          "basis functions of each batch, from 1, ascending within a batch", copied);

  int64_t n_batches() const { return batch_points.extent(0) - 1; }
  int64_t n_list() const { return i_basis.extent(0); }
};
struct OfFunctions : InBatches {
  using InBatches::InBatches;
  SUITE_ARGUMENT(constant, real,    wave,            "n_wave",        "bohr^-3/2", "chi at the points, from dfpt.basis");
  SUITE_ARGUMENT(in,       real,    C,               "n_basis,n_occ", "1",
                 "coefficients of the occupied orbitals (two electrons each)", when_unset("no orbitals"));

  int64_t n_wave() const { return wave.extent(0); }
};
template <class Before>
struct WithPoints : Before {
  using Before::Before;
  SUITE_ARGUMENT(constant, real,    coords,          "3,n_points",  "bohr",       "coordinates of the points, batch by batch");
  SUITE_ARGUMENT(constant, real,    atom_coords,     "3,n_atoms",   "bohr",       "positions of the nuclei", copied);

  int64_t n_points() const { return coords.extent(1); }
  int64_t n_atoms() const { return atom_coords.extent(1); }
};
template <class Before>
struct WithSpecies : Before {
  using Before::Before;
  SUITE_ARGUMENT(constant, integer, species,         "n_atoms",     "1",          "species of each atom, from 1", copied);
};
template <class Before>
struct WithLogarithmicGrid : Before {
  using Before::Before;
  SUITE_ARGUMENT(constant, real,    r_grid_min,      "n_species",   "bohr",       "first knot of the species' logarithmic grid", copied);
  SUITE_ARGUMENT(constant, real,    r_grid_inc,      "n_species",   "1",          "ratio of neighbouring knots of that grid", copied);

  int64_t n_species() const { return r_grid_min.extent(0); }
};

struct Basis : WithLogarithmicGrid<WithSpecies<WithPoints<InBatches>>> {
  using WithLogarithmicGrid::WithLogarithmicGrid;
  static constexpr const char* name = "dfpt.basis";
  static constexpr const char* summary = "numeric atom-centred orbitals at the points of batches";
  static constexpr const char* merit_unit = "orbital values";
  static constexpr const char* merit_count = "n_wave";
  // With the kinetic radial tables instead of the orbitals' own it gives -1/2 lap chi. A function is 0 from
  // its outer_radius on.
  SUITE_ARGUMENT(constant, integer, basis_atom,      "n_basis",              "1",         "atom of each function, from 1", copied);
  SUITE_ARGUMENT(constant, integer, basis_fn,        "n_basis",              "1",         "radial function of each function, from 1", copied);
  SUITE_ARGUMENT(constant, integer, basis_l,         "n_basis",              "1",         "l of each function, up to 8", copied);
  SUITE_ARGUMENT(constant, integer, basis_m,         "n_basis",              "1",         "m of each function", copied);
  SUITE_ARGUMENT(constant, real,    basis_wave_spl,  "4,n_grid,n_basis_fns", "bohr^-3/2",
                 "splines of R_f = u_f/r on the logarithmic grid of its atom's species");
  SUITE_ARGUMENT(constant, real,    outer_radius,    "n_basis_fns",          "bohr",      "radius from which R_f is 0, at most r_n_grid", copied);
  SUITE_ARGUMENT(out,      real,    wave,            "n_wave",               "bohr^-3/2", "chi, function fastest, batch by batch", tolerance{1e-13});

  int64_t n_basis() const { return basis_atom.extent(0); }
  int64_t n_grid() const { return basis_wave_spl.extent(1); }
  int64_t n_basis_fns() const { return basis_wave_spl.extent(2); }
  int64_t n_wave() const { return wave.extent(0); }
  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct Rho : OfFunctions {
  using OfFunctions::OfFunctions;
  static constexpr const char* name = "dfpt.rho";
  static constexpr const char* summary = "densities at the points from density matrices or from orbitals";
  static constexpr const char* merit_unit = "point directions";
  static constexpr const char* merit_count = "n_points*n_dir";
  // density_matrix set, C and C1 not:  rho_d(r) = sum_mn P_d(m,n) chi_m chi_n
  // C and C1 set:                      rho_d(r) = 4 sum_i psi_i psi1_i,d     C set alone: 2 sum_i psi_i^2,
  // n_dir = 1 with psi_i = sum_m C(m,i) chi_m, psi1_i,d = sum_m C1(m,i,d) chi_m. Parameter: variant.
  SUITE_ARGUMENT(in,       real,    density_matrix,  "n_basis,n_basis,n_dir", "1",
                 "P_d, symmetric; only the upper triangle (m <= n) must be valid", when_unset("densities from C and C1"));
  SUITE_ARGUMENT(in,       real,    C1,              "n_basis,n_occ,n_dir",   "1",
                 "first-order coefficients of the occupied orbitals", when_unset("density of the ground state"));
  SUITE_ARGUMENT(out,      real,    rho,             "n_points,n_dir",        "bohr^-3",  "densities at the points", tolerance{1e-12});

  int64_t n_points() const { return rho.extent(0); }
  int64_t n_dir() const { return rho.extent(1); }
  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

// dfpt.h; not called H like its argument.
struct Hamiltonian : OfFunctions {
  using OfFunctions::OfFunctions;
  static constexpr const char* name = "dfpt.h";
  static constexpr const char* summary = "matrices of local potentials, or their products with orbitals";
  static constexpr const char* merit_unit = "point directions";
  static constexpr const char* merit_count = "n_points*n_dir";
  // H set:         H_d(m,n)  += sum_points W v_d chi_m chi_n     both triangles
  // C and HC set:  HC_d(m,i) += sum_points W v_d chi_m psi_i
  // v unset: 1, which gives the overlap. With wave_right, chi' of another dfpt.basis, chi_m chi_n becomes
  // (chi_m chi'_n + chi'_m chi_n)/2 (the kinetic energy); only for H. Parameter: variant.
  SUITE_ARGUMENT(constant, real,    wave_right,      "n_wave",                "bohr^-3/2", "a second set of functions at the points", when_unset("wave"));
  SUITE_ARGUMENT(constant, real,    partition_tab,   "n_points",              "bohr^3",    "integration weights W of the points");
  SUITE_ARGUMENT(in,       real,    v,               "n_points,n_dir",        "Ha",        "potentials", when_unset("1"));
  SUITE_ARGUMENT(inout,    real,    H,               "n_basis,n_basis,n_dir", "Ha",        "matrices of the potentials, symmetric", when_unset("not computed"), tolerance{1e-12});
  SUITE_ARGUMENT(inout,    real,    HC,              "n_basis,n_occ,n_dir",   "Ha",
                 "products of the matrices with the occupied orbitals", when_unset("not computed"), tolerance{1e-12});

  int64_t n_points() const { return partition_tab.extent(0); }
  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct Multipoles : WithPoints<Arguments> {
  using WithPoints::WithPoints;
  static constexpr const char* name = "dfpt.multipoles";
  static constexpr const char* summary = "partitioned multipole components of densities on the atoms' shells";
  static constexpr const char* merit_unit = "point directions";
  static constexpr const char* merit_count = "n_points*n_dir";
  // rho_multipole(lm,s,a,d) = sum over the points of shell s of atom a of projection_weight rho_d
  // Y_lm(direction from a) (Delley, J. Chem. Phys. 92, 508 (1990)).
  SUITE_ARGUMENT(constant, integer, point_atom,        "n_points",                    "1",       "atom of each point's shell, from 1");
  SUITE_ARGUMENT(constant, integer, point_shell,       "n_points",                    "1",       "shell of each point, from 1");
  SUITE_ARGUMENT(constant, real,    projection_weight, "n_points",                    "1",       "4 pi times angular weight times partition function");
  SUITE_ARGUMENT(in,       real,    rho,               "n_points,n_dir",              "bohr^-3", "densities");
  SUITE_ARGUMENT(out,      real,    rho_multipole,     "n_lm,n_radial,n_atoms,n_dir", "bohr^-3", "components; 0 on shells without points", tolerance{1e-12});

  int64_t n_lm() const { return rho_multipole.extent(0); }
  int64_t n_radial() const { return rho_multipole.extent(1); }
  int64_t n_dir() const { return rho.extent(1); }
  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct Poisson : WithLogarithmicGrid<WithSpecies<Arguments>> {
  using WithLogarithmicGrid::WithLogarithmicGrid;
  static constexpr const char* name = "dfpt.poisson";
  static constexpr const char* summary = "radial potentials of multipole components, as splines, and moments";
  static constexpr const char* merit_unit = "radial potentials";
  static constexpr const char* merit_count = "n_lm*n_atoms*n_dir";
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
  SUITE_ARGUMENT(constant, real,    r_radial,        "n_radial,n_species",             "bohr",          "radii of the shells, ascending", copied);
  SUITE_ARGUMENT(constant, integer, radial_points,   "n_species",                      "1",             "number of shells of each species, at least 4", copied);
  SUITE_ARGUMENT(constant, real,    grid_shell,      "n_grid,n_species",               "1",
                 "shell number at each point of the logarithmic grid: 0 at the nucleus, s at shell s, smooth in between", copied);
  SUITE_ARGUMENT(constant, real,    knots,           "n_knots,n_species",              "bohr",
                 "radii of the tables' knots, ascending; the first may be 0", copied);
  SUITE_ARGUMENT(in,       real,    rho_multipole,   "n_lm,n_radial,n_atoms,n_dir",    "bohr^-3",       "components on the shells, from dfpt.multipoles");
  SUITE_ARGUMENT(out,      real,    potential_spl,   "n_lm,4,n_knots,n_atoms,n_dir",   "Ha",            "splines of the potentials v", tolerance{1e-11});
  SUITE_ARGUMENT(out,      real,    moments,         "n_lm,n_atoms,n_dir",             "Ha bohr^(l+1)",
                 "multipole moments 4 pi/(2l+1) int s^(l+2) f ds; v = moment/r^(l+1) outside", tolerance{1e-12});
  SUITE_ARGUMENT(out,      real,    density_spl,     "n_lm,4,n_knots,n_atoms,n_dir",   "bohr^-3",
                 "splines of the components f, made in the same two steps", when_unset("not computed"), tolerance{1e-11});

  int64_t n_radial() const { return r_radial.extent(0); }
  int64_t n_grid() const { return grid_shell.extent(0); }
  int64_t n_knots() const { return knots.extent(0); }
  int64_t n_lm() const { return rho_multipole.extent(0); }
  int64_t n_atoms() const { return rho_multipole.extent(2); }
  int64_t n_dir() const { return rho_multipole.extent(3); }
  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct SumUp : WithSpecies<WithPoints<Arguments>> {
  using WithSpecies::WithSpecies;
  static constexpr const char* name = "dfpt.sum_up";
  static constexpr const char* summary = "potentials at the points from the multipoles of all atoms";
  static constexpr const char* merit_unit = "point-atom pairs";
  static constexpr const char* merit_count = "n_points*n_atoms*n_dir";
  // potential_d(r) = sum_a sum_lm v_lm(|r - R_a|) Y_lm(direction from a): by the table where |r - R_a| is
  // below multipole_radius of a's species, moment/r^(l+1) beyond. Parameters: variant; far (direct or tree),
  // where an implementation has it.
  SUITE_ARGUMENT(constant, integer, atom_table,       "n_atoms",                        "1",
                 "number of each atom's table and moments, from 1 (one per atom, or one per species)", copied);
  SUITE_ARGUMENT(constant, real,    r_grid_min,       "n_species",                      "bohr",
                 "first knot of the species' logarithmic grid", copied, when_unset("knots by shells"));
  SUITE_ARGUMENT(constant, real,    r_grid_inc,       "n_species",                      "1",
                 "ratio of neighbouring knots of that grid", copied, when_unset("knots by shells"));
  SUITE_ARGUMENT(constant, real,    grid_scale,       "n_species",                      "bohr",
                 "scale of the species' grid by shells", copied, when_unset("logarithmic knots"));
  SUITE_ARGUMENT(constant, real,    grid_max,         "n_species",                      "bohr",
                 "last knot of the grid by shells", copied, when_unset("logarithmic knots"));
  SUITE_ARGUMENT(constant, real,    multipole_radius, "n_species",                      "bohr",
                 "radius where the far field begins, at most the last knot", copied);
  SUITE_ARGUMENT(in,       real,    potential_spl,    "n_lm,4,n_knots,n_tables,n_dir",  "Ha",            "splines, from dfpt.poisson");
  SUITE_ARGUMENT(in,       real,    moments,          "n_lm,n_tables,n_dir",            "Ha bohr^(l+1)", "multipole moments");
  SUITE_ARGUMENT(out,      real,    potential,        "n_points,n_dir",                 "Ha",            "potentials at the points", tolerance{1e-12});

  int64_t n_lm() const { return potential_spl.extent(0); }
  int64_t n_knots() const { return potential_spl.extent(2); }
  int64_t n_tables() const { return potential_spl.extent(3); }
  int64_t n_dir() const { return potential.extent(1); }
  int64_t n_species() const { return multipole_radius.extent(0); }
  // Where the far field of an atom begins.
  double radius_of(int64_t atom) const { return multipole_radius(species(atom) - 1); }
  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct Response : Arguments {
  using Arguments::Arguments;
  static constexpr const char* name = "dfpt.response";
  static constexpr const char* summary = "first-order orbitals and density matrices of a perturbation";
  static constexpr const char* merit_unit = "coefficients";
  static constexpr const char* merit_count = "n_basis*n_states*n_dir";
  // U(a,i) = <a|H1|i>/(e_i - e_a), C1_i = sum_a C_a U(a,i) over the empty states a, P1 = 2 sum_i (C1_i C_i^T
  // + C_i C1_i^T) (sum over states of the Sternheimer equation; Shang et al.). H1 or HC1 is set, C1 or P1 or
  // both. A state a that does not lie above every occupied one is refused.
  SUITE_ARGUMENT(in,       real,    C,               "n_basis,n_states",         "1",  "coefficients of all states, occupied ones first");
  SUITE_ARGUMENT(in,       real,    eigenvalues,     "n_states",                 "Ha", "eigenvalues of all states");
  SUITE_ARGUMENT(constant, integer, n_occ,           "",                         "1",  "number of occupied states");
  SUITE_ARGUMENT(in,       real,    H1,              "n_basis,n_basis,n_dir",    "Ha", "first-order Hamiltonian matrices, symmetric", when_unset("HC1 is given"));
  SUITE_ARGUMENT(in,       real,    HC1,             "n_basis,n_occupied,n_dir", "Ha",
                 "products of H1 with the occupied orbitals; n_occupied = n_occ", when_unset("H1 is given"));
  SUITE_ARGUMENT(out,      real,    C1,              "n_basis,n_occupied,n_dir", "1",  "first-order orbitals", when_unset("not computed"), tolerance{1e-11});
  SUITE_ARGUMENT(out,      real,    density_matrix,  "n_basis,n_basis,n_dir",    "1",  "first-order density matrices P1", when_unset("not computed"), tolerance{1e-11});

  int64_t n_basis() const { return C.extent(0); }
  int64_t n_states() const { return C.extent(1); }
  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

struct Reciprocal : WithPoints<Arguments> {
  using WithPoints::WithPoints;
  static constexpr const char* name = "dfpt.reciprocal";
  static constexpr const char* summary = "the long-range part of a crystal's potential at the points, by a sum over plane waves";
  static constexpr const char* merit_unit = "points times plane waves";
  static constexpr const char* merit_count = "n_points*n_g*n_dir";
  // In a crystal the potential moment/r^(l+1) Y_lm of an atom and all its images is split by Ewald's method with
  // a radius r0. With f_l(r) = (1/r d/dr)^l [erf(r/r0)/r]
  //   near:  v_lm(r) - moment (-1)^l/(2l-1)!! r^l f_l(r), by tables and dfpt.sum_up over the images within reach
  //   far:   potential_d(r) += sum_G g_weight(G) Re[e^(iG.r) S_d(G)], which is this kernel
  //          S_d(G) = sum_a e^(-iG.R_a) sum_lm moments(lm,a,d) (-i)^l/(2l-1)!! |G|^l Y_lm(direction of G)
  //          g_weight = 8 pi/Omega e^(-G^2 r0^2/4)/G^2 for one of each pair G, -G; Omega: volume of the cell
  // (Delley, J. Phys. Chem. 100, 6107 (1996), for multipoles of any l; Blum et al.). G = 0 is left
  // out: neutral cells alone have a potential, up to a constant.
  SUITE_ARGUMENT(constant, integer, g_index,     "3,n_g",             "1",             "G = sum_i g_index(i) b_i, up to 1000, not 0; one of each pair G, -G", copied);
  SUITE_ARGUMENT(constant, real,    reciprocal,  "3,3",               "bohr^-1",       "reciprocal lattice vectors b_i as columns, with their factor 2 pi", copied);
  SUITE_ARGUMENT(constant, real,    g_weight,    "n_g",               "bohr^-1",       "weight of each G", copied);
  SUITE_ARGUMENT(in,       real,    moments,     "n_lm,n_atoms,n_dir", "Ha bohr^(l+1)", "multipole moments, from dfpt.poisson");
  SUITE_ARGUMENT(inout,    real,    potential,   "n_points,n_dir",    "Ha",            "potentials at the points", tolerance{1e-12});

  int64_t n_g() const { return g_index.extent(1); }
  int64_t n_lm() const { return moments.extent(0); }
  int64_t n_dir() const { return potential.extent(1); }
  static int cost(const suite_array* arguments, suite_cost* cost);
  static int generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error);
};

// clang-format on

using kernels = Kernels<Basis, Rho, Hamiltonian, Multipoles, Poisson, SumUp, Response, Reciprocal>;

}  // namespace suite::dfpt
