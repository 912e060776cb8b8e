// SPDX-License-Identifier: BSD-3-Clause
#include "solved.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

#include "vxc_potential.hpp"

namespace suite::gw::test {

Solved::Solved(const Settings& s, const std::filesystem::path& folder) : settings(s), outcome(run(s, "cpu", folder)) {
  const ExchangeCorrelation vxc = make_vxc(s, "cpu");
  for (State& state : outcome.result.states) state.vxc = vxc.at(outcome.result.kpoints[state.k], state.band, state.spin);
  states = quasiparticles(outcome.result.states, s.finite_difference_form);
}

void check_columns(const Solved& ours, const std::filesystem::path& log, double tolerance) {
  const SigmaLog theirs = read_sigma_log(log);
  BOOST_REQUIRE_EQUAL(theirs.states.size(), ours.states.size());
  for (size_t i = 0; i < ours.states.size(); ++i) {
    const Quasiparticle &a = ours.states[i], &b = theirs.states[i];
    BOOST_TEST_CONTEXT("k " << b.k + 1 << ", spin " << b.spin << ", band " << b.band) {
      BOOST_TEST((a.k == b.k && a.spin == b.spin && a.band == b.band));
      for (double Quasiparticle::*column :
           {&Quasiparticle::emf, &Quasiparticle::eo, &Quasiparticle::x, &Quasiparticle::sx, &Quasiparticle::ch, &Quasiparticle::sigma,
            &Quasiparticle::vxc, &Quasiparticle::eqp0, &Quasiparticle::eqp1, &Quasiparticle::ch_primed, &Quasiparticle::eqp1_primed,
            &Quasiparticle::z})
        BOOST_TEST(!!(std::abs(a.*column - b.*column) <= tolerance), a.*column << " and " << b.*column);
    }
  }
}

namespace {

// Of a folder that a script in tests/gw filled, with a dielectric matrix of its own, as BerkeleyGW averages v.
Settings arsenide_of(const std::string& name, double cutoff_Ry, int nbands, int band_max) {
  const std::filesystem::path folder = std::filesystem::path(SUITE_SOURCE_DIR) / "tests/gw" / name;
  Settings s;
  s.wavefunctions = folder / "WFN_inner.h5";
  s.density = folder / "RHO";
  s.vxc = folder / "VXC";
  s.epsilon.wavefunctions = folder / "WFN.h5";
  s.epsilon.wavefunctions_q0 = folder / "WFNq.h5";
  s.epsilon.cutoff_Ry = cutoff_Ry;
  s.epsilon.nbands = s.nbands = nbands;
  s.band_max = band_max;
  s.coulomb = CoulombMode::berkeleygw;
  s.wings = Wings::berkeleygw;
  return s;
}

}  // namespace

Settings polarised() { return arsenide_of("polarised", 4, 11, 8); }

Settings spin_orbit() { return arsenide_of("spinor", 3, 16, 12); }

Settings truncated(const std::string& name, Truncation truncation) {
  const std::filesystem::path folder = std::filesystem::path(SUITE_SOURCE_DIR) / "tests/gw/truncated" / name;
  Settings s;
  s.wavefunctions = folder / "WFN";
  s.density = folder / "RHO";
  s.vxc = folder / "VXC";
  s.epsilon.wavefunctions_q0 = folder / (truncation == Truncation::box ? "WFN" : "WFNq");
  s.epsilon.cutoff_Ry = 3;
  s.epsilon.nbands = s.nbands = 9;
  s.band_max = 5;
  s.truncation = truncation;
  s.coulomb = CoulombMode::berkeleygw;
  s.wings = Wings::berkeleygw;
  return s;
}

Settings graphene() {
  const std::filesystem::path files = std::filesystem::path(SUITE_SOURCE_DIR) / "tests/gw/graphene";
  Settings s;
  s.wavefunctions = s.epsilon.wavefunctions_q0 = files / "WFN";
  s.density = files / "RHO";
  s.vxc = files / "vxc.dat";
  s.screening = ScreeningKind::graphene;
  s.truncation = Truncation::slab;
  s.epsilon.q0 = Vector3{1.0 / 3, 0, 0};
  s.epsilon.cutoff_Ry = 3;
  s.epsilon.nbands = s.nbands = 11;
  s.band_max = 6;
  s.coulomb = CoulombMode::berkeleygw;
  s.wings = Wings::berkeleygw;
  return s;
}

LevelSettings with_scissors() {
  LevelSettings levels;
  levels.scissors = {0.2 / rydberg_eV, 3.0 / rydberg_eV, 0.04, 0.8 / rydberg_eV, 9.0 / rydberg_eV, 0.1};
  return levels;
}

Settings corrected() {
  Settings s = polarised();
  s.levels = s.epsilon.levels = with_scissors();
  return s;
}

Settings metal(ScreeningKind kind) {
  Settings s = corrected();
  s.screening = kind;
  s.levels.fermi_level_eV = 7.55;
  s.levels.fermi_level_absolute = true;
  s.epsilon.levels = s.levels;
  s.epsilon.wavefunctions_q0 = s.epsilon.wavefunctions;
  s.epsilon.q0 = Vector3{0, 0, 0.5};
  return s;
}

FullFrequencyLog read_full_frequency(const std::filesystem::path& file) {
  std::ifstream in(file);
  FullFrequencyLog log;
  std::string line, word;
  bool imaginary_row = false;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    if (line.find("real") != std::string::npos || line.find("imag") != std::string::npos) {
      const bool real = line.find("real") != std::string::npos;
      std::array<double, 3> values{};
      for (int i = 0; i < 4; ++i) words >> word;
      for (double& x : values) words >> x;
      if (real) log.elements.emplace_back();
      for (size_t i = 0; i < 3; ++i) real ? log.elements.back()[i].real(values[i]) : log.elements.back()[i].imag(values[i]);
    } else if (imaginary_row) {
      for (double& x : log.rows.back().imaginary) words >> x;
      imaginary_row = false;
    } else if (FullFrequencyLog::Row row; words >> row.band) {
      for (double& x : row.real) words >> x;
      words >> word;
      for (double& x : row.primed) words >> x;
      BOOST_REQUIRE(!words.fail());
      log.rows.push_back(row);
      imaginary_row = true;
    }
  }
  return log;
}

