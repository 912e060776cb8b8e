// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_free (waves.cl).
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {
namespace {

class OrbitalsFreeCL : public opencl::WithEngine<Engine, OrbitalsFree> {
public:
  using WithEngine::WithEngine;

  void prepare(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    cell_.set(c.cell);
    const std::vector<int32_t> kvec = engine.fetch<int32_t>(c.kvec, "kvec");
    check_orbitals(c.norb(), c.nkvec(), kvec.data());
    list_.set(cell_.lattice(), kvec.data(), c.nkvec());
  }
  void execute(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    const int64_t norb = c.norb(), rows = c.positions();
    const Outputs out = outputs_of(c.phi, c.dphi, c.d2phi, memory_of(c.phi));
    engine.start(text::waves, "orbitals_free", "", rows, engine.lanes(std::max<int64_t>(norb / 2, 1)), engine.local(), memory_of(c.r),
                 cell_.numbers(), list_.memory(), list_.size(), out.value, out.gradient, out.laplacian, out.has, as_int(norb),
                 as_int(rows));
  }

private:
  Cell cell_{engine};
  WaveList list_{engine, "the wave vectors"};
};

}  // namespace

extern const suite_kernel_table orbitals_free_table;
constexpr suite_kernel_table orbitals_free_table = kernel_table<OrbitalsFree, OrbitalsFreeCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
