// SPDX-License-Identifier: BSD-3-Clause
// Waits for idle threads of this process: OpenMP threads spin for milliseconds after a parallel region and take cores from the kernel
// timed next.
#pragma once

namespace suite::app {

// Waits until all other threads of this process sleep. Returns false if one still runs after longest_s (OMP_WAIT_POLICY=active), and
// immediately if the system does not report thread states.
bool wait_for_idle_threads(double longest_s = 0.05);

}  // namespace suite::app
