// SPDX-License-Identifier: BSD-3-Clause
#include "ladder.hpp"

#include <cmath>
#include <complex>

namespace suite::lfd {
namespace {

using Complex = std::complex<double>;

// f(n, i, j, k) with the array's own fastest index innermost.
template <class Layout, class F> [[gnu::always_inline]] inline void each_number(const Layout&, const Grid& g, int threads, F&& f) {
  if constexpr (Layout::orbital_first) {
    for (int64_t n = 0; n < g.norb; ++n)
      for (int64_t i = 0; i < g.n[0]; ++i)
        for (int64_t j = 0; j < g.n[1]; ++j)
#pragma omp simd
          for (int64_t k = 0; k < g.n[2]; ++k) f(n, i, j, k);
  } else {
#pragma omp parallel for collapse(2) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < g.n[0]; ++i)
      for (int64_t j = 0; j < g.n[1]; ++j)
        for (int64_t k = 0; k < g.n[2]; ++k)
#pragma omp simd
          for (int64_t n = 0; n < g.norb; ++n) f(n, i, j, k);
  }
}

int64_t point(const Grid& g, int64_t i, int64_t j, int64_t k) { return (i * g.n[1] + j) * g.n[2] + k; }

}  // namespace

template <class T> double Ladder<T>::wave(const PropagateCall<T>& call, int64_t step, int64_t n, int d) const {
  return (call.choices.velocity ? call.drive_of(step)[d] : 0) + (call.k ? call.k[3 * n + d] : 0);
}

template <class T> void Ladder<T>::start(Step variant, const PropagateCall<T>& call, int threads) {
  const Grid& g = call.grid;
  variant_ = variant;
  threads_ = variant >= Step::offloaded ? threads : 1;
  field_threads_ = variant >= Step::field_sync ? threads : 1;
  bloch_ = call.k || call.choices.velocity;
  for (int d = 0; d < 3; ++d)
    for (const Part part : {Part::half, Part::full}) {
      const Rotation r = rotation(call.angle(d), part);
      LineCoefficients<T>& c = coefficients_[d][static_cast<int>(part)];
      c.al[0] = static_cast<T>(r.ep.real());
      c.al[1] = static_cast<T>(r.ep.imag());
      c.bl.assign(static_cast<size_t>(2 * (g.n[d] + 2)), 0);
      c.bu = c.bl;
      for (int64_t i = 1; i <= g.n[d]; ++i) {
        const bool joins_upper = (i % 2 == 1) == (part == Part::half);
        std::vector<T>& b = joins_upper ? c.bu : c.bl;
        b[2 * i] = static_cast<T>(r.em.real());
        b[2 * i + 1] = static_cast<T>(r.em.imag());
      }
    }
  const int64_t with_ghosts = (g.n[0] + 2) * (g.n[1] + 2) * (g.n[2] + 2);
  psi_.at_least(2 * g.norb * with_ghosts);
  std::fill_n(psi_.data(), 2 * g.norb * with_ghosts, T(0));
  const int64_t longest = std::max({g.n[0], g.n[1], g.n[2]}) + 2;
  wrk_.at_least(2 * std::max({with_ghosts, longest * g.norb, threads * (g.norb + 8)}));
  u_.resize(static_cast<size_t>(2 * g.points()));
  rho_.resize(static_cast<size_t>(g.points()));
  border_.assign(static_cast<size_t>(6 * g.norb), 0);
}

template <class T> void Ladder<T>::set_borders(const PropagateCall<T>& call, int64_t step) {
  const Grid& g = call.grid;
  for (int d = 0; d < 3; ++d)
    for (int64_t n = 0; n < g.norb; ++n) {
      const double angle = wave(call, step, n, d) * g.h[d] * static_cast<double>(g.n[d]);
      border_[2 * (d * g.norb + n)] = static_cast<T>(std::cos(angle));
      border_[2 * (d * g.norb + n) + 1] = static_cast<T>(std::sin(angle));
    }
}

// From psi(Norb,Nz,Ny,Nx) to the variant's array, as chi, and back.
template <class T> template <class Layout> void Ladder<T>::convert(const Layout& at, const PropagateCall<T>& call, bool back) {
  const Grid& g = call.grid;
  T *const own = psi_.data(), *const psi = reinterpret_cast<T*>(call.psi);
  const int64_t step = back ? call.nsteps - 1 : 0;
  for (int64_t i = 0; i < g.n[0]; ++i)
    for (int64_t j = 0; j < g.n[1]; ++j)
      for (int64_t k = 0; k < g.n[2]; ++k)
        for (int64_t n = 0; n < g.norb; ++n) {
          T* const inside = own + 2 * at.at(n, i + 1, j + 1, k + 1);
          T* const outside = psi + 2 * (point(g, i, j, k) * g.norb + n);
          const T* const from = back ? inside : outside;
          T* const to = back ? outside : inside;
          T c = 1, s = 0;
          if (bloch_) {
            const double angle = wave(call, step, n, 0) * call.coordinate(0, i) + wave(call, step, n, 1) * call.coordinate(1, j) +
                                 wave(call, step, n, 2) * call.coordinate(2, k);
            c = static_cast<T>(std::cos(angle));
            s = static_cast<T>(back ? -std::sin(angle) : std::sin(angle));
          }
          const T re = from[0], im = from[1];
          to[0] = c * re - s * im;
          to[1] = c * im + s * re;
        }
}

template <class T> template <class Layout> void Ladder<T>::turn(const Layout& at, const Grid& g, const T* u) {
  T* const psi = psi_.data();
  each_number(
      at, g, threads_, [&](int64_t n, int64_t i, int64_t j, int64_t k) __attribute__((always_inline)) {
        T* const x = psi + 2 * at.at(n, i + 1, j + 1, k + 1);
        const T c = u[2 * point(g, i, j, k)], s = u[2 * point(g, i, j, k) + 1];
        const T re = c * x[0] - s * x[1];
        x[1] = c * x[1] + s * x[0];
        x[0] = re;
      });
}

// Ghosts of direction d: chi at N + 1 is e^{i(A+k) h N} chi at 1.
template <class T> template <class Layout> void Ladder<T>::periodic_bc(const Layout& at, const Grid& g, int d) {
  T* const psi = psi_.data();
  const int64_t across = 2 * at.stride(d), last = g.n[d];
  const int e = d == 0 ? 1 : 0, f = d == 2 ? 1 : 2;
  const auto copy = [&](int64_t n, int64_t a, int64_t b) __attribute__((always_inline)) {
    int64_t first[3];
    first[d] = 0;
    first[e] = a;
    first[f] = b;
    T* const ghost = psi + 2 * at.at(n, first[0], first[1], first[2]);
    T* const upper = ghost + (last + 1) * across;
    const T *const end = ghost + last * across, *const begin = ghost + across;
    const T c = bloch_ ? border_[2 * (d * g.norb + n)] : 1, s = bloch_ ? border_[2 * (d * g.norb + n) + 1] : 0;
    ghost[0] = c * end[0] + s * end[1];
    ghost[1] = c * end[1] - s * end[0];
    upper[0] = c * begin[0] - s * begin[1];
    upper[1] = c * begin[1] + s * begin[0];
  };
  if constexpr (Layout::orbital_first) {
    for (int64_t n = 0; n < g.norb; ++n)
      for (int64_t a = 1; a <= g.n[e]; ++a)
        for (int64_t b = 1; b <= g.n[f]; ++b) copy(n, a, b);
  } else {
#pragma omp parallel for collapse(2) num_threads(threads_) if (threads_ > 1)
    for (int64_t a = 1; a <= g.n[e]; ++a)
      for (int64_t b = 1; b <= g.n[f]; ++b)
        for (int64_t n = 0; n < g.norb; ++n) copy(n, a, b);
  }
}

template <class T> template <class Layout> void Ladder<T>::density(const Layout& at, const PropagateCall<T>& call) {
  const Grid& g = call.grid;
  const T* const psi = psi_.data();
  double* const rho = rho_.data();
  std::fill(rho_.begin(), rho_.end(), 0.0);
  if constexpr (Layout::orbital_first) {
    each_number(
        at, g, 1, [&](int64_t n, int64_t i, int64_t j, int64_t k) __attribute__((always_inline)) {
          const T* const x = psi + 2 * at.at(n, i + 1, j + 1, k + 1);
          rho[point(g, i, j, k)] += call.f[n] * static_cast<double>(x[0] * x[0] + x[1] * x[1]);
        });
  } else {
#pragma omp parallel for collapse(2) num_threads(threads_) if (threads_ > 1)
    for (int64_t i = 0; i < g.n[0]; ++i)
      for (int64_t j = 0; j < g.n[1]; ++j)
        for (int64_t k = 0; k < g.n[2]; ++k) {
          const T* const x = psi + 2 * at.at(0, i + 1, j + 1, k + 1);
          double sum = 0;
#pragma omp simd reduction(+ : sum)
          for (int64_t n = 0; n < g.norb; ++n) sum += call.f[n] * static_cast<double>(x[2 * n] * x[2 * n] + x[2 * n + 1] * x[2 * n + 1]);
          rho[point(g, i, j, k)] = sum;
        }
  }
  for (int64_t p = 0; p < g.points(); ++p) call.rho[p] = static_cast<T>(rho[p]);
}

template <class T> void Ladder<T>::dipole(const PropagateCall<T>& call, int64_t step) const {
  const Grid& g = call.grid;
  double* const out = call.dipole + 4 * step;
  std::fill_n(out, 4, 0.0);
  for (int64_t i = 0; i < g.n[0]; ++i)
    for (int64_t j = 0; j < g.n[1]; ++j) {
      double line = 0, along = 0;
      for (int64_t k = 0; k < g.n[2]; ++k) {
        const double rho = rho_[point(g, i, j, k)] * g.volume_element();
        line += rho;
        along += call.coordinate(2, k) * rho;
      }
      out[0] += call.coordinate(0, i) * line;
      out[1] += call.coordinate(1, j) * line;
      out[2] += along;
      out[3] += line;
    }
}

// f(p, i, j, k, phase) for the points of a sphere: the phase that chi has there against the projectors.
template <class T>
template <class F>
void Ladder<T>::each_sphere_point(const PropagateCall<T>& call, const Sphere& sphere, int64_t n, int64_t step, F&& f) const {
  std::vector<Complex> phases;
  for (const Three& shift : sphere.shift) {
    double angle = 0;
    for (int d = 0; d < 3 && bloch_; ++d) angle += wave(call, step, n, d) * shift.x[d];
    phases.emplace_back(std::cos(angle), std::sin(angle));
  }
  const Grid& g = call.grid;
  for (size_t p = 0; p < sphere.point.size(); ++p) {
    const int64_t at = sphere.point[p];
    f(p, at / (g.n[1] * g.n[2]) + 1, at / g.n[2] % g.n[1] + 1, at % g.n[2] + 1, phases[sphere.image[p]]);
  }
}

template <class T>
template <class Layout>
void Ladder<T>::nonlocal(const Layout& at, const PropagateCall<T>& call, int64_t step, bool descending) {
  const int64_t nproj = call.spheres.nproj, atoms = std::ssize(call.spheres.atoms);
  T* const psi = psi_.data();
  std::vector<Complex> c(static_cast<size_t>(nproj)), d(c.size());
  for (int64_t a = 0; a < atoms; ++a) {
    const Sphere& sphere = call.spheres.atoms[descending ? atoms - 1 - a : a];
    for (int64_t n = 0; n < call.grid.norb; ++n) {
      std::fill(c.begin(), c.end(), 0.0);
      each_sphere_point(call, sphere, n, step, [&](size_t p, int64_t i, int64_t j, int64_t k, Complex phase) {
        const T* const x = psi + 2 * at.at(n, i, j, k);
        const Complex value = phase * Complex(x[0], x[1]);
        for (int64_t q = 0; q < nproj; ++q) c[q] += sphere.beta[p * nproj + q] * value;
      });
      for (int64_t q = 0; q < nproj; ++q) {
        d[q] = 0;
        for (int64_t r = 0; r < nproj; ++r) d[q] += sphere.K[q * nproj + r] * c[r];
      }
      each_sphere_point(call, sphere, n, step, [&](size_t p, int64_t i, int64_t j, int64_t k, Complex phase) {
        T* const x = psi + 2 * at.at(n, i, j, k);
        Complex sum = 0;
        for (int64_t q = 0; q < nproj; ++q) sum += sphere.beta[p * nproj + q] * d[q];
        sum *= std::conj(phase);
        x[0] = static_cast<T>(x[0] + sum.real());
        x[1] = static_cast<T>(x[1] + sum.imag());
      });
    }
  }
}

template <class T> template <class Layout> void Ladder<T>::current(const Layout& at, const PropagateCall<T>& call, int64_t step) {
  const Grid& g = call.grid;
  const T* const psi = psi_.data();
  double* const out = call.current + 3 * step;
  for (int d = 0; d < 3; ++d) {
    double sum = 0;
    if (g.n[d] > 1) {
      periodic_bc(at, g, d);
      for (int64_t i = 1; i <= g.n[0]; ++i)
        for (int64_t j = 1; j <= g.n[1]; ++j)
          for (int64_t k = 1; k <= g.n[2]; ++k)
            for (int64_t n = 0; n < g.norb; ++n) {
              const T *const a = psi + 2 * at.at(n, i, j, k), *const b = a + 2 * at.stride(d);
              sum += call.f[n] * static_cast<double>(a[0] * b[1] - a[1] * b[0]) / g.h[d];
            }
    }
    const int64_t nproj = call.spheres.nproj;
    for (const Sphere& sphere : call.spheres.atoms)
      for (int64_t n = 0; n < g.norb; ++n) {
        std::vector<Complex> c(static_cast<size_t>(nproj)), m(c.size());
        each_sphere_point(call, sphere, n, step, [&](size_t p, int64_t i, int64_t j, int64_t k, Complex phase) {
          const T* const x = psi + 2 * at.at(n, i, j, k);
          const Complex value = phase * Complex(x[0], x[1]);
          for (int64_t q = 0; q < nproj; ++q) {
            c[q] += sphere.beta[p * nproj + q] * value;
            m[q] += sphere.beta[p * nproj + q] * sphere.displacement[p].x[d] * value;
          }
        });
        for (int64_t q = 0; q < nproj; ++q)
          for (int64_t r = 0; r < nproj; ++r)
            sum -= 2 * call.f[n] * g.volume_element() * sphere.D[q * nproj + r] * (std::conj(c[q]) * m[r]).imag();
      }
    out[d] = sum * g.volume_element();
  }
}

// The field as the variant has it: by one thread, with a team for each loop of each field step, or with one
// team for all of them.
template <class T> void Ladder<T>::advance(const PropagateCall<T>& call, LocalPotential<T>& potential) {
  if (variant_ < Step::field_sync || call.choices.field != Field::loop) return potential.advance(call, Team::alone());
  if (variant_ == Step::field_sync) potential.loop_joined(call, field_threads_);
  else potential.loop_together(call, field_threads_);
}

template <class T>
template <class Layout>
void Ladder<T>::go(const Layout& at, const PropagateCall<T>& call, LocalPotential<T>& potential) {
  const Grid& g = call.grid;
  convert(at, call, false);
  if (call.choices.functional != Functional::none) density(at, call);
  potential.first(call, Team::alone());
  const auto turn_half = [&](int64_t step, bool end) {
    Phase phase;
    phase.factor = -0.5 * call.dt;
    for (int d = 0; d < 3; ++d) {
      if (!call.choices.velocity) phase.slope[d] = phase.factor * call.drive_of(step)[d];
      else if (!end && step > 0) phase.slope[d] = call.drive_of(step)[d] - call.drive_of(step - 1)[d];
    }
    set_phases_in_grid_order(g, potential.v(), phase, u_.data());
    turn(at, g, u_.data());
  };
  for (int64_t step = 0; step < call.nsteps; ++step) {
    if (bloch_) set_borders(call, step);
    turn_half(step, false);
    nonlocal(at, call, step, false);
    for (int d = 0; d < 3; ++d)
      for (const Part part : {Part::half, Part::full, Part::half}) {
        if (g.n[d] == 1) continue;
        periodic_bc(at, g, d);
        kin_prop(variant_, threads_, psi_.data(), wrk_.data(), at, g, d, coefficients_[d][static_cast<int>(part)]);
      }
    nonlocal(at, call, step, true);
    density(at, call);
    dipole(call, step);
    if (call.choices.potential_moves()) advance(call, potential);
    turn_half(step, true);
    if (call.current) current(at, call, step);
  }
  convert(at, call, true);
  potential.finish(call, Team::alone());
}

template <class T> void Ladder<T>::run(Step variant, const PropagateCall<T>& call, LocalPotential<T>& potential, int threads) {
  start(variant, call, threads);
  potential.start(call, 1);
  if (variant <= Step::specialised) go(OrbitalFirst(call.grid), call, potential);
  else go(OrbitalLast(call.grid), call, potential);
}

template class Ladder<float>;
template class Ladder<double>;

}  // namespace suite::lfd
