// SPDX-License-Identifier: BSD-3-Clause
// The walkers of one process on one device: positions and inverse Slater matrices stay there between calls,
// and this class owns the kernels that move them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/app.hpp"
#include "jastrow.hpp"
#include "system.hpp"

namespace suite::vmc {

enum class Move { metropolis, langevin };

// Rows of energies(), as qmc.local_energy has them.
namespace part {
enum : size_t { total, kei, ti, fisq, ewald, count };
}

struct SweepSettings {
  Move move = Move::metropolis;
  double tau = 0;  // hbar/Ha
  double alimit = 0.5;
  int64_t nsweep = 1;
  int64_t first_sweep = 0;  // of the walk; the random numbers depend on it
};

// Which implementation works, as app::Context has it.
struct Implementation {
  std::string name, variant;
  app::Parameters parameters;
};

// rele(3,netot,n) spread over the cell by the walkers' own random numbers.
std::vector<double> scattered(const System& system, int64_t seed, std::span<const int64_t> streams);

class Walkers {
public:
  // capacity: most walkers that it will ever hold; their arrays are allocated here.
  Walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation, int64_t seed, int64_t capacity);
  ~Walkers();

  int64_t size() const;  // walkers alive, the first of the capacity
  int64_t capacity() const;
  const System& system() const;

  // Walkers where they start, scattered(). streams: of each, global numbers.
  void scatter(std::span<const int64_t> streams);
  // Walkers at rele(3,netot,n) with these streams, n = streams.size(); Slater matrices are inverted afresh.
  void place(std::span<const double> rele, std::span<const int64_t> streams);
  // All that a walker is, one after the other: where its electrons are, and its inverse matrices.
  // place_whole() goes on from it to the last bit; every walker has whole_size() numbers.
  std::vector<double> whole() const;
  void place_whole(std::span<const double> walkers, std::span<const int64_t> streams);
  size_t whole_size() const;
  // After branch() or at any time between sweeps: walkers beyond n are forgotten, or slots up to n become
  // alive (fill them with branch()). streams: of all n, afterwards.
  void resize(std::span<const int64_t> streams);

  void sweep(const SweepSettings& settings);
  const std::vector<int32_t>& accepted() const;  // accepted(n) moves of the last sweep()
  const std::vector<double>& diffusion() const;  // diffusion(2,n) of the last sweep(): sums of tau g^2, accepted and all

  // energies(5,n): rows part::...; where they are. velocities: also grad ln|psi|, velocities()(3,netot,n).
  const std::vector<double>& energies(bool velocities = false);
  const std::vector<double>& velocities() const;

  // Slater matrices inverted afresh. Returns how wrong they had become: the largest |D(r)/D - 1| of an
  // electron that did not move, 0 right after place(). A checkpoint is made here: place() with these
  // positions goes on to the last bit.
  double reinvert();
  // Slot w of the first from.size() gets what slot from[w] (from 1) has; carry(ncarry,nslot) goes with it on
  // the host. size() does not change.
  void branch(std::span<const int32_t> from, std::vector<double>* carry = nullptr);

  std::vector<double> positions() const;  // rele(3,netot,n)
  // Other parameters of the same forms and sizes.
  void set_jastrow(const Jastrow& jastrow);

  const Device& device() const;
  suite_array positions_array() const;  // rele(3,netot,n) on the device, for a kernel of one's own
  // Rows of result.json of the kernels that have run.
  void add_records(std::vector<app::Row>& records) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace suite::vmc
