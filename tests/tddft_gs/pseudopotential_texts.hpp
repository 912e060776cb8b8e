// SPDX-License-Identifier: BSD-3-Clause
// Pseudopotential files made from the built-in pseudopotentials.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <boost/test/unit_test.hpp>
#include <fmt/core.h>

#include "gth.hpp"

namespace suite::tddft::test {

inline std::string gth_text(const Gth& p, const std::string& name = "GTH-PADE-q4") {
  std::string text = fmt::format("# made by a test\n{} {}\n {:g} 0\n {:.14g} 4 {:.14g} {:.14g} {:.14g} {:.14g}\n", p.element, name,
                                 p.charge, p.r_local, p.c[0], p.c[1], p.c[2], p.c[3]);
  if (!p.core_terms.empty()) text += fmt::format(" NLCC {}\n", p.core_terms.size());
  for (const auto& term : p.core_terms) {
    text += fmt::format("  {:.14g} {}", term.r, term.c.size());
    for (const double c : term.c) text += fmt::format(" {:.14g}", c);
    text += "\n";
  }
  text += fmt::format(" {}\n", p.channels.size());
  for (size_t channel = 0; channel < p.channels.size(); ++channel) {
    const auto& [l, n, h] = p.channels[channel];
    text += fmt::format(" {:.14g} {}", p.radii[channel], n);
    for (int i = 0; i < n; ++i) {
      for (int j = i; j < n; ++j) text += fmt::format(" {:.14g}", h[static_cast<size_t>(i * n + j)]);
      text += "\n";
    }
  }
  return text;
}

// A built-in pseudopotential with the density of a core, of two terms, which it was not made with.
inline Gth with_a_core(const std::string& element) {
  Gth p = *built_in(element);
  p.core_terms = {{0.7, {4.1}}, {0.55, {0.6, 0.9}}};
  return p;
}

struct Projection {
  size_t channel;
  int l, i;
};

inline std::vector<Projection> projections(const Gth& p) {
  std::vector<Projection> all;
  for (size_t channel = 0; channel < p.channels.size(); ++channel)
    for (int i = 0; i < p.channels[channel].projectors; ++i) all.push_back({channel, p.channels[channel].l, i});
  return all;
}

// On a logarithmic mesh of `points` from exp(-7) to 60 bohr. version: 1 or 2.
inline std::string upf_text(const Gth& p, int version, int points = 440) {
  const auto all = projections(p);
  const auto r = [&](int i) { return std::exp(-7 + (7 + std::log(60.0)) * i / (points - 1)); };
  const auto values = [&](auto&& f) {
    std::string text;
    for (int i = 0; i < points; ++i) text += fmt::format("{:.14e}{}", f(r(i)), i % 4 == 3 ? "\n" : " ");
    return text + "\n";
  };
  const bool two = version == 2, core = !p.core_terms.empty();
  std::string text = two ? "<UPF version=\"2.0.1\">\n<PP_INFO>\nnot XML: a < b & c\n</PP_INFO>\n" : "<PP_INFO>\n</PP_INFO>\n";
  if (two)
    text += fmt::format(
        "<PP_HEADER\nelement=\"{}\" pseudo_type=\"NC\" relativistic=\"no\" is_ultrasoft=\"F\" is_paw=\"F\" is_coulomb=\"F\"\n"
        "has_so=\"F\" core_correction=\"{}\" functional=\" SLA  PW   NOGX NOGC\" z_valence=\"{:.3f}\" mesh_size=\"{}\"\n"
        "number_of_proj=\"{}\"/>\n",
        p.element, core ? ".true." : ".false.", p.charge, points, all.size());
  else
    text += fmt::format(
        "<PP_HEADER>\n 0 Version Number\n {} Element\n NC Norm - Conserving\n {} Nonlinear Core Correction\n SLA PW NOGX NOGC PW "
        "Exchange-Correlation functional\n {:.3f} Z valence\n -1 Total energy\n 0 0 Suggested cutoff\n 1 Max angular momentum\n {} "
        "Number of points in mesh\n 0 {} Number of Wavefunctions, Number of Projectors\n</PP_HEADER>\n",
        p.element, core ? "T" : "F", p.charge, points, all.size());
  text += "<PP_MESH>\n<PP_R>\n" + values([](double x) { return x; }) + "</PP_R>\n</PP_MESH>\n";
  if (core) text += "<PP_NLCC>\n" + values([&](double x) { return p.core(x).value; }) + "</PP_NLCC>\n";
  text += "<PP_LOCAL>\n" + values([&](double x) { return 2 * p.local(x); }) + "</PP_LOCAL>\n<PP_NONLOCAL>\n";
  std::string d;
  for (size_t a = 0; a < all.size(); ++a) {
    const auto beta = values([&](double x) { return x * p.projector(all[a].channel, all[a].i, x); });
    if (two) text += fmt::format("<PP_BETA.{0} angular_momentum=\"{1}\">\n{2}</PP_BETA.{0}>\n", a + 1, all[a].l, beta);
    else text += fmt::format("<PP_BETA>\n {} {} Beta L\n {}\n{}</PP_BETA>\n", a + 1, all[a].l, points, beta);
    for (size_t b = 0; b < all.size(); ++b) {
      const auto& channel = p.channels[all[a].channel];
      const double h = all[a].channel == all[b].channel ? 2 * channel.h[static_cast<size_t>(all[a].i * channel.projectors + all[b].i)] : 0;
      d += two ? fmt::format("{:.14e} ", h) : h != 0 ? fmt::format("{} {} {:.14e}\n", a + 1, b + 1, h) : "";
    }
  }
  if (!two) d = fmt::format("{} Number of nonzero Dij\n", std::count(d.begin(), d.end(), '\n')) + d;
  return text + "<PP_DIJ>\n" + d + "\n</PP_DIJ>\n</PP_NONLOCAL>\n" + (two ? "</UPF>\n" : "");
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace suite::tddft::test
