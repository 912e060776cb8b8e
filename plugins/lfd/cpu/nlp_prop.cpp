// SPDX-License-Identifier: BSD-3-Clause
// lfd.nlp_prop: the spheres of one block of orbitals after the other (spheres.hpp).
#include "../parameters.hpp"
#include "kernels.hpp"
#include "orbital_rows.hpp"

namespace suite::lfd {
namespace {

class Cpu : public cpu::WithThreads<parameter::order> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p) : WithThreads(b, q, p), descending_(p[0] != 0) {}

  void execute(const suite_array* a) {
    const NlpProp c(a);
    const Grid g = orbital_grid(c.psi, c.h.data());
    const Spheres spheres(g, c.nonlocal, c.dt, false);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      T* const psi = pairs(c.psi.as<complex_of<T>>().data());
      const double *const A = c.A.data(), *const k = c.k.data();
      const int64_t blocks = (g.norb + lanes<T> - 1) / lanes<T>, atoms = std::ssize(spheres.atoms);
      in_parallel(threads_, blocks, 1, [&](int64_t begin, int64_t end) {
        std::vector<Vector<T>> workspace(static_cast<size_t>(4 * spheres.nproj));
        for (int64_t b = begin; b < end; ++b)
          for (int64_t i = 0; i < atoms; ++i) {
            const Sphere& sphere = spheres.atoms[descending_ ? atoms - 1 - i : i];
            const OrbitalRows<T> rows(psi, g.norb, b, sphere, A, k);
            propagate_sphere<T>(sphere, spheres.nproj, rows, 1, workspace.data());
          }
      });
    });
  }

private:
  bool descending_;
};

}  // namespace

extern const suite_kernel_table nlp_prop_table;
constexpr suite_kernel_table nlp_prop_table = kernel_table<NlpProp, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
