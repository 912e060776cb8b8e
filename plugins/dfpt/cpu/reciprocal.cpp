// SPDX-License-Identifier: BSD-3-Clause
// dfpt.reciprocal: plane waves in lines (../plane_waves.hpp). First the factors P and Q of all pairs, with
// neighbouring pairs of a line in the lanes; then points in the lanes, with their cosines and sines of all g_i
// b_i.r in tables, so that two plane waves take four products a direction and nothing else.
#include "../plane_waves.hpp"
#include "points.hpp"

namespace suite::dfpt {
namespace {

#if defined(__AVX512F__)
constexpr int vectors = 4;
#else
constexpr int vectors = 2;
#endif
constexpr int width = vectors * lanes;  // points at a time

// e^(i k angle) for k from 0, of `each` angles side by side: cosines, then sines, for one k after the other.
int64_t size_of_phases(int32_t most, int64_t each) { return 2 * each * (int64_t{most} + 1); }
struct Phases {
  const double* table = nullptr;
  int64_t each = 1;
  const double* cosine(int32_t k) const { return table + 2 * each * k; }
  const double* sine(int32_t k) const { return cosine(k) + each; }
};
// angle(i) of place i.
template <class Angle> Phases phases_of(double* table, int32_t most, int64_t each, Angle&& angle) {
  const auto cosine = [&](int32_t k) { return table + 2 * each * k; };
  for (int64_t i = 0; i < each; ++i) {
    table[i] = 1;
    table[each + i] = 0;
    if (most == 0) continue;
    const double x = angle(i);
    cosine(1)[i] = std::cos(x);
    cosine(1)[each + i] = std::sin(x);
  }
  for (int32_t k = 2; k <= most; ++k) {
    const double *const one = cosine(1), *const before = cosine(k - 1);
    double* const to = cosine(k);
    for (int64_t i = 0; i < each; ++i) {
      to[i] = before[i] * one[i] - before[each + i] * one[each + i];
      to[each + i] = before[each + i] * one[i] + before[i] * one[each + i];
    }
  }
  return {table, each};
}

class Cpu : public cpu::WithThreads<> {
public:
  using cpu::WithThreads<>::WithThreads;

  void prepare(const suite_array* a) {
    const Reciprocal c(a);
    l_max_ = check_reciprocal(c);
    waves_ = plane_waves_of(c);
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) b_[i][d] = c.reciprocal(d, i);
    set_atoms(c);
  }

  void execute(const suite_array* a) {
    const Reciprocal c(a);
    n_dir_ = c.n_dir();
    factors_.at_least(std::max<int64_t>(1, 4 * n_dir_ * waves_.n_pairs()));
    with_l_max(l_max_, [&](auto l_max) { make_factors<decltype(l_max)::value>(c); });
    add_potentials(c);
  }

private:
  double* factor(int64_t pair, int64_t d) { return factors_.data() + 4 * (n_dir_ * pair + d); }

  // The phases of an atom: e^(-i g_1 b_1.R) and e^(-i g_2 b_2.R), then cosines and sines for g_3, each padded to
  // whole vectors behind the largest.
  void set_atoms(const Reciprocal& c) {
    const int64_t n1 = waves_.most[0] + 1, n2 = waves_.most[1] + 1;
    n3_ = waves_.most[2] + 1 + lanes;
    of_atom_ = 2 * (n1 + n2 + n3_);
    phases_.assign(at(of_atom_ * c.n_atoms()), 0.0);
    for (int64_t atom = 0; atom < c.n_atoms(); ++atom) {
      double* to = phases_.data() + of_atom_ * atom;
      const auto angle = [&](int i) { return -dot(b_[i], &c.atom_coords(0, atom)); };
      for (int i = 0; i < 2; ++i) {
        phases_of(to, waves_.most[i], 1, [&](int64_t) { return angle(i); });
        to += size_of_phases(waves_.most[i], 1);
      }
      for (int64_t k = 0; k <= waves_.most[2]; ++k) {
        to[k] = std::cos(real(k) * angle(2));
        to[n3_ + k] = std::sin(real(k) * angle(2));
      }
    }
  }

