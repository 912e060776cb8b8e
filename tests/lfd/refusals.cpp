// SPDX-License-Identifier: BSD-3-Clause
// What no implementation may compute with, and that the sentence names the thing and its value.
#include "propagation.hpp"

using namespace lfd_test;

namespace {

// Runs f, which must be refused with a sentence that holds these words.
template <class F> void refused(const Call& call, const std::vector<std::string>& words, F&& f) {
  std::string sentence = "(nothing)";
  int status = SUITE_OK;
  try {
    f();
  } catch (const suite::Failure& failure) {
    status = failure.status();
    sentence = failure.what();
  }
  bool all = status == SUITE_INVALID_ARGUMENT;
  for (const auto& word : words) all = all && sentence.find(word) != std::string::npos;
  std::string list;
  for (const auto& word : words) list += " '" + word + "'";
  BOOST_CHECK_MESSAGE(all, call.label() << ": said '" << sentence << "', expected" << list);
}

void set_kinetic(Call& call, const Grid& g, double dt, const char* corrected = "off") {
  call.forget();
  call.choose("mass_correction", corrected);
  call.complexes("psi", Orbitals(static_cast<size_t>(g.norb * g.points()), 0.1), g.psi_extents());
  call.numbers("h", g.spacings(), {3});
  call.scalar("dt", dt);
  call.run();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(grids_and_time_steps) {
  for_each("lfd.kin_prop", Variants::standard, [](Call& call) {
    refused(call, {"Ny", "is 5", "even"}, [&] { set_kinetic(call, {{4, 5, 6}, {0.4, 0.4, 0.4}, 2}, 0.01); });
    refused(call, {"direction z", "-0.4"}, [&] { set_kinetic(call, {{4, 4, 6}, {0.4, 0.4, -0.4}, 2}, 0.01); });
    refused(call, {"direction x", "0 bohr"}, [&] { set_kinetic(call, {{4, 4, 6}, {0, 0.4, 0.4}, 2}, 0.01); });
    const Grid g{{4, 4, 6}, {0.5, 0.4, 0.5}, 2};
    refused(call, {"dt is 0.503", "hy = 0.4", "0.502655"}, [&] { set_kinetic(call, g, 0.503); });
    refused(call, {"dt is -0.503", "hy = 0.4", "0.502655"}, [&] { set_kinetic(call, g, -0.503); });
    set_kinetic(call, g, 0.5);
    set_kinetic(call, g, 3.0, "on");
    set_kinetic(call, {{4, 1, 6}, {0.5, 0.1, 0.5}, 2}, 0.5);  // no direction y
  });
}

BOOST_AUTO_TEST_CASE(fields_outside_their_stability) {
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    System s = harmonic({{4, 4, 6}, {0.4, 0.4, 0.4}, 2}, 0.5);
    s.field = "loop";
    const auto run = [&] {
      State state{hermite(s.g, 0.5), no_field(s.g)};
      propagate(call, s, state, no_drive(1));
    };
    run();
    // 4/(3 4/h^2) = 0.0533333
    s.kappa = {0.054};
    refused(call, {"kappa is 0.054", "0.05333333", "use 0.048"}, run);
    s.kappa = {-0.01};
    refused(call, {"kappa is -0.01"}, run);
    s.kappa = {0.048};
    run();
    s.gamma = {2.0};
    refused(call, {"gamma is 2"}, run);
    s.gamma = {-0.1};
    refused(call, {"gamma is -0.1"}, run);
    s.gamma = {0.5};
    refused(call, {"kappa is 0.048", "gamma = 0.5", "0.04"}, run);
    s.kappa.clear();
    s.field_steps = -3;
    refused(call, {"field_steps is -3"}, run);
  });
}

BOOST_AUTO_TEST_CASE(nonlocal_arrays_that_do_not_fit) {
  for_each("lfd.nlp_prop", Variants::standard, [](Call& call) {
    const Grid g{{4, 4, 4}, {0.5, 0.5, 0.5}, 2};
    const Nonlocal good = some_nonlocal(g, {0, 21}, 0.8, 1.0);
    const auto run = [&](const Nonlocal& V, const char* without = "") {
      call.forget();
      call.complexes("psi", random_orbitals(g, 60), g.psi_extents());
      call.numbers("h", g.spacings(), {3});
      call.scalar("dt", 0.1);
      if (std::string(without) != "nlpoint") call.indices("nlpoint", V.point, {V.nsphere, V.natom});
      if (std::string(without) != "nldisp") call.numbers("nldisp", V.displacement, {3, V.nsphere, V.natom});
      if (std::string(without) != "beta") call.numbers("beta", V.beta, {V.nsphere, V.nproj, V.natom});
      if (std::string(without) != "dnl") call.numbers("dnl", V.dnl, {V.nproj, V.nproj, V.natom});
      call.run();
    };
    run(good);
    for (const char* name : {"nlpoint", "nldisp", "beta", "dnl"}) refused(call, {name, "is not"}, [&] { run(good, name); });
    Nonlocal bad = good;
    bad.point[bad.nsphere] = 65;
    refused(call, {"nlpoint(1,2) is 65", "1 to 64"}, [&] { run(bad); });
    bad.point[bad.nsphere] = -1;
    refused(call, {"nlpoint(1,2) is -1"}, [&] { run(bad); });
    bad = good;
    bad.point[2] = bad.point[0];
    refused(call, {"nlpoint(3,1) is " + std::to_string(good.point[0]), "already"}, [&] { run(bad); });
    bad = good;
    bad.point[bad.nsphere - 1] = 64;
    refused(call, {"nlpoint(" + std::to_string(bad.nsphere) + ",1) is 64", "padding"}, [&] { run(bad); });
    bad = good;
    bad.dnl[1] += 0.25;
    refused(call, {"dnl of atom 1", "symmetric", "dnl(1,2)"}, [&] { run(bad); });
    bad = good;
    for (double& x : bad.dnl) x *= 1e9;
    refused(call, {"atom 1", "too large"}, [&] { run(bad); });
  });
}

