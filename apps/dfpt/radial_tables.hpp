// SPDX-License-Identifier: BSD-3-Clause
// Builds the species of a molecule: solves their atoms, makes their functions and stores all as tables.
#pragma once

#include <vector>

#include "integration_setup.hpp"
#include "shells.hpp"

namespace suite::all_electron {

struct SpeciesSet {
  std::vector<Species> species;
  Tables tables;
  std::vector<Shells> shells;            // of each species
  std::vector<double> partition_radius;  // bohr, of each species; infinite for gaussians
  std::vector<int32_t> first_function;   // first function of each species, from 0, and the total number
};

// charges: Z of each species.
SpeciesSet make_species(const std::vector<int>& charges, const Choices& choices);

}  // namespace suite::all_electron
