// SPDX-License-Identifier: BSD-3-Clause
#include "grid_matrices.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <fmt/core.h>

#include "shifted_functions.hpp"

namespace suite::all_electron {
namespace {

// Cost of a batch in multiply-adds: its pairs of functions, and its points with all atoms.
double work_of(const Grid& grid, size_t batch, size_t n_atoms) {
  constexpr double per_atom = 30;
  const double points = grid.batch_points[batch + 1] - grid.batch_points[batch];
  const double functions = grid.batch_basis[batch + 1] - grid.batch_basis[batch];
  return points * (functions * functions + per_atom * static_cast<double>(n_atoms));
}

size_t wave_size(const Grid& grid, size_t batch) {
  const auto points = static_cast<size_t>(grid.batch_points[batch + 1] - grid.batch_points[batch]);
  return points * static_cast<size_t>(grid.batch_basis[batch + 1] - grid.batch_basis[batch]);
}

// Ends of groups of batches whose functions fit into `most` numbers; at least one batch each.
std::vector<size_t> ends_of_parts(const Grid& grid, double most) {
  std::vector<size_t> ends;
  double size = 0;
  for (size_t b = 0; b < grid.n_batches(); ++b) {
    const auto more = static_cast<double>(wave_size(grid, b));
    if (size > 0 && size + more > most) ends.push_back(b), size = 0;
    size += more;
  }
  ends.push_back(grid.n_batches());
  return ends;
}

}  // namespace

BatchShare share_of(const Setup& setup, int which, int of) {
  const Grid& grid = setup.grid;
  const size_t n = grid.n_batches();
  if (n < static_cast<size_t>(of))
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} batches of points on {} processes; each needs at least one", n, of));
  double all = 0;
  for (size_t b = 0; b < n; ++b) all += work_of(grid, b, setup.atom_charge.size());
  // First batch of each process: where the preceding work reaches its share, leaving at least one batch for each later process.
  std::vector<size_t> first(static_cast<size_t>(of) + 1, n);
  first[0] = 0;
  double done = 0;
  size_t next = 1;
  for (size_t b = 0; b < n && next < static_cast<size_t>(of); ++b) {
    const size_t left = static_cast<size_t>(of) - next;
    done += work_of(grid, b, setup.atom_charge.size());
    if (done * of >= all * static_cast<double>(next) || n - (b + 1) == left) first[next++] = b + 1;
  }
  BatchShare share;
  share.first = first[static_cast<size_t>(which)];
  share.last = first[static_cast<size_t>(which) + 1];
  share.first_point = static_cast<size_t>(grid.batch_points[share.first]) - 1;
  share.n_points = static_cast<size_t>(grid.batch_points[share.last]) - 1 - share.first_point;
  return share;
}

app::WorkUnits batch_units(const Setup& setup, const app::Context& context) {
  const auto n = static_cast<int64_t>(setup.grid.n_batches());
  if (n < context.world.size())
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("{} batches of points on {} processes; each needs at least one", n, context.world.size()));
  return context.deterministic ? app::WorkUnits::of_input(context.world, n) : app::WorkUnits(context.world);
}

GridMatrices::GridMatrices(const Setup& setup, const app::WorkUnits& units, Kernels& kernels, const MemoryLimit& limit, bool with_gradients)
    : setup_(setup), work_units_(units), kernels_(kernels), with_gradients_(with_gradients), basis_(kernels.open("basis")) {
  for (int u = units.begin(); u < units.end(); ++u) {
    const BatchShare share = share_of(setup, u, units.count());
    if (u == units.begin()) share_ = share;
    units_.push_back({share.first_point - share_.first_point, part(setup.grid, share.first, share.last)});
    share_.last = share.last;
    share_.n_points = share.first_point + share.n_points - share_.first_point;
  }
  grid_ = part(setup.grid, share_.first, share_.last);
  make_parts(limit);
}

void GridMatrices::make_parts(const MemoryLimit& limit) {
  const double most = limit.bytes / sizeof(double) / static_cast<double>(n_sets()), all = 2 * static_cast<double>(grid_.n_wave());
  for (size_t u = 0; u < units_.size(); ++u) {
    const Grid& unit = units_[u].grid;
    size_t first = 0;
    for (const size_t last : ends_of_parts(unit, limit.whole_units ? all : most)) {
      const auto point = static_cast<size_t>(unit.batch_points[first]) - 1;
      parts_.push_back({parts_.size(), u, units_[u].first_point + point, part(unit, first, last), {}});
      longest_ = std::max(longest_, parts_.back().grid.n_wave());
      first = last;
    }
  }
  kept_ = parts_.size() == 1 || static_cast<double>(grid_.n_wave()) <= most;
  const auto functions = [&](size_t size) {
    return std::make_unique<Array<double>>(kernels_.device(), Extents{static_cast<int64_t>(size)});
  };
  if (!kept_) {
    wave_ = functions(longest_);
    return;
  }
  for (Part& part : parts_) {
    std::array<Array<double>*, most_sets> waves{};
    for (size_t set = 0; set < n_sets(); ++set) waves[set] = part.waves.emplace_back(functions(part.grid.n_wave())).get();
    evaluate(part, setup_.tables.basis_wave_spl, wave_of(part, 0));
    for (size_t set = 1; set < n_sets(); set += 2) evaluate_shifted_sets(part, set, set + 2, &waves[set]);  // two on the host at a time
  }
}

