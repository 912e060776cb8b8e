// SPDX-License-Identifier: BSD-3-Clause
// lfd.periodic_bc: the layer of ghost points around the grid, points 0 and N+1 of each direction, gets the
// points N and 1. Only the six faces: the operators have no diagonal neighbours.
#include "kernels.hpp"

namespace suite::lfd::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const PeriodicBc c(arguments);
    Orbitals psi = read_orbitals(c.psi);
    const int64_t norb = c.psi.extent(0);
    const int64_t n[] = {c.psi.extent(3) - 2, c.psi.extent(2) - 2, c.psi.extent(1) - 2};
    const auto at = [&](const int64_t* p) { return norb * (p[2] + (n[2] + 2) * (p[1] + (n[1] + 2) * p[0])); };
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      for (int64_t i = 1; i <= n[e]; ++i)
        for (int64_t j = 1; j <= n[f]; ++j)
          for (const int64_t ghost : {int64_t(0), n[d] + 1}) {
            int64_t to[3], from[3];
            to[d] = ghost;
            from[d] = ghost == 0 ? n[d] : 1;
            to[e] = from[e] = i;
            to[f] = from[f] = j;
            for (int64_t orbital = 0; orbital < norb; ++orbital) psi[at(to) + orbital] = psi[at(from) + orbital];
          }
    }
    write(psi, c.psi);
  }
};

}  // namespace

extern const suite_kernel_table periodic_bc_table;
constexpr suite_kernel_table periodic_bc_table = kernel_table<PeriodicBc, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
