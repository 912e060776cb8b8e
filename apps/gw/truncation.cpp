// SPDX-License-Identifier: BSD-3-Clause
#include "truncation.hpp"

#include <limits>
#include <numbers>

#include <suite/plugin.hpp>

namespace suite::gw {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;
constexpr double zero = 1e-12;  // of lengths of k, bohr^-1
constexpr int images_each_way = 3;        // lattice vectors -2 ... 3 of each direction are tried for the shortest image of r

// The next number with no other prime factors than 2, 3 and 5.
int smooth(int n) {
  for (;; ++n) {
    int left = n;
    for (int prime : {2, 3, 5})
      while (left % prime == 0) left /= prime;
    if (left == 1) return n;
  }
}

Matrix3 inverse(const Matrix3& m) {
  Matrix3 out;
  double determinant = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
      if (i == 0) determinant += m[j][0] * out[0][j];
    }
  for (auto& row : out)
    for (double& x : row) x /= determinant;
  return out;
}

bool periodic(Truncation kind, int axis) {
  switch (kind) {
    case Truncation::none: return true;
    case Truncation::slab: return axis < 2;
    case Truncation::wire: return axis == 2;
    case Truncation::box: return false;
  }
  return true;
}

// The length of the shortest image of r, in crystal coordinates 0 ... 1; along axis 3 only where that is wanted.
double shortest(const Matrix3& adot, const Vector3& r, bool three) {
  double best = std::numeric_limits<double>::infinity();
  for (int a = 1 - images_each_way; a <= images_each_way; ++a)
    for (int b = 1 - images_each_way; b <= images_each_way; ++b)
      for (int c = three ? 1 - images_each_way : 0; c <= (three ? images_each_way : 0); ++c)
        best = std::min(best, length2(adot, Vector3{r[0] - a, r[1] - b, r[2] - c}));
  return std::sqrt(best);
}

// exp(-2 pi i g r) of a component for r on the shifted grid of n points.
std::vector<Complex> waves(int g, int n) {
  std::vector<Complex> out(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) out[static_cast<size_t>(i)] = std::polar(1.0, -2 * pi * g * (i + 0.5) / n);
  return out;
}

int most(const std::vector<Miller>& g, int axis) {
  int largest = 0;
  for (const Miller& one : g) largest = std::max(largest, std::abs(one[axis]));
  return largest;
}

// The integral from 0 to 1, with Gauss's three points in each of some pieces.
template <class F> double gauss(int pieces, F&& f) {
  const double away = std::sqrt(0.15);
  double sum = 0;
  for (int i = 0; i < pieces; ++i)
    sum += (5 * (f((i + 0.5 - away) / pieces) + f((i + 0.5 + away) / pieces)) + 8 * f((i + 0.5) / pieces)) / (18 * pieces);
  return sum;
}

// The mean over the Wigner-Seitz cell of a two-dimensional lattice, with metric bdot, of a function of |q| that may grow like 1/|q| at 0: in polar
// coordinates, on the triangles between the centre and the edges.
double mean_of_plane(const std::array<std::array<double, 2>, 2>& metric, const std::function<double(double)>& f) {
  const double bx = std::sqrt(metric[0][0]), cx = metric[0][1] / bx, cy = std::sqrt(metric[1][1] - cx * cx);
  using Point = std::array<double, 2>;
  const double far = 4 * (bx + std::abs(cx) + cy);
  std::vector<Point> polygon{{-far, -far}, {far, -far}, {far, far}, {-far, far}};
  for (int a = -images_each_way; a <= images_each_way; ++a)
    for (int b = -images_each_way; b <= images_each_way; ++b) {
      if (a == 0 && b == 0) continue;
      const Point n{a * bx + b * cx, b * cy};
      const double d = (n[0] * n[0] + n[1] * n[1]) / 2;
      std::vector<Point> kept;
      for (size_t i = 0; i < polygon.size(); ++i) {
        const Point &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        const double hp = n[0] * p[0] + n[1] * p[1] - d, hq = n[0] * q[0] + n[1] * q[1] - d;
        if (hp <= 0) kept.push_back(p);
        if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
          const double t = hp / (hp - hq);
          kept.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
        }
      }
      polygon = kept;
    }
  double sum = 0, area = 0;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Point &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double triangle = std::abs(p[0] * q[1] - p[1] * q[0]) / 2;
    area += triangle;
    // The mean over a triangle is that of 2 s f(s edge) over s = 0 ... 1 and the edge.
    sum += triangle * gauss(100, [&](double t) {
             const double edge = std::hypot(p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]));
             return gauss(20, [&](double s) { return 2 * s * f(s * edge); });
           });
  }
  return sum / area;
}

}  // namespace

