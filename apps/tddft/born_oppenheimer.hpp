// SPDX-License-Identifier: BSD-3-Clause
// Ions on the potential surface of the electrons' ground state.
#pragma once

#include "base/app.hpp"
#include "checkpoint.hpp"
#include "ground_state.hpp"
#include "ions.hpp"

namespace suite::tddft {

// At every step the ground state begins with the orbitals of the last one and the density 2 rho(t) - rho(t - dt), both taken relative to
// densities of atoms that move along, and is iterated until no force changes by more than ions.force_tolerance. The root computes it.
class BornOppenheimer final : public Driver, public Saved {
public:
  // solver: of the ground state of the input, which has been solved or is restored; on the root only.
  BornOppenheimer(const Settings& settings, app::Context& context, std::unique_ptr<GroundStateSolver> solver);

  // The ground state of the input: sets forces and energy.
  void start(IonState& ions, const GroundState& ground_state);
  void advance(IonState& ions, const Positions& middle, const Positions& end) override;

  void save(hdf5::Writer* file, const std::string& group) override;
  void restore(const hdf5::File& file, const std::string& group);

  int64_t iterations() const { return iterations_; }
  const std::vector<double>& density() const { return rho_; }

private:
  void set(IonState& ions, const GroundState& ground_state);

  const Settings& settings_;
  app::Context& context_;
  std::unique_ptr<GroundStateSolver> solver_;
  System system_;
  // rho; what it has beyond atomic densities, now and a step before, each followed by the magnetisation. On the root only.
  std::vector<double> rho_, beyond_atoms_, beyond_atoms_before_;
  int64_t iterations_ = 0;
};

}  // namespace suite::tddft
