// SPDX-License-Identifier: BSD-3-Clause
#include "stowfn.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <suite/qmc/shells.hpp>
#include <suite/qmc/solid_harmonics.hpp>

#include "casino_wave_function.hpp"
#include "common/io.hpp"

namespace suite::vmc {
namespace {

constexpr int code_of_sp_shell = 2;
constexpr double centres_are_at_atoms_to = 1e-5;  // bohr
// Converters change the s functions of an orbital to give it the exact cusps, which changes its norm by a few percent.
constexpr double with_cusps_orthonormal_to = 0.05;

// A function of the file as a multiple of component k of the normalised harmonics of l, m = 0, 1, -1, 2, -2 ..
struct OfSlater {
  int k;
  double factor;
};
const std::vector<OfSlater>& functions_of_slater(int l) {
  static const std::vector<OfSlater> functions[] = {
      {{0, 1}}, {{1, 1}, {2, 1}, {0, 1}}, {{4, 1}, {2, 1}, {1, 1}, {0, 2}, {3, 2 / std::numbers::sqrt3}}};
  return functions[l];
}

// Of r^n exp(-g r) S_lm, whose square over the directions is 4 pi/(2l+1) r^(2l).
double norm(int n, int l, double g) {
  return std::sqrt(std::pow(2 * g, 2 * n + 2 * l + 3) / std::tgamma(2 * n + 2 * l + 3) * (2 * l + 1) / (4 * std::numbers::pi));
}

class StowfnReader : CasinoWaveFunction {
public:
  StowfnReader(const std::string& name, const std::string& text) : CasinoWaveFunction(name, text) {}

  Molecule read(const std::array<int32_t, 2>& nele) {
    read_system(nele);
    read_nuclei();
    read_shells();
    read_orbitals(nele, with_cusps_orthonormal_to);
    return std::move(m_);
  }

private:
  void read_shells() {
    const auto centres = static_cast<size_t>(file_.integer_after("number of sto centres", 1, most_of_a_kind));
    if (centres != m_.charge.size())
      file_.fail(file_.last().at, fmt::format("there are {} centres of Slater functions but {} atoms", centres, m_.charge.size()));
    const auto positions = file_.reals_after("position of each centre", 3 * centres, "coordinates of centres");
    for (size_t k = 0; k < positions.size(); ++k)
      if (!(std::abs(positions[k] - m_.rion[k]) < centres_are_at_atoms_to))
        file_.fail(file_.last().at, fmt::format("centre {} is not at its atom", k / 3 + 1));
    const auto nshell = static_cast<size_t>(file_.integer_after("number of shells", 1, most_of_a_kind));
    auto firsts = file_.integers_after("sequence number of first shell", centres, "numbers of first shells", 1, static_cast<long>(nshell));
    firsts.push_back(static_cast<long>(nshell) + 1);
    check_first_shells(firsts, nshell);
    const auto codes = file_.integers_after("code for shell types", nshell, "codes of shells (1 s, 2 sp, 3 p, 4 d, 5 f, 6 g)", 1,
                                            qmc::largest_l + code_of_sp_shell);
    if (std::find(codes.begin(), codes.end(), code_of_sp_shell) != codes.end())
      file_.fail(file_.last().at, "sp shells (code 2) are not read; write them as s and p shells");
    const auto powers = file_.integers_after("order of radial prefactor", nshell, "orders of radial prefactors", 0, qmc::largest_power);
    const auto exponents = file_.reals_after("exponent in each", nshell, "exponents");
    for (const double exponent : exponents)
      if (!(exponent > 0)) file_.fail(file_.last().at, fmt::format("an exponent is {:g}; it must be positive", exponent));
    size_t centre = 0;
    m_.shell_first.push_back(1);
    for (size_t s = 0; s < nshell; ++s) {
      while (static_cast<long>(s) + 1 >= firsts[centre + 1]) ++centre;
      const int l = codes[s] == 1 ? 0 : static_cast<int>(codes[s]) - code_of_sp_shell, n = static_cast<int>(powers[s]);
      m_.power.push_back(n);
      m_.exponent.push_back(exponents[s]);
      m_.coefficient.push_back(norm(n, l, exponents[s]));
      add_shell(centre, l);
      for (int k = 0; k < 2 * l + 1; ++k) {
        if (l > 2)
          add_refused_function(k, "of an f or g shell; factors of these are not known, and orbitals of s, p and d functions are read");
        else add_function(functions_of_slater(l)[static_cast<size_t>(k)].k, functions_of_slater(l)[static_cast<size_t>(k)].factor);
      }
    }
    if (const long nao = file_.integer_after("number of basis functions", 1, most_of_a_kind); functions() != nao)
      file_.fail(file_.last().at, fmt::format("there are {} basis functions, but the shells have {}", nao, functions()));
    const auto orbitals =
        file_.integers_after("number of molecular orbitals", unrestricted_ ? 2 : 1, "numbers of orbitals", 1, most_of_a_kind);
    for (size_t s = 0; s < 2; ++s) orbitals_[s] = static_cast<size_t>(orbitals[std::min(s, orbitals.size() - 1)]);
  }
};

}  // namespace

Molecule parse_stowfn(const std::string& name, const std::string& text, const std::array<int32_t, 2>& nele) {
  return StowfnReader(name, text).read(nele);
}

Molecule read_stowfn(const std::filesystem::path& file, const std::array<int32_t, 2>& nele) {
  return parse_stowfn(file.string(), app::read_text_file(file, largest_wave_function_file), nele);
}

}  // namespace suite::vmc
