// SPDX-License-Identifier: BSD-3-Clause
// A host program to be traced: calls of the probe kernels of tests/core, and an end of the kind that its
// argument names.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <suite/suite.hpp>

namespace {

// probe.sum, n=3, m=2, nex=1.
struct Call {
  explicit Call(const std::string& implementation, const suite::Device* device = nullptr) : kernel("probe.sum", implementation, device) {
    kernel.set("weight", weight.data(), {3});
    kernel.set("values", values.data(), {3, 2, 1});
    kernel.set("state", state.data(), {3});
    kernel.set("total", total.data(), {2, 1});
  }
  std::vector<double> weight{1, 2, 3}, values{1, 1, 1, 2, 2, 2}, state{10, 20, 30}, total{0, 0};
  suite::Kernel kernel;
};

void run_once() {
  Call call("cpu");
  call.kernel.run();
}

void whole() {
  run_once();
  Call remote("remote");
  remote.kernel.choose("variant", "doubled");
  remote.kernel.run();
  remote.kernel.get("total", remote.total.data(), {2, 1});
}

// State that stays on the device from run to run.
void keeping() {
  Call remote("remote");
  remote.kernel.keep("state");
  for (int i = 0; i < 10; ++i) remote.kernel.run();
  remote.kernel.get("state", remote.state.data(), {3});
}

void check(int status, const suite_error& error) {
  if (status != SUITE_OK) throw suite::Failure(static_cast<suite_status>(status), error.message);
}

// Two runs under way on one device, whose clock says 0.25 s for each.
void overlapping() {
  const suite::Device device("remote");
  Call first("remote", &device), second("remote", &device);
  suite_error error{};
  for (Call* call : {&first, &second}) check(suite_start(call->kernel.handle(), &error), error);
  for (Call* call : {&first, &second}) check(suite_wait(call->kernel.handle(), nullptr, &error), error);
}

void failing() {
  Call call("cpu");
  call.kernel.set("gain", -1.0);
  try {
    call.kernel.run();
  } catch (const suite::Failure&) { return; }
  throw suite::Failure(SUITE_INTERNAL, "a gain of -1 was served");
}

void by_threads() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 1000; ++i) run_once();
    });
  for (auto& thread : threads) thread.join();
}

void forking() {
  run_once();
  const pid_t child = ::fork();
  if (child == 0) {
    run_once();
    std::exit(0);  // with the handlers that the parent had registered
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  if (state != 0) throw suite::Failure(SUITE_INTERNAL, "the child failed");
  ::raise(SIGKILL);  // so that nothing of the parent's covers what the child may have done
}

// While other threads write events: a child must not wait for one of them, which it does not have.
void forking_beside_threads() {
  run_once();
  std::atomic<bool> ended = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      while (!ended) run_once();
    });
  int state = 0;
  for (int i = 0; i < 300 && state == 0; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      std::exit(0);
    }
    ::waitpid(child, &state, 0);
  }
  ended = true;
  for (auto& thread : threads) thread.join();
  if (state != 0) throw suite::Failure(SUITE_INTERNAL, "a child did not come to its end");
}

}  // namespace

int main(int count, char** words) try {
  ::setenv("SUITE_PLUGIN_PATH", TEST_PLUGINS, 1);
  const std::string what = count > 1 ? words[1] : "";
  if (what == "whole") whole();
  if (what == "killed") whole(), ::raise(SIGKILL);
  if (what == "keeping") keeping();
  if (what == "overlapping") overlapping();
  if (what == "failing") failing();
  if (what == "threads") by_threads();
  if (what == "forking") forking();
  if (what == "forking_beside_threads") forking_beside_threads();
  if (what == "full_disk") ::signal(SIGXFSZ, SIG_IGN), by_threads();
  suite_warnings([](void*, const char* warning) { std::puts(warning); }, nullptr);
  return 0;
} catch (const suite::Failure& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
