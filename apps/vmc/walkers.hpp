// SPDX-License-Identifier: BSD-3-Clause
// The walkers of one process on one device, with the kernels that move them. Two kinds: of the electron gas, whose sweeps are one kernel
// each (gas_walkers.cpp), and of molecules, whose wave function is a list of parts (molecule/molecule_walkers.cpp).
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

// Rows of energies(): first those of qmc.local_energy, whose last is the Coulomb energy of the electrons, in a cell with the background and
// images. The others are of molecules, 0 for the gas.
namespace part {
enum : size_t { total, kei, ti, fisq, ee, en, nn, local, nonlocal, count };
inline constexpr size_t of_gas = ee + 1;
}  // namespace part

struct SweepSettings {
  Move move = Move::metropolis;
  double tau = 0;  // hbar/Ha
  double alimit = 0.5;
  int64_t nsweep = 1;
  int64_t first_sweep = 0;  // number of the first sweep; selects the random numbers
  bool t_moves = false;  // after each sweep the projectors of pseudopotentials move electrons, too
};

// The implementation in use, as in app::Context.
struct Implementation {
  std::string name, variant;
  app::Parameters parameters;
};

class Walkers {
public:
  virtual ~Walkers() = default;

  virtual int64_t size() const = 0;  // number of walkers alive: the first ones of the capacity
  virtual int64_t capacity() const = 0;
  virtual const System& system() const = 0;

  // Places walkers at their initial positions, scattered(). streams: global number of each.
  void scatter(std::span<const int64_t> streams);
  // Places walkers at rele(3,netot,n) with these streams, n = streams.size(), and inverts their Slater matrices.
  virtual void place(std::span<const double> rele, std::span<const int64_t> streams) = 0;
  // Complete state of the walkers, one after the other: electron positions and inverse matrices, whole_size() numbers each. place_whole()
  // continues from it bit for bit.
  virtual std::vector<double> whole() const = 0;
  virtual void place_whole(std::span<const double> walkers, std::span<const int64_t> streams) = 0;
  virtual size_t whole_size() const = 0;
  // Between sweeps: drops walkers beyond n, or activates slots up to n (fill them with branch()). streams: of all n walkers afterwards.
  virtual void resize(std::span<const int64_t> streams) = 0;

  virtual void sweep(const SweepSettings& settings) = 0;
  virtual const std::vector<int32_t>& accepted() const = 0;  // accepted(n) moves of the last sweep()
  virtual const std::vector<double>& diffusion() const = 0;  // diffusion(2,n) of the last sweep(): sums of tau g^2, accepted and all

  // energies(part::count,n), rows part::..., at the current positions. velocities: also computes grad ln|psi|, velocities()(3,netot,n).
  virtual const std::vector<double>& energies(bool velocities = false) = 0;
  virtual const std::vector<double>& velocities() const = 0;

  // Inverts the Slater matrices again. Returns their previous error: the largest |D(r)/D - 1| of an electron that did not move, 0 right
  // after place(). Checkpoints are made here: place() with these positions continues bit for bit.
  virtual double reinvert() = 0;
  // Copies slot from[w] (from 1) to slot w, for the first from.size() slots, together with carry(ncarry,nslot) on the host. size() does not
  // change.
  virtual void branch(std::span<const int32_t> from, std::vector<double>* carry = nullptr) = 0;

  virtual std::vector<double> positions() const = 0;  // rele(3,netot,n)
  // Sets other parameters of the same forms and sizes.
  virtual void set_jastrow(const Jastrow& jastrow) = 0;

  virtual const Device& device() const = 0;
  virtual suite_array positions_array() const = 0;  // rele(3,netot,n), for additional kernels of this device
  // Appends the result.json rows of the kernels that have run.
  virtual void add_records(std::vector<app::Row>& records) const = 0;

protected:
  virtual int64_t seed() const = 0;
};

// Positions rele(3,netot,n) given by the walkers' own random numbers: anywhere in the cell, or around the nuclei.
std::vector<double> scattered(const System& system, int64_t seed, std::span<const int64_t> streams);

// capacity: maximum number of walkers; their arrays are allocated here.
std::unique_ptr<Walkers> make_walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation, int64_t seed,
                                      int64_t capacity);
std::unique_ptr<Walkers> make_gas_walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation, int64_t seed,
                                          int64_t capacity);
std::unique_ptr<Walkers> make_molecule_walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation,
                                               int64_t seed, int64_t capacity);

}  // namespace suite::vmc
