// SPDX-License-Identifier: BSD-3-Clause
// The input keys of the gw app and what they mean.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>

#include <fmt/core.h>

#include <suite/sha256.hpp>

#include "base/bound_keys.hpp"
#include "common/io.hpp"
#include "gw_app.hpp"
#include "k_path.hpp"
#include "wavefunctions.hpp"

namespace suite::gw {

using app::Kind;

namespace {

const app::BoundKeys<Settings>& bound_keys() {
  using S = Settings;
  static const app::BoundKeys<Settings> keys{
      {"system.wavefunctions", app::file(&S::wavefunctions), nullptr, nullptr,
       "WFN_inner: wavefunctions and energies on the k grid (BerkeleyGW, HDF5 or binary)"},
      {"system.wavefunctions_outer", app::file(&S::wavefunctions_outer), "", nullptr,
       "WFN_outer: states of another Hamiltonian, at k points of the k grid; Sigma is computed between these, and still summed over "
       "those of system.wavefunctions; default: the same"},
      {"system.density", app::file(&S::density), "", nullptr, "RHO: charge density (BerkeleyGW, binary); needed unless epsilon.only"},
      {"system.density_symmetry",
       app::choice<DensitySymmetry>({{"symmetrise", DensitySymmetry::symmetrise}, {"as_is", DensitySymmetry::as_is}}, &S::density_symmetry),
       "symmetrise", nullptr,
       "density that breaks the symmetry of the crystal: symmetrised with a warning, or used as it is, with plasmon poles computed for "
       "every q"},
      {"system.vxc", app::file(&S::vxc), "", nullptr,
       "vxc.dat: exchange-correlation energies of the bands in sigma.bands, or VXC: the potential; needed unless epsilon.only"},
      {"system.eps0", app::file(&S::eps0), "", nullptr, "eps0mat.h5: inverse dielectric matrix for q -> 0; without it, that of 'epsilon'"},
      {"system.eps", app::file(&S::eps), "", nullptr, "epsmat.h5: the same for the other q; without it, only q -> 0 is used"},
      {"system.screening",
       app::choice<ScreeningKind>(
           {{"semiconductor", ScreeningKind::semiconductor}, {"metal", ScreeningKind::metal}, {"graphene", ScreeningKind::graphene}},
           &S::screening),
       "semiconductor", nullptr,
       "what becomes of W at q -> 0 (BerkeleyGW's screening_*): v times a constant; a constant, of a metal; or a multiple of 1/q, where "
       "two "
       "bands touch in points"},
      {"system.nbands", app::small_integer(&S::nbands), "", "1..1000000",
       "number of bands in the sum over states; default: all bands of the file"},
      {"epsilon.wavefunctions_q0", app::file(&S::epsilon, &EpsilonSettings::wavefunctions_q0), "", nullptr,
       "WFNq: the occupied bands at the k points of WFN, each moved by a small q0; with it, the dielectric matrix is computed"},
      {"epsilon.wavefunctions", app::file(&S::epsilon, &EpsilonSettings::wavefunctions), "", nullptr,
       "WFN: occupied and empty bands whose pairs are summed, on a grid that may be shifted; default: system.wavefunctions"},
      {"epsilon.cutoff", app::energy(rydberg_eV, &S::epsilon, &EpsilonSettings::cutoff_Ry), "", ">0",
       "cutoff of |q+G|^2 (BerkeleyGW's epsilon_cutoff)"},
      {"epsilon.nbands", app::small_integer(&S::epsilon, &EpsilonSettings::nbands), "", "1..1000000",
       "number of bands in the polarizability; default: all bands of the file"},
      {"epsilon.q_grid", Kind::integers, "", "1..10000",
       "grid of q, such as [4, 4, 4], of which the irreducible points are computed; default: the k grid of the wavefunctions"},
      {"epsilon.q0", Kind::reals, "", nullptr,
       "the small q0, such as [0, 0, 0.001]; default: by how much the grid of wavefunctions_q0 is shifted more than that of the "
       "wavefunctions"},
      {"epsilon.imaginary_frequency", app::energy(rydberg_eV, &S::epsilon, &EpsilonSettings::imaginary_frequency_Ry), "2.0 Ry", ">0",
       "model godby_needs: the frequency beside zero (BerkeleyGW's plasma_freq); contour_deformation: the middle of its imaginary grid"},
      {"epsilon.imaginary_points", app::small_integer(&S::epsilon, &EpsilonSettings::imaginary_points), "15", "2..1000",
       "model contour_deformation: number of imaginary frequencies, from 0 on (BerkeleyGW's number_imaginary_freqs)"},
      {"epsilon.real_step", app::energy(1, &S::epsilon, &EpsilonSettings::real_step_eV), "0.2 eV", "0.001..1000",
       "model contour_deformation: step of the real frequencies, which reach as far as the bands need (BerkeleyGW's delta_frequency)"},
      {"epsilon.sampling_range", app::energy(1, &S::epsilon, &EpsilonSettings::sampling_range_eV), "", ">0",
       "model multipole: real part up to which frequencies are sampled; default: 1.25 times the plasma frequency of the valence electrons"},
      {"epsilon.real_frequencies", app::quantities(Kind::energies, "eV", &S::epsilon, &EpsilonSettings::real_frequencies_eV), "",
       "0..100000", "frequencies beside the static limit, such as [1, 2, 3 eV]: the matrices are those at w + i broadening (retarded)"},
      {"epsilon.imaginary_frequencies", app::quantities(Kind::energies, "eV", &S::epsilon, &EpsilonSettings::imaginary_frequencies_eV), "",
       "0.001..100000", "further frequencies i w, such as [5, 20 eV]"},
      {"epsilon.broadening", app::energy(1, &S::epsilon, &EpsilonSettings::broadening_eV), "0.1 eV", "0.001..1000",
       "imaginary part of real_frequencies, and of those of contour_deformation"},
      {"epsilon.only", app::boolean(&S::epsilon, &EpsilonSettings::only), "false", nullptr, "ends the run with eps0mat.h5 and epsmat.h5"},
      {"epsilon.scissors.evs", app::energy(rydberg_eV, &S::epsilon, &EpsilonSettings::levels, &LevelSettings::scissors, &Scissors::evs_Ry),
       "0 eV", nullptr, "scissors operator of the dielectric matrix: occupied levels are taken at E + evs + evdel (E - ev0)"},
      {"epsilon.scissors.ev0", app::energy(rydberg_eV, &S::epsilon, &EpsilonSettings::levels, &LevelSettings::scissors, &Scissors::ev0_Ry),
       "0 eV", nullptr, "see 'evs' of this section"},
      {"epsilon.scissors.evdel", app::real(&S::epsilon, &EpsilonSettings::levels, &LevelSettings::scissors, &Scissors::evdel), "0",
       "-1..1000", "see 'evs' of this section"},
      {"epsilon.scissors.ecs", app::energy(rydberg_eV, &S::epsilon, &EpsilonSettings::levels, &LevelSettings::scissors, &Scissors::ecs_Ry),
       "0 eV", nullptr, "empty levels are taken at E + ecs + ecdel (E - ec0)"},
      {"epsilon.scissors.ec0", app::energy(rydberg_eV, &S::epsilon, &EpsilonSettings::levels, &LevelSettings::scissors, &Scissors::ec0_Ry),
       "0 eV", nullptr, "see 'ecs' of this section"},
      {"epsilon.scissors.ecdel", app::real(&S::epsilon, &EpsilonSettings::levels, &LevelSettings::scissors, &Scissors::ecdel), "0",
       "-1..1000", "see 'ecs' of this section"},
      {"epsilon.eqp_corrections", app::file(&S::epsilon, &EpsilonSettings::levels, &LevelSettings::eqp), "", nullptr,
       "eqp0.dat or eqp1.dat of another run, whose quasiparticle energies are those of the dielectric matrix"},
      {"epsilon.fermi_level", app::energy(1, &S::epsilon, &EpsilonSettings::levels, &LevelSettings::fermi_level_eV), "", nullptr,
       "moves the Fermi level, below which levels are occupied, from the middle between the highest occupied and the lowest empty one"},
      {"epsilon.fermi_level_absolute", app::boolean(&S::epsilon, &EpsilonSettings::levels, &LevelSettings::fermi_level_absolute), "false",
       nullptr, "fermi_level is the level itself, not by how much it is moved"},
      {"epsilon.eqp_corrections_q0", app::file(&S::epsilon, &EpsilonSettings::eqp_q0), "", nullptr,
       "the same for wavefunctions_q0 (BerkeleyGW's eqp_q.dat)"},
      {"epsilon.occ_broadening", app::energy(rydberg_eV, &S::epsilon, &EpsilonSettings::levels, &LevelSettings::broadening_Ry), "0 eV",
       "0..1000", "occupations of Methfessel and Paxton with this width, instead of a step at the Fermi level"},
      {"sigma.bands", Kind::integers, "", "1..1000000", "first and last band to compute, such as [1, 14]; needed unless epsilon.only"},
      {"sigma.kpoints", Kind::points, "", nullptr,
       "k points to compute, in crystal coordinates; default: all irreducible k points of the file"},
      {"sigma.model",
       app::choice<Model>({{"gpp", Model::gpp},
                           {"godby_needs", Model::godby_needs},
                           {"cohsex", Model::cohsex},
                           {"contour_deformation", Model::contour_deformation},
                           {"multipole", Model::multipole}},
                          &S::model),
       "gpp", nullptr,
       "frequency dependence: plasmon pole from the f-sum rule (Hybertsen-Louie), from two frequencies "
       "(Godby-Needs), static, all of it by contour deformation, or several complex poles"},
      {"sigma.poles", app::small_integer(&S::poles), "6", "1..8",
       "multipole: poles for each pair of G, for which eps^-1 is needed at twice as many frequencies"},
      {"sigma.scissors.evs", app::energy(rydberg_eV, &S::levels, &LevelSettings::scissors, &Scissors::evs_Ry), "0 eV", nullptr,
       "scissors operator of the self-energy: occupied levels are taken at E + evs + evdel (E - ev0)"},
      {"sigma.scissors.ev0", app::energy(rydberg_eV, &S::levels, &LevelSettings::scissors, &Scissors::ev0_Ry), "0 eV", nullptr,
       "see 'evs' of this section"},
      {"sigma.scissors.evdel", app::real(&S::levels, &LevelSettings::scissors, &Scissors::evdel), "0", "-1..1000",
       "see 'evs' of this section"},
      {"sigma.scissors.ecs", app::energy(rydberg_eV, &S::levels, &LevelSettings::scissors, &Scissors::ecs_Ry), "0 eV", nullptr,
       "empty levels are taken at E + ecs + ecdel (E - ec0)"},
      {"sigma.scissors.ec0", app::energy(rydberg_eV, &S::levels, &LevelSettings::scissors, &Scissors::ec0_Ry), "0 eV", nullptr,
       "see 'ecs' of this section"},
      {"sigma.scissors.ecdel", app::real(&S::levels, &LevelSettings::scissors, &Scissors::ecdel), "0", "-1..1000",
       "see 'ecs' of this section"},
      {"sigma.eqp_corrections", app::file(&S::levels, &LevelSettings::eqp), "", nullptr,
       "eqp0.dat or eqp1.dat of another run, whose quasiparticle energies are those of the self-energy"},
      {"sigma.scissors_outer.evs", app::energy(rydberg_eV, &S::levels_outer, &LevelSettings::scissors, &Scissors::evs_Ry), "0 eV", nullptr,
       "scissors operator of the states of wavefunctions_outer, at whose energies Sigma is taken: occupied levels at E + evs + evdel (E - "
       "ev0)"},
      {"sigma.scissors_outer.ev0", app::energy(rydberg_eV, &S::levels_outer, &LevelSettings::scissors, &Scissors::ev0_Ry), "0 eV", nullptr,
       "see 'evs' of this section"},
      {"sigma.scissors_outer.evdel", app::real(&S::levels_outer, &LevelSettings::scissors, &Scissors::evdel), "0", "-1..1000",
       "see 'evs' of this section"},
      {"sigma.scissors_outer.ecs", app::energy(rydberg_eV, &S::levels_outer, &LevelSettings::scissors, &Scissors::ecs_Ry), "0 eV", nullptr,
       "empty levels are taken at E + ecs + ecdel (E - ec0)"},
      {"sigma.scissors_outer.ec0", app::energy(rydberg_eV, &S::levels_outer, &LevelSettings::scissors, &Scissors::ec0_Ry), "0 eV", nullptr,
       "see 'ecs' of this section"},
      {"sigma.scissors_outer.ecdel", app::real(&S::levels_outer, &LevelSettings::scissors, &Scissors::ecdel), "0", "-1..1000",
       "see 'ecs' of this section"},
      {"sigma.eqp_outer_corrections", app::file(&S::levels_outer, &LevelSettings::eqp), "", nullptr,
       "eqp0.dat or eqp1.dat with the states of wavefunctions_outer, at whose quasiparticle energies Sigma is taken"},
      {"sigma.fermi_level", app::energy(1, &S::levels, &LevelSettings::fermi_level_eV), "", nullptr,
       "moves the Fermi level, below which levels are occupied, from the middle between the highest occupied and the lowest empty one"},
      {"sigma.fermi_level_absolute", app::boolean(&S::levels, &LevelSettings::fermi_level_absolute), "false", nullptr,
       "fermi_level is the level itself, not by how much it is moved"},
      {"sigma.contour_integration",
       app::choice<ContourRule>(
           {{"spline", ContourRule::spline}, {"constant", ContourRule::constant}, {"quadratic", ContourRule::quadratic}}, &S::contour_rule),
       "spline", nullptr,
       "contour_deformation: eps^-1 between imaginary frequencies is a spline with the right limits, or in pieces as with BerkeleyGW's "
       "cd_integration_method 0 and 2; these also take that code's static limit, the first real frequency with its broadening"},
      {"sigma.exact_static_ch", app::boolean(&S::exact_static_ch), "true", nullptr,
       "not cohsex: adds the static remainder of the bands beyond nbands (BerkeleyGW: only if set to 1); cohsex: CH is always exact, "
       "and false adds the primed columns of its sum over bands (BerkeleyGW: 1 unless set to 0)"},
      {"sigma.invalid_gpp_mode", app::small_integer(&S::invalid_gpp_mode), "3", "0..3",
       "treatment of poles with w^2 < 0: 0 omitted, 1 imaginary w, 2 w = 2 Ry, 3 static limit"},
      {"sigma.gpp_broadening", app::energy(1, &S::gpp_broadening_eV), "0.5 eV", ">0",
       "screened exchange takes its smooth form closer to a pole than this"},
      {"sigma.gpp_sexcutoff", app::real(&S::gpp_sexcutoff), "4.0", ">0",
       "screened exchange above a pole is omitted where it exceeds this multiple of the static one"},
      {"sigma.finite_difference_form", app::small_integer(&S::finite_difference_form), "2", "-3..2",
       "dSigma/dE: -3 on the frequency grid, -2 none, -1 backward, 0 central, 1 and 2 forward difference"},
      {"sigma.finite_difference_spacing", app::energy(1, &S::finite_difference_spacing_eV), "1.0 eV", ">0",
       "energy step of the finite difference"},
      {"sigma.frequency_grid.min", app::energy(1, &S::frequency_grid_min_eV), "-5.0 eV", nullptr,
       "form -3: lowest energy of the grid, relative to the mean-field energy"},
      {"sigma.frequency_grid.max", app::energy(1, &S::frequency_grid_max_eV), "5.0 eV", nullptr, "form -3: highest energy of the grid"},
      {"sigma.frequency_grid.points", app::small_integer(&S::frequency_grid_points), "21", "2..10000", "form -3: number of energies"},
      {"sigma.symmetry", app::boolean(&S::symmetry), "true", nullptr,
       "sums only over the q points in the wedge of the little group of k, with weights; the result is the same to 1e-8 eV, except with "
       "wings: berkeleygw or a density taken as_is"},
      {"sigma.offdiag", Kind::points, "", "1..1000000",
       "elements <n|Sigma(E)|m> between two bands, such as [[1, 2, 1], [2, 1, 1]]: n, m, and the band l at whose mean-field energy; all "
       "from 'bands'. The sum goes over all q"},
      {"sigma.sigma_matrix", Kind::integers, "", "-2..1000000",
       "[l, t]: all elements between 'bands' instead of a list; l = -1: at the energy of n, -2: of m, else of band l; t = -1: those with "
       "n >= m, 1: n <= m, 0: all"},
      {"coulomb.average",
       app::choice<CoulombMode>(
           {{"cell", CoulombMode::cell}, {"none", CoulombMode::none}, {"file", CoulombMode::file}, {"berkeleygw", CoulombMode::berkeleygw}},
           &S::coulomb),
       "cell", nullptr,
       "v(q+G): averaged over the cell around each q; not averaged, except at q+G = 0; read from coulomb.file; or averaged over "
       "BerkeleyGW's random points to reproduce its numbers"},
      {"coulomb.truncation",
       app::choice<Truncation>(
           {{"none", Truncation::none}, {"slab", Truncation::slab}, {"wire", Truncation::wire}, {"box", Truncation::box}}, &S::truncation),
       "none", nullptr,
       "cuts v off outside of the cell, in the dielectric matrix and in Sigma: slab, periodic along axes 1 and 2; wire, along axis 3; box, "
       "a "
       "molecule"},
      {"coulomb.file", app::file(&S::vcoul), "", nullptr,
       "v(q+G) of another run (BerkeleyGW's vcoul, optionally gzip-compressed): all of it with average: file, only q+G = 0 with none, "
       "otherwise unused"},
      {"coulomb.wings", app::choice<Wings>({{"symmetric", Wings::symmetric}, {"berkeleygw", Wings::berkeleygw}}, &S::wings), "symmetric",
       nullptr,
       "wings of eps^-1 where v is averaged: scaled alike for equivalent q, or as in BerkeleyGW, where they depend on how a q is written "
       "(0.014 eV in silicon's Eqp1)"},
      {"coulomb.head", app::quantity(Kind::energy_volume, "Ry bohr^3", &S::coulomb_head), "", ">0",
       "v at q+G = 0, to reproduce the number of another code; overrides file and average", "Ry bohr^3"},
      {"bands.path", Kind::names, "", nullptr,
       "bands along these labels, such as [L, Gamma, X, U|K, Gamma], or [auto] for the usual path of the lattice; with it, bands and "
       "density of states "
       "are interpolated from all k points"},
      {"bands.labels", Kind::settings, "", nullptr, "labels of your own with their crystal coordinates, such as {Y: 0.5 0.25 0}"},
      {"bands.points", app::small_integer(&S::bands, &BandsSettings::points), "200", "2..100000", "number of points along the path"},
      {"bands.wavefunctions", app::file(&S::bands, &BandsSettings::wavefunctions), "", nullptr,
       "WFN file with mean-field energies at further k points, such as points of the path; default: those of epsilon.wavefunctions, if "
       "given"},
      {"bands.dos_width", app::energy(1, &S::bands, &BandsSettings::dos_width_eV), "0.1 eV", "0.001..10",
       "standard deviation of the Gaussians of the density of states"},
      {"bands.dos_grid", Kind::integers, "", "1..1000",
       "k grid of the density of states, such as [24, 24, 24]; default: a multiple of the k grid with about 24 points along its longest "
       "axis"},
      {"parallel.gprime_slices", app::small_integer(&S::gprime_slices), "1", "1..65536",
       "number of MPI processes that share each q by columns G'; the others share k and q"},
      {"checkpoint.interval", app::aside(app::integer(&S::checkpoint_interval)), "0", "0..1000000000",
       "matrices of eps^-1, and then pairs (k,q) of a process, between checkpoints; 0: only on interruption"},
      {"restart.file", app::file(&S::restart), "", nullptr,
       "checkpoint.h5 of an earlier run of the same input to restart from, with the eps0mat.h5 and epsmat.h5 beside it"},
  };
  return keys;
}

// Of a file's length and of pieces all over it: wavefunctions may have many GiB.
std::string digest_of_samples(const std::filesystem::path& file) {
  constexpr uintmax_t pieces = 64, piece = 16384;
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(file, error);
  std::ifstream in(file, std::ios::binary);
  if (error || !in) throw IoFailure("cannot read '" + file.string() + "'");
  std::string text = fmt::format("{} bytes ", size), bytes;
  const uintmax_t step = std::max<uintmax_t>(piece, size / pieces);
  for (uintmax_t at = 0; at < size; at += step) {
    bytes.resize(std::min(piece, size - at));
    in.seekg(static_cast<std::streamoff>(at));
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    text += bytes;
  }
  return hexadecimal(sha256(text.data(), text.size()));
}

void read_bands(const app::Input& input, Settings& s) {
  if (!input.has("sigma.bands")) return;
  const auto bands = input.integers("sigma.bands");
  if (bands.size() != 2) {
    input.fail("sigma.bands", fmt::format("'bands' is the first and the last band, such as [1, 14]; got {} numbers", bands.size()));
  } else if (bands[0] > bands[1]) {
    input.fail("sigma.bands", fmt::format("'bands' goes from the first to the last band; got {} to {}", bands[0], bands[1]));
  } else {
    s.band_min = static_cast<int>(bands[0]);
    s.band_max = static_cast<int>(bands[1]);
  }
}

void read_kpoints(const app::Input& input, Settings& s) {
  if (!input.has("sigma.kpoints")) return;
  for (const auto& row : input.points("sigma.kpoints")) {
    if (row.size() != 3) {
      input.fail("sigma.kpoints", fmt::format("k point {} has {} coordinates; it needs 3", s.kpoints.size() + 1, row.size()));
      return;
    }
    s.kpoints.push_back({row[0], row[1], row[2]});
  }
  if (s.kpoints.empty()) input.fail("sigma.kpoints", "'kpoints' is empty; leave it out for all k points of the file");
  for (size_t i = 0; i < s.kpoints.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (equivalent(s.kpoints[i], s.kpoints[j])) {
        input.fail("sigma.kpoints",
                   fmt::format("k points {} and {} are {}", j + 1, i + 1,
                               distance(s.kpoints[i], s.kpoints[j]) < same_point ? "the same" : "equivalent: they differ by a G"));
        return;
      }
}

// n, m and l must be among the external bands.
void read_offdiag(const app::Input& input, Settings& s) {
  const auto inside = [&](double band) { return band >= s.band_min && band <= s.band_max; };
  if (!input.has("sigma.offdiag") || s.band_max < s.band_min) return;
  for (const auto& row : input.points("sigma.offdiag")) {
    const size_t number = s.offdiag.size() + 1;
    if (row.size() != 3) {
      input.fail("sigma.offdiag", fmt::format("element {} has {} numbers; it needs 3: n, m and l", number, row.size()));
      return;
    }
    for (double band : row)
      if (band != std::floor(band) || !inside(band)) {
        input.fail("sigma.offdiag",
                   fmt::format("element {} has a band {:g}; they go from {} to {} ('bands')", number, band, s.band_min, s.band_max));
        return;
      }
    const Element element{static_cast<int>(row[0]), static_cast<int>(row[1]), static_cast<int>(row[2])};
    if (std::find(s.offdiag.begin(), s.offdiag.end(), element) != s.offdiag.end()) {
      input.fail("sigma.offdiag", fmt::format("element {} is there twice: {} {} {}", number, element.n, element.m, element.l));
      return;
    }
    s.offdiag.push_back(element);
  }
}

void read_sigma_matrix(const app::Input& input, Settings& s) {
  const char* path = "sigma.sigma_matrix";
  if (!input.has(path) || s.band_max < s.band_min) return;
  const auto numbers = input.integers(path);
  if (numbers.size() != 2)
    return input.fail(path, fmt::format("'sigma_matrix' is [l, t], such as [-1, 0]; got {} numbers", numbers.size()));
  const auto [l, t] = std::pair{static_cast<int>(numbers[0]), static_cast<int>(numbers[1])};
  if (l == 0) return;  // BerkeleyGW's word for none
  if (l != -1 && l != -2 && (l < s.band_min || l > s.band_max))
    return input.fail(path, fmt::format("l must be -1, -2 or a band from {} to {} ('bands'); got {}", s.band_min, s.band_max, l));
  if (t < -1 || t > 1) return input.fail(path, fmt::format("t must be one of -1, 0, 1; got {}", t));
  if (!s.offdiag.empty()) return input.fail(path, "'sigma_matrix' and 'offdiag' are both given; leave one out");
  s.sigma_matrix = {l, t};
  for (int n = s.band_min; n <= s.band_max; ++n)
    for (int m = s.band_min; m <= s.band_max; ++m)
      if (t * (m - n) >= 0) s.offdiag.push_back({n, m, l == -1 ? n : l == -2 ? m : l});
}

void read_bands_section(const app::Input& input, Settings& s) {
  const auto others = {"bands.labels", "bands.points", "bands.wavefunctions", "bands.dos_width", "bands.dos_grid"};
  if (!input.has("bands.path")) {
    for (const char* key : others)
      if (input.has(key)) return input.fail_missing("bands.path", "labels such as [L, Gamma, X], or [auto]");
    return;
  }
  if (s.epsilon.only) return input.fail("bands.path", "with 'epsilon.only' there are no energies to interpolate; leave one of them out");
  s.bands.path = input.names("bands.path");
  if (s.bands.path.empty()) input.fail("bands.path", "'path' is empty; give labels such as [L, Gamma, X], or [auto]");
  if (input.has("bands.labels"))
    for (const auto& [label, coordinates] : input.settings("bands.labels"))
      input.holds("bands.labels", [&] { s.bands.labels.push_back({label, parse_coordinates(label, coordinates)}); });
  if (input.has("bands.dos_grid"))
    if (const auto grid = input.three_integers("bands.dos_grid")) s.bands.dos_grid = *grid;
}

// Of eps^-1 that is to be computed.
void read_epsilon(const app::Input& input, Settings& s) {
  const auto wanted = {"epsilon.wavefunctions_q0", "epsilon.wavefunctions",
                       "epsilon.cutoff",           "epsilon.nbands",
                       "epsilon.q_grid",           "epsilon.q0",
                       "epsilon.real_frequencies", "epsilon.imaginary_frequencies",
                       "epsilon.broadening",       "epsilon.eqp_corrections",
                       "epsilon.fermi_level",      "epsilon.occ_broadening",
                       "epsilon.imaginary_points", "epsilon.real_step",
                       "epsilon.sampling_range"};
  if (!s.epsilon.only && std::none_of(wanted.begin(), wanted.end(), [&](const char* key) { return input.has(key); })) {
    if (!input.has("system.eps0")) input.fail_missing("system.eps0", "eps0mat.h5 (or 'epsilon', from which it is computed)");
    return;
  }
  // A molecule has no k, and nothing diverges at q = 0; without a gap q0 may be one of the other k.
  if ((s.truncation == Truncation::box || s.screening != ScreeningKind::semiconductor) && !input.has("epsilon.wavefunctions_q0"))
    s.epsilon.wavefunctions_q0 = s.epsilon_wavefunctions();
  else if (!input.has("epsilon.wavefunctions_q0")) input.fail_missing("epsilon.wavefunctions_q0", "WFNq.h5, the occupied bands at k + q0");
  if (!input.has("epsilon.cutoff")) input.fail_missing("epsilon.cutoff", "the cutoff of the dielectric matrix, such as 10 Ry");
  input.needs({"epsilon.wavefunctions_q0", "epsilon.cutoff", "system.eps0", "system.eps"});
  input.refuse({"system.eps0", "system.eps"}, "'epsilon' computes the dielectric matrix; leave one of them out");
  if (input.has("epsilon.q_grid"))
    if (const auto grid = input.three_integers("epsilon.q_grid")) s.epsilon.q_grid = *grid;
  if (input.has("epsilon.q0"))
    if (const auto q0 = input.three_reals("epsilon.q0")) s.epsilon.q0 = *q0;
}

void check_frequencies(const app::Input& input, const Settings& s) {
  const EpsilonSettings& e = s.epsilon;
  const auto check = [&](const char* path, const char* name, const std::vector<double>& w) {
    if (!input.has(path)) return;
    if (s.multipole())
      return input.fail(path, fmt::format("'model: multipole' takes eps^-1 at frequencies of its own; leave '{}' out", name));
    if (w.empty()) return input.fail(path, fmt::format("'{}' is empty; leave it out for the static limit alone", name));
    if (s.model == Model::godby_needs)
      return input.fail(path, "'model: godby_needs' takes eps^-1 at zero and at 'imaginary_frequency' alone; leave one of them out");
    const auto fall = std::adjacent_find(w.begin(), w.end(), std::greater_equal<>());
    if (fall != w.end()) input.fail(path, fmt::format("'{}' must increase; got {:g} eV and then {:g} eV", name, fall[0], fall[1]));
  };
  check("epsilon.real_frequencies", "real_frequencies", e.real_frequencies_eV);
  check("epsilon.imaginary_frequencies", "imaginary_frequencies", e.imaginary_frequencies_eV);
  for (const char* key : {"epsilon.sampling_range", "sigma.poles"})
    if (input.has(key) && !s.multipole())
      input.fail(key, fmt::format("'{}' is for 'model: multipole', which is not chosen", std::strchr(key, '.') + 1));
  const auto of_grid = [&](const char* path, const char* name, const char* list) {
    if (!input.has(path)) return;
    if (!s.contour()) input.fail(path, fmt::format("'{}' makes a grid for 'model: contour_deformation', which is not chosen", name));
    else if (input.has(fmt::format("epsilon.{}", list)))
      input.fail(path, fmt::format("'{}' makes a grid and '{}' lists it; leave one of them out", name, list));
  };
  of_grid("epsilon.imaginary_points", "imaginary_points", "imaginary_frequencies");
  of_grid("epsilon.real_step", "real_step", "real_frequencies");
  if (s.contour() && s.epsilon.only && !input.has("epsilon.real_frequencies") && !input.has("sigma.bands"))
    input.fail_missing("sigma.bands", "first and last band, which say how far real frequencies reach (or epsilon.real_frequencies)");
  if (input.has("epsilon.broadening") && !input.has("epsilon.real_frequencies") && !s.contour())
    input.fail("epsilon.broadening", "'broadening' is the imaginary part of 'real_frequencies', which are missing");
}

// What only a self-energy needs.
void require_sigma_keys(const app::Input& input) {
  const std::pair<const char*, const char*> needed[] = {{"system.density", "RHO, the charge density"},
                                                        {"system.vxc", "vxc.dat, the exchange-correlation energies"},
                                                        {"sigma.bands", "first and last band, such as [1, 14]"}};
  for (const auto& [key, what] : needed)
    if (!input.has(key)) input.fail_missing(key, what);
}

void check_frequency_grid(const app::Input& input, const Settings& s) {
  if (!(s.frequency_grid_min_eV < s.frequency_grid_max_eV))
    input.fail("sigma.frequency_grid.max", fmt::format("'max' of the frequency grid, {:f} eV, must be above its 'min', {:f} eV",
                                                       s.frequency_grid_max_eV, s.frequency_grid_min_eV));
}

void check_coulomb(const app::Input& input, const Settings& s) {
  if (s.coulomb == CoulombMode::file && s.vcoul.empty())
    input.fail("coulomb.average", "'average: file' takes v(q+G) from a file; name it in 'coulomb.file'");
}

void check_levels(const app::Input& input, const Settings& s) {
  for (const auto& [section, levels] : {std::pair<std::string, const LevelSettings&>{"epsilon", s.epsilon.levels}, {"sigma", s.levels}}) {
    const std::string eqp = section + ".eqp_corrections", fermi = section + ".fermi_level";
    if (levels.scissors.moves() && !levels.eqp.empty())
      input.fail(eqp, "'scissors' and 'eqp_corrections' both correct the energies; leave one of them out");
    if (levels.fermi_level_absolute && !levels.fermi_level_eV)
      input.fail(fermi + "_absolute", "'fermi_level' is missing, which it is about");
  }
  const bool apart = s.epsilon.wavefunctions_q0 != s.epsilon_wavefunctions();
  if (!s.epsilon.levels.eqp.empty() && s.epsilon.eqp_q0.empty() && apart && s.makes_epsilon())
    input.fail_missing("epsilon.eqp_corrections_q0", "the energies of 'wavefunctions_q0' that go with 'eqp_corrections'");
  if (s.epsilon.levels.broadening_Ry > 0 && s.screening == ScreeningKind::semiconductor)
    input.fail("epsilon.occ_broadening",
               "'screening: semiconductor' has no level at which occupations could be broadened; see 'screening'");
  if (s.screening != ScreeningKind::semiconductor && s.truncation == Truncation::box)
    input.fail("system.screening", "'truncation: box' has q = 0 alone, where this makes no difference; leave 'screening' out");
  if (s.screening == ScreeningKind::graphene && s.truncation == Truncation::wire)
    input.fail("system.screening", "'graphene' is for slabs and three-dimensional crystals; with 'truncation: wire' use 'metal'");
}

void check_outer(const app::Input& input, const Settings& s) {
  if (s.levels_outer.scissors.moves() && !s.levels_outer.eqp.empty())
    input.fail("sigma.eqp_outer_corrections",
               "'scissors_outer' and 'eqp_outer_corrections' both correct the energies; leave one of them out");
  if (s.levels_outer.correct() && s.wavefunctions_outer.empty())
    input.fail_missing("system.wavefunctions_outer", "the states whose energies are corrected, or the file of 'wavefunctions' again");
}

void check_truncation(const app::Input& input, const Settings& s) {
  if (s.truncation == Truncation::none) return;
  if (s.coulomb == CoulombMode::file) input.fail("coulomb.average", "'average: file' does not go with 'truncation'; leave one of them out");
}

}  // namespace

const std::vector<app::Key>& input_keys() { return bound_keys().keys(); }

Settings read_settings(const app::Input& input) {
  Settings s;
  bound_keys().read(input, s);
  input.group([&] { read_bands(input, s); });
  input.group([&] { read_kpoints(input, s); });
  input.group([&] { read_epsilon(input, s); });
  input.group([&] {
    input.needs({"epsilon.real_frequencies", "epsilon.imaginary_frequencies", "epsilon.broadening", "epsilon.imaginary_points",
                 "epsilon.real_step", "epsilon.sampling_range", "epsilon.only", "sigma.model", "sigma.poles", "sigma.bands"});
    check_frequencies(input, s);
  });
  input.group([&] {
    input.needs({"epsilon.only"});
    if (!s.epsilon.only) require_sigma_keys(input);
  });
  input.group([&] {
    input.needs({"sigma.bands", "sigma.offdiag", "sigma.sigma_matrix"});
    read_offdiag(input, s);
    read_sigma_matrix(input, s);
  });
  input.group([&] {
    input.needs({"epsilon.only"});
    read_bands_section(input, s);
  });
  input.group([&] {
    input.needs({"sigma.frequency_grid.min", "sigma.frequency_grid.max"});
    check_frequency_grid(input, s);
  });
  input.group([&] {
    input.needs({"coulomb.average", "coulomb.file"});
    check_coulomb(input, s);
  });
  input.group([&] {
    input.needs({"coulomb.average", "coulomb.truncation", "sigma.model"});
    check_truncation(input, s);
  });
  input.group([&] {
    input.needs({"system.screening", "coulomb.truncation", "epsilon.wavefunctions", "epsilon.wavefunctions_q0"});
    check_levels(input, s);
  });
  // Which states are empty is the same question of both files.
  s.levels_outer.fermi_level_eV = s.levels.fermi_level_eV;
  s.levels_outer.fermi_level_absolute = s.levels.fermi_level_absolute;
  s.levels_outer.partial = true;
  input.group([&] {
    input.needs({"system.wavefunctions_outer", "sigma.eqp_outer_corrections"});
    check_outer(input, s);
  });
  return s;
}

std::string fingerprint(const Settings& s) {
  nlohmann::ordered_json f = bound_keys().values(s);
  f["sigma.bands"] = {s.band_min, s.band_max};
  f["sigma.kpoints"] = s.kpoints;
  f["sigma.sigma_matrix"] = s.sigma_matrix;
  for (const Element& e : s.offdiag) f["sigma.offdiag"].push_back({e.n, e.m, e.l});
  f["epsilon.q_grid"] = s.epsilon.q_grid;
  if (s.epsilon.q0) f["epsilon.q0"] = *s.epsilon.q0;
  const std::pair<const char*, const std::filesystem::path&> files[] = {{"system.wavefunctions", s.wavefunctions},
                                                                        {"system.wavefunctions_outer", s.wavefunctions_outer},
                                                                        {"system.density", s.density},
                                                                        {"system.vxc", s.vxc},
                                                                        {"system.eps0", s.eps0},
                                                                        {"system.eps", s.eps},
                                                                        {"epsilon.wavefunctions", s.epsilon.wavefunctions},
                                                                        {"epsilon.wavefunctions_q0", s.epsilon.wavefunctions_q0},
                                                                        {"epsilon.eqp_corrections", s.epsilon.levels.eqp},
                                                                        {"epsilon.eqp_corrections_q0", s.epsilon.eqp_q0},
                                                                        {"sigma.eqp_corrections", s.levels.eqp},
                                                                        {"sigma.eqp_outer_corrections", s.levels_outer.eqp},
                                                                        {"coulomb.file", s.vcoul}};
  for (const auto& [key, file] : files)
    if (!file.empty()) f["contents of " + std::string(key)] = digest_of_samples(file);
  return f.dump();
}

}  // namespace suite::gw
