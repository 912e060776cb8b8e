// SPDX-License-Identifier: BSD-3-Clause
// Deterministic inputs of any size for the kernels of this family. Compiled into every implementation.
#include <suite/generate.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include "dfpt.hpp"
#include "grid.hpp"
#include "harmonics.hpp"
#include "molecule.hpp"
#include "sizes.hpp"
#include "spline.hpp"

namespace suite::dfpt {
namespace {

using generate::parallel, generate::Random, generate::shape;

double* reals(const suite_array& array) { return static_cast<double*>(array.data); }
int32_t* integers(const suite_array& array) { return static_cast<int32_t*>(array.data); }
int32_t int32_of(int64_t n) { return static_cast<int32_t>(n); }

int64_t elements_of(const suite_array& array) {
  int64_t count = 1;
  for (int d = 0; d < array.rank; ++d) count *= array.extent[d];
  return count;
}

// A triclinic cell around all atoms and its plane waves of an ellipsoid, any one of each pair G, -G.
struct Crystal {
  double b[3][3] = {}, volume = 0, sharpness = 0;  // b[i]: vector i; sharpness: r0^2/4
  std::vector<std::array<int32_t, 3>> g;
  double square(const std::array<int32_t, 3>& index) const {
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
      const double along = b[0][d] * index[0] + b[1][d] * index[1] + b[2][d] * index[2];
      sum += along * along;
    }
    return sum;
  }
};
Crystal crystal_of(const Molecule& molecule, int32_t waves, uint64_t seed) {
  double a[3][3] = {}, longest = 0;
  constexpr double shear[3][3] = {{1, 0.1, -0.05}, {0, 1, 0.15}, {0.2, 0, 1}};
  for (int i = 0; i < 3; ++i) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t atom = 0; atom < molecule.count(); ++atom) {
      low = std::min(low, molecule.at(atom)[i]);
      high = std::max(high, molecule.at(atom)[i]);
    }
    for (int d = 0; d < 3; ++d) a[i][d] = (high - low + 5 + i) * shear[i][d];
  }
  Crystal crystal;
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) {
      const double *const u = a[(i + 1) % 3], *const v = a[(i + 2) % 3];
      crystal.b[i][d] = u[(d + 1) % 3] * v[(d + 2) % 3] - u[(d + 2) % 3] * v[(d + 1) % 3];
    }
  for (int d = 0; d < 3; ++d) crystal.volume += a[0][d] * crystal.b[0][d];
  for (auto& vector : crystal.b)
    for (double& x : vector) x *= 2 * std::numbers::pi / crystal.volume;
  const Random random(seed, 7);
  for (int32_t i = 0; i <= waves; ++i)
    for (int32_t j = -waves; j <= waves; ++j)
      for (int32_t k = -waves; k <= waves; ++k) {
        const bool chosen = i > 0 || j > 0 || (j == 0 && k > 0);
        const bool hole = waves % 2 == 1 && i % 2 == 1 && j == 0;  // a host may leave any of them out
        if (!chosen || hole || i * i + j * j + k * k > waves * waves + 1) continue;
        const int32_t sign = random(static_cast<int64_t>(crystal.g.size())) < 0.5 ? -1 : 1;
        crystal.g.push_back({sign * i, sign * j, sign * k});
        longest = std::max(longest, crystal.square(crystal.g.back()));
      }
  crystal.sharpness = 4 / longest;
  return crystal;
}

// What the arguments of a call have in common.
class Inputs {
public:
  Inputs(std::string_view kernel, const Size& s, uint64_t seed);
  int64_t extent(std::string_view word) const;
  bool wants(std::string_view optional) const;
  void fill(std::string_view name, const suite_array& array) const;

private:
  bool is(std::string_view kernel) const { return kernel_ == kernel; }
  int64_t n_occ() const;
  int64_t n_states() const { return s_.nstates > 0 ? std::min(s_.nstates, basis_.count()) : basis_.count(); }
  double table_end() const;
  // Short grids begin further out, so that what lies below them counts.
  double r_min(int64_t species) const { return (s_.nlog < 100 ? 0.05 : 1e-4) / static_cast<double>(1 + 5 * species); }
  double increment(int64_t species, double end, int64_t n) const { return std::pow(end / r_min(species), 1 / static_cast<double>(n - 1)); }
  double log_end() const { return is("dfpt.basis") ? 1.2 * cutoff_radius : 15; }
  RadialGrid knots(int64_t species, double end) const;

