// SPDX-License-Identifier: BSD-3-Clause
// The benchmark of "Porting LFD MiniApp to GPU via OpenMP Offload" (Rajak, Luo, Nakano; Argonne): generated orbitals on 32^3 points,
// electron time steps with many field steps each, and the energy at intervals. The numbers of time steps (1000) and of field steps (1100
// with 64 orbitals, 220 with 32) are inferred from its timings.
// from its timings.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/app.hpp"
#include "settings.hpp"

namespace suite::tddft {

nlohmann::ordered_json run_benchmark(const Settings& settings, app::Context& context);

// "Nx=32,...": the size of lfd.propagate for `steps` steps of the benchmark.
std::string benchmark_size(const Settings& settings, int64_t steps);
// Applies the settings' choices to an open lfd.propagate.
void choose_benchmark(const Settings& settings, Kernel& propagate);

}  // namespace suite::tddft
