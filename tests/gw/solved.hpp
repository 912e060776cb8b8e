// SPDX-License-Identifier: BSD-3-Clause
// A run with all that belongs to its states, held against a sigma_hp.log of BerkeleyGW.
#pragma once

#include <array>
#include <complex>
#include <filesystem>
#include <string>
#include <vector>

#include "bench.hpp"
#include "output.hpp"

namespace suite::gw::test {

struct Solved {
  Solved(const Settings& settings, const std::filesystem::path& folder);
  Solution solution() const { return {settings, outcome.result, states}; }
  Settings settings;
  Outcome outcome;
  std::vector<Quasiparticle> states;
};

// Boost's checks that the states are those of the log, every column to `tolerance`, which is at least the 2e-9 eV that nine digits leave.
void check_columns(const Solved& ours, const std::filesystem::path& log, double tolerance);

// Gallium arsenide whose two spins differ in everything, of polarised_wavefunctions.py; with a dielectric matrix of its own, as BerkeleyGW averages v.
Settings polarised();

// A scissors operator, and such energies in polarised().
LevelSettings with_scissors();
Settings corrected();
// The same as a metal: its Fermi level, 7.55 eV, lies within bands 3 and 4 of the first spin.
Settings metal(ScreeningKind kind);

// Gallium arsenide with spin-orbit coupling, of spinor_wavefunctions.py.
Settings spin_orbit();
// A slab, a wire or a molecule of truncated_wavefunctions.py, of the folder truncated/`name`.
Settings truncated(const std::string& name, Truncation truncation);
// Of pw.x, 3x3x1 k points with the symmetries of the crystal; at K the occupied levels touch the empty ones. pw.x, pw2bgw.x, epsilon.cplx.x, for q0 and for the
// other q, and sigma.cplx.x had the inputs in graphene/, for gpp.log without what belongs to frequencies.
Settings graphene();

// As truncated/slab/contour says, but for the real frequencies.
Settings slab_by_contour();

// sigma_hp.log of a full-frequency run; eV.
struct FullFrequencyLog {
  struct Row {
    int band = 0;
    std::array<double, 10> real{};  // Emf, Eo, X, Res, Int, Sig, Cor, Vxc, Eqp0, Eqp1
    std::array<double, 5> primed{};  // Int, Sig, Cor, Eqp0, Eqp1
    std::array<double, 4> imaginary{};  // Res, Int, Sig, Cor
  };
  std::vector<Row> rows;  // k slowest
  std::vector<std::array<std::complex<double>, 3>> elements;  // X, Res, Int; k slowest
};
FullFrequencyLog read_full_frequency(const std::filesystem::path& file);
// Boost's checks: to six digits, five of the primed columns, and that code's 1e-6 eV beside each level; of Eqp1, which a slope leads to, as many times that
// as it is eV away, and times Z^2 where Z is above 1.
void check_rows(const Solved& ours, const FullFrequencyLog& log, size_t count);
void near(double a, double b, double tolerance, const std::string& what);

}  // namespace suite::gw::test
