// SPDX-License-Identifier: BSD-3-Clause
#include "field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

namespace suite::lfd {
namespace {

constexpr double four_pi = 4 * std::numbers::pi;

// The grid of fused(). Where a row is a whole number of vectors, neighbours along it come from the vectors
// before and after; otherwise a row has room for a neighbour at both ends, and is rounded to vectors.
template <class T> struct Rows {
  int64_t row, plane, size;
  bool whole;
  explicit Rows(const int64_t* n) {
    whole = n[2] % lanes<T> == 0;
    row = (n[2] + lanes<T> - 1) / lanes<T> * lanes<T> + (whole ? 0 : lanes<T>);
    plane = row * n[1] + lanes<T>;
    size = plane * n[0] + 2 * lanes<T>;
  }
  int64_t at(int64_t i, int64_t j) const { return lanes<T> + i * plane + j * row; }
};

// The vector that begins one lane before `here`, and one lane after.
template <class V> V one_before(V before, V here) {
  constexpr int n = sizeof(V) / sizeof here[0];
  return [&]<int... l>(std::integer_sequence<int, l...>) {
    return __builtin_shufflevector(before, here, (n - 1 + l)...);
  }(std::make_integer_sequence<int, n>{});
}
template <class V> V one_after(V here, V after) {
  constexpr int n = sizeof(V) / sizeof here[0];
  return [&]<int... l>(std::integer_sequence<int, l...>) {
    return __builtin_shufflevector(here, after, (l + 1)...);
  }(std::make_integer_sequence<int, n>{});
}

// One field step of a plane. Its numbers are copied before the loops: what is stored there could be they, as
// far as the compiler knows.
template <class T> struct PlaneStep {
  T* w;
  const T* source;
  T fx, fy, fz, keep;
  int64_t nx, ny, nz;

  template <bool whole> void run(const Rows<T> rows, const T* from, T* to, int64_t i) const {
    using V = Vector<T>;
    const V x_weight = fill(fx), y_weight = fill(fy), z_weight = fill(fz), kept = fill(keep);
    const int64_t before = rows.plane * ((i > 0 ? i - 1 : nx - 1) - i), lines = ny, length = nz;
    const int64_t after = rows.plane * ((i + 1 < nx ? i + 1 : 0) - i);
    for (int64_t j = 0; j < lines; ++j) {
      const int64_t at = rows.at(i, j);
      const T *const left = from + at + rows.row * ((j > 0 ? j - 1 : lines - 1) - j), *const right =
                                                                                          from + at +
                                                                                          rows.row * ((j + 1 < lines ? j + 1 : 0) - j);
      const T *const here_row = from + at, *const low = here_row + before, *const high = here_row + after;
      const T* const f = source + at;
      T *const new_v = to + at, *const own_w = w + at;
      V last = load(here_row + length - lanes<T>), next = load(here_row);
      for (int64_t k = 0; k < length; k += lanes<T>) {
        V here, along;
        if constexpr (whole) {
          here = next;
          next = load(here_row + (k + lanes<T> < length ? k + lanes<T> : 0));
          along = one_before(last, here) + one_after(here, next);
          last = here;
        } else {
          here = load(here_row + k);
          along = load(here_row + k - 1) + load(here_row + k + 1);
        }
        const V twice = here + here;
        const V x = load(low + k) + load(high + k) - twice, y = load(left + k) + load(right + k) - twice;
        const V change = kept * load(own_w + k) + (x_weight * x + (y_weight * y + (z_weight * (along - twice) + load(f + k))));
        store(own_w + k, change);
        store(new_v + k, here + change);
      }
      if constexpr (!whole) {
        new_v[-1] = new_v[length - 1];
        new_v[length] = new_v[0];
      }
    }
  }
};

}  // namespace

template <class T> void FieldSolver<T>::set(const Grid& grid, const FieldConstants& constants, Form form) {
  const bool same_grid = std::equal(grid.n, grid.n + 3, grid_.n) && std::equal(grid.h, grid.h + 3, grid_.h);
  if (!same_grid || constants.kappa != constants_.kappa || constants.gamma != constants_.gamma || constants.steps != constants_.steps)
    powers_set_ = false;
  if (!same_grid) inverse_.clear();
  grid_ = grid;
  constants_ = constants;
  for (int d = 0; d < 3; ++d) along_[d] = grid.n[d] > 1 ? static_cast<T>(constants.kappa / (grid.h[d] * grid.h[d])) : 0;
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
// one factor of v, its last bit would be a spring on the mean of v, which 1100 undamped steps stretch to
// 2e-11.

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
  const int64_t nx = grid_.n[0], ny = grid_.n[1], nz = grid_.n[2];
  const Rows<T> rows(grid_.n);
  make_source(team, rho, source_field_.data());
  const int64_t apart = rows.size + 5 * lanes<T>;  // no power of two: see blocks.hpp
  T* v[2] = {ghosted_.data(), ghosted_.data() + apart};
  T *const w = ghosted_.data() + 2 * apart, *const f = ghosted_.data() + 3 * apart;
  const auto close = [&](T* line) {
    if (rows.whole) return;
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
  const PlaneStep<T> plane{w, f, along_[0], along_[1], along_[2], keep_, nx, ny, nz};
  for (int64_t step = 0; step < constants_.steps; ++step)
    team.share(nx, [&](int64_t i) {
      const T* const from = v[step & 1];
      T* const to = v[1 - (step & 1)];
      rows.whole ? plane.template run<true>(rows, from, to, i) : plane.template run<false>(rows, from, to, i);
    });
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
  const std::vector<double> coulomb = coulomb_factors(Laplacian::differences, grid_.n, grid_.h);
  const std::vector<FieldPower> powers = field_powers(grid_.n, grid_.h, constants_.kappa, constants_.gamma, constants_.steps);
  powers_ = {};
  const int64_t nz = grid_.n[2], numbers = nz / 2 + 1;
  for (size_t row = 0; row < powers.size(); row += static_cast<size_t>(numbers))
    for (int64_t c = 0; c < nz; ++c) {
      const FieldPower& m = powers[row + periodic_.number(2, c)];
      const double of_rho = coulomb[row + periodic_.number(2, c)];
      powers_.vv.push_back(static_cast<T>(m.dd));
      powers_.vw.push_back(static_cast<T>(m.dw));
      powers_.vr.push_back(static_cast<T>((1 - m.dd) * of_rho));
      powers_.wv.push_back(static_cast<T>(m.wd));
      powers_.ww.push_back(static_cast<T>(m.ww));
      powers_.wr.push_back(static_cast<T>(-m.wd * of_rho));
    }
  powers_set_ = true;
}

// f(begin of a row of waves, begin of its row in a table of factors) for all rows.
template <class T> template <class F> void FieldSolver<T>::each_wave_row(const Team& team, F&& f) const {
  const int64_t nx = grid_.n[0], ny = grid_.n[1], nz = grid_.n[2];
  team.share(nx, [&](int64_t a) {
    for (int64_t b = 0; b < ny; ++b) f((a * ny + b) * nz, (periodic_.number(0, a) * (ny / 2 + 1) + periodic_.number(1, b)) * nz);
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
  const int64_t nz = grid_.n[2];
  each_wave_row(team, [&](int64_t row, int64_t number) {
    const T *const vv = &m.vv[number], *const vw = &m.vw[number], *const vr = &m.vr[number];
    const T *const wv = &m.wv[number], *const ww = &m.ww[number], *const wr = &m.wr[number];
#pragma omp simd
    for (int64_t i = 0; i < nz; ++i) {
      const T a = v[row + i], b = w[row + i], c = r[row + i];
      v[row + i] = vv[i] * a + vw[i] * b + vr[i] * c;
      w[row + i] = wv[i] * a + ww[i] * b + wr[i] * c;
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
  if (laplacian == Laplacian::isolated) return isolated_.set(grid_);
  periodic_.set(grid_.n, false);
  rho_waves_.at_least(periodic_.size());
  const std::vector<double> coulomb = coulomb_factors(laplacian, grid_.n, grid_.h);
  const int64_t nz = grid_.n[2], numbers = nz / 2 + 1;
  for (size_t row = 0; row < coulomb.size(); row += static_cast<size_t>(numbers))
    for (int64_t c = 0; c < nz; ++c) inverse_.push_back(static_cast<T>(coulomb[row + periodic_.number(2, c)]));
}

template <class T> void FieldSolver<T>::solve(const Team& team, T* v, const T* rho) {
  if (laplacian_ == Laplacian::isolated) return isolated_.solve(team, v, rho);
  T* const r = rho_waves_.data();
  periodic_.forward(team, rho, r);
  const int64_t nz = grid_.n[2];
  each_wave_row(team, [&](int64_t row, int64_t number) {
    const T* const inverse = &inverse_[number];
#pragma omp simd
    for (int64_t i = 0; i < nz; ++i) r[row + i] *= inverse[i];
  });
  periodic_.backward(team, r, v);
}

template class FieldSolver<float>;
template class FieldSolver<double>;

}  // namespace suite::lfd
