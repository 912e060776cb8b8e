// SPDX-License-Identifier: BSD-3-Clause
// Bands between k points: what interpolation must keep, how well it predicts points that are held out, and the labels of a path.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

#include "bands.hpp"
#include "bands_output.hpp"
#include "bench.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;

namespace {

// The answer of BerkeleyGW's run on silicon, as if ours.
struct SiliconRun {
  SiliconRun() : log(read_sigma_log(data("silicon/sigma_hp.log"))) {
    settings = silicon();
    settings.bands.path = {"L", "Gamma", "X", "U|K", "Gamma"};
    settings.bands.points = 41;
    settings.bands.dos_grid = {10, 10, 10};
    result.kpoints = log.kpoints;
    result.occupied = {4, 4};
  }
  Solution solution() const { return {settings, result, log.states}; }
  SigmaLog log;
  Settings settings;
  Result result;
};

KpBands mean_field_of(const std::string& file, int bands) {
  const Wavefunctions w(data(file));
  KpBands out(0, bands, bands + 12);
  out.add(w, KpBands::Corrections(w.kpoints().size(), std::vector<double>(static_cast<size_t>(bands))));
  return out;
}

// Root mean square of E(k) - E of the file at its points, eV.
double error_at(const KpBands& bands, const std::string& file, int count) {
  const Wavefunctions w(data(file));
  double sum = 0;
  for (size_t k = 0; k < w.kpoints().size(); ++k) {
    const auto levels = bands.at(w.kpoints()[k]);
    for (int band = 0; band < count; ++band) {
      const double error = levels.mean_field[static_cast<size_t>(band)] - w.energy(static_cast<int>(k), band) * rydberg_eV;
      sum += error * error;
    }
  }
  return std::sqrt(sum / (static_cast<double>(w.kpoints().size()) * count));
}

std::string failure(const std::vector<std::string>& path, const std::vector<LabelledPoint>& own = {}) {
  const Wavefunctions w(data("silicon/WFN_inner.h5"));
  BandsSettings s;
  s.path = path;
  s.labels = own;
  try {
    path_of(s, w);
  } catch (const Failure& f) { return f.what(); }
  return "no failure";
}

Matrix3 metric_of(const std::array<Vector3, 3>& b) {
  Matrix3 out{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] = dot(b[i], b[j]);
  return out;
}

const LabelledPoint& labelled(const ZoneLabels& zone, const std::string& label) {
  for (const auto& point : zone.points)
    if (point.label == label) return point;
  throw Failure(SUITE_INTERNAL, "no label " + label);
}

}  // namespace

// 19 points of the grid shifted by half a step, the farthest that there are, from the ten of the other grid. Each band by itself, interpolated by star
// functions through the same ten points, misses them by 0.4 eV.
BOOST_AUTO_TEST_CASE(bands_of_silicon_at_points_that_were_held_out) {
  const double error = error_at(mean_field_of("silicon/WFN_inner.h5", 8), "silicon/WFN.h5", 8);
  BOOST_TEST_MESSAGE("rms " << error << " eV");
  BOOST_CHECK_MESSAGE(error <= 0.02, "rms " << error << " eV");  // 0.0157 by the same formulas in numpy
}

// A local potential has no commutator with r, and what is left is the finite basis: 3 points 2 x 2 x 2.
BOOST_AUTO_TEST_CASE(bands_of_gallium_arsenide_from_three_points) {
  const double error = error_at(mean_field_of("gaas/WFN_inner.h5", 6), "gaas/WFN.h5", 6);
  BOOST_TEST_MESSAGE("rms " << error << " eV");
  BOOST_CHECK_MESSAGE(error <= 0.04, "rms " << error << " eV");
}

