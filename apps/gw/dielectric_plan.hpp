// SPDX-License-Identifier: BSD-3-Clause
// What is to be computed for eps^-1 from wavefunctions: the files, checked against each other, the q points, and for each of them the k whose
// pairs of bands are summed.
#pragma once

#include "epsilon.hpp"
#include "symmetry.hpp"
#include "truncation.hpp"
#include "wavefunctions.hpp"

namespace suite::gw {

struct DielectricPlan {
  // Reads headers; fails where the files or the settings contradict each other.
  explicit DielectricPlan(const Settings& settings);

  // An operation that keeps q: (reversed ? -1 : 1) rotation q = q + shift.
  struct Keeps {
    int operation = 0;
    bool reversed = false;
    Miller shift{};
  };
  // Pairs (v,k+q; c,k) of one k, which stands for `weight` images of it under the operations that keep q.
  struct Point {
    int k = 0;  // of k_points_of()
    int valence = 0;  // k + q: of valence_points(), ...
    Miller umklapp{};  // ... from which it differs by this G
    int weight = 1;
  };
  struct Q {
    Vector3 at{};  // that of the matrix: small, but not zero, for the first
    bool at_zero = false;  // the first
    std::vector<Miller> g;  // by increasing |q+G|, of the first by |G|
    std::vector<int> numbers;  // the same in gspace
    std::vector<Keeps> little_group;
    std::vector<Point> points;
  };

  Settings settings;
  Wavefunctions wavefunctions, wavefunctions_q0;
  AllImages k_points, k_points_q0;
  int nbands = 0;
  int parts = 2;  // numbers of a matrix element, see Plan::parts
  Miller grid{};  // of q
  std::vector<std::complex<double>> frequencies;  // Ry: 0, then the imaginary ones, then those with a broadening
  size_t on_imaginary_axis = 1;  // of them, the first of which is 0
  // chi is Hermitian there, and eps in its symmetric form positive definite.
  static bool hermitian_at(const std::complex<double>& z) { return z.real() == 0; }
  std::vector<Miller> gspace;  // the file's list of all G
  std::vector<Q> q;

  // v(q+G), Ry bohr^3, not averaged; of one molecule in a box also at q+G = 0.
  std::vector<double> v(const Q& q) const;
  const AllImages& valence_points(bool at_zero) const { return at_zero ? k_points_q0 : k_points; }
  const Wavefunctions& valence(bool at_zero) const { return at_zero ? wavefunctions_q0 : wavefunctions; }
  // Without a gap q0 is a vector of the grid of wavefunctions_q0, which has all bands at k and at k + q0.
  bool pairs_in_q0() const { return settings.screening != ScreeningKind::semiconductor; }
  const AllImages& k_points_of(bool at_zero) const { return at_zero && pairs_in_q0() ? k_points_q0 : k_points; }
  const Wavefunctions& wavefunctions_of(bool at_zero) const { return at_zero && pairs_in_q0() ? wavefunctions_q0 : wavefunctions; }
  // Pairs join one of the first `occupied` bands at k + q with one beyond the first `full` at k.
  int occupied(bool at_zero, int spin) const { return valence(at_zero).occupied(spin); }
  int full(bool at_zero, int spin) const { return std::min(wavefunctions_of(at_zero).full(spin), valence(at_zero).full(spin)); }
  // Of a q, over all points and both spins.
  int64_t pairs(const Q& q) const;
  double fermi() const;  // Ry
  double cutoff() const { return settings.epsilon.cutoff_Ry; }
  int largest() const;
  // That of any q on the grid of k points, not only of those in the list; at_zero: of a small one.
  Q make_q(const Vector3& at, bool at_zero) const;
  // The inverse matrices without their elements: what the self-energy's plan needs to know of them.
  InverseDielectric header() const;

private:
  std::optional<TruncatedCoulomb> truncated_;  // none: v of the whole space
  void check_files() const;
  void check_bands() const;
  void check_small_q(const Vector3& q0) const;
  void find_points(Q& q) const;
};

}  // namespace suite::gw
