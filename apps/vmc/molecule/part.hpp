// SPDX-License-Identifier: BSD-3-Clause
// A factor of the wave function of a molecule, psi = product of the parts: a determinant, or e^(a term of J). The loop that moves electrons
// (molecule_walkers.cpp) knows this interface only: a new term is a new class and a line in parts_of(). All calls serve all walkers, with
// electrons numbered from 0. What a tried move changes is scratch until accept(), so nothing has to be restored after a refusal.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <suite/suite.hpp>

#include "jastrow.hpp"
#include "measure/row.hpp"
#include "system.hpp"
#include "walkers.hpp"

namespace suite::vmc {

// Places `to`(3,npos,n) tried for one electron of each walker that is at `from`(3,n), and what the parts make of them: the logarithm of
// |psi'/psi| and its sign, (npos,n), and where gradients are asked for (npos = 1) grad ln|psi'| of that electron, (3,n). Complex functions have
// no sign: several places (quadratures) have the cosine of the change of phase, so that sign |psi'/psi| is the real part, and one place has 1.
struct Tried {
  int64_t electron = 0, npos = 1;
  std::vector<double> from, to;
  std::vector<double> logarithm, sign, gradient;
};

// Sums over the parts: grad_i ln|psi| (3,netot,n), lap_i ln|psi| (netot,n), and |grad_i phase|^2 (netot,n) of complex functions: an electron
// belongs to one determinant, and J is real, so that only one part adds to it.
struct Slopes {
  std::vector<double> gradient, laplacian, phase;
};

class Part {
public:
  virtual ~Part() = default;
  virtual void resize(int64_t n) = 0;
  // Computes what the part keeps of its walkers from scratch, rele(3,netot,n). Returns how far what it kept had strayed: 0 unless
  // `compare`, which wants walkers that were here before.
  virtual double evaluate(const std::vector<double>& /*rele*/, bool /*compare*/) { return 0; }
  // Adds to the sums over the parts.
  virtual void add_slopes(const std::vector<double>& rele, Slopes& sum) = 0;
  virtual void add_gradient(const std::vector<double>& rele, int64_t electron, const std::vector<double>& at, std::vector<double>& sum) = 0;
  // Multiply the ratios of the other parts. ratio() with several places is for quadratures: npos must then be the same in all calls.
  virtual void ratio(const std::vector<double>& rele, Tried& tried) = 0;
  virtual void ratio_grad(const std::vector<double>& rele, Tried& tried) = 0;
  // accepted(n): 1 where the electron goes.
  virtual void accept(int64_t /*electron*/, std::span<const int32_t> /*accepted*/) {}
  // Arrays on the device that go with a walker, with the number of walkers last.
  virtual std::vector<suite_array> state() const { return {}; }
  virtual void add_to_branch(Kernel& /*branch*/) const {}
  virtual void set_jastrow() {}  // the coefficients have changed
  virtual void add_records(std::vector<app::Row>& records) const = 0;
};

// The parts of system.molecule, up to `capacity` walkers. The Jastrow factor must outlive them.
std::vector<std::unique_ptr<Part>> parts_of(const System& system, const Jastrow& jastrow, const Implementation& implementation,
                                            const Device& device, int64_t capacity);

}  // namespace suite::vmc
