// SPDX-License-Identifier: BSD-3-Clause
#include "ground_state.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "core_density.hpp"
#include "eigensolver.hpp"
#include "fields.hpp"
#include "forces.hpp"
#include "guess.hpp"
#include "ion_energy.hpp"
#include "mixing.hpp"
#include "subspace.hpp"

namespace suite::tddft {

std::string laplacian_of(const System& system, const GroundStateSettings& settings) {
  if (settings.laplacian != "auto") return settings.laplacian;
  if (system.boundary == Boundary::isolated) return "isolated";
  return system.kinetic == Kinetic::fourier ? "continuum" : "differences";
}

namespace {

double kerker_of(const System& system, const GroundStateSettings& settings) {
  if (settings.kerker >= 0) return settings.kerker;
  // Charge sloshes at long wavelengths in small cells with many k points; in a large cell damping would double the number of iterations.
  return system.boundary == Boundary::periodic && system.k_points.size() > 1 ? 0.5 : 0.0;
}

// Adds some functions: the gap to the first function not iterated determines the rate of convergence of the wanted ones.
int functions_of(const GroundStateSettings& settings, int bands) {
  return bands + (settings.extra_orbitals >= 0 ? std::max(settings.extra_orbitals, 1) : std::max(3, bands / 4));
}

template <class T> class Solver final : public GroundStateSolver {
public:
  Solver(const System& system, const GroundStateSettings& settings);
  GroundState solve(const std::function<void(const GroundStateIteration&)>& report) override;
  void move(const std::vector<Vec3>& positions, std::vector<double> density) override;
  void set_force_tolerance(double tolerance) override { settings_.force_tolerance = tolerance; }
  std::vector<double> functions() const override;
  void restore(const std::vector<double>& functions) override;

private:
  // A k point of one spin.
  struct Point {
    KPoint k;
    int spin = 0;
    std::unique_ptr<Hamiltonian<T>> h;
    std::unique_ptr<Eigensolver<T>> eigen;
  };

  int function_count() const;
  void set_ions();
  void set_potential();
  void start();
  bool converged(const std::vector<double>& rho);
  std::vector<double> density() const;
  double residual() const;
  double harris_energy() const;
  std::vector<Vec3> forces(const std::vector<double>& rho) const;
  void keep_orbitals();
  void keep_energies();
  double occupation(const Point& point, int n) const { return occupations_[static_cast<size_t>(point.spin)][static_cast<size_t>(n)]; }
  int occupied(int spin) const;
  double lowest_empty() const;

  System system_;
  GroundStateSettings settings_;
  int spins_;
  std::vector<std::vector<double>> occupations_;  // of each spin
  bool interacting_;
  double ions_ = 0;
  Fields fields_;
  std::vector<Point> points_;
  std::vector<double> rho_, v_;  // (Nz,Ny,Nx,spins): total and magnetisation; of up and down
  GroundState out_;
};

template <class T>
Solver<T>::Solver(const System& system, const GroundStateSettings& settings)
    : system_(system),
      settings_(settings),
      spins_(system.spins()),
      interacting_(settings.functional != "none"),
      fields_(system.grid, laplacian_of(system, settings), settings.functional, settings.implementation, spins_, has_core(system)) {
  for (int spin = 0; spin < spins_; ++spin) occupations_.push_back(occupations(system, spin));
  set_ions();
  for (int spin = 0; spin < spins_; ++spin)
    for (const KPoint& k : system.k_points)
      points_.push_back({k, spin, std::make_unique<Hamiltonian<T>>(system.grid, k.k, out_.nonlocal, system.kinetic), nullptr});
}

// Orbitals of a spin up to its last occupied one; with none, its lowest.
template <class T> int Solver<T>::occupied(int spin) const {
  const std::vector<double>& f = occupations_[static_cast<size_t>(spin)];
  int count = static_cast<int>(f.size());
  while (count > 1 && f[static_cast<size_t>(count) - 1] == 0) --count;
  return count;
}

template <class T> double Solver<T>::lowest_empty() const {
  double lowest = INFINITY;
  for (const Point& point : points_) {
    const std::vector<double>& f = occupations_[static_cast<size_t>(point.spin)];
    const bool none = std::all_of(f.begin(), f.end(), [](double x) { return x == 0; });
    lowest = std::min(lowest, point.eigen->eigenvalues()[none ? 0 : static_cast<size_t>(occupied(point.spin))]);
  }
  return lowest;
}

template <class T> int Solver<T>::function_count() const { return functions_of(settings_, static_cast<int>(occupations_.front().size())); }

// Begins a result with what the ions alone decide.
template <class T> void Solver<T>::set_ions() {
  out_ = GroundState{};
  ions_ = ion_energy(system_);
  out_.vloc = local_potential(system_);
  fields_.set_core(core_density(system_));
  out_.nonlocal = nonlocal_potential(system_);
  out_.spins = spins_;
  out_.bands = static_cast<int>(occupations_.front().size());
  out_.orbitals = out_.bands * static_cast<int64_t>(system_.k_points.size()) * spins_;
}

template <class T> void Solver<T>::move(const std::vector<Vec3>& positions, std::vector<double> density) {
  for (size_t i = 0; i < positions.size(); ++i) system_.atoms[i].position = positions[i];
  check(system_);
  set_ions();
  for (Point& point : points_) point.h->set_nonlocal(out_.nonlocal);
  rho_ = std::move(density);
  set_potential();
  for (Point& point : points_) point.eigen->hamiltonian_changed();
}

template <class T> std::vector<double> Solver<T>::functions() const {
  std::vector<double> all;
  for (const Point& point : points_) {
    const auto& functions = point.eigen->functions();
    const auto* numbers = reinterpret_cast<const double*>(functions.data());
    all.insert(all.end(), numbers, numbers + functions.size() * (sizeof(T) / sizeof(double)));
  }
  return all;
}

template <class T> void Solver<T>::restore(const std::vector<double>& functions) {
  const size_t each = system_.grid.size() * static_cast<size_t>(function_count());
  const size_t numbers = each * (sizeof(T) / sizeof(double));
  if (functions.size() != numbers * points_.size())
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("there are {} numbers of orbitals where this system has {}", functions.size(), numbers * points_.size()));
  const double* from = functions.data();
  for (Point& point : points_) {
    std::vector<T> own(each);
    std::copy_n(from, numbers, reinterpret_cast<double*>(own.data()));
    from += numbers;
    point.eigen = std::make_unique<Eigensolver<T>>(*point.h, own, function_count(), occupied(point.spin));
    point.eigen->set_functions(std::move(own));
  }
}

// Sets the potential of the density rho_.
template <class T> void Solver<T>::set_potential() {
  fields_.update(rho_);
  const size_t points = out_.vloc.size();
  std::vector<double> v = fields_.vxc();
  for (size_t i = 0; i < v.size(); ++i) v[i] += out_.vloc[i % points] + fields_.hartree()[i % points];
  double rise = 0;
  if (!v_.empty())
    for (size_t i = 0; i < v.size(); ++i) rise = std::max(rise, v[i] - v_[i]);
  v_ = std::move(v);
  for (Point& point : points_) {
    const auto first = v_.begin() + static_cast<int64_t>(points) * point.spin;
    point.h->set_potential({first, first + static_cast<int64_t>(points)});
    if (point.eigen) point.eigen->potential_changed(rise);
  }
}

// Iterates the guess to orbitals good enough for a density.
template <class T> void Solver<T>::start() {
  const int count = function_count();
  if (static_cast<size_t>(count) > system_.grid.size() / 2)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("a grid of {} points is too small for {} orbitals", system_.grid.size(), count));
  for (Point& point : points_) {
    point.eigen = std::make_unique<Eigensolver<T>>(*point.h, guess_orbitals<T>(system_, point.k.k, count, settings_.seed), count,
                                                   occupied(point.spin));
    for (int pass = 0; pass < 8 && !(point.eigen->residual() < 0.03); ++pass) point.eigen->iterate(0.1);
  }
}

