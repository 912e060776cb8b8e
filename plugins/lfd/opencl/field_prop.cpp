// SPDX-License-Identifier: BSD-3-Clause
// lfd.field_prop in OpenCL: the forms of field.hpp.
#include "../steps.hpp"
#include "field.hpp"
#include "kernels.hpp"

namespace suite::lfd::cl {
namespace {

constexpr auto forms = with_meaning(field_forms, {{"loop", "one launch for the change of all points, one that adds it"}});
constexpr suite_parameter form = variant("variant", 2, forms, field_variant);

class FieldPropCL : public Plain<FieldProp, form> {
public:
  FieldPropCL(const suite_backend* b, suite_queue* q, const int64_t* p) : Plain(b, q, p), form_(static_cast<int>(p[0])), solver_(engine) {}
  void execute(const suite_array* a) {
    const FieldProp c(a);
    const Grid g = field_grid(c.rho, h.x);
    engine.set_single(is_single(c.rho.array()));
    solver_.set_steps(g, field_constants(g, c.wave), form_ == 2);
    const cl_mem vH = memory_of(c.vH), rho = memory_of(c.rho);
    solver_.take(vH);
    if (form_ == 0) solver_.loop(rho, Start::queue);
    if (form_ == 1) solver_.fused(rho);
    if (form_ == 2) {
      solver_.begin_closed();
      solver_.closed(rho);
      solver_.end_closed();
    }
    solver_.give(vH);
  }

private:
  int form_;
  FieldSolver solver_;
};

}  // namespace

extern const suite_kernel_table field_prop_table;
constexpr suite_kernel_table field_prop_table = kernel_table<FieldProp, FieldPropCL>("opencl", "opencl");

}  // namespace suite::lfd::cl
