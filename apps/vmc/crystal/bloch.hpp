// SPDX-License-Identifier: BSD-3-Clause
// Bloch functions exp(i k.r) (A + iB) at positions, with derivatives: the splines A and B by qmc.orbitals_blip, the rest on the host.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "measure/timed_kernel.hpp"
#include "molecule/orbitals.hpp"

namespace suite::vmc {

struct SplineTable;

// psi, grad psi and lap psi at a place, as far as they were asked for.
struct BlochValue {
  std::complex<double> psi;
  std::array<std::complex<double>, 3> gradient;
  std::complex<double> laplacian;
};

class BlochSums {
public:
  BlochSums(const System& system, const Implementation& how, const Device& device, int spin);

  // put(i, place, value) of orbital i of the spin's table at each of r(3,npos,walkers), place = position + npos walker.
  template <class F> void compute(const double* r, int64_t npos, int64_t walkers, Order order, F&& put) {
    run_splines(r, npos, walkers, order);
    for (size_t place = 0; place < static_cast<size_t>(npos * walkers); ++place) {
      turn(r + 3 * place);
      for (size_t i = 0; i < wave_.size(); ++i) put(i, place, value_at(i, place, order));
    }
  }
  void add_records(std::vector<app::Row>& records) const { kernel_.add_to(records); }

private:
  void run_splines(const double* r, int64_t npos, int64_t walkers, Order order);
  void turn(const double* r);  // exp(i k.r) of all k
  BlochValue value_at(size_t i, size_t place, Order order) const;

  const SplineTable& table_;
  app::TimedKernel kernel_;
  std::vector<std::array<double, 3>> k_;  // different ones
  std::vector<size_t> wave_;              // of each orbital, its k
  std::vector<std::complex<double>> turn_;
  std::vector<double> splines_, gradient_, laplacian_;  // (nspline,npos,n), (nspline,3,npos,n), (nspline,npos,n)
};

}  // namespace suite::vmc
