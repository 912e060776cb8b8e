// SPDX-License-Identifier: BSD-3-Clause
// How fast dfpt.rho or dfpt.h is beside dgemm of a BLAS that is found at run time, in turns in one process.
// A yardstick for docs/performance, not a test: nothing is asserted.
//
//   dfpt_against_dgemm KERNEL SIZE THREADS ROUNDS [LIBRARY]
//
// Rates are the kernel's counted operations, and 2 n^3 for dgemm with n = 1536, per second elapsed and per
// second of CPU time; ratios are medians over the rounds. LIBRARY: libopenblas.so.0 where none is named.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <suite/suite.hpp>

namespace {

using Dgemm = void (*)(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
                       const double*, const int*, const double*, double*, const int*);

struct Rate {
  double elapsed, cpu;
};

template <class F> Rate rate_of(double flops, F&& f) {
  const std::clock_t cpu = std::clock();
  const auto begin = std::chrono::steady_clock::now();
  f();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const double seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  return {flops / elapsed.count() * 1e-9, flops / seconds * 1e-9};
}

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

class Blas {
public:
  Blas(const char* library, int threads) {
    // What an environment may have chosen for another processor.
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OPENBLAS_L2_SIZE");
    setenv("OPENBLAS_NUM_THREADS", std::to_string(threads).c_str(), 1);
    void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle) dgemm_ = reinterpret_cast<Dgemm>(dlsym(handle, "dgemm_"));
  }
  bool there() const { return dgemm_ != nullptr; }
  void run() {
    const double one = 1;
    dgemm_("N", "N", &n, &n, &n, &one, a_.data(), &n, b_.data(), &n, &one, c_.data(), &n);
  }
  static constexpr int n = 1536;

private:
  Dgemm dgemm_ = nullptr;
  std::vector<double> a_ = std::vector<double>(size_t{n} * n, 0.5), b_ = a_, c_ = a_;
};

int measure(char** words, const char* library) {
  const int threads = std::atoi(words[3]), rounds = std::max(std::atoi(words[4]), 1);
  Blas blas(library, threads);
  if (!blas.there()) {
    std::fprintf(stderr, "%s: no dgemm_ there\n", library);
    return 1;
  }
  suite::Kernel kernel(words[1], "cpu");
  kernel.set_parameter("threads", threads);
  kernel.generate(words[2], 1);
  const double flops = kernel.cost().flops, product = 2.0 * Blas::n * Blas::n * Blas::n;
  kernel.run();
  blas.run();
  std::vector<double> elapsed, cpu, own, its;
  for (int round = 0; round < rounds; ++round) {
    const Rate yardstick = rate_of(product, [&] { blas.run(); });
    const Rate mine = rate_of(flops, [&] { kernel.run(); });
    elapsed.push_back(mine.elapsed / yardstick.elapsed);
    cpu.push_back(mine.cpu / yardstick.cpu);
    own.push_back(mine.cpu);
    its.push_back(yardstick.cpu);
  }
  std::printf("%s %s, %d threads: %.3g GFLOP, %.1f GFLOP/s of CPU time; dgemm %.1f; ratio %.3f (elapsed %.3f)\n", words[1], words[2],
              threads, flops * 1e-9, median(own), median(its), median(cpu), median(elapsed));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 5) {
    std::fprintf(stderr, "usage: dfpt_against_dgemm KERNEL SIZE THREADS ROUNDS [LIBRARY]\n");
    return 2;
  }
  try {
    return measure(words, count > 5 ? words[5] : "libopenblas.so.0");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
