// SPDX-License-Identifier: BSD-3-Clause
// Absorbing layers at the faces of an isolated cell, which take away the electrons that leave it. Without them the electrons come in
// again on the other side. With the depth s of a point in a layer of width w, 0 at its inner edge and w at the face of the cell, every step dt
// multiplies the orbitals by a product over the three directions:
//   potential:  exp(-W dt),  W = height sin^2(pi s/(2 w)),  of the complex potential -iW
//   mask:       cos^(1/8)(pi s/(2 w)),  as in Krause, Schafer and Kulander, Phys. Rev. A 45, 4998 (1992)
#pragma once

#include <array>
#include <vector>

#include "system.hpp"

namespace suite::app {
class Input;
}

namespace suite::tddft {

struct Settings;

struct Absorber {
  enum class Kind { none, potential, mask };
  Kind kind = Kind::none;
  double width = 0;  // bohr
  double height = 0;  // Ha, of the potential

  bool there() const { return kind != Kind::none; }
};

class AbsorbingLayers {
public:
  AbsorbingLayers(const Grid& grid, const Absorber& absorber, double dt);

  // What a step multiplies the orbitals by, 0 to 1, (Nz,Ny,Nx).
  const std::vector<double>& factors() const { return factors_; }

  // int r rho and int rho, bohr and 1.
  struct Moments {
    std::array<double, 4> left{}, gone{}, magnetisation{};  // of what is there after a step, of what it took away, of up minus down
  };
  // Takes from densities (Nz,Ny,Nx,spins), bohr^-3, what a step takes from that of the orbitals. The same bits with any number of threads.
  Moments take(std::vector<double>& densities) const;

private:
  Grid grid_;
  std::vector<double> factors_;
};

// Number of electrons of a density in the layers.
double electrons_within(const Grid& grid, const Absorber& absorber, const std::vector<double>& rho);

// Refuses layers that do not fit the system. Reports errors with input.fail().
void check_absorber(const app::Input& input, const Settings& settings);

}  // namespace suite::tddft
