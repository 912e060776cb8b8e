// SPDX-License-Identifier: BSD-3-Clause
// Performance ceilings of devices, measured in this process by the kernels ceilings.*, each once.
#pragma once

#include <string>

#include "candidate.hpp"
#include "roofline.hpp"

namespace suite::app {

// Returns the flop/s of the fastest FMA loop of the kernel ceilings.fma, measured in 0.1 to 1 s: on the CPU with this many threads, or
// on another backend ("cuda:1"). 0 if the kernel is not available.
double fma_ceiling(int threads, const std::string& backend = "cpu", bool single = false);
// The same for a candidate's device, in the precision of its call.
double fma_ceiling(int threads, const Candidate& candidate);
// The same per second of CPU time, which other programs do not affect; 0 on devices other than "cpu".
double fma_ceiling_of_cpu(int threads, const Candidate& candidate);
// Fraction of fma_ceiling_of_cpu() reached by a run of the candidate that took cpu_s; 0 if unknown.
double fma_fraction_of_cpu(int threads, const Candidate& candidate);
// " in single precision" if the ceiling is, else "".
std::string in_single(const Candidate& candidate);

// All ceilings of a backend; takes one or two seconds.
const DeviceCeilings& ceilings_of(int threads, const std::string& backend, bool single);

}  // namespace suite::app
