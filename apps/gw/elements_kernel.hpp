// SPDX-License-Identifier: BSD-3-Clause
// One opened gw.mtxel: a call of it, its time, and its check against the reference implementation.
#pragma once

#include <vector>

#include "kernel_source.hpp"
#include "lattice.hpp"
#include "numbers.hpp"

namespace suite::gw {

// Plane-wave coefficients of some bands at one k: G fastest, then the components of a spinor, then band.
struct Bands {
  const Miller* g = nullptr;
  const double* c = nullptr;
  int parts = 2;  // numbers of a coefficient
  int64_t npw = 0, count = 0;
  int spinors = 1;
  int64_t coefficients() const { return npw * spinors; }  // of one band
  // `some` of them from number `first` on.
  Bands part(int64_t first, int64_t some) const { return {g, c + first * coefficients() * parts, parts, npw, some, spinors}; }
};

// m(G,n',n) = phase(G) <n|exp(iGr)|n'> of every n of the bra and n' of the ket, or phase(G) times its
// conjugate; all in one flavour.
struct ElementsCall {
  Bands bra, ket;
  std::vector<Miller> g;
  Numbers phase;  // none: 1
  bool conjugate = false;
  double* m = nullptr;
};

class ElementsKernel {
public:
  explicit ElementsKernel(KernelSource& source) : timed_(source.open("gw.mtxel")) {}
  // Runs; the first time also the reference, for some of the elements.
  void run(const ElementsCall& call);
  const app::TimedKernel& timed() const { return timed_; }

private:
  // Spinors as the kernel has them, one component of all bands after the other.
  struct Components {
    std::vector<double> ket, bra;
  };
  static void set(Kernel& kernel, const ElementsCall& call, Components& components);
  void verify(const ElementsCall& call);
  Components components_;
  app::TimedKernel timed_;
};

}  // namespace suite::gw
