// SPDX-License-Identifier: BSD-3-Clause
// The program's exit codes; `suite help` lists them from the table.
#pragma once

#include <exception>

namespace suite::app {

enum ExitCode : int {
  exit_ok = 0,
  exit_verification = 1,
  exit_usage = 2,
  exit_backend = 3,
  exit_memory = 4,
  exit_device = 5,
  exit_io = 6,
  exit_regression = 7,
  exit_bug = 70,
  exit_interrupted = 130,
  exit_terminated = 143
};

struct ExitMeaning {
  int code;
  const char* meaning;
};
inline constexpr ExitMeaning exit_meanings[] = {
    {exit_ok, "success"},
    {exit_verification, "verification failed: a result differs from the reference"},
    {exit_usage, "error on the command line or in the input"},
    {exit_backend, "unknown or unavailable app, kernel, implementation, variant, backend or validation"},
    {exit_memory, "not enough memory"},
    {exit_device, "a device or MPI reported a failure"},
    {exit_io, "a file could not be read or written"},
    {exit_regression, "regression found by --fail-on"},
    {exit_bug, "internal error; please report it"},
    {exit_interrupted, "interrupted (143: terminated)"},
};

int exit_code_of(const std::exception& error);

}  // namespace suite::app
