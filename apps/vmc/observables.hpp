// SPDX-License-Identifier: BSD-3-Clause
// Observables besides the energy: pair correlation function, static structure factor and density, with error bars.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run.hpp"
#include "statistics.hpp"

namespace suite::vmc {

// A function of one variable for several kinds of pairs (or axes), with errors.
struct Curve {
  std::string name;  // "total", "uu", "ud", "dd"; "a1", "a2", "a3"
  std::vector<double> value, error;
};
struct Curves {
  std::vector<double> x;
  std::vector<Curve> curves;
};

// Accumulates this process's sums over a block of steps; closing the block adds it to the averages, which are the same on every process and
// for any number of processes.
class Observables {
public:
  Observables(const Settings& settings, const Implementation& implementation, const Share& share, const app::Communicator& world,
              const Device& device);
  ~Observables();

  bool any() const;
  void sample(const Walkers& walkers);
  void close_block();

  Curves pair_correlation() const;  // g(r) at r in bohr: total, uu, ud, dd; up to the inscribed radius
  Curves structure_factor() const;  // S(k) at k in bohr^-1: total, uu, ud, dd
  Curves density() const;  // electrons/bohr^3 along a_1, a_2, a_3, in fractional coordinates

  std::vector<double> state() const;  // of the averages
  void restore(const std::vector<double>& state);
  void add_records(std::vector<app::Row>& records) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace suite::vmc