void near(double a, double b, double tolerance, const std::string& what) {
  BOOST_TEST(!!(std::abs(a - b) <= tolerance), what << ": " << a << " and " << b << ", " << b - a);
}

void check_rows(const Solved& ours, const FullFrequencyLog& log, size_t count) {
  BOOST_REQUIRE_EQUAL(log.rows.size(), count);
  BOOST_REQUIRE_EQUAL(ours.states.size(), count);
  for (size_t i = 0; i < count; ++i) {
    const Quasiparticle& q = ours.states[i];
    const FullFrequencyLog::Row& row = log.rows[i];
    BOOST_TEST_CONTEXT("row " << i) {
      BOOST_TEST(q.band == row.band);
      const double real[] = {q.emf, q.eo, q.x, q.sx, q.ch, q.sigma, q.sx + q.ch, q.vxc, q.eqp0, q.eqp1};
      const double primed[] = {q.ch_primed, q.sigma_primed, q.sx + q.ch_primed, q.eqp0_primed, q.eqp1_primed};
      const double far = std::max(1.0, std::abs(q.eqp0 - q.eo)) * std::max(1.0, q.z * q.z);
      for (size_t j = 0; j < 10; ++j) near(real[j], row.real[j], j == 9 ? 3e-6 * far : 3e-6, "column " + std::to_string(j));
      for (size_t j = 0; j < 5; ++j) near(primed[j], row.primed[j], j == 4 ? 8e-6 * far : 8e-6, "primed column " + std::to_string(j));
      near(q.imaginary, row.imaginary[2], 3e-6, "imaginary part");
    }
  }
}

Settings slab_by_contour() {
  const std::filesystem::path files = std::filesystem::path(SUITE_SOURCE_DIR) / "tests/gw/truncated/slab";
  Settings s;
  s.wavefunctions = files / "WFN";
  s.density = files / "RHO";
  s.vxc = files / "VXC";
  s.epsilon.wavefunctions_q0 = files / "WFNq";
  s.epsilon.cutoff_Ry = 3;
  s.epsilon.nbands = s.nbands = 9;
  s.band_min = 3;
  s.band_max = 5;
  s.truncation = Truncation::slab;
  s.model = Model::contour_deformation;
  s.contour_rule = ContourRule::constant;
  s.epsilon.imaginary_points = 10;
  s.epsilon.broadening_eV = 0.5;
  s.coulomb = CoulombMode::berkeleygw;
  s.wings = Wings::berkeleygw;
  s.finite_difference_form = -3;
  s.frequency_grid_min_eV = -1;
  s.frequency_grid_max_eV = 1;
  s.frequency_grid_points = 3;
  return s;
}

}  // namespace suite::gw::test
