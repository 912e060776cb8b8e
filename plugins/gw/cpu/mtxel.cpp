// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel on the CPU: by transforms or as a product of matrices, whichever is cheaper for the call.
#include "by_product.hpp"
#include "by_transforms.hpp"

namespace suite::gw {
namespace {

// Measured (docs/performance/gw.mtxel.md): a flop of a product of matrices takes this share of one of a
// transform.
constexpr double product_advantage = 0.4;

constexpr suite_choice methods[] = {
    choice("auto", "transforms, or the product of matrices where that is cheaper"),
    choice("fft", "products in real space and their transforms"),
    choice("product", "a product of matrices over plane waves"),
};

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {
      variant("method", 0, methods, "how the elements are computed"),
      knob("memory", 8192, 0, 1 << 24, "MiB",
           "for internal bands kept in real space from call to call; what is beyond is transformed again"),
      cpu::threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : method_(p[0]), transforms_(p[2], p[1]), product_(p[2]) {}

  void prepare(const suite_array* arguments) {
    const Mtxel c(arguments);
    Plan plan = make_plan(c, Lengths::any);
    const double pairs = static_cast<double>(c.ntband() * c.nex()) / (c.is_real() ? 2 : 1);
    const double transform = pairs * (plan.flops_to_wanted() + 8 * static_cast<double>(plan.points() * c.nspinor()));
    by_product_ = method_ == 2 || (method_ == 0 && flops_of_product(c) * product_advantage < transform);
    if (by_product_) product_.prepare(c);
    else transforms_.prepare(c, std::move(plan));
  }

  void execute(const suite_array* arguments) {
    const Mtxel c(arguments);
    const Elements elements(c, is_conjugate(c));
    if (by_product_) product_.execute(c, elements);
    else transforms_.execute(c, elements);
  }

private:
  int64_t method_;
  bool by_product_ = false;
  ByTransforms transforms_;
  ByProduct product_;
};

}  // namespace

extern const suite_kernel_table mtxel_table;
constinit const suite_kernel_table mtxel_table = kernel_table<Mtxel, Cpu>("cpu", "cpu");

}  // namespace suite::gw
