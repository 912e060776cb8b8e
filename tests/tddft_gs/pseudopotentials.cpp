// SPDX-License-Identifier: BSD-3-Clause
// Pseudopotentials from files against the built-in ones they were made from, and damaged files.
#include "bench.hpp"

#include <algorithm>
#include <numbers>
#include <random>

#include "harmonics.hpp"
#include "pseudopotential_file.hpp"
#include "pseudopotential_texts.hpp"
#include "tabulated.hpp"
#include "upf.hpp"

using namespace suite;
using namespace suite::tddft;
using namespace suite::tddft::test;
using std::numbers::pi;

namespace {

// A channel of every l, the first with three projectors.
Gth of_all_l() {
  Gth p = *built_in("Si");
  p.channels = {{0, 3, {5.9, -1.2, 0.3, -1.2, 3.2, -0.4, 0.3, -0.4, 0.7}}, {1, 2, {2.7, -0.6, -0.6, 1.1}}, {2, 1, {-1.4}}, {3, 1, {0.5}}};
  p.radii = {0.42, 0.48, 0.55, 0.6};
  return p;
}

Grid fine() { return {{60, 60, 60}, {0.2, 0.2, 0.2}}; }

template <class F> void refused(F&& f, const std::string& part) { BOOST_CHECK_EXCEPTION(f(), Failure, says(part)); }

}  // namespace

BOOST_AUTO_TEST_CASE(solid_harmonics_are_orthonormal_and_have_their_gradients) {
  // Midpoints in cos(theta), whose error is 1.4e-5 at 1000 of them; equally spaced phi are exact.
  for (int l = 0; l <= largest_l; ++l)
    for (int m = 0; m <= 2 * l; ++m)
      for (int k = 0; k <= l; ++k)
        for (int n = 0; n <= 2 * k; ++n) {
          double sum = 0;
          for (int i = 0; i < 1000; ++i)
            for (int j = 0; j < 8; ++j) {
              const double z = (i + 0.5) / 500 - 1, rho = std::sqrt(1 - z * z), phi = 2 * pi * (j + 0.3) / 8;
              const Vec3 r{rho * std::cos(phi), rho * std::sin(phi), z};
              sum += solid_harmonic(l, m, r) * solid_harmonic(k, n, r) * (2.0 / 1000) * (2 * pi / 8);
            }
          close(sum, l == k && m == n, 3e-5, fmt::format("{} {} with {} {}", l, m, k, n));
        }
  const Vec3 r{0.3, -0.7, 1.1};
  for (int l = 0; l <= largest_l; ++l)
    for (int m = 0; m <= 2 * l; ++m)
      for (size_t d = 0; d < 3; ++d) {
        Vec3 up = r, down = r;
        up[d] += 1e-4, down[d] -= 1e-4;
        // The third derivative times 1e-8/6 remains.
        close(solid_harmonic_gradient(l, m, r)[d], (solid_harmonic(l, m, up) - solid_harmonic(l, m, down)) / 2e-4, 1e-7, "gradient");
      }
}

BOOST_AUTO_TEST_CASE(a_gth_file_of_a_built_in_element_is_the_built_in_one) {
  for (const std::string_view element : built_in_elements()) {
    const Gth& own = *built_in(element);
    const auto read = parse_pseudopotential("x", gth_text(own), std::string(element), "", fine(), Boundary::isolated);
    BOOST_TEST(read->charge == own.charge);
    BOOST_TEST(read->functional == "pw92");
    BOOST_REQUIRE(read->channels.size() == own.channels.size());
    for (size_t channel = 0; channel < own.channels.size(); ++channel) BOOST_TEST(read->channels[channel].h == own.channels[channel].h);
    System with_file = cube(20, 0.7, Boundary::periodic);
    with_file.atoms = {{std::string(element), {0.1, 0.2, -0.3}}};
    const System with_table = with_file;
    with_file.pseudopotentials[std::string(element)] = read;
    const auto v = local_potential(with_file), w = local_potential(with_table);
    const Nonlocal a = nonlocal_potential(with_file), b = nonlocal_potential(with_table);
    double difference = 0;
    for (size_t i = 0; i < v.size(); ++i) difference = std::max(difference, std::abs(v[i] - w[i]));
    BOOST_REQUIRE(a.beta.size() == b.beta.size());
    for (size_t i = 0; i < a.beta.size(); ++i) difference = std::max(difference, std::abs(a.beta[i] - b.beta[i]));
    close(difference, 0, 1e-10, "potentials");
  }
}

