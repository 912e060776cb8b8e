// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <sstream>

#include <nlohmann/json.hpp>

#include "gw/output.hpp"
#include "measure/plot.hpp"
#include "files.hpp"

using namespace suite::gw;

namespace {

const char* const runs[] = {"silicon",
                            "silicon/noavg",
                            "silicon_78bands/ref/a_default_ch1",
                            "silicon_78bands/ref/b_cohsex_nb8",
                            "silicon_78bands/ref/b_cut",
                            "silicon_78bands/ref/b_cut_ch0_nb14",
                            "silicon_78bands/ref/b_cut_ch1_nb38",
                            "silicon_78bands/ref/b_cut_gamma_fdf0"};

// A reference run read back as if we had computed it.
struct Run {
  explicit Run(const std::string& name) : folder(test::source / "inputs/data" / name), log(read_sigma_log(folder / "sigma_hp.log")) {
    text = test::read(folder / "sigma_hp.log");
    const bool primed = text.find("CH`") != std::string::npos;
    settings.exact_static_ch = primed;
    if (name.find("cohsex") != std::string::npos) settings.model = Model::cohsex, settings.exact_static_ch = !primed;
    if (name.find("fdf0") != std::string::npos) settings.finite_difference_form = 0;
    result.kpoints = log.kpoints;
    result.occupied = {4, 0};
    result.system = "2 atoms, 8 electrons";
  }
  Solution solution() const { return {settings, result, log.states}; }
  std::filesystem::path folder;
  SigmaLog log;
  std::string text;
  Settings settings;
  Result result;
};

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

// Every tag that is opened is closed, in order: the part of being XML that a generator gets wrong.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (size_t at = 0; (at = xml.find('<', at)) != std::string::npos;) {
    const size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return false;
    const std::string name = tag.substr(tag[0] == '/', tag.find_first_of(" /", 1) - (tag[0] == '/'));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty() && xml.find("nan") == std::string::npos && xml.find("inf") == std::string::npos;
}

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

}  // namespace

