// SPDX-License-Identifier: BSD-3-Clause
#include <boost/test/unit_test.hpp>

#include <set>
#include <sstream>

#include "files.hpp"
#include "gw/gw_app.hpp"

using namespace suite::gw;
using suite::app::Input;

namespace {

const auto inputs = test::source / "inputs";

std::string without_folder(std::string text) {
  for (size_t at; (at = text.find(inputs.string() + "/")) != std::string::npos;) text.erase(at, inputs.string().size() + 1);
  return text;
}

// What checking an input with these changes says, without the folder of the inputs.
std::string check(const std::vector<std::string>& overrides, const char* name = "gpp.yaml") {
  std::ostringstream about;
  std::string text;
  try {
    const Input input = Input::read(inputs / name, input_keys(), overrides);
    gw_app().check(input, about);
    input.finish();
    text = about.str();
  } catch (const suite::app::InputErrors& errors) { text = errors.what(); }
  return without_folder(text);
}

void expect(const std::string& override, const std::string& sentence, const char* name = "gpp.yaml") {
  const std::string said = check({override}, name);
  BOOST_TEST(said.find("--set " + without_folder(override) + ": error: " + sentence) == 0u, "got: " << said);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_input_of_ours_is_sound) {
  for (const char* name :
       {"gpp.yaml", "silicon_78bands.yaml", "cohsex.yaml", "silicon_scratch.yaml", "gaas_scratch.yaml", "silicon_bands.yaml"}) {
    const Input input = Input::read(inputs / name, input_keys(), {});
    std::ostringstream about;
    BOOST_CHECK_NO_THROW(gw_app().check(input, about); input.finish());
    BOOST_TEST(about.str().find("2 atoms, 8 electrons") != std::string::npos, name);
  }
}

BOOST_AUTO_TEST_CASE(keys_reach_the_settings) {
  const Input input =
      Input::read(inputs / "gpp.yaml", input_keys(),
                  {"sigma.model=cohsex", "sigma.kpoints=[[0, 0, 0], [0, 0.2, 0.4]]", "sigma.gpp_broadening=0.1 Ry", "sigma.gpp_sexcutoff=3",
                   "sigma.invalid_gpp_mode=1", "sigma.exact_static_ch=true", "sigma.finite_difference_form=-3",
                   "sigma.finite_difference_spacing=0.5 eV", "sigma.frequency_grid.min=-1 eV", "sigma.frequency_grid.max=2 eV",
                   "sigma.frequency_grid.points=7", "sigma.symmetry=false", "coulomb.average=none", "coulomb.head=5000.5 Ry bohr^3",
                   "parallel.gprime_slices=2"});
  const Settings s = read_settings(input);
  BOOST_TEST(s.wavefunctions.filename() == "WFN_inner.h5");
  BOOST_TEST(s.vcoul.filename() == "vcoul.gz");
  BOOST_TEST(s.nbands == 32);
  BOOST_TEST(s.band_min == 1);
  BOOST_TEST(s.band_max == 14);
  BOOST_TEST((s.model == Model::cohsex));
  BOOST_TEST(s.kpoints.size() == 2u);
  BOOST_TEST(s.kpoints[1][2] == 0.4);
  BOOST_TEST(s.gpp_broadening_eV == 1.360569253, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(s.gpp_sexcutoff == 3);
  BOOST_TEST(s.invalid_gpp_mode == 1);
  BOOST_TEST(s.exact_static_ch);
  BOOST_TEST(s.finite_difference_form == -3);
  BOOST_TEST(s.finite_difference_spacing_eV == 0.5);
  BOOST_TEST(s.frequency_grid_min_eV == -1);
  BOOST_TEST(s.frequency_grid_max_eV == 2);
  BOOST_TEST(s.frequency_grid_points == 7);
  BOOST_TEST(!s.symmetry);
  BOOST_TEST((s.coulomb == CoulombMode::none));
  BOOST_TEST(s.coulomb_head == 5000.5);
  BOOST_TEST(s.gprime_slices == 2);
}

BOOST_AUTO_TEST_CASE(elements_between_two_bands_are_listed) {
  const auto read = [](const std::string& override) {
    return read_settings(Input::read(inputs / "gpp.yaml", input_keys(), {"sigma.bands=[2, 4]", override}));
  };
  BOOST_TEST((read("sigma.offdiag=[[2, 3, 4], [4, 2, 2]]").offdiag == std::vector<Element>{{2, 3, 4}, {4, 2, 2}}));
  BOOST_TEST((read("sigma.sigma_matrix=[-1, -1]").offdiag ==
              std::vector<Element>{{2, 2, 2}, {3, 2, 3}, {3, 3, 3}, {4, 2, 4}, {4, 3, 4}, {4, 4, 4}}));
  BOOST_TEST((read("sigma.sigma_matrix=[-2, 1]").offdiag ==
              std::vector<Element>{{2, 2, 2}, {2, 3, 3}, {2, 4, 4}, {3, 3, 3}, {3, 4, 4}, {4, 4, 4}}));
  const Settings all = read("sigma.sigma_matrix=[3, 0]");
  BOOST_TEST(all.offdiag.size() == 9u);
  BOOST_TEST((all.offdiag[1] == Element{2, 3, 3}));
  BOOST_TEST((all.sigma_matrix == std::array{3, 0}));
  BOOST_TEST((all.symmetry && !all.wedge()));
  BOOST_TEST(read("sigma.sigma_matrix=[0, 0]").offdiag.empty());
}

BOOST_AUTO_TEST_CASE(keys_are_told_apart_and_explained) {
  std::set<std::string> seen;
  for (const auto& key : input_keys()) {
    BOOST_TEST(seen.insert(key.path).second, key.path);
    BOOST_TEST(std::string(key.meaning).size() > 10u, key.path);
  }
}

BOOST_AUTO_TEST_CASE(what_an_input_cannot_mean_is_said_where_it_stands) {
  expect("sigma.bands=[14,1]", "'bands' goes from the first to the last band; got 14 to 1");
  expect("sigma.bands=[1,2,3]", "'bands' is the first and the last band, such as [1, 14]; got 3 numbers");
  expect("sigma.bands=[1,40]", "external bands 1 to 40 are asked for; the bands are 1 to 33");
  expect("system.nbands=3",
         "number of bands: 3 asked for; 4 (the occupied ones) to 33 are possible with "
         "data/silicon/WFN_inner.h5");
  expect("sigma.kpoints=[[0,0]]", "k point 1 has 2 coordinates; it needs 3");
  expect("sigma.kpoints=[]", "'kpoints' is empty; leave it out for all k points of the file");
  expect("sigma.kpoints=[[0,0,0],[0,0,0]]", "k points 1 and 2 are the same");
  expect("sigma.kpoints=[[0,0,0.1]]", "k = (0, 0, 0.1) is not among the 10 k points of data/silicon/WFN_inner.h5");
  expect("sigma.offdiag=[[1,2]]", "element 1 has 2 numbers; it needs 3: n, m and l");
  expect("sigma.offdiag=[[1,2,1],[1,15,1]]", "element 2 has a band 15; they go from 1 to 14 ('bands')");
  expect("sigma.offdiag=[[1,2,1.5]]", "element 1 has a band 1.5; they go from 1 to 14 ('bands')");
  expect("sigma.offdiag=[[1,2,1],[1,2,1]]", "element 2 is there twice: 1 2 1");
  expect("sigma.sigma_matrix=[1]", "'sigma_matrix' is [l, t], such as [-1, 0]; got 1 numbers");
  expect("sigma.sigma_matrix=[15,0]", "l must be -1, -2 or a band from 1 to 14 ('bands'); got 15");
  expect("sigma.sigma_matrix=[-1,2]", "t must be one of -1, 0, 1; got 2");
  expect("sigma.frequency_grid.min=6 eV", "'max' of the frequency grid, 5.000000 eV, must be above its 'min', 6.000000 eV");
  expect("sigma.model=godby_needs",
         "Godby-Needs needs eps^-1 at zero and at one imaginary frequency; data/silicon/eps0mat.h5 has 1 "
         "frequency");
}

BOOST_AUTO_TEST_CASE(wavefunctions_for_eps_that_cannot_be_used_are_blamed_on_their_keys) {
  const auto expect_gaas = [](const std::string& override, const std::string& sentence) {
    expect(override, sentence, "gaas_scratch.yaml");
  };
  expect_gaas("epsilon.cutoff=12 Ry", "the cutoff of eps, 12 Ry, is above that of the wavefunctions in data/gaas/WFN.h5, 11 Ry");
  expect_gaas("epsilon.nbands=6", "bands 6 and 7 are degenerate at k = ");
  expect_gaas("epsilon.nbands=30", "number of bands: 30 asked for; 4 (the occupied ones) to 19 are possible with data/gaas/WFN.h5");
  expect_gaas("epsilon.q_grid=[3, 3, 3]", "k + q = ");
  expect_gaas("epsilon.q0=[0, 0, 0.002]", "k + q = ");
  expect_gaas("epsilon.wavefunctions_q0=" + (inputs / "data/gaas/WFN.h5").string(),
              "the k points of data/gaas/WFN.h5 are those of data/gaas/WFN.h5, not moved by");
  expect_gaas("epsilon.wavefunctions_q0=" + (inputs / "data/gaas/RHO").string(), "data/gaas/RHO: this holds a charge density (RHO)");
  expect_gaas("epsilon.wavefunctions_q0=" + (inputs / "data/silicon/WFNq.h5").string(),
              "data/gaas/WFN.h5 and data/silicon/WFNq.h5 describe different cells");
  expect_gaas("system.eps0=" + (inputs / "data/gaas/eps0mat.h5").string(),
              "'epsilon' computes the dielectric matrix; leave one of them out");
  expect_gaas("epsilon.real_frequencies=[1, 2 eV]", "'model: godby_needs' takes eps^-1 at zero and at 'imaginary_frequency' alone");
  expect_gaas("epsilon.broadening=1 eV", "'broadening' is the imaginary part of 'real_frequencies', which are missing");
  const auto expect_silicon = [](const std::string& override, const std::string& sentence) {
    expect(override, sentence, "silicon_scratch.yaml");
  };
  expect_silicon("epsilon.real_frequencies=[2, 1 eV]", "'real_frequencies' must increase; got 2 eV and then 1 eV");
  expect_silicon("epsilon.imaginary_frequencies=[1, 1 eV]", "'imaginary_frequencies' must increase; got 1 eV and then 1 eV");
  expect_silicon("epsilon.real_frequencies=[]", "'real_frequencies' is empty; leave it out for the static limit alone");
  expect_silicon("epsilon.imaginary_points=20", "'imaginary_points' makes a grid for 'model: contour_deformation', which is not chosen");
  expect_silicon("epsilon.real_step=1 eV", "'real_step' makes a grid for 'model: contour_deformation', which is not chosen");
  for (const char* wrong : {"real_frequencies=[1, 2]", "real_frequencies=[-1 eV]", "imaginary_frequencies=[0, 1 eV]", "broadening=0 eV"}) {
    const std::string said = check({std::string("epsilon.") + wrong}, "silicon_scratch.yaml"), key = std::string(wrong).substr(0, 9);
    BOOST_TEST(said.find("error: 'epsilon." + key) != std::string::npos, said);
  }
  // A half of what is needed.
  const std::string half = check({"epsilon.nbands=12"});
  BOOST_TEST(half.find("missing key 'wavefunctions_q0' in 'epsilon'") != std::string::npos, half);
  BOOST_TEST(half.find("missing key 'cutoff' in 'epsilon'") != std::string::npos, half);
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_with_eps_needs_wavefunctions_alone) {
  const auto data = inputs / "data/gaas";
  const std::string wavefunctions = "app: gw\nsystem:\n  wavefunctions: " + (data / "WFN.h5").string() + "\n";
  const std::string epsilon = "epsilon:\n  wavefunctions_q0: " + (data / "WFNq.h5").string() + "\n  cutoff: 7 Ry\n  nbands: 18\n";
  const auto said = [](const std::string& text) {
    const test::TemporaryFile file("short.yaml", text);
    std::ostringstream about;
    try {
      const Input input = Input::read(file.path(), input_keys(), {});
      gw_app().check(input, about);
      input.finish();
    } catch (const suite::app::InputErrors& errors) { return std::string(errors.what()); }
    return about.str();
  };
  const std::string only = said(wavefunctions + epsilon + "  only: true\n");
  BOOST_TEST(only.find("epsilon  3 q of the 2x2x2 grid, up to 113 G within 7 Ry; 32 k with 56 pairs of bands each") == 0u, only);
  const std::string sigma = said(wavefunctions + epsilon);
  for (const char* key : {"'density' in 'system'", "'vxc' in 'system'", "'bands' in 'sigma'"})
    BOOST_TEST(sigma.find(std::string("missing key ") + key) != std::string::npos, sigma);
  const std::string nothing = said(wavefunctions);
  BOOST_TEST(nothing.find("missing key 'eps0' in 'system': eps0mat.h5 (or 'epsilon', from which it is computed)") != std::string::npos,
             nothing);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_used_is_blamed_on_its_key) {
  const std::string other = (inputs / "data/silicon_78bands/").string();
  expect("system.vxc=" + (inputs / "data/silicon/RHO").string(), "data/silicon/RHO: this holds a charge density (RHO)");
  expect("system.density=" + (inputs / "data/silicon/vxc.dat").string(), "data/silicon/vxc.dat: record 1 (title) ");
  expect("system.wavefunctions=" + (inputs / "data/silicon/RHO").string(), "data/silicon/RHO: ");
  expect("system.eps0=" + (inputs / "data/silicon/epsmat.h5").string(), "data/silicon/epsmat.h5: dataset eps_header/qpoints/nq");
  expect("system.density=" + other + "RHO", "data/silicon/WFN_inner.h5 and data/silicon_78bands/RHO describe different cells");
  expect("system.eps=" + other + "epsmat.h5", "data/silicon/eps0mat.h5 and data/silicon_78bands/epsmat.h5 describe different cells");
  expect("system.vxc=" + other + "vxc.dat", "data/silicon_78bands/vxc.dat has no k point (0 0 0.2) among its 8");
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_asked_for) {
  const auto data = inputs / "data/silicon";
  const test::TemporaryFile file("short.yaml", "app: gw\nsystem:\n  wavefunctions: " + (data / "WFN_inner.h5").string() +
                                                   "\n  density: " + (data / "RHO").string() + "\n  vxc: " + (data / "vxc.dat").string() +
                                                   "\n  eps0: " + (data / "eps0mat.h5").string() +
                                                   "\nsigma: {bands: [1, 8]}\ncoulomb: {average: file}\n");
  std::string text;
  std::ostringstream about;
  try {
    const Input input = Input::read(file.path(), input_keys(), {});
    gw_app().check(input, about);
    input.finish();
  } catch (const suite::app::InputErrors& errors) { text = errors.what(); }
  BOOST_TEST(text.find(":6:9: error: 'eps' is missing in 'system': ") != std::string::npos, text);
  BOOST_TEST(text.find("eps0mat.h5 holds q -> 0 only, and its q grid is 5 x 5 x 5\n") != std::string::npos, text);
  BOOST_TEST(text.find(":8:20: error: 'average: file' takes v(q+G) from a file; name it in 'coulomb.file'\n") != std::string::npos, text);
}