template <class T> std::vector<double> Solver<T>::density() const {
  const size_t size = system_.grid.size();
  std::vector<double> rho(size * static_cast<size_t>(spins_), 0.0);
  for (const Point& point : points_)
    for (int n = 0; n < out_.bands; ++n) {
      const double f = occupation(point, n) * point.k.weight;
      const T* psi = point.eigen->orbital(n);
      double* const of_spin = &rho[size * static_cast<size_t>(point.spin)];
#pragma omp parallel for schedule(static)
      for (size_t i = 0; i < size; ++i) of_spin[i] += f * std::norm(psi[i]);
    }
  return total_of_spins(rho, spins_);
}

template <class T> double Solver<T>::residual() const {
  double largest = 0;
  for (const Point& point : points_) largest = std::max(largest, point.eigen->residual());
  return largest;
}

// Harris, Phys. Rev. B 31, 1770 (1985): the error is quadratic in the density's error.
template <class T> double Solver<T>::harris_energy() const {
  double energy = ions_;
  for (const Point& point : points_)
    for (int n = 0; n < out_.bands; ++n) energy += occupation(point, n) * point.k.weight * point.eigen->eigenvalues()[n];
  if (!interacting_) return energy;
  return energy - fields_.hartree_energy() - fields_.vxc_energy() + fields_.xc_energy();
}