  static double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

  struct Complex {
    double re, im;
  };
  // e^(-i (g_1 b_1 + g_2 b_2).R) from the tables of an atom.
  Complex phase_of_line(const PlaneWaves::Line& line, const double* tables) const {
    const Phases first{tables, 1}, second{tables + size_of_phases(waves_.most[0], 1), 1};
    const int32_t k = std::abs(line.g2);
    const double c1 = *first.cosine(line.g1), s1 = *first.sine(line.g1), c2 = *second.cosine(k),
                 s2 = line.g2 < 0 ? -*second.sine(k) : *second.sine(k);
    return {c1 * c2 - s1 * s2, s1 * c2 + c1 * s2};
  }

  template <int l_max> void make_factors(const Reciprocal& c) {
    const auto n_lines = static_cast<int64_t>(waves_.lines.size());
    const double work = 0.1 * real(components(l_max) * c.n_atoms() * n_dir_) * real(waves_.n_pairs()) / real(std::max<int64_t>(n_lines, 1));
    cpu::each(cpu::useful_threads(threads_, n_lines, work), n_lines, [&](int64_t i, int) {
      const PlaneWaves::Line& line = waves_.lines[at(i)];
      for (int32_t k = 0; k < line.count; k += lanes)
        for (int64_t d = 0; d < n_dir_; ++d) pairs_of_line<l_max>(c, line, k, d);
    });
  }

  // S of pairs k, .. of a line with g_3 = k (sign 1) or -k (sign -1), and their weights.
  struct Structure {
    Vector re, im;
  };
  template <int l_max> Structure structure(const Reciprocal& c, const PlaneWaves::Line& line, int32_t k, int64_t d, double sign) const {
    constexpr int n_lm = components(l_max);
    const Vector g3 = sign * (__builtin_convertvector(cpu::lane_numbers(), Vector) + real(k));
    Vector G[3];
    for (int x = 0; x < 3; ++x) G[x] = (line.g1 * b_[0][x] + line.g2 * b_[1][x]) + g3 * b_[2][x];
    const double origin[3] = {0, 0, 0};
    const Displacement along = displacement_to(G[0], G[1], G[2], origin);
    Vector Y[n_lm];
    spherical_harmonics<l_max>(along.x, along.y, along.z, Y);
    Vector power = fill(1.0);
    for (int l = 1; l <= l_max; ++l) {
      power *= along.r;
      for (int lm = l * l; lm < components(l); ++lm) Y[lm] *= power * multipole_factor(l);
    }
    Structure S{};
    for (int64_t atom = 0; atom < c.n_atoms(); ++atom) {
      const double *const M = &c.moments(0, atom, d), *const tables = phases_.data() + of_atom_ * atom,
                          *const third = tables + of_atom_ - 2 * n3_;
      Vector even{}, odd{};
      for (int l = 0; l <= l_max; ++l)
        for (int lm = l * l; lm < components(l); ++lm) (l % 2 ? odd : even) += M[lm] * Y[lm];
      const Complex p = phase_of_line(line, tables);
      const Vector c3 = load(third + k), s3 = sign * load(third + n3_ + k);
      const Vector re = p.re * c3 - p.im * s3, im = p.im * c3 + p.re * s3;
      S.re += re * even + im * odd;
      S.im += im * even - re * odd;
    }
    return S;
  }
  template <int l_max> void pairs_of_line(const Reciprocal& c, const PlaneWaves::Line& line, int32_t k, int64_t d) {
    const int64_t count = line.count - k;
    const double *const up = waves_.up.data() + line.first + k, *const down = waves_.down.data() + line.first + k;
    const Structure plus = structure<l_max>(c, line, k, d, 1), minus = structure<l_max>(c, line, k, d, -1);
    const Vector w = load_first(up, count), v = load_first(down, count);
    const Vector a = w * plus.re, b = w * plus.im, e = v * minus.re, f = v * minus.im;
    const Vector P_re = a + e, P_im = b + f, Q_re = f - b, Q_im = a - e;
    for (int lane = 0; lane < std::min<int64_t>(lanes, count); ++lane) {
      double* const to = factor(line.first + k + lane, d);
      to[0] = P_re[lane];
      to[1] = P_im[lane];
      to[2] = Q_re[lane];
      to[3] = Q_im[lane];
    }
  }

