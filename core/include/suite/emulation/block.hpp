// SPDX-License-Identifier: BSD-3-Clause
// suite/emulation/block.hpp - one block of threads on one CPU core. Each thread is a fiber that runs
// until it meets __syncthreads, a shuffle or its end; what a GPU would answer with a hang or with garbage
// becomes a suite::Failure: threads of a block that wait at different barriers, or that end while others
// wait.
//
// What it cannot find: races that need two threads to run at the same time, missing memory fences, the
// hardware's limits on registers. A read that lacks a barrier is found where it meets a value not yet
// written: even blocks run their threads in ascending, odd blocks in descending order, so that either
// neighbour may come first.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <source_location>
#include <string>
#include <vector>

#include <suite/emulation/fibers.hpp>

namespace suite::emulation {

struct Index3 {
  unsigned x, y, z;
  constexpr Index3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  size_t count() const { return size_t(x) * y * z; }
  std::string text() const { return concat("(", x, ",", y, ",", z, ")"); }
};

inline constexpr int largest_warp = 64;
inline constexpr unsigned most_threads = 1024;

class Block;
// Kernel code finds its block here.
inline constinit thread_local Block* current_block = nullptr;

class Block {
public:
  struct Kernel {
    const char* name;
    void (*run)(const void* arguments);
    const void* arguments;
    Index3 grid, threads;
    size_t shared_bytes;
    int warp;
  };
  enum class State { fresh, ready, at_barrier, at_warp, ended };
  // Where threads wait: all that meet must have come to the same line.
  struct Meeting {
    unsigned rank = 0;  // of the first that came
    unsigned line = 0;
    const char* what = "";
    const char* file = "";
    size_t waiting = 0;
  };
  struct Warp {
    Meeting meeting;
    size_t at_barrier = 0, ended = 0;
  };
  struct Thread {
    Index3 index;
    unsigned rank = 0;
    State state = State::fresh;
    Fiber* fiber = nullptr;
    unsigned turn = 0;  // of the two mailboxes: a reader is never overtaken by the next shuffle
    alignas(16) unsigned char mailbox[2][16];
  };

  // Runs block number `number` of the kernel. Throws the Failure that a thread met.
  void run(const Kernel& kernel, size_t number) {
    start(kernel, number);
    current_block = this;
    while (ended_ < threads_.size() && !failure_) {
      bool moved = false;
      for (size_t i = 0; i < threads_.size() && !failure_; ++i) {
        Thread& thread = threads_[place(i)];
        if (thread.state != State::fresh && thread.state != State::ready) continue;
        resume(thread);
        moved = true;
      }
      if (!moved) fail(stuck());
    }
    current_block = nullptr;
    for (size_t f = 0; f < fibers_.size(); ++f)
      if (fibers_[f].low && stacks_.overflowed(f)) fail(concat("a thread needs more than ", stack_bytes, " bytes of stack"));
    if (failure_) std::rethrow_exception(failure_);
  }

  const Index3& thread_index() const { return current_->index; }
  const Index3& block_index() const { return index_; }
  const Index3& block_extent() const { return kernel_->threads; }
  const Index3& grid_extent() const { return kernel_->grid; }
  int warp() const { return kernel_->warp; }
  unsigned lane() const { return current_->rank % static_cast<unsigned>(kernel_->warp); }
  void* shared() { return shared_.get(); }

  void barrier(const std::source_location& where) {
    if (ended_ > 0) raise(text(*current_) + " waits at __syncthreads" + text(where) + ", but " + text(*find_ended(0)) + " has ended");
    Warp& warp = own_warp();
    if (warp.meeting.waiting > 0) raise_apart("__syncthreads", where, warp.meeting);
    ++warp.at_barrier;
    meet(barrier_, "__syncthreads", where, State::at_barrier, 0, threads_.size());
    if (barrier_.waiting == 0)
      for (Warp& each : warps_) each.at_barrier = 0;
  }
  void warp_barrier(const char* what, const std::source_location& where) {
    Warp& warp = own_warp();
    const size_t first = current_->rank - lane();
    if (warp.ended > 0) raise(text(*current_) + " waits at " + what + text(where) + ", but " + text(*find_ended(first)) + " has ended");
    if (warp.at_barrier > 0) raise_apart(what, where, barrier_);
    meet(warp.meeting, what, where, State::at_warp, first, std::min(threads_.size(), first + static_cast<size_t>(kernel_->warp)));
  }

