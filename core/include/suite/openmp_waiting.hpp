// SPDX-License-Identifier: BSD-3-Clause
// suite/openmp_waiting.hpp - how long OpenMP's threads spin after a parallel region before they sleep.
// libgomp's default is some milliseconds, in which they take the cores from other processes and the host
// pays for CPU time that does nothing. Since 0.1.
#pragma once

#include <cstdlib>

namespace suite {

// Read by libgomp while it is loaded, and never again. To sleep and be woken takes about 40 us; to spin for
// as long costs at most twice of what is needed, whatever comes (Karlin et al., Algorithmica 3, 79 (1988)),
// and regions that follow each other closely do not notice. 5000 rounds are 40 us on a Xeon with AVX-512; unset,
// libgomp spins 300000.
inline constexpr const char *openmp_spin_variable = "GOMP_SPINCOUNT", *openmp_spin_count = "5000";
// The same for the runtime of clang and of Intel's compilers, which waits for 200 ms; in milliseconds.
inline constexpr const char *openmp_block_variable = "KMP_BLOCKTIME", *openmp_block_time = "1";

// Whether the user has set how threads wait.
inline bool openmp_waiting_is_chosen() {
  return std::getenv("OMP_WAIT_POLICY") || std::getenv(openmp_spin_variable) || std::getenv(openmp_block_variable);
}

}  // namespace suite
