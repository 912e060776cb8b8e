// SPDX-License-Identifier: BSD-3-Clause
// Propagation of the orbitals: one object holds the share of this process on the device and advances it by calls of lfd.propagate.
//
// Processes share the orbitals of all k. With several, every step is one call with a frozen potential, so that only densities are summed
// between them; the change of the potential over the step is applied at its end, where the splitting has a separate factor for it:
// psi *= exp(-i (v(t + dt) - v(t)) dt/2). A deterministic run does the same on one process, and its orbitals are divided into groups
// (WorkUnits) that depend on their number only. So does a run whose exchange and correlation the kernels do not have (GridXc): functionals
// of the gradient, and two spins, whose orbitals then are in calls of their own. So does one with an absorber, whose factor is multiplied with
// that phase (docs/decisions/0026).
#pragma once

#include <memory>

#include "hdf5/hdf5.hpp"
#include "ground_state.hpp"
#include "settings.hpp"
#include "time_series.hpp"

namespace suite::tddft {

// What a checkpoint keeps of a calculation under way.
class Saved {
public:
  virtual ~Saved() = default;
  // Into the HDF5 group `group`, bit for bit; collective. file: on the root only.
  virtual void save(hdf5::Writer* file, const std::string& group) = 0;
};

class Propagation : public Saved {
public:
  // A run begins with rest(), settle() and start(). rest() sets the orbitals and the field of the ground state.
  virtual void rest(const GroundState& ground_state) = 0;
  // Performs steps [first, first + count) of propagation.settling_steps, without a field. A split step conserves an energy of its own,
  // H + O(dt^2), with a different ground state; while dt grows from 0 the orbitals follow into it.
  virtual void settle(int64_t first, int64_t count) = 0;
  // Applies the kick, if any, along the direction of the run and begins the series with t = 0.
  virtual void start(int run, TimeSeries& series) = 0;
  // Advances the series by `count` steps.
  virtual void advance(TimeSeries& series, int64_t count) = 0;
  // Appends the energies at the end of the series.
  virtual void sample(TimeSeries& series) = 0;
  // Puts the ions of V_loc and V_nl where those of this system are.
  virtual void place(const System& system) = 0;
  // Forces on these ions after `step` steps, without an external electric field; Ha/bohr. Collective, the same on every rank.
  virtual std::vector<Vec3> forces(const System& system, int64_t step) = 0;
  // Density of all processes, bohr^-3.
  virtual std::vector<double> density() = 0;
  // max |<psi|psi> - 1| over all orbitals of all processes; with an absorber, of those that have grown, or 0. Collective.
  virtual double norm_error() = 0;

  // Restores psi(Norb,Nz,Ny,Nx) and vH(Nz,Ny,Nx,2) of all processes, which save() has saved; collective.
  virtual void restore(const hdf5::File& file, const std::string& group, int run) = 0;

  virtual void add_records(std::vector<app::Row>& records) const = 0;
};

// Sum of the strengths of all excitations along x, y and z on this grid: d^2E/dA_d^2 of the orbitals at rest, sum_n f_n <cos(p_d h_d)> plus
// the contribution of V_nl; the number of electrons as h -> 0.
Vec3 sum_rule(const Settings& settings, const GroundState& ground_state, const app::Context& context);

// Uses k, f, vloc and the nonlocal potential of the ground state.
std::unique_ptr<Propagation> make_propagation(const Settings& settings, const GroundState& ground_state, const Vec3& sum_rule,
                                              const app::Context& context);

}  // namespace suite::tddft
