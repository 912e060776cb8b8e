// SPDX-License-Identifier: BSD-3-Clause
// V_nl of lfd.hpsi for complex orbitals that are not side by side: the lanes of a vector are real and imaginary parts of an orbital at some
// of a sphere's points, which are whole complex numbers in any order of a host's indices. Orbitals in the lanes would be gathered and
// scattered number by number.
#pragma once

#include "hpsi_spheres.hpp"

namespace suite::lfd {

// a, then b.
template <class T, int n> struct Joined {
  typedef T Half __attribute__((vector_size(n * sizeof(T) / 2)));
  typedef T Whole __attribute__((vector_size(n * sizeof(T))));
  static Whole of(Half a, Half b) {
    return [&]<int... l>(std::integer_sequence<int, l...>) {
      return __builtin_shufflevector(a, b, l...);
    }(std::make_integer_sequence<int, n>{});
  }
};

template <class T> class PointLanes {
public:
  using V = Vector<T>;
  static constexpr int together = lanes<T> / 2;  // points of a vector

  // place: of the sphere's points, in numbers of T; K: D hx hy hz.
  PointLanes(const Sphere& sphere, int64_t nproj, const int64_t* place) : sphere_(&sphere), place_(place), nproj_(nproj) {
    const int64_t count = std::ssize(sphere.point), vectors = (count + together - 1) / together;
    beta_.reserve(static_cast<size_t>(vectors * nproj));
    const T* const beta = sphere.projectors(T());
    for (int64_t v = 0; v < vectors; ++v)
      for (int64_t q = 0; q < nproj; ++q) {
        V both{};
        for (int l = 0; l < together && v * together + l < count; ++l) both[2 * l] = both[2 * l + 1] = beta[(v * together + l) * nproj + q];
        beta_.push_back(both);
      }
  }

  // hpsi += V_nl psi of R orbitals. phase: theirs at the sphere's points, or null. workspace: 2 R nproj vectors.
  template <int R> void add(const T* const* from, T* const* to, const T* const* phase, V* workspace) const {
    V *const c = workspace, *const d = c + R * nproj_;
    if (phase) {
      project<R, true>(from, phase, c);
      combine<R>(c, d);
      add<R, true>(to, phase, d);
    } else {
      project<R, false>(from, phase, c);
      combine<R>(c, d);
      add<R, false>(to, phase, d);
    }
  }

private:
  typedef T Pair __attribute__((vector_size(2 * sizeof(T))));

  template <int n> [[gnu::always_inline]] static auto gather(const T* from, const int64_t* place) {
    if constexpr (n == 2) {
      Pair x;
      std::memcpy(&x, from + *place, sizeof x);
      return x;
    } else {
      return Joined<T, n>::of(gather<n / 2>(from, place), gather<n / 2>(from, place + n / 4));
    }
  }
  template <int l> [[gnu::always_inline]] static void add_point(T* to, int64_t place, V x) {
    Pair old;
    std::memcpy(&old, to + place, sizeof old);
    old += __builtin_shufflevector(x, x, 2 * l, 2 * l + 1);
    std::memcpy(to + place, &old, sizeof old);
  }
  template <int... l> [[gnu::always_inline]] static void add_points(T* to, const int64_t* place, V x, std::integer_sequence<int, l...>) {
    (add_point<l>(to, place[l], x), ...);
  }

  // (im, re), (re, re) and (im, im) of every (re, im).
  [[gnu::always_inline]] static V exchanged(V x) {
    return [&]<int... l>(std::integer_sequence<int, l...>) {
      return __builtin_shufflevector(x, x, (l ^ 1)...);
    }(std::make_integer_sequence<int, lanes<T>>{});
  }
  template <int part> [[gnu::always_inline]] static V both(V x) {
    return [&]<int... l>(std::integer_sequence<int, l...>) {
      return __builtin_shufflevector(x, x, ((l & ~1) + part)...);
    }(std::make_integer_sequence<int, lanes<T>>{});
  }
  // x times the phases, or their conjugates.
  template <bool back> [[gnu::always_inline]] static V turned(V x, V phases) {
    const V c = both<0>(phases), s = both<1>(phases) * sign();
    return back ? c * x - s * exchanged(x) : c * x + s * exchanged(x);
  }
  [[gnu::always_inline]] static V sign() {
    V s;
    for (int l = 0; l < lanes<T>; ++l) s[l] = l & 1 ? 1 : -1;
    return s;
  }
  // Some phases of the last vector may not exist.
  [[gnu::always_inline]] static V load_phases(const T* from, int64_t there) {
    if (there >= together) return load(from);
    V x{};
    for (int64_t l = 0; l < 2 * there; ++l) x[l] = from[l];
    return x;
  }

  // c[q R + r]: sums over every other lane of beta_q times orbital r.
  template <int R, bool phased> void project(const T* const* from, const T* const* phase, V* c) const {
    const int64_t count = std::ssize(sphere_->point);
    each_group(nproj_, [&](auto P, int64_t first) {
      V sum[P() * R] = {};
      const V* beta = beta_.data() + first;
      for (int64_t p = 0; p < count; p += together, beta += nproj_) {
        V x[R];
        for (int r = 0; r < R; ++r) {
          if (p + together <= count) x[r] = gather<lanes<T>>(from[r], place_ + p);
          else {
            x[r] = V{};
            for (int64_t l = 0; l < 2 * (count - p); ++l) x[r][l] = from[r][place_[p + l / 2] + l % 2];
          }
          if constexpr (phased) x[r] = turned<false>(x[r], load_phases(phase[r] + 2 * p, count - p));
        }
        for (int q = 0; q < P(); ++q)
          for (int r = 0; r < R; ++r) sum[q * R + r] += beta[q] * x[r];
      }
      for (int q = 0; q < P() * R; ++q) c[first * R + q] = sum[q];
    });
  }

  // d = K c, with the two numbers of an orbital in every pair of lanes.
  template <int R> void combine(V* c, V* d) const {
    for (int64_t i = 0; i < nproj_ * R; ++i) {
      T re = 0, im = 0;
      for (int l = 0; l < lanes<T>; l += 2) re += c[i][l], im += c[i][l + 1];
      for (int l = 0; l < lanes<T>; l += 2) c[i][l] = re, c[i][l + 1] = im;
    }
    for (int64_t i = 0; i < nproj_; ++i)
      for (int r = 0; r < R; ++r) {
        d[i * R + r] = V{};
        for (int64_t j = 0; j < nproj_; ++j) d[i * R + r] += static_cast<T>(sphere_->K[i * nproj_ + j].real()) * c[j * R + r];
      }
  }

  template <int R, bool phased> void add(T* const* to, const T* const* phase, const V* d) const {
    const int64_t count = std::ssize(sphere_->point);
    each_group(nproj_, [&](auto P, int64_t first) {
      V own[P() * R];
      for (int q = 0; q < P() * R; ++q) own[q] = d[first * R + q];
      const V* beta = beta_.data() + first;
      for (int64_t p = 0; p < count; p += together, beta += nproj_) {
        for (int r = 0; r < R; ++r) {
          V x = beta[0] * own[r];
          for (int q = 1; q < P(); ++q) x += beta[q] * own[q * R + r];
          if constexpr (phased) x = turned<true>(x, load_phases(phase[r] + 2 * p, count - p));
          if (p + together <= count) add_points(to[r], place_ + p, x, std::make_integer_sequence<int, together>{});
          else
            for (int64_t l = 0; l < 2 * (count - p); ++l) to[r][place_[p + l / 2] + l % 2] += x[l];
        }
      }
    });
  }

  const Sphere* sphere_;
  const int64_t* place_;
  int64_t nproj_;
  std::vector<V> beta_;  // [vector of points][projector], each number twice
};

}  // namespace suite::lfd
