// SPDX-License-Identifier: BSD-3-Clause
// Threads of this process that nobody wants anything of: OpenMP's spin for milliseconds behind a parallel region and take
// the cores from whoever is timed next.
#pragma once

namespace suite::app {

// Waits until all other threads of this process sleep. False where one still runs after longest_s (OMP_WAIT_POLICY=active),
// and at once where the system does not tell.
bool wait_for_idle_threads(double longest_s = 0.05);

}  // namespace suite::app
