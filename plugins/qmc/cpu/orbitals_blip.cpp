// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_blip: 64 rows of coefficients times their weights, the orbitals in the lanes. The weights of
// value, the three Cartesian derivatives and the Laplacian are made once for a position, so that a
// coefficient is read once for five multiply-adds, in any cell.
#include "kernels.hpp"

namespace suite::qmc {
namespace {

// The four splines T that are not 0 at t (0 to 1 behind the second of them), with derivatives by t.
struct Splines {
  double value[4], first[4], second[4];
  explicit Splines(double t) {
    const auto inner = [&](int i, double x) {  // |x| <= 1, x = t - place
      const double s = x < 0 ? -1 : 1, y = std::abs(x);
      value[i] = 1 - 1.5 * y * y + 0.75 * y * y * y;
      first[i] = s * (-3 * y + 2.25 * y * y);
      second[i] = -3 + 4.5 * y;
    };
    const auto outer = [&](int i, double x) {  // 1 <= |x| <= 2
      const double s = x < 0 ? -1 : 1, y = 2 - std::abs(x);
      value[i] = 0.25 * y * y * y;
      first[i] = -s * 0.75 * y * y;
      second[i] = 1.5 * y;
    };
    outer(0, t + 1);
    inner(1, t);
    inner(2, t - 1);
    outer(3, t - 2);
  }
};

// Where the splines of a direction lie on the grid.
struct Along {
  int64_t at[4];
  Splines splines;
  double n;
  Along(double s, int64_t points) : splines(0), n(static_cast<double>(points)) {
    double x = (s - std::floor(s)) * n;
    if (x >= n) x = 0;  // a small negative s
    const auto i = static_cast<int64_t>(x);
    for (int64_t k = 0; k < 4; ++k) at[k] = (i + k - 1 + points) % points;
    splines = Splines(x - static_cast<double>(i));
  }
};

constexpr int outputs = 5;  // value, d/dx, d/dy, d/dz, Laplacian

// Loads of coefficients as doubles.
inline Vector load_as_double(const double* c) { return load(c); }
inline Vector load_as_double(const float* c) {
  typedef float Half __attribute__((vector_size(lanes * sizeof(float))));
  Half v;
  std::memcpy(&v, c, sizeof v);
  return __builtin_convertvector(v, Vector);
}
inline Vector load_first_as_double(const double* c, int64_t n) { return load_first(c, n); }
inline Vector load_first_as_double(const float* c, int64_t n) {
  Vector v{};
  for (int64_t l = 0; l < std::min<int64_t>(n, lanes); ++l) v[l] = static_cast<double>(c[l]);
  return v;
}

struct Weights {
  double w[64][outputs];
  int64_t row[64];  // of the coefficients, in rows of norb
};

// The four rows of coefficients along z at one place of x and y lie beside each other: read all four at once,
// with their weights in registers, and ask for those of the next place meanwhile. The sums, (orbital,output),
// stay in the nearest cache.
template <int Values, class T> inline void add_rows(const T* c, int64_t norb, const Weights& weights, int p, double* sums, int64_t width) {
  const T *row[4], *next[4];
  double w[4][Values];
  for (int k = 0; k < 4; ++k) {
    row[k] = c + weights.row[p + k] * norb;
    next[k] = c + weights.row[std::min(p + 4, 60) + k] * norb;
    for (int q = 0; q < Values; ++q) w[k][q] = weights.w[p + k][q];
  }
  const auto add = [&](int64_t n, auto&& read) {
    Vector x[4];
    for (int k = 0; k < 4; ++k) x[k] = read(row[k] + n);
    for (int q = 0; q < Values; ++q) {
      double* const to = sums + q * width + n;
      Vector s = p == 0 ? Vector{} : load(to);
      for (int k = 0; k < 4; ++k) s += x[k] * w[k][q];
      store(to, s);
    }
  };
  int64_t n = 0;
  for (; n + lanes <= norb; n += lanes) {
    for (int k = 0; k < 4; ++k) __builtin_prefetch(next[k] + n);
    add(n, [](const T* at) { return load_as_double(at); });
  }
  if (n < norb) add(n, [&](const T* at) { return load_first_as_double(at, norb - n); });
}

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    lattice_ = lattice_of(call.cell.data());
    check_blips(call);
    for (int d = 0; d < 3; ++d) points_[d] = call.c.extent(3 - d);
  }

