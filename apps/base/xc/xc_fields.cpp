// SPDX-License-Identifier: BSD-3-Clause
// The second derivatives of a nearly empty spin diverge, and only their products with its changes are finite: below a density, the spin does
// not respond.
#include "xc_fields.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace suite::app {
namespace {

constexpr double least_local = 1e-12;  // bohr^-3, below which f_xc of one spin without gradients is 0
constexpr double least_density = 1e-12;  // below which a spin has no potential
constexpr double least_responding = 1e-10;  // below which it does not respond

// Which product of gradients those of two spins make, and how it depends on each: sigma_x = 1/2 sum of factor g_s . g_t.
struct Product {
  size_t x;
  double factor;
};
Product product_of(size_t n_spin, size_t s, size_t t) {
  if (n_spin == 1 || s == t) return {s + t, 2};
  return {1, 1};
}

// Of a symmetric n x n table in libxc's order.
size_t in_triangle(size_t n, size_t i, size_t j) {
  if (i > j) std::swap(i, j);
  return i * n - i * (i + 1) / 2 + j;
}

using Vector = std::array<double, 3>;
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Of point p, for the spin `s` and the direction `d` of an array of fields.
struct FieldIndex {
  size_t points, n_dir, n_spin;
  size_t operator()(size_t p, size_t d, size_t s, size_t column) const { return p + points * (d + n_dir * (s + n_spin * column)); }
  Vector vector(std::span<const double> fields, size_t p, size_t d, size_t s) const {
    return {fields[(*this)(p, d, s, 1)], fields[(*this)(p, d, s, 2)], fields[(*this)(p, d, s, 3)]};
  }
};

}  // namespace

size_t columns_of(Xc xc) { return needs_gradients(xc) ? 4 : 1; }

XcOnGrid::XcOnGrid(Xc xc, size_t points, size_t n_spin, std::vector<double> fields, bool with_response)
    : xc_(xc), points_(points), n_spin_(n_spin), columns_(columns_of(xc)), fields_(std::move(fields)) {
  if (n_spin == 1 && columns_ == 1) set_local(with_response);
  else set_derivatives(with_response);
}

void XcOnGrid::set_local(bool with_response) {
  const std::vector<XcValues> xc = exchange_correlation(xc_, fields_, with_response);
  energy_.resize(points_), potential_.resize(points_);
  if (with_response) f_xc_.resize(points_);
#pragma omp parallel for schedule(static)
  for (size_t p = 0; p < points_; ++p) {
    energy_[p] = xc[p].e, potential_[p] = xc[p].v;
    if (with_response) f_xc_[p] = fields_[p] < least_local ? 0.0 : xc[p].f;
  }
}

void XcOnGrid::set_derivatives(bool with_response) {
  const FieldIndex at{points_, 1, n_spin_};
  const size_t products = n_spin_ == 1 ? 1 : 3;
  std::vector<double> n(points_ * n_spin_), sigma(columns_ == 1 ? 0 : points_ * products);
#pragma omp parallel for schedule(static)
  for (size_t p = 0; p < points_; ++p)
    for (size_t s = 0; s < n_spin_; ++s) {
      const double density = fields_[at(p, 0, s, 0)];
      if (density >= least_density) n[n_spin_ * p + s] = density;
      if (columns_ == 1) continue;
      for (size_t t = s; t < n_spin_; ++t) {
        const double least = std::min(density, fields_[at(p, 0, t, 0)]);
        if (least >= least_density)
          sigma[products * p + product_of(n_spin_, s, t).x] = dot(at.vector(fields_, p, 0, s), at.vector(fields_, p, 0, t));
      }
    }
  d_ = xc_derivatives(xc_, static_cast<int>(n_spin_), n, sigma, with_response);
  energy_ = d_.e;
  potential_.assign(fields_.size(), 0.0);
#pragma omp parallel for schedule(static)
  for (size_t p = 0; p < points_; ++p)
    for (size_t s = 0; s < n_spin_; ++s) {
      if (n[n_spin_ * p + s] == 0) continue;
      potential_[at(p, 0, s, 0)] = d_.n[n_spin_ * p + s];
      for (size_t t = 0; t < n_spin_ && columns_ > 1; ++t) {
        const Product x = product_of(n_spin_, s, t);
        for (size_t c = 1; c < columns_; ++c)
          potential_[at(p, 0, s, c)] += x.factor * d_.s[products * p + x.x] * (n[n_spin_ * p + t] == 0 ? 0 : fields_[at(p, 0, t, c)]);
      }
    }
}