TruncatedCoulomb::TruncatedCoulomb(Truncation kind, const Matrix3& bdot, const Miller& fft_grid)
    : kind_(kind), bdot_(bdot), adot_(inverse(bdot)), grid_(fft_grid) {
  for (auto& row : adot_)
    for (double& x : row) x *= 4 * pi * pi;
  half_height_ = pi / std::sqrt(bdot[2][2]);
  const double scale = std::max({bdot[0][0], bdot[1][1], bdot[2][2]});
  if ((kind == Truncation::slab || kind == Truncation::wire) && !(std::max(std::abs(bdot[0][2]), std::abs(bdot[1][2])) <= 1e-6 * scale))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("truncation {}: the third lattice vector must be perpendicular to the first two", truncation_name(kind)));
  for (int n : fft_grid)
    if (n < 1 || n > 10000) throw Failure(SUITE_INVALID_ARGUMENT, "the FFT grid of the wavefunctions is " + text(fft_grid));
}

double TruncatedCoulomb::slab(const Vector3& k) const {
  const double k2 = length2(bdot_, k), in_plane = std::sqrt(length2(bdot_, Vector3{k[0], k[1], 0})), k_z = k[2] * std::sqrt(bdot_[2][2]);
  if (std::sqrt(k2) < zero) return 0;
  return 8 * pi / k2 * (1 - std::exp(-in_plane * half_height_) * std::cos(k_z * half_height_));
}

// Of G whose third components are the same.
std::vector<double> TruncatedCoulomb::wire(double k_z, const std::vector<Miller>& g) const {
  const int n1 = smooth(4 * grid_[0]), n2 = smooth(4 * grid_[1]);
  const double cell = std::sqrt(adot_[0][0] * adot_[1][1] - adot_[0][1] * adot_[0][1]) / (double(n1) * n2);
  const int m1 = most(g, 0);
  // Sums over the first axis for each first component, then over the second.
  std::vector<std::vector<Complex>> wave1;
  for (int a = -m1; a <= m1; ++a) wave1.push_back(waves(a, n1));
  std::vector<Complex> sums(static_cast<size_t>(n2) * wave1.size());
#pragma omp parallel for schedule(static)
  for (int j = 0; j < n2; ++j) {
    std::vector<double> line(static_cast<size_t>(n1));
    for (int i = 0; i < n1; ++i) {
      const double r = shortest(adot_, {(i + 0.5) / n1, (j + 0.5) / n2, 0}, false);
      line[static_cast<size_t>(i)] = k_z < 1e-6 ? -std::log(r) : std::cyl_bessel_k(0.0, k_z * r);
    }
    for (size_t a = 0; a < wave1.size(); ++a) {
      Complex sum = 0;
      for (size_t i = 0; i < line.size(); ++i) sum += line[i] * wave1[a][i];
      sums[static_cast<size_t>(j) * wave1.size() + a] = sum;
    }
  }
  std::vector<double> out;
  for (const Miller& one : g) {
    const auto wave2 = waves(one[1], n2);
    Complex sum = 0;
    for (int j = 0; j < n2; ++j)
      sum += product(sums[static_cast<size_t>(j) * wave1.size() + static_cast<size_t>(one[0] + m1)], wave2[static_cast<size_t>(j)]);
    out.push_back(4 * cell * sum.real());
  }
  return out;
}

