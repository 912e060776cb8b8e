// SPDX-License-Identifier: BSD-3-Clause
// The occupied orbitals of a spin at `npos` positions of each walker, on a device: Gaussian or Slater functions of a molecule,
// splines of a crystal.
#pragma once

#include <memory>
#include <vector>

#include <suite/suite.hpp>

#include "measure/row.hpp"
#include "system.hpp"
#include "walkers.hpp"

namespace suite::vmc {

enum class Order { value, gradient, laplacian };

// Arrays of a kernel up to an order; the others are unset.
inline void set_outputs(Kernel& kernel, Order order, const suite_array& phi, const suite_array& dphi, const suite_array& d2phi) {
  const suite_array unset = describe<double>(nullptr, {});
  kernel.set("phi", phi);
  kernel.set("dphi", order >= Order::gradient ? dphi : unset);
  kernel.set("d2phi", order >= Order::laplacian ? d2phi : unset);
}

class Orbitals {
public:
  virtual ~Orbitals() = default;
  // At r(3,npos,walkers).
  virtual void compute(const double* r, int64_t walkers, Order order) = 0;
  virtual void add_records(std::vector<app::Row>& records) const = 0;

  // phi(norb,npos,walkers), dphi(norb,3,npos,walkers), d2phi(norb,npos,walkers) of the last call, as far as it was asked for them.
  suite_array phi(int64_t walkers) const;
  suite_array dphi(int64_t walkers) const;
  suite_array d2phi(int64_t walkers) const;

protected:
  Orbitals(const Device& device, int64_t norb, int64_t npos, int64_t capacity);
  // The arrays up to an order on the host: as they are where the device has them there, else copies, for change(), which puts them back.
  // keep: with what the device has, not just room for it.
  void on_host(int64_t walkers, Order order, bool keep, double* (&data)[3]);
  void put_back(int64_t walkers, Order order, double* const (&data)[3]);
  int64_t norb() const { return norb_; }
  int64_t npos() const { return npos_; }

private:
  const Device& device_;
  int64_t norb_, npos_;
  Array<double> phi_, dphi_, d2phi_;
  std::vector<double> host_[3];
};

// The kernel of the system's functions or splines.
const char* kernel_of_orbitals(const System& system);

// Of the system's molecule or crystal. It must outlive them.
std::unique_ptr<Orbitals> make_orbitals(const System& system, const Implementation& how, const Device& device, int spin, int64_t npos,
                                        int64_t capacity);

}  // namespace suite::vmc
