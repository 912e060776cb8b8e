// SPDX-License-Identifier: BSD-3-Clause
#include "hamiltonian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace suite::tddft {

namespace {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SUITE_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SUITE_VECTOR_CLONES
#endif

struct LineCoefficients {
  double scale, shift, keep, x, y, z;  // x, y, z: scale/(2 h^2)
};

// The inner points of a line: neighbours along x and y are in four other lines, those along z in the line itself, w real numbers away.
SUITE_VECTOR_CLONES
void inner_points(const LineCoefficients& c, const double* __restrict v, const double* __restrict p, const double* __restrict xm,
                  const double* __restrict xp, const double* __restrict ym, const double* __restrict yp, double* __restrict out, int first,
                  int end, int w) {
  if (c.keep == 0) {
    for (int m = first; m < end; ++m)
      out[m] = (c.scale * v[m] + c.shift) * p[m] - c.x * (xm[m] + xp[m]) - c.y * (ym[m] + yp[m]) - c.z * (p[m - w] + p[m + w]);
  } else {
    for (int m = first; m < end; ++m)
      out[m] =
          (c.scale * v[m] + c.shift) * p[m] - c.x * (xm[m] + xp[m]) - c.y * (ym[m] + yp[m]) - c.z * (p[m - w] + p[m + w]) + c.keep * out[m];
  }
}

SUITE_VECTOR_CLONES
double dot(const double* __restrict a, const double* __restrict b, size_t n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

SUITE_VECTOR_CLONES
void add(double weight, const double* __restrict a, double* __restrict b, size_t n) {
  for (size_t i = 0; i < n; ++i) b[i] += weight * a[i];
}

double conjugate(double x) { return x; }
std::complex<double> conjugate(const std::complex<double>& x) { return std::conj(x); }

template <class T> T phase(double angle) {
  if constexpr (std::is_same_v<T, double>) return 1.0;
  else return std::polar(1.0, angle);
}

}  // namespace

template <class T>
Hamiltonian<T>::Hamiltonian(const Grid& grid, const Vec3& k, const Nonlocal& nonlocal, Kinetic kinetic) : grid_(grid), k_(k) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    across_[d] = phase<T>(k[d] * grid.length(d));
    if (grid.points[d] == 1 || kinetic == Kinetic::fourier) continue;
    coupling_[d] = 1 / (2 * grid.h[d] * grid.h[d]);
    sum += 2 * coupling_[d];
  }
  bare_.assign(static_cast<size_t>(width) * grid.points[2], sum);
  set_potential(std::vector<double>(grid.size(), 0.0));
  if (kinetic == Kinetic::fourier) set_waves(k);
  set_nonlocal(nonlocal);
}

template <class T> void Hamiltonian<T>::set_nonlocal(const Nonlocal& nonlocal) {
  spheres_.clear();
  largest_sphere_ = 0;
  most_projectors_ = 0;
  for (int64_t a = 0; a < nonlocal.natom; ++a) {
    Sphere sphere;
    sphere.projectors = static_cast<int>(nonlocal.nproj);
    const int32_t* points = nonlocal.nlpoint.data() + nonlocal.nsphere * a;
    size_t count = 0;
    for (; count < static_cast<size_t>(nonlocal.nsphere) && points[count] > 0; ++count) {
      const int at = points[count] - 1, nz = grid_.points[2], ny = grid_.points[1];
      const Vec3 r{grid_.coordinate(0, at / nz / ny), grid_.coordinate(1, at / nz % ny), grid_.coordinate(2, at % nz)};
      double angle = 0;
      for (int d = 0; d < 3; ++d) angle += k_[d] * (nonlocal.nldisp[d + 3 * (count + nonlocal.nsphere * a)] - r[d]);
      sphere.points.push_back(at);
      sphere.phases.push_back(phase<T>(angle));
    }
    for (int j = 0; j < sphere.projectors; ++j) {
      const double* beta = nonlocal.beta.data() + nonlocal.nsphere * (j + nonlocal.nproj * a);
      sphere.beta.insert(sphere.beta.end(), beta, beta + count);
    }
    const double* d = nonlocal.dnl.data() + nonlocal.nproj * nonlocal.nproj * a;
    sphere.coefficients.assign(d, d + nonlocal.nproj * nonlocal.nproj);
    largest_sphere_ = std::max(largest_sphere_, count);
    most_projectors_ = std::max(most_projectors_, sphere.projectors);
    spheres_.push_back(std::move(sphere));
  }
}

template <class T> void Hamiltonian<T>::set_potential(const std::vector<double>& v) {
  diagonal_.resize(width * v.size());
  for (size_t i = 0; i < v.size(); ++i)
    for (int w = 0; w < width; ++w) diagonal_[width * i + w] = v[i] + bare_[0];
}

