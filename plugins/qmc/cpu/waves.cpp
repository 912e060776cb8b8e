// SPDX-License-Identifier: BSD-3-Clause
#include "waves.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

namespace suite::qmc {

WaveList::WaveList(const Lattice& lattice, const int32_t* n, int64_t count) : count_(count), n_(n, n + 3 * count) {
  for (int d = 0; d < 3; ++d)
    for (int i = 0; i < 3; ++i) b_[d][i] = lattice.b[d][i] / (2 * std::numbers::pi);
  G_.assign(static_cast<size_t>(4 * width()), 0.0);
  for (int64_t g = 0; g < count; ++g) {
    double G[3];
    reciprocal_vector(lattice, n + 3 * g, G);
    for (int d = 0; d < 3; ++d) {
      G_[d * width() + g] = G[d];
      G_[3 * width() + g] += G[d] * G[d];
      top_[d] = std::max<int64_t>(top_[d], std::abs(n[3 * g + d]));
    }
  }
  int64_t size = 8;
  while (size < 2 * std::max({top_[0], top_[1], top_[2]}) + 2) size *= 2;
  set_table(size);

  // -G has the conjugate, and n_3 and -n_3 share their products.
  std::map<std::pair<int32_t, int32_t>, std::map<int32_t, std::vector<int64_t>>> sorted;
  std::vector<std::pair<double, double>> signs;
  for (int64_t g = 0; g < count; ++g) {
    const int32_t* const v = n + 3 * g;
    const int turned = v[0] < 0 || (v[0] == 0 && v[1] < 0) ? -1 : 1;
    const int32_t n3 = turned * v[2];
    sorted[{turned * v[0], turned * v[1]}][std::abs(n3)].push_back(g);
    signs.emplace_back(turned, n3 < 0 ? -1 : 1);
  }
  places_.resize(static_cast<size_t>(count));
  for (const auto& [pair, members] : sorted) {
    const auto first = static_cast<int64_t>(items_.size());
    for (const auto& [n3, which] : members) {
      for (const int64_t g : which) places_[g] = {static_cast<int64_t>(items_.size()), signs[g].first, signs[g].second};
      items_.push_back({n3});
    }
    groups_.push_back({pair.first, pair.second, first, static_cast<int64_t>(items_.size())});
  }
  item_count_ = static_cast<int64_t>(items_.size());

  for (int64_t g = 0; g < count; ++g) order_.push_back(g);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int64_t g, int64_t h) { return std::lexicographical_compare(n + 3 * g, n + 3 * g + 3, n + 3 * h, n + 3 * h + 3); });
  for (int64_t i = 0; i < count; ++i) {
    const int32_t* const v = n + 3 * order_[static_cast<size_t>(i)];
    if (runs_.empty() || runs_.back().n1 != v[0] || runs_.back().n2 != v[1]) runs_.push_back({v[0], v[1], i, i});
    runs_.back().last = i + 1;
  }
}

// A table of one position has exp(2 pi i m s) at m modulo its size, a power of two.
void WaveList::set_table(int64_t size) {
  table_ = size;
  index_.assign(static_cast<size_t>(3 * width()), 0);
  for (int64_t g = 0; g < count_; ++g)
    for (int d = 0; d < 3; ++d) index_[d * width() + g] = n_[3 * g + d] & (size - 1);
}

namespace {
// exp(2 pi i m s) for m = 0 .. size/2 - 1 and, the conjugate ones, -size/2 + 1 .. -1.
void table_of(double s, int64_t size, double* re, double* im) {
  s -= std::nearbyint(s);
  const Mask lane = lane_numbers();
  for (int64_t m = 0; m < size / 2; m += lanes) {
    const Vector number = __builtin_convertvector(lane + m, Vector);
    Vector c, n;
    turn(number * s, c, n);
    store(re + m, c);
    store(im + m, n);
  }
#if defined(__AVX512F__)
  if (size == 16) {
    const Vector c = load(re), n = load(im);
    store(re + 8, __builtin_shufflevector(c, c, 0, 7, 6, 5, 4, 3, 2, 1));
    store(im + 8, -__builtin_shufflevector(n, n, 0, 7, 6, 5, 4, 3, 2, 1));
    return;
  }
#endif
  re[size / 2] = im[size / 2] = 0;
  for (int64_t m = 1; m < size / 2; ++m) {
    re[size - m] = re[m];
    im[size - m] = -im[m];
  }
}
}  // namespace