template <class T> std::vector<Vec3> Solver<T>::forces(const std::vector<double>& rho) const {
  std::vector<Vec3> sum = ion_forces(system_);
  add_forces(sum, local_forces(system_, {rho.begin(), rho.begin() + static_cast<int64_t>(system_.grid.size())}));
  add_forces(sum, nonlocal_forces(system_, out_.nonlocal, out_.f, out_.k, {}, out_.psi.data()));
  add_forces(sum, core_forces(system_, fields_.vxc()));
  return sum;
}

template <class T> bool Solver<T>::converged(const std::vector<double>& rho) {
  if (!(settings_.force_tolerance > 0))
    return out_.density_error <= settings_.density_tolerance && out_.residual_Ha <= settings_.residual_tolerance;
  keep_orbitals();
  const std::vector<Vec3> before = std::exchange(out_.forces, forces(rho));
  if (before.empty()) return false;
  out_.force_change = 0;
  for (size_t i = 0; i < before.size(); ++i)
    for (size_t d = 0; d < 3; ++d) out_.force_change = std::max(out_.force_change, std::abs(out_.forces[i][d] - before[i][d]));
  return out_.force_change <= settings_.force_tolerance;
}

template <class T> void Solver<T>::keep_orbitals() {
  const Grid& grid = system_.grid;
  const auto norb = static_cast<size_t>(out_.orbitals);
  out_.psi.resize(norb * grid.size());
  out_.k.resize(3 * norb);
  out_.f.clear();
  out_.eigenvalues_Ha.clear();
  for (size_t p = 0; p < points_.size(); ++p) {
    const Vec3& k = points_[p].k.k;
    for (int n = 0; n < out_.bands; ++n) {
      const size_t orbital = n + out_.bands * p;
      out_.f.push_back(occupation(points_[p], n) * points_[p].k.weight);
      out_.eigenvalues_Ha.push_back(points_[p].eigen->eigenvalues()[n]);
      std::copy_n(k.begin(), 3, out_.k.begin() + 3 * orbital);
      const T* psi = points_[p].eigen->orbital(n);
#pragma omp parallel for schedule(static)
      for (int ix = 0; ix < grid.points[0]; ++ix)
        for (int iy = 0; iy < grid.points[1]; ++iy)
          for (int iz = 0; iz < grid.points[2]; ++iz) {
            const double angle = k[0] * grid.coordinate(0, ix) + k[1] * grid.coordinate(1, iy) + k[2] * grid.coordinate(2, iz);
            const size_t at = grid.index(ix, iy, iz);
            out_.psi[orbital + norb * at] = psi[at] * std::polar(1.0, -angle);
          }
    }
  }
}

template <class T> void Solver<T>::keep_energies() {
  out_.rho = density();
  fields_.update(out_.rho);
  out_.magnetisation.assign(out_.rho.begin() + static_cast<int64_t>(system_.grid.size()), out_.rho.end());
  out_.rho.resize(system_.grid.size());
  out_.vH.assign(fields_.hartree().begin(), fields_.hartree().begin() + static_cast<int64_t>(out_.rho.size()));
  out_.vxc = fields_.vxc();
  GroundStateEnergies& e = out_.energies;
  e = {};
  for (const Point& point : points_)
    for (int n = 0; n < out_.bands; ++n) {
      const double f = occupation(point, n) * point.k.weight;
      e.kinetic += f * point.h->kinetic(point.eigen->orbital(n));
      e.nonlocal += f * point.h->nonlocal(point.eigen->orbital(n));
    }
  e.local = system_.grid.point_volume() * sum_of_products(out_.vloc.data(), out_.rho.data(), out_.rho.size());
  e.hartree = fields_.hartree_energy();
  e.xc = fields_.xc_energy();
  e.ions = ions_;
  out_.forces = forces(out_.rho);
}

