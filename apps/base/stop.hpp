// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C and termination for work that can be stopped in good order: the first signal asks, the work looks, keeps what it
// has and throws Stopped. A second signal ends the program as it would have ended without.
#pragma once

#include <nlohmann/json.hpp>
#include <suite/plugin.hpp>

#include "common/communicator.hpp"

namespace suite::app {

class StopRequest {
public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  int signal() const;  // SIGINT, SIGTERM, or 0
};

// The signal of any rank, the same on all; collective. Ranks may be told at different moments; they stop together.
int agreed_signal(const Communicator& world, const StopRequest& stop);

// What a stopped run leaves: the results so far, and a sentence on how to go on. The program ends with 128 + signal.
class Stopped : public Failure {
public:
  Stopped(int signal, nlohmann::ordered_json results, const std::string& sentence)
      : Failure(SUITE_INTERNAL, sentence), signal_(signal), results_(std::move(results)) {}
  int signal() const { return signal_; }
  const nlohmann::ordered_json& results() const { return results_; }

private:
  int signal_;
  nlohmann::ordered_json results_;
};

}  // namespace suite::app