BOOST_AUTO_TEST_CASE(bands_keep_the_energies_of_known_points_and_the_symmetry) {
  SiliconRun run;
  app::Outcome outcome;
  // Bands 10 and 11 are degenerate at some k points.
  run.settings.band_max = 10;
  std::erase_if(run.log.states, [](const Quasiparticle& s) { return s.band > 10; });
  band_structure(run.solution(), outcome);
  for (const auto& check : outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);

  run = SiliconRun();
  outcome = {};
  const BandStructure bands = band_structure(run.solution(), outcome);
  BOOST_TEST_REQUIRE(outcome.checks.size() == 2u);
  for (const auto& check : outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
  // Gamma, in the middle of the path, is a point of the run.
  for (size_t i = 0; i < bands.points.size(); ++i) {
    if (bands.points[i].label != "Gamma") continue;
    BOOST_TEST(bands.computed[i]);
    std::vector<double> quasiparticle;
    for (size_t band = 0; band < 14; ++band) quasiparticle.push_back(run.log.states[band].eqp1);
    std::sort(quasiparticle.begin(), quasiparticle.end());
    for (size_t band = 0; band < 14; ++band) {
      BOOST_TEST(std::abs(bands.levels[i][0].mean_field[band] - run.log.states[band].emf) <= 1e-8);
      BOOST_TEST(std::abs(bands.levels[i][0].quasiparticle(band) - quasiparticle[band]) <= 1e-8);
    }
  }
}

// Between the points of a 5 x 5 x 5 grid: LDA has 0.85 of Gamma-X and a gap below that of the nearest k point (0.536 eV), which is on that line at 0.8.
BOOST_AUTO_TEST_CASE(band_edges_of_silicon_are_between_its_k_points) {
  SiliconRun run;
  run.settings.bands.wavefunctions = data("silicon/WFN.h5");
  app::Outcome outcome;
  const BandStructure bands = band_structure(run.solution(), outcome);
  BOOST_TEST(bands.lattice == "face-centred cubic");
  BOOST_TEST(bands.path == "L-Gamma-X-U|K-Gamma");
  BOOST_TEST(bands.known == 29);
  BOOST_TEST_REQUIRE(bands.quasiparticle.has_value());
  BOOST_TEST(bands.mean_field->valence_top.place == "Gamma");
  for (const auto* edges : {&*bands.mean_field, &*bands.quasiparticle}) {
    const auto& place = edges->conduction_bottom.place;
    BOOST_TEST(place.find(" Gamma-X") == 4u, place);
    BOOST_TEST(std::abs(std::stod(place) - 0.85) < 0.03, place);
  }
  BOOST_TEST(bands.mean_field->gap() < 0.536);
  BOOST_TEST(bands.mean_field->gap() > 0.45);
  BOOST_TEST(bands.quasiparticle->gap() > bands.mean_field->gap() + 0.5);
  BOOST_TEST_REQUIRE(bands.held_out.size() == 2u);
  BOOST_TEST(bands.held_out[1].points == 19);
  BOOST_TEST(bands.held_out[1].mean_field_rms < bands.held_out[0].mean_field_rms);
  // Two electrons in every band.
  const auto& dos = bands.dos;
  double all = 0, valence = 0;
  for (size_t i = 0; i < dos.energy.size(); ++i) {
    const double part = dos.quasiparticle[0][i] * (dos.energy[1] - dos.energy[0]);
    all += part;
    if (dos.energy[i] < bands.quasiparticle->valence_top.energy + 0.5 * bands.quasiparticle->gap()) valence += part;
  }
  BOOST_TEST(std::abs(all - 28) < 1e-3);
  BOOST_TEST(std::abs(valence - 8) < 1e-2);
  const std::string figure = bands_plot(bands, "2 atoms");
  BOOST_TEST(figure.find("U|K") != std::string::npos);
  BOOST_TEST(figure.find("NaN") == std::string::npos);
  const std::string text = bands_file(bands);
  BOOST_TEST(text.find("# band 14\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(further_points_of_another_crystal_are_refused) {
  SiliconRun run;
  const Wavefunctions w(run.settings.wavefunctions);
  const auto refused = [&](const char* file) {
    try {
      require_further_file(run.settings, w, Wavefunctions(data(file)));
    } catch (const Failure& f) { return std::string(f.what()); }
    return std::string("no failure");
  };
  BOOST_TEST(refused("silicon/WFNq.h5").find("has 4 bands; 'sigma.bands' goes up to 14") != std::string::npos);
  BOOST_TEST(refused("gaas/WFN.h5").find("describe different cells") != std::string::npos);
  BOOST_TEST(refused("silicon_78bands/WFN_inner.h5").find("describe different cells") != std::string::npos);
  BOOST_TEST(refused("silicon/WFN.h5") == "no failure");
}

// The cell of a face-centred crystal in its usual form, sheared, with other axes: the same lengths of k.
BOOST_AUTO_TEST_CASE(labels_do_not_depend_on_how_a_cell_is_written) {
  const std::array<Vector3, 3> usual{{{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}}};
  const std::array<Vector3, 3> sheared{usual[0], usual[1] + usual[0], usual[2]}, swapped{-usual[2], usual[1], usual[0]};
  for (const auto& b : {usual, sheared, swapped}) {
    const Matrix3 metric = metric_of(b);
    const ZoneLabels zone = zone_labels(metric, {});
    BOOST_TEST(zone.lattice == "face-centred cubic");
    BOOST_TEST(std::abs(length2(metric, labelled(zone, "X").k) - 1) < 1e-12);
    BOOST_TEST(std::abs(length2(metric, labelled(zone, "L").k) - 0.75) < 1e-12);
    BOOST_TEST(std::abs(length2(metric, labelled(zone, "K").k) - 1.125) < 1e-12);
    BOOST_TEST(std::abs(length2(metric, labelled(zone, "W").k) - 1.25) < 1e-12);
  }
  const double c = std::sqrt(3) / 2;
  const Matrix3 hexagonal = metric_of({{{c, 0.5, 0}, {0, 1, 0}, {0, 0, 0.4}}});
  BOOST_TEST(zone_labels(hexagonal, {}).lattice == "hexagonal");
  BOOST_TEST(std::abs(length2(hexagonal, labelled(zone_labels(hexagonal, {}), "K").k) - 1.0 / 3) < 1e-12);
  const Matrix3 obtuse = metric_of({{{c, 0.5, 0}, {-c, 0.5, 0}, {0, 0, 0.4}}});
  BOOST_TEST(std::abs(length2(obtuse, labelled(zone_labels(obtuse, {}), "K").k) - 1.0 / 3) < 1e-12);
  const ZoneLabels layer = zone_labels(hexagonal, {false, false, true});
  BOOST_TEST((layer.path == std::vector<std::string>{"Gamma", "M", "K", "Gamma"}));
  BOOST_TEST(zone_labels(metric_of({{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}}), {}).lattice == "body-centred cubic");
  BOOST_TEST(zone_labels(metric_of({{{1, 0, 0}, {0, 0.7, 0}, {0, 0, 1}}}), {}).lattice == "tetragonal");
  BOOST_TEST(zone_labels(metric_of({{{1, 0, 0}, {0, 0.7, 0}, {0, 0, 1.2}}}), {}).lattice == "orthorhombic");
  BOOST_TEST(zone_labels(metric_of({{{1, 0.1, 0}, {0, 0.7, 0}, {0, 0, 1.2}}}), {}).lattice == "");
}

BOOST_AUTO_TEST_CASE(paths_have_every_labelled_point_and_jumps_of_no_length) {
  const Wavefunctions w(data("silicon/WFN_inner.h5"));
  BandsSettings s;
  s.path = {"auto"};
  s.points = 100;
  const KPath path = path_of(s, w);
  BOOST_TEST(path.name() == "L-Gamma-X-U|K-Gamma");
  std::string labels;
  for (size_t i = 0; i < path.points().size(); ++i) {
    const auto& point = path.points()[i];
    labels += point.label;
    if (i == 0) continue;
    const auto& before = path.points()[i - 1];
    if (point.jump) BOOST_TEST(point.distance == before.distance);
    else BOOST_TEST(std::abs(point.distance - before.distance - std::sqrt(length2(w.crystal().bdot, point.k - before.k))) < 1e-12);
  }
  BOOST_TEST(labels == "LGammaXUKGamma");
  BOOST_TEST(std::abs(static_cast<double>(path.points().size()) - 100) <= 4);
  s.path = {"Γ", "Z", "L"};
  s.labels = {{"Z", {0.25, 0.25, 0}}, {"L", {0.5, 0, 0}}};  // one's own L in place of the lattice's
  BOOST_TEST((path_of(s, w).points().back().k == Vector3{0.5, 0, 0}));
  BOOST_TEST(path_of(s, w).place_of({0.2, 0.2, 0}).name == "0.80 Gamma-Z");
}

BOOST_AUTO_TEST_CASE(paths_that_cannot_be_are_refused) {
  BOOST_TEST(failure({"Gamma", "XX"}) ==
             "no label 'XX'; did you mean 'X'?; those of the face-centred cubic lattice: Gamma, X, L, W, K, U; others go into 'labels'");
  BOOST_TEST(failure({"Gamma"}) == "the path has a single point, Gamma, between two jumps; a line needs two");
  BOOST_TEST(failure({"Gamma", "X|K"}) == "the path has a single point, K, between two jumps; a line needs two");
  BOOST_TEST(failure({"Gamma", "A"}, {{"A", {0, 0, 0}}}) == "Gamma and A follow each other on the path and are the same point");
  try {
    parse_coordinates("Z", "0.5 0.25");
    BOOST_ERROR("two coordinates were taken");
  } catch (const Failure& f) {
    BOOST_TEST(std::string(f.what()) == "label Z needs three crystal coordinates such as 0.5 0.25 0; got '0.5 0.25'");
  }
  SiliconRun run;
  run.settings.kpoints = {{0, 0, 0}};
  try {
    require_all_kpoints(run.settings, Wavefunctions(run.settings.wavefunctions));
    BOOST_ERROR("one k point was taken");
  } catch (const Failure& f) {
    BOOST_TEST(std::string(f.what()).find("leave out 'sigma.kpoints', which has 1") != std::string::npos, f.what());
  }
}

namespace {

// The spin-polarised model of polarised_wavefunctions.py with corrections of one's own.
struct PolarisedRun {
  explicit PolarisedRun(double (*correction)(int spin, double energy)) {
    settings.wavefunctions = std::string(SUITE_SOURCE_DIR) + "/tests/gw/polarised/WFN_inner.h5";
    settings.band_min = 1, settings.band_max = 8;
    settings.bands.path = {"auto"};
    settings.bands.points = 31;
    settings.bands.dos_grid = {8, 8, 8};
    settings.bands.dos_width_eV = 0.1;
    const Wavefunctions w(settings.wavefunctions);
    result.spins = 2;
    result.occupied = {4, 1};
    result.kpoints = w.kpoints();
    for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k)
      for (int spin = 0; spin < 2; ++spin)
        for (int band = 0; band < settings.band_max; ++band) {
          Quasiparticle& state = states.emplace_back();
          state.k = k, state.band = band + 1, state.spin = spin + 1;
          state.emf = state.eo = w.energy(k, band, spin) * rydberg_eV;
          state.eqp1 = state.emf + correction(state.spin, state.emf);
        }
  }
  BandStructure bands() {
    app::Outcome outcome;
    BandStructure out = band_structure({settings, result, states}, outcome);
    for (const auto& check : outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
    return out;
  }
  Settings settings;
  Result result;
  std::vector<Quasiparticle> states;
};

// From -infinity to an energy.
double integral(const DensityOfStates& dos, const std::vector<double>& density, double to) {
  double sum = 0;
  for (size_t i = 0; i < dos.energy.size(); ++i)
    if (dos.energy[i] < to) sum += density[i] * (dos.energy[1] - dos.energy[0]);
  return sum;
}

}  // namespace

// The second spin has another potential, which lies 0.6 Ry higher, and one occupied band. Shifts of each spin are exact everywhere.
BOOST_AUTO_TEST_CASE(bands_of_two_spins) {
  const auto shift = [](int spin, double) { return spin == 1 ? 0.25 : -0.75; };
  PolarisedRun run(shift);
  run.settings.bands.wavefunctions = std::string(SUITE_SOURCE_DIR) + "/tests/gw/polarised/WFN.h5";
  const BandStructure bands = run.bands();
  BOOST_TEST_REQUIRE(bands.held_out.size() == 2u);
  // Few states to expand in: with the other spin's it is several eV.
  BOOST_TEST(!!(bands.held_out[1].mean_field_rms <= 0.35), bands.held_out[1].mean_field_rms);
  for (const LevelsOfSpins& at : bands.levels) {
    BOOST_TEST_REQUIRE(at.size() == 2u);
    for (size_t spin = 0; spin < 2; ++spin)
      for (const double c : at[spin].correction) BOOST_TEST(!!(std::abs(c - shift(static_cast<int>(spin) + 1, 0)) <= 1e-9), c);
    BOOST_TEST(at[1].mean_field[0] - at[0].mean_field[0] > 8);
  }
  BOOST_TEST_REQUIRE(bands.quasiparticle.has_value());
  BOOST_TEST(bands.quasiparticle->valence_top.spin == 1);
  BOOST_TEST(bands.quasiparticle->conduction_bottom.spin == 2);
  const DensityOfStates& dos = bands.dos;
  BOOST_TEST_REQUIRE(dos.quasiparticle.size() == 2u);
  for (size_t spin = 0; spin < 2; ++spin) BOOST_TEST(std::abs(integral(dos, dos.quasiparticle[spin], 1e3) - 8) < 1e-3);
  const std::string text = bands_file(bands), figure = bands_plot(bands, "two spins"), table = bands_table(bands);
  BOOST_TEST(text.find("mean field 2 quasiparticle 2") != std::string::npos);
  BOOST_TEST(dos_file(bands).find("by spin") != std::string::npos);
  BOOST_TEST(figure.find("quasiparticle, spin 2") != std::string::npos);
  BOOST_TEST(figure.find("NaN") == std::string::npos);
  BOOST_TEST(table.find("of spin 1") != std::string::npos, table);
  const BandsResult result = bands_results(bands);
  BOOST_TEST((result.quasiparticle->valence_top.spin && *result.quasiparticle->valence_top.spin == 1));
  BOOST_TEST((result.points[3].mean_field_2 && *result.points[3].mean_field_2 == bands.levels[3][1].mean_field));
  BOOST_TEST((result.dos.quasiparticle_2 && *result.dos.quasiparticle_2 == dos.quasiparticle[1]));
}

// A Fermi level within bands 3 and 4 of the first spin: there is no gap, and corrections follow the wavefunctions across it.
BOOST_AUTO_TEST_CASE(bands_of_a_metal) {
  PolarisedRun run([](int, double energy) { return 0.1 * energy + 0.3; });
  run.result.fermi_eV = 7.55;
  run.settings.levels.fermi_level_eV = 7.55;
  const BandStructure bands = run.bands();
  BOOST_TEST(!bands.mean_field.has_value());
  BOOST_TEST(!bands.quasiparticle.has_value());
  BOOST_TEST_REQUIRE((bands.fermi_mean_field && bands.fermi_quasiparticle));
  BOOST_TEST(!!(std::abs(*bands.fermi_mean_field - 7.55) <= 1e-6), *bands.fermi_mean_field);
  // As many electrons below both; the Gaussians are as wide in stretched bands.
  double electrons[2] = {};
  for (size_t spin = 0; spin < 2; ++spin) {
    electrons[0] += integral(bands.dos, bands.dos.mean_field[spin], *bands.fermi_mean_field);
    electrons[1] += integral(bands.dos, bands.dos.quasiparticle[spin], *bands.fermi_quasiparticle);
  }
  BOOST_TEST(std::abs(electrons[0] - electrons[1]) < 0.05);
  BOOST_TEST(!!(std::abs(*bands.fermi_quasiparticle - (1.1 * 7.55 + 0.3)) <= 0.05), *bands.fermi_quasiparticle);
  BOOST_TEST(bands_table(bands).find("Fermi level 7.5500 eV of the mean field, ") != std::string::npos, bands_table(bands));
  BOOST_TEST(bands_plot(bands, "metal").find("E − E") != std::string::npos);
}

// Without a level of the user's the electrons of the file decide: two in each of silicon's four lowest bands.
BOOST_AUTO_TEST_CASE(the_electrons_of_a_file_find_the_fermi_level) {
  SiliconRun run;
  run.result.fermi_eV = 6.0;
  run.settings.band_min = 2;
  std::erase_if(run.log.states, [](const Quasiparticle& s) { return s.band < 2; });
  app::Outcome outcome;
  const BandStructure bands = band_structure(run.solution(), outcome);
  BOOST_TEST_REQUIRE((bands.fermi_mean_field && bands.fermi_quasiparticle));
  BOOST_TEST(std::abs(integral(bands.dos, bands.dos.mean_field[0], *bands.fermi_mean_field) - 6) < 0.02);
  BOOST_TEST(std::abs(integral(bands.dos, bands.dos.quasiparticle[0], *bands.fermi_quasiparticle) - 6) < 0.02);
}
