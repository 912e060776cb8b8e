// SPDX-License-Identifier: BSD-3-Clause
// gw.screening against poles that are known because eps^-1 is made of them. Compared element by element, each
// relative to itself: beside w = 1e12 eV of the static limit no error of another pole would be seen.
#include "support.hpp"

using namespace gw_test;

namespace {

// A root of a quotient of products, eV.
constexpr double pole_allowed = 1e-12;

double each_relative(const Complexes& a, const Complexes& b) {
  double most = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    const double size = std::abs(b[i]), off = size > 0 ? std::abs(a[i] - b[i]) / size : std::abs(a[i]);
    if (!(off <= most)) most = std::isnan(off) ? HUGE_VAL : off;
  }
  return most;
}

// Poles of 5 to 60 eV with the strengths that Omega^2 gives them; where `negative` (i % 3 == 1), I has the
// opposite sign.
struct Made {
  Complexes I, w;
};
Made made(const Crystal& crystal, bool negative) {
  const int64_t n = count(crystal.g);
  const Numbers w = random_numbers(n * n, 21, 5, 60);
  Made m;
  for (int64_t igp = 0; igp < n; ++igp)
    for (int64_t ig = 0; ig < n; ++ig) {
      const auto i = static_cast<size_t>(igp * n + ig);
      const bool invalid = negative && i % 3 == 1;
      const Complex I = crystal.omega2(ig, igp) / (w[i] * w[i]) * (invalid ? -1.0 : 1.0);
      m.I.push_back(I);
      m.w.push_back(I == 0.0 ? 0 : invalid ? -w[i] : w[i]);  // negative: no pole
    }
  return m;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(poles)

BOOST_AUTO_TEST_CASE(of_the_sum_rule_are_found_again) {
  const Crystal crystal({0.2, -0.3, 0.1});
  const Made m = made(crystal, false);
  each_model("hybertsen_louie", [&](Call& call) {
    crystal.set(call, epsinv_of(m.I, count(crystal.g)), count(crystal.g));
    call.run();
    check_below(call, "distance of I", distance(call.get_complexes("I_eps_array"), m.I),
                1e-15 + 1e-15 * largest(m.I));
    check_below(call, "relative distance of a pole", each_relative(call.get_complexes("wtilde_array"), m.w),
                pole_allowed);
  });
}

BOOST_AUTO_TEST_CASE(that_are_none_follow_the_mode) {
  const Crystal crystal({0.2, -0.3, 0.1});
  const Made m = made(crystal, true);
  for (const char* model : {"hybertsen_louie", "godby_needs"})
    each_model(model, [&](Call& call) {
      const bool second = model[0] == 'g';
      const double w_i = 20;
      // Of two frequencies w^2 is complex, with the negative axis as the cut of its root: not on it.
      const Complex turned = second ? Complex(1, 0.2) : Complex(1);
      for (const int32_t mode : {0, 1, 2, 3, -1}) {
        crystal.set(call, epsinv_of(m.I, count(crystal.g)), count(crystal.g), mode);
        if (second) {
          // I w^2/(w^2 + w_i^2), w^2 negative where there is no pole
          Complexes I_i = m.I;
          for (size_t i = 0; i < I_i.size(); ++i) {
            const Complex w2 = m.w[i] * std::abs(m.w[i]) * (m.w[i].real() < 0 ? turned : Complex(1));
            I_i[i] *= w2 / (w2 + w_i * w_i);
          }
          call.complexes("epsinv_imaginary", epsinv_of(I_i, count(crystal.g)),
                         {count(crystal.g), count(crystal.g)});
          call.scalar("w_imaginary", w_i);
        }
        call.run();
        Complexes expected = m.w;
        for (Complex& w : expected)
          if (w.real() < 0)
            w = mode == 0   ? 0
                : mode == 1 ? Complex(0, second ? w.real() : -w.real()) *
                                  std::sqrt(turned)  // its real part is positive
                : mode == 2 ? 27.21138506
                            : 1e12;
        // From two frequencies: eps^-1 as stored has lost the last digits of a small I.
        check_below(call, std::string(model) + ", relative distance of a pole, mode " + std::to_string(mode),
                    each_relative(call.get_complexes("wtilde_array"), expected),
                    second ? 1e-9 : pole_allowed);
      }
    });
}

// Without poles: I as it is, w = 1e12 eV everywhere.
BOOST_AUTO_TEST_CASE(of_the_static_limit) {
  const Crystal crystal({0.2, -0.3, 0.1}, 2);
  const int64_t n = count(crystal.g);
  const Complexes I = random_bands(n * n, 22);
  each_model("static", [&](Call& call) {
    crystal.set(call, epsinv_of(I, n), n);
    call.run();
    check_below(call, "distance of I", distance(call.get_complexes("I_eps_array"), I), 1e-15);
    check_below(call, "distance of w",
                distance(call.get_complexes("wtilde_array"), Complexes(I.size(), 1e12)), 0);
  });
}

// |I| below 1e-6 counts as none; above, it stays although |Omega^2| below 1e-6 eV^2 has no pole.
BOOST_AUTO_TEST_CASE(below_the_thresholds_are_none) {
  Crystal crystal({0.2, -0.3, 0.1}, 2);
  const int64_t n = count(crystal.g);
  Complexes I(static_cast<size_t>(n * n), Complex(0.3, 0.1));
  I[1] = Complex(0.7e-6, 0.7e-6);    // |I| = 0.99e-6
  I[2] = Complex(0.75e-6, 0.75e-6);  // 1.06e-6
  for (size_t i = 0; i < crystal.rho.size(); ++i)
    if (crystal.g_rho[i] == plus(crystal.g[3], crystal.g[0], -1)) crystal.rho[i] = 1e-9;
  each_model("hybertsen_louie", [&](Call& call) {
    crystal.set(call, epsinv_of(I, n), n);
    call.run();
    const Complexes found = call.get_complexes("I_eps_array"), w = call.get_complexes("wtilde_array");
    BOOST_CHECK_MESSAGE(found[1] == 0.0 && w[1] == 0.0, call.label() << ": I of 0.99e-6 is kept");
    BOOST_CHECK_MESSAGE(found[2] != 0.0 && w[2] != 0.0, call.label() << ": I of 1.06e-6 is lost");
    BOOST_CHECK_MESSAGE(std::abs(found[3] - I[3]) <= 1e-15 && w[3] == 0.0,
                        call.label() << ": no Omega^2, but w = " << w[3]);
  });
}

// q -> 0: the head has the plasma frequency, the rest of its row no pole; the column has v of its rows.
BOOST_AUTO_TEST_CASE(of_q_to_zero) {
  const Crystal crystal({0, 0, 0});
  const int64_t n = count(crystal.g), zero = place_of(crystal.g, {0, 0, 0});
  Made m = made(crystal, false);
  for (int64_t igp = 0; igp < n; ++igp)
    if (igp != zero) m.I[static_cast<size_t>(igp * n + zero)] = 0.2;
  each_model("hybertsen_louie", [&](Call& call) {
    crystal.set(call, epsinv_of(m.I, n), n);
    call.run();
    check_below(call, "relative distance of a pole", each_relative(call.get_complexes("wtilde_array"), m.w),
                pole_allowed);
    check_below(call, "distance of I", distance(call.get_complexes("I_eps_array"), m.I),
                1e-15 + 1e-15 * largest(m.I));
  });
}

// Any slice of the columns, in any order, with padding.
BOOST_AUTO_TEST_CASE(of_slices_are_those_of_the_whole) {
  const Crystal crystal({0.2, -0.3, 0.1});
  const int64_t n = count(crystal.g);
  const Made m = made(crystal, true);
  const Complexes epsinv = epsinv_of(m.I, n);
  const Indices columns{static_cast<int32_t>(n), 0, 3, 7, 1};
  Complexes slice;
  for (const int32_t column : columns)
    for (int64_t ig = 0; ig < n; ++ig)
      slice.push_back(column == 0 ? Complex(0.5) : epsinv[static_cast<size_t>((column - 1) * n + ig)]);
  each_model("hybertsen_louie", [&](Call& call) {
    crystal.set(call, epsinv, n);
    call.run();
    const Complexes I = call.get_complexes("I_eps_array"), w = call.get_complexes("wtilde_array");
    crystal.set(call, slice, count(columns), 3, columns);
    call.run();
    const Complexes some_I = call.get_complexes("I_eps_array"), some_w = call.get_complexes("wtilde_array");
    for (size_t j = 0; j < columns.size(); ++j)
      for (int64_t ig = 0; ig < n; ++ig) {
        const size_t at = j * static_cast<size_t>(n) + static_cast<size_t>(ig),
                     whole = static_cast<size_t>((columns[j] - 1) * n + ig);
        const bool same = columns[j] == 0 ? some_I[at] == 0.0 && some_w[at] == 0.0
                                          : some_I[at] == I[whole] && some_w[at] == w[whole];
        BOOST_REQUIRE_MESSAGE(same, call.label()
                                        << ": column " << columns[j] << ", row " << ig << " differs");
      }
  });
}

// What gw.screening leaves on a device is what gpp.sigma takes from there: the same self-energy as by way of
// the host.
BOOST_AUTO_TEST_CASE(stay_on_the_device_for_the_sums) {
  const Crystal crystal({0.2, -0.3, 0.1});
  const int64_t n = count(crystal.g), nb = 5;
  const Complexes epsinv = epsinv_of(made(crystal, true).I, n), m = random_bands(n * nb, 23);
  const Numbers wx = random_numbers(2 * nb, 24, -9, 9), occ{1, 1, 0, 0, 0};
  const auto sigma = [&](suite::Kernel& kernel, const auto& set_screening) {
    set_screening(kernel);
    kernel.set("vcoul", crystal.vcoul.data(), {n});
    kernel.set("aqsntemp", m.data(), {n, nb});
    kernel.set("aqsmtemp", m.data(), {n, nb});
    kernel.set("wx_array", wx.data(), {2, nb});
    kernel.set("occ_array", occ.data(), {nb});
    Complexes sx(2), ch(2);
    kernel.set("asxtemp", sx.data(), {2});
    kernel.set("achtemp", ch.data(), {2});
    kernel.run();
    kernel.get("asxtemp", sx.data(), {2});
    kernel.get("achtemp", ch.data(), {2});
    sx.insert(sx.end(), ch.begin(), ch.end());
    return sx;
  };
  int tried = 0;
  for (const Found& found : implementations_of("gw.screening")) {
    if (!open_or_skip("gw.screening", found.implementation) ||
        !open_or_skip("gpp.sigma", found.implementation))
      continue;
    const suite::Device device(found.backend);
    suite::Kernel screening("gw.screening", found.implementation, &device),
        sums("gpp.sigma", found.implementation, &device);
    suite::Array<Complex> I(device, {n, n}), w(device, {n, n});
    const Indices g = flat(crystal.g), g_rho = flat(crystal.g_rho);
    screening.set("g", g.data(), {3, n});
    screening.set("g_rho", g_rho.data(), {3, count(crystal.g_rho)});
    screening.set("rho", crystal.rho.data(), {count(crystal.g_rho)});
    screening.set("epsinv", epsinv.data(), {n, n});
    screening.set("vcoul", crystal.vcoul.data(), {n});
    screening.set("q", crystal.q.data(), {3});
    screening.set("bdot", crystal.bdot.data(), {3, 3});
    screening.set("nq", crystal.nq);
    screening.set("I_eps_array", I.array());
    screening.set("wtilde_array", w.array());
    screening.run();
    const Complexes there = sigma(sums, [&](suite::Kernel& kernel) {
      kernel.set("wtilde_array", w.array());
      kernel.set("I_eps_array", I.array());
    });
    Complexes host_I(static_cast<size_t>(n * n)), host_w(host_I.size());
    I.download(host_I);
    w.download(host_w);
    suite::Kernel here("gpp.sigma", found.implementation, &device);
    const Complexes by_host = sigma(here, [&](suite::Kernel& kernel) {
      kernel.set("wtilde_array", host_w.data(), {n, n});
      kernel.set("I_eps_array", host_I.data(), {n, n});
    });
    BOOST_CHECK_MESSAGE(largest(by_host) > 0 && distance(there, by_host) == 0,
                        found.implementation << ": by device " << there[0] << ", by host " << by_host[0]);
    ++tried;
  }
  BOOST_CHECK(tried >= 2);
}

BOOST_AUTO_TEST_SUITE_END()
