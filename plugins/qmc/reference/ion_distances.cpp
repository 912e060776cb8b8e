// SPDX-License-Identifier: BSD-3-Clause
// qmc.ion_distances: in a cell, of all images around the shortest vector.
#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const IonDistances c(arguments);
    Lattice lattice;
    if (c.cell) lattice = lattice_of(c.cell.data());
    for (int64_t w = 0; w < c.r.extent(2); ++w)
      for (int64_t m = 0; m < c.r.extent(1); ++m)
        for (int64_t ion = 0; ion < c.nion(); ++ion) {
          Vector r = difference(&c.r(0, m, w), &c.rion(0, ion));
          if (c.cell) r = closest_image_by_search(lattice, r);
          for (int d = 0; d < 3; ++d) c.eivecs(d, ion, m, w) = r.x[d];
          c.eivecs(3, ion, m, w) = std::sqrt(dot(r, r));
        }
  }
};

}  // namespace

extern const suite_kernel_table ion_distances_table;
constexpr suite_kernel_table ion_distances_table = kernel_table<IonDistances, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
