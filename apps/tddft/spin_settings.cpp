// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include <fmt/core.h>

#include "grid_xc.hpp"
#include "settings.hpp"

namespace suite::tddft {
namespace {

// The key that sets the number of electrons.
const char* electrons_key(const app::Input& input, const System& system) {
  if (!system.atoms.empty()) return input.has("system.structure") ? "system.structure" : "system.elements";
  return system.sphere ? "system.jellium.charge" : "system.electrons";
}

bool is_even(double number) { return std::abs(number / 2 - std::round(number / 2)) <= 1e-9; }

}  // namespace

void check_functional(const app::Input& input, const Settings& s) {
  const auto xc = xc_named(s.ground_state.functional);
  if (xc && needs_gradients(*xc) && !app::have_libxc())
    input.fail("system.functional", "'" + s.ground_state.functional +
                                        "' needs libxc, which this build does not have (apt install libxc-dev, then build again); pw92, "
                                        "pz81 and vwn5 do not need it");
}

void check_spins(const app::Input& input, const Settings& s) {
  const System& system = s.system;
  if (!(system.electrons > 0)) return;
  const bool independent = s.ground_state.functional == "none";
  if (system.unpaired == 0) {
    if (!system.occupations_down.empty() && !s.opposite)
      input.fail("system.occupations_down", "'occupations_down' are of spin down, and without 'spin' both spins share the orbitals");
    // Independent electrons are exempt.
    if (system.occupations.empty() && !independent && !is_even(system.electrons))
      input.fail(
          electrons_key(input, system),
          fmt::format("an open shell: the number of electrons, {:g}, is not even; 'spin' is the number of unpaired electrons, such as "
                      "1, 'charge' changes the number of all, and 'occupations' such as [2, 1] give both spins the same orbitals",
                      system.electrons));
    return;
  }
  const char* key = "system.spin";
  if (independent)
    input.fail(key,
               "with 'functional: none' the electrons are independent, and spin changes nothing; remove 'spin', and give 'occupations' "
               "such as [2, 1] if one is unpaired");
  else if (!app::have_libxc())
    input.fail(key, "orbitals of either spin need libxc, which this build does not have (apt install libxc-dev, then build again)");
  else if (system.unpaired > system.electrons)
    input.fail(key, fmt::format("'spin' is {}, and the system has only {:g} electrons", system.unpaired, system.electrons));
  else if (!is_even(system.electrons - system.unpaired))
    input.fail(key, fmt::format("'spin' is {}, and the system has {:g} electrons: both numbers must be even, or both odd", system.unpaired,
                                system.electrons));
}

void check_opposite_spins(const app::Input& input, const Settings& s) {
  if (!s.opposite) return;
  input.needs({"system.functional", "propagation.gauge", "system.boundary"});
  const char* key = "excitation.spins";
  if (s.excitation != Excitation::kick) input.fail(key, "'spins: opposite' applies to 'type: kick'; a laser moves both spins alike");
  else if (s.ground_state.functional == "none")
    input.fail(key, "with 'functional: none' the electrons are independent, and both spins answer alike; remove 'spins'");
  else if (!app::have_libxc())
    input.fail(key, "orbitals of either spin need libxc, which this build does not have (apt install libxc-dev, then build again)");
  else if (s.propagation.velocity_gauge)
    input.fail(key, "'spins: opposite' is for molecules in the length gauge: the answer is the dipole of the magnetisation");
  else if (s.moving()) input.fail(key, "'spins: opposite' applies to ions at rest");
}

}  // namespace suite::tddft
