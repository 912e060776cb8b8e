// SPDX-License-Identifier: BSD-3-Clause
#include "walkers.hpp"

#include <suite/qmc/philox.hpp>

#include "molecule/molecule.hpp"

namespace suite::vmc {
namespace {

constexpr double spread_around_nuclei = 0.7;  // bohr, of each coordinate

// The nucleus of each electron, spin up first: as many electrons around each as it has protons, alternating in spin; what is left over or
// missing goes around the nuclei in turn.
std::vector<size_t> nuclei_of_electrons(const Molecule& m, const std::array<int32_t, 2>& nele) {
  std::vector<size_t> sites;
  std::vector<double> left = m.charge;
  for (int64_t i = 0; i < nele[0] + nele[1]; ++i) {
    size_t most = 0;
    for (size_t a = 1; a < left.size(); ++a)
      if (left[a] > left[most] + 1e-9) most = a;
    left[most] -= 1;
    sites.push_back(most);
  }
  std::array<std::vector<size_t>, 2> of_spin;
  std::vector<int> excess(left.size(), 0);  // up minus down, so far
  for (const size_t site : sites) {
    size_t spin = excess[site] > 0 ? 1 : 0;
    if (std::ssize(of_spin[spin]) == nele[spin]) spin = 1 - spin;
    of_spin[spin].push_back(site);
    excess[site] += spin == 0 ? 1 : -1;
  }
  of_spin[0].insert(of_spin[0].end(), of_spin[1].begin(), of_spin[1].end());
  return of_spin[0];
}

}  // namespace

std::vector<double> scattered(const System& system, int64_t seed, std::span<const int64_t> streams) {
  std::vector<double> rele;
  const int64_t netot = system.netot();
  rele.reserve(static_cast<size_t>(3 * netot) * streams.size());
  const auto nuclei = system.molecule ? nuclei_of_electrons(*system.molecule, system.nele) : std::vector<size_t>{};
  for (const int64_t stream : streams)
    for (int64_t i = 0; i < netot; ++i) {
      const qmc::Words words = qmc::draw(seed, stream, 0, netot + 1 + i, 0);
      double g[3]{};
      if (system.molecule) qmc::gaussians(words, g);
      for (size_t x = 0; x < 3; ++x) {
        double sum = 0;
        if (system.molecule) sum = system.molecule->rion[3 * nuclei[static_cast<size_t>(i)] + x] + spread_around_nuclei * g[x];
        else
          for (size_t d = 0; d < 3; ++d) sum += qmc::open_uniform(words.w[d]) * system.cell[3 * d + x];
        rele.push_back(sum);
      }
    }
  return rele;
}

void Walkers::scatter(std::span<const int64_t> streams) { place(scattered(system(), seed(), streams), streams); }

std::unique_ptr<Walkers> make_walkers(const System& system, const Jastrow& jastrow, const Implementation& implementation, int64_t seed,
                                      int64_t capacity) {
  return (system.molecule ? make_molecule_walkers : make_gas_walkers)(system, jastrow, implementation, seed, capacity);
}

}  // namespace suite::vmc
