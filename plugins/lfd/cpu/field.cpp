// SPDX-License-Identifier: BSD-3-Clause
#include "field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace suite::lfd {
namespace {

constexpr double four_pi = 4 * std::numbers::pi;

// The grid of fused(): rows with room for a neighbour at both ends, rounded to vectors.
template <class T> struct Rows {
  int64_t row, plane, size;
  explicit Rows(const int64_t* n) {
    row = (n[2] + lanes<T> - 1) / lanes<T> * lanes<T> + lanes<T>;
    plane = row * n[1] + lanes<T>;
    size = plane * n[0] + 2 * lanes<T>;
  }
  int64_t at(int64_t i, int64_t j) const { return lanes<T> + i * plane + j * row; }
};

}  // namespace

template <class T>
void FieldSolver<T>::set(const Grid& grid, const FieldConstants& constants, Form form) {
  const bool same_grid = std::equal(grid.n, grid.n + 3, grid_.n) && std::equal(grid.h, grid.h + 3, grid_.h);
  if (!same_grid || constants.kappa != constants_.kappa || constants.gamma != constants_.gamma ||
      constants.steps != constants_.steps)
    powers_set_ = false;
  if (!same_grid) inverse_.clear();
  grid_ = grid;
  constants_ = constants;
  for (int d = 0; d < 3; ++d)
    along_[d] = grid.n[d] > 1 ? static_cast<T>(constants.kappa / (grid.h[d] * grid.h[d])) : 0;
  keep_ = static_cast<T>(1 - constants.gamma);
  plane_sums_.assign(static_cast<size_t>(grid.n[0]), 0);
  if (form == Form::at_once) powers();
  if (form != Form::stepwise) return;
  source_field_.at_least(grid.points());
  const int64_t with_ghosts = (grid.n[0] + 2) * (grid.n[1] + 2) * (grid.n[2] + 2);
  const int64_t size = 4 * std::max(with_ghosts, Rows<T>(grid.n).size + 5 * lanes<T>);
  std::fill_n(ghosted_.at_least(size), size, T(0));
}

template <class T> double FieldSolver<T>::sum(const Team& team, const T* rho, double less) {
  const int64_t plane = grid_.n[1] * grid_.n[2];
  team.share(grid_.n[0], [&](int64_t i) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t p = i * plane; p < (i + 1) * plane; ++p) sum += static_cast<double>(rho[p]) - less;
    plane_sums_[i] = sum;
  });
  double sum = 0;
  for (const double one : plane_sums_) sum += one;
  team.wait();
  return sum;
}

// 4 pi kappa (rho - mean rho). The rounding of a mean is a source at all points alike, which undamped steps
// add up with the square of their number; so the mean is taken twice.
template <class T> void FieldSolver<T>::make_source(const Team& team, const T* rho, T* source) {
  const double points = static_cast<double>(grid_.points());
  const double mean = sum(team, rho, 0) / points, correction = sum(team, rho, mean) / points;
  const double factor = four_pi * constants_.kappa;
  const int64_t plane = grid_.n[1] * grid_.n[2];
  team.share(grid_.n[0], [&](int64_t i) {
    for (int64_t p = i * plane; p < (i + 1) * plane; ++p)
      source[p] = static_cast<T>(factor * ((static_cast<double>(rho[p]) - mean) - correction));
  });
}

// The source's form: arrays with a layer of ghost points, the change u of all points, then its addition. The
// second differences are taken direction by direction, here and in fused(): with their weights collected into
// one factor of v, its last bit would be a spring on the mean of v, which 1100 undamped steps stretch to 2e-11.

template <class T> void FieldSolver<T>::loop_begin(const Team& team, const T* vH, const T* rho) {
  const int64_t nx = grid_.n[0], ny = grid_.n[1], nz = grid_.n[2];
  const int64_t size = (nx + 2) * (ny + 2) * (nz + 2);
  make_source(team, rho, source_field_.data());
  T *const v = ghosted_.data(), *const w = v + size, *const f = v + 3 * size;
  team.share(nx, [&](int64_t i) {
    for (int64_t j = 0; j < ny; ++j)
      for (int64_t k = 0; k < nz; ++k) {
        const int64_t at = ((i + 1) * (ny + 2) + j + 1) * (nz + 2) + k + 1, p = (i * ny + j) * nz + k;
        v[at] = vH[p];
        w[at] = vH[p + grid_.points()];
        f[at] = source_field_.data()[p];
      }
  });
}