BOOST_AUTO_TEST_CASE(arrays_of_hpsi_that_do_not_fit) {
  for_each("lfd.hpsi", Variants::standard, [](Call& call) {
    const auto start = [&](bool real = false) {
      call.forget();
      for (const char* name : {"psi", "hpsi"}) {
        if (real) call.reals(name, Numbers(2 * 9 * 5 * 6), {2, 9, 5, 6});
        else call.complexes(name, Orbitals(2 * 9 * 5 * 6), {2, 9, 5, 6});
      }
      call.reals("v", Numbers(9 * 5 * 6), {9, 5, 6});
      call.numbers("h", {0.5, 0.6, 0.55}, {3});
    };
    start();
    call.run();
    start();
    call.numbers("h", {0.5, 0, 0.55}, {3});
    refused(call, {"direction y", "0 bohr"}, [&] { call.run(); });
    start(true);
    call.numbers("A", {0, 0, 0.1}, {3});
    refused(call, {"A is set", "psi is real"}, [&] { call.run(); });
    start();
    call.numbers("k", Numbers(9), {3, 3});
    refused(call, {"Norb is 3 in k", "2 orbitals"}, [&] { call.run(); });
    start();
    call.indices("spin", {1, 2}, {2});
    refused(call, {"spin(2) is 2", "nspin = 1"}, [&] { call.run(); });
    start();
    call.indices("ghost", {0, 0, 0, 1, 0, 0}, {2, 3});
    refused(call, {"M2 is 5", "N2 = 5", "direction y", "0 below and 1 above"}, [&] { call.run(); });
    call.indices("ghost", {0, 0, 0, 0, -1, 1}, {2, 3});
    refused(call, {"direction z", "-1 below"}, [&] { call.run(); });
    start();
    call.indices("boundary", {0, 3, 0}, {3});
    refused(call, {"boundary of direction y is 3", "one of 0"}, [&] { call.run(); });
    call.indices("boundary", {2, 0, 0}, {3});
    refused(call, {"boundary of direction x is 2", "0 below", "reach 4"}, [&] { call.run(); });
  });
}

// psi in one precision, fields in the other.
BOOST_AUTO_TEST_CASE(mixed_precision) {
  for_each("lfd.compute_rho", Variants::standard, [](Call& call) {
    if (call.single()) return;
    const Grid g{{4, 4, 4}, {0.5, 0.5, 0.5}, 2};
    const std::vector<float> rho(64);
    call.forget();
    call.complexes("psi", random_orbitals(g, 61), g.psi_extents());
    call.numbers("f", {2, 2}, {2});
    call.kernel().set("rho", rho.data(), {4, 4, 4});
    refused(call, {"psi is in double", "rho in single"}, [&] { call.run(); });
  });
  for_each("lfd.propagate", Variants::standard, [](Call& call) {
    if (call.single()) return;
    System s = harmonic({{4, 4, 6}, {0.4, 0.4, 0.4}, 2}, 0.5);
    const std::vector<float> field(96), fields(192);
    call.forget();
    call.complexes("psi", hermite(s.g, 0.5), s.g.psi_extents());
    call.numbers("f", s.f, {2});
    call.numbers("h", s.g.spacings(), {3});
    call.scalar("dt", 0.01);
    call.numbers("drive", {0, 0, 0}, {3, 1});
    call.numbers("dipole", Numbers(4), {4, 1});
    call.kernel().set("vloc", field.data(), {6, 4, 4});
    call.kernel().set("vH", fields.data(), {6, 4, 4, 2});
    call.kernel().set("rho", field.data(), {6, 4, 4});
    refused(call, {"psi is in double", "in single"}, [&] { call.run(); });
  });
}

BOOST_AUTO_TEST_SUITE_END()
