// SPDX-License-Identifier: BSD-3-Clause
// Energy consumption from hardware counters: RAPL (powercap) for the CPU with its memory, NVML for NVIDIA GPUs. Both count the whole
// device, including other programs.
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

// gaps: number of times the counter lost count before this reading. The difference of two readings with equal gaps is the energy.
struct EnergyReading {
  double joules = 0;
  int gaps = 0;
};

class EnergyCounter {
public:
  virtual ~EnergyCounter() = default;
  virtual EnergyReading read() = 0;
  virtual double step_s() const = 0;  // update interval of the counter
};

// Packages and their memory in a folder like /sys/class/powercap; energy_uj wraps around at max_energy_range_uj. Throws Failure with
// the reason if there are none or they are not readable. now_s: clock in seconds.
std::unique_ptr<EnergyCounter> open_rapl(const std::filesystem::path& folder, std::function<double()> now_s);
// A GPU by its CUDA device number. Throws Failure with the reason.
std::unique_ptr<EnergyCounter> open_nvml(int cuda_device);

// The counter of a device as named by candidates: "cpu", "cuda:1". One per device, kept for the life of the process.
class EnergyMeter {
public:
  static EnergyMeter& of(const std::string& device);
  explicit EnergyMeter(const std::string& device);

  const std::string& why_not() const { return why_not_; }  // "" if readable
  EnergyReading read();
  double step_s() const { return counter_ ? counter_->step_s() : 0; }

private:
  std::mutex mutex_;
  std::unique_ptr<EnergyCounter> counter_;
  std::string why_not_;
};

// Energy used since construction.
class EnergySpan {
public:
  explicit EnergySpan(EnergyMeter& meter) : meter_(meter), from_(meter.read()) {}
  double joules() const;  // so far; NaN if unknown

private:
  EnergyMeter& meter_;
  EnergyReading from_;
};

// The same for a long run: reads the counter every few seconds, so that it may wrap around many times.
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

// Energy of individual samples in joules. Samples must be many update intervals of the counter long; shorter ones would include the
// energy of their neighbours.
class EnergySamples {
public:
  explicit EnergySamples(const std::string& device) : meter_(EnergyMeter::of(device)) {}
  void begin() { span_.emplace(meter_); }
  void end(double seconds, double runs);  // seconds of wall time; stores the energy of one of the runs
  const std::vector<double>& joules() const { return joules_; }  // empty if why_not() gives the reason
  const std::string& why_not() const { return why_not_; }

private:
  EnergyMeter& meter_;
  std::optional<EnergySpan> span_;
  std::vector<double> joules_;
  std::string why_not_;
};

}  // namespace suite::app