app::TimedKernel& GridMatrices::open(Call& call, size_t set, const Part& part) {
  call.of_part[set].resize(parts_.size(), nullptr);
  app::TimedKernel*& kernel = call.of_part[set][part.number];
  if (!kernel) {
    kernel = &kernels_.open(call.kernel);
    set_batches(kernel->kernel(), part);
    if (kept_) (*kernel)->set("wave", wave_of(part, set));
    if (std::string_view(call.kernel) == "h")
      (*kernel)->set("partition_tab", part.grid.partition_tab.data(), {static_cast<int64_t>(part.grid.n_points())});
  }
  return *kernel;
}

void GridMatrices::set_batches(Kernel& kernel, const Part& part) const {
  const auto n = static_cast<int64_t>(part.grid.n_batches());
  set(kernel, "batch_points", part.grid.batch_points, {n + 1});
  set(kernel, "batch_basis", part.grid.batch_basis, {n + 1});
  set(kernel, "i_basis", part.grid.i_basis, {static_cast<int64_t>(part.grid.i_basis.size())});
}

namespace {

suite_array shortened(const Array<double>& array, size_t size) {
  suite_array first = array.array();
  first.extent[0] = static_cast<int64_t>(size);
  return first;
}

}  // namespace

suite_array GridMatrices::wave_of(const Part& part, size_t set) {
  return kept_ ? part.waves[set]->array() : shortened(*wave_, part.grid.n_wave());
}

void GridMatrices::evaluate(const Part& part, const std::vector<double>& table, const suite_array& wave) {
  Kernel& k = basis_.kernel();
  const Tables& t = setup_.tables;
  const BasisSet& b = setup_.basis;
  set_batches(k, part);
  set(k, "coords", part.grid.coords, {3, static_cast<int64_t>(part.grid.n_points())});
  set(k, "atom_coords", setup_.atom_coords, {3, static_cast<int64_t>(setup_.atom_species.size())});
  set(k, "species", setup_.atom_species, {static_cast<int64_t>(setup_.atom_species.size())});
  set(k, "basis_atom", b.basis_atom, {b.n_basis});
  set(k, "basis_fn", b.basis_fn, {b.n_basis});
  set(k, "basis_l", b.basis_l, {b.n_basis});
  set(k, "basis_m", b.basis_m, {b.n_basis});
  set(k, "r_grid_min", t.r_grid_min, {t.n_species});
  set(k, "r_grid_inc", t.r_grid_inc, {t.n_species});
  set(k, "basis_wave_spl", table, {4, t.n_grid, t.n_basis_fns});
  set(k, "outer_radius", t.outer_radius, {t.n_basis_fns});
  k.set("wave", wave);
  basis_.run();
}

namespace {

// Of the shifted functions, bohr: about the ratio of functions and derivatives, from a nucleus to the tails, where rounding errors are least.
constexpr double shift = 0.25;

}  // namespace

// Into arrays for the sets first to last - 1.
void GridMatrices::evaluate_shifted_sets(const Part& part, size_t first, size_t last, Array<double>* const* waves) {
  const size_t size = part.grid.n_wave();
  std::vector<std::vector<double>> values(last - first, std::vector<double>(size));
  std::vector<ShiftedFunctions> shifts;
  for (size_t set = first; set < last; ++set)
    shifts.push_back({static_cast<int>(set - 1) / 2, set % 2 == 1 ? shift : -shift, values[set - first].data()});
  if (!shifts.empty()) evaluate_shifted(setup_, part.grid, shifts);
  for (size_t set = first; set < last; ++set) {
    const auto& array = *waves[set - first];
    values[set - first].resize(static_cast<size_t>(array.array().extent[0]));
    waves[set - first]->upload(values[set - first]);
  }
}

void GridMatrices::evaluate_set(const Part& part, size_t set) {
  Array<double>* const wave = wave_.get();
  if (set == 0) evaluate(part, setup_.tables.basis_wave_spl, wave_of(part, 0));
  else evaluate_shifted_sets(part, set, set + 1, &wave);
}

