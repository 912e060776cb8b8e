// SPDX-License-Identifier: BSD-3-Clause
// What no implementation may compute with, and that the sentence names the thing and its values.
#include "support.hpp"

using namespace gw_test;

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(of_matrix_elements) {
  const List list{{0, 0, 0}, {1, 0, -1}, {2, 3, 0}};
  const Complexes c(3, Complex(0.5));
  each_method([&](Call& call) {
    const auto with = [&](const List& bra, const List& ket, const List& g) { elements(call, bra, c, ket, c, g); };
    refused(call, {"g_bra has (1,0,-1) twice", "2 and 3"}, [&] { with({{0, 0, 0}, {1, 0, -1}, {1, 0, -1}}, list, list); });
    refused(call, {"g_ket has (2,3,0) twice", "1 and 3"}, [&] { with(list, {{2, 3, 0}, {1, 0, -1}, {2, 3, 0}}, list); });
    refused(call, {"g_ket(2,3) is 4097", "-4096 to 4096"}, [&] { with(list, {{0, 0, 0}, {1, 0, -1}, {2, 4097, 0}}, list); });
    refused(call, {"g(1,2) is -5000"}, [&] { with(list, list, {{0, 0, 0}, {-5000, 0, -1}, {2, 0, 0}}); });
    with(list, list, {{0, 0, 0}, {0, 0, 0}, {900, 0, 0}});  // a wanted G twice, and one out of reach
    call.count("conjugate", 2);
    refused(call, {"conjugate is 2", "0, 1"}, [&] { call.run(); });
    call.count("conjugate", 1);
    call.run();
  });
}

BOOST_AUTO_TEST_CASE(of_screening) {
  const Crystal crystal({0.2, -0.3, 0.1}, 2);
  const int64_t n = count(crystal.g);
  const Complexes epsinv(static_cast<size_t>(n * n), Complex(0.4));
  each_model("hybertsen_louie", [&](Call& call) {
    crystal.set(call, epsinv, n);
    call.run();
    refused(call, {"invalid_gpp_mode is 4", "-1 (as 3), 0, 1, 2, 3"}, [&] {
      call.count("invalid_gpp_mode", 4);
      call.run();
    });
    refused(call, {"nq is 0"}, [&] {
      crystal.set(call, epsinv, n);
      call.count("nq", 0);
      call.run();
    });
    Indices columns(static_cast<size_t>(n), 1);
    columns[2] = static_cast<int32_t>(n) + 1;
    refused(call, {"indigp(3) is " + std::to_string(n + 1), "0 to ncouls = " + std::to_string(n)}, [&] {
      crystal.set(call, epsinv, n, 3, columns);
      call.run();
    });
    refused(call, {"ngpown is " + std::to_string(n + 1), "ncouls is " + std::to_string(n)}, [&] {
      crystal.set(call, Complexes(static_cast<size_t>(n * (n + 1)), Complex(0.4)), n + 1);
      call.run();
    });
    Crystal bad = crystal;
    bad.rho[static_cast<size_t>(place_of(bad.g_rho, {0, 0, 0}))] = 0;
    refused(call, {"rho is 0 electrons at G = 0"}, [&] {
      bad.set(call, epsinv, n);
      call.run();
    });
    bad = crystal;
    bad.bdot[4] = -0.3;
    refused(call, {"bdot is not positive definite"}, [&] {
      bad.set(call, epsinv, n);
      call.run();
    });
    bad = crystal;
    bad.bdot[1] = 0.07;
    refused(call, {"bdot(2,1) is 0.07 but bdot(1,2) is 0.06"}, [&] {
      bad.set(call, epsinv, n);
      call.run();
    });
    bad = crystal;
    bad.g_rho[1] = {0, 0, 9999};
    refused(call, {"g_rho(3,2) is 9999"}, [&] {
      bad.set(call, epsinv, n);
      call.run();
    });
    call.choose("model", "godby_needs");
    refused(call, {"godby_needs", "epsinv_imaginary", "not set"}, [&] {
      crystal.set(call, epsinv, n);
      call.run();
    });
    refused(call, {"w_imaginary is 0 eV"}, [&] {
      crystal.set(call, epsinv, n);
      call.complexes("epsinv_imaginary", epsinv, {n, n});
      call.run();
    });
  });
}

BOOST_AUTO_TEST_CASE(of_a_polarizability) {
  const Complexes aqs(6, Complex(0.5, 0.25));
  standard_kept("gw.chi", [&](Call& call) {
    const auto set = [&](const Complexes& z, int64_t nfreq) {
      call.forget();
      call.complexes("aqs", aqs, {3, 2});
      call.numbers("delta", {0.5, 0.75}, {2});
      call.numbers("weight", {0.01, 0.02}, {2});
      if (!z.empty()) call.complexes("z", z, {count(z)});
      call.complexes("chi", Complexes(static_cast<size_t>(9 * nfreq)), {3, 3, nfreq});
    };
    set({0.1, Complex(0.75, 0)}, 2);
    refused(call, {"z(2) is (0.75, 0)", "delta(2) is 0.75 Ry"}, [&] { call.run(); });
    set({0.1, Complex(0.75, 0.01)}, 2);
    call.run();
    set({}, 2);
    refused(call, {"z is not set", "nfreq is 2"}, [&] { call.run(); });
    set({}, 1);
    call.numbers("chi_imaginary", Numbers(9), {3, 3, 1});
    refused(call, {"chi_imaginary is set", "aqs is complex"}, [&] { call.run(); });
    set({}, 1);
    call.indices("indigp", {1, 4, 2}, {3});
    refused(call, {"indigp(2) is 4", "0 to ncouls = 3"}, [&] { call.run(); });
    set({}, 1);
    call.complexes("chi", Complexes(12), {3, 4, 1});
    refused(call, {"ngpown is 4", "ncouls is 3"}, [&] { call.run(); });
    call.forget();
    call.numbers("aqs", Numbers(6, 0.5), {3, 2});
    call.numbers("delta", {0.5, 0.75}, {2});
    call.numbers("weight", {0.01, 0.02}, {2});
    call.complexes("z", {Complex(0.2, 0.1)}, {1});
    call.numbers("chi", Numbers(9), {3, 3, 1});
    refused(call, {"z(1) is (0.2, 0.1)", "chi_imaginary"}, [&] { call.run(); });
  });
}

BOOST_AUTO_TEST_SUITE_END()
