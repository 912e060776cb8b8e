// SPDX-License-Identifier: BSD-3-Clause
// Graceful stop on SIGINT and SIGTERM: after the first signal the computation saves its state and throws Stopped. A second signal has its
// default effect.
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

// Returns the signal received by any rank, the same on all; collective. Ranks may receive it at different times but stop together.
int agreed_signal(const Communicator& world, const StopRequest& stop);

// Thrown by a stopped run: the results so far and a sentence on how to continue. The exit code is 128 + signal.
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