  void add_potentials(const Reciprocal& c) {
    const int64_t n = c.n_points(), chunks = (n + width - 1) / width;
    const int team = cpu::useful_threads(threads_, chunks, 0.25 * real(waves_.n_pairs() * n_dir_ * width));
    int64_t tables = 0;
    for (const int32_t most : waves_.most) tables += size_of_phases(most, width);
    scratch_.reserve(team, tables);
    cpu::each(team, chunks, [&](int64_t chunk, int thread) {
      const int64_t first = chunk * width, some = std::min<int64_t>(width, n - first);
      double* memory = scratch_.of(thread);
      Phases phases[3];
      for (int i = 0; i < 3; ++i) {
        phases[i] =
            phases_of(memory, waves_.most[i], width, [&](int64_t p) { return dot(b_[i], &c.coords(0, first + std::min(p, some - 1))); });
        memory += size_of_phases(waves_.most[i], width);
      }
      int64_t d = 0;
      for (; d + 3 <= n_dir_; d += 3) add_at_points<3>(c, phases, first, some, d);
      for (; d < n_dir_; ++d) add_at_points<1>(c, phases, first, some, d);
    });
  }

  // Directions d, .., d+many-1 at one chunk of points.
  template <int many> void add_at_points(const Reciprocal& c, const Phases* phases, int64_t first, int64_t some, int64_t d) {
    Vector sums[many][vectors] = {};
    for (const PlaneWaves::Line& line : waves_.lines) {
      Vector re[many][vectors] = {}, im[many][vectors] = {};
      for (int32_t k = 0; k < line.count; ++k) {
        const double *const cosine = phases[2].cosine(k), *const sine = phases[2].sine(k), *const of = factor(line.first + k, d);
        for (int v = 0; v < vectors; ++v) {
          const Vector c3 = load(cosine + v * lanes), s3 = load(sine + v * lanes);
          for (int q = 0; q < many; ++q) {
            re[q][v] += of[4 * q] * c3 + of[4 * q + 2] * s3;
            im[q][v] += of[4 * q + 1] * c3 + of[4 * q + 3] * s3;
          }
        }
      }
      const int32_t g2 = std::abs(line.g2);
      const double sign = line.g2 < 0 ? -1 : 1;
      for (int v = 0; v < vectors; ++v) {
        const Vector c1 = load(phases[0].cosine(line.g1) + v * lanes), s1 = load(phases[0].sine(line.g1) + v * lanes),
                     c2 = load(phases[1].cosine(g2) + v * lanes), s2 = sign * load(phases[1].sine(g2) + v * lanes);
        const Vector along = c1 * c2 - s1 * s2, across = s1 * c2 + c1 * s2;
        for (int q = 0; q < many; ++q) sums[q][v] += along * re[q][v] - across * im[q][v];
      }
    }
    for (int q = 0; q < many; ++q)
      for (int v = 0; v < vectors; ++v) {
        const int64_t count = some - v * lanes;
        if (count <= 0) continue;
        double* const to = &c.potential(first + v * lanes, d + q);
        store_first(to, load_first(to, count) + sums[q][v], count);
      }
  }

  int l_max_ = 0;
  PlaneWaves waves_;
  double b_[3][3] = {};
  int64_t n_dir_ = 0, n3_ = 0, of_atom_ = 0;
  Numbers phases_;  // of the atoms
  cpu::Buffer<double> factors_{"dfpt.reciprocal"};
  cpu::Scratch scratch_{"dfpt.reciprocal"};
};

}  // namespace

extern const suite_kernel_table reciprocal_table;
constexpr suite_kernel_table reciprocal_table = kernel_table<Reciprocal, Cpu>("cpu", "cpu");

}  // namespace suite::dfpt
