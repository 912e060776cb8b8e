// SPDX-License-Identifier: BSD-3-Clause
#include "stop.hpp"

#include <algorithm>
#include <csignal>
#include <mutex>
#include <vector>

namespace suite::app {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t asked = 0;
void (*before[2])(int) = {};
std::mutex counting;
int alive = 0;  // requests; the first takes the signals over, and the last gives them back

extern "C" void on_request(int signal) {
  asked = signal;
  for (int i = 0; i < 2; ++i) std::signal(signals[i], before[i]);
}

}  // namespace

StopRequest::StopRequest() {
  const std::lock_guard lock(counting);
  if (alive++ > 0) return;
  asked = 0;
  for (int i = 0; i < 2; ++i) {
    before[i] = std::signal(signals[i], on_request);
    if (before[i] == SIG_ERR) before[i] = SIG_DFL;
  }
}

StopRequest::~StopRequest() {
  const std::lock_guard lock(counting);
  if (--alive > 0) return;
  for (int i = 0; i < 2; ++i) std::signal(signals[i], before[i]);
}

int StopRequest::signal() const { return asked; }

int agreed_signal(const Communicator& world, const StopRequest& stop) {
  std::vector<double> asked_of(static_cast<size_t>(world.size()), 0.0);
  asked_of[static_cast<size_t>(world.rank())] = stop.signal();
  world.sum(asked_of);
  return static_cast<int>(*std::max_element(asked_of.begin(), asked_of.end()));
}

}  // namespace suite::app
