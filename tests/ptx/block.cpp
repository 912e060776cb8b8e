// SPDX-License-Identifier: BSD-3-Clause
#include "block.hpp"

#include <algorithm>
#include <cstring>

#include "actions.hpp"

namespace suite::ptx {
namespace {

void prepare(Frame& frame, const Function& function, uint32_t local) {
  frame.function = &function;
  frame.registers.resize(function.registers);
  frame.defined.assign(function.registers, 0);
  frame.defined_high.assign(function.registers, 0);
  frame.predicates.assign(function.predicates, 0);
  frame.predicates_defined.assign(function.predicates, 0);
  frame.predicates[1] = frame.predicates_defined[0] = frame.predicates_defined[1] = ~0u;
  frame.local = local;
  frame.groups.clear();
}

// Local memory of a thread: the entry's frame and those of the functions that it calls, which call none that call.
uint32_t stack_bytes(const Function& function) {
  uint32_t deepest = 0;
  for (const Instruction& i : function.code)
    if (i.call) deepest = std::max(deepest, stack_bytes(*i.call->function));
  return (function.frame_bytes + 15) / 16 * 16 + deepest;
}

// Groups stay in the order of their instructions; those at the same one are one.
void insert(std::vector<Group>& groups, Group group) {
  const auto at = std::lower_bound(groups.begin(), groups.end(), group.at, [](const Group& g, uint32_t to) { return g.at < to; });
  if (at != groups.end() && at->at == group.at) {
    at->mask |= group.mask;
    at->parked = false;
  } else {
    groups.insert(at, group);
  }
}

}  // namespace

Block::Block(Device& device, const Launch& launch, std::vector<Finding>& findings)
    : device_(&device), launch_(&launch), findings_(&findings) {
  threads_ = static_cast<int>(launch.block.x * launch.block.y * launch.block.z);
  warps_.resize(static_cast<size_t>((threads_ + warp_lanes - 1) / warp_lanes));
  const uint32_t local = stack_bytes(*launch.function);
  for (Warp& warp : warps_) {
    frames_.push_back(std::make_unique<Frame>());
    warp.block = this;
    warp.local_bytes = local;
    warp.local.resize(size_t{local} * warp_lanes);
  }
}

void Block::start(Warp& warp, int number) {
  const Function& function = *launch_->function;
  Frame& frame = *frames_[static_cast<size_t>(number)];
  prepare(frame, function, 0);
  warp.frame = &frame;
  warp.number = number;
  warp.epoch = 0;
  std::fill(warp.local.begin(), warp.local.end(), uint8_t{0xff});
  const int lanes = std::min(warp_lanes, threads_ - number * warp_lanes);
  warp.lanes = lanes == warp_lanes ? ~0u : (1u << lanes) - 1;
  const Dim n = launch_->block, g = launch_->grid;
  for (int l = 0; l < warp_lanes; ++l) {
    const auto thread = static_cast<unsigned>(number * warp_lanes + l);
    const uint64_t values[specials] = {
        thread % n.x, thread / n.x % n.y,       thread / n.x / n.y,           n.x, n.y, n.z, at_.x, at_.y, at_.z, g.x, g.y,
        g.z,          static_cast<unsigned>(l), static_cast<unsigned>(number)};
    for (uint32_t s = 0; s < specials; ++s) frame.registers[s][static_cast<size_t>(l)] = values[s];
  }
  std::fill_n(frame.defined.begin(), specials, ~0u);
  std::fill_n(frame.defined_high.begin(), specials, ~0u);
  frame.groups.push_back({0, warp.lanes, false});
}

void Block::run(Dim at) {
  at_ = at;
  steps_ = 0;
  shared_.begin(*launch_->function, launch_->dynamic_shared);
  std::vector<size_t> ready;
  for (size_t n = 0; n < warps_.size(); ++n) {
    start(warps_[n], static_cast<int>(n));
    ready.push_back(n);
  }
  size_t waiting = 0;
  while (!ready.empty()) {
    const size_t pick = device_->random()() % ready.size();
    Warp& warp = warps_[ready[pick]];
    const Turn turn = step(warp, *warp.frame, static_cast<int64_t>(1 + device_->random()() % 256), false);
    if (turn != Turn::again) {
      std::swap(ready[pick], ready.back());
      ready.pop_back();
      if (turn == Turn::barrier) ++waiting;
    }
    if (ready.empty() && waiting > 0) {
      for (size_t n = 0; n < warps_.size(); ++n) {
        const auto& groups = warps_[n].frame->groups;
        if (groups.empty()) continue;
        if (waiting < warps_.size()) {
          const Instruction& i = warps_[n].frame->function->code[groups.front().at];
          stop("barrier", warps_[n], i, std::countr_zero(groups.front().mask), "waits for threads that have ended");
        }
        ++warps_[n].frame->groups.front().at;
        ready.push_back(n);
      }
      shared_.barrier();
      waiting = 0;
    }
  }
}

// Runs a warp for `budget` instructions, to the end, or to a barrier of the block; a call to its end.
Block::Turn Block::step(Warp& warp, Frame& frame, int64_t budget, bool in_call) {
  auto& groups = frame.groups;
  const Function& function = *frame.function;
  for (;;) {
    if (groups.empty()) return Turn::ended;
    if (groups.size() == 1) groups.front().parked = false;  // those it waited for have ended
    const auto first = std::find_if(groups.begin(), groups.end(), [](const Group& g) { return !g.parked; });
    if (first == groups.end()) all_parked(warp, frame);
    Group now = *first;
    const auto next = groups.erase(first);
    const uint32_t meets = next == groups.end() ? ~0u : next->at;
    const uint32_t everyone = [&] {
      uint32_t all = now.mask;
      for (const Group& g : groups) all |= g.mask;
      return all;
    }();
    bool moved = false;  // the groups have to be looked at again
    while (!moved) {
      if (budget-- <= 0 && !in_call) {
        insert(groups, now);
        return Turn::again;
      }
      if (++steps_ > Device::max_steps) stop("endless", warp, function.code[now.at], std::countr_zero(now.mask), "the block does not end");
      const Instruction& i = function.code[now.at];
      uint32_t mask = now.mask;
      if (i.guard != 1 || i.guard_not) {
        if (~frame.predicates_defined[i.guard] & now.mask)
          find("undefined", warp, i, std::countr_zero(~frame.predicates_defined[i.guard] & now.mask), "its guard was never set");
        mask &= i.guard_not ? ~frame.predicates[i.guard] : frame.predicates[i.guard];
      }
      if (i.flow != Flow::plain && i.flow != Flow::branch && mask != now.mask) {
        // Those that it does not concern continue.
        if (mask) insert(groups, {now.at + 1, now.mask & ~mask, false}), now.mask = mask;
        else ++now.at;
        insert(groups, now);
        break;
      }
      switch (i.flow) {
        case Flow::plain:
          if (mask) execute(warp, i, mask, now.at);
          ++now.at;
          break;
        case Flow::branch:
          ++function.executed[now.at];
          function.executed_lanes[now.at] += static_cast<uint64_t>(std::popcount(now.mask));
          if (mask == now.mask) {
            now.at = i.target;
          } else if (mask == 0) {
            ++now.at;
          } else {
            insert(groups, {i.target, mask, false});
            now.mask &= ~mask;
            ++now.at;
            moved = true;
          }
          // Back, or past lanes that wait: another group may be the one furthest behind.
          if (!groups.empty()) moved = true;
          break;
        case Flow::end:
          ++function.executed[now.at];
          function.executed_lanes[now.at] += static_cast<uint64_t>(std::popcount(now.mask));
          now.mask = 0;
          moved = true;
          break;
        case Flow::call:
          call(warp, i, mask);
          ++function.executed[now.at];
          function.executed_lanes[now.at] += static_cast<uint64_t>(std::popcount(now.mask));
          ++now.at;
          break;
        case Flow::block_barrier:
          if (in_call)
            stop("barrier", warp, i, std::countr_zero(mask), "a barrier in a function that is called is not known to the executor");
          if (mask != everyone) {
            now.parked = true;
            moved = true;
            break;
          }
          if (mask != warp.lanes)
            stop("barrier", warp, i, std::countr_zero(mask),
                 "waits for thread " + std::to_string(warp.number * warp_lanes + std::countr_zero(warp.lanes & ~mask)) +
                     ", which has ended");
          ++function.executed[now.at];
          function.executed_lanes[now.at] += static_cast<uint64_t>(std::popcount(mask));
          insert(groups, now);
          return Turn::barrier;
        case Flow::warp_barrier:
        case Flow::exchange: {
          // The lanes that have to come: the last operand of shfl, vote and bar.warp; all of them for mma.
          const bool tile = i.run == multiply_tile;
          const uint32_t wanted = tile ? ~0u : static_cast<uint32_t>(warp.source(i, i.sources - 1)[std::countr_zero(mask)]);
          if (wanted & ~everyone)
            stop("lanes", warp, i, std::countr_zero(mask),
                 "waits for lane " + std::to_string(std::countr_zero(wanted & ~everyone)) + ", which has ended or is in no such warp");
          if (wanted & ~mask) {
            now.parked = true;
            moved = true;
            break;
          }
          if (i.flow == Flow::warp_barrier) ++warp.epoch;
          execute(warp, i, mask, now.at);
          ++now.at;
          break;
        }
      }
      if (now.at == meets) moved = true;
    }
    if (now.mask && moved) insert(groups, now);
  }
}

void Block::all_parked(Warp& warp, const Frame& frame) {
  const Group &a = frame.groups.front(), &b = frame.groups.back();
  const Instruction &at_a = frame.function->code[a.at], &at_b = frame.function->code[b.at];
  const std::string other = "; thread " + std::to_string(warp.number * warp_lanes + std::countr_zero(b.mask)) + " waits at line " +
                            std::to_string(at_b.line) + " ('" + std::string(at_b.text) + "')";
  stop("barrier", warp, at_a, std::countr_zero(a.mask), "the lanes of a warp wait for each other at different places" + other);
}

void Block::execute(Warp& warp, const Instruction& i, uint32_t mask, uint32_t at) {
  const Function& function = *warp.frame->function;
  ++function.executed[at];
  function.executed_lanes[at] += static_cast<uint64_t>(std::popcount(mask));
  if (i.undefined == Undefined::reported || i.undefined == Undefined::low_half) check_sources(warp, i, mask);
  i.run(warp, i, mask);
  mark_results(warp, i, mask);
}

void Block::check_sources(Warp& warp, const Instruction& i, uint32_t mask) {
  const Frame& frame = *warp.frame;
  for (size_t n = 0; n < i.sources; ++n) {
    if (i.source[n].constant) continue;
    uint32_t defined = frame.defined[i.source[n].index];
    if (i.undefined != Undefined::low_half) defined &= frame.defined_high[i.source[n].index];
    if (~defined & mask)
      find("undefined", warp, i, std::countr_zero(~defined & mask), "operand " + std::to_string(n + 1) + " was never set");
  }
  for (size_t n = 0; n < i.predicates; ++n)
    if (~frame.predicates_defined[i.predicate[n]] & mask)
      find("undefined", warp, i, std::countr_zero(~frame.predicates_defined[i.predicate[n]] & mask),
           "predicate " + std::to_string(n + 1) + " was never set");
}

void Block::mark_results(Warp& warp, const Instruction& i, uint32_t mask) {
  Frame& frame = *warp.frame;
  uint32_t low = mask, high = mask;
  const auto low_of = [&](int n) { return i.source[n].constant ? ~0u : frame.defined[i.source[n].index]; };
  const auto high_of = [&](int n) { return i.source[n].constant ? ~0u : frame.defined_high[i.source[n].index]; };
  switch (i.undefined) {
    case Undefined::copied:
      if (i.writes_predicate) {
        low &= frame.predicates_defined[i.predicate[0]];
      } else if (i.predicates > 0) {
        const uint32_t known = frame.predicates_defined[i.predicate[0]], first = frame.predicates[i.predicate[0]];
        low &= known & ((first & low_of(0)) | (~first & low_of(1)));
        high &= known & ((first & high_of(0)) | (~first & high_of(1)));
      } else {
        low &= low_of(0);
        high &= high_of(0);
      }
      break;
    case Undefined::packed:
      low &= low_of(0);
      high &= low_of(1);
      break;
    case Undefined::shifted_down: low &= high_of(0); break;
    case Undefined::shifted_up: high &= low_of(0); break;
    default: break;
  }
  const auto set = [&](uint32_t& to, uint32_t defined) { to = (to & ~mask) | (defined & mask); };
  if (i.undefined == Undefined::unpacked) {
    const uint32_t of[2] = {low_of(0), high_of(0)};
    for (size_t n = 0; n < 2; ++n) {
      set(frame.defined[i.result[n]], of[n]);
      set(frame.defined_high[i.result[n]], ~0u);
    }
    return;
  }
  for (size_t n = 0; n < i.results; ++n) {
    if (i.writes_predicate || (i.pairs && n == 1)) {
      set(frame.predicates_defined[i.result[n]], low);
    } else {
      set(frame.defined[i.result[n]], low);
      set(frame.defined_high[i.result[n]], high);
    }
  }
}

// Runs the function for these lanes from its beginning to its end; what it takes and returns lies in local memory.
void Block::call(Warp& warp, const Instruction& i, uint32_t mask) {
  const Function& callee = *i.call->function;
  Frame* const caller = warp.frame;
  std::unique_ptr<Frame> frame = call_frames_.empty() ? std::make_unique<Frame>() : std::move(call_frames_.back());
  if (!call_frames_.empty()) call_frames_.pop_back();
  prepare(*frame, callee, caller->local + (caller->function->frame_bytes + 15) / 16 * 16);
  for (uint32_t s = 0; s < specials; ++s) frame->registers[s] = caller->registers[s], frame->defined[s] = frame->defined_high[s] = ~0u;
  if (i.call->arguments.size() != callee.parameters.size() || i.call->results.size() != callee.return_values.size())
    stop("lanes", warp, i, std::countr_zero(mask), "calls a function with another number of arguments");
  const auto bytes = [&](int lane, uint32_t at) { return warp.local.data() + size_t{warp.local_bytes} * static_cast<size_t>(lane) + at; };
  for_lanes(mask, [&](int l) {
    for (size_t n = 0; n < callee.parameters.size(); ++n)
      std::memcpy(bytes(l, frame->local + callee.parameters[n].offset), bytes(l, caller->local + i.call->arguments[n]),
                  callee.parameters[n].bytes);
  });
  frame->groups.push_back({0, mask, false});
  warp.frame = frame.get();
  step(warp, *frame, 0, true);
  warp.frame = caller;
  for_lanes(mask, [&](int l) {
    for (size_t n = 0; n < callee.return_values.size(); ++n)
      std::memcpy(bytes(l, caller->local + i.call->results[n]), bytes(l, frame->local + callee.return_values[n].offset),
                  callee.return_values[n].bytes);
  });
  call_frames_.push_back(std::move(frame));
}

void Block::find(const char* what, const Warp& warp, const Instruction& i, int lane, const std::string& text) {
  for (const Finding& known : *findings_)
    if (known.line == i.line && known.what == what) return;
  if (findings_->size() < Device::max_findings)
    findings_->push_back({what, launch_->function->name, "'" + std::string(i.text) + "': " + text, i.line, i.source_line, at_,
                          warp.number * warp_lanes + lane});
}

void Block::stop(const char* what, const Warp& warp, const Instruction& i, int lane, const std::string& text) {
  find(what, warp, i, lane, text);
  throw Stopped(what);
}

}  // namespace suite::ptx
