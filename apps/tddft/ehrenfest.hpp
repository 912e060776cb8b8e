// SPDX-License-Identifier: BSD-3-Clause
// Ions under the force of electrons that follow their own equation of motion (Ehrenfest): one step of the ions is some steps of the
// electrons with the ions where they are after half of it.
#pragma once

#include "ions.hpp"
#include "propagation.hpp"

namespace suite::tddft {

class Ehrenfest final : public Driver {
public:
  // series: of the electrons, which advance() continues.
  Ehrenfest(const Settings& settings, Propagation& propagation, TimeSeries& series)
      : settings_(settings), propagation_(propagation), series_(series) {}

  // After propagation.start(): forces at t = 0, and the momentum that a kick of the electrons gives to the ions.
  void start(IonState& ions);
  // After propagation.restore().
  void restore(const IonState& ions) { propagation_.place(moved(settings_.system, ions.positions)); }

  void advance(IonState& ions, const Positions& middle, const Positions& end) override;
  Vec3 field(const IonState& ions) const override;

private:
  void set_forces(IonState& ions);

  const Settings& settings_;
  Propagation& propagation_;
  TimeSeries& series_;
};

}  // namespace suite::tddft
