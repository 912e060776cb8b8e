// SPDX-License-Identifier: BSD-3-Clause
// The potential energy of a crystal: Coulomb energies by Ewald sums over electrons and nuclei (kernel qmc.ewald), and the local parts of
// pseudopotentials at all images within their reach.
#pragma once

#include <span>
#include <vector>

#include "measure/timed_kernel.hpp"
#include "molecule/pseudopotential.hpp"
#include "system.hpp"
#include "walkers.hpp"

namespace suite::vmc {

class PeriodicPotential {
public:
  PeriodicPotential(const System& system, const Pseudopotentials& potentials, const Implementation& how, const Device& device);

  // Of walkers rele(3,netot,n). Electrons and nuclei each stand before a neutralising background, which cancels in the sum of all three.
  void coulomb(const std::vector<double>& rele, int64_t n);
  double electrons(size_t walker) const { return ee_[walker]; }
  double attraction(size_t walker) const { return all_[walker] - ee_[walker] - nuclei_; }
  double nuclei() const { return nuclei_; }
  // Of an electron whose vector from the closest image of an ion is given.
  double local(size_t ion, const double* vector) const;

  void add_records(std::vector<app::Row>& records) const;

private:
  const System& system_;
  const Pseudopotentials& potentials_;
  app::TimedKernel electrons_, everything_;
  std::vector<double> charge_of_electrons_, charge_, particles_, ee_, all_;
  double nuclei_ = 0;
  std::vector<double> reach_;                 // of each ion's local part
  std::vector<std::vector<double>> images_;  // (3,:) of each ion: lattice vectors by which images may be within reach, from the closest one
};

}  // namespace suite::vmc