template <class T> void FieldSolver<T>::loop_ghosts(const Team& team, int d) {
  const int64_t n[] = {grid_.n[0] + 2, grid_.n[1] + 2, grid_.n[2] + 2};
  const int64_t stride[] = {n[1] * n[2], n[2], 1};
  const int a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2;
  T* const v = ghosted_.data();
  team.share(n[a] - 2, [&](int64_t slab) {
    const int64_t i = slab + 1;
    for (int64_t j = 1; j < n[b] - 1; ++j) {
      T* const line = v + i * stride[a] + j * stride[b];
      line[0] = line[(n[d] - 2) * stride[d]];
      line[(n[d] - 1) * stride[d]] = line[stride[d]];
    }
  });
}

template <class T> void FieldSolver<T>::loop_change(const Team& team) {
  const int64_t nx = grid_.n[0], ny = grid_.n[1], nz = grid_.n[2];
  const int64_t row = nz + 2, plane = (ny + 2) * row, size = (nx + 2) * plane;
  const T *const v = ghosted_.data(), *const w = v + size, *const f = v + 3 * size;
  T* const u = ghosted_.data() + 2 * size;
  const T fx = along_[0], fy = along_[1], fz = along_[2], damping = 1 - keep_;
  team.share(nx, [&](int64_t slab) {
    const int64_t i = slab + 1;
    for (int64_t j = 1; j <= ny; ++j)
#pragma omp simd
      for (int64_t p = i * plane + j * row + 1; p <= i * plane + j * row + nz; ++p)
        u[p] = fx * (v[p - plane] + v[p + plane] - 2 * v[p]) + fy * (v[p - row] + v[p + row] - 2 * v[p]) +
               fz * (v[p - 1] + v[p + 1] - 2 * v[p]) + f[p] - damping * w[p];
  });
}

template <class T> void FieldSolver<T>::loop_add(const Team& team) {
  const int64_t nx = grid_.n[0], ny = grid_.n[1], nz = grid_.n[2];
  const int64_t row = nz + 2, plane = (ny + 2) * row, size = (nx + 2) * plane;
  T *const v = ghosted_.data(), *const w = v + size;
  const T* const u = v + 2 * size;
  team.share(nx, [&](int64_t slab) {
    const int64_t i = slab + 1;
    for (int64_t j = 1; j <= ny; ++j)
#pragma omp simd
      for (int64_t p = i * plane + j * row + 1; p <= i * plane + j * row + nz; ++p) {
        w[p] += u[p];
        v[p] += w[p];
      }
  });
}

template <class T> void FieldSolver<T>::loop_end(const Team& team, T* vH) {
  const int64_t nx = grid_.n[0], ny = grid_.n[1], nz = grid_.n[2];
  const int64_t size = (nx + 2) * (ny + 2) * (nz + 2);
  const T *const v = ghosted_.data(), *const w = v + size;
  team.share(nx, [&](int64_t i) {
    for (int64_t j = 0; j < ny; ++j)
      for (int64_t k = 0; k < nz; ++k) {
        const int64_t at = ((i + 1) * (ny + 2) + j + 1) * (nz + 2) + k + 1, p = (i * ny + j) * nz + k;
        vH[p] = v[at];
        vH[p + grid_.points()] = w[at];
      }
  });
}

template <class T> void FieldSolver<T>::loop(const Team& team, T* vH, const T* rho) {
  loop_begin(team, vH, rho);
  for (int64_t step = 0; step < constants_.steps; ++step) {
    for (int d = 0; d < 3; ++d) loop_ghosts(team, d);
    loop_change(team);
    loop_add(team);
  }
  loop_end(team, vH);
}

// One loop per step: from one array of v into another, w in place, the neighbours of a line's ends written
// with the line.