  bool fill_grid(std::string_view name, const suite_array& array) const;
  bool fill_molecule(std::string_view name, const suite_array& array) const;
  bool fill_basis(std::string_view name, const suite_array& array) const;
  bool fill_matrices(std::string_view name, const suite_array& array) const;
  bool fill_shells(std::string_view name, const suite_array& array) const;
  bool fill_tables(std::string_view name, const suite_array& array) const;
  bool fill_plane_waves(std::string_view name, const suite_array& array) const;
  void fill_wave(const suite_array& array, bool right) const;
  void fill_radial_functions(const suite_array& array) const;
  void fill_components(const suite_array& array) const;
  void fill_potentials(const suite_array& array) const;

  std::string_view kernel_;
  Size s_;
  uint64_t seed_;
  Molecule molecule_;
  BasisSet basis_;
  IntegrationGrid grid_;
  Active active_;
  std::vector<Shells> shells_;
  Crystal crystal_;  // dfpt.reciprocal
};

Inputs::Inputs(std::string_view kernel, const Size& s, uint64_t seed) : kernel_(kernel), s_(s), seed_(seed) {
  molecule_ = molecule_of(s.natoms);
  basis_ = basis_of(molecule_, s.lbasis);
  for (int species = 0; species < n_elements; ++species) shells_.push_back(shells_of(species, s.coarse));
  if (is("dfpt.poisson") || is("dfpt.response")) return;
  grid_ = grid_of(molecule_, s.points, s.nbatches, s.coarse);
  if (s.field == far_field)
    for (GridPoint& p : grid_.points) p.r[0] += 40;
  if (s.nucleus) {
    std::copy_n(molecule_.at(0), 3, grid_.points.front().r);
    std::copy_n(molecule_.at(s.natoms - 1), 3, grid_.points.back().r);
    grid_.points.back().r[2] += 1e-6;
  }
  if (is("dfpt.reciprocal")) crystal_ = crystal_of(molecule_, int32_of(s.waves), seed);
  if (is("dfpt.basis") || is("dfpt.rho") || is("dfpt.h")) active_ = active_functions(molecule_, basis_, grid_);
  empty_some(s.nempty, grid_, active_);
}

int64_t Inputs::n_occ() const { return std::clamp<int64_t>(s_.nocc > 0 ? s_.nocc : electrons_of(molecule_) / 2, 1, n_states()); }

// Where the tables of dfpt.sum_up end: behind the far field's begin, or behind everything.
double Inputs::table_end() const { return s_.field == near_field ? 25 : 1.05 * cutoff_radius; }

RadialGrid Inputs::knots(int64_t species, double end) const {
  return s_.shells_grid ? grid_by_shells(shells_[static_cast<size_t>(species)].scale, end, s_.nknots)
                        : logarithmic_grid(r_min(species), increment(species, end, s_.nknots), s_.nknots);
}

int64_t Inputs::extent(std::string_view word) const {
  if (word.ends_with("+1")) return extent(word.substr(0, word.size() - 2)) + 1;
  const std::pair<std::string_view, int64_t> extents[] = {{"n_batches", grid_.n_batches()},
                                                          {"n_points", static_cast<int64_t>(grid_.points.size())},
                                                          {"n_list", static_cast<int64_t>(active_.list.size())},
                                                          {"n_wave", first_in_wave(grid_, active_).back()},
                                                          {"n_atoms", s_.natoms},
                                                          {"n_species", n_elements},
                                                          {"n_basis", basis_.count()},
                                                          {"n_basis_fns", static_cast<int64_t>(basis_.radial.size())},
                                                          {"n_grid", s_.nlog},
                                                          {"n_dir", s_.ndir},
                                                          {"n_occ", n_occ()},
                                                          {"n_occupied", n_occ()},
                                                          {"n_states", n_states()},
                                                          {"n_lm", components(static_cast<int>(s_.lmax))},
                                                          {"n_radial", static_cast<int64_t>(shells_[n_elements - 1].radius.size())},
                                                          {"n_knots", s_.nknots},
                                                          {"n_g", static_cast<int64_t>(crystal_.g.size())},
                                                          {"n_tables", s_.shared ? n_elements : s_.natoms}};
  for (const auto& [name, value] : extents)
    if (word == name) return value;
  return std::atoll(std::string(word).c_str());
}

