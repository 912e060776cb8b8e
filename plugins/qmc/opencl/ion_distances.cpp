// SPDX-License-Identifier: BSD-3-Clause
// qmc.ion_distances (geometry.cl).
#include "engine.hpp"
#include "texts.hpp"

namespace suite::qmc::cl {
namespace {

class IonDistancesCL : public opencl::WithEngine<Engine, IonDistances> {
public:
  using WithEngine::WithEngine;

  void prepare(const suite_array* arguments) {
    const IonDistances c(arguments);
    cell_.set_or_open(c.cell);
    layout_ = {engine.lanes(c.nion()), c.nion(), c.nion()};
    in_frame_ = ions_.set(cell_, layout_, memory_of(c.rion), 1);
  }
  void execute(const suite_array* arguments) {
    const IonDistances c(arguments);
    as_int(4 * layout_.size());
    engine.start(text::geometry, "ion_distances", cell_.kind(), c.positions(), layout_.lanes, engine.local(), memory_of(c.r), in_frame_,
                 cell_.numbers(), memory_of(c.eivecs), as_int(c.nion()), as_int(layout_.size()), as_int(c.positions()));
  }

private:
  Cell cell_{engine};
  Framed ions_{engine, "the ions"};
  Layout layout_;
  cl_mem in_frame_ = nullptr;
};

}  // namespace

extern const suite_kernel_table ion_distances_table;
constexpr suite_kernel_table ion_distances_table = kernel_table<IonDistances, IonDistancesCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
