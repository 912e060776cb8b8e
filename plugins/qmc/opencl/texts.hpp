// SPDX-License-Identifier: BSD-3-Clause
// The device texts of this folder.
#pragma once

namespace suite::qmc::cl::text {

extern const char* const common;
extern const char* const geometry;
extern const char* const seats;
extern const char* const pairs;
extern const char* const waves;
extern const char* const ewald;
extern const char* const ladder;
extern const char* const powers;
extern const char* const slater;
extern const char* const windows;
extern const char* const blips;
extern const char* const shells;
extern const char* const chi;
extern const char* const f_term;
extern const char* const pseudopotential;
extern const char* const energy;
extern const char* const philox;
extern const char* const sweep;

}  // namespace suite::qmc::cl::text