BOOST_AUTO_TEST_CASE(eqp_files_are_those_of_the_reference_code_byte_for_byte) {
  for (const char* name : runs) {
    const Run run(name);
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(eqp_file(run.solution(), &Quasiparticle::eqp0) == test::read(run.folder / "eqp0.dat"));
      BOOST_TEST(eqp_file(run.solution(), &Quasiparticle::eqp1) == test::read(run.folder / "eqp1.dat"));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_log_has_the_lines_of_the_reference_code) {
  for (const char* name : runs) {
    const Run run(name);
    // Of the reference: no list of symmetries, which stands between two known lines, and not the notes at the
    // end.
    std::vector<std::string> expected;
    bool symmetries = false;
    for (const auto& line : lines(run.text)) {
      if (line.find("=====") != std::string::npos) break;
      if (line == " symmetries") symmetries = true;
      if (line.find("k =") != std::string::npos) symmetries = false;
      if (!symmetries && !line.empty()) expected.push_back(line);
    }
    std::vector<std::string> ours;
    for (const auto& line : lines(sigma_log(run.solution()))) {
      if (line.rfind(" n: band", 0) == 0) break;
      if (!line.empty()) ours.push_back(line);
    }
    BOOST_TEST_CONTEXT(name) { BOOST_TEST(ours == expected, boost::test_tools::per_element()); }
  }
}

// Its tables of elements between two bands, read back and written again: the same lines, but the last digit of sums.
BOOST_AUTO_TEST_CASE(elements_between_two_bands_stand_as_in_the_reference_code) {
  const auto file = test::source / "tests/data/si_epm/sigma_hp.log";
  const SigmaLog log = read_sigma_log(file);
  Result result;
  result.kpoints = log.kpoints;
  result.occupied = {4, 0};
  result.off_diagonal = log.off_diagonal;
  Settings settings;
  const auto tables = [](const std::string& text) {
    std::vector<std::string> all;
    bool inside = false;
    for (const auto& line : lines(text)) {
      if (line == "   E2 = E0") inside = true;
      if (line.empty() || line[0] == '=') inside = false;
      if (inside) all.push_back(line);
    }
    return all;
  };
  const auto ours = tables(sigma_log({settings, result, log.states})), expected = tables(test::read(file));
  BOOST_TEST_REQUIRE(ours.size() == 24u);
  BOOST_TEST_REQUIRE(expected.size() == ours.size());
  for (size_t i = 0; i < ours.size(); ++i) {
    BOOST_TEST(ours[i].size() == expected[i].size(), ours[i] << " instead of " << expected[i]);
    if (i % 8 < 2) BOOST_TEST(ours[i] == expected[i]);
    if (i % 8 < 2) continue;
    constexpr size_t begins = 22, width = 15;
    BOOST_TEST(ours[i].substr(0, begins) == expected[i].substr(0, begins));
    for (size_t at = begins; at < ours[i].size(); at += width)
      BOOST_TEST(std::abs(std::stod(ours[i].substr(at, width)) - std::stod(expected[i].substr(at, width))) <= 2.1e-9,
                 ours[i] << " instead of " << expected[i]);
  }
  const auto json = results({settings, result, log.states})["off_diagonal"];
  BOOST_TEST_REQUIRE(json.size() == 9u);
  BOOST_TEST(json[1]["m"] == 8);
  BOOST_TEST(json[4]["x_eV"][0].get<double>() == -1.100178565);
  BOOST_TEST(std::abs(json[4]["sigma_eV"][0].get<double>() + 0.805090477) <= 2.1e-9);
}

// Several energies, and Vxc that the file does not have.
BOOST_AUTO_TEST_CASE(a_table_of_elements_for_each_energy) {
  const Run run("silicon_78bands/ref/b_cut_gamma_fdf0");
  Result result = run.result;
  OffDiagonal o;
  o.element = {2, 3, 2};
  o.x = {1, -1};
  o.iw = {1, 2, 3};
  o.sx = {{0.1, 0}, {0.2, 0}, {0.3, 0}};
  o.ch = {{-0.1, 0.5}, {-0.2, 0.5}, {-0.4, 0.5}};
  result.off_diagonal = {o};
  const std::string text = sigma_log({run.settings, result, run.log.states});
  for (const char* line :
       {"   E1 = E0 - dE\n   n   m   l                        X       SX(E1)-X         CH(E1)        Sig(E1)            Vxc",
        "   2   3   2   real       1.000000000    0.300000000   -0.400000000    0.900000000    0.000000000",
        "   2   3   2   imag      -1.000000000    0.000000000    0.500000000   -0.500000000    0.000000000", "\n   E2 = E0\n",
        "\n   E3 = E0 + dE\n", "Vxc between two bands is 0 where the file of Vxc does not have it"})
    BOOST_TEST(text.find(line) != std::string::npos, line);
  const auto json = results({run.settings, result, run.log.states})["off_diagonal"];
  BOOST_TEST_REQUIRE(json.size() == 3u);
  BOOST_TEST(json[2]["energy_eV"] == 1.0);
  BOOST_TEST(!json[0].contains("vxc_eV"));
  const test::TemporaryFile file("sigma_hp.log", text);
  const SigmaLog again = read_sigma_log(file.path());
  BOOST_TEST_REQUIRE(again.off_diagonal.size() == 1u);
  BOOST_TEST((again.off_diagonal[0].iw == o.iw));
  BOOST_TEST((again.off_diagonal[0].ch == o.ch));
  BOOST_TEST(again.states.size() == run.log.states.size());
}

BOOST_AUTO_TEST_CASE(the_log_is_read_back_as_it_was_written) {
  const Run run("silicon_78bands/ref/b_cut");
  const test::TemporaryFile file("sigma_hp.log", sigma_log(run.solution()));
  const SigmaLog again = read_sigma_log(file.path());
  BOOST_TEST((again.kpoints == run.log.kpoints));
  BOOST_REQUIRE(again.states.size() == 64u);
  for (size_t i = 0; i < again.states.size(); ++i) {
    BOOST_TEST(again.states[i].band == run.log.states[i].band);
    for (auto column : {&Quasiparticle::emf, &Quasiparticle::x, &Quasiparticle::sx, &Quasiparticle::ch, &Quasiparticle::sigma,
                        &Quasiparticle::vxc, &Quasiparticle::eqp0, &Quasiparticle::eqp1, &Quasiparticle::ch_primed,
                        &Quasiparticle::sigma_primed, &Quasiparticle::eqp0_primed, &Quasiparticle::eqp1_primed, &Quasiparticle::z})
      BOOST_TEST((again.states[i].*column) == (run.log.states[i].*column));
  }
}

BOOST_AUTO_TEST_CASE(a_bad_log_is_refused_with_its_line) {
  const auto message = [](const std::string& text) {
    const test::TemporaryFile file("sigma_hp.log", text);
    const std::string said = test::failure([&] { read_sigma_log(file.path()); }), prefix = file.path().string();
    return said.substr(0, prefix.size()) == prefix ? said.substr(prefix.size()) : said;
  };
  BOOST_TEST(message("") == " has no table of quasiparticle energies");
  BOOST_TEST(message(" k = 0 0\n") == ":1: expected 'k = k1 k2 k3'");
  BOOST_TEST(message(" k = 0 0 0 ik = 1\n n Emf What\n") == ":2: unknown column What");
  BOOST_TEST(message(" k = 0 0 0 ik = 1\n n Emf X\n 1 2.0\n") == ":3: no value in column X");
}

BOOST_AUTO_TEST_CASE(the_table_for_people_is_short_and_names_the_gap) {
  const Run run("silicon");
  const std::string text = table(run.solution());
  BOOST_TEST(lines(text).size() < 50u);  // of 140 states
  for (const auto& line : lines(text)) BOOST_TEST(line.size() <= 125u);
  BOOST_TEST(text.find("    2-4 v     6.0070  -12.7947   9.1686   -8.1797  -11.8058  -11.2502  0.794    "
                       "5.4514    5.5661\n") != std::string::npos);
  BOOST_TEST(text.find("      5 c     6.5429") != std::string::npos);
  BOOST_TEST(text.find("gap 1.2015 eV (mean field 0.5360), from k = 0 0 0 (v) to 0 0.4 0.4 (c); direct at "
                       "Gamma 3.3223 eV (mean field 2.5603)\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_empty_bands_there_is_a_table_and_no_gap) {
  Run run("silicon");
  run.result.occupied = {14, 0};
  const std::string text = table(run.solution());
  BOOST_TEST(text.find("gap") == std::string::npos);
  BOOST_TEST(text.find("k = 0 0 0\n") != std::string::npos);
  BOOST_TEST(results(run.solution())["gap_eV"].is_null());
  BOOST_TEST(well_formed(plot(run.solution())));
}

BOOST_AUTO_TEST_CASE(results_hold_every_state_and_the_gap) {
  const Run run("silicon_78bands/ref/b_cut");
  const auto out = results(run.solution());
  BOOST_TEST(out["quasiparticle"].size() == 64u);
  const auto& row = out["quasiparticle"][9];
  const auto& state = run.log.states[9];
  const char* keys[] = {"k",        "band",   "emf_eV", "x_eV",    "sx_minus_x_eV", "ch_eV",
                        "sigma_eV", "vxc_eV", "z",      "eqp0_eV", "eqp1_eV",       "static_remainder_eV"};
  for (const char* key : keys) BOOST_TEST(row.contains(key), key);
  BOOST_TEST(row.size() == std::size(keys));
  BOOST_TEST(row["band"] == 2);
  BOOST_TEST(row["k"] == (nlohmann::ordered_json{0.0, 0.0, 0.25}));
  BOOST_TEST(row["eqp1_eV"].get<double>() == state.eqp1);
  BOOST_TEST(row["ch_eV"].get<double>() == state.ch);
  BOOST_TEST(std::abs(out["gap_gamma_eV"].get<double>() - 3.338936) < 1e-6);  // Gamma25v to Gamma15c: 3.3389 in its notes
  BOOST_TEST(std::abs(out["gap_gamma_mean_field_eV"].get<double>() - 2.558575826) < 1e-8);
}

BOOST_AUTO_TEST_CASE(the_plot_holds_every_state_twice) {
  const Run run("silicon");
  const std::string svg = plot(run.solution());
  BOOST_TEST(well_formed(svg));
  const size_t valence = 40, all = 140;
  BOOST_TEST(count(svg, "<circle") == valence + 1);  // and one in the legend
  BOOST_TEST(count(svg, "width=\"5.6\"") == (all - valence) + all + 2);  // empty bands; mean-field levels; two legends
  BOOST_TEST(svg.find("http://") == svg.find("http://www.w3.org/2000/svg"));  // nothing is loaded from anywhere
  BOOST_TEST(svg.find("0.2 0.4 0.6") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(plots_survive_what_cannot_be_drawn) {
  using namespace suite::plot;
  BOOST_TEST(well_formed(svg("nothing", {})));
  BOOST_TEST(well_formed(svg("<a & \"b\">", {Panel{"empty", "x", "y", {}, {}, {}}})));
  const Series one{"one point", {1.0}, {2.0}, Marker::triangle, Line::dashed};
  const Series holes{"holes", {1.0, 2.0, 3.0, 4.0, 5.0}, {1.0, NAN, 2.0, INFINITY, 1e300}, Marker::dash, Line::solid};
  const Series shorter{"lengths differ", {1.0, 2.0, 3.0}, {1.0}, Marker::open_circle, Line::solid};
  BOOST_TEST(well_formed(
      svg("odd", {Panel{"p", "x", "y", {one}, {}, {}}, Panel{"p", "x", "y", {one, holes, shorter}, {}, {{0.1, 0.2, "band"}}}})));
}

BOOST_AUTO_TEST_CASE(ticks_are_round_numbers) {
  using suite::plot::ticks;
  const std::vector<double> expected{-0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6};
  const auto found = ticks(-0.7, 0.7, 6);
  BOOST_REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) BOOST_TEST(std::abs(found[i] - expected[i]) < 1e-12);
  BOOST_TEST(ticks(1, 1, 5).empty());
  BOOST_TEST(ticks(0, NAN, 5).empty());
}
