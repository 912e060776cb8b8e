// SPDX-License-Identifier: BSD-3-Clause
// What a device can do at most, measured in this process by the kernels ceilings.*; each ceiling once.
#pragma once

#include <string>

#include "candidate.hpp"
#include "roofline.hpp"

namespace suite::app {

// Flops per second of the best FMA loop by the kernel ceilings.fma, in 0.1 to 1 s: on the CPU with this
// many threads, or on another backend ("cuda:1"). 0 when that kernel is not there.
double fma_ceiling(int threads, const std::string& backend = "cpu", bool single = false);
// That of a candidate's device, in the precision of its call.
double fma_ceiling(int threads, const Candidate& candidate);
// The same per second of CPU time, which a busy machine does not change; 0 on devices other than "cpu".
double fma_ceiling_of_cpu(int threads, const Candidate& candidate);
// What a run of a candidate that took so much CPU time reaches of it; 0 where it is not known.
double fma_fraction_of_cpu(int threads, const Candidate& candidate);
// " in single precision", where that ceiling is.
std::string in_single(const Candidate& candidate);

// All of them, in a second or two.
const DeviceCeilings& ceilings_of(int threads, const std::string& backend, bool single);

}  // namespace suite::app
