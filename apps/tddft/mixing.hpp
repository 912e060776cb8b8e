// SPDX-License-Identifier: BSD-3-Clause
// Pulay mixing of densities (Chem. Phys. Lett. 73, 393 (1980)) with Kerker damping of long wavelengths (Phys. Rev. B 23, 3082 (1981)).
#pragma once

#include <memory>
#include <vector>

#include "base/dense/pulay.hpp"
#include "base/fft/fft.hpp"
#include "system.hpp"

namespace suite::tddft {

class Mixer {
public:
  // kerker: q0 in bohr^-1, 0 for none.
  Mixer(const Grid& grid, double share, int history, double kerker);

  // Returns the next trial density from the last input and output density. Either may be followed by other functions, such as the
  // magnetisation, which are mixed with it but not damped.
  std::vector<double> next(const std::vector<double>& in, const std::vector<double>& out);

private:
  void damp(std::vector<double>& residual) const;

  Grid grid_;
  double share_, kerker_;
  app::Pulay history_;
  std::unique_ptr<app::Transform> forward_, backward_;
  app::ComplexBuffer buffer_;
};

}  // namespace suite::tddft