  // The value that the lane `from` of the own warp brought to the same shuffle; own where it is not in the
  // section.
  template <class T> T exchange(T value, unsigned from, const char* what, const std::source_location& where) {
    static_assert(sizeof(T) <= sizeof Thread::mailbox[0]);
    const unsigned turn = current_->turn ^= 1;
    std::memcpy(current_->mailbox[turn], &value, sizeof value);
    warp_barrier(what, where);
    const size_t partner = current_->rank - lane() + from;
    if (partner < threads_.size()) std::memcpy(&value, threads_[partner].mailbox[turn], sizeof value);
    else std::memset(&value, 0xff, sizeof value);  // a lane that does not exist: undefined on a device
    return value;
  }

  // Whether any lane of the own warp brought true.
  bool any(bool mine, const std::source_location& where) {
    const unsigned turn = current_->turn ^= 1;
    std::memcpy(current_->mailbox[turn], &mine, sizeof mine);
    warp_barrier("warp_any", where);
    const size_t first = current_->rank - lane();
    const size_t last = std::min(threads_.size(), first + static_cast<size_t>(kernel_->warp));
    bool some = false;
    for (size_t i = first; i < last; ++i) some = some || threads_[i].mailbox[turn][0] != 0;
    return some;
  }

  // What each lane of the own warp brought, into all[lane]; in groups of 32 lanes that are complete.
  template <class T> void gather(T value, T* all, const char* what, const std::source_location& where) {
    static_assert(sizeof(T) <= sizeof Thread::mailbox[0]);
    const size_t first = current_->rank - lane(), lanes = static_cast<size_t>(kernel_->warp);
    if (first + lanes > threads_.size() && (threads_.size() - first) % 32 != 0)
      raise(text(*current_) + " is at " + what + text(where) + ", which takes 32 lanes; its warp has " +
            std::to_string(threads_.size() - first));
    const unsigned turn = current_->turn ^= 1;
    std::memcpy(current_->mailbox[turn], &value, sizeof value);
    warp_barrier(what, where);
    for (size_t l = 0; l < lanes && first + l < threads_.size(); ++l) std::memcpy(all + l, threads_[first + l].mailbox[turn], sizeof value);
  }

private:
  struct Release {
    void operator()(unsigned char* p) const { ::operator delete[](p, std::align_val_t(16)); }
  };

  size_t place(size_t i) const { return backward_ ? threads_.size() - 1 - i : i; }

  void start(const Kernel& kernel, size_t number) {
    kernel_ = &kernel;
    const Index3& grid = kernel.grid;
    const Index3& extent = kernel.threads;
    index_ = Index3(static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
                    static_cast<unsigned>(number / grid.x / grid.y));
    backward_ = number % 2 == 1;
    failure_ = nullptr;
    ended_ = waiting_ = next_fresh_ = 0;
    threads_.resize(extent.count());
    for (size_t i = 0; i < threads_.size(); ++i) {
      Thread& thread = threads_[i];
      thread.rank = static_cast<unsigned>(i);
      thread.index = Index3(thread.rank % extent.x, thread.rank / extent.x % extent.y, thread.rank / extent.x / extent.y);
      thread.state = State::fresh;
      thread.fiber = nullptr;
      thread.turn = 0;
    }
    const auto warp = static_cast<size_t>(kernel.warp);
    warps_.assign((threads_.size() + warp - 1) / warp, Warp{});
    barrier_ = {};
    stacks_.at_least(threads_.size());
    fibers_.assign(threads_.size(), Fiber{});
    idle_.clear();
    for (size_t f = fibers_.size(); f-- > 0;) idle_.push_back(f);
    // Of exact size, so that AddressSanitizer sees a step beyond it; filled with NaN, as nothing is zero on a
    // device.
    if (kernel.shared_bytes != shared_bytes_) {
      shared_.reset(kernel.shared_bytes ? new (std::align_val_t(16)) unsigned char[kernel.shared_bytes] : nullptr);
      shared_bytes_ = kernel.shared_bytes;
    }
    if (shared_bytes_) std::memset(shared_.get(), 0xff, shared_bytes_);
  }

  void resume(Thread& thread) {
    current_ = &thread;
    if (!thread.fiber) {
      const size_t f = idle_.back();
      idle_.pop_back();
      Fiber& fiber = fibers_[f];
      fiber.low = stacks_.fresh(f);
      fiber.bytes = stack_bytes;
      fiber.context = fcontext::make_fcontext(const_cast<unsigned char*>(static_cast<const unsigned char*>(fiber.low)) + stack_bytes,
                                              stack_bytes, &Block::entry);
      thread.fiber = &fiber;
    }
    Fiber& fiber = *thread.fiber;
    about_to_switch(&scheduler_, fiber);
    const fcontext::transfer_t back = fcontext::jump_fcontext(fiber.context, this);
    just_switched(&scheduler_, nullptr);
    fiber.context = back.fctx;  // of the fiber that came back: a fiber takes over fresh threads, so it is this one
  }