bool Inputs::wants(std::string_view optional) const {
  const bool orbitals = s_.nocc > 0, response = is("dfpt.response");
  const std::pair<std::string_view, bool> switches[] = {{"density_matrix", response ? s_.P1 : !orbitals},
                                                        {"C", orbitals},
                                                        {"C1", response ? s_.C1 : orbitals && s_.first},
                                                        {"wave_right", s_.right},
                                                        {"v", s_.v},
                                                        {"H", s_.matrix},
                                                        {"HC", orbitals},
                                                        {"density_spl", s_.density},
                                                        {"r_grid_min", !s_.shells_grid},
                                                        {"r_grid_inc", !s_.shells_grid},
                                                        {"grid_scale", s_.shells_grid},
                                                        {"grid_max", s_.shells_grid},
                                                        {"H1", s_.matrix},
                                                        {"HC1", !s_.matrix}};
  for (const auto& [name, wanted] : switches)
    if (optional == name) return wanted;
  return true;
}

template <class F> void fill_with(const suite_array& array, F&& f) {
  double* const x = reals(array);
  parallel(elements_of(array), [&](int64_t i) { x[i] = f(i); });
}
template <class List> bool put_numbers(const suite_array& array, const List& from_zero) {
  for (size_t i = 0; i < from_zero.size(); ++i) integers(array)[i] = int32_of(from_zero[i] + 1);
  return true;
}

void Inputs::fill(std::string_view name, const suite_array& array) const {
  fill_grid(name, array) || fill_molecule(name, array) || fill_basis(name, array) || fill_matrices(name, array) ||
      fill_shells(name, array) || fill_tables(name, array) || fill_plane_waves(name, array);
}

// Batches and what lies at the points.
bool Inputs::fill_grid(std::string_view name, const suite_array& array) const {
  const Random random(seed_, 1);
  const auto point = [&](int64_t p) -> const GridPoint& { return grid_.points[static_cast<size_t>(p)]; };
  if (name == "batch_points") return put_numbers(array, grid_.batch);
  if (name == "batch_basis") return put_numbers(array, active_.first);
  if (name == "i_basis") return put_numbers(array, active_.list);
  if (name == "coords") fill_with(array, [&](int64_t i) { return point(i / 3).r[i % 3]; });
  if (name == "partition_tab") fill_with(array, [&](int64_t p) { return point(p).weight; });
  if (name == "projection_weight") fill_with(array, [&](int64_t p) { return point(p).projection_weight; });
  if (name == "point_atom") parallel(array.extent[0], [&](int64_t p) { integers(array)[p] = point(p).atom + 1; });
  if (name == "point_shell") parallel(array.extent[0], [&](int64_t p) { integers(array)[p] = point(p).shell + 1; });
  if (name == "rho") fill_with(array, [&](int64_t i) { return random(i) - 0.4; });
  if (name == "v")
    fill_with(array, [&](int64_t i) {
      const int64_t n = array.extent[0];
      return -0.1 * point(i % n).r[i / n % 3] + 0.4 * (random(i) - 0.5);
    });
  return false;
}

bool Inputs::fill_molecule(std::string_view name, const suite_array& array) const {
  if (name == "species") return put_numbers(array, molecule_.species);
  if (name == "atom_coords") std::copy(molecule_.coords.begin(), molecule_.coords.end(), reals(array));
  if (name == "atom_table")
    for (int64_t a = 0; a < s_.natoms; ++a)
      integers(array)[a] = s_.shared ? molecule_.species[static_cast<size_t>(a)] + 1 : int32_of(s_.natoms - a);
  const double end = is("dfpt.sum_up") ? table_end() : log_end();
  const int64_t n = is("dfpt.sum_up") ? s_.nknots : s_.nlog;
  if (name == "r_grid_min") fill_with(array, [&](int64_t s) { return r_min(s); });
  if (name == "r_grid_inc") fill_with(array, [&](int64_t s) { return increment(s, end, n); });
  if (name == "grid_scale") fill_with(array, [&](int64_t s) { return shells_[static_cast<size_t>(s)].scale; });
  if (name == "grid_max") fill_with(array, [&](int64_t) { return end; });
  if (name == "multipole_radius")
    fill_with(array, [&](int64_t s) { return s_.field == near_field ? table_end() : cutoff_radius * (1 - 0.02 * static_cast<double>(s)); });
  return false;
}

