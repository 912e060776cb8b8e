// SPDX-License-Identifier: BSD-3-Clause
// Densities on a regular grid as files that other programs read: Gaussian cube files, and XSF files for crystals (XCrySDen, VESTA, ASE).
#pragma once

#include <array>
#include <string>
#include <vector>

namespace suite::app {

struct DensityGrid {
  struct Atom {
    std::string element;              // "Na"; up to xenon
    double charge = 0;                // of the nucleus or ion, as the calculation has it
    std::array<double, 3> position{};  // bohr
  };
  std::string title;
  std::vector<Atom> atoms;
  std::array<double, 3> origin{}, step{};  // bohr; the axes are x, y and z
  std::array<int, 3> points{};
  bool periodic = false;
  std::vector<double> values;  // bohr^-3, z fastest

  double integral() const;  // electrons
};

// Lengths in bohr, values in bohr^-3.
std::string cube_text(const DensityGrid& density);
// Lengths in angstrom, values in bohr^-3; the last plane of each direction repeats the first, as the format has it.
std::string xsf_text(const DensityGrid& density);

}  // namespace suite::app
