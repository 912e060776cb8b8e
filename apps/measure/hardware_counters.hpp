// SPDX-License-Identifier: BSD-3-Clause
// What the CPU counts of this process: traffic between the levels of memory (Linux perf events).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace suite::app {

// An event and what one count of it stands for.
struct CounterEvent {
  std::string quantity;  // "L2", "L3", "memory": bytes that come from that level
  uint32_t type = 0;     // perf_event_attr.type and .config
  uint64_t config = 0;
  double scale = 1;  // bytes of one count
};

// Those of this CPU: lines that its L1 has to load (from "L2"), that L2 has to load ("L3"), that the
// last cache has to load ("memory").
std::vector<CounterEvent> cpu_events();

struct Counted {
  std::string quantity;
  double amount = 0;  // bytes
};

class HardwareCounters {
public:
  // Counts on every thread that this process has now. Events that this machine does not have, or not for
  // every thread, are left out; where none is left, why() says why, and count() runs its argument without
  // counting.
  explicit HardwareCounters(const std::vector<CounterEvent>& events);
  ~HardwareCounters();
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  const std::string& why() const { return why_; }  // "" where something is counted
  // What was counted while f ran, in the order of the events. A counter that had to share the hardware with
  // others is scaled to the whole time.
  std::vector<Counted> count(const std::function<void()>& f);

private:
  struct Open {
    int file;
    size_t event;
  };
  std::vector<CounterEvent> events_;
  std::vector<Open> open_;
  std::string why_;
};

}  // namespace suite::app
