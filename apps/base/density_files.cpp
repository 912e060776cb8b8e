// SPDX-License-Identifier: BSD-3-Clause
#include "density_files.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "units.hpp"

namespace suite::app {
namespace {

constexpr const char* symbols[] = {"X",  "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al",
                                   "Si", "P",  "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co",
                                   "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb",
                                   "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe"};

int number_of(const std::string& element) {
  const auto found = std::find(std::begin(symbols), std::end(symbols), element);
  if (found == std::end(symbols)) throw Failure(SUITE_UNSUPPORTED, "a density file cannot name the element '" + element + "'");
  return static_cast<int>(found - std::begin(symbols));
}

// Six numbers a line; a new line begins with every run along z.
void append(std::string& text, double value, int column, int last) {
  text += fmt::format(" {:12.5e}", value);
  if (column % 6 == 5 || column == last) text += '\n';
}

// A line of its own.
std::string line_of(std::string title) {
  std::replace(title.begin(), title.end(), '\n', ' ');
  return title + "\n";
}

}  // namespace

double DensityGrid::integral() const { return std::accumulate(values.begin(), values.end(), 0.0) * step[0] * step[1] * step[2]; }

std::string cube_text(const DensityGrid& d) {
  std::string text = line_of(d.title) + "electron density in bohr^-3, lengths in bohr\n";
  text += fmt::format("{:5} {:12.6f} {:12.6f} {:12.6f}\n", d.atoms.size(), d.origin[0], d.origin[1], d.origin[2]);
  for (size_t axis = 0; axis < 3; ++axis) {
    std::array<double, 3> step{};
    step[axis] = d.step[axis];
    text += fmt::format("{:5} {:12.6f} {:12.6f} {:12.6f}\n", d.points[axis], step[0], step[1], step[2]);
  }
  for (const auto& atom : d.atoms)
    text += fmt::format("{:5} {:12.6f} {:12.6f} {:12.6f} {:12.6f}\n", number_of(atom.element), atom.charge, atom.position[0],
                        atom.position[1], atom.position[2]);
  size_t at = 0;
  for (int row = 0; row < d.points[0] * d.points[1]; ++row)
    for (int z = 0; z < d.points[2]; ++z) append(text, d.values[at++], z, d.points[2] - 1);
  return text;
}

std::string xsf_text(const DensityGrid& d) {
  const auto vector = [](const std::array<double, 3>& v) {
    return fmt::format(" {:14.8f} {:14.8f} {:14.8f}\n", v[0] * bohr_angstrom, v[1] * bohr_angstrom, v[2] * bohr_angstrom);
  };
  std::string cell;
  for (size_t axis = 0; axis < 3; ++axis) {
    std::array<double, 3> edge{};
    edge[axis] = d.points[axis] * d.step[axis];
    cell += vector(edge);
  }
  std::string text = "# " + line_of(d.title) + "# lengths in angstrom, electron density in bohr^-3\nCRYSTAL\nPRIMVEC\n" + cell +
                     fmt::format("PRIMCOORD\n{} 1\n", d.atoms.size());
  for (const auto& atom : d.atoms) text += fmt::format("{:4}", number_of(atom.element)) + vector(atom.position);
  text += "BEGIN_BLOCK_DATAGRID_3D\ndensity\nBEGIN_DATAGRID_3D_density\n" +
          fmt::format(" {} {} {}\n", d.points[0] + 1, d.points[1] + 1, d.points[2] + 1) + vector(d.origin) + cell;
  for (int z = 0; z <= d.points[2]; ++z)
    for (int y = 0; y <= d.points[1]; ++y)
      for (int x = 0; x <= d.points[0]; ++x) {
        const auto row = static_cast<size_t>(x % d.points[0]) * static_cast<size_t>(d.points[1]) + static_cast<size_t>(y % d.points[1]);
        append(text, d.values[row * static_cast<size_t>(d.points[2]) + static_cast<size_t>(z % d.points[2])], x, d.points[0]);
      }
  return text + "END_DATAGRID_3D\nEND_BLOCK_DATAGRID_3D\n";
}

}  // namespace suite::app