BOOST_AUTO_TEST_CASE(an_entry_of_a_gth_file_is_chosen_by_its_name) {
  Gth large = of_all_l();
  large.charge = 12;
  const std::string text =
      gth_text(of_all_l(), "GTH-PADE-q4 GTH-LDA-q4") + gth_text(large, "GTH-PBE-q12") + gth_text(*built_in("C"), "GTH-PADE-q4");
  const auto read = parse_gth("x", text, "Si", "GTH-LDA-q4");
  BOOST_TEST(read->charge == 4);
  BOOST_TEST((read->channels[0].h == of_all_l().channels[0].h));
  BOOST_TEST(read->channels[3].l == 3);
  BOOST_TEST(parse_gth("x", text, "Si", "GTH-PBE-q12")->functional == "pbe");
  refused([&] { parse_gth("x", text, "Si", ""); }, "Si has several entries; choose one as FILE:NAME (there are: GTH-LDA-q4, GTH-PBE-q12)");
  refused([&] { parse_gth("x", text, "Si", "q4"); }, "Si has no entry named 'q4'");
  refused([&] { parse_gth("x", text, "Ge", ""); }, "x:1: there is no pseudopotential of Ge, but of Si, C");
  refused([&] { parse_gth("x", "what is this", "Ge", ""); }, "neither a UPF file nor one of GTH pseudopotentials");
  const std::string one = gth_text(*built_in("Na"));
  refused([&] { parse_gth("x", one.substr(0, one.size() - 20), "Na", ""); }, "x:8: the entry ends before the number of projectors");
  refused([&] { parse_gth("x", one + "0.1", "Na", ""); }, "the entry should end here");
  refused([&] { parse_gth("x", replaced(one, "0.88550938", "O.88550938"), "Na", ""); },
          "x:4: the radius of the local potential must be a number; got 'O.88550938'");
  refused([&] { parse_gth("x", replaced(one, "0.6611039", "-0.6611039"), "Na", ""); }, "must be above 0");
  refused([&] { parse_gth("x", replaced(one, "1 0\n", "0 0\n"), "Na", ""); }, "no valence electrons");
  const auto with_core = [&](const std::string& core) { return replaced(one, "\n 2\n", "\nNLCC" + core + "\n 2\n"); };
  close(parse_gth("x", with_core(" 1\n 0.5 1 0.1"), "Na", "")->core(0).value, 0.1 / (4 * pi), 1e-15, "density of the core");
  refused([&] { parse_gth("x", with_core(" 1\n 0.5 1 -0.1"), "Na", ""); },
          "x:5: the density of the core must not be negative; it is -0.00795775 bohr^-3 at 0 bohr");
  refused([&] { parse_gth("x", with_core(" 1\n 0.5 2 0.1 -0.1"), "Na", ""); }, "x:5: the density of the core must not be negative");
  refused([&] { parse_gth("x", with_core(" 1\n 0 1 0.1"), "Na", ""); }, "x:6: the radius of the core's density must be above 0");
  refused([&] { parse_gth("x", with_core(" 9\n 1 1 0.1"), "Na", ""); }, "the number of terms of the core's density must be 0 to 8; got 9");
  refused([&] { parse_gth("x", with_core("").substr(0, with_core("").find("NLCC") + 5), "Na", ""); },
          "the entry ends before the number of terms of the core's density");
}

// The table is filtered: a fine grid leaves it as it was. 2e-5 is what 15.7 bohr^-1 of 0.2 bohr cut from these potentials, whose transforms
// have fallen to exp(-(15.7 x 0.42)^2/2) = 4e-10 there times powers of it, and what 440 points of a logarithmic mesh leave of a spline.
BOOST_AUTO_TEST_CASE(upf_files_of_both_versions_hold_what_they_were_made_from) {
  const Gth own = of_all_l();
  for (const int version : {1, 2}) {
    const RadialTables tables = parse_upf("x", upf_text(own, version));
    BOOST_TEST(tables.functional == "pw92");
    const Tabulated table(tables, fine(), Boundary::isolated);
    BOOST_TEST(table.element == "Si");
    BOOST_TEST(table.charge == 4);
    BOOST_REQUIRE(table.channels.size() == 4);
    double local = 0, slope = 0, projector = 0, steepness = 0, transform = 0;
    for (double r = 0.0; r < 8; r += 0.0371) {
      local = std::max(local, std::abs(table.local(r) - own.local(r)));
      slope = std::max(slope, std::abs(table.local_slope(r) - own.local_slope(r)));
      transform = std::max(transform, std::abs(table.local_of_q2(r * r) - own.local_of_q2(r * r)));
      for (size_t channel = 0; channel < 4; ++channel)
        for (int i = 0; i < own.channels[channel].projectors; ++i) {
          const auto a = table.radial(channel, i, r), b = own.radial(channel, i, r);
          const double scale = std::pow(r, own.channels[channel].l);
          projector = std::max(projector, std::abs(a.value - b.value) * scale);
          steepness = std::max(steepness, std::abs(a.slope - b.slope) * scale * r);
        }
    }
    close(local, 0, 2e-5, "v_loc");
    close(slope, 0, 2e-4, "its slope");
    close(transform, 0, 2e-4, "its transform");
    close(projector, 0, 1e-4, "projectors");
    close(steepness, 0, 1e-3, "their slopes");
    BOOST_TEST((table.channels[0].h == own.channels[0].h));
    close(table.spacing(), own.spacing(), 0.1, "recommended spacing");
  }
}