// The line of psi at (ix, iy), which may be one beyond the cell; in that case multiplied by its phase in `buffer` if needed.
template <class T> const T* Hamiltonian<T>::neighbour(const T* psi, int ix, int iy, T* buffer) const {
  T factor = 1;
  const auto fold = [&](int& i, int d) {
    if (i < 0) {
      i += grid_.points[d];
      factor *= conjugate(across_[d]);
    } else if (i >= grid_.points[d]) {
      i -= grid_.points[d];
      factor *= across_[d];
    }
  };
  fold(ix, 0);
  fold(iy, 1);
  const T* line = psi + grid_.index(ix, iy, 0);
  if (factor == T(1)) return line;
  for (int iz = 0; iz < grid_.points[2]; ++iz) buffer[iz] = factor * line[iz];
  return buffer;
}

template <class T>
void Hamiltonian<T>::plane(double scale, double shift, double keep, const double* v, const T* psi, T* out, int ix) const {
  const int nz = grid_.points[2];
  const LineCoefficients c{scale, shift, keep, scale * coupling_[0], scale * coupling_[1], scale * coupling_[2]};
  std::vector<T> buffers(4 * static_cast<size_t>(nz));
  const auto real = [](const T* p) { return reinterpret_cast<const double*>(p); };
  for (int iy = 0; iy < grid_.points[1]; ++iy) {
    const T* p = psi + grid_.index(ix, iy, 0);
    const T* xm = neighbour(psi, ix - 1, iy, buffers.data());
    const T* xp = neighbour(psi, ix + 1, iy, buffers.data() + nz);
    const T* ym = neighbour(psi, ix, iy - 1, buffers.data() + 2 * nz);
    const T* yp = neighbour(psi, ix, iy + 1, buffers.data() + 3 * nz);
    T* o = out + grid_.index(ix, iy, 0);
    // v == bare_: one line serves all.
    const double* line = v == bare_.data() ? v : v + width * grid_.index(ix, iy, 0);
    inner_points(c, line, real(p), real(xm), real(xp), real(ym), real(yp), reinterpret_cast<double*>(o), width, width * (nz - 1), width);
    const auto end_point = [&](int iz, const T& below, const T& above) {
      const T kept = keep == 0 ? T(0) : keep * o[iz];
      o[iz] = (scale * line[width * iz] + shift) * p[iz] - c.x * (xm[iz] + xp[iz]) - c.y * (ym[iz] + yp[iz]) - c.z * (below + above) + kept;
    };
    const T last = conjugate(across_[2]) * p[nz - 1], first = across_[2] * p[0];
    end_point(0, last, nz > 1 ? p[1] : first);
    if (nz > 1) end_point(nz - 1, p[nz - 2], first);
  }
}

// Gathers psi on a sphere, real parts before imaginary parts, and computes its overlaps with the projectors.
template <class T> void Hamiltonian<T>::project(const Sphere& sphere, const T* psi, double* gathered, double* amplitudes) const {
  const size_t count = sphere.points.size();
  for (size_t s = 0; s < count; ++s) {
    const T value = sphere.phases[s] * psi[sphere.points[s]];
    gathered[s] = std::real(value);
    if constexpr (width == 2) gathered[count + s] = value.imag();
  }
  for (int j = 0; j < sphere.projectors; ++j)
    for (int w = 0; w < width; ++w)
      amplitudes[width * j + w] = grid_.point_volume() * dot(sphere.beta.data() + j * count, gathered + w * count, count);
}

template <class T> void Hamiltonian<T>::add_nonlocal(double scale, const T* psi, T* out) const {
  std::vector<double> gathered(width * largest_sphere_), amplitudes(static_cast<size_t>(width) * most_projectors_);
  for (const Sphere& sphere : spheres_) {
    project(sphere, psi, gathered.data(), amplitudes.data());
    const size_t count = sphere.points.size();
    std::fill_n(gathered.begin(), width * count, 0.0);
    for (int i = 0; i < sphere.projectors; ++i)
      for (int w = 0; w < width; ++w) {
        double weight = 0;
        for (int j = 0; j < sphere.projectors; ++j)
          weight += scale * sphere.coefficients[i + sphere.projectors * j] * amplitudes[width * j + w];
        if (weight != 0) add(weight, sphere.beta.data() + i * count, gathered.data() + w * count, count);
      }
    for (size_t s = 0; s < count; ++s) {
      if constexpr (width == 1) out[sphere.points[s]] += gathered[s];
      else out[sphere.points[s]] += std::conj(sphere.phases[s]) * T(gathered[s], gathered[count + s]);
    }
  }
}