// Plane by plane of the third axis, of which each thread adds up some.
std::vector<double> TruncatedCoulomb::box(const std::vector<Miller>& g) const {
  const int n1 = smooth(2 * grid_[0]), n2 = smooth(2 * grid_[1]), n3 = smooth(2 * grid_[2]);
  const Matrix3& a = adot_;
  const double determinant = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                             a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
  const double cell = std::sqrt(determinant) / (double(n1) * n2 * n3);
  const int m1 = most(g, 0), m2 = most(g, 1), m3 = most(g, 2);
  const auto all_waves = [](int m, int n) {
    std::vector<std::vector<Complex>> all;
    for (int c = -m; c <= m; ++c) all.push_back(waves(c, n));
    return all;
  };
  const auto wave1 = all_waves(m1, n1), wave2 = all_waves(m2, n2), wave3 = all_waves(m3, n3);
  const size_t w1 = wave1.size(), w2 = wave2.size();
  std::vector<Complex> planes(static_cast<size_t>(n3) * w1 * w2);
#pragma omp parallel for schedule(dynamic)
  for (int k = 0; k < n3; ++k) {
    std::vector<double> line(static_cast<size_t>(n1));
    std::vector<Complex> sums(w1);
    Complex* const plane = planes.data() + static_cast<size_t>(k) * w1 * w2;
    for (int j = 0; j < n2; ++j) {
      for (int i = 0; i < n1; ++i) line[static_cast<size_t>(i)] = 1 / shortest(a, {(i + 0.5) / n1, (j + 0.5) / n2, (k + 0.5) / n3}, true);
      for (size_t c = 0; c < w1; ++c) {
        sums[c] = 0;
        for (size_t i = 0; i < line.size(); ++i) sums[c] += line[i] * wave1[c][i];
      }
      for (size_t d = 0; d < w2; ++d)
        for (size_t c = 0; c < w1; ++c) plane[d * w1 + c] += product(sums[c], wave2[d][static_cast<size_t>(j)]);
    }
  }
  std::vector<double> out;
  for (const Miller& one : g) {
    const size_t at = static_cast<size_t>(one[1] + m2) * w1 + static_cast<size_t>(one[0] + m1);
    const auto& wave = wave3[static_cast<size_t>(one[2] + m3)];
    Complex sum = 0;
    for (size_t k = 0; k < wave.size(); ++k) sum += product(planes[k * w1 * w2 + at], wave[k]);
    out.push_back(2 * cell * sum.real());
  }
  return out;
}

std::vector<double> TruncatedCoulomb::v(const Vector3& q, const std::vector<Miller>& g) const {
  if (kind_ == Truncation::box) return box(g);
  std::vector<double> out(g.size());
  if (kind_ == Truncation::slab) {
    for (size_t i = 0; i < g.size(); ++i) out[i] = slab(q + g[i]);
    return out;
  }
  for (int c = -most(g, 2); c <= most(g, 2); ++c) {
    std::vector<Miller> plane;
    for (const Miller& one : g)
      if (one[2] == c) plane.push_back(one);
    if (plane.empty()) continue;
    const auto of_plane = wire(std::abs(q[2] + c) * std::sqrt(bdot_[2][2]), plane);
    for (size_t i = 0, at = 0; i < g.size(); ++i)
      if (g[i][2] == c) out[i] = of_plane[at++];
  }
  return out;
}

TruncatedCoulomb::Head TruncatedCoulomb::head(const Miller& q_grid, const SmallQ& at) const {
  if (kind_ == Truncation::wire) return head_of_wire(q_grid[2], at);
  std::array<std::array<double, 2>, 2> metric;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) metric[i][j] = bdot_[i][j] / (double(q_grid[i]) * q_grid[j]);
  return head_of_slab([&](const std::function<double(double)>& f) { return mean_of_plane(metric, f); }, at);
}

