// SPDX-License-Identifier: BSD-3-Clause
// Norm-conserving pseudopotentials in the Unified Pseudopotential Format of Quantum ESPRESSO, versions 1 and 2.
//
// Version 2 looks like XML, but many files are none (PP_INFO holds what its author typed, also < and &), and version 1 never was; Quantum
// ESPRESSO looks for tags, and so does this.
#pragma once

#include <string>
#include <vector>

namespace suite::tddft {

// Functions of the radius, on a mesh of their own; Hartree atomic units.
struct RadialTables {
  struct Beta {
    int l = 0;
    std::vector<double> times_r;  // r beta(r), bohr^-1/2; 0 beyond its end
  };
  std::string element, functional;  // the latter as GroundStateSettings has it if it is one of its, otherwise as in the file
  double charge = 0;
  std::vector<double> r, local;  // bohr, Ha
  std::vector<Beta> betas;
  std::vector<double> d;        // (betas,betas), Ha
  std::vector<double> density;  // 4 pi r^2 rho of the atom's valence electrons; empty: not in the file
  std::vector<double> core;     // density of the nonlinear core correction, bohr^-3; empty: there is none
};

// Throws Failure(SUITE_INVALID_ARGUMENT), beginning with "file:line: "; also for potentials that are not norm-conserving, that have spin-orbit
// coupling, or a functional of the kinetic energy density.
RadialTables parse_upf(const std::string& file, const std::string& text);

bool is_upf(const std::string& text);

}  // namespace suite::tddft