// Calls f(part, kernel) for each part, with a set of its functions evaluated.
template <class F> void GridMatrices::each_part(Call& call, size_t set, F&& f) {
  for (const Part& part : parts_) {
    if (!kept_) evaluate_set(part, set);
    app::TimedKernel& kernel = open(call, set, part);
    if (!kept_) kernel->set("wave", wave_of(part, set));
    f(part, kernel);
  }
}

int64_t GridMatrices::directions(std::span<const double> v) const { return v.empty() ? 1 : static_cast<int64_t>(v.size() / n_points()); }

std::vector<double> rows_of(std::span<const double> values, const Rows& which) {
  std::vector<double> rows;
  rows.reserve(values.size() / which.of * which.count);
  for (size_t begin = which.first; begin < values.size(); begin += which.of)
    rows.insert(rows.end(), values.begin() + static_cast<std::ptrdiff_t>(begin),
                values.begin() + static_cast<std::ptrdiff_t>(begin + which.count));
  return rows;
}

void put_rows(std::span<const double> rows, const Rows& which, std::span<double> values) {
  auto from = rows.begin();
  for (size_t begin = which.first; begin < values.size(); begin += which.of) {
    std::copy_n(from, which.count, values.begin() + static_cast<std::ptrdiff_t>(begin));
    from += static_cast<std::ptrdiff_t>(which.count);
  }
}

// Sum over all units of result(shape), which the kernel accumulates; set(part, kernel) sets the remaining arguments.
template <class F>
Matrix GridMatrices::sum_of_parts(Call& call, size_t set_of_functions, const char* result, Extents shape, F&& set_arguments) {
  const auto rows = static_cast<Eigen::Index>(*shape.begin());
  Eigen::Index columns = 1;
  for (const int64_t extent : shape) columns *= extent;
  columns /= rows;
  const auto size = static_cast<size_t>(rows * columns);
  const bool alone = parts_.size() == 1 && work_units_.count() == 1;
  std::vector<double> of_units(alone ? 0 : size * units_.size(), 0.0);
  Matrix sum(rows, columns);
  each_part(call, set_of_functions, [&](const Part& part, app::TimedKernel& kernel) {
    sum.setZero();
    kernel->set(result, sum.data(), shape);
    set_arguments(part, kernel.kernel());
    kernel.run();
    kernel->get(result, sum.data(), shape);
    if (alone) return;
    double* const to = &of_units[size * part.unit];
    for (size_t i = 0; i < size; ++i) to[i] += sum.data()[i];
  });
  if (!alone) work_units_.sum(of_units, std::span<double>(sum.data(), size));
  return sum;
}

Matrix GridMatrices::assemble(Call& call, size_t set, const char* result, std::span<const double> v, const Matrix* C) {
  const int64_t n_dir = directions(v), n = setup_.basis.n_basis, columns = C ? C->cols() : n;
  std::vector<double> rows;
  return sum_of_parts(call, set, result, {n, columns, n_dir}, [&](const Part& part, Kernel& k) {
    if (C) k.set("C", C->data(), {n, columns});
    if (v.empty()) return;
    const auto points = static_cast<int64_t>(part.grid.n_points());
    if (parts_.size() > 1) rows = rows_of(v, {n_points(), part.first_point, part.grid.n_points()});
    k.set("v", parts_.size() > 1 ? rows.data() : v.data(), {points, n_dir});
  });
}

// With w, from the potentials w_k/(2 shift) and -w_k/(2 shift) in the functions shifted along +k and -k.
Matrix GridMatrices::assemble(Call& call, const char* result, std::span<const double> v, std::span<const double> w, const Matrix* C) {
  Matrix sum = assemble(call, 0, result, v, C);
  std::vector<double> scaled(w.empty() ? 0 : v.size());
  for (size_t set = 1; set < n_sets() && !w.empty(); ++set) {
    const double factor = (set % 2 == 1 ? 0.5 : -0.5) / shift;
    const auto along = w.subspan((set - 1) / 2 * v.size(), v.size());
    for (size_t i = 0; i < scaled.size(); ++i) scaled[i] = factor * along[i];
    sum += assemble(call, set, result, scaled, C);
  }
  return sum;
}

Matrix GridMatrices::overlap() {
  Call call{"h"};
  return assemble(call, 0, "H", {}, nullptr);
}

Matrix GridMatrices::kinetic() {
  Call call{"h"};
  wave_right_ = std::make_unique<Array<double>>(kernels_.device(), Extents{static_cast<int64_t>(longest_)});
  const int64_t n = setup_.basis.n_basis;
  const Matrix sum = sum_of_parts(call, 0, "H", {n, n, 1}, [&](const Part& part, Kernel& k) {
    const suite_array right = shortened(*wave_right_, part.grid.n_wave());
    evaluate(part, setup_.tables.basis_kin_spl, right);
    k.set("wave_right", right);
  });
  for (app::TimedKernel* kernel : call.of_part[0]) suite_forget((*kernel)->handle());
  wave_right_.reset();
  return sum;
}

