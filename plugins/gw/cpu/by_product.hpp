// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <suite/cpu/buffer.hpp>
#include <suite/cpu/threads.hpp>

#include "elements.hpp"

namespace suite::gw {

// Matrix elements as a product of matrices, conj(c_n(G2+G)) c_n'(G2) summed over G2: for few wanted G.
class ByProduct {
public:
  explicit ByProduct(int64_t threads) : threads_(threads) {}
  void prepare(const Mtxel& c);
  void execute(const Mtxel& c, const Elements& elements);

private:
  template <bool real>
  void multiply(const Mtxel& c, const Elements& elements, int team) const;

  int64_t threads_;
  Box box_;
  cpu::Buffer<double> internal_{"gw.mtxel"}, external_{"gw.mtxel"};
};

}  // namespace suite::gw
