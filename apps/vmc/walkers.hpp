// SPDX-License-Identifier: BSD-3-Clause
// The walkers of one process on one device: positions and inverse Slater matrices stay there between calls, and this class owns the kernels
// that move them.
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

// Rows of energies(), as in qmc.local_energy.
namespace part {
enum : size_t { total, kei, ti, fisq, ewald, count };
}

struct SweepSettings {
  Move move = Move::metropolis;
  double tau = 0;  // hbar/Ha
  double alimit = 0.5;
  int64_t nsweep = 1;
  int64_t first_sweep = 0;  // number of the first sweep; selects the random numbers
};

// The implementation in use, as in app::Context.
struct Implementation {
  std::string name, variant;
  app::Parameters parameters;
};

// Positions rele(3,netot,n) distributed over the cell by the walkers' own random numbers.
std::vector<double> scattered(const System& system, int64_t seed, std::span<const int64_t> streams);

class Walkers {
public:
  // capacity: maximum number of walkers; their arrays are allocated here.
  Walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation, int64_t seed, int64_t capacity);
  ~Walkers();

  int64_t size() const;  // number of walkers alive: the first ones of the capacity
  int64_t capacity() const;
  const System& system() const;

  // Places walkers at their initial positions, scattered(). streams: global number of each.
  void scatter(std::span<const int64_t> streams);
  // Places walkers at rele(3,netot,n) with these streams, n = streams.size(), and inverts their Slater matrices.
  void place(std::span<const double> rele, std::span<const int64_t> streams);
  // Complete state of the walkers, one after the other: electron positions and inverse matrices, whole_size() numbers each. place_whole()
  // continues from it bit for bit.
  std::vector<double> whole() const;
  void place_whole(std::span<const double> walkers, std::span<const int64_t> streams);
  size_t whole_size() const;
  // Between sweeps: drops walkers beyond n, or activates slots up to n (fill them with branch()). streams: of all n walkers afterwards.
  void resize(std::span<const int64_t> streams);

  void sweep(const SweepSettings& settings);
  const std::vector<int32_t>& accepted() const;  // accepted(n) moves of the last sweep()
  const std::vector<double>& diffusion() const;  // diffusion(2,n) of the last sweep(): sums of tau g^2, accepted and all

  // energies(5,n), rows part::..., at the current positions. velocities: also computes grad ln|psi|, velocities()(3,netot,n).
  const std::vector<double>& energies(bool velocities = false);
  const std::vector<double>& velocities() const;

  // Inverts the Slater matrices again. Returns their previous error: the largest |D(r)/D - 1| of an electron that did not move, 0 right
  // after place(). Checkpoints are made here: place() with these positions continues bit for bit.
  double reinvert();
  // Copies slot from[w] (from 1) to slot w, for the first from.size() slots, together with carry(ncarry,nslot) on the host. size() does not
  // change.
  void branch(std::span<const int32_t> from, std::vector<double>* carry = nullptr);

  std::vector<double> positions() const;  // rele(3,netot,n)
  // Sets other parameters of the same forms and sizes.
  void set_jastrow(const Jastrow& jastrow);

  const Device& device() const;
  suite_array positions_array() const;  // rele(3,netot,n) on the device, for additional kernels
  // Appends the result.json rows of the kernels that have run.
  void add_records(std::vector<app::Row>& records) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace suite::vmc
