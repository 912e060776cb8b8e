// SPDX-License-Identifier: BSD-3-Clause
// What no implementation may compute with, and that the sentence names the thing and its values.
#include "support.hpp"

using namespace qmc_test;

namespace {

Gas some_gas() { return gas_of(sc, 3, 2, 2, 1, 81, 3, 2); }

void set_jastrow(Call& call, const Gas& g, bool u, int32_t ie = 0, bool rnew = false, int64_t npos = 5) {
  call.forget();
  g.set_electrons(call);
  if (u) g.set_u(call);
  else g.set_p(call);
  if (ie) call.count("ie", ie);
  if (rnew) call.numbers("rnew", Numbers(static_cast<size_t>(3 * npos)), {3, npos, 1});
  call.numbers("value", Numbers(static_cast<size_t>(npos)), {npos, 1});
  call.run();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(cells_and_electrons) {
  standard("qmc.jastrow_u", [](Call& call) {
    Gas g = some_gas();
    set_jastrow(call, g, true);
    g.ndn = 3;
    g.rele.resize(3 * 5);
    refused(call, {"nele is 3, 3", "5 electrons"}, [&] {
      call.forget();
      call.numbers("cell", g.cell, {3, 3});
      call.indices("nele", {3, 3}, {2});
      call.numbers("rele", g.rele, {3, 5, 1});
      g.set_u(call);
      call.numbers("value", Numbers(5), {5, 1});
      call.run();
    });
    g = some_gas();
    std::copy_n(g.cell.begin(), 3, g.cell.begin() + 3);
    refused(call, {"cell", "volume"}, [&] { set_jastrow(call, g, true); });
  });
}

BOOST_AUTO_TEST_CASE(moves_of_one_electron) {
  for (const bool u : {true, false})
    standard(u ? "qmc.jastrow_u" : "qmc.jastrow_p", [u](Call& call) {
      const Gas g = some_gas();
      refused(call, {"ie is set but rnew is not"}, [&] { set_jastrow(call, g, u, 2); });
      refused(call, {"rnew is set but ie is not"}, [&] { set_jastrow(call, g, u, 0, true); });
      refused(call, {"ie is 6", "1 to 5"}, [&] { set_jastrow(call, g, u, 6, true); });
      refused(call, {"ie is -1"}, [&] { set_jastrow(call, g, u, -1, true); });
      refused(call, {"npos is 2", "netot, 5"}, [&] { set_jastrow(call, g, u, 0, false, 2); });
    });
}

BOOST_AUTO_TEST_CASE(parameters_of_u) {
  standard("qmc.jastrow_u", [](Call& call) {
    Gas g = some_gas();
    const double radius = g.lattice().inscribed_radius;
    g.L_u = 1.01 * radius;
    refused(call, {"L_u is", "inscribed radius"}, [&] { set_jastrow(call, g, true); });
    g.L_u = -1;
    refused(call, {"L_u is -1"}, [&] { set_jastrow(call, g, true); });
    g.L_u = radius;
    set_jastrow(call, g, true);
    g.nset_u = 4;
    refused(call, {"nset_u is 4"}, [&] { set_jastrow(call, g, true); });
    g = some_gas();
    refused(call, {"truncation is 4", "one of 2, 3"}, [&] {
      call.forget();
      g.set_electrons(call);
      g.set_u(call);
      call.count("truncation", 4);
      call.numbers("value", Numbers(5), {5, 1});
      call.run();
    });
    g.alpha.resize(6);  // 3 of each set
    call.choose("form", "bspline");
    refused(call, {"nalpha is 3", "at least 4"}, [&] { set_jastrow(call, g, true); });
    call.choose("form", "polynomial");
    set_jastrow(call, g, true);
  });
}

BOOST_AUTO_TEST_CASE(lists_of_vectors) {
  standard("qmc.jastrow_p", [](Call& call) {
    Gas g = some_gas();
    g.star[1] = 7;
    refused(call, {"star(2) is 7", "1 to 1"}, [&] { set_jastrow(call, g, false); });
    g = some_gas();
    for (int d = 0; d < 3; ++d) g.gvec[6 + d] = -g.gvec[d];
    refused(call, {"gvec(:,3)", "gvec(:,1)", "opposite"}, [&] { set_jastrow(call, g, false); });
    std::fill_n(&g.gvec[6], 3, 0);
    refused(call, {"gvec(:,3) is 0"}, [&] { set_jastrow(call, g, false); });
    g = some_gas();
    g.nset_p = 4;
    g.a.resize(4);
    refused(call, {"nset_p is 4"}, [&] { set_jastrow(call, g, false); });
  });
  standard("qmc.orbitals_free", [](Call& call) {
    const auto run = [&](int64_t norb, const Indices& kvec) {
      call.forget();
      call.numbers("cell", sc, {3, 3});
      call.indices("kvec", kvec, {3, 2});
      call.numbers("r", Numbers(3), {3, 1, 1});
      call.numbers("phi", Numbers(static_cast<size_t>(norb)), {norb, 1, 1});
      call.run();
    };
    run(5, {1, 0, 0, 0, 1, 0});
    refused(call, {"norb is 6", "make 5 orbitals"}, [&] { run(6, {1, 0, 0, 0, 1, 0}); });
    refused(call, {"kvec(:,2)"}, [&] { run(3, {1, 0, 0, -1, 0, 0}); });
  });
}

BOOST_AUTO_TEST_CASE(moves_of_structure_factors) {
  standard("qmc.structure_factor", [](Call& call) {
    const Gas g = some_gas();
    const auto run = [&](int32_t ie, int64_t npos, bool accept) {
      call.forget();
      g.set_electrons(call);
      call.indices("gvec", g.gvec, {3, 3});
      if (ie) call.count("ie", ie);
      if (npos > 0) call.numbers("rnew", Numbers(static_cast<size_t>(3 * npos)), {3, npos, 1});
      if (accept) call.indices("accept", {1}, {1});
      call.complexes("rhok", Complexes(6), {3, 2, 1});
      call.run();
    };
    run(0, 0, false);
    run(5, 1, true);
    refused(call, {"npos is 2"}, [&] { run(5, 2, false); });
    refused(call, {"ie is 6", "1 to 5"}, [&] { run(6, 1, false); });
    refused(call, {"accept is set but ie is not"}, [&] { run(0, 0, true); });
  });
}

BOOST_AUTO_TEST_CASE(grids_of_blips) {
  standard("qmc.orbitals_blip", [](Call& call) {
    const auto run = [&](int64_t Nx, int64_t Ny, int64_t Nz, int64_t norb) {
      call.forget();
      call.numbers("cell", sc, {3, 3});
      call.numbers("c", Numbers(static_cast<size_t>(2 * Nx * Ny * Nz)), {2, Nz, Ny, Nx});
      call.numbers("r", Numbers(3), {3, 1, 1});
      call.numbers("phi", Numbers(static_cast<size_t>(norb)), {norb, 1, 1});
      call.run();
    };
    run(4, 5, 6, 2);
    refused(call, {"Nx is 3", "at least 4"}, [&] { run(3, 5, 6, 2); });
    refused(call, {"Ny is 2"}, [&] { run(4, 2, 6, 2); });
    refused(call, {"Nz is 1"}, [&] { run(4, 5, 1, 2); });
    refused(call, {"norb is", "3"}, [&] { run(4, 5, 6, 3); });
  });
}

BOOST_AUTO_TEST_CASE(what_ewald_needs) {
  standard("qmc.ewald", [](Call& call) {
    const auto run = [&](double alpha, double tolerance, bool total, int32_t ie) {
      call.forget();
      call.numbers("cell", sc, {3, 3});
      call.numbers("charge", {1, -1}, {2});
      call.numbers("rele", {0, 0, 0, 0.5, 0.5, 0.4}, {3, 2, 1});
      call.scalar("ewald_alpha", alpha);
      call.scalar("ewald_tolerance", tolerance);
      if (total) call.numbers("total", {0}, {1});
      if (ie) {
        call.count("ie", ie);
        call.numbers("rnew", {0, 0, 0.1}, {3, 1, 1});
        call.numbers("energy", {0}, {1, 1});
      }
      call.run();
    };
    run(3, 1e-10, true, 0);
    run(3, 1e-10, false, 2);
    refused(call, {"none of energy, total and field"}, [&] { run(3, 1e-10, false, 0); });
    refused(call, {"ie and total"}, [&] { run(3, 1e-10, true, 1); });
    refused(call, {"ewald_alpha is -3"}, [&] { run(-3, 1e-10, true, 0); });
    refused(call, {"ewald_tolerance is 0.5"}, [&] { run(3, 0.5, true, 0); });
    refused(call, {"ewald_alpha = 1000000 bohr^-1", "vectors"}, [&] { run(1e6, 1e-10, true, 0); });
  });
}

BOOST_AUTO_TEST_CASE(structure_factors_for_ewald) {
  standard("qmc.ewald", [](Call& call) {
    // The cube's first stars: 3 of |n|^2 = 1, 6 of 2.
    const Indices stars{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, -1, 0, 1, 0, 1, 1, 0, -1, 0, 1, 1, 0, 1, -1};
    const auto run = [&](Indices gvec, bool rhok, double alpha) {
      const auto count = static_cast<int64_t>(gvec.size()) / 3;
      call.forget();
      call.numbers("cell", sc, {3, 3});
      call.numbers("charge", {1, -1}, {2});
      call.numbers("rele", {0, 0, 0, 0.5, 0.5, 0.4}, {3, 2, 1});
      call.scalar("ewald_tolerance", 1e-3);
      if (alpha > 0) call.scalar("ewald_alpha", alpha);
      call.indices("gvec", gvec, {3, count});
      if (rhok) call.complexes("rhok", Complexes(static_cast<size_t>(count)), {count, 1, 1});
      call.numbers("total", {0}, {1});
      call.run();
    };
    run(stars, true, 0);
    run(stars, true, 1);
    refused(call, {"gvec is set but rhok is not"}, [&] { run(stars, false, 0); });
    refused(call, {"gvec has 8 of the 9 vectors"}, [&] { run(Indices(stars.begin(), stars.end() - 3), true, 0); });
    refused(call, {"gvec has 9 of the", "vectors up to"}, [&] { run(stars, true, 4); });
    Indices twice = stars;
    twice[3] = -1;
    twice[4] = 0;
    refused(call, {"gvec(:,2) is gvec(:,1) or its opposite"}, [&] { run(twice, true, 0); });
  });
  standard("qmc.structure_factor", [](Call& call) {
    const Gas g = some_gas();
    const auto run = [&](int64_t channels, bool charge) {
      call.forget();
      g.set_electrons(call);
      call.indices("gvec", g.gvec, {3, 3});
      if (charge) call.numbers("charge", Numbers(5, 1), {5});
      call.complexes("rhok", Complexes(static_cast<size_t>(3 * channels)), {3, channels, 1});
      call.run();
    };
    run(1, true);
    refused(call, {"nchannel is 3"}, [&] { run(3, false); });
    refused(call, {"charge is set but nchannel is 2"}, [&] { run(2, true); });
  });
}

BOOST_AUTO_TEST_CASE(slater_matrices) {
  standard("qmc.slater_invert", [](Call& call) {
    Numbers D(2 * 9, 0.0);
    for (int i = 0; i < 3; ++i) D[4 * i] = D[9 + 4 * (i % 2)] = 1;
    const auto run = [&](const Numbers& phi) {
      call.forget();
      call.numbers("phi", phi, {3, 3, 2});
      call.numbers("dbar", Numbers(18), {3, 3, 2});
      call.run();
    };
    const Numbers good{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 2};
    for (int turn = 0; turn < 2; ++turn) {  // once by itself, then asked by the host
      refused(call, {"walker 2", "singular"}, [&] { run(D); });
      run(good);
    }
  });
  const Numbers identity{1, 0, 0, 1};
  standard("qmc.slater_ratio", [&](Call& call) {
    const auto run = [&](int32_t ie, bool drift) {
      call.forget();
      call.numbers("dbar", identity, {2, 2, 1});
      if (ie) call.count("ie", ie);
      call.numbers("phi", {1, 2}, {2, 1, 1});
      call.numbers("ratio", {0}, {1, 1});
      if (drift) call.numbers("drift", {0, 0, 0}, {3, 1, 1});
      call.run();
    };
    run(2, false);
    refused(call, {"ie is 3", "1 to 2"}, [&] { run(3, false); });
    refused(call, {"npos is 1", "n, 2"}, [&] { run(0, false); });
    refused(call, {"drift is set but dphi is not"}, [&] { run(1, true); });
  });
  standard("qmc.slater_update", [&](Call& call) {
    const auto run = [&](int32_t ie, const Numbers& phi, const Indices& waiting) {
      call.forget();
      call.numbers("dbar", identity, {2, 2, 1});
      call.indices("ie", {ie}, {1, 1});
      if (!phi.empty()) call.numbers("phi", phi, {2, 1, 1});
      if (!waiting.empty()) {
        call.numbers("delayed_phi", {1, 0, 0, 0}, {2, 2, 1});
        call.numbers("delayed_dbar", {1, 0, 0, 0}, {2, 2, 1});
        call.numbers("delayed_binv", {1, 0, 0, 0}, {2, 2, 1});
        call.indices("delayed_electron", waiting, {3, 1});
      }
      call.run();
    };
    run(1, {1, 2}, {});
    run(2, {1, 2}, {1, 1, 0});
    refused(call, {"ie(1,1) is 3", "1 to 2"}, [&] { run(3, {1, 2}, {}); });
    refused(call, {"move 1 of walker 1", "ratio 0"}, [&] { run(1, {0, 2}, {}); });
    refused(call, {"ie is set but phi is not"}, [&] { run(1, {}, {}); });
    refused(call, {"delayed_electron(1) of walker 1 is 3", "holds at most 2"}, [&] { run(1, {1, 2}, {3, 1, 2}); });
    refused(call, {"delayed_electron(2) of walker 1 is 5"}, [&] { run(1, {1, 2}, {1, 5, 0}); });
    refused(call, {"electron 1 twice"}, [&] { run(1, {1, 2}, {2, 1, 1}); });
  });
}

// Not even those of walkers whose moves are good.
BOOST_AUTO_TEST_CASE(inverses_stay_where_a_move_or_window_is_none) {
  standard("qmc.slater_update", [](Call& call) {
    const Numbers before{1, 0, 0, 1, 2, 0, 0, 3};
    const auto run = [&](const Indices& ie, const Indices& waiting) {
      call.forget();
      call.numbers("dbar", before, {2, 2, 2});
      call.indices("ie", ie, {1, 2});
      call.numbers("phi", {1, 2, 3, 1}, {2, 1, 2});
      if (!waiting.empty()) {
        call.numbers("delayed_phi", Numbers(8), {2, 2, 2});
        call.numbers("delayed_dbar", Numbers(8), {2, 2, 2});
        call.numbers("delayed_binv", Numbers(8), {2, 2, 2});
        call.indices("delayed_electron", waiting, {3, 2});
      }
      call.run();
    };
    const auto unchanged = [&] {
      const Numbers after = call.get_numbers("dbar");
      BOOST_CHECK_MESSAGE(after == before, call.label() << " changed dbar in a call that it refused");
    };
    for (int turn = 0; turn < 2; ++turn) {
      refused(call, {"ie(1,2) is 3", "1 to 2"}, [&] { run({1, 3}, {}); });
      unchanged();
      refused(call, {"ie(1,1) is -1", "0 is no move"}, [&] { run({-1, 2}, {0, 0, 0, 0, 0, 0}); });
      unchanged();
      refused(call, {"delayed_electron(1) of walker 2 is -1"}, [&] { run({1, 2}, {0, 0, 0, -1, 0, 0}); });
      unchanged();
      run({1, 0}, {});
      const Numbers after = call.get_numbers("dbar");
      BOOST_CHECK_MESSAGE(after != before, call.label() << " did not move electron 1");
    }
  });
  standard("qmc.slater_ratio", [](Call& call) {
    const auto run = [&](const Indices& waiting) {
      call.forget();
      call.numbers("dbar", {1, 0, 0, 1, 1, 0, 0, 1}, {2, 2, 2});
      call.count("ie", 2);
      call.numbers("phi", {1, 2, 1, 3}, {2, 1, 2});
      call.numbers("ratio", Numbers(2), {1, 2});
      call.numbers("delayed_phi", Numbers(8), {2, 2, 2});
      call.numbers("delayed_dbar", Numbers(8), {2, 2, 2});
      call.numbers("delayed_binv", Numbers(8), {2, 2, 2});
      call.indices("delayed_electron", waiting, {3, 2});
      call.run();
    };
    for (int turn = 0; turn < 2; ++turn) {
      refused(call, {"delayed_electron(2) of walker 2 is 1000000000"}, [&] { run({0, 0, 0, 1, 1000000000, 0}); });
      run({0, 0, 0, 0, 0, 0});
      const Numbers ratio = call.get_numbers("ratio");
      BOOST_CHECK_MESSAGE((ratio == Numbers{2, 3}), call.label() << " has other ratios");
    }
  });
}

BOOST_AUTO_TEST_CASE(walks_and_energies) {
  standard("qmc.sweep", [](Call& call) {
    const auto run = [&](const Gas& g, double tau, int32_t nsweep, int64_t first) {
      const std::vector<int64_t> stream{1};
      g.set_wavefunction(call);
      call.scalar("tau", tau);
      call.count("nsweep", nsweep);
      call.kernel().set("first_sweep", first);
      call.kernel().set("seed", int64_t{1});
      call.kernel().set("stream", stream.data(), {1});
      call.indices("accepted", {0}, {1});
      call.run();
    };
    Gas g = some_gas();
    run(g, 0.1, 0, 0);
    refused(call, {"tau is -0.1"}, [&] { run(g, -0.1, 1, 0); });
    refused(call, {"nsweep is -1"}, [&] { run(g, 0.1, -1, 0); });
    refused(call, {"first_sweep is -4"}, [&] { run(g, 0.1, 1, -4); });
    refused(call, {"alpha is set but L_u is not"}, [&] {
      Gas without = g;
      without.alpha.clear();
      const std::vector<int64_t> stream{1};
      without.set_wavefunction(call);
      call.numbers("alpha", g.alpha, {g.nalpha(), 2});
      call.scalar("tau", 0.1);
      call.kernel().set("first_sweep", int64_t{0});
      call.kernel().set("seed", int64_t{1});
      call.kernel().set("stream", stream.data(), {1});
      call.indices("accepted", {0}, {1});
      call.run();
    });
  });
  standard("qmc.local_energy", [](Call& call) {
    const auto run = [&](const Gas& g) {
      g.set_wavefunction(call);
      call.numbers("energy", Numbers(5), {5, 1});
      call.run();
    };
    Gas g = some_gas();
    run(g);
    g.kvec.resize(3);
    run(g);
    const Gas before = g;
    g.nup = 4;
    g.ndn = 1;
    g.dbar[0].resize(16);
    g.dbar[1].resize(1);
    refused(call, {"norb is 4", "make 3 orbitals"}, [&] { run(g); });
    g = before;
    refused(call, {"nele(2) is 2", "dbar_dn is unset"}, [&] {
      g.set_wavefunction(call);
      call.forget();
      g.set_electrons(call);
      call.indices("kvec", g.kvec, {3, 1});
      call.numbers("dbar_up", g.dbar[0], {3, 3, 1});
      call.numbers("energy", Numbers(5), {5, 1});
      call.run();
    });
  });
}

BOOST_AUTO_TEST_CASE(copies_of_walkers) {
  standard("qmc.branch", [](Call& call) {
    const auto run = [&](const Indices& from) {
      call.forget();
      call.indices("from", from, {static_cast<int64_t>(from.size())});
      call.numbers("rele", Numbers(9), {3, 1, 3});
      call.run();
    };
    run({1, 1, 3});
    refused(call, {"from(2) is 4", "1 to 3"}, [&] { run({1, 4, 3}); });
    refused(call, {"from(2) is 1", "from(1) is 3", "keep"}, [&] { run({3, 1, 3}); });
    refused(call, {"nwalker is 4", "nslot is 3"}, [&] { run({1, 2, 3, 1}); });
    refused(call, {"from(1) is 0", "1 to 3"}, [&] { run({0, 2, 3}); });
    run({1, 1, 3});
  });
}

BOOST_AUTO_TEST_SUITE_END()
