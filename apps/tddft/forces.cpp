// SPDX-License-Identifier: BSD-3-Clause
#include "forces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace suite::tddft {
namespace {

// Bloch vectors that occur among the orbitals, and that of each orbital.
struct BlochVectors {
  std::vector<Vec3> vectors;
  std::vector<size_t> of_orbital;
  explicit BlochVectors(const std::vector<double>& k) {
    for (size_t n = 0; n < k.size(); n += 3) {
      const Vec3 own{k[n], k[n + 1], k[n + 2]};
      const auto found = std::find(vectors.begin(), vectors.end(), own);
      of_orbital.push_back(static_cast<size_t>(found - vectors.begin()));
      if (found == vectors.end()) vectors.push_back(own);
    }
  }
};

// Overlaps of all orbitals with one atom's projectors and their three gradients: real and imaginary parts (orbitals), for each of
// them.
class Projections {
public:
  Projections(size_t projectors, size_t orbitals) : orbitals_(orbitals), values_(8 * projectors * orbitals, 0.0) {}
  double* real(size_t j, size_t which) { return &values_[(2 * (4 * j + which)) * orbitals_]; }
  double* imaginary(size_t j, size_t which) { return real(j, which) + orbitals_; }

private:
  size_t orbitals_;
  std::vector<double> values_;
};

template <class R> class AtomSphere {
public:
  AtomSphere(const Nonlocal& nonlocal, const std::vector<double>& gradients, int64_t a, const BlochVectors& bloch, const Vec3& A,
             const std::complex<R>* psi)
      : v_(nonlocal), gradients_(gradients), a_(a), bloch_(bloch), A_(A), psi_(psi), orbitals_(bloch.of_orbital.size()) {}

  // -2 Re sum f D c_i* <d beta_j/dR|psi>, d beta/dR = -grad beta, with the grid's weight in both overlaps.
  Vec3 force(const std::vector<double>& f, double volume) const {
    const auto projectors = static_cast<size_t>(v_.nproj);
    Projections sums(projectors, orbitals_);
    add_points(sums);
    Vec3 force{};
    for (size_t i = 0; i < projectors; ++i)
      for (size_t j = 0; j < projectors; ++j) {
        const double D = v_.dnl[i + projectors * (j + projectors * static_cast<size_t>(a_))];
        if (D == 0) continue;
        for (size_t d = 0; d < 3; ++d) {
          double product = 0;
          for (size_t n = 0; n < orbitals_; ++n)
            product += f[n] * (sums.real(i, 0)[n] * sums.real(j, d + 1)[n] + sums.imaginary(i, 0)[n] * sums.imaginary(j, d + 1)[n]);
          force[d] += 2 * D * product * volume * volume;
        }
      }
    return force;
  }

private:
  void add_points(Projections& sums) const {
    std::vector<double> re(orbitals_), im(orbitals_);
    std::vector<std::complex<double>> phases(bloch_.vectors.size());
    for (int64_t s = 0; s < v_.nsphere; ++s) {
      const int32_t point = v_.nlpoint[s + v_.nsphere * a_];
      if (point == 0) break;
      const double* r = &v_.nldisp[3 * (s + v_.nsphere * a_)];
      for (size_t b = 0; b < phases.size(); ++b) {
        double angle = 0;
        for (size_t d = 0; d < 3; ++d) angle += (A_[d] + bloch_.vectors[b][d]) * r[d];
        phases[b] = angle == 0 ? 1.0 : std::polar(1.0, angle);
      }
      const std::complex<R>* row = psi_ + static_cast<size_t>(point - 1) * orbitals_;
      for (size_t n = 0; n < orbitals_; ++n) {
        const std::complex<double>& phase = phases[bloch_.of_orbital[n]];
        re[n] = phase.real() * row[n].real() - phase.imag() * row[n].imag();
        im[n] = phase.real() * row[n].imag() + phase.imag() * row[n].real();
      }
      for (int64_t j = 0; j < v_.nproj; ++j)
        for (int64_t which = 0; which < 4; ++which) {
          const double weight = which == 0 ? v_.beta[s + v_.nsphere * (j + v_.nproj * a_)]
                                           : gradients_[s + v_.nsphere * (j + v_.nproj * (which - 1 + 3 * a_))];
          if (weight == 0) continue;
          double* real = sums.real(static_cast<size_t>(j), static_cast<size_t>(which));
          double* imaginary = sums.imaginary(static_cast<size_t>(j), static_cast<size_t>(which));
          for (size_t n = 0; n < orbitals_; ++n) real[n] += weight * re[n], imaginary[n] += weight * im[n];
        }
    }
  }

  const Nonlocal& v_;
  const std::vector<double>& gradients_;
  int64_t a_;
  const BlochVectors& bloch_;
  const Vec3& A_;
  const std::complex<R>* psi_;
  size_t orbitals_;
};

}  // namespace

template <class R>
std::vector<Vec3> nonlocal_forces(const System& system, const Nonlocal& nonlocal, const std::vector<double>& f,
                                  const std::vector<double>& k, const Vec3& A, const std::complex<R>* psi) {
  std::vector<Vec3> forces(system.atoms.size(), Vec3{});
  if (nonlocal.empty()) return forces;
  const std::vector<double> gradients = projector_gradients(system, nonlocal);
  const std::vector<size_t> atoms = nonlocal_atoms(system);
  const BlochVectors bloch(k);
#pragma omp parallel for schedule(dynamic)
  for (int64_t a = 0; a < nonlocal.natom; ++a)
    forces[atoms[static_cast<size_t>(a)]] = AtomSphere<R>(nonlocal, gradients, a, bloch, A, psi).force(f, system.grid.point_volume());
  return forces;
}

template std::vector<Vec3> nonlocal_forces(const System&, const Nonlocal&, const std::vector<double>&, const std::vector<double>&,
                                           const Vec3&, const std::complex<double>*);
template std::vector<Vec3> nonlocal_forces(const System&, const Nonlocal&, const std::vector<double>&, const std::vector<double>&,
                                           const Vec3&, const std::complex<float>*);

void add_forces(std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t d = 0; d < 3; ++d) a[i][d] += b[i][d];
}

Vec3 total_force(const std::vector<Vec3>& forces) {
  Vec3 total{};
  for (const Vec3& force : forces)
    for (size_t d = 0; d < 3; ++d) total[d] += force[d];
  return total;
}

}  // namespace suite::tddft
