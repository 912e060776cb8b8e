// SPDX-License-Identifier: BSD-3-Clause
// qmc.closest_images: of all images around, the shortest.
#include "kernels.hpp"

namespace suite::qmc::reference {

// The basis of short vectors brings r near the origin, from where two steps in each direction reach farther
// than the Wigner-Seitz cell does.
Vector closest_image_by_search(const Lattice& lattice, const Vector& r) {
  const double(&v)[3][3] = lattice.images.basis;
  const double(&inverse)[3][3] = lattice.images.inverse;
  double n[3];
  for (int i = 0; i < 3; ++i) n[i] = -std::rint(inverse[i][0] * r.x[0] + inverse[i][1] * r.x[1] + inverse[i][2] * r.x[2]);
  Vector best;
  double shortest = HUGE_VAL;
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j)
      for (int k = -2; k <= 2; ++k) {
        Vector image;
        for (int d = 0; d < 3; ++d) image.x[d] = r.x[d] + (n[0] + i) * v[0][d] + (n[1] + j) * v[1][d] + (n[2] + k) * v[2][d];
        if (dot(image, image) < shortest) {
          shortest = dot(image, image);
          best = image;
        }
      }
  return best;
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const ClosestImages c(arguments);
    const Lattice lattice = lattice_of(c.cell.data());
    for (int64_t w = 0; w < c.nwalker(); ++w)
      for (int64_t i = 0; i < c.nfrom(); ++i)
        for (int64_t j = 0; j < c.nto(); ++j) {
          const Vector r = closest_image_by_search(lattice, difference(&c.rto(0, j, w), &c.rfrom(0, i, w)));
          for (int d = 0; d < 3; ++d) c.eevecs(d, j, i, w) = r.x[d];
          c.eevecs(3, j, i, w) = std::sqrt(dot(r, r));
        }
  }
};

}  // namespace

extern const suite_kernel_table closest_images_table;
constexpr suite_kernel_table closest_images_table = kernel_table<ClosestImages, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
