// SPDX-License-Identifier: BSD-3-Clause
#include "system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include <suite/qmc/lattice.hpp>

#include "crystal/crystal.hpp"
#include "molecule/molecule.hpp"

namespace suite::vmc {
namespace {

std::array<double, 9> shape_of(Lattice lattice) {
  switch (lattice) {
    case Lattice::fcc: return {0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0};
    case Lattice::bcc: return {-0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5, -0.5};
    default: return {1, 0, 0, 0, 1, 0, 0, 0, 1};
  }
}

// At least `vectors` reciprocal vectors and `stars` stars, the last star complete.
Stars complete_stars(const qmc::Lattice& lattice, int64_t vectors, int stars) {
  for (int64_t count = std::max<int64_t>(2 * vectors, 16 * stars) + 64;; count *= 2) {
    Stars found;
    found.gvec = qmc::shortest_reciprocal(lattice, count, &found.star);
    const int complete = found.star.back() - 1;  // the last one may be incomplete
    const auto end = std::find(found.star.begin(), found.star.end(), complete + 1);
    const auto kept = end - found.star.begin();
    if (complete < stars || kept < vectors) continue;
    found.star.resize(static_cast<size_t>(kept));
    found.gvec.resize(static_cast<size_t>(3 * kept));
    return found;
  }
}

// Error message if `count` plane waves for each of `copies` spins do not fill closed shells, with the nearest numbers of electrons that do;
// "" if they do.
std::string open_shell(const std::array<double, 9>& cell, int32_t count, int32_t copies, const char* spin) {
  if (count == 0) return "";
  const auto closed = closed_shells(cell, count);
  const auto above = std::lower_bound(closed.begin(), closed.end(), count);
  if (*above == count) return "";
  return fmt::format("{} electrons{} leave a shell of plane waves open; the nearest closed shells have {} and {}", copies * count, spin,
                     copies * *(above - 1), copies * *above);
}

std::string open_shells(const std::array<double, 9>& cell, int32_t up, int32_t down) {
  if (up == down) return open_shell(cell, up, 2, "");
  const std::string of_up = open_shell(cell, up, 1, " with spin up"), of_down = open_shell(cell, down, 1, " with spin down");
  return of_up + (of_up.empty() || of_down.empty() ? "" : "; ") + of_down;
}

}  // namespace

bool System::crystal() const { return molecule && molecule->crystal; }
double System::volume() const { return qmc::lattice_of(cell.data()).volume; }
double System::inscribed_radius() const { return qmc::lattice_of(cell.data()).inscribed_radius; }

const char* name_of(Lattice lattice) {
  constexpr const char* names[] = {"sc", "fcc", "bcc", "given"};
  return names[static_cast<size_t>(lattice)];
}

std::vector<int32_t> closed_shells(const std::array<double, 9>& cell, int32_t count) {
  const Stars found = complete_stars(qmc::lattice_of(cell.data()), (count + 1) / 2, 1);
  std::vector<int32_t> counts{1};
  for (size_t i = 0; i < found.star.size() && counts.back() < count; ++i)
    if (i + 1 == found.star.size() || found.star[i + 1] != found.star[i]) counts.push_back(static_cast<int32_t>(2 * (i + 1) + 1));
  return counts;
}

Stars stars(const std::array<double, 9>& cell, int count) {
  if (count <= 0) return {};
  const qmc::Lattice lattice = qmc::lattice_of(cell.data());
  Stars found = complete_stars(lattice, 1, count);
  const auto end = std::find(found.star.begin(), found.star.end(), count + 1) - found.star.begin();
  found.star.resize(static_cast<size_t>(end));
  found.gvec.resize(static_cast<size_t>(3 * end));
  for (size_t i = 0; i < found.star.size(); ++i) {
    if (static_cast<size_t>(found.star[i]) == found.length.size()) continue;
    double G[3];
    qmc::reciprocal_vector(lattice, &found.gvec[3 * i], G);
    found.length.push_back(std::hypot(G[0], G[1], G[2]));
  }
  return found;
}

System make_system(double rs, Lattice lattice, const std::array<double, 9>& shape, int32_t up, int32_t down) {
  System s;
  s.rs = rs;
  s.lattice = lattice;
  s.nele = {up, down};
  s.cell = lattice == Lattice::given ? shape : shape_of(lattice);
  const double whole = 4 * std::numbers::pi / 3 * rs * rs * rs * static_cast<double>(s.netot());
  const double scale = std::cbrt(whole / s.volume());
  for (double& x : s.cell) x *= scale;
  const std::string trouble = open_shells(s.cell, up, down);
  if (!trouble.empty()) throw Failure(SUITE_INVALID_ARGUMENT, trouble);
  // At least one, as required by the kernels; a single electron of a spin does not use it.
  s.kvec = qmc::shortest_reciprocal(qmc::lattice_of(s.cell.data()), std::max((std::max(up, down) - 1) / 2, 1));
  return s;
}

System make_system(Molecule molecule, const std::array<int32_t, 2>& nele) {
  constexpr double edge = 0x1p20;
  System s;
  s.lattice = Lattice::given;
  s.cell = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
  s.nele = nele;
  if (molecule.crystal) {
    s.cell = molecule.crystal->cell;
    s.rs = std::cbrt(3 * s.volume() / (4 * std::numbers::pi * static_cast<double>(s.netot())));
  }
  s.molecule = std::make_shared<const Molecule>(std::move(molecule));
  return s;
}

}  // namespace suite::vmc
