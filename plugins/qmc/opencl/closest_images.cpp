// SPDX-License-Identifier: BSD-3-Clause
// qmc.closest_images (geometry.cl).
#include "engine.hpp"
#include "texts.hpp"

namespace suite::qmc::cl {
namespace {

class ClosestImagesCL : public opencl::WithEngine<Engine, ClosestImages, parameter::image_variant> {
public:
  ClosestImagesCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p),
        step_(static_cast<ImageStep>(p[0])),
        cell_(engine),
        from_(engine, "the origins of the vectors"),
        to_(engine, "the end points of the vectors") {}

  void prepare(const suite_array* arguments) {
    const ClosestImages c(arguments);
    cell_.set(c.cell, step_ != ImageStep::best);
    kind_ = step_ == ImageStep::search ? define("KIND", 4) : cell_.kind();
  }
  void execute(const suite_array* arguments) {
    const ClosestImages c(arguments);
    const int64_t nfrom = c.nfrom(), nto = c.nto(), nwalker = c.nwalker();
    const int lanes = engine.lanes(nto);
    const Layout from{1, nfrom, nfrom}, to{lanes, nto, nto};
    const cl_mem r1 = from_.set(cell_, from, memory_of(c.rfrom), nwalker), r2 = to_.set(cell_, to, memory_of(c.rto), nwalker);
    as_int(4 * ceil_div(nto, lanes) * lanes);
    engine.start(text::geometry, "closest_images", kind_, nfrom * nwalker, lanes, engine.local(), r1, r2, cell_.numbers(),
                 memory_of(c.eevecs), as_int(nfrom), as_int(nto), as_int(from.size()), as_int(to.size()), as_int(nwalker));
    as_int(nfrom * nwalker);
  }

private:
  ImageStep step_;
  Cell cell_;
  std::string kind_;
  Framed from_, to_;
};

}  // namespace

extern const suite_kernel_table closest_images_table;
constexpr suite_kernel_table closest_images_table = kernel_table<ClosestImages, ClosestImagesCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
