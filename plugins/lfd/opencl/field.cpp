// SPDX-License-Identifier: BSD-3-Clause
#include "field.hpp"

#include <algorithm>
#include <numbers>

#include "sources.hpp"

namespace suite::lfd::cl {
namespace {

// From here on field steps are started one by one even on a CPU.
constexpr int64_t points_for_all_cores = 1 << 18;

// A table of the waves 0..Nd/2 as one of the rows of the bases, rows[d] in each direction.
template <class T> std::vector<T> of_rows(const std::vector<T>& of_waves, const int64_t* rows) {
  const int64_t ny = rows[1] / 2 + 1, nz = rows[2] / 2 + 1;
  std::vector<T> table;
  for (int64_t x = 0; x < rows[0]; ++x)
    for (int64_t y = 0; y < rows[1]; ++y)
      for (int64_t z = 0; z < rows[2]; ++z)
        table.push_back(of_waves[static_cast<size_t>((basis_wave(x) * ny + basis_wave(y)) * nz + basis_wave(z))]);
  return table;
}

bool same_grid(const Grid& a, const Grid& b) { return std::equal(a.n, a.n + 3, b.n) && std::equal(a.h, a.h + 3, b.h); }

}  // namespace

void copy(const Engine& engine, cl_mem from, size_t from_number, cl_mem to, size_t to_number, size_t count) {
  if (count == 0) return;
  const size_t bytes = engine.real_bytes();
  opencl::check(
      clEnqueueCopyBuffer(engine.device.queue, from, to, from_number * bytes, to_number * bytes, count * bytes, 0, nullptr, nullptr),
      "clEnqueueCopyBuffer");
}

std::string field_options(const Engine& engine, Functional functional) {
  return define("FUNCTIONAL", static_cast<int>(functional)) + define("LOCAL", engine.local(256)) + define("BLOCKS", 0);
}

FieldSolver::FieldSolver(Engine& e, Functional functional)
    : engine_(e),
      functional_(functional),
      v_(e.backend, e.queue, "the Hartree field"),
      w_(e.backend, e.queue, "the Hartree field's change"),
      other_(e.backend, e.queue, "the Hartree field"),
      source_(e.backend, e.queue, "the source of the Hartree field"),
      first_(e.backend, e.queue, "a transformed field"),
      second_(e.backend, e.queue, "a transformed field"),
      rho_waves_(e.backend, e.queue, "the waves of rho"),
      v_waves_(e.backend, e.queue, "the waves of the Hartree field"),
      w_waves_(e.backend, e.queue, "the waves of the Hartree field's change"),
      table_of_waves_(e.backend, e.queue, "the factors of waves"),
      to_x_(e.backend, e.queue, "a Fourier basis"),
      to_y_(e.backend, e.queue, "a Fourier basis"),
      to_z_(e.backend, e.queue, "a Fourier basis"),
      from_x_(e.backend, e.queue, "a Fourier basis"),
      from_y_(e.backend, e.queue, "a Fourier basis"),
      from_z_(e.backend, e.queue, "a Fourier basis") {}

template <class... Arguments> void FieldSolver::run(const char* name, const opencl::Range& range, const Arguments&... arguments) {
  engine_.run(fields_cl, name, field_options(engine_, functional_), range, arguments...);
}

void FieldSolver::set_grid(const Grid& grid, bool padded) {
  if (set_ && same_grid(grid, grid_) && padded == padded_ && single_ == engine_.single()) return;
  set_ = false;
  grid_ = grid;
  padded_ = padded;
  single_ = engine_.single();
  table_ = -1;
  opencl::Scratch *const to[] = {&to_x_, &to_y_, &to_z_}, *const from[] = {&from_x_, &from_y_, &from_z_};
  int64_t largest = grid.points(), all = 1;
  for (int d = 0; d < 3; ++d) {
    const int64_t n = grid.n[d], m = padded ? 2 * n : n;
    waves_[d] = m;
    largest = std::max(largest, largest / n * m);
    all *= m;
    const AxisBasis basis = axis_basis(n, padded);
    engine_.upload(*to[d], basis.to_waves);
    engine_.upload(*from[d], basis.to_points);
  }
  const size_t bytes = static_cast<size_t>(std::max(all, largest)) * engine_.real_bytes();
  for (opencl::Scratch* s : {&first_, &second_, &rho_waves_, &v_waves_, &w_waves_}) s->at_least(bytes);
  for (opencl::Scratch* s : {&v_, &w_, &other_, &source_}) s->at_least(static_cast<size_t>(grid.points()) * engine_.real_bytes());
  set_ = true;
}

void FieldSolver::set_steps(const Grid& grid, const FieldConstants& constants, bool at_once) {
  set_grid(grid, false);
  constants_ = constants;
  const bool known = table_ == 0 && constants.kappa == table_constants_.kappa && constants.gamma == table_constants_.gamma &&
                     constants.steps == table_constants_.steps;
  if (!at_once || known) return;
  table_ = -1;
  const std::vector<double> coulomb = of_rows(coulomb_factors(Laplacian::differences, grid.n, grid.h), waves_);
  const std::vector<FieldPower> powers = of_rows(field_powers(grid.n, grid.h, constants.kappa, constants.gamma, constants.steps), waves_);
  const size_t count = powers.size();
  std::vector<double> table(5 * count);
  for (size_t q = 0; q < count; ++q) {
    table[q] = powers[q].dd;
    table[count + q] = powers[q].dw;
    table[2 * count + q] = powers[q].wd;
    table[3 * count + q] = powers[q].ww;
    table[4 * count + q] = coulomb[q];
  }
  engine_.upload(table_of_waves_, table);
  table_ = 0;
  table_constants_ = constants;
}

void FieldSolver::set_solution(const Grid& grid, Laplacian laplacian) {
  set_grid(grid, laplacian == Laplacian::isolated);
  const int wanted = 1 + static_cast<int>(laplacian);
  if (table_ == wanted) return;
  table_ = -1;
  engine_.upload(table_of_waves_, of_rows(coulomb_factors(laplacian, grid.n, grid.h), waves_));
  table_ = wanted;
}

void FieldSolver::take(cl_mem vH) {
  const auto points = static_cast<size_t>(grid_.points());
  copy(engine_, vH, 0, v(), 0, points);
  copy(engine_, vH, points, w_.at_least(0), 0, points);
}

void FieldSolver::give(cl_mem vH) {
  const auto points = static_cast<size_t>(grid_.points());
  copy(engine_, v(), 0, vH, 0, points);
  copy(engine_, w_.at_least(0), 0, vH, points, points);
}

void FieldSolver::source_of(cl_mem rho) {
  const auto local = static_cast<size_t>(engine_.local(256));
  run("source_of", {{local, 1, 1}, {local, 1, 1}}, rho, source_.at_least(0), static_cast<cl_int>(grid_.points()));
}

namespace {

struct Coefficients {
  double c[3], rho;
  Coefficients(const Grid& g, double kappa) : rho(4 * std::numbers::pi * kappa) {
    for (int d = 0; d < 3; ++d) c[d] = g.n[d] > 1 ? kappa / (g.h[d] * g.h[d]) : 0;
  }
};

}  // namespace

void FieldSolver::loop(cl_mem rho, Start start) {
  const Counts n(grid_);
  const Coefficients k(grid_, constants_.kappa);
  source_of(rho);
  const opencl::Range one{{1, 1, 1}, {1, 1, 1}};
  const opencl::Range range = start == Start::one_item ? one : engine_.shares(n.points, 4096);
  const auto wait = [&] {
    if (start != Start::wait) return;
    suite_error error{};
    const int status = engine_.backend->wait(engine_.queue, &error);
    if (status != SUITE_OK) throw Failure(static_cast<suite_status>(status), error.message);
  };
  for (int64_t step = 0; step < constants_.steps; ++step) {
    run("field_change", range, v(), w_.at_least(0), other_.at_least(0), source_.at_least(0), n.nx, n.ny, n.nz, k.c[0], k.c[1], k.c[2],
        k.rho, constants_.gamma);
    wait();
    run("field_add", range, v(), w_.at_least(0), other_.at_least(0), n.points);
    wait();
  }
}

void FieldSolver::fused(cl_mem rho) {
  const Counts n(grid_);
  const Coefficients k(grid_, constants_.kappa);
  source_of(rho);
  int64_t left = constants_.steps;
  if (engine_.coarse() && n.points < points_for_all_cores && left > 1) {
    const int64_t pairs = left / 2;
    run("fused_steps", {{1, 1, 1}, {1, 1, 1}}, v(), w_.at_least(0), other_.at_least(0), source_.at_least(0), n.nx, n.ny, n.nz, k.c[0],
        k.c[1], k.c[2], k.rho, constants_.gamma, static_cast<cl_int>(pairs));
    left %= 2;
  }
  cl_mem now = v(), next = other_.at_least(0);
  for (; left > 0; --left) {
    run("fused_step", engine_.shares(int64_t(n.nx) * n.ny, 64), now, w_.at_least(0), next, source_.at_least(0), n.nx, n.ny, n.nz, k.c[0],
        k.c[1], k.c[2], k.rho, constants_.gamma);
    std::swap(now, next);
  }
  if (now != v()) copy(engine_, now, 0, v(), 0, static_cast<size_t>(n.points));
}

void FieldSolver::product(cl_mem a, cl_mem b, cl_mem c, int64_t rows, int64_t inner, int64_t columns, int64_t batches) {
  const int64_t tiles = batches * ceil_div(rows, 8) * ceil_div(columns, engine_.vector());
  run("product", engine_.shares(tiles, 8), a, b, c, static_cast<cl_int>(rows), static_cast<cl_int>(inner), static_cast<cl_int>(columns),
      static_cast<cl_int>(batches));
}

// out(waves) of in(points): z, y, x.
void FieldSolver::forward(cl_mem in, cl_mem out) {
  const int64_t *n = grid_.n, *m = waves_;
  const cl_mem first = first_.at_least(0), second = second_.at_least(0);
  product(in, from_z_.at_least(0), first, n[0] * n[1], n[2], m[2], 1);
  product(to_y_.at_least(0), first, second, m[1], n[1], m[2], n[0]);
  product(to_x_.at_least(0), second, out, m[0], n[0], m[1] * m[2], 1);
}

void FieldSolver::backward(cl_mem in, cl_mem out) {
  const int64_t *n = grid_.n, *m = waves_;
  const cl_mem first = first_.at_least(0), second = second_.at_least(0);
  product(from_x_.at_least(0), in, second, n[0], m[0], m[1] * m[2], 1);
  product(from_y_.at_least(0), second, first, n[1], m[1], m[2], n[0]);
  product(first, to_z_.at_least(0), out, n[0] * n[1], m[2], n[2], 1);
}

void FieldSolver::begin_closed() {
  forward(v(), v_waves_.at_least(0));
  forward(w_.at_least(0), w_waves_.at_least(0));
}

void FieldSolver::closed(cl_mem rho) {
  const auto count = static_cast<cl_int>(grid_.points());
  forward(rho, rho_waves_.at_least(0));
  run("field_power", engine_.shares(count, 1024), rho_waves_.at_least(0), v_waves_.at_least(0), w_waves_.at_least(0),
      table_of_waves_.at_least(0), count);
  backward(v_waves_.at_least(0), v());
}

void FieldSolver::end_closed() { backward(w_waves_.at_least(0), w_.at_least(0)); }

void FieldSolver::solve(cl_mem rho) {
  const auto count = static_cast<cl_int>(waves_[0] * waves_[1] * waves_[2]);
  forward(rho, rho_waves_.at_least(0));
  run("scale_waves", engine_.shares(count, 1024), rho_waves_.at_least(0), table_of_waves_.at_least(0), count);
  backward(rho_waves_.at_least(0), v());
}

void FieldSolver::clear_w() {
  const auto count = static_cast<cl_int>(grid_.points());
  run("fill", engine_.shares(count, 4096), w_.at_least(0), cl_int(0), count, 0.0);
}

}  // namespace suite::lfd::cl
