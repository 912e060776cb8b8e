// SPDX-License-Identifier: BSD-3-Clause
// The inverse dielectric matrices of a crystal from its wavefunctions: eps(G,G') = delta - v(q+G) chi(G,G'), v not averaged.
#pragma once

#include "base/app.hpp"
#include "checkpoint.hpp"
#include "dielectric_plan.hpp"

namespace suite::gw {

struct DielectricResult {
  std::filesystem::path eps0, eps;  // the files, in the run's folder; eps empty: a single q
  std::vector<ScreeningAtQ> q;
  std::vector<app::Row> kernels;      // gw.mtxel, gw.chi
  std::vector<std::string> warnings;  // of their source
};

// Computes and writes eps0mat.h5 and epsmat.h5. Collective over context.world: ranks share the q. Throws Stopped.
DielectricResult make_dielectric(const DielectricPlan& plan, app::Context& context, Checkpoint& checkpoint);

// chi of one q into eps^-1, in place, and what is said of it.
ScreeningAtQ invert_dielectric(const DielectricPlan& plan, size_t iq, Numbers& chi);

// Kernels, warnings, the law that the matrices must obey, and the heads that another run must repeat.
void report(const DielectricResult& dielectric, app::Context& context);

// Heads and sizes, a line for each q.
std::string dielectric_table(const std::vector<ScreeningAtQ>& dielectric);

// Bytes of one process at the peak, while eps^-1 is made by `ranks` of them.
double dielectric_memory_B(const DielectricPlan& plan, size_t ranks = 1);

}  // namespace suite::gw