  // A fiber runs its thread and, as long as threads end without having waited, the next fresh ones.
  static void entry(fcontext::transfer_t from) {
    Block& block = *static_cast<Block*>(from.data);
    just_switched(nullptr, &block.scheduler_);
    block.scheduler_.context = from.fctx;
    Fiber* fiber = block.current_->fiber;
    while (Thread* next = block.run_current()) {
      next->fiber = fiber;
      block.current_ = next;
    }
    block.idle_.push_back(static_cast<size_t>(fiber - block.fibers_.data()));
    about_to_switch(nullptr, block.scheduler_);
    fcontext::jump_fcontext(block.scheduler_.context, nullptr);
  }

  // Runs the current thread to its end and returns the next thread that has not begun.
  Thread* run_current() noexcept {
    try {
      current_->state = State::ready;
      kernel_->run(kernel_->arguments);
      current_->state = State::ended;
      ++ended_;
      ++own_warp().ended;
      if (waiting_ > 0) complain_of_end();
    } catch (...) {
      current_->state = State::ended;
      if (!failure_) failure_ = std::current_exception();
      return nullptr;
    }
    while (next_fresh_ < threads_.size() && threads_[place(next_fresh_)].state != State::fresh) ++next_fresh_;
    return next_fresh_ < threads_.size() ? &threads_[place(next_fresh_)] : nullptr;
  }

  void pause() {
    Fiber& fiber = *current_->fiber;
    about_to_switch(&fiber, scheduler_);
    const fcontext::transfer_t back = fcontext::jump_fcontext(scheduler_.context, nullptr);
    just_switched(&fiber, &scheduler_);
    scheduler_.context = back.fctx;
  }

  Warp& own_warp() { return warps_[current_->rank / static_cast<unsigned>(kernel_->warp)]; }

  // Waits until all threads from first to last are here. The last one to come does not switch at all.
  void meet(Meeting& meeting, const char* what, const std::source_location& where, State state, size_t first, size_t last) {
    if (meeting.waiting == 0) {
      meeting = {current_->rank, where.line(), what, where.file_name(), 0};
    } else if (meeting.line != where.line() || (meeting.file != where.file_name() && std::strcmp(meeting.file, where.file_name()) != 0)) {
      raise_apart(what, where, meeting);
    }
    if (++meeting.waiting < last - first) {
      ++waiting_;
      current_->state = state;
      return pause();
    }
    waiting_ -= meeting.waiting - 1;
    meeting.waiting = 0;
    for (size_t i = first; i < last; ++i) threads_[i].state = State::ready;
  }

  void complain_of_end() {
    const Meeting& meeting = barrier_.waiting > 0 ? barrier_ : own_warp().meeting;
    if (meeting.waiting > 0) raise(text(threads_[meeting.rank]) + " waits at " + text(meeting) + ", but " + text(*current_) + " has ended");
  }

  [[noreturn]] void raise_apart(const char* what, const std::source_location& where, const Meeting& other) {
    raise(text(*current_) + " waits at " + what + text(where) + ", but " + text(threads_[other.rank]) + " at " + text(other));
  }

  std::string stuck() const {
    for (const Thread& thread : threads_)
      if (thread.state == State::at_barrier || thread.state == State::at_warp) return text(thread) + " waits forever";
    return "no thread can continue";
  }

  const Thread* find_ended(size_t first) const {
    while (threads_[first].state != State::ended) ++first;
    return &threads_[first];
  }

  static std::string text(const Thread& thread) { return "thread " + thread.index.text(); }
  static std::string text(unsigned line, const char* file) {
    const char* slash = std::strrchr(file, '/');
    return concat(" in line ", line, " of ", slash ? slash + 1 : file);
  }
  static std::string text(const std::source_location& where) { return text(where.line(), where.file_name()); }
  static std::string text(const Meeting& meeting) { return meeting.what + text(meeting.line, meeting.file); }
  std::string sentence(const std::string& what) const { return std::string(kernel_->name) + ", block " + index_.text() + ": " + what; }
  [[noreturn]] void raise(const std::string& what) const { throw Failure(SUITE_DEVICE_ERROR, sentence(what)); }
  void fail(const std::string& what) {
    if (!failure_) failure_ = std::make_exception_ptr(Failure(SUITE_DEVICE_ERROR, sentence(what)));
  }

  const Kernel* kernel_ = nullptr;
  Index3 index_;
  bool backward_ = false;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  Meeting barrier_;
  std::vector<Fiber> fibers_;
  std::vector<size_t> idle_;  // fibers
  Stacks stacks_;
  Fiber scheduler_;
  Thread* current_ = nullptr;
  std::unique_ptr<unsigned char[], Release> shared_;
  size_t shared_bytes_ = 0;
  size_t ended_ = 0, waiting_ = 0, next_fresh_ = 0;
  std::exception_ptr failure_;
};

}  // namespace suite::emulation