void WaveList::powers(const double* r, double* tables) const {
  double s[3];
  turns(r, s);
  for (int d = 0; d < 3; ++d) table_of(s[d], table_, tables + 2 * d * table_, tables + (2 * d + 1) * table_);
}

void WaveList::at(const double* tables, double* re, double* im) const {
  const int64_t w = width(), size = table_;
  const int64_t *const i1 = index_.data(), *const i2 = i1 + w, *const i3 = i2 + w;
#if defined(__AVX512F__)
  if (size <= 16) {
    // Whole tables lie in registers.
    __m512d table[12];
    for (int k = 0; k < 6; ++k)
      for (int half = 0; half < 2; ++half) table[2 * k + half] = (__m512d)load(tables + size * k + (size == 16 ? 8 * half : 0));
    // Of a table of 8 both halves are the same.
    const auto pick = [&](int k, Mask i) -> Vector { return _mm512_permutex2var_pd(table[2 * k], (__m512i)i, table[2 * k + 1]); };
    for (int64_t g = 0; g < w; g += lanes) {
      const Mask n1 = load(i1 + g), n2 = load(i2 + g), n3 = load(i3 + g);
      const Vector a = pick(0, n1), b = pick(1, n1), c = pick(2, n2), e = pick(3, n2), x = pick(4, n3), y = pick(5, n3);
      const Vector p = a * c - b * e, q = a * e + b * c;
      store(re + g, p * x - q * y);
      store(im + g, p * y + q * x);
    }
    return;
  }
#endif
  const double *const t0 = tables, *const t1 = tables + 2 * size, *const t2 = tables + 4 * size;
  for (int64_t g = 0; g < w; ++g) {
    const double a = t0[i1[g]], b = t0[size + i1[g]], c = t1[i2[g]], e = t1[size + i2[g]], x = t2[i3[g]], y = t2[size + i3[g]];
    const double p = a * c - b * e, q = a * e + b * c;
    re[g] = p * x - q * y;
    im[g] = p * y + q * x;
  }
}

void WaveList::tabulate(const Vector* s, double* tables) const {
  double* table = tables;
  const auto put = [&](int64_t m, Vector c, Vector n) {
    store(table + 2 * lanes * m, c);
    store(table + 2 * lanes * m + lanes, n);
  };
  for (int d = 0; d < 3; ++d) {
    put(0, fill(1.0), Vector{});
    if (top_[d] > 0) {
      Vector c, n;
      turn(s[d] - nearest(s[d]), c, n);
      put(1, c, n);
    }
    // From the two halves, so that rounding grows with the logarithm of m.
    for (int64_t m = 2; m <= top_[d]; ++m) {
      const double *const one = table + 2 * lanes * (m / 2), *const two = table + 2 * lanes * (m - m / 2);
      const Vector a = load(one), b = load(one + lanes), c = load(two), e = load(two + lanes);
      put(m, a * c - b * e, a * e + b * c);
    }
    table += 2 * lanes * (top_[d] + 1);
  }
}

// For some electrons p = exp(i(n_1 b_1 + n_2 b_2).r), t = exp(i |n_3| b_3.r): sums of p_re t_re, p_im t_im,
// p_re t_im, p_im t_re, from which both signs of n_3 follow. Powers in the table lie `stride` apart; `none`
// is a row of zeros.
void WaveList::sum_items(const Group& group, const double* p, const double* third, int64_t stride, int64_t blocks, const double* none,
                         double* sums) const {
  constexpr int together = lanes == 8 ? 4 : 2;
  for (int64_t i = group.first; i < group.last; i += together) {
    const double* t[together];
    for (int q = 0; q < together; ++q) t[q] = i + q < group.last ? third + stride * items_[static_cast<size_t>(i + q)].n3 : none;
    Vector s[together][4]{};
    for (int64_t k = 0; k < blocks; ++k) {
      const Vector c = load(p + 2 * lanes * k), n = load(p + 2 * lanes * k + lanes);
      for (int q = 0; q < together; ++q) {
        const Vector x = load(t[q] + 2 * lanes * k), y = load(t[q] + 2 * lanes * k + lanes);
        s[q][0] += c * x;
        s[q][1] += n * y;
        s[q][2] += c * y;
        s[q][3] += n * x;
      }
    }
    for (int q = 0; q < together; q += 2)
      add_eight(sums + 4 * (i + q), sums_of_eight(s[q][0], s[q][1], s[q][2], s[q][3], s[q + 1][0], s[q + 1][1], s[q + 1][2], s[q + 1][3]));
  }
}

