// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include <suite/cpu/buffer.hpp>
#include <suite/cpu/threads.hpp>

#include "elements.hpp"
#include "transforms.hpp"

namespace suite::gw {

// Matrix elements by way of real space: the internal bands stay there from call to call, as far as the memory
// allowed for them reaches.
class ByTransforms {
public:
  ByTransforms(int64_t threads, int64_t memory_mib) : threads_(threads), memory_mib_(memory_mib) {}
  void prepare(const Mtxel& c, Plan plan);
  void execute(const Mtxel& c, const Elements& elements);

private:
  // Doubles of a panel of internal bands on the grid.
  int64_t panel_size(const Mtxel& c) const { return 2 * lanes * transforms_->plan().points() * c.nspinor(); }
  void panel_to_grid(const Mtxel& c, int64_t panel, double* work, double* u) const;
  void external_bands(const Mtxel& c, int team);
  void elements_of(const Mtxel& c, const Elements& elements, const double* u, int64_t panel, int64_t n, double* work) const;

  int64_t threads_, memory_mib_, kept_ = 0;
  KnownLines lines_;
  std::optional<Transforms> transforms_;
  cpu::Buffer<double> internal_{"gw.mtxel"}, external_{"gw.mtxel"};
  cpu::Scratch scratch_{"gw.mtxel"};
};

}  // namespace suite::gw