template <class T> void Hamiltonian<T>::combine(double scale, double shift, double keep, const T* psi, T* out, int count) const {
  const size_t size = grid_.size();
  const int nx = grid_.points[0];
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int at = 0; at < count * nx; ++at)
      plane(scale, shift, keep, diagonal_.data(), psi + size * (at / nx), out + size * (at / nx), at % nx);
    if (!spheres_.empty()) {
#pragma omp for schedule(static)
      for (int n = 0; n < count; ++n) add_nonlocal(scale, psi + size * n, out + size * n);
    }
  }
  if (waves_) add_waves(scale, psi, out, count);
  applications_ += count;
}

// 1/2 (q + k)^2 with the mean over q and -q for the highest wave, as lfd.propagate has it.
template <class T> void Hamiltonian<T>::set_waves(const Vec3& k) {
  const auto& n = grid_.points;
  std::array<std::vector<double>, 3> along;
  for (int d = 0; d < 3; ++d)
    for (int m = 0; m < n[d]; ++m) {
      const double q = 2 * std::numbers::pi * (2 * m > n[d] ? m - n[d] : m) / grid_.length(d);
      along[d].push_back(n[d] == 1 ? 0 : 0.5 * (q * q + k[d] * k[d]) + (2 * m == n[d] ? 0 : q * k[d]));
    }
  auto waves = std::make_unique<Waves>(n);
  for (int ix = 0; ix < n[0]; ++ix)
    for (int iy = 0; iy < n[1]; ++iy)
      for (int iz = 0; iz < n[2]; ++iz) {
        waves->energies.push_back((along[0][ix] + along[1][iy] + along[2][iz]) / static_cast<double>(grid_.size()));
        if constexpr (width == 2)
          waves->phases.push_back(
              std::polar(1.0, k[0] * grid_.coordinate(0, ix) + k[1] * grid_.coordinate(1, iy) + k[2] * grid_.coordinate(2, iz)));
      }
  waves_ = std::move(waves);
}

// out += scale T psi. Real orbitals in twos, as the parts of a complex one: their T is real.
template <class T> void Hamiltonian<T>::add_waves(double scale, const T* psi, T* out, int count) const {
  constexpr int together = width == 1 ? 2 : 1;
  const size_t size = grid_.size();
#pragma omp parallel
  {
    const app::ComplexBuffer buffer = app::allocate_complex(size);
#pragma omp for schedule(static)
    for (int first = 0; first < count; first += together) {
      const T* const p = psi + size * first;
      T* const o = out + size * first;
      const bool both = first + 1 < count;
      for (size_t i = 0; i < size; ++i) {
        if constexpr (width == 1) buffer[i] = {p[i], both ? p[size + i] : 0.0};
        else buffer[i] = std::conj(waves_->phases[i]) * p[i];
      }
      waves_->there(buffer.get());
      for (size_t i = 0; i < size; ++i) buffer[i] *= waves_->energies[i];
      waves_->back(buffer.get());
      for (size_t i = 0; i < size; ++i) {
        if constexpr (width == 1) {
          o[i] += scale * buffer[i].real();
          if (both) o[size + i] += scale * buffer[i].imag();
        } else {
          o[i] += scale * waves_->phases[i] * buffer[i];
        }
      }
    }
  }
}

template <class T> double Hamiltonian<T>::kinetic(const T* psi) const {
  std::vector<T> t(grid_.size());
  const int nx = grid_.points[0];
#pragma omp parallel for schedule(static)
  for (int ix = 0; ix < nx; ++ix) plane(1, 0, 0, bare_.data(), psi, t.data(), ix);
  if (waves_) add_waves(1, psi, t.data(), 1);
  double sum = 0;
  for (size_t i = 0; i < t.size(); ++i) sum += std::real(conjugate(psi[i]) * t[i]);
  return sum * grid_.point_volume();
}

template <class T> double Hamiltonian<T>::nonlocal(const T* psi) const {
  std::vector<double> gathered(width * largest_sphere_), amplitudes(static_cast<size_t>(width) * most_projectors_);
  double sum = 0;
  for (const Sphere& sphere : spheres_) {
    project(sphere, psi, gathered.data(), amplitudes.data());
    for (int i = 0; i < sphere.projectors; ++i)
      for (int j = 0; j < sphere.projectors; ++j)
        for (int w = 0; w < width; ++w)
          sum += sphere.coefficients[i + sphere.projectors * j] * amplitudes[width * i + w] * amplitudes[width * j + w];
  }
  return sum;
}

template class Hamiltonian<double>;
template class Hamiltonian<std::complex<double>>;

}  // namespace suite::tddft