std::vector<double> XcOnGrid::response(std::span<const double> change) const {
  std::vector<double> out(change.size(), 0.0);
  if (!f_xc_.empty()) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < out.size(); ++i) out[i] = f_xc_[i % points_] * change[i];
    return out;
  }
  const size_t n_dir = change.size() / fields_.size(), products = n_spin_ == 1 ? 1 : 3;
  const FieldIndex here{points_, 1, n_spin_}, at{points_, n_dir, n_spin_};
  const auto nn = [&](size_t p, size_t s, size_t t) { return d_.nn[products * p + in_triangle(n_spin_, s, t)]; };
  const auto ns = [&](size_t p, size_t s, size_t x) { return d_.ns[n_spin_ * products * p + products * s + x]; };
  const auto ss = [&](size_t p, size_t x, size_t y) { return d_.ss[products * (products + 1) / 2 * p + in_triangle(products, x, y)]; };
#pragma omp parallel for schedule(static)
  for (size_t p = 0; p < points_; ++p)
    for (size_t d = 0; d < n_dir; ++d) {
      // Changes of the densities and of the products of gradients, and what they make of the first derivatives.
      std::array<double, 2> n1{};
      std::array<double, 3> sigma1{}, f1{};
      std::array<bool, 2> responds{};
      for (size_t s = 0; s < n_spin_; ++s) {
        responds[s] = fields_[here(p, 0, s, 0)] >= least_responding;
        if (responds[s]) n1[s] = change[at(p, d, s, 0)];
      }
      std::array<Vector, 2> g{}, g1{};
      for (size_t s = 0; s < n_spin_ && columns_ > 1; ++s)
        if (responds[s]) g[s] = here.vector(fields_, p, 0, s), g1[s] = at.vector(change, p, d, s);
      for (size_t s = 0; s < n_spin_ && columns_ > 1; ++s)
        for (size_t t = 0; t < n_spin_; ++t) {
          const Product x = product_of(n_spin_, s, t);
          sigma1[x.x] += x.factor * dot(g[s], g1[t]);
        }
      for (size_t s = 0; s < n_spin_; ++s) {
        if (!responds[s]) continue;
        double v1 = 0;
        for (size_t t = 0; t < n_spin_; ++t)
          if (responds[t]) v1 += nn(p, s, t) * n1[t];
        for (size_t x = 0; x < products && columns_ > 1; ++x)
          if (sigma1[x] != 0) v1 += ns(p, s, x) * sigma1[x];
        out[at(p, d, s, 0)] = v1;
      }
      if (columns_ == 1) continue;
      for (size_t x = 0; x < products; ++x) {
        for (size_t t = 0; t < n_spin_; ++t)
          if (responds[t]) f1[x] += ns(p, t, x) * n1[t];
        for (size_t y = 0; y < products; ++y)
          if (sigma1[y] != 0) f1[x] += ss(p, x, y) * sigma1[y];
      }
      for (size_t s = 0; s < n_spin_; ++s)
        for (size_t t = 0; t < n_spin_; ++t) {
          const Product x = product_of(n_spin_, s, t);
          if (!responds[s] || !responds[t]) continue;
          for (size_t c = 0; c < 3; ++c) out[at(p, d, s, c + 1)] += x.factor * (f1[x.x] * g[t][c] + d_.s[products * p + x.x] * g1[t][c]);
        }
    }
  return out;
}

}  // namespace suite::app