bool Inputs::fill_basis(std::string_view name, const suite_array& array) const {
  if (name == "basis_atom") return put_numbers(array, basis_.atom);
  if (name == "basis_fn") return put_numbers(array, basis_.fn);
  if (name == "basis_l") std::copy(basis_.l.begin(), basis_.l.end(), integers(array));
  if (name == "basis_m") std::copy(basis_.m.begin(), basis_.m.end(), integers(array));
  if (name == "outer_radius") fill_with(array, [&](int64_t f) { return basis_.radial[static_cast<size_t>(f)].outer_radius; });
  if (name == "basis_wave_spl") fill_radial_functions(array);
  if (name == "wave" || name == "wave_right") fill_wave(array, name == "wave_right");
  return false;
}

void Inputs::fill_radial_functions(const suite_array& array) const {
  const int64_t n = array.extent[1];
  for (int64_t f = 0; f < array.extent[2]; ++f) {
    const RadialFunction& R = basis_.radial[static_cast<size_t>(f)];
    const RadialGrid grid = logarithmic_grid(r_min(R.species), increment(R.species, log_end(), n), n);
    std::vector<double> values;
    for (int64_t k = 0; k < n; ++k) values.push_back(R.value(grid.radius(static_cast<double>(k))));
    interleaved_splines(values.data(), n, 1, reals(array) + 4 * n * f);
  }
}

// The functions of an atom have their harmonics in common. On the right they are a little others.
void Inputs::fill_wave(const suite_array& array, bool right) const {
  const std::vector<int64_t> wave = first_in_wave(grid_, active_);
#pragma omp parallel for schedule(dynamic, 4)
  for (int64_t b = 0; b < grid_.n_batches(); ++b) {
    double* chi = reals(array) + wave[static_cast<size_t>(b)];
    for (int64_t p = grid_.batch[static_cast<size_t>(b)]; p < grid_.batch[static_cast<size_t>(b + 1)]; ++p) {
      double Y[components(largest_l)], e[3], r = 0;
      int64_t atom = -1;
      for (int64_t j = active_.first[static_cast<size_t>(b)]; j < active_.first[static_cast<size_t>(b + 1)]; ++j) {
        const size_t i = static_cast<size_t>(active_.list[static_cast<size_t>(j)]);
        if (basis_.atom[i] != atom) {
          atom = basis_.atom[i];
          r = 0;
          for (int d = 0; d < 3; ++d) {
            e[d] = grid_.points[static_cast<size_t>(p)].r[d] - molecule_.at(atom)[d];
            r += e[d] * e[d];
          }
          r = std::max(std::sqrt(r), 1e-10);
          for (double& x : e) x /= r;
          with_l_max(static_cast<int>(s_.lbasis), [&](auto l) { spherical_harmonics<decltype(l)::value>(e[0], e[1], e[2], Y); });
        }
        const RadialFunction& R = basis_.radial[static_cast<size_t>(basis_.fn[i])];
        const double value = r < R.outer_radius ? R.value(r) : 0;
        *chi++ = value * Y[R.l * R.l + R.l + basis_.m[i]] * (right ? 0.7 - 0.2 * r : 1);
      }
    }
  }
}

