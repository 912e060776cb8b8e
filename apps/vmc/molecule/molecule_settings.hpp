// SPDX-License-Identifier: BSD-3-Clause
// Reads what an input says of a molecule: its files, and a Jastrow factor of u, chi and f.
#pragma once

#include "settings.hpp"

namespace suite::vmc {

// Whether system.trexio describes a molecule; s.system is set then. Reports errors.
bool read_molecule(const app::Input& input, Settings& s);
// The molecule of CASINO's input: gwfn.data or stowfn.data and x_pp.data beside it.
bool read_casino_molecule(const app::Input& input, CasinoControl& casino, Settings& s);
// After correlation.data was read: the cusps of the nuclei are in chi or in the orbitals, not in both.
void settle_cusps(const app::Input& input, Settings& s);
// Keys of the electron gas that a molecule does not have.
void refuse_keys_of_the_gas(const app::Input& input);
void refuse_keys_of_molecules(const app::Input& input);
// system: nullptr if it is invalid; errors found here are reported nevertheless.
void read_factor_of_molecule(const app::Input& input, const System* system, Settings& s);
// What the fingerprint of a run must say of a molecule.
nlohmann::ordered_json fingerprint_of(const Molecule& molecule, const Jastrow& jastrow);

}  // namespace suite::vmc
