// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "bench_plan.hpp"
#include "bench_run.hpp"
#include "bench_scaling.hpp"
#include "bench_tune.hpp"
#include "session.hpp"
#include "verbs.hpp"

namespace suite::app {

int bench_verb(const Arguments& given) {
  if (given.has("--resume")) return resume_benchmark(given);
  const Arguments arguments = with_preset(given);
  apply_environment(arguments);
  require_device(arguments);
  if (arguments.has("--retune") && !arguments.has("--tune")) throw UsageError("--retune needs --tune");
  for (const char* option : {"--ranks", "--along", "--launcher"})
    if (arguments.has(option) && !arguments.has("--scaling")) throw UsageError(std::string(option) + " needs --scaling strong or weak");
  // Each of these is a run of its own kind.
  for (const char* kind : {"--scaling", "--tune"})
    for (const char* other : {"--tune", "--dry-run"})
      if (arguments.has(kind) && arguments.has(other) && std::string(kind) != other)
        throw UsageError(std::string(kind) + " and " + other + " exclude each other");
  for (const char* kind : {"--scaling", "--tune", "--dry-run"})
    if (arguments.has("--junit") && arguments.has(kind)) throw UsageError(std::string("--junit and ") + kind + " exclude each other");
  if (given.has("--tune") && given.has("--time-limit")) throw UsageError("--time-limit does not apply to --tune, which tries all settings");
  if (arguments.has("--scaling")) return scaling_benchmark(arguments);
  if (arguments.has("--tune")) return tune_benchmark(arguments);
  return arguments.has("--dry-run") ? report_plan(arguments) : run_benchmark(arguments);
}

}  // namespace suite::app
