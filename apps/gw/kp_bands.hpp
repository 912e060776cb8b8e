// SPDX-License-Identifier: BSD-3-Clause
// Bands between the k points of wavefunction files. Around each known point k0 the Hamiltonian is that of k.p perturbation theory in the states of k0,
//   H(k0 + d) = diag(E) + 2 d.P + |d|^2,   P_mn = <m| k0 + G |n>   (Ry, bohr^-1),
// without the commutator of r and the nonlocal potential, whose effect is odd in d and mostly cancels between points on either side. A k between
// several points takes the mean of their energies with the weights of Franke and Little, ((R - l)/(R l))^4, l the distance and R that of the first
// point left out (Shepard's method): a known point keeps its energies. Corrections follow the wavefunctions: state n at k has the mean of the corrections
// of k0 weighted with |<m k0|n k>|^2, m on the same side of the gap (as inteqp of BerkeleyGW has it; Rohlfing and Louie, Phys. Rev. B 62, 4927);
// between points their weights have exponent 2, which is smoother. So crossings of bands stay crossings, which interpolation of each band by itself (star
// functions, splines) rounds off.
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "symmetry.hpp"
#include "wavefunctions.hpp"

namespace suite::gw {

// Energies of some bands of one spin at one k, eV. Quasiparticle energies ascend among the valence and among the conduction bands, or, where bands are partly
// filled, among all; a correction is what the n-th of them has more than the n-th of the mean field.
struct LevelsAtK {
  std::vector<double> mean_field, correction;
  double quasiparticle(size_t band) const { return mean_field[band] + correction[band]; }
};

// Bands of one spin.
class KpBands {
public:
  // Of the bands `first` to `end` - 1, from 0; `basis` states at each k0 at most. gap: corrections do not mix across it.
  KpBands(int first, int end, int basis, int spin = 0, bool gap = true) : first_(first), end_(end), basis_(basis), spin_(spin), gap_(gap) {}

  // Corrections of the bands at a k point of the file, eV; points without them tell the mean-field energies only.
  using Corrections = std::vector<std::vector<double>>;
  // All points of a file but those that are equivalent to one already there; how many.
  int add(const Wavefunctions& wavefunctions, const Corrections& corrections);

  // At k; `without`: as if this point (in the order of add) and its images were not known.
  LevelsAtK at(const Vector3& k, std::optional<int> without = {}) const;
  // At many k, which the threads share.
  std::vector<LevelsAtK> at(const std::vector<Vector3>& k) const;

  int bands() const { return end_ - first_; }
  int points() const { return static_cast<int>(points_.size()); }
  const Vector3& point(int i) const { return points_[static_cast<size_t>(i)].k; }
  // What the file says about a point.
  LevelsAtK known(int i) const;
  // Whether k is a point with a correction, or an image of one.
  bool corrected_at(const Vector3& k) const;

private:
  struct Point {
    Vector3 k{};
    int occupied = 0;  // bands below the gap; 0 without one
    std::vector<double> energy;  // eV, of the basis
    std::array<std::vector<std::complex<double>>, 3> p;  // eV, column-major: 2 P by component of d in crystal coordinates
    std::vector<double> correction;  // eV, of the bands; empty: unknown
  };
  struct Image {
    Vector3 at{};
    int point = 0;
    std::array<Miller, 3> back{};  // turns d to the frame of the point
  };
  struct Near {
    double distance = 0;
    size_t image = 0;
    Vector3 d{};
  };
  std::vector<Near> nearest_images(const Vector3& k, bool corrected, std::optional<int> without) const;
  static std::vector<double> shares(const std::vector<Near>& near, int exponent);
  LevelsAtK blend(const std::vector<Near>& near) const;
  LevelsAtK expanded(const Near& near) const;

  int first_, end_, basis_, spin_;
  bool gap_;
  Matrix3 bdot_{};
  std::vector<Point> points_;
  std::vector<Image> images_;
  bool all_corrected_ = true;
};

using LevelsOfSpins = std::vector<LevelsAtK>;  // at one k: of both spins, or of the only one

// Bands of a crystal.
class SpinBands {
public:
  SpinBands(int spins, int first, int end, int basis, bool gap);
  // As of KpBands, with corrections by spin.
  int add(const Wavefunctions& wavefunctions, const std::vector<KpBands::Corrections>& corrections);
  LevelsOfSpins at(const Vector3& k, std::optional<int> without = {}) const;
  std::vector<LevelsOfSpins> at(const std::vector<Vector3>& k) const;
  LevelsOfSpins known(int i) const;
  int points() const { return spins_[0].points(); }
  const Vector3& point(int i) const { return spins_[0].point(i); }
  bool corrected_at(const Vector3& k) const { return spins_[0].corrected_at(k); }

private:
  std::vector<KpBands> spins_;
};

}  // namespace suite::gw
