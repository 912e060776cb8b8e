// SPDX-License-Identifier: BSD-3-Clause
// The named choices of the family, the same in every implementation. Knobs are each implementation's own.
#pragma once

#include "qmc.hpp"
#include "steps.hpp"

namespace suite::qmc::parameter {

// What is computed.
inline constexpr suite_parameter form = option("form", 0, forms, "functional form of u(r)");
inline constexpr suite_parameter move = option("move", 0, moves, "proposal of electron moves");

// How it is computed: by default with the last step of a ladder.
template <size_t N> constexpr suite_parameter ladder(const suite_choice (&steps)[N]) {
  return variant("variant", N - 1, steps, "optimisation step");
}
inline constexpr suite_parameter ewald_variant = ladder(ewald_steps);
inline constexpr suite_parameter jastrow_p_variant = ladder(jastrow_p_steps);
inline constexpr suite_parameter image_variant = ladder(image_steps);
inline constexpr suite_parameter update_variant = ladder(update_steps);

}  // namespace suite::qmc::parameter
