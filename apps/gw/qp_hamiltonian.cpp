// SPDX-License-Identifier: BSD-3-Clause
#include "qp_hamiltonian.hpp"

#include <algorithm>

#include <fmt/core.h>

#ifdef SUITE_HAVE_EIGEN
#include "base/dense/eigenpairs.hpp"
#endif

namespace suite::gw {

#ifdef SUITE_HAVE_EIGEN

bool mixes_levels() { return true; }

std::vector<MixedLevels> mixed_levels(const Settings& s, const Result& result) {
  std::vector<MixedLevels> all;
  if (s.sigma_matrix[0] == 0) return all;
  const int n = s.band_max - s.band_min + 1;
  const size_t elements = s.offdiag.size();
  // By k, then spin; the elements of each in the order of the settings.
  for (size_t first = 0; first < result.off_diagonal.size(); first += elements) {
    const OffDiagonal& head = result.off_diagonal[first];
    for (size_t i = 0; i < head.iw.size(); ++i) {
      app::Dense<std::complex<double>> h = app::Dense<std::complex<double>>::Zero(n, n);
      for (const State& state : result.states)
        if (state.k == head.k && state.spin == head.spin && state.band >= s.band_min && state.band <= s.band_max)
          h(state.band - s.band_min, state.band - s.band_min) = state.emf;
      for (size_t e = first; e < first + elements; ++e) {
        const OffDiagonal& o = result.off_diagonal[e];
        const int row = o.element.n - s.band_min, column = o.element.m - s.band_min;
        const std::complex<double> term = o.x + o.sx[i] + o.ch[i] + o.remainder - o.vxc.value_or(0.0);
        h(row, column) += term;
        if (s.sigma_matrix[1] != 0 && row != column) h(column, row) += std::conj(term);
      }
      h = (0.5 * (h + h.adjoint())).eval();
      const auto found = app::eigenpairs_of(h);
      MixedLevels& levels = all.emplace_back();
      levels.k = head.k, levels.spin = head.spin, levels.iw = head.iw[i];
      for (int j = 0; found.found && j < n; ++j) {
        Eigen::Index most = 0;
        levels.shares.push_back(found.vectors.col(j).cwiseAbs2().maxCoeff(&most));
        levels.bands.push_back(s.band_min + static_cast<int>(most));
        levels.energies.push_back(found.values[j]);
      }
    }
  }
  return all;
}

#else

bool mixes_levels() { return false; }
std::vector<MixedLevels> mixed_levels(const Settings&, const Result&) { return {}; }

#endif

std::string offdiag_file(const Settings& s, const Result& result, const std::vector<MixedLevels>& levels) {
  std::string text = fmt::format(
      "# Eigenvalues of Emf + Sigma(E) - Vxc between bands {} and {}, eV. After \"k n\": spin, number, energy, the band that it has most "
      "of, its share\n",
      s.band_min, s.band_max);
  const auto& elements = result.off_diagonal;
  if (std::any_of(elements.begin(), elements.end(), [](const OffDiagonal& o) { return o.element.n != o.element.m && !o.vxc; }))
    text += "# The file of Vxc does not have all elements between bands; those it lacks are taken as 0, and the mixing is that much off.\n";
  for (const MixedLevels& at : levels) {
    const Vector3& k = result.kpoints.at(static_cast<size_t>(at.k));
    text += fmt::format("# E = E0{}\n{:13.9f}{:13.9f}{:13.9f}{:8}\n",
                        at.iw == 2   ? ""
                        : at.iw == 1 ? " - dE"
                                     : " + dE",
                        k[0], k[1], k[2], at.energies.size());
    for (size_t i = 0; i < at.energies.size(); ++i)
      text += fmt::format("{:8}{:8}{:15.9f}{:8}{:10.6f}\n", at.spin, s.band_min + static_cast<int>(i), at.energies[i], at.bands[i],
                          at.shares[i]);
  }
  return text;
}

}  // namespace suite::gw
