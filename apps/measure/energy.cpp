// SPDX-License-Identifier: BSD-3-Clause
#include "energy.hpp"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <map>

#include <suite/plugin.hpp>

#include "common/machine.hpp"
#include "common/quantities.hpp"

namespace suite::app {
namespace {

std::unique_ptr<EnergyCounter> open_counter(const std::string& device) {
  const size_t colon = device.find(':');
  const std::string backend = device.substr(0, colon), which = colon == std::string::npos ? "0" : device.substr(colon + 1);
  if (backend == "cpu" || backend == "emulated") {
    const char* folder = std::getenv("SUITE_POWERCAP");
    return open_rapl(folder && *folder ? folder : "/sys/class/powercap", wall_s);
  }
  if (backend != "cuda") throw Failure(SUITE_UNSUPPORTED, "energy is measured on backends cpu, emulated and cuda, not on " + backend);
  if (which.find_first_not_of("0123456789") != std::string::npos)
    throw Failure(SUITE_UNSUPPORTED, "the GPU was selected as '" + which + "'; its energy is measured only if it is selected by number");
  return open_nvml(std::atoi(which.c_str()));
}

}  // namespace

EnergyMeter& EnergyMeter::of(const std::string& device) {
  static auto& meters = *new std::map<std::string, EnergyMeter>;
  return meters.try_emplace(device, device).first->second;
}

EnergyMeter::EnergyMeter(const std::string& device) {
  try {
    counter_ = open_counter(device);
  } catch (const std::exception& e) { why_not_ = e.what(); }
}

EnergyReading EnergyMeter::read() {
  const std::lock_guard lock(mutex_);
  return counter_ ? counter_->read() : EnergyReading{};
}

double EnergySpan::joules() const {
  const EnergyReading now = meter_.read();
  return meter_.why_not().empty() && now.gaps == from_.gaps ? now.joules - from_.joules : NAN;
}

EnergyOfRun::EnergyOfRun(EnergyMeter& meter) : meter_(meter), span_(meter) {
  constexpr std::chrono::seconds often(10);
  if (!meter.why_not().empty()) return;
  // Signals are handled by the thread that runs the app.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watcher_ = std::thread([this, often] {
    std::unique_lock lock(mutex_);
    while (!ends_.wait_for(lock, often, [this] { return ended_; })) meter_.read();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

EnergyOfRun::~EnergyOfRun() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  watcher_.join();
}

void EnergySamples::end(double seconds, double runs) {
  constexpr double steps = 10;
  const double used = span_->joules(), least_s = steps * meter_.step_s();
  if (why_not_.empty() && !meter_.why_not().empty()) why_not_ = meter_.why_not();
  if (why_not_.empty() && seconds < least_s)
    why_not_ = "a sample took " + seconds_text(seconds) + ", less than the " + seconds_text(least_s) + " required by the energy counter";
  if (why_not_.empty() && !(used >= 0)) why_not_ = "the energy counter could not be read, or wrapped around, during a sample";
  if (why_not_.empty()) joules_.push_back(used / runs);
  else joules_.clear();
}

}  // namespace suite::app