// Symmetric by taking the number of (m,n) with m <= n; `triangle`: the rest is something else.
bool Inputs::fill_matrices(std::string_view name, const suite_array& array) const {
  const Random random(seed_, 2);
  const int64_t n = array.extent[0];
  const auto symmetric = [&](bool whole) {
    fill_with(array, [&](int64_t i) {
      const int64_t row = i % n, column = i / n % n, d = i / (n * n);
      const bool swap = whole && row > column;
      return random((swap ? column : row) + n * ((swap ? row : column) + n * d)) - 0.5;
    });
  };
  if (name == "density_matrix" || name == "H" || name == "H1") symmetric(!s_.triangle);
  if (name == "C" || name == "C1" || name == "HC" || name == "HC1") {
    const Random other(seed_, name == "C" ? 3 : 4);
    const double scale = 1 / std::sqrt(static_cast<double>(n));
    fill_with(array, [&](int64_t i) { return 2 * scale * (other(i) - 0.5); });
  }
  if (name == "n_occ") *integers(array) = int32_of(n_occ());
  if (name == "eigenvalues")
    fill_with(array, [&](int64_t i) {
      const bool empty = i >= n_occ();
      const double share = static_cast<double>(empty ? i - n_occ() : i) / static_cast<double>(n);
      return (empty ? 0.05 : -1.2) + 0.8 * share + 0.01 * random(i) / static_cast<double>(n);
    });
  return false;
}

// dfpt.poisson
bool Inputs::fill_shells(std::string_view name, const suite_array& array) const {
  const int64_t n = array.extent[0];
  const auto shells = [&](int64_t s) -> const Shells& { return shells_[static_cast<size_t>(s)]; };
  const auto count = [&](int64_t s) { return static_cast<int64_t>(shells(s).radius.size()); };
  if (name == "radial_points")
    for (int64_t s = 0; s < n; ++s) integers(array)[s] = int32_of(count(s));
  if (name == "r_radial")
    fill_with(array, [&](int64_t i) { return i % n < count(i / n) ? shells(i / n).radius[static_cast<size_t>(i % n)] : 0; });
  if (name == "grid_shell")
    fill_with(array, [&](int64_t i) {
      const int64_t s = i / n;
      const RadialGrid grid = logarithmic_grid(r_min(s), increment(s, log_end(), n), n);
      const double r = grid.radius(static_cast<double>(i % n));
      return static_cast<double>(count(s) + 1) * std::sqrt(-std::expm1(-r / shells(s).scale));
    });
  if (name == "knots")
    fill_with(array, [&](int64_t i) { return std::max(0.0, knots(i / n, 1.05 * cutoff_radius).radius(static_cast<double>(i % n))); });
  if (name == "rho_multipole") fill_components(array);
  return false;
}

// r^l at the nucleus and an exponential at the end; behind the shells of a species anything.
void Inputs::fill_components(const suite_array& array) const {
  const Random random(seed_, 5);
  const int64_t n_lm = array.extent[0], n_radial = array.extent[1];
  fill_with(array, [&](int64_t i) {
    const int64_t lm = i % n_lm, s = i / n_lm % n_radial, atom = i / (n_lm * n_radial) % array.extent[2];
    const Shells& shells = shells_[static_cast<size_t>(molecule_.species[static_cast<size_t>(atom)])];
    if (s >= static_cast<int64_t>(shells.radius.size())) return 100 * random(i);
    const double r = shells.radius[static_cast<size_t>(s)], l = std::floor(std::sqrt(static_cast<double>(lm)));
    const double size = random(lm + n_lm * (i / (n_lm * n_radial))) - 0.5;
    return size * std::pow(r / (1 + 0.4 * r), l) * std::exp(-(0.8 + 0.1 * l) * r);
  });
}

// The potential of the charge r^l exp(-alpha r^2) with moment 1: r^-(l+1) P(l+1/2, alpha r^2) with the
// regularised incomplete gamma function.
double smooth_multipole(int l, double alpha, double r) {
  const double x = alpha * r * r;
  if (x > 80) return std::pow(r, -(l + 1));
  double term = std::pow(alpha, l + 0.5) * std::pow(r, l) * std::exp(-x) / std::tgamma(l + 1.5), sum = 0;
  for (int k = 0; k < 400; ++k) {
    sum += term;
    term *= x / (l + 1.5 + k);
  }
  return sum;
}

// dfpt.sum_up: charges of one width an element.
bool Inputs::fill_tables(std::string_view name, const suite_array& array) const {
  const Random random(seed_, 6);
  if (name == "moments") fill_with(array, [&](int64_t i) { return random(i) - 0.5; });
  if (name == "potential_spl") fill_potentials(array);
  return false;
}

