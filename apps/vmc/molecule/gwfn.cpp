// SPDX-License-Identifier: BSD-3-Clause
#include "gwfn.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <suite/qmc/solid_harmonics.hpp>

#include "base/structure/structure.hpp"
#include "casino_numbers.hpp"
#include "common/io.hpp"

namespace suite::vmc {
namespace {

using app::Line;

constexpr size_t largest_wave_function_file = size_t{1} << 28;
constexpr long most_of_a_kind = 1 << 20;
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

class GwfnReader {
public:
  GwfnReader(const std::string& name, const std::string& text) : file_(name, text) {}

  Molecule read(const std::array<int32_t, 2>& nele) {
    read_system(nele);
    read_nuclei();
    read_shells();
    read_orbitals(nele);
    if (const std::string flaw = flaw_of_orbitals(m_); !flaw.empty()) file_.fail(orbitals_at_, flaw);
    return std::move(m_);
  }

private:
  void read_system(const std::array<int32_t, 2>& nele) {
    if (file_.integer_after("periodicity", 0, 3) != 0)
      file_.fail(file_.last().at, "the system is periodic; molecules in open space (periodicity 0) are read");
    const Line& spin = file_.line_after("spin unrestricted");
    const std::string logical = app::lower(spin.text);
    unrestricted_ = logical == ".true." || logical == "t" || logical == "true";
    if (!unrestricted_ && logical != ".false." && logical != "f" && logical != "false")
      file_.fail(spin.at, "'Spin unrestricted' must be .true. or .false.; got '" + spin.text + "'");
    const long electrons = file_.integer_after("number of electrons", 1, most_of_a_kind);
    if (electrons != nele[0] + nele[1])
      file_.fail(file_.last().at,
                 fmt::format("the orbitals are of {} electrons, but neu is {} and ned is {}", electrons, nele[0], nele[1]));
  }

  void read_nuclei() {
    const auto n = static_cast<size_t>(file_.integer_after("number of atoms", 1, most_of_a_kind));
    m_.rion = file_.reals_after("atomic positions", 3 * n, "coordinates of atoms");
    const auto numbers = file_.integers_after("atomic numbers", n, "atomic numbers", 1, 1000);
    for (const long number : numbers) {
      m_.label.push_back(app::element_of_number(number));
      if (m_.label.back().empty()) file_.fail(file_.last().at, fmt::format("the atomic number {} is that of no element", number));
    }
    m_.charge = file_.reals_after("valence charges", n, "valence charges");
    if (const std::string flaw = flaw_of_nuclei(m_); !flaw.empty()) file_.fail(file_.last().at, flaw);
  }

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
    if (firsts.front() != 1 || firsts.back() != static_cast<long>(nshell) + 1 || !std::is_sorted(firsts.begin(), firsts.end()))
      file_.fail(file_.last().at, fmt::format("the numbers of first shells must ascend from 1 to {}", nshell + 1));
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
        m_.shell_ion.push_back(static_cast<int32_t>(centre + 1));
        m_.shell_l.push_back(static_cast<int32_t>(l));
        m_.exponent.insert(m_.exponent.end(), &exponents[primitive], &exponents[primitive] + count);
        m_.coefficient.insert(m_.coefficient.end(), &c[primitive], &c[primitive] + count);
        m_.shell_first.push_back(static_cast<int32_t>(m_.exponent.size() + 1));
        for (const Function& f : functions_of(static_cast<int>(l))) functions_.push_back({nao_ + f.k, f.factor});
        nao_ += 2 * static_cast<int>(l) + 1;
      };
      if (codes[s] == code_of_sp) add(0, coefficients), add(1, of_p);
      else add(codes[s] == 1 ? 0 : codes[s] - code_of_sp, coefficients);
      primitive += count;
      shell_centre_.push_back(centre);
    }
    if (nao_ != nao) file_.fail(functions_at, fmt::format("there are {} basis functions, but the shells have {}", nao, nao_));
    const auto positions = file_.reals_after("position of each shell", 3 * nshell, "coordinates of shells");
    for (size_t s = 0; s < nshell; ++s)
      for (size_t d = 0; d < 3; ++d)
        if (!(std::abs(positions[3 * s + d] - m_.rion[3 * shell_centre_[s] + d]) < shells_are_at_centres_to))
          file_.fail(file_.last().at, fmt::format("shell {} is not at its centre, atom {}", s + 1, shell_centre_[s] + 1));
  }

  // All orbitals, lowest first; those of spin down after those of spin up if they differ.
  void read_orbitals(const std::array<int32_t, 2>& nele) {
    for (;;) {
      const Line& line = file_.line_with({"orbital coefficients", "eigenvector coefficients", "multideterminant information"});
      if (app::lower(line.text).find("multideterminant") == std::string::npos) break;
      while (file_.next().text.find_first_not_of("-=") == std::string::npos && !file_.next().words.empty()) file_.take();
      if (app::lower(file_.next().text) != "gs")
        file_.fail(file_.next().at, "one determinant of the lowest orbitals (GS) is read; got '" + file_.next().text + "'");
    }
    orbitals_at_ = file_.last().at;
    const auto values = file_.all_reals("orbital coefficient");
    const auto nao = static_cast<size_t>(nao_), spins = size_t{unrestricted_ ? 2u : 1u};
    const size_t orbitals = values.size() / nao / spins;
    if (values.size() != orbitals * nao * spins)
      file_.fail(orbitals_at_, fmt::format("there are {} orbital coefficients; they must be {} for each orbital{}", values.size(), nao,
                                           unrestricted_ ? " of both spins" : ""));
    for (size_t s = 0; s < 2; ++s) {
      const auto n = static_cast<size_t>(nele[s]);
      if (n > orbitals) file_.fail(orbitals_at_, fmt::format("{} is {} but there are {} orbitals", s ? "ned" : "neu", n, orbitals));
      m_.mo[s].assign(nao * n, 0);
      for (size_t i = 0; i < n; ++i)
        for (size_t f = 0; f < nao; ++f)
          m_.mo[s][nao * i + static_cast<size_t>(functions_[f].k)] =
              functions_[f].factor * values[nao * (i + (spins == 2 && s == 1 ? orbitals : 0)) + f];
    }
  }

  CasinoNumbers file_;
  Molecule m_;
  bool unrestricted_ = false;
  app::Position orbitals_at_;
  int nao_ = 0;
  std::vector<Function> functions_;  // of the file: the place among ours, and the factor
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
