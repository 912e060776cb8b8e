// SPDX-License-Identifier: BSD-3-Clause
#include "solved.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

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

Settings polarised() {
  const std::filesystem::path folder = std::filesystem::path(SUITE_SOURCE_DIR) / "tests/gw/polarised";
  Settings s;
  s.wavefunctions = folder / "WFN_inner.h5";
  s.density = folder / "RHO";
  s.vxc = folder / "VXC";
  s.epsilon.wavefunctions = folder / "WFN.h5";
  s.epsilon.wavefunctions_q0 = folder / "WFNq.h5";
  s.epsilon.cutoff_Ry = 4;
  s.epsilon.nbands = s.nbands = 11;
  s.band_max = 8;
  s.coulomb = CoulombMode::berkeleygw;
  s.wings = Wings::berkeleygw;
  return s;
}

}  // namespace suite::gw::test
