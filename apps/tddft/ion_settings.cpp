// SPDX-License-Identifier: BSD-3-Clause
// The section ions of an input.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "common/quantities.hpp"
#include "settings.hpp"

namespace suite::tddft {

using app::counted;

namespace {

constexpr double ground_state_step_fs = 0.5, ehrenfest_step_fs = 0.02;

void read_velocities(const app::Input& input, Settings& s) {
  const auto rows = input.points("ions.velocities");
  if (rows.empty()) return;
  if (s.ions.temperature > 0) input.fail("ions.velocities", "'velocities' and 'temperature' exclude each other; give one of them");
  if (rows.size() != s.system.atoms.size())
    return input.fail("ions.velocities", fmt::format("'velocities' has {} but the system has {}", counted(rows.size(), "row"),
                                                     counted(s.system.atoms.size(), "atom")));
  for (const auto& row : rows) {
    if (!input.need_three("ions.velocities", row.size())) return;
    Vec3 v;
    for (size_t d = 0; d < 3; ++d) v[d] = row[d] / bohr_angstrom * atomic_time_fs;
    s.ions.velocities.push_back(v);
  }
}

void read_start(const app::Input& input, Settings& s) {
  input.needs({"ions.temperature"});
  s.ions.seed = static_cast<uint64_t>(input.integer("ions.seed"));
  if (input.has("ions.seed") && !(s.ions.temperature > 0))
    input.fail("ions.seed", "'seed' is that of random velocities, which a 'temperature' asks for");
  read_velocities(input, s);
}

void read_masses(const app::Input& input, Settings& s) {
  input.needs({"ions.masses"});
  if (!s.ions.masses.empty() && s.ions.masses.size() != s.system.atoms.size())
    input.fail("ions.masses", fmt::format("'masses' has {} but the system has {}", counted(s.ions.masses.size(), "number"),
                                          counted(s.system.atoms.size(), "atom")));
  if (!s.ions.masses.empty()) return;
  for (const Atom& atom : s.system.atoms)
    if (standard_mass(atom.element) == 0)
      return input.fail_missing("ions.masses", fmt::format("the element {} has no standard atomic weight", atom.element));
}

void refuse_without_atoms(const app::Input& input, const Settings& s) {
  if (s.system.atoms.empty()) input.fail("ions.dynamics", "there are no ions to move; give 'elements' and 'positions', or a 'structure'");
  for (int d = 0; d < 3; ++d)
    if (s.system.grid.points[d] == 1)
      return input.fail("ions.dynamics", fmt::format("ions move in three directions, and this grid has one point along {}", "xyz"[d]));
}

// The electrons stay in their ground state: nothing excites or propagates them.
void read_ground_state_dynamics(const app::Input& input, Settings& s) {
  for (const char* section : {"propagation", "excitation", "spectrum"})
    input.refuse_section(section, "with 'dynamics: ground_state' the electrons stay in their ground state, so that this does not apply");
  s.excitation = Excitation::none;
  s.propagation.steps = s.propagation.settling_steps = 0;
  s.ions.dt = (input.has("ions.time_step") ? input.time_fs("ions.time_step") : ground_state_step_fs) / atomic_time_fs;
  if (!input.has("ions.duration")) return input.fail_missing("ions.duration", "length of the trajectory");
  const double steps = std::ceil(input.time_fs("ions.duration") / atomic_time_fs / s.ions.dt - 1e-6);
  if (!(steps <= 1e7)) return input.fail("ions.duration", fmt::format("'duration' is {:.3g} time steps; at most 1e7 are possible", steps));
  s.ions.steps = static_cast<int64_t>(std::max(0.0, steps));
}

// A step of the ions is a whole number of those of the electrons, and so is everything that is counted in them.
void read_ehrenfest(const app::Input& input, Settings& s) {
  input.needs({"propagation.time_step", "propagation.duration", "propagation.field", "propagation.interval", "system.functional"});
  input.refuse({"ions.duration", "ions.force_tolerance"},
               "this applies to 'dynamics: ground_state'; with ehrenfest the electrons' 'propagation.duration' is that of the ions too");
  PropagationSettings& p = s.propagation;
  if (s.ground_state.functional != "none" && p.field != "isolated" && p.field != "spectral" && p.field != "continuum")
    input.fail("propagation.field", "'field: " + p.field +
                                        "' is not the field of the electrons at every moment, which moving ions need; "
                                        "leave it to 'auto'");
  if (s.all_directions)
    input.fail("excitation.all_directions", "'all_directions' makes three runs, and moving ions have one trajectory; give a 'direction'");
  const double wished = (input.has("ions.time_step") ? input.time_fs("ions.time_step") : ehrenfest_step_fs) / atomic_time_fs;
  const int64_t n = std::max<int64_t>(1, std::llround(wished / p.dt));
  s.ions.electron_steps = n;
  s.ions.dt = static_cast<double>(n) * p.dt;
  const auto whole = [n](int64_t steps) { return (steps + n - 1) / n * n; };
  p.steps = whole(p.steps);
  p.interval = whole(p.interval);
  s.ions.steps = p.steps / n;
}

}  // namespace

void read_ions(const app::Input& input, Settings& s) {
  input.group([&] {
    input.needs({"ions.dynamics"});
    if (!s.moving()) {
      input.refuse_section("ions", "this applies to ions that move, and 'dynamics' is none", "ions.dynamics");
      return;
    }
    refuse_without_atoms(input, s);
    input.group([&] { read_start(input, s); });
    input.group([&] { read_masses(input, s); });
    if (s.ions.dynamics == Dynamics::ground_state) read_ground_state_dynamics(input, s);
    else read_ehrenfest(input, s);
  });
}

}  // namespace suite::tddft