BOOST_AUTO_TEST_CASE(slopes_of_filtered_tables_are_those_of_their_values) {
  const Grid coarse{{16, 16, 16}, {0.6, 0.6, 0.6}};
  const Tabulated table(parse_upf("x", upf_text(of_all_l(), 2)), coarse, Boundary::isolated);
  const double step = 1e-5;
  for (double r = 0.0133; r < 4; r += 0.0977) {
    close(table.local_slope(r), (table.local(r + step) - table.local(r - step)) / (2 * step), 1e-6, "v_loc");
    for (size_t channel = 0; channel < 4; ++channel)
      close(table.radial(channel, 0, r).slope * r,
            (table.radial(channel, 0, r + step).value - table.radial(channel, 0, r - step).value) / (2 * step), 1e-5, "projector");
  }
}

// Between grid points of 0.6 bohr, far too coarse for silicon's 0.44: the norm of a projector, which a grid holds only up to half of its waves,
// changes by 0.05 instead of 0.09.
BOOST_AUTO_TEST_CASE(filtered_projectors_depend_less_on_their_place_between_points) {
  const auto norm = [](const std::shared_ptr<const Pseudopotential>& p, double shift) {
    System system = cube(24, 0.6, Boundary::periodic);
    system.atoms = {{"Si", {shift, shift, shift}}};
    system.pseudopotentials["Si"] = p;
    const Nonlocal nonlocal = nonlocal_potential(system);
    double sum = 0;
    for (int64_t s = 0; s < nonlocal.nsphere; ++s) sum += nonlocal.beta[s] * nonlocal.beta[s] * system.grid.point_volume();
    return sum;
  };
  const Grid grid = cube(24, 0.6, Boundary::periodic).grid;
  const auto filtered = std::make_shared<Tabulated>(parse_upf("x", upf_text(*built_in("Si"), 2)), grid, Boundary::periodic);
  const auto as_it_is = std::make_shared<Gth>(*built_in("Si"));
  const double rough = std::abs(norm(as_it_is, 0) - norm(as_it_is, 0.3)), smooth = std::abs(norm(filtered, 0) - norm(filtered, 0.3));
  BOOST_TEST(rough > 0.02);
  BOOST_TEST(smooth < 0.6 * rough);
}

