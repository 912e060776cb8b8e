// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of ln psi and of the local energy with respect to the free parameters of the Jastrow factor, at the walkers' positions.
#pragma once

#include <memory>
#include <vector>

#include "local_energies.hpp"
#include "walkers.hpp"

namespace suite::vmc {

class Derivatives {
public:
  // The free parameters are those of parameters(jastrow, free).
  Derivatives(const System& system, const Jastrow& jastrow, const Free& free, const Implementation& implementation, const Device& device);
  ~Derivatives();
  Eigen::Index parameters() const;
  // Adds one configuration per walker, in their order.
  void collect(Walkers& walkers, LocalEnergies& into);
  // Adds rows to those of the same kernels.
  void add_records(std::vector<app::Row>& records) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace suite::vmc
