// SPDX-License-Identifier: BSD-3-Clause
// The input keys of the gw app and what they mean.
#include <algorithm>

#include "gw_app.hpp"
#include "wavefunctions.hpp"

namespace suite::gw {

using app::Kind;

const std::vector<app::Key>& input_keys() {
  static const std::vector<app::Key> keys{
      {"system.wavefunctions", Kind::file, nullptr, nullptr,
       "WFN_inner.h5: wavefunctions and energies on the k grid (BerkeleyGW, HDF5)"},
      {"system.density", Kind::file, nullptr, nullptr, "RHO: charge density (BerkeleyGW, binary)"},
      {"system.density_symmetry", Kind::choice, "symmetrise", "symmetrise as_is",
       "a density that breaks the crystal's symmetry operations: made symmetric with a warning, or taken as "
       "it is, "
       "with plasmon poles of its own for every q"},
      {"system.vxc", Kind::file, nullptr, nullptr,
       "vxc.dat: exchange-correlation energies of the bands wanted"},
      {"system.eps0", Kind::file, nullptr, nullptr, "eps0mat.h5: inverse dielectric matrix for q -> 0"},
      {"system.eps", Kind::file, "", nullptr,
       "epsmat.h5: the same for the other q; without it there is q -> 0 only"},
      {"system.nbands", Kind::integer, "", "1..1000000",
       "bands in the sum over states; all of the file unless given"},
      {"sigma.bands", Kind::integers, nullptr, "1..1000000", "first and last band wanted, such as [1, 14]"},
      {"sigma.kpoints", Kind::points, "", nullptr,
       "k points wanted, crystal coordinates; all irreducible ones of the file unless given"},
      {"sigma.model", Kind::choice, "gpp", "gpp godby_needs cohsex",
       "frequency dependence: plasmon pole from the f-sum rule (Hybertsen-Louie), from two frequencies "
       "(Godby-Needs), or static"},
      {"sigma.exact_static_ch", Kind::boolean, "true", nullptr,
       "gpp, godby_needs: adds the static remainder of the bands left out (BerkeleyGW: only if set to 1); "
       "cohsex: CH is "
       "exact in any case, false adds the primed columns of its sum over bands (BerkeleyGW: 1 unless set to "
       "0)"},
      {"sigma.invalid_gpp_mode", Kind::integer, "3", "0..3",
       "where a pole has w^2 < 0: 0 leave out, 1 imaginary w, 2 w = 2 Ry, 3 static limit"},
      {"sigma.gpp_broadening", Kind::energy, "0.5 eV", ">0",
       "nearer to a pole than this, screened exchange changes to its smooth form"},
      {"sigma.gpp_sexcutoff", Kind::real, "4.0", ">0",
       "screened exchange above a pole is dropped where it exceeds this times the static one"},
      {"sigma.finite_difference_form", Kind::integer, "2", "-3..2",
       "dSigma/dE: -3 on the frequency grid, -2 none, -1 backward, 0 central, 1 and 2 forward"},
      {"sigma.finite_difference_spacing", Kind::energy, "1.0 eV", ">0", "the energy step of the difference"},
      {"sigma.frequency_grid.min", Kind::energy, "-5.0 eV", nullptr,
       "form -3: first energy of the grid, from the mean-field energy"},
      {"sigma.frequency_grid.max", Kind::energy, "5.0 eV", nullptr, "form -3: last energy"},
      {"sigma.frequency_grid.points", Kind::integer, "21", "2..10000", "form -3: number of energies"},
      {"sigma.symmetry", Kind::boolean, "true", nullptr,
       "sum over the q of the wedge of each k's group only, with weights; the answer is the same to 1e-8 eV, "
       "but not with "
       "wings: berkeleygw or a density taken as_is"},
      {"coulomb.average", Kind::choice, "cell", "cell none file berkeleygw",
       "v(q+G): averaged over the cell of each q, plain (but q+G = 0, which is always averaged), all from "
       "coulomb.file, or averaged over BerkeleyGW's random points, to repeat its numbers"},
      {"coulomb.file", Kind::file, "", nullptr,
       "v(q+G) of another run (BerkeleyGW's vcoul, may be gzip-compressed): all of it with average: file, "
       "only q+G = 0 with none, unused otherwise"},
      {"coulomb.wings", Kind::choice, "symmetric", "symmetric berkeleygw",
       "wings of eps^-1 where v is averaged: scaled alike for equivalent q, or as BerkeleyGW does, which "
       "depends on how "
       "a q is written (0.014 eV of silicon's Eqp1)"},
      {"coulomb.head", Kind::real, "", ">0",
       "v at q+G = 0 in Ry bohr^3, to repeat another code's number; goes before the file's and our average"},
      {"parallel.gprime_slices", Kind::integer, "1", "1..65536",
       "MPI processes that share each q by columns G'; the others share k and q"},
  };
  return keys;
}

namespace {

void read_bands(const app::Input& input, Settings& s) {
  const auto bands = input.integers("sigma.bands");
  if (bands.size() != 2) {
    input.fail("sigma.bands", "'bands' is the first and the last band, such as [1, 14]; got " +
                                  std::to_string(bands.size()) + " numbers");
  } else if (bands[0] > bands[1]) {
    input.fail("sigma.bands", "'bands' goes from the first to the last band; got " +
                                  std::to_string(bands[0]) + " to " + std::to_string(bands[1]));
  } else {
    s.band_min = static_cast<int>(bands[0]);
    s.band_max = static_cast<int>(bands[1]);
  }
}

void read_kpoints(const app::Input& input, Settings& s) {
  if (!input.has("sigma.kpoints")) return;
  for (const auto& row : input.points("sigma.kpoints")) {
    if (row.size() != 3) {
      input.fail("sigma.kpoints", "k point " + std::to_string(s.kpoints.size() + 1) + " has " +
                                      std::to_string(row.size()) + " coordinates; it needs 3");
      return;
    }
    s.kpoints.push_back({row[0], row[1], row[2]});
  }
  if (s.kpoints.empty())
    input.fail("sigma.kpoints", "'kpoints' is empty; leave it out for all k points of the file");
  for (size_t i = 0; i < s.kpoints.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (equivalent(s.kpoints[i], s.kpoints[j])) {
        input.fail("sigma.kpoints",
                   "k points " + std::to_string(j + 1) + " and " + std::to_string(i + 1) + " are " +
                       (distance(s.kpoints[i], s.kpoints[j]) < same_point ? "the same" : "equivalent: they differ by a G"));
        return;
      }
}

void read_frequency_grid(const app::Input& input, Settings& s) {
  s.frequency_grid_points = input.small_integer("sigma.frequency_grid.points");
  s.frequency_grid_min_eV = input.energy_eV("sigma.frequency_grid.min");
  s.frequency_grid_max_eV = input.energy_eV("sigma.frequency_grid.max");
  if (!(s.frequency_grid_min_eV < s.frequency_grid_max_eV))
    input.fail("sigma.frequency_grid.max",
               "'max' of the frequency grid, " + std::to_string(s.frequency_grid_max_eV) +
                   " eV, must be above its 'min', " + std::to_string(s.frequency_grid_min_eV) + " eV");
}

void read_coulomb(const app::Input& input, Settings& s) {
  const std::string average = input.text("coulomb.average");
  s.coulomb = average == "cell"   ? CoulombMode::cell
              : average == "none" ? CoulombMode::none
              : average == "file" ? CoulombMode::file
                                  : CoulombMode::berkeleygw;
  s.wings = input.text("coulomb.wings") == "symmetric" ? Wings::symmetric : Wings::berkeleygw;
  s.vcoul = input.file("coulomb.file");
  if (input.has("coulomb.head")) s.coulomb_head = input.real("coulomb.head");
  if (s.coulomb == CoulombMode::file && s.vcoul.empty())
    input.fail("coulomb.average", "'average: file' takes v(q+G) from a file; name it in 'coulomb.file'");
}

}  // namespace

Settings read_settings(const app::Input& input) {
  Settings s;
  input.group([&] { s.wavefunctions = input.file("system.wavefunctions"); });
  input.group([&] { s.density = input.file("system.density"); });
  input.group([&] {
    s.density_symmetry =
        input.text("system.density_symmetry") == "as_is" ? DensitySymmetry::as_is : DensitySymmetry::symmetrise;
  });
  input.group([&] { s.vxc = input.file("system.vxc"); });
  input.group([&] { s.eps0 = input.file("system.eps0"); });
  input.group([&] { s.eps = input.file("system.eps"); });
  input.group([&] {
    if (input.has("system.nbands")) s.nbands = input.small_integer("system.nbands");
  });
  input.group([&] { read_bands(input, s); });
  input.group([&] { read_kpoints(input, s); });
  input.group([&] { read_frequency_grid(input, s); });
  input.group([&] { read_coulomb(input, s); });
  input.group([&] {
    const std::string model = input.text("sigma.model");
    s.model = model == "gpp" ? Model::gpp : model == "godby_needs" ? Model::godby_needs : Model::cohsex;
    s.exact_static_ch = input.boolean("sigma.exact_static_ch");
    s.invalid_gpp_mode = input.small_integer("sigma.invalid_gpp_mode");
    s.gpp_broadening_eV = input.energy_eV("sigma.gpp_broadening");
    s.gpp_sexcutoff = input.real("sigma.gpp_sexcutoff");
    s.finite_difference_form = input.small_integer("sigma.finite_difference_form");
    s.finite_difference_spacing_eV = input.energy_eV("sigma.finite_difference_spacing");
    s.symmetry = input.boolean("sigma.symmetry");
    s.gprime_slices = input.small_integer("parallel.gprime_slices");
  });
  return s;
}

}  // namespace suite::gw
