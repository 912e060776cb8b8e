// SPDX-License-Identifier: BSD-3-Clause
// Transforms of a line of N points of one block of orbitals to its waves and back (../fourier.hpp), in a near cache. The
// first stage takes its points wherever load() finds them, the last one of the way back leaves them to store(), and
// between the two ways the waves stay in registers while they are used: a line goes through 2 S - 1 stages for S factors.
#pragma once

#include <utility>

#include "../fourier.hpp"
#include "lanes.hpp"

namespace suite::lfd {

template <class T> class LineTransform {
public:
  using V = Vector<T>;

  LineTransform() = default;
  explicit LineTransform(int64_t points);

  int64_t points() const { return plan_.n; }
  // m of the wave at each place, as use() below counts them.
  const std::vector<int>& wave() const { return plan_.wave; }
  // Vectors of working memory that a line needs.
  int64_t room() const { return 2 * plan_.n + 6 * rest_; }

  // load(i, re, im), the waves times phase [place][re,im], store(i, re, im). Both ways together multiply by N.
  template <class Load, class Store> [[gnu::always_inline]] void multiply_waves(const V* phase, V* room, Load load, Store store) const {
    if (plan_.n == 1) {
      V re, im;
      load(0, re, im);
      return store(0, re, im);
    }
    const auto turned = [phase](int64_t place, V & re, V & im) __attribute__((always_inline)) {
      turn(re, im, phase[2 * place], phase[2 * place + 1]);
    };
    const auto from = in_room(room);
    const auto to = into_room(room);
    const int64_t last = static_cast<int64_t>(plan_.stages.size()) - 1;
    if (last == 0) return at_waves<true>(room, load, turned, store);
    with_radix(0, [&](auto r) { stage<r(), false>(0, load, to); });
    for (int64_t s = 1; s < last; ++s) with_radix(s, [&](auto r) { stage<r(), false>(s, from, to); });
    at_waves<true>(room, from, turned, to);
    for (int64_t s = last - 1; s > 0; --s) with_radix(s, [&](auto r) { stage<r(), true>(s, from, to); });
    with_radix(0, [&](auto r) { stage<r(), true>(0, from, store); });
  }

  // load(i, re, im), then use(place, re, im) of each wave. Inlined, so that sums of use() stay in registers.
  template <class Load, class Use> [[gnu::always_inline]] void waves(V* room, Load load, Use use) const {
    const auto from = in_room(room);
    const auto to = into_room(room);
    const auto nowhere = [](int64_t, V, V) {};
    const int64_t last = static_cast<int64_t>(plan_.stages.size()) - 1;
    if (last == 0) return at_waves<false>(room, load, use, nowhere);
    with_radix(0, [&](auto r) { stage<r(), false>(0, load, to); });
    for (int64_t s = 1; s < last; ++s) with_radix(s, [&](auto r) { stage<r(), false>(s, from, to); });
    at_waves<false>(room, from, use, nowhere);
  }

private:
  static auto in_room(V* room) {
    return [room](int64_t i, V & re, V & im) __attribute__((always_inline)) { re = room[2 * i], im = room[2 * i + 1]; };
  }
  static auto into_room(V* room) {
    return [room](int64_t i, V re, V im) __attribute__((always_inline)) { room[2 * i] = re, room[2 * i + 1] = im; };
  }

  template <class F> [[gnu::always_inline]] void with_radix(int64_t stage, F&& f) const {
    switch (plan_.stages[stage].radix) {
      case 2: return f(std::integral_constant<int, 2>{});
      case 3: return f(std::integral_constant<int, 3>{});
      case 4: return f(std::integral_constant<int, 4>{});
      default: return f(std::integral_constant<int, 5>{});
    }
  }

  [[gnu::always_inline]] static void turn(V& re, V& im, V c, V s) {
    const V x = c * re - s * im;
    im = c * im + s * re;
    re = x;
  }

  template <class F> [[gnu::always_inline]] static void each(F&& f, auto count) {
    [&]<int... m>(std::integer_sequence<int, m...>) __attribute__((always_inline)) { (f(std::integral_constant<int, m>{}), ...); }
    (std::make_integer_sequence<int, count()>{});
  }

  // The r waves of r points, or with `inverse` the points of the waves.
  template <int r, bool inverse> [[gnu::always_inline]] static void butterfly(V* re, V* im) {
    if constexpr (r == 2) {
      const V x = re[1], y = im[1];
      re[1] = re[0] - x, im[1] = im[0] - y;
      re[0] += x, im[0] += y;
    } else if constexpr (r == 4) {
      const V ar = re[0] + re[2], ai = im[0] + im[2], br = re[0] - re[2], bi = im[0] - im[2];
      const V cr = re[1] + re[3], ci = im[1] + im[3], x = re[1] - re[3], y = im[1] - im[3];
      const V dr = inverse ? -y : y, di = inverse ? x : -x;  // times -i, or i
      re[0] = ar + cr, im[0] = ai + ci;
      re[1] = br + dr, im[1] = bi + di;
      re[2] = ar - cr, im[2] = ai - ci;
      re[3] = br - dr, im[3] = bi - di;
    } else {
      // Of 3 and 5 in sums and differences of points m and r - m, which meet waves f and r - f.
      constexpr int half = (r - 1) / 2;
      constexpr double cosine[2][3] = {{1, -0.5}, {1, 0.30901699437494742410, -0.80901699437494742410}};
      constexpr double sine[2][3] = {{0, 0.86602540378443864676}, {0, 0.95105651629515357212, 0.58778525229247312917}};
      V ar[half], ai[half], br[half], bi[half];
      each(
          [&](auto m) __attribute__((always_inline)) {
            ar[m] = re[m + 1] + re[r - 1 - m], ai[m] = im[m + 1] + im[r - 1 - m];
            br[m] = re[m + 1] - re[r - 1 - m], bi[m] = im[m + 1] - im[r - 1 - m];
          },
          std::integral_constant<int, half>{});
      const V x = re[0], y = im[0];
      each(
          [&](auto f) __attribute__((always_inline)) {
            V pr = x, pi = y, qr{}, qi{};
            each(
                [&](auto m) __attribute__((always_inline)) {
                  constexpr int at = (f() + 1) * (m() + 1) % r, near = at > half ? r - at : at;
                  constexpr T c = static_cast<T>(cosine[r / 4][near]),
                              s = static_cast<T>(at > half ? -sine[r / 4][near] : sine[r / 4][near]);
                  pr += c * ar[m], pi += c * ai[m];
                  qr += s * br[m], qi += s * bi[m];
                },
                std::integral_constant<int, half>{});
            constexpr int low = inverse ? r - 1 - f() : f() + 1;
            re[low] = pr + qi, im[low] = pi - qr;
            re[r - low] = pr - qi, im[r - low] = pi + qr;
          },
          std::integral_constant<int, half>{});
      each(
          [&](auto m) __attribute__((always_inline)) { re[0] += ar[m], im[0] += ai[m]; }, std::integral_constant<int, half>{});
    }
  }

  // Stage s, and with `inverse` on the way back. factors_[s]: W of f = 1..r-1 for each j > 0. Copies of what says where the
  // numbers are stay in registers; what is reached by a reference would be read again after each store.
  template <int r, bool inverse, class From, class To> [[gnu::always_inline]] void stage(int64_t s, From from, To to) const {
    const int64_t length = plan_.stages[s].length, q = length / r, n = plan_.n;
    const T* const factors = factors_[s].data();
    for (int64_t first = 0; first < n; first += length) {
      const auto numbers = [&]<bool turned>(int64_t j, std::bool_constant<turned>) __attribute__((always_inline)) {
        V re[r], im[r];
        const auto turn_all = [&]() __attribute__((always_inline)) {
          const T* const w = factors + 2 * (r - 1) * (j - 1);
          each(
              [&](auto f) __attribute__((always_inline)) {
                turn(re[f + 1], im[f + 1], fill(w[2 * f]), fill(inverse ? -w[2 * f + 1] : w[2 * f + 1]));
              },
              std::integral_constant<int, r - 1>{});
        };
        each(
            [&](auto m) __attribute__((always_inline)) { from(first + m * q + j, re[m], im[m]); }, std::integral_constant<int, r>{});
        if constexpr (inverse && turned) turn_all();
        butterfly<r, inverse>(re, im);
        if constexpr (!inverse && turned) turn_all();
        each(
            [&](auto f) __attribute__((always_inline)) { to(first + f * q + j, re[f], im[f]); }, std::integral_constant<int, r>{});
      };
      numbers(0, std::false_type{});
      for (int64_t j = 1; j < q; ++j) numbers(j, std::true_type{});
    }
  }

  // The last stage there, the waves in use, and with `and_back` the first stage back.
  template <bool and_back, class From, class Use, class To> [[gnu::always_inline]] void at_waves(V* room, From from, Use use, To to) const {
    if (rest_ > 0) return at_waves_of_rest<and_back>(room + 2 * plan_.n, from, use, to);
    with_radix(static_cast<int64_t>(plan_.stages.size()) - 1, [&](auto radix) {
      constexpr int r = radix();
      const int64_t n = plan_.n;
      for (int64_t first = 0; first < n; first += r) {
        V re[r], im[r];
        each(
            [&](auto m) __attribute__((always_inline)) { from(first + m, re[m], im[m]); }, std::integral_constant<int, r>{});
        butterfly<r, false>(re, im);
        each(
            [&](auto f) __attribute__((always_inline)) { use(first + f, re[f], im[f]); }, std::integral_constant<int, r>{});
        if constexpr (!and_back) continue;
        butterfly<r, true>(re, im);
        each(
            [&](auto m) __attribute__((always_inline)) { to(first + m, re[m], im[m]); }, std::integral_constant<int, r>{});
      }
    });
  }
  // The same for a stage of any odd radix.
  template <bool and_back, class From, class Use, class To> void at_waves_of_rest(V* room, From from, Use use, To to) const {
    V *const re = room, *const im = room + rest_, *const pairs = room + 2 * rest_;
    for (int64_t first = 0; first < plan_.n; first += rest_) {
      for (int64_t m = 0; m < rest_; ++m) from(first + m, re[m], im[m]);
      sums_of_rest(re, im, pairs, T(1));
      for (int64_t f = 0; f < rest_; ++f) use(first + f, re[f], im[f]);
      if constexpr (!and_back) continue;
      sums_of_rest(re, im, pairs, T(-1));
      for (int64_t m = 0; m < rest_; ++m) to(first + m, re[m], im[m]);
    }
  }
  // As butterfly(); sign: -1 on the way back. pairs: 4 rest_ vectors.
  void sums_of_rest(V* re, V* im, V* pairs, T sign) const {
    const int64_t half = (rest_ - 1) / 2;
    V x = re[0], y = im[0];
    for (int64_t m = 0; m < half; ++m) {
      const V ar = re[m + 1] + re[rest_ - 1 - m], ai = im[m + 1] + im[rest_ - 1 - m];
      pairs[4 * m] = ar, pairs[4 * m + 1] = ai;
      pairs[4 * m + 2] = sign * (re[m + 1] - re[rest_ - 1 - m]), pairs[4 * m + 3] = sign * (im[m + 1] - im[rest_ - 1 - m]);
      re[0] += ar, im[0] += ai;
    }
    for (int64_t f = 1; f <= half; ++f) {
      V pr = x, pi = y, qr{}, qi{};
      const T* const row = rest_factors_.data() + 2 * half * (f - 1);
      for (int64_t m = 0; m < half; ++m) {
        pr += row[2 * m] * pairs[4 * m], pi += row[2 * m] * pairs[4 * m + 1];
        qr += row[2 * m + 1] * pairs[4 * m + 2], qi += row[2 * m + 1] * pairs[4 * m + 3];
      }
      re[f] = pr + qi, im[f] = pi - qr;
      re[rest_ - f] = pr - qi, im[rest_ - f] = pi + qr;
    }
  }

  LinePlan plan_;
  int64_t rest_ = 0;  // the radix of a last stage above 5, or 0
  std::vector<std::vector<T>> factors_;
  std::vector<T> rest_factors_;  // [wave][point]: cos, sin of the first half
};

template <class T> LineTransform<T>::LineTransform(int64_t points) : plan_(points) {
  const auto angle = [](int64_t m, int64_t n) { return 2 * std::numbers::pi * static_cast<double>(m % n) / static_cast<double>(n); };
  for (const auto& [radix, length] : plan_.stages) {
    factors_.emplace_back();
    for (int64_t j = 1; j < length / radix; ++j)
      for (int64_t f = 1; f < radix; ++f) {
        factors_.back().push_back(static_cast<T>(std::cos(angle(f * j, length))));
        factors_.back().push_back(static_cast<T>(-std::sin(angle(f * j, length))));
      }
  }
  if (plan_.stages.empty() || plan_.stages.back().radix <= 5) return;
  rest_ = plan_.stages.back().radix;
  for (int64_t f = 1; f <= rest_ / 2; ++f)
    for (int64_t m = 1; m <= rest_ / 2; ++m) {
      rest_factors_.push_back(static_cast<T>(std::cos(angle(f * m, rest_))));
      rest_factors_.push_back(static_cast<T>(std::sin(angle(f * m, rest_))));
    }
}

}  // namespace suite::lfd
