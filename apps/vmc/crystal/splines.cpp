// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "crystal.hpp"

namespace suite::vmc {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;
using Complex = std::complex<double>;
using Integers = std::array<int32_t, 3>;

constexpr double turn = 2 * std::numbers::pi;
constexpr double smallest_part = 1e-3;  // norm of what a real function must add to those before it
constexpr double unpaired_below = 1e-3; // squares of plane waves without their conjugate
constexpr int images_each_side = 4;               // of a plane wave beyond the mesh, on each side; the next ones are below 1e-8

Integers waves_at(const BlochFunctions& block, size_t i) { return {block.gvec[3 * i], block.gvec[3 * i + 1], block.gvec[3 * i + 2]}; }

// For each G of a block with 2k = K the place of -G - K, whose plane wave is the complex conjugate; -1: it is not there.
std::vector<Index> conjugates(const BlochFunctions& block) {
  std::map<Integers, Index> place;
  const size_t n = block.gvec.size() / 3;
  for (size_t i = 0; i < n; ++i) place[waves_at(block, i)] = static_cast<Index>(i);
  Integers twice;
  for (size_t d = 0; d < 3; ++d) twice[d] = static_cast<int32_t>(std::lround(2 * block.k[d]));
  std::vector<Index> at(n);
  for (size_t i = 0; i < n; ++i) {
    Integers g = waves_at(block, i);
    for (size_t d = 0; d < 3; ++d) g[d] = -g[d] - twice[d];
    const auto found = place.find(g);
    at[i] = found == place.end() ? -1 : found->second;
  }
  return at;
}

// As many real orthonormal functions as there are given ones: of their real and imaginary parts always the one that adds most. They have the
// span of the given ones, unless those end within a degenerate level. They are plane waves still, with c(-G - K) = conj c(G).
std::vector<PlaneWaves> real_functions(const BlochFunctions& block) {
  const auto conjugate = conjugates(block);
  const auto ng = static_cast<Index>(conjugate.size()), n = static_cast<Index>(block.states.size());
  MatrixXcd parts(ng, 2 * n);
  for (Index i = 0; i < n; ++i)
    for (Index g = 0; g < ng; ++g) {
      const Complex here = block.states[static_cast<size_t>(i)][static_cast<size_t>(g)];
      const Index other = conjugate[static_cast<size_t>(g)];
      const Complex there = other < 0 ? 0 : std::conj(block.states[static_cast<size_t>(i)][static_cast<size_t>(other)]);
      parts(g, 2 * i) = 0.5 * (here + there);
      parts(g, 2 * i + 1) = Complex(0, -0.5) * (here - there);
    }
  double alone = 0;  // plane waves without a conjugate: those of real functions all have one
  for (Index g = 0; g < ng; ++g)
    if (conjugate[static_cast<size_t>(g)] < 0)
      for (const auto& state : block.states) alone += std::norm(state[static_cast<size_t>(g)]);
  const std::string at = fmt::format("k = ({:g}, {:g}, {:g})", block.k[0], block.k[1], block.k[2]);
  if (!(alone < unpaired_below))
    throw Failure(SUITE_INVALID_ARGUMENT, "the orbitals at " + at + " lack the plane waves of -k: the file's k are of another convention");
  std::vector<PlaneWaves> functions;
  MatrixXcd found(ng, n);
  for (Index k = 0; k < n; ++k) {
    Index best = 0;
    const double norm = std::sqrt(parts.colwise().squaredNorm().maxCoeff(&best));
    if (!(norm > smallest_part)) break;
    found.col(k) = parts.col(best) / norm;
    for (int twice = 0; twice < 2; ++twice)  // the second pass removes what rounding left
      parts -= found.col(k) * (found.col(k).adjoint() * parts).real().cast<Complex>();
    parts.col(best).setZero();
    functions.emplace_back(found.col(k).data(), found.col(k).data() + ng);
  }
  if (std::ssize(functions) < n)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("the {} occupied orbitals at {} have only {} real combinations", n, at, functions.size()));
  return functions;
}

// Fourier coefficient of the blip T at q per mesh point: (3/2) sinc^4(q/2).
double blip_of(double q) {
  const double x = q / 2, sinc = std::abs(x) < 1e-8 ? 1 : std::sin(x) / x;
  return 1.5 * sinc * sinc * sinc * sinc;
}

// FNV-1a (Fowler, Noll, Vo) of the numbers.
uint64_t digest_of(const std::vector<double>& values) {
  uint64_t hash = 14695981039346656037u;
  for (const double value : values) hash = (hash ^ std::bit_cast<uint64_t>(value)) * 1099511628211u;
  return hash;
}