void Inputs::fill_potentials(const suite_array& array) const {
  const Random random(seed_, 6);
  const int64_t n_lm = array.extent[0], n = array.extent[2], n_tables = array.extent[3];
  std::vector<std::vector<double>> shape_of(n_elements);
  for (int64_t s = 0; s < n_elements; ++s)
    for (int64_t k = 0; k < n; ++k) {
      const double r = std::max(0.0, knots(s, table_end()).radius(static_cast<double>(k)));
      for (int l = 0; l <= s_.lmax; ++l)
        shape_of[static_cast<size_t>(s)].push_back(smooth_multipole(l, 1.1 - 0.1 * static_cast<double>(s), r));
    }
#pragma omp parallel for schedule(static)
  for (int64_t t = 0; t < n_tables * array.extent[4]; ++t) {
    const int64_t table = t % n_tables;
    const auto& of_species =
        shape_of[static_cast<size_t>(s_.shared ? table : molecule_.species[static_cast<size_t>(s_.natoms - 1 - table)])];
    std::vector<double> values;
    for (int64_t k = 0; k < n; ++k)
      for (int64_t l = 0; l <= s_.lmax; ++l)
        for (int64_t lm = l * l; lm < (l + 1) * (l + 1); ++lm)
          values.push_back((random(lm + n_lm * t) - 0.5) * of_species[static_cast<size_t>(l + (s_.lmax + 1) * k)]);
    interleaved_splines(values.data(), n, n_lm, reals(array) + 4 * n_lm * n * t);
  }
}

// dfpt.reciprocal; every part of the sum counts.
bool Inputs::fill_plane_waves(std::string_view name, const suite_array& array) const {
  const auto index = [&](int64_t g) -> const std::array<int32_t, 3>& { return crystal_.g[static_cast<size_t>(g)]; };
  if (name == "g_index")
    for (int64_t i = 0; i < elements_of(array); ++i) integers(array)[i] = index(i / 3)[static_cast<size_t>(i % 3)];
  if (name == "reciprocal") fill_with(array, [&](int64_t i) { return crystal_.b[i / 3][i % 3]; });
  if (name == "g_weight")
    fill_with(array, [&](int64_t g) {
      const double square = crystal_.square(index(g));
      return 8 * std::numbers::pi / crystal_.volume * std::exp(-crystal_.sharpness * square) / square;
    });
  if (name == "potential") {
    const Random random(seed_, 8);
    fill_with(array, [&](int64_t i) { return random(i) - 0.5; });
  }
  return false;
}

void describe(const Inputs& inputs, std::span<const suite_argument> table, suite_array* arrays) {
  for (size_t i = 0; i < table.size(); ++i) {
    arrays[i].rank = -1;
    if (table[i].when_unset && !inputs.wants(table[i].name)) continue;
    shape(arrays, static_cast<int>(i), table[i].type, {});
    for (const std::string& extent : extents_in(table[i].shape)) arrays[i].extent[arrays[i].rank++] = inputs.extent(extent);
  }
}

template <class Kernel> int generate_for(const char* size, uint64_t seed, suite_array* arrays, suite_error* error) {
  return guarded(error, [&] {
    constexpr std::span<const suite_argument> table = rows<Kernel>;
    const Inputs inputs(Kernel::name, size_of(Kernel::name, size ? size : "small"), seed);
    if (std::all_of(arrays, arrays + table.size(), [](const auto& a) { return !a.data; })) return describe(inputs, table, arrays);
    for (size_t i = 0; i < table.size(); ++i)
      if (table[i].intent != SUITE_OUT && arrays[i].data) inputs.fill(table[i].name, arrays[i]);
  });
}

}  // namespace

#define SUITE_DFPT_GENERATE(Kernel)                                                                   \
  int Kernel::generate(const char* size, uint64_t seed, suite_array* arguments, suite_error* error) { \
    return generate_for<Kernel>(size, seed, arguments, error);                                        \
  }
SUITE_DFPT_GENERATE(Basis)
SUITE_DFPT_GENERATE(Rho)
SUITE_DFPT_GENERATE(Hamiltonian)
SUITE_DFPT_GENERATE(Multipoles)
SUITE_DFPT_GENERATE(Poisson)
SUITE_DFPT_GENERATE(SumUp)
SUITE_DFPT_GENERATE(Response)
SUITE_DFPT_GENERATE(Reciprocal)

}  // namespace suite::dfpt
