// SPDX-License-Identifier: BSD-3-Clause
// Shared by `suite compare` and `suite bench`: verifies candidates, times them in turns and formats their rows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/progress.hpp"
#include "measure/candidate.hpp"
#include "measure/statistics.hpp"
#include "options.hpp"
#include "session.hpp"

namespace suite::app {

using Candidates = std::vector<std::unique_ptr<Candidate>>;

// Checked between runs: whether to end now, because of the time limit or an interrupt. Candidates not verified or sampled by then remain
// so.
using Enough = std::function<bool()>;
inline bool never() { return false; }

// Runs each candidate once and compares it with the reference's outputs, which are also passed to seen.
using SeenOutputs = std::function<void(Candidate&, const std::vector<Output>&)>;
void verify_all(Candidates& candidates, const SetArguments& set, Truth& truth, Progress& progress, const SeenOutputs& seen = {},
                const Enough& enough = never);
// Verifies candidates at the size "small" and on the generated arguments, or only at "small" if the reference would take too long; runs
// each once. Returns the size used for verification: "" or " (small)". With left_out, candidates that would delay the others are removed
// before they run on the arguments.
std::string verify_generated(Candidates& candidates, const std::string& kernel, GeneratedArguments& generated, uint64_t seed,
                             std::vector<LeftOut>* left_out, Progress& progress, double longest_reference_s = 30,
                             const Enough& enough = never);
std::string left_out_text(const std::vector<LeftOut>& left_out);
// Warms up the candidates that did not fail verification, then takes rounds of one sample each, reversing the order every other round so
// that no candidate always follows the same other. repeat 0: 11 rounds, or fewer (at least 6) if those would take longer than budget_s.
struct Rounds {
  long whole = 0, wanted = 0;  // an incomplete round leaves samples of some candidates only
  bool cut() const { return whole < wanted; }
  std::string text() const;  // "after 3 of 11 rounds"
};
Rounds sample_in_turns(Candidates& candidates, long repeat, Progress& progress, double budget_s = 30, const Enough& enough = never);
bool any_sampled(const Candidates& candidates);

// After sampling: fills in how each row compares with the first and with the FMA ceiling of its device (on the CPU with that many threads).
void conclude(const Candidates& candidates, int threads);
std::vector<Row> rows_of(const Candidates& candidates);
// One line per candidate: time, ratio to the first, rates, verdict. failed: set if any was wrong.
std::string rows_text(const Candidates& candidates, int threads, const std::string& checked_at, bool& failed);
// One line per candidate whose threads waited for cores used by other programs: its CPU time is more reliable than its time.
std::string waiting_text(const Candidates& candidates, int threads);
// One line per kernel whose first call took most of its time because a device compiled or loaded its code in it.
std::string first_calls_text(const std::vector<Row>& rows);
// "   FMA ceiling 140.2 GFLOP/s", for every device among the candidates; "" if none is known.
std::string ceilings_text(const Candidates& candidates, int threads);

}  // namespace suite::app
