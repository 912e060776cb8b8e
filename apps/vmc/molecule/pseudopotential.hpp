// SPDX-License-Identifier: BSD-3-Clause
// Semi-local pseudopotentials: V(r) = V_loc(r) + sum_l dV_l(r) sum_m |Y_lm><Y_lm| around a nucleus. The projectors act on the wave function
// by quadrature (qmc.pseudopotential): E_NL = sum of the terms weight psi(point)/psi.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <suite/qmc/quadrature.hpp>
#include <suite/qmc/sphere_rule.hpp>
#include <suite/suite.hpp>

#include "measure/timed_kernel.hpp"
#include "molecule.hpp"
#include "part.hpp"

namespace suite::vmc {

class Pseudopotentials {
public:
  explicit Pseudopotentials(const Molecule& molecule);

  // The part without projectors, beyond -Z/r.
  double local(size_t ion, double r) const;
  double local_reach(size_t ion) const;  // where it ends, bohr
  // Where the projectors end, the farthest of all ions.
  double cutoff() const { return cutoff_.empty() ? 0 : *std::max_element(cutoff_.begin(), cutoff_.end()); }
  bool has_projectors() const { return !cutoff_.empty(); }
  // Tables, which the kernel has no room for: whether there are any, and those of an ion at a distance, added to value. Returns the largest
  // l, -1 where the ion has none.
  bool tabulated() const;
  int channels(size_t ion, double r, double (&value)[qmc::l_channels]) const;
  int64_t nset() const { return static_cast<int64_t>(cutoff_.size()); }
  // Must outlive the kernel's use of them.
  void set(Kernel& kernel, const Molecule& molecule) const;

private:
  std::vector<std::vector<PotentialTerm>> local_, tables_;  // of each nucleus; tables_: of projectors
  // The projectors as the kernel takes them, a set for each nucleus that has some.
  std::vector<int32_t> set_of_ion_, term_set_, term_l_, power_;
  std::vector<double> cutoff_, exponent_, coefficient_;
};

// The projectors in the walkers of a process. All calls take their parts, positions rele(3,netot,n) and random-number streams.
class Projectors {
public:
  Projectors(const System& system, const Pseudopotentials& potentials, const Implementation& how, const Device& device, int64_t seed);

  // energy(n) of all electrons. The rule is turned by the random numbers of this sweep.
  void energies(const std::vector<std::unique_ptr<Part>>& parts, const std::vector<double>& rele, std::span<const int64_t> streams,
                int64_t sweep, std::vector<double>& energy);

  // T-moves (Casula, Moroni, Sorella, Filippi, J. Chem. Phys. 132, 154113 (2010)): with v the terms of an electron below 0 it goes to point
  // q with probability -tau v_q/(1 - tau sum v), electron after electron, so that the probabilities of one do not depend on how many
  // others there are. First draw the points of a sweep, then choose for each electron in turn: `to`(3,n), `goes`(n). Returns whether
  // any electron goes.
  void draw(const std::vector<double>& rele, std::span<const int64_t> streams, int64_t sweep);
  bool choose(const std::vector<std::unique_ptr<Part>>& parts, const std::vector<double>& rele, std::span<const int64_t> streams,
              int64_t sweep, int64_t electron, double tau, std::vector<double>& to, std::vector<int32_t>& goes);

  void add_records(std::vector<app::Row>& records) const;

private:
  // Numbers of a walker for each of the electrons of a call.
  size_t of_electron() const { return static_cast<size_t>(npoint_ * mpair_); }
  void set(app::TimedKernel& kernel, const std::vector<double>& rele, int64_t sweep, int64_t nelectron);
  void find_points(const std::vector<double>& rele, std::span<const int64_t> streams, int64_t sweep);
  // Ratios of an electron at its points, into ratio(npoint,mpair,nelectron,n), where it is number `at`. Returns whether it has points.
  bool find_ratios(const std::vector<std::unique_ptr<Part>>& parts, const std::vector<double>& rele, int64_t electron, int64_t nelectron,
                   int64_t at);

  // Weights of the points of an electron around ions with tables: f(walker, place in ratio(npoint,mpair,nelectron,n), weight).
  template <class F> void each_tabulated(const std::vector<double>& rele, int64_t electron, int64_t nelectron, int64_t at, F&& f) const;

  const System& system_;
  const Pseudopotentials& potentials_;
  qmc::SphereRule rule_;
  app::TimedKernel place_, add_, terms_;  // one kernel: points of all electrons; their energies; what a T-move of one may do
  int64_t seed_, npoint_, mpair_, n_ = 0;
  std::vector<int32_t> ion_;  // (mpair,netot,n)
  std::vector<int64_t> streams_;  // of the points
  std::vector<double> weight_, points_, ratio_, energy_, negative_;
  Tried tried_;
};

}  // namespace suite::vmc