template <class T> void FieldSolver<T>::fused(const Team& team, T* vH, const T* rho) {
  using V = Vector<T>;
  const int64_t nx = grid_.n[0], ny = grid_.n[1], nz = grid_.n[2];
  const Rows<T> rows(grid_.n);
  make_source(team, rho, source_field_.data());
  const int64_t apart = rows.size + 5 * lanes<T>;  // no power of two: see blocks.hpp
  T* v[2] = {ghosted_.data(), ghosted_.data() + apart};
  T *const w = ghosted_.data() + 2 * apart, *const f = ghosted_.data() + 3 * apart;
  const auto close = [&](T* line) {
    line[-1] = line[nz - 1];
    line[nz] = line[0];
  };
  team.share(nx, [&](int64_t i) {
    for (int64_t j = 0; j < ny; ++j) {
      const int64_t at = rows.at(i, j), p = (i * ny + j) * nz;
      std::copy_n(vH + p, nz, v[0] + at);
      std::copy_n(vH + p + grid_.points(), nz, w + at);
      std::copy_n(source_field_.data() + p, nz, f + at);
      close(v[0] + at);
    }
  });
  const T fx = along_[0], fy = along_[1], fz = along_[2];
  const auto plane = [&](const T* from, T* to, int64_t i) {
    const int64_t before = rows.plane * ((i > 0 ? i - 1 : nx - 1) - i);
    const int64_t after = rows.plane * ((i + 1 < nx ? i + 1 : 0) - i);
    for (int64_t j = 0; j < ny; ++j) {
      const int64_t at = rows.at(i, j);
      const T *const left = from + at + rows.row * ((j > 0 ? j - 1 : ny - 1) - j),
                    *const right = from + at + rows.row * ((j + 1 < ny ? j + 1 : 0) - j);
      const T *const low = from + at + before, *const high = from + at + after;
      for (int64_t k = 0; k < nz; k += lanes<T>) {
        const V here = load(from + at + k), twice = here + here;
        const V x = load(low + k) + load(high + k) - twice, y = load(left + k) + load(right + k) - twice,
                z = load(from + at + k - 1) + load(from + at + k + 1) - twice;
        const V new_w = keep_ * load(w + at + k) + (fx * x + (fy * y + (fz * z + load(f + at + k))));
        store(w + at + k, new_w);
        store(to + at + k, here + new_w);
      }
      close(to + at);
    }
  };
  for (int64_t step = 0; step < constants_.steps; ++step)
    team.share(nx, [&](int64_t i) { plane(v[step & 1], v[1 - (step & 1)], i); });
  const T* const result = v[constants_.steps & 1];
  team.share(nx, [&](int64_t i) {
    for (int64_t j = 0; j < ny; ++j) {
      const int64_t at = rows.at(i, j), p = (i * ny + j) * nz;
      std::copy_n(result + at, nz, vH + p);
      std::copy_n(w + at, nz, vH + p + grid_.points());
    }
  });
}

// All steps at once.

template <class T> void FieldSolver<T>::powers() {
  if (powers_set_) return;
  periodic_.set(grid_.n, false);
  for (Buffer<T>* b : {&v_waves_, &w_waves_, &rho_waves_}) b->at_least(grid_.points());
  std::vector<double> lambda[3];
  for (int d = 0; d < 3; ++d)
    lambda[d] = axis_eigenvalues(Laplacian::differences, grid_.n[d], grid_.h[d]);
  powers_ = {};
  for (const double x : lambda[0])
    for (const double y : lambda[1])
      for (const double z : lambda[2]) {
        const double l = x + y + z, of_rho = l > 0 ? four_pi / l : 0;
        const FieldPower m = field_power(constants_.kappa * l, constants_.gamma, constants_.steps);
        powers_.vv.push_back(static_cast<T>(m.dd));
        powers_.vw.push_back(static_cast<T>(m.dw));
        powers_.vr.push_back(static_cast<T>((1 - m.dd) * of_rho));
        powers_.wv.push_back(static_cast<T>(m.wd));
        powers_.ww.push_back(static_cast<T>(m.ww));
        powers_.wr.push_back(static_cast<T>(-m.wd * of_rho));
      }
  powers_set_ = true;
}

