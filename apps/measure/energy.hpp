// SPDX-License-Identifier: BSD-3-Clause
// Energy that devices have drawn, by the counters of the machine: RAPL (powercap) for the CPU with its
// memory, NVML for NVIDIA's GPUs. Both count what the whole device draws, other programs' share included.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace suite::app {

// gaps: how often the counter had lost count before this moment. Between two readings with as many gaps the
// difference is the energy.
struct EnergyReading {
  double joules = 0;
  int gaps = 0;
};

class EnergyCounter {
public:
  virtual ~EnergyCounter() = default;
  virtual EnergyReading read() = 0;
  virtual double step_s() const = 0;  // between two values of the counter
};

// Packages and their memory below a folder like /sys/class/powercap, where energy_uj wraps around at
// max_energy_range_uj. Throws Failure with the reason when there are none or they may not be read. now_s: a
// clock.
std::unique_ptr<EnergyCounter> open_rapl(const std::filesystem::path& folder, std::function<double()> now_s);
// A GPU by the number that CUDA gives it. Throws Failure with the reason.
std::unique_ptr<EnergyCounter> open_nvml(int cuda_device);

// The counter of a device as candidates name theirs: "cpu", "cuda:1". One for each device, kept for the
// process.
class EnergyMeter {
public:
  static EnergyMeter& of(const std::string& device);
  explicit EnergyMeter(const std::string& device);

  const std::string& why_not() const { return why_not_; }  // "" where it can be read
  EnergyReading read();
  double step_s() const { return counter_ ? counter_->step_s() : 0; }

private:
  std::mutex mutex_;
  std::unique_ptr<EnergyCounter> counter_;
  std::string why_not_;
};

// Energy of a stretch of work.
class EnergySpan {
public:
  explicit EnergySpan(EnergyMeter& meter) : meter_(meter), from_(meter.read()) {}
  double joules() const;  // so far; NaN where it is not known

private:
  EnergyMeter& meter_;
  EnergyReading from_;
};

// The same for a long run: looks at the counter every few seconds, so that it may wrap around many times.
class EnergyOfRun {
public:
  explicit EnergyOfRun(EnergyMeter& meter);
  ~EnergyOfRun();
  EnergyOfRun(const EnergyOfRun&) = delete;
  EnergyOfRun& operator=(const EnergyOfRun&) = delete;
  double joules() const { return span_.joules(); }
  const std::string& why_not() const { return meter_.why_not(); }

private:
  EnergyMeter& meter_;
  EnergySpan span_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread watcher_;
};

// Joules of samples, one by one. A sample that is not many steps of the counter long would get its
// neighbours' energy.
class EnergySamples {
public:
  explicit EnergySamples(const std::string& device) : meter_(EnergyMeter::of(device)) {}
  void begin() { span_.emplace(meter_); }
  void end(double seconds, double runs);  // of wall time; the energy of one of so many runs is kept
  const std::vector<double>& joules() const { return joules_; }  // empty where why_not() says why
  const std::string& why_not() const { return why_not_; }

private:
  EnergyMeter& meter_;
  std::optional<EnergySpan> span_;
  std::vector<double> joules_;
  std::string why_not_;
};

}  // namespace suite::app
