// SPDX-License-Identifier: BSD-3-Clause
#include "u_term.hpp"

namespace suite::qmc::cl {

void UOnDevice::set(const suite_array& alpha, const suite_array& L_u, const suite_array& truncation,
                    const Lattice& lattice) {
  term_ = u_term(form_, alpha, L_u, truncation, lattice);
  std::vector<double> values = engine_.fetch<double>(alpha, "alpha");
  if (form_ == Form::bspline) {
    // The cubic of each interval, in powers of the place in it.
    std::vector<double> cubics;
    for (int64_t set = 0; set < term_.nset; ++set)
      for (int64_t i = 0; i + 3 < term_.nalpha; ++i) {
        const double* const c = &values[static_cast<size_t>(set * term_.nalpha + i)];
        cubics.insert(cubics.end(), {(c[0] + 4 * c[1] + c[2]) / 6, (c[2] - c[0]) / 2,
                                     (c[0] + c[2]) / 2 - c[1], (c[3] - c[0]) / 6 + (c[1] - c[2]) / 2});
      }
    values = std::move(cubics);
  }
  coefficients_.upload(values);
}

std::string UOnDevice::options() const {
  return there() ? define("FORM", static_cast<int>(form_)) + define("NALPHA", term_.nalpha) +
                       define("CUT", term_.C)
                 : std::string();
}

}  // namespace suite::qmc::cl
