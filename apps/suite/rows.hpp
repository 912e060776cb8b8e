// SPDX-License-Identifier: BSD-3-Clause
// What `suite compare` and `suite bench` share: candidates verified, timed in turns, and their rows.
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

// Asked between runs: whether to end here, because the time is up or an interrupt came. What was not verified or
// sampled by then stays so.
using Enough = std::function<bool()>;
inline bool never() { return false; }

// Runs each candidate once and compares it with the reference's outputs; seen gets them too.
using SeenOutputs = std::function<void(Candidate&, const std::vector<Output>&)>;
void verify_all(Candidates& candidates, const SetArguments& set, Truth& truth, Progress& progress, const SeenOutputs& seen = {},
                const Enough& enough = never);
// Verifies candidates at the size "small" and on generated arguments, but for those where the reference would take too
// long; runs each once. Returns where: "" or " (small)". With left_out, candidates that would hold the others up are
// taken away before they run on the arguments.
std::string verify_generated(Candidates& candidates, const std::string& kernel, GeneratedArguments& generated, uint64_t seed,
                             std::vector<LeftOut>* left_out, Progress& progress, double longest_reference_s = 30,
                             const Enough& enough = never);
std::string left_out_text(const std::vector<LeftOut>& left_out);
// Warms up each candidate that was not found wrong, then rounds of one sample of each, every other one in the opposite order, so
// that none always follows the same other. repeat 0: 11 rounds, fewer (6 at least) where those would take longer than budget_s.
struct Rounds {
  long whole = 0, wanted = 0;  // a round that was cut leaves samples of some of the candidates
  bool cut() const { return whole < wanted; }
  std::string text() const;  // "after 3 of 11 rounds"
};
Rounds sample_in_turns(Candidates& candidates, long repeat, Progress& progress, double budget_s = 30, const Enough& enough = never);
bool any_sampled(const Candidates& candidates);

// Once all are sampled: fills in how each row stands to the first, and to the FMA ceiling of its own device, on the CPU with
// these threads.
void conclude(const Candidates& candidates, int threads);
std::vector<Row> rows_of(const Candidates& candidates);
// One line per candidate: time, ratio to the first, rates, verdict. failed: whether any was wrong.
std::string rows_text(const Candidates& candidates, int threads, const std::string& checked_at, bool& failed);
// A line for each candidate whose threads waited for cores that other programs had: its times say less than its CPU times.
std::string waiting_text(const Candidates& candidates, int threads);
// "   FMA ceiling 140.2 GFLOP/s", for every device among the candidates; "" where none is known.
std::string ceilings_text(const Candidates& candidates, int threads);

}  // namespace suite::app
