// SPDX-License-Identifier: BSD-3-Clause
// Nobody is timed beside threads that the one before left spinning.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/machine.hpp"
#include "measure/idle_threads.hpp"

using namespace suite::app;

namespace {

// Spins until `spin` is false, or for so many seconds; then sleeps until it goes.
class Worker {
public:
  explicit Worker(double seconds)
      : thread_([this, seconds] {
          const double begin = wall_s();
          while (spin && wall_s() - begin < seconds) {}
          resting = true;
          std::unique_lock lock(mutex_);
          wake_.wait(lock, [this] { return done_; });
        }) {}
  ~Worker() {
    spin = false;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  std::atomic<bool> spin = true, resting = false;

private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

constexpr double patient_s = 60, forever_s = 600;

}  // namespace

BOOST_AUTO_TEST_CASE(a_process_of_one_thread_is_idle) { BOOST_TEST(wait_for_idle_threads(0)); }

BOOST_AUTO_TEST_CASE(threads_that_spin_for_a_while_are_waited_for) {
  const Worker first(0.02), second(0.05);
  BOOST_TEST(wait_for_idle_threads(patient_s));
  BOOST_TEST(first.resting);
  BOOST_TEST(second.resting);
}

BOOST_AUTO_TEST_CASE(a_thread_that_never_sleeps_is_given_up) {
  Worker worker(forever_s);
  BOOST_TEST(!wait_for_idle_threads(0.02));
  worker.spin = false;
  BOOST_TEST(wait_for_idle_threads(patient_s));
}
