// SPDX-License-Identifier: BSD-3-Clause
#include "casino_wave_function.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/structure/structure.hpp"

namespace suite::vmc {

using app::Line;

void CasinoWaveFunction::read_system(const std::array<int32_t, 2>& nele) {
  if (file_.integer_after("periodicity", 0, 3) != 0)
    file_.fail(file_.last().at, "the system is periodic; molecules in open space (periodicity 0) are read");
  const Line& spin = file_.line_after("spin unrestricted");
  const std::string logical = app::lower(spin.text);
  unrestricted_ = logical == ".true." || logical == "t" || logical == "true";
  if (!unrestricted_ && logical != ".false." && logical != "f" && logical != "false")
    file_.fail(spin.at, "'Spin unrestricted' must be .true. or .false.; got '" + spin.text + "'");
  const long electrons = file_.integer_after("number of electrons", 1, most_of_a_kind);
  if (electrons != nele[0] + nele[1])
    file_.fail(file_.last().at, fmt::format("the orbitals are of {} electrons, but neu is {} and ned is {}", electrons, nele[0], nele[1]));
}

void CasinoWaveFunction::read_nuclei() {
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

void CasinoWaveFunction::check_first_shells(const std::vector<long>& first, size_t nshell) const {
  if (first.front() != 1 || first.back() != static_cast<long>(nshell) + 1 || !std::is_sorted(first.begin(), first.end()))
    file_.fail(file_.last().at, fmt::format("the numbers of first shells must ascend from 1 to {}", nshell + 1));
}

void CasinoWaveFunction::add_shell(size_t centre, int l) {
  m_.shell_ion.push_back(static_cast<int32_t>(centre + 1));
  m_.shell_l.push_back(l);
  m_.shell_first.push_back(static_cast<int32_t>(m_.exponent.size() + 1));
  shell_begin_ = nao_;
  nao_ += 2 * l + 1;
}

void CasinoWaveFunction::read_orbitals(const std::array<int32_t, 2>& nele, double orthonormal_to) {
  for (;;) {
    const Line& line = file_.line_with({"orbital coefficients", "eigenvector coefficients", "multideterminant information"});
    if (app::lower(line.text).find("multideterminant") == std::string::npos) break;
    while (file_.next().text.find_first_not_of("-=") == std::string::npos && !file_.next().words.empty()) file_.take();
    if (app::lower(file_.next().text) != "gs")
      file_.fail(file_.next().at, "one determinant of the lowest orbitals (GS) is read; got '" + file_.next().text + "'");
  }
  const auto at = file_.last().at;
  const auto values = file_.all_reals("orbital coefficient");
  const auto nao = static_cast<size_t>(nao_), spins = size_t{unrestricted_ ? 2u : 1u};
  auto orbitals = orbitals_;
  if (orbitals[0] == 0) orbitals = {values.size() / nao / spins, values.size() / nao / spins};
  if (values.size() != (orbitals[0] + (spins == 2 ? orbitals[1] : 0)) * nao)
    file_.fail(at, fmt::format("there are {} orbital coefficients; they must be {} for each orbital{}", values.size(), nao,
                               unrestricted_ ? " of both spins" : ""));
  for (size_t s = 0; s < 2; ++s) {
    const auto n = static_cast<size_t>(nele[s]);
    const size_t those = orbitals[spins == 2 ? s : 0], first = spins == 2 && s == 1 ? orbitals[0] : 0;
    if (n > those) file_.fail(at, fmt::format("{} is {} but there are {} orbitals", s ? "ned" : "neu", n, those));
    m_.mo[s].assign(nao * n, 0);
    for (size_t i = 0; i < n; ++i)
      for (size_t f = 0; f < nao; ++f) {
        const double value = values[nao * (i + first) + f];
        if (functions_[f].refused && value != 0)
          file_.fail(at, fmt::format("orbital {} has the coefficient {:g} of function {}, {}", i + 1, value, f + 1, functions_[f].refused));
        m_.mo[s][nao * i + static_cast<size_t>(functions_[f].place)] = functions_[f].factor * value;
      }
  }
  if (const std::string flaw = flaw_of_orbitals(m_, orthonormal_to); !flaw.empty()) file_.fail(at, flaw);
}

}  // namespace suite::vmc