// Sums exp(2 pi i g n/N) c(g) over one direction after the other; only plane waves that there are take part.
class ToMesh {
public:
  ToMesh(const std::vector<int32_t>& gvec, const std::array<int64_t, 3>& mesh) : gvec_(gvec), mesh_(mesh) {
    for (size_t d = 0; d < 3; ++d) {
      int32_t low = 0, high = 0;
      for (size_t i = d; i < gvec.size(); i += 3) low = std::min(low, gvec[i]), high = std::max(high, gvec[i]);
      low_[d] = low, count_[d] = static_cast<size_t>(high - low + 1);
      const auto n = static_cast<size_t>(mesh[d]);
      for (size_t at = 0; at < n; ++at)
        for (size_t g = 0; g < count_[d]; ++g) {
          const double part = static_cast<double>(at) * static_cast<double>(low + static_cast<int32_t>(g)) / static_cast<double>(n);
          phase_[d].push_back(std::polar(1.0, turn * (part - std::floor(part))));
        }
      for (size_t g = 0; g < count_[d]; ++g)
        scale_[d].push_back(1 / blip_of(turn * static_cast<double>(low + static_cast<int32_t>(g)) / static_cast<double>(n)));
    }
  }

  // f(ix,iy,iz, value) at all points of the mesh.
  template <class F> void operator()(const PlaneWaves& waves, F&& f) const {
    const size_t nx = count_[0], ny = count_[1], nz = count_[2];
    const auto Nx = static_cast<size_t>(mesh_[0]), Ny = static_cast<size_t>(mesh_[1]), Nz = static_cast<size_t>(mesh_[2]);
    PlaneWaves box(nx * ny * nz, 0), along_z(nx * ny * Nz, 0), along_y(ny * Nz), line(Nz);
    for (size_t i = 0; i < waves.size(); ++i) {
      const auto gx = static_cast<size_t>(gvec_[3 * i] - low_[0]), gy = static_cast<size_t>(gvec_[3 * i + 1] - low_[1]),
                 gz = static_cast<size_t>(gvec_[3 * i + 2] - low_[2]);
      box[gz + nz * (gy + ny * gx)] += waves[i] * scale_[0][gx] * scale_[1][gy] * scale_[2][gz];
    }
    for (size_t xy = 0; xy < nx * ny; ++xy)
      for (size_t iz = 0; iz < Nz; ++iz) {
        Complex sum = 0;
        for (size_t gz = 0; gz < nz; ++gz) sum += times(box[gz + nz * xy], phase_[2][gz + nz * iz]);
        along_z[iz + Nz * xy] = sum;
      }
    for (size_t ix = 0; ix < Nx; ++ix) {
      std::fill(along_y.begin(), along_y.end(), 0);
      for (size_t gx = 0; gx < nx; ++gx)
        for (size_t k = 0; k < ny * Nz; ++k) along_y[k] += times(along_z[k + ny * Nz * gx], phase_[0][gx + nx * ix]);
      for (size_t iy = 0; iy < Ny; ++iy) {
        std::fill(line.begin(), line.end(), 0);
        for (size_t gy = 0; gy < ny; ++gy)
          for (size_t iz = 0; iz < Nz; ++iz) line[iz] += times(along_y[iz + Nz * gy], phase_[1][gy + ny * iy]);
        for (size_t iz = 0; iz < Nz; ++iz) f(ix, iy, iz, line[iz]);
      }
    }
  }

private:
  // Without the checks for infinities that * of complex numbers has.
  static Complex times(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  const std::vector<int32_t>& gvec_;
  std::array<int64_t, 3> mesh_;
  std::array<int32_t, 3> low_{};
  std::array<size_t, 3> count_{};
  std::array<PlaneWaves, 3> phase_;  // (g,point)
  std::array<std::vector<double>, 3> scale_;
};

// What the splines make of the plane wave g in one direction with N points and k: sums over it and its images q of weight^2, weight^2 q,
// weight^2 q^2, q in units of b.
std::array<double, 3> moments(double g, double k, double N) {
  std::array<double, 3> sum{};
  for (int m = -images_each_side; m <= images_each_side; ++m) {
    const double image = g + m * N, weight = m == 0 ? 1 : image == 0 ? 0 : std::pow(g / image, 4), q = image + k;
    for (int power = 0; power < 3; ++power) sum[static_cast<size_t>(power)] += weight * weight * std::pow(q, power);
  }
  return sum;
}

// 1/2 <|grad|^2> of the determinant of these functions as splines, and the largest relative error of one. A spline has the plane waves of
// its function, and beyond the mesh theirs times (g/(g + m N))^4 in each direction.
struct SplineIntegrals {
  double kinetic = 0, error = 0;
};
SplineIntegrals integrals(const BlochFunctions& block, const std::vector<PlaneWaves>& functions, const qmc::Lattice& cell,
                          const std::array<int64_t, 3>& mesh) {
  const auto n = static_cast<Index>(functions.size()), ng = static_cast<Index>(block.gvec.size() / 3);
  MatrixXcd c(ng, n);
  for (Index i = 0; i < n; ++i) c.col(i) = Eigen::Map<const VectorXcd>(functions[static_cast<size_t>(i)].data(), ng);
  Eigen::VectorXd overlap(ng), kinetic(ng);
  for (Index g = 0; g < ng; ++g) {
    std::array<std::array<double, 3>, 3> s;
    for (size_t d = 0; d < 3; ++d) s[d] = moments(block.gvec[3 * static_cast<size_t>(g) + d], block.k[d], static_cast<double>(mesh[d]));
    overlap(g) = s[0][0] * s[1][0] * s[2][0];
    double square = 0;
    for (size_t d = 0; d < 3; ++d)
      for (size_t e = 0; e < 3; ++e) {
        const double metric = cell.b[d][0] * cell.b[e][0] + cell.b[d][1] * cell.b[e][1] + cell.b[d][2] * cell.b[e][2];
        const double value = d == e ? s[d][2] / s[d][0] : s[d][1] * s[e][1] / (s[d][0] * s[e][0]);
        square += metric * value * overlap(g);
      }
    kinetic(g) = square / 2;
  }
  const MatrixXcd S = c.adjoint() * overlap.asDiagonal() * c, T = c.adjoint() * kinetic.asDiagonal() * c;
  SplineIntegrals out;
  out.kinetic = S.partialPivLu().solve(T).trace().real();
  for (Index i = 0; i < n; ++i) {
    const double whole = c.col(i).squaredNorm();
    out.error = std::max(out.error, std::sqrt(std::max(0.0, S(i, i).real() / whole - 1)));
  }
  return out;
}

}  // namespace