Matrix GridMatrices::matrices(std::span<const double> v, std::span<const double> w) { return assemble(matrices_, "H", v, w, nullptr); }

Matrix GridMatrices::products(std::span<const double> v, std::span<const double> w, const Matrix& C) {
  return assemble(products_, "HC", v, w, &C);
}

// With gradients, from the difference of the densities in functions shifted along +k and -k.
template <class F> std::vector<double> GridMatrices::densities(Call& call, int64_t n_dir, F&& set_arguments) {
  const size_t column = n_points() * static_cast<size_t>(n_dir);
  std::vector<double> all(column * (with_gradients_ ? 4 : 1)), of_set, rows;
  for (size_t set = 0; set < n_sets(); ++set) {
    if (set == 1) of_set.resize(column);
    const std::span<double> here = set == 0 ? std::span<double>(all).first(column) : std::span<double>(of_set);
    each_part(call, set, [&](const Part& part, app::TimedKernel& kernel) {
      const size_t points = part.grid.n_points();
      if (parts_.size() > 1) rows.resize(points * static_cast<size_t>(n_dir));
      double* const to = parts_.size() > 1 ? rows.data() : here.data();
      const Extents shape{static_cast<int64_t>(points), n_dir};
      set_arguments(kernel);
      kernel->set("rho", to, shape);
      kernel.run();
      kernel->get("rho", to, shape);
      if (parts_.size() > 1) put_rows(rows, {n_points(), part.first_point, points}, here);
    });
    if (set == 0) continue;
    const double factor = (set % 2 == 1 ? 0.5 : -0.5) / shift;
    double* const gradient = &all[column * (1 + (set - 1) / 2)];
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < column; ++i) gradient[i] += factor * of_set[i];
  }
  return all;
}

std::vector<double> GridMatrices::density(const Matrix& matrices) {
  const int64_t n = setup_.basis.n_basis, n_dir = matrices.cols() / n;
  return densities(density_, n_dir, [&](app::TimedKernel& kernel) { kernel->set("density_matrix", matrices.data(), {n, n, n_dir}); });
}

std::vector<double> GridMatrices::density_of_orbitals(const Matrix& C) {
  return densities(orbital_density_, 1, [&](app::TimedKernel& kernel) { kernel->set("C", C.data(), {C.rows(), C.cols()}); });
}

std::vector<double> GridMatrices::density_of_orbitals(const Matrix& C, const Matrix& C1) {
  const int64_t n_dir = C1.cols() / C.cols();
  return densities(first_order_, n_dir, [&](app::TimedKernel& kernel) {
    kernel->set("C", C.data(), {C.rows(), C.cols()});
    kernel->set("C1", C1.data(), {C.rows(), C.cols(), n_dir});
  });
}

// In portions that do not depend on the number of threads.
template <class F> double GridMatrices::sum_over_points(F&& f) const {
  constexpr size_t portion = 4096;
  std::vector<double> of_units;
  for (const UnitPoints& unit : units_) {
    const size_t end = unit.first_point + unit.grid.n_points();
    std::vector<double> sums((unit.grid.n_points() + portion - 1) / portion, 0.0);
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < sums.size(); ++p) {
      const size_t first = unit.first_point + p * portion;
      for (size_t i = first; i < std::min(first + portion, end); ++i) sums[p] += f(i);
    }
    of_units.push_back(std::accumulate(sums.begin(), sums.end(), 0.0));
  }
  return work_units_.sum(of_units, 1).front();
}

double GridMatrices::integral(std::span<const double> a) const {
  return sum_over_points([&](size_t i) { return grid_.partition_tab[i] * a[i]; });
}

double GridMatrices::integral(std::span<const double> a, std::span<const double> b) const {
  return sum_over_points([&](size_t i) { return grid_.partition_tab[i] * a[i] * b[i]; });
}

std::vector<double> GridMatrices::integrals_of_atoms(std::span<const double> a) const {
  const size_t atoms = setup_.n_home();
  std::vector<double> of_units(units_.size() * atoms, 0.0);
  for (size_t u = 0; u < units_.size(); ++u)
    for (size_t i = units_[u].first_point; i < units_[u].first_point + units_[u].grid.n_points(); ++i)
      of_units[u * atoms + static_cast<size_t>(grid_.point_atom[i] - 1)] += grid_.partition_tab[i] * a[i];
  return work_units_.sum(of_units, atoms);
}

}  // namespace suite::all_electron