// f(row of waves, row of their numbers, count) for all rows, cos and sin apart.
template <class T> template <class F> void FieldSolver<T>::each_wave_row(const Team& team, F&& f) const {
  const int64_t nx = grid_.n[0], ny = grid_.n[1], nz = grid_.n[2];
  const int64_t cosines = nz / 2 + 1, sines = nz - cosines;
  team.share(nx, [&](int64_t a) {
    for (int64_t b = 0; b < ny; ++b) {
      const int64_t row = (a * ny + b) * nz;
      const int64_t number = (wave_number(a, nx) * (ny / 2 + 1) + wave_number(b, ny)) * cosines;
      f(row, number, cosines);
      f(row + cosines, number + 1, sines);
    }
  });
}

template <class T> void FieldSolver<T>::load_waves(const Team& team, const T* vH) {
  periodic_.forward(team, vH, v_waves_.data());
  periodic_.forward(team, vH + grid_.points(), w_waves_.data());
}

template <class T> void FieldSolver<T>::closed_waves(const Team& team, T* v_out, const T* rho) {
  T *const v = v_waves_.data(), *const w = w_waves_.data(), *const r = rho_waves_.data();
  periodic_.forward(team, rho, r);
  const Powers& m = powers_;
  each_wave_row(team, [&](int64_t row, int64_t number, int64_t count) {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) {
      const T a = v[row + i], b = w[row + i], c = r[row + i];
      v[row + i] = m.vv[number + i] * a + m.vw[number + i] * b + m.vr[number + i] * c;
      w[row + i] = m.wv[number + i] * a + m.ww[number + i] * b + m.wr[number + i] * c;
    }
  });
  periodic_.backward(team, v, v_out);
}

template <class T> void FieldSolver<T>::finish_waves(const Team& team, T* w) { periodic_.backward(team, w_waves_.data(), w); }

template <class T> void FieldSolver<T>::closed(const Team& team, T* vH, const T* rho) {
  load_waves(team, vH);
  closed_waves(team, vH, rho);
  finish_waves(team, vH + grid_.points());
}

// The field of a density.

template <class T> void FieldSolver<T>::set_solution(Laplacian laplacian) {
  if (!inverse_.empty() && laplacian == laplacian_) return;
  laplacian_ = laplacian;
  inverse_.clear();
  if (laplacian == Laplacian::isolated) {
    isolated_.set(grid_.n, true);
    rho_waves_.at_least(isolated_.size());
    for (const double s : isolated_spectrum(grid_.n, grid_.h)) inverse_.push_back(static_cast<T>(s));
    return;
  }
  periodic_.set(grid_.n, false);
  rho_waves_.at_least(grid_.points());
  std::vector<double> lambda[3];
  for (int d = 0; d < 3; ++d) lambda[d] = axis_eigenvalues(laplacian, grid_.n[d], grid_.h[d]);
  for (const double x : lambda[0])
    for (const double y : lambda[1])
      for (const double z : lambda[2])
        inverse_.push_back(x + y + z > 0 ? static_cast<T>(four_pi / (x + y + z)) : 0);
}

template <class T> void FieldSolver<T>::solve(const Team& team, T* v, const T* rho) {
  Waves<T>& waves = laplacian_ == Laplacian::isolated ? isolated_ : periodic_;
  T* const r = rho_waves_.data();
  waves.forward(team, rho, r);
  const int64_t nx = waves.waves(0), ny = waves.waves(1), nz = waves.waves(2);
  const int64_t cosines = nz / 2 + 1;
  team.share(nx, [&](int64_t a) {
    for (int64_t b = 0; b < ny; ++b) {
      T* const row = r + (a * ny + b) * nz;
      const T* const inverse =
          inverse_.data() + (wave_number(a, nx) * (ny / 2 + 1) + wave_number(b, ny)) * cosines;
#pragma omp simd
      for (int64_t c = 0; c < cosines; ++c) row[c] *= inverse[c];
#pragma omp simd
      for (int64_t c = cosines; c < nz; ++c) row[c] *= inverse[c - cosines + 1];
    }
  });
  waves.backward(team, r, v);
}

template class FieldSolver<float>;
template class FieldSolver<double>;

}  // namespace suite::lfd
