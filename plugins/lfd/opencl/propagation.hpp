// SPDX-License-Identifier: BSD-3-Clause
// lfd.propagate on the device: psi stays there for all steps, and the host only starts kernels.
#pragma once

#include "../splitting.hpp"
#include "field.hpp"
#include "lines.hpp"
#include "spheres.hpp"

namespace suite::lfd::cl {

// The variants, in the order of ../steps.hpp, without scratch_free and complex_1d, which offloaded holds.
enum class Variant { original, specialised, reordered, offloaded, field_sync, field_async, best };

// The phase size e^{i (factor v + slope.r + constant)}.
struct Phase {
  double factor = 0, slope[3] = {0, 0, 0}, constant = 0, size = 1;
  bool operator==(const Phase&) const = default;
};

class Propagation {
public:
  Propagation(const suite_backend* backend, suite_queue* queue, const Choices& choices, Variant variant, Knobs knobs);
  void prepare(const suite_array* arguments);
  void execute(const suite_array* arguments);

private:
  void begin(const Propagate& arguments);
  void step(int64_t step);
  int64_t steps_at_rest(int64_t first);
  void finish();

  void take_orbitals();
  void give_orbitals();
  void set_tables(int64_t step, int slot = 0);
  void set_phase(const Phase& phase, int slot = 0);
  void turn();
  void kinetic();
  void cells();
  template <class... More> void run_cells(const char* name, const opencl::Range& range, bool with_rho, const More&... more);
  void make_density();
  void moments(int64_t step);
  void collect(bool shares, int64_t slot);
  void sum_moments(int64_t count, int64_t first, int64_t last);
  void current(int64_t step);
  void advance_field();
  void make_potential();

  Phase phase_before(int64_t step) const;
  Phase phase_behind(int64_t step) const;
  const double* drive_of(int64_t step) const { return drive_.data() + 3 * step; }
  bool best() const { return variant_ == Variant::best; }
  // Orbitals in blocks, as chi; else psi(Norb,Nz,Ny,Nx) in place.
  bool blocks() const { return variant_ <= Variant::specialised || best(); }
  bool one_pass() const { return best() && !choices_.fourier() && engine_.coarse(); }  // a whole step of a block by one work-item
  // The phases at the end of a step and at the beginning of the next are one.
  bool merged() const { return best() && !current_; }
  // A block does several steps without the others, as long as it is in a near cache.
  bool at_rest() const { return one_pass() && merged() && !choices_.potential_moves() && spheres_.empty(); }
  std::string orbital_options() const;
  opencl::Range orbital_range(int64_t pieces) const;
  opencl::Range density_range() const;

  Choices choices_;
  Variant variant_;
  Engine engine_;
  FieldSolver solver_;
  Pseudopotential V_;
  Spheres spheres_;
  Lines lines_;
  Tables tables_, bond_tables_;
  opencl::Scratch blocks_, work_, u_, v_, shares_, moments_, currents_;
  Three h_;

  // Of the call.
  const Propagate* c_ = nullptr;
  Grid grid_;
  double dt_ = 0;
  int64_t nsteps_ = 0;
  std::vector<double> drive_;
  cl_mem psi_ = nullptr, current_ = nullptr;
  bool bloch_ = false;
  double theta_[3] = {0, 0, 0};
  TangentStep kinetic_;
  Phase phase_;
  bool phase_known_ = false;
};

}  // namespace suite::lfd::cl
