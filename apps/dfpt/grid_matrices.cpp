// SPDX-License-Identifier: BSD-3-Clause
#include "grid_matrices.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

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

GridMatrices::GridMatrices(const Setup& setup, const app::WorkUnits& units, Kernels& kernels, const MemoryLimit& limit)
    : setup_(setup), work_units_(units), kernels_(kernels), basis_(kernels.open("basis")) {
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
  const double most = limit.bytes / sizeof(double), all = 2 * static_cast<double>(grid_.n_wave());
  for (size_t u = 0; u < units_.size(); ++u) {
    const Grid& unit = units_[u].grid;
    size_t first = 0;
    for (const size_t last : ends_of_parts(unit, limit.whole_units ? all : most)) {
      const auto point = static_cast<size_t>(unit.batch_points[first]) - 1;
      parts_.push_back({parts_.size(), u, units_[u].first_point + point, part(unit, first, last), nullptr});
      longest_ = std::max(longest_, parts_.back().grid.n_wave());
      first = last;
    }
  }
  kept_ = parts_.size() == 1 || static_cast<double>(grid_.n_wave()) <= most;
  if (!kept_) {
    wave_ = std::make_unique<Array<double>>(kernels_.device(), Extents{static_cast<int64_t>(longest_)});
    return;
  }
  for (Part& part : parts_) {
    part.wave = std::make_unique<Array<double>>(kernels_.device(), Extents{static_cast<int64_t>(part.grid.n_wave())});
    evaluate(part, setup_.tables.basis_wave_spl, wave_of(part));
  }
}

app::TimedKernel& GridMatrices::open(Call& call, const Part& part) {
  call.of_part.resize(parts_.size(), nullptr);
  app::TimedKernel*& kernel = call.of_part[part.number];
  if (!kernel) {
    kernel = &kernels_.open(call.kernel);
    set_batches(kernel->kernel(), part);
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

suite_array GridMatrices::wave_of(const Part& part) { return part.wave ? part.wave->array() : shortened(*wave_, part.grid.n_wave()); }

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

// Calls f(part, kernel) for each part, with its functions evaluated.
template <class F> void GridMatrices::each_part(Call& call, F&& f) {
  for (const Part& part : parts_) {
    if (!kept_) evaluate(part, setup_.tables.basis_wave_spl, wave_of(part));
    app::TimedKernel& kernel = open(call, part);
    kernel->set("wave", wave_of(part));
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
template <class F> Matrix GridMatrices::sum_of_parts(Call& call, const char* result, Extents shape, F&& set) {
  const auto rows = static_cast<Eigen::Index>(*shape.begin());
  Eigen::Index columns = 1;
  for (const int64_t extent : shape) columns *= extent;
  columns /= rows;
  const auto size = static_cast<size_t>(rows * columns);
  std::vector<double> of_units(size * units_.size(), 0.0);
  Matrix sum(rows, columns);
  each_part(call, [&](const Part& part, app::TimedKernel& kernel) {
    sum.setZero();
    kernel->set(result, sum.data(), shape);
    suite::all_electron::set(kernel.kernel(), "partition_tab", part.grid.partition_tab, {static_cast<int64_t>(part.grid.n_points())});
    set(part, kernel.kernel());
    kernel.run();
    kernel->get(result, sum.data(), shape);
    double* const to = &of_units[size * part.unit];
    for (size_t i = 0; i < size; ++i) to[i] += sum.data()[i];
  });
  work_units_.sum(of_units, std::span<double>(sum.data(), size));
  return sum;
}

Matrix GridMatrices::assemble(Call& call, const char* result, std::span<const double> v, const Matrix* C) {
  const int64_t n_dir = directions(v), n = setup_.basis.n_basis, columns = C ? C->cols() : n;
  std::vector<double> rows;
  return sum_of_parts(call, result, {n, columns, n_dir}, [&](const Part& part, Kernel& k) {
    if (C) k.set("C", C->data(), {n, columns});
    if (v.empty()) return;
    const auto points = static_cast<int64_t>(part.grid.n_points());
    if (parts_.size() > 1) rows = rows_of(v, {n_points(), part.first_point, part.grid.n_points()});
    k.set("v", parts_.size() > 1 ? rows.data() : v.data(), {points, n_dir});
  });
}

Matrix GridMatrices::overlap() {
  Call call{"h", {}};
  return assemble(call, "H", {}, nullptr);
}

Matrix GridMatrices::kinetic() {
  Call call{"h", {}};
  wave_right_ = std::make_unique<Array<double>>(kernels_.device(), Extents{static_cast<int64_t>(longest_)});
  const int64_t n = setup_.basis.n_basis;
  const Matrix sum = sum_of_parts(call, "H", {n, n, 1}, [&](const Part& part, Kernel& k) {
    const suite_array right = shortened(*wave_right_, part.grid.n_wave());
    evaluate(part, setup_.tables.basis_kin_spl, right);
    k.set("wave_right", right);
  });
  for (app::TimedKernel* kernel : call.of_part) suite_forget((*kernel)->handle());
  wave_right_.reset();
  return sum;
}

Matrix GridMatrices::matrices(std::span<const double> v) { return assemble(matrices_, "H", v, nullptr); }

Matrix GridMatrices::products(std::span<const double> v, const Matrix& C) { return assemble(products_, "HC", v, &C); }

std::vector<double> GridMatrices::densities(Call& call, int64_t n_dir) {
  std::vector<double> all(n_points() * static_cast<size_t>(n_dir)), rows;
  each_part(call, [&](const Part& part, app::TimedKernel& kernel) {
    const size_t points = part.grid.n_points();
    std::vector<double>& to = parts_.size() > 1 ? rows : all;
    to.resize(points * static_cast<size_t>(n_dir));
    const Extents shape{static_cast<int64_t>(points), n_dir};
    kernel->set("rho", to.data(), shape);
    kernel.run();
    kernel->get("rho", to.data(), shape);
    if (parts_.size() > 1) put_rows(rows, {n_points(), part.first_point, points}, all);
  });
  return all;
}

std::vector<double> GridMatrices::density(const Matrix& matrices) {
  const int64_t n = setup_.basis.n_basis, n_dir = matrices.cols() / n;
  for (const Part& part : parts_) open(density_, part)->set("density_matrix", matrices.data(), {n, n, n_dir});
  return densities(density_, n_dir);
}

std::vector<double> GridMatrices::density_of_orbitals(const Matrix& C) {
  for (const Part& part : parts_) open(orbital_density_, part)->set("C", C.data(), {C.rows(), C.cols()});
  return densities(orbital_density_, 1);
}

std::vector<double> GridMatrices::density_of_orbitals(const Matrix& C, const Matrix& C1) {
  const int64_t n_dir = C1.cols() / C.cols();
  for (const Part& part : parts_) {
    app::TimedKernel& kernel = open(first_order_, part);
    kernel->set("C", C.data(), {C.rows(), C.cols()});
    kernel->set("C1", C1.data(), {C.rows(), C.cols(), n_dir});
  }
  return densities(first_order_, n_dir);
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

}  // namespace suite::all_electron
