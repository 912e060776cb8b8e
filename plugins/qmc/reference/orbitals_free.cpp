// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_free: 1, cos k_1.r, sin k_1.r, cos k_2.r, ..
#include "kernels.hpp"

namespace suite::qmc::reference {

std::vector<Local> orbitals_free(const Lattice& lattice, const int32_t* kvec, int64_t norb, const double* r) {
  std::vector<Local> phi(static_cast<size_t>(norb));
  for (int64_t a = 0; a < norb; ++a) {
    Local& orbital = phi[static_cast<size_t>(a)];
    orbital.value = 1;
    if (a == 0) continue;
    Vector k;
    reciprocal_vector(lattice, kvec + 3 * ((a - 1) / 2), k.x);
    const double phase = dot(k, vector_at(r));
    const bool sine = a % 2 == 0;
    orbital.value = sine ? std::sin(phase) : std::cos(phase);
    orbital.laplacian = -dot(k, k) * orbital.value;
    for (int d = 0; d < 3; ++d) orbital.gradient.x[d] = k.x[d] * (sine ? std::cos(phase) : -std::sin(phase));
  }
  return phi;
}

namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    const Lattice lattice = lattice_of(c.cell.data());
    check_orbitals(c.norb(), c.nkvec(), c.kvec.data());
    for (int64_t w = 0; w < c.r.extent(2); ++w)
      for (int64_t m = 0; m < c.r.extent(1); ++m) {
        const std::vector<Local> phi = orbitals_free(lattice, c.kvec.data(), c.norb(), &c.r(0, m, w));
        for (int64_t a = 0; a < c.norb(); ++a) put(c, a, m, w, phi[static_cast<size_t>(a)]);
      }
  }
};

}  // namespace

extern const suite_kernel_table orbitals_free_table;
constexpr suite_kernel_table orbitals_free_table = kernel_table<OrbitalsFree, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
