// SPDX-License-Identifier: BSD-3-Clause
// Hardware counters of this process (Linux perf events): traffic between memory levels.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace suite::app {

// An event and the meaning of one count.
struct CounterEvent {
  std::string quantity;  // "L2", "L3", "memory": bytes loaded from that level
  uint32_t type = 0;     // perf_event_attr.type and .config
  uint64_t config = 0;
  double scale = 1;  // bytes per count
};

// The events of this CPU: lines loaded into L1 (from "L2"), into L2 ("L3"), and into the last-level cache ("memory").
std::vector<CounterEvent> cpu_events();

struct Counted {
  std::string quantity;
  double amount = 0;  // bytes
};

class HardwareCounters {
public:
  // Counts on every thread that exists now. Events not available on this machine, or not for every thread, are dropped; if none is left,
  // why() gives the reason and count() runs its argument without counting.
  explicit HardwareCounters(const std::vector<CounterEvent>& events);
  ~HardwareCounters();
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;

  const std::string& why() const { return why_; }  // "" if something is counted
  // Counts while f runs, in the order of the events. A counter that shared the hardware is scaled to the whole time.
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