void WaveList::structure_factor(const double* r, const double* charge, int64_t npos, double* rho, double* work) const {
  const int64_t blocks = padded(npos) / lanes, stride = 2 * lanes * blocks;
  double *const p = work, *const sums = p + stride;
  double* table[3];
  table[0] = sums + (4 * item_count_ + 31) / 16 * 16;
  for (int d = 1; d < 3; ++d) table[d] = table[d - 1] + stride * (top_[d - 1] + 1);
  // Tables of all positions, the power outside; positions behind the last count nothing.
  for (int64_t k = 0; k < blocks; ++k) {
    Vector s[3]{}, weight{};
    for (int l = 0; l < lanes && k * lanes + l < npos; ++l) {
      const int64_t j = k * lanes + l;
      double x[3];
      turns(r + 3 * j, x);
      for (int d = 0; d < 3; ++d) s[d][l] = x[d];
      weight[l] = charge ? charge[j] : 1.0;
    }
    for (int d = 0; d < 3; ++d) {
      const auto at = [&](int64_t m) { return table[d] + stride * m + 2 * lanes * k; };
      store(at(0), d == 2 ? weight : fill(1.0));
      store(at(0) + lanes, Vector{});
      Vector c, n;
      turn(s[d] - nearest(s[d]), c, n);
      if (top_[d] > 0) {
        store(at(1), c);
        store(at(1) + lanes, n);
      }
      for (int64_t m = 2; m <= top_[d]; ++m) {
        const Vector a = load(at(m / 2)), b = load(at(m / 2) + lanes), e = load(at(m - m / 2)), f = load(at(m - m / 2) + lanes);
        store(at(m), a * e - b * f);
        store(at(m) + lanes, a * f + b * e);
      }
      if (d == 2)
        for (int64_t m = 1; m <= top_[d]; ++m) {
          store(at(m), load(at(m)) * weight);
          store(at(m) + lanes, load(at(m) + lanes) * weight);
        }
    }
  }
  double* const none = table[2] + stride * (top_[2] + 1);
  std::fill_n(none, stride, 0.0);
  std::fill_n(sums, 4 * item_count_ + 16, 0.0);
  // So many electrons at a time that their powers of the third exponential stay in the nearest cache.
  constexpr int64_t near = 28 * 1024;
  const int64_t row = 2 * lanes * static_cast<int64_t>(sizeof(double)) * (top_[2] + 2);
  const int64_t chunk = std::min(std::max<int64_t>(near / row, 4), blocks);
  for (int64_t begin = 0; begin < blocks; begin += chunk) {
    const int64_t some = std::min(chunk, blocks - begin), at = 2 * lanes * begin;
    for (const Group& group : groups_) {
      const double *const first = table[0] + stride * group.n1 + at, *const second = table[1] + stride * std::abs(group.n2) + at;
      const double sign = group.n2 < 0 ? -1 : 1;
      for (int64_t k = 0; k < 2 * lanes * some; k += 2 * lanes) {
        const Vector a = load(first + k), b = load(first + k + lanes), c = load(second + k), e = sign * load(second + k + lanes);
        store(p + k, a * c - b * e);
        store(p + k + lanes, a * e + b * c);
      }
      sum_items(group, p, table[2] + at, stride, some, none, sums);
    }
  }
  for (int64_t g = 0; g < count_; ++g) {
    const Place& place = places_[g];
    const double* const s = sums + 4 * place.item;
    rho[2 * g] = s[0] - place.cross * s[1];
    rho[2 * g + 1] = place.im * (place.cross * s[2] + s[3]);
  }
}

}  // namespace suite::qmc
