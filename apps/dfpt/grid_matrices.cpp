// SPDX-License-Identifier: BSD-3-Clause
#include "grid_matrices.hpp"

#include <algorithm>

#include "../common/machine.hpp"
#include "../common/print.hpp"

namespace suite::all_electron {
namespace {

// What a batch costs, in multiply-adds: its functions with each other, and its points with all atoms.
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

// Ends of groups of batches whose functions fit into `most` numbers; one batch at least.
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

BatchShare share_of(const Setup& setup, int rank, int size) {
  const Grid& grid = setup.grid;
  const size_t n = grid.n_batches();
  if (n < static_cast<size_t>(size))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  app::print("%zu batches of points on %d processes; each needs at least one", n, size));
  double all = 0;
  for (size_t b = 0; b < n; ++b) all += work_of(grid, b, setup.atom_charge.size());
  // The first batch of each process: where the work before it reaches its share, with one left for each.
  std::vector<size_t> first(static_cast<size_t>(size) + 1, n);
  first[0] = 0;
  double done = 0;
  size_t next = 1;
  for (size_t b = 0; b < n && next < static_cast<size_t>(size); ++b) {
    const size_t left = static_cast<size_t>(size) - next;
    done += work_of(grid, b, setup.atom_charge.size());
    if (done * size >= all * static_cast<double>(next) || n - (b + 1) == left) first[next++] = b + 1;
  }
  BatchShare share;
  share.first = first[static_cast<size_t>(rank)];
  share.last = first[static_cast<size_t>(rank) + 1];
  share.first_point = static_cast<size_t>(grid.batch_points[share.first]) - 1;
  share.n_points = static_cast<size_t>(grid.batch_points[share.last]) - 1 - share.first_point;
  return share;
}

GridMatrices::GridMatrices(const Setup& setup, const app::Communicator& world, Kernels& kernels,
                           double memory_B)
    : setup_(setup),
      world_(world),
      kernels_(kernels),
      share_(share_of(setup, world.rank(), world.size())),
      grid_(part(setup.grid, share_.first, share_.last)),
      basis_(kernels.open("basis")) {
  if (memory_B <= 0)
    memory_B = static_cast<double>(app::machine().memory_B) / 3 / std::max(1, app::ranks_on_this_machine());
  size_t first = 0, longest = 0;
  for (const size_t last : ends_of_parts(grid_, memory_B / sizeof(double))) {
    const auto point = static_cast<size_t>(grid_.batch_points[first]) - 1;
    parts_.push_back({parts_.size(), point, part(grid_, first, last)});
    longest = std::max(longest, parts_.back().grid.n_wave());
    first = last;
  }
  wave_ = std::make_unique<Array<double>>(kernels.device(), Extents{static_cast<int64_t>(longest)});
  if (parts_.size() == 1) evaluate(parts_[0], setup_.tables.basis_wave_spl, wave_of(parts_[0]));
  for (auto* call : {&matrices_, &products_}) *call = std::make_unique<Call>(kernels.open("h"));
  for (auto* call : {&density_, &orbital_density_, &first_order_})
    *call = std::make_unique<Call>(kernels.open("rho"));
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

suite_array GridMatrices::wave_of(const Part& part) { return shortened(*wave_, part.grid.n_wave()); }

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

template <class F>
void GridMatrices::each_part(Call& call, F&& f) {
  for (const Part& part : parts_) {
    const bool same = call.part == part.number && parts_.size() == 1;
    if (parts_.size() > 1) evaluate(part, setup_.tables.basis_wave_spl, wave_of(part));
    if (!same) {
      set_batches(call.kernel.kernel(), part);
      call.kernel->set("wave", wave_of(part));
      call.part = part.number;
    }
    f(part);
  }
}

int64_t GridMatrices::directions(std::span<const double> v) const {
  return v.empty() ? 1 : static_cast<int64_t>(v.size() / n_points());
}

namespace {

// The rows of a part of values(points,n_dir), one direction after the other.
std::vector<double> rows_of(std::span<const double> values, size_t points, size_t first, size_t count) {
  std::vector<double> rows;
  rows.reserve(values.size() / points * count);
  for (size_t begin = first; begin < values.size(); begin += points)
    rows.insert(rows.end(), values.begin() + static_cast<std::ptrdiff_t>(begin),
                values.begin() + static_cast<std::ptrdiff_t>(begin + count));
  return rows;
}

}  // namespace

Matrix GridMatrices::assemble(Call& call, const char* result, std::span<const double> v, const Matrix* C) {
  const int64_t n_dir = directions(v), n = setup_.basis.n_basis, columns = C ? C->cols() : n;
  Matrix sum = Matrix::Zero(n, columns * n_dir);
  Kernel& k = call.kernel.kernel();
  if (C) k.set("C", C->data(), {n, columns});
  k.set(result, sum.data(), {n, columns, n_dir});
  std::vector<double> rows;
  each_part(call, [&](const Part& part) {
    const auto points = static_cast<int64_t>(part.grid.n_points());
    set(k, "partition_tab", part.grid.partition_tab, {points});
    if (!v.empty()) {
      if (parts_.size() > 1) rows = rows_of(v, n_points(), part.first_point, part.grid.n_points());
      k.set("v", parts_.size() > 1 ? rows.data() : v.data(), {points, n_dir});
    }
    call.kernel.run();
  });
  k.get(result, sum.data(), {n, columns, n_dir});
  world_.sum({sum.data(), static_cast<size_t>(sum.size())});
  return sum;
}

Matrix GridMatrices::overlap() {
  if (!overlap_) overlap_ = std::make_unique<Call>(kernels_.open("h"));
  return assemble(*overlap_, "H", {}, nullptr);
}

Matrix GridMatrices::kinetic() {
  kinetic_ = std::make_unique<Call>(kernels_.open("h"));
  Call& call = *kinetic_;
  size_t longest = 0;
  for (const Part& part : parts_) longest = std::max(longest, part.grid.n_wave());
  wave_right_ = std::make_unique<Array<double>>(kernels_.device(), Extents{static_cast<int64_t>(longest)});
  const int64_t n = setup_.basis.n_basis;
  Matrix sum = Matrix::Zero(n, n);
  Kernel& k = call.kernel.kernel();
  k.set("H", sum.data(), {n, n, 1});
  each_part(call, [&](const Part& part) {
    const suite_array right = shortened(*wave_right_, part.grid.n_wave());
    evaluate(part, setup_.tables.basis_kin_spl, right);
    k.set("wave_right", right);
    set(k, "partition_tab", part.grid.partition_tab, {static_cast<int64_t>(part.grid.n_points())});
    call.kernel.run();
  });
  k.get("H", sum.data(), {n, n, 1});
  suite_forget(k.handle());
  wave_right_.reset();
  world_.sum({sum.data(), static_cast<size_t>(sum.size())});
  return sum;
}

Matrix GridMatrices::matrices(std::span<const double> v) { return assemble(*matrices_, "H", v, nullptr); }

Matrix GridMatrices::products(std::span<const double> v, const Matrix& C) {
  return assemble(*products_, "HC", v, &C);
}

std::vector<double> GridMatrices::densities(Call& call, int64_t n_dir) {
  std::vector<double> all(n_points() * static_cast<size_t>(n_dir)), rows;
  each_part(call, [&](const Part& part) {
    const size_t points = part.grid.n_points();
    std::vector<double>& to = parts_.size() > 1 ? rows : all;
    to.resize(points * static_cast<size_t>(n_dir));
    const Extents shape{static_cast<int64_t>(points), n_dir};
    call.kernel->set("rho", to.data(), shape);
    call.kernel.run();
    call.kernel->get("rho", to.data(), shape);
    if (parts_.size() == 1) return;
    for (size_t d = 0; d < static_cast<size_t>(n_dir); ++d)
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(d * points), points,
                  all.begin() + static_cast<std::ptrdiff_t>(d * n_points() + part.first_point));
  });
  return all;
}

std::vector<double> GridMatrices::density(const Matrix& matrices) {
  const int64_t n = setup_.basis.n_basis, n_dir = matrices.cols() / n;
  density_->kernel->set("density_matrix", matrices.data(), {n, n, n_dir});
  return densities(*density_, n_dir);
}

std::vector<double> GridMatrices::density_of_orbitals(const Matrix& C) {
  orbital_density_->kernel->set("C", C.data(), {C.rows(), C.cols()});
  return densities(*orbital_density_, 1);
}

std::vector<double> GridMatrices::density_of_orbitals(const Matrix& C, const Matrix& C1) {
  const int64_t n_dir = C1.cols() / C.cols();
  first_order_->kernel->set("C", C.data(), {C.rows(), C.cols()});
  first_order_->kernel->set("C1", C1.data(), {C.rows(), C.cols(), n_dir});
  return densities(*first_order_, n_dir);
}

double GridMatrices::integral(std::span<const double> a) const {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += grid_.partition_tab[i] * a[i];
  world_.sum({&sum, 1});
  return sum;
}

double GridMatrices::integral(std::span<const double> a, std::span<const double> b) const {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += grid_.partition_tab[i] * a[i] * b[i];
  world_.sum({&sum, 1});
  return sum;
}

}  // namespace suite::all_electron