bool SplineTable::plain() const {
  if (nspline != std::ssize(orbital)) return false;
  for (size_t i = 0; i < orbital.size(); ++i)
    if (orbital[i].imaginary != SplineOrbital::none || orbital[i].real != static_cast<int32_t>(i)) return false;
  return true;
}

std::array<int64_t, 3> spline_mesh(const std::vector<BlochFunctions>& blocks, double factor) {
  std::array<int64_t, 3> mesh{};
  for (size_t d = 0; d < 3; ++d) {
    int32_t most = 0;
    for (const auto& block : blocks)
      for (size_t i = d; i < block.gvec.size(); i += 3) most = std::max(most, std::abs(block.gvec[i]));
    mesh[d] = std::max<int64_t>(4, static_cast<int64_t>(std::ceil(factor * 4 * most)));
  }
  return mesh;
}

std::shared_ptr<const SplineTable> spline_table(const std::vector<BlochFunctions>& blocks, const qmc::Lattice& cell,
                                                const std::array<int64_t, 3>& mesh, bool complex) {
  auto table = std::make_shared<SplineTable>();
  std::vector<std::vector<PlaneWaves>> functions;
  for (const BlochFunctions& block : blocks) {
    const bool gamma = !complex && block.k == std::array<double, 3>{};
    functions.push_back(complex || block.paired ? block.states : real_functions(block));
    for (size_t i = 0; i < functions.back().size(); ++i)
      for (int sine = 0; sine < (block.paired ? 2 : 1); ++sine) {
        SplineOrbital orbital;
        orbital.real = static_cast<int32_t>(table->nspline);
        orbital.sine = sine == 1;
        if (!gamma) orbital.imaginary = orbital.real + 1;
        for (size_t d = 0; d < 3; ++d)
          for (size_t e = 0; e < 3; ++e) orbital.k[d] += block.k[e] * cell.b[e][d];
        table->orbital.push_back(orbital);
        if (!block.paired || sine == 1) table->nspline += gamma ? 1 : 2;
      }
    const SplineIntegrals of_block = integrals(block, functions.back(), cell, mesh);
    table->kinetic += (block.paired ? 2 : 1) * of_block.kinetic;
    table->error = std::max(table->error, of_block.error);
  }
  const auto n = static_cast<size_t>(table->nspline);
  table->c.assign(n * static_cast<size_t>(mesh[0] * mesh[1] * mesh[2]), 0);
  size_t spline = 0;
  for (size_t b = 0; b < blocks.size(); ++b) {
    const ToMesh to_mesh(blocks[b].gvec, mesh);
    const size_t each = !complex && blocks[b].k == std::array<double, 3>{} ? 1 : 2;
    for (const PlaneWaves& function : functions[b]) {
      to_mesh(function, [&](size_t ix, size_t iy, size_t iz, Complex value) {
        double* const c = &table->c[spline + n * (iz + static_cast<size_t>(mesh[2]) * (iy + static_cast<size_t>(mesh[1]) * ix))];
        c[0] = value.real();
        if (each == 2) c[1] = value.imag();
      });
      spline += each;
    }
  }
  table->digest = digest_of(table->c);
  return table;
}

}  // namespace suite::vmc
