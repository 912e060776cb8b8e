// SPDX-License-Identifier: BSD-3-Clause
#include "gwfn.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <suite/qmc/solid_harmonics.hpp>

#include "casino_wave_function.hpp"
#include "common/io.hpp"

namespace suite::vmc {
namespace {

using app::Line;

constexpr int code_of_sp = 2;
constexpr double shells_are_at_centres_to = 1e-5;  // bohr

// A function of the file as a multiple of component k of l of ours: the order of solid_harmonics.hpp is m = 0, 1, -1, 2, -2 ...
struct Function {
  int k;
  double factor;
};

std::vector<Function> functions_of(int l) {
  if (l == 1) return {{1, 1}, {2, 1}, {0, 1}};  // x, y, z
  // What d functions lack of r^2 P_2^m.
  constexpr double of_d[] = {2, 1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  std::vector<Function> functions;
  for (int k = 0; k < 2 * l + 1; ++k) {
    const int m = (k + 1) / 2;
    double factor = m > 0 ? std::sqrt(std::tgamma(l + m + 1) / (2 * std::tgamma(l - m + 1))) : 1;
    if (l == 2) factor *= of_d[k];
    functions.push_back({k, factor});
  }
  return functions;
}

class GwfnReader : CasinoWaveFunction {
public:
  GwfnReader(const std::string& name, const std::string& text) : CasinoWaveFunction(name, text) {}

  Molecule read(const std::array<int32_t, 2>& nele) {
    read_system(nele);
    read_nuclei();
    read_shells();
    read_orbitals(nele, programs_are_orthonormal_to);
    return std::move(m_);
  }

private:
  void read_shells() {
    const auto centres = static_cast<size_t>(file_.integer_after("number of gaussian centres", 1, most_of_a_kind));
    if (centres != m_.charge.size())
      file_.fail(file_.last().at, fmt::format("there are {} centres of Gaussians but {} atoms", centres, m_.charge.size()));
    const auto nshell = static_cast<size_t>(file_.integer_after("number of shells", 1, most_of_a_kind));
    const long nao = file_.integer_after("number of basis functions", 1, most_of_a_kind);
    const auto functions_at = file_.last().at;
    const auto nprim = static_cast<size_t>(file_.integer_after("number of gaussian primitives", 1, most_of_a_kind));
    const auto codes = file_.integers_after("code for shell types", nshell, "codes of shells (1 s, 2 sp, 3 p, 4 d, 5 f, 6 g)", 1,
                                            qmc::largest_l + code_of_sp);
    const auto counts = file_.integers_after("number of primitive gaussians", nshell, "numbers of primitives", 1, most_of_a_kind);
    long all = 0;
    for (const long count : counts) all += count;
    if (all != static_cast<long>(nprim))
      file_.fail(file_.last().at, fmt::format("the shells have {} primitives together, but there are {}", all, nprim));
    const auto firsts =
        file_.integers_after("sequence number of first shell", centres + 1, "numbers of first shells", 1, static_cast<long>(nshell) + 1);
    check_first_shells(firsts, nshell);
    const auto exponents = file_.reals_after("exponents of gaussian", nprim, "exponents");
    for (const double exponent : exponents)
      if (!(exponent > 0)) file_.fail(file_.last().at, fmt::format("an exponent is {:g}; it must be positive", exponent));
    const auto coefficients = file_.reals_after("contraction coefficients", nprim, "contraction coefficients");
    std::vector<double> of_p;  // the p functions of sp shells
    if (std::find(codes.begin(), codes.end(), code_of_sp) != codes.end())
      of_p = file_.reals_after("contraction coefficients", nprim, "contraction coefficients of the p functions");
    size_t centre = 0, primitive = 0;
    m_.shell_first.push_back(1);
    for (size_t s = 0; s < nshell; ++s) {
      while (static_cast<long>(s) + 1 >= firsts[centre + 1]) ++centre;
      const auto count = static_cast<size_t>(counts[s]);
      const auto add = [&](long l, const std::vector<double>& c) {
        m_.exponent.insert(m_.exponent.end(), &exponents[primitive], &exponents[primitive] + count);
        m_.coefficient.insert(m_.coefficient.end(), &c[primitive], &c[primitive] + count);
        add_shell(centre, static_cast<int>(l));
        for (const Function& f : functions_of(static_cast<int>(l))) add_function(f.k, f.factor);
      };
      if (codes[s] == code_of_sp) add(0, coefficients), add(1, of_p);
      else add(codes[s] == 1 ? 0 : codes[s] - code_of_sp, coefficients);
      primitive += count;
      shell_centre_.push_back(centre);
    }
    if (functions() != nao) file_.fail(functions_at, fmt::format("there are {} basis functions, but the shells have {}", nao, functions()));
    const auto positions = file_.reals_after("position of each shell", 3 * nshell, "coordinates of shells");
    for (size_t s = 0; s < nshell; ++s)
      for (size_t d = 0; d < 3; ++d)
        if (!(std::abs(positions[3 * s + d] - m_.rion[3 * shell_centre_[s] + d]) < shells_are_at_centres_to))
          file_.fail(file_.last().at, fmt::format("shell {} is not at its centre, atom {}", s + 1, shell_centre_[s] + 1));
  }

  std::vector<size_t> shell_centre_;
};

}  // namespace

Molecule parse_gwfn(const std::string& name, const std::string& text, const std::array<int32_t, 2>& nele) {
  return GwfnReader(name, text).read(nele);
}

Molecule read_gwfn(const std::filesystem::path& file, const std::array<int32_t, 2>& nele) {
  return parse_gwfn(file.string(), app::read_text_file(file, largest_wave_function_file), nele);
}

}  // namespace suite::vmc