template <class T> GroundState Solver<T>::solve(const std::function<void(const GroundStateIteration&)>& report) {
  Mixer mixer(system_.grid, settings_.mixing, settings_.history, kerker_of(system_, settings_));
  if (rho_.empty()) {
    rho_ = guess_density(system_);
    // Everywhere the same part of the electrons is unpaired.
    for (size_t i = 0; spins_ == 2 && i < system_.grid.size(); ++i) rho_.push_back(rho_[i] * system_.unpaired / system_.electrons);
    set_potential();
    start();
  }
  for (int iteration = 1; iteration <= settings_.max_iterations; ++iteration) {
    for (Point& point : points_) point.eigen->iterate(0.1);
    const std::vector<double> rho = density();
    out_.density_error = 0;
    if (interacting_)
      for (size_t i = 0; i < rho.size(); ++i)
        out_.density_error += std::abs(rho[i] - rho_[i]) * system_.grid.point_volume() / system_.electrons;
    out_.residual_Ha = residual();
    out_.iterations = iteration;
    if (report) report({iteration, harris_energy(), out_.density_error, out_.residual_Ha});
    out_.converged = converged(rho);
    if (out_.converged || iteration == settings_.max_iterations) break;
    if (!interacting_) continue;
    rho_ = mixer.next(rho_, rho);
    set_potential();
  }
  out_.lowest_empty_Ha = lowest_empty();
  keep_orbitals();
  keep_energies();
  for (const Point& point : points_) out_.hamiltonians += point.h->applications();
  out_.kernel_seconds = fields_.seconds();
  return std::move(out_);
}

}  // namespace

void add_minus_k(const System& system, GroundState& g) {
  const auto bands = static_cast<size_t>(g.bands), before = static_cast<size_t>(g.orbitals);
  const auto of_spin = static_cast<size_t>(g.orbitals_of_spin());
  struct From {
    size_t n;
    bool minus;  // the orbital of -k
  };
  std::vector<From> order;  // of each spin: its orbitals, then those of -k
  for (size_t first = 0; first < before; first += of_spin) {
    for (size_t n = first; n < first + of_spin; ++n) order.push_back({n, false});
    for (size_t n = first; n < first + of_spin; ++n)
      if (system.k_points[(n - first) / bands].with_minus) order.push_back({n, true});
  }
  if (order.size() == before) return;
  const std::vector<double> f = std::exchange(g.f, {}), eigenvalues = std::exchange(g.eigenvalues_Ha, {}), k = std::exchange(g.k, {});
  const std::vector<std::complex<double>> psi = std::exchange(g.psi, {});
  for (const auto& [n, minus] : order) {
    const bool joined = system.k_points[n % of_spin / bands].with_minus;
    g.f.push_back(f[n] / (joined ? 2 : 1));
    g.eigenvalues_Ha.push_back(eigenvalues[n]);
    for (size_t d = 0; d < 3; ++d) g.k.push_back(minus ? -k[3 * n + d] : k[3 * n + d]);
  }
  const size_t after = order.size(), points = psi.size() / before;
  g.psi.assign(after * points, 0.0);
#pragma omp parallel for schedule(static)
  for (size_t p = 0; p < points; ++p)
    for (size_t i = 0; i < after; ++i) {
      const std::complex<double>& from = psi[before * p + order[i].n];
      g.psi[after * p + i] = order[i].minus ? std::conj(from) : from;
    }
  g.orbitals = static_cast<int64_t>(after);
}

std::unique_ptr<GroundStateSolver> make_solver(const System& system, const GroundStateSettings& settings) {
  check(system);
  const bool real = std::all_of(system.k_points.begin(), system.k_points.end(), [](const KPoint& point) { return point.k == Vec3{}; });
  if (real) return std::make_unique<Solver<double>>(system, settings);
  return std::make_unique<Solver<std::complex<double>>>(system, settings);
}

GroundState solve_ground_state(const System& system, const GroundStateSettings& settings,
                               const std::function<void(const GroundStateIteration&)>& report) {
  return make_solver(system, settings)->solve(report);
}

}  // namespace suite::tddft
