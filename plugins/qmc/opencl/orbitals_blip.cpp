// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_blip (blips.cl).
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {
namespace {

class OrbitalsBlipCL : public opencl::WithEngine<Engine, OrbitalsBlip> {
public:
  OrbitalsBlipCL(const suite_backend* b, suite_queue* q, const int64_t* p) : WithEngine(b, q, p), cell_(engine) {}
  void prepare(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    cell_.set(call.cell);
  }
  void execute(const suite_array* arguments) {
    const OrbitalsBlip call(arguments);
    check_blips(call);
    const int64_t norb = call.norb(), rows = call.positions();
    const Outputs out = outputs_of(call.phi, call.dphi, call.d2phi, memory_of(call.phi));
    engine.start(text::blips, "orbitals_blip", call.c.is<single>() ? " -DKIND=0 -DREAL=float" : " -DKIND=0 -DREAL=double", rows,
                 engine.lanes(norb), engine.local(), memory_of(call.c), memory_of(call.r), cell_.numbers(), out.value, out.gradient,
                 out.laplacian, out.has, as_int(norb), count_of(call.c, 3, "c"), count_of(call.c, 2, "c"), count_of(call.c, 1, "c"),
                 as_int(rows));
  }

private:
  Cell cell_;
};

}  // namespace

extern const suite_kernel_table orbitals_blip_table;
constexpr suite_kernel_table orbitals_blip_table = kernel_table<OrbitalsBlip, OrbitalsBlipCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
