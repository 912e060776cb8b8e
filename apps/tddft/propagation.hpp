// SPDX-License-Identifier: BSD-3-Clause
// The orbitals on their way: one object holds the share of this process, on the device of the kernels, and
// moves it by calls of lfd.propagate.
//
// Processes share the orbitals of all k. With several, every step is one call with the potential frozen, so
// that only densities are summed between them; the potential's change over the step is made good at its end,
// where the splitting has a factor of its own for it: psi *= exp(-i (v(t + dt) - v(t)) dt/2). A deterministic
// run does so on one process too, and its orbitals are cut into groups (WorkUnits) that depend on their
// number alone.
#pragma once

#include <memory>

#include "hdf5/hdf5.hpp"
#include "ground_state.hpp"
#include "settings.hpp"
#include "time_series.hpp"

namespace suite::tddft {

class Propagation {
public:
  virtual ~Propagation() = default;

  // A run begins with these three: the orbitals and the field of the ground state;
  virtual void rest(const GroundState& ground_state) = 0;
  // steps [first, first + count) of propagation.settling_steps, without a field. A split step keeps an energy
  // of its own, H + O(dt^2), whose ground state is another; while dt grows from 0 the orbitals follow into
  // it.
  virtual void settle(int64_t first, int64_t count) = 0;
  // the kick, where there is one, along the direction of the run. The series begins with t = 0.
  virtual void start(int run, TimeSeries& series) = 0;
  // The next `count` steps of the series.
  virtual void advance(TimeSeries& series, int64_t count) = 0;
  // Energies now, at the end of the series.
  virtual void sample(TimeSeries& series) = 0;
  // Of all processes, 1/bohr^3.
  virtual std::vector<double> density() = 0;
  // Now, of all orbitals of all processes: the largest |<psi|psi> - 1|. Collective.
  virtual double norm_error() = 0;

  // psi(Norb,Nz,Ny,Nx) and vH(Nz,Ny,Nx,2) of all processes below `group`; collective. Bit for bit what was
  // there.
  virtual void save(hdf5::Writer* file, const std::string& group) = 0;  // file: on the root only
  virtual void restore(const hdf5::File& file, const std::string& group, int run) = 0;

  virtual void add_records(std::vector<app::Row>& records) const = 0;
};

// What the strengths of all excitations along x, y and z add up to on this grid: d^2E/dA_d^2 of the orbitals
// at rest, sum_n f_n <cos(p_d h_d)> and the part of V_nl; the number of electrons as h -> 0.
Vec3 sum_rule(const Settings& settings, const GroundState& ground_state, const app::Context& context);

// Of the ground state are taken k, f, vloc and the nonlocal potential.
std::unique_ptr<Propagation> make_propagation(const Settings& settings, const GroundState& ground_state, const Vec3& sum_rule,
                                              const app::Context& context);

}  // namespace suite::tddft