TruncatedCoulomb::Head TruncatedCoulomb::head_of_slab(const MeanOfLength& mean, const SmallQ& at) const {
  const auto v = [&](double q) { return 8 * pi * (1 - std::exp(-q * half_height_)) / (q * q); };
  const double q0 = std::sqrt(length2(bdot_, at.q));
  const SmallQPolarizability x(at, q0, v(q0));
  // Real on the imaginary axis of frequencies.
  const double real = mean([&](double q) { return (v(q) / (1.0 + v(q) * x(q))).real(); });
  const double imaginary = x.real() ? 0 : mean([&](double q) { return (v(q) / (1.0 + v(q) * x(q))).imag(); });
  return {mean(v), {real, imaginary}};
}

// Midpoints along the axis, and in the plane the grid of the density without more points: there is no divergence but that of a logarithm.
TruncatedCoulomb::Head TruncatedCoulomb::head_of_wire(int q_points, const SmallQ& at) const {
  constexpr int points = 1000;
  const double cell = std::sqrt(adot_[0][0] * adot_[1][1] - adot_[0][1] * adot_[0][1]) / (double(grid_[0]) * grid_[1]);
  std::vector<double> lengths;
  for (int j = 0; j < grid_[1]; ++j)
    for (int i = 0; i < grid_[0]; ++i) lengths.push_back(shortest(adot_, {(i + 0.5) / grid_[0], (j + 0.5) / grid_[1], 0}, false));
  const auto v_at = [&](double k) {
    double sum = 0;
    for (double r : lengths) sum += std::cyl_bessel_k(0.0, k * r);
    return 4 * cell * sum;
  };
  const double q0 = std::sqrt(length2(bdot_, at.q));
  const SmallQPolarizability x(at, q0, v_at(q0));
  std::vector<Head> terms(points / 2);  // the points on both sides of 0 are alike
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < terms.size(); ++i) {
    const double k = (static_cast<double>(i) + 0.5) / points / q_points * std::sqrt(bdot_[2][2]), v = v_at(k);
    terms[i] = {v, v / (1.0 + v * x(k))};
  }
  Head out;
  for (const Head& term : terms) out.v += term.v / (points / 2), out.w += term.w / double(points / 2);
  return out;
}

const char* truncation_name(Truncation kind) {
  switch (kind) {
    case Truncation::none: return "none";
    case Truncation::slab: return "slab";
    case Truncation::wire: return "wire";
    case Truncation::box: return "box";
  }
  return "";
}

int truncation_number(Truncation kind) {
  switch (kind) {
    case Truncation::none: return 0;
    case Truncation::wire: return 4;
    case Truncation::box: return 5;
    case Truncation::slab: return 6;
  }
  return 0;
}

void require_truncated_grid(Truncation kind, const Miller& grid, const std::string& what) {
  for (int i = 0; i < 3; ++i)
    if (!periodic(kind, i) && grid[i] != 1)
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("truncation {}: {} is {}, and may have one point along axis {}, which is not periodic",
                                truncation_name(kind), what, text(grid), i + 1));
}

void require_truncated_operations(Truncation kind, const std::vector<Operation>& operations, const std::string& file) {
  if (kind == Truncation::none || kind == Truncation::box) return;
  for (size_t s = 0; s < operations.size(); ++s)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (periodic(kind, i) != periodic(kind, j) && operations[s].rotation[i][j] != 0)
          throw Failure(SUITE_INVALID_ARGUMENT,
                        fmt::format("truncation {}: operation {} of {} exchanges axes {} and {}, of which one is periodic",
                                    truncation_name(kind), s + 1, file, std::min(i, j) + 1, std::max(i, j) + 1));
}

}  // namespace suite::gw
