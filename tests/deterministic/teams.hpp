// SPDX-License-Identifier: BSD-3-Clause
// How many threads OpenMP is asked for: the entries of libgomp that begin a parallel region, put before its own.
#pragma once

extern int largest_team;  // since it was set to 1
void use_threads(int threads);