  void execute(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    if (call.c.is<single>()) run(call, call.c.as<single>().data());
    else run(call, call.c.as<element::real>().data());
  }

private:
  template <class T> void run(const OrbitalsBlip& call, const T* c) {
    const int64_t norb = call.norb(), npos = call.positions();
    const int team = useful_threads(threads_, npos, 25 * real(norb));
    double *const phi = call.phi.data(), *const dphi = call.dphi.data(), *const d2phi = call.d2phi.data();
    scratch_.reserve(team, outputs * padded(norb));
    share(team, npos, [&](int64_t begin, int64_t end, int thread) {
      Weights weights;
      for (int64_t p = begin; p < end; ++p) {
        weigh(call.r.data() + 3 * p, weights);
        double* to[outputs] = {phi + norb * p, nullptr, nullptr, nullptr, d2phi ? d2phi + norb * p : nullptr};
        for (int d = 0; dphi && d < 3; ++d) to[1 + d] = dphi + norb * (3 * p + d);
        if (dphi || d2phi) all<outputs>(c, norb, weights, scratch_.of(thread), to);
        else all<1>(c, norb, weights, scratch_.of(thread), to);
      }
    });
  }

  template <int Values, class T>
  static void all(const T* c, int64_t norb, const Weights& weights, double* sums, double* const (&to)[outputs]) {
    for (int p = 0; p < 64; p += 4) add_rows<Values>(c, norb, weights, p, sums, padded(norb));
    for (int q = 0; q < Values; ++q)
      if (to[q]) std::copy_n(sums + q * padded(norb), norb, to[q]);
  }

  void weigh(const double* r, Weights& weights) const {
    constexpr double two_pi = 6.283185307179586477;
    // Derivatives by s_d are n_d times those by the grid; s_d = b_d.r/2 pi.
    double s[3], step[3][3];
    for (int d = 0; d < 3; ++d) {
      const double(&b)[3] = lattice_.b[d];
      s[d] = (b[0] * r[0] + b[1] * r[1] + b[2] * r[2]) / two_pi;
      for (int i = 0; i < 3; ++i) step[d][i] = b[i] / two_pi * static_cast<double>(points_[d]);
    }
    double metric[3][3];
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < 3; ++e) metric[d][e] = step[d][0] * step[e][0] + step[d][1] * step[e][1] + step[d][2] * step[e][2];
    const Along x(s[0], points_[0]), y(s[1], points_[1]), z(s[2], points_[2]);
    const Splines &X = x.splines, &Y = y.splines, &Z = z.splines;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k) {
          const int p = 16 * i + 4 * j + k;
          weights.row[p] = (x.at[i] * points_[1] + y.at[j]) * points_[2] + z.at[k];
          double* const w = weights.w[p];
          const double xy = X.value[i] * Y.value[j];
          const double d[3] = {X.first[i] * Y.value[j] * Z.value[k], X.value[i] * Y.first[j] * Z.value[k], xy * Z.first[k]};
          w[0] = xy * Z.value[k];
          for (int q = 0; q < 3; ++q) w[1 + q] = step[0][q] * d[0] + step[1][q] * d[1] + step[2][q] * d[2];
          w[4] = metric[0][0] * X.second[i] * Y.value[j] * Z.value[k] + metric[1][1] * X.value[i] * Y.second[j] * Z.value[k] +
                 metric[2][2] * xy * Z.second[k] +
                 2 * (metric[0][1] * X.first[i] * Y.first[j] * Z.value[k] + metric[0][2] * X.first[i] * Y.value[j] * Z.first[k] +
                      metric[1][2] * X.value[i] * Y.first[j] * Z.first[k]);
        }
  }

  int64_t threads_;
  Lattice lattice_;
  int64_t points_[3] = {4, 4, 4};
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table orbitals_blip_table;
constexpr suite_kernel_table orbitals_blip_table = kernel_table<OrbitalsBlip, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
