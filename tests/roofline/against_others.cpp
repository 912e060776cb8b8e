// SPDX-License-Identifier: BSD-3-Clause
// The ceilings of the processor beside what others measure: multiply-adds beside dgemm of a BLAS that is found at run
// time, the triad beside a STREAM-like loop of its own, in turns in one process. Exit code 1 where one differs by more
// than a tenth.
//
//   ceilings_against_others THREADS ROUNDS [LIBRARY]
//
// Compared are the best of each, as a ceiling is the best there is; medians are printed beside. LIBRARY: libopenblas.so.0
// where none is named. OPENBLAS_CORETYPE is left as it is: a BLAS older than the processor takes its loops for another.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace {

constexpr double allowed = 0.10;

double seconds_of(const std::function<void()>& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Dgemm {
public:
  Dgemm(const char* library, int threads) {
    setenv("OPENBLAS_NUM_THREADS", std::to_string(threads).c_str(), 1);
    setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
    void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle) dgemm_ = reinterpret_cast<Function>(dlsym(handle, "dgemm_"));
    const auto name = handle ? reinterpret_cast<const char* (*)()>(dlsym(handle, "openblas_get_corename")) : nullptr;
    if (name) std::printf("%s takes its loops for %s\n", library, name());
  }
  bool there() const { return dgemm_ != nullptr; }
  double flops() const { return 2.0 * n * n * n; }
  void run() {
    const double one = 1;
    dgemm_("N", "N", &n, &n, &n, &one, a_.data(), &n, b_.data(), &n, &one, c_.data(), &n);
  }

private:
  using Function = void (*)(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                            const int*, const double*, const int*, const double*, double*, const int*);
  static constexpr int n = 2048;
  Function dgemm_ = nullptr;
  std::vector<double> a_ = std::vector<double>(size_t{n} * n, 0.5), b_ = a_, c_ = a_;
};

// STREAM's triad, its arrays first touched by the threads that use them.
class Stream {
public:
  explicit Stream(int threads) : threads_(threads), a_(new double[n]), b_(new double[n]), c_(new double[n]) {
    double *const a = a_.get(), *const b = b_.get(), *const c = c_.get();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (long i = 0; i < n; ++i) {
      a[i] = 1;
      b[i] = 2;
      c[i] = 0;
    }
  }
  double bytes() const { return 3.0 * 8 * n; }
  void run() {
    double* const a = a_.get();
    const double *const b = b_.get(), *const c = c_.get();
    const double s = scale_;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (long i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
    scale_ = 6 - scale_;
  }
  static constexpr long n = 1L << 25;

private:
  int threads_;
  double scale_ = 3;
  std::unique_ptr<double[]> a_, b_, c_;
};

struct Pair {
  const char *ours, *theirs, *unit;
  std::vector<double> our_rates = {}, their_rates = {};
};

double best(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }
double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

bool print(const Pair& pair) {
  const double ratio = best(pair.our_rates) / best(pair.their_rates);
  const bool near = std::abs(ratio - 1) <= allowed;
  std::printf("%-15s best %7.2f median %7.2f   %-8s best %7.2f median %7.2f %s   ours/theirs %.3f %s\n", pair.ours,
              best(pair.our_rates), median(pair.our_rates), pair.theirs, best(pair.their_rates), median(pair.their_rates),
              pair.unit, ratio, near ? "" : "DIFFERS BY MORE THAN 10 %");
  return near;
}

int measure(int threads, int rounds, const char* library) {
  Dgemm dgemm(library, threads);
  Stream stream(threads);
  suite::Kernel fma("ceilings.fma", "cpu"), triad("ceilings.triad", "cpu");
  for (suite::Kernel* kernel : {&fma, &triad}) kernel->set_parameter("threads", threads);
  fma.generate("n=2000000000", 1);
  triad.generate("n=" + std::to_string(Stream::n), 1);
  Pair compute{"ceilings.fma", "dgemm", "GFLOP/s"}, memory{"ceilings.triad", "STREAM", "GB/s"};
  for (int i = -1; i < rounds; ++i) {  // the first round warms up
    const double ours = fma.cost().flops / fma.run() * 1e-9;
    const double theirs = dgemm.there() ? dgemm.flops() / seconds_of([&] { dgemm.run(); }) * 1e-9 : 0;
    const double our_bytes = triad.cost().bytes / triad.run() * 1e-9;
    const double their_bytes = stream.bytes() / seconds_of([&] { stream.run(); }) * 1e-9;
    if (i < 0) continue;
    compute.our_rates.push_back(ours);
    compute.their_rates.push_back(theirs);
    memory.our_rates.push_back(our_bytes);
    memory.their_rates.push_back(their_bytes);
  }
  std::printf("%d threads, %d rounds\n", threads, rounds);
  bool near = print(memory);
  if (dgemm.there()) near = print(compute) && near;
  else std::printf("SKIPPED dgemm: %s is not here\n", library);
  return near ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3 || std::atoi(words[1]) < 1 || std::atoi(words[2]) < 1) {
    std::fprintf(stderr, "usage: ceilings_against_others THREADS ROUNDS [LIBRARY]\n");
    return 2;
  }
  try {
    return measure(std::atoi(words[1]), std::atoi(words[2]), count > 3 ? words[3] : "libopenblas.so.0");
  } catch (const suite::Failure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