BOOST_AUTO_TEST_CASE(upf_files_that_cannot_be_used_are_refused_with_a_sentence) {
  const std::string text = upf_text(*built_in("Si"), 2, 60), old = upf_text(*built_in("Si"), 1, 60);
  const auto changed = [&](const std::string& from, const std::string& to, const std::string& part) {
    refused([&] { parse_upf("x", replaced(text, from, to)); }, part);
  };
  changed("is_paw=\"F\"", "is_paw=\"T\"", "this is a PAW data set; only norm-conserving");
  changed("is_ultrasoft=\"F\"", "is_ultrasoft=\".true.\"", "this is an ultrasoft pseudopotential");
  changed("\"NC\"", "\"USPP\"", "this is an ultrasoft pseudopotential");
  changed("has_so=\"F\"", "has_so=\"true\"", "spin-orbit");
  changed("is_coulomb=\"F\"", "is_coulomb=\"T\"", "bare Coulomb potential");
  changed("core_correction=\".false.\"", "core_correction=\"T\"", "there is no PP_NLCC");
  changed("SLA  PW   NOGX NOGC", "SLA PW TPSS TPSS", "the functional TPSS, of the kinetic energy density");
  changed("z_valence=\"4.000\"", "z_valence=\"5.000\"", "r v_loc ends at -4 e^2, which does not fit a charge of 5");
  changed("mesh_size=\"60\"", "mesh_size=\"61\"", "PP_R has 60 numbers instead of 61");
  changed("mesh_size=\"60\"", "", "x:5: the attribute mesh_size is missing");
  changed("number_of_proj=\"3\"", "number_of_proj=\"4\"", "there is no PP_BETA.4");
  changed("angular_momentum=\"1\"", "angular_momentum=\"4\"", "angular_momentum must be 0 to 3; got 4");
  changed("</PP_LOCAL>", "", "PP_LOCAL is not closed");
  changed("<PP_DIJ>\n", "<PP_DIJ>\n1 ", "PP_DIJ has 10 numbers instead of 9");
  changed("<PP_DIJ>\n", "<PP_DIJ>\n1 2 3 4 5 6 7 8 9 </PP_DIJ>", "D must be symmetric");
  changed("<PP_DIJ>\n", "<PP_DIJ>\n1 0 1 0 1 0 1 0 1 </PP_DIJ>", "couples l = 0 with 1");
  changed("<PP_R>\n", "<PP_R>\n nan", "must be a number; got 'nan");
  refused([&] { parse_upf("x", replaced(old, " NC Norm", " US Ultrasoft")); }, "this is an ultrasoft");
  refused([&] { parse_upf("x", replaced(old, " F Nonlinear", " T Nonlinear")); }, "there is no PP_NLCC");
  const std::string cored = upf_text(with_a_core("Si"), 2, 60);
  refused([&] { parse_upf("x", replaced(cored, "<PP_NLCC>\n", "<PP_NLCC>\n 0.1 ")); }, "PP_NLCC has 61 numbers instead of 60");
  refused([&] { parse_upf("x", replaced(cored, "</PP_NLCC>", "")); }, "PP_NLCC is not closed");
  refused([&] { parse_upf("x", replaced(cored, "<PP_NLCC>\n", "<PP_NLCC>\n-")); },
          "the density of the core must not be negative; PP_NLCC is -");
  refused([&] { parse_pseudopotential("x", text, "Ge", "", fine(), Boundary::isolated); }, "x: this is a pseudopotential of Si, not of Ge");
  refused([&] { parse_pseudopotential("x", text, "Si", "q4", fine(), Boundary::isolated); }, "no entries to choose 'q4' from");
}

// Each damaged text is read, or refused with a sentence that names the file and its line.
BOOST_AUTO_TEST_CASE(ten_thousand_damaged_files_are_read_or_refused) {
  Gth with_core = of_all_l();
  with_core.core_terms = with_a_core("Si").core_terms;
  const std::string whole[] = {gth_text(with_core), upf_text(with_a_core("Na"), 1, 24), upf_text(with_a_core("Na"), 2, 24)};
  const std::string pieces[] = {"<PP_R>", "</PP_R>", "\"", "nan", "1e999",     "-1", "99999999999999999999",
                                "\n",     "<",       ">",  "0",   "PP_BETA.1", " ",  "="};
  std::mt19937_64 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  size_t read = 0, refused = 0;
  for (int n = 0; n < 10000; ++n) {
    const size_t which = below(3);
    std::string text = whole[which];
    for (size_t damage = 0, count = 1 + below(3); damage < count && !text.empty(); ++damage) {
      const size_t at = below(text.size()), length = std::min(text.size() - at, below(40));
      switch (below(5)) {
        case 0: text[at] = static_cast<char>(below(256)); break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(at, pieces[below(std::size(pieces))]); break;
        case 3: text.resize(at); break;
        default: text.insert(at, text.substr(below(text.size()), length));
      }
    }
    try {
      if (which == 0 && !is_upf(text)) {
        const auto p = parse_gth("x", text, "Si", "");
        for (const auto& channel : p->channels)
          BOOST_REQUIRE(channel.h.size() == static_cast<size_t>(channel.projectors * channel.projectors));
        BOOST_REQUIRE(std::isfinite(p->local(0.3)));
        BOOST_REQUIRE(p->core(0.3).value >= 0);
      } else {
        const RadialTables tables = parse_upf("x", text);
        for (const double v : tables.local) BOOST_REQUIRE(std::isfinite(v));
        BOOST_REQUIRE((tables.core.empty() || tables.core.size() == tables.r.size()));
        for (const auto& beta : tables.betas) BOOST_REQUIRE(beta.times_r.size() == tables.r.size());
        BOOST_REQUIRE(tables.d.size() == tables.betas.size() * tables.betas.size());
      }
      ++read;
    } catch (const Failure& failure) {
      BOOST_REQUIRE(std::string(failure.what()).rfind("x:", 0) == 0);
      BOOST_REQUIRE(failure.status() == SUITE_INVALID_ARGUMENT);
      ++refused;
    }
  }
  BOOST_TEST(read > 500);
  BOOST_TEST(refused > 1000);
}
