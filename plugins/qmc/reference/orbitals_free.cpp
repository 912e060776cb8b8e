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
    using K = OrbitalsFree;
    const Lattice lattice = lattice_of(numbers(arguments[K::cell]));
    const suite_array& kvec = arguments[K::kvec];
    const View<const double, 3> r(arguments[K::r]);
    const View<double, 3> values(arguments[K::phi]), laplacians(arguments[K::d2phi]);
    const View<double, 4> gradients(arguments[K::dphi]);
    const int64_t norb = values.extent(0);
    check_orbitals(norb, kvec.extent[1], integers(kvec));
    for (int64_t w = 0; w < r.extent(2); ++w)
      for (int64_t m = 0; m < r.extent(1); ++m) {
        const std::vector<Local> phi = orbitals_free(lattice, integers(kvec), norb, &r(0, m, w));
        for (int64_t a = 0; a < norb; ++a) {
          const Local& orbital = phi[static_cast<size_t>(a)];
          values(a, m, w) = orbital.value;
          if (laplacians) laplacians(a, m, w) = orbital.laplacian;
          for (int d = 0; d < 3 && gradients; ++d) gradients(a, d, m, w) = orbital.gradient.x[d];
        }
      }
  }
};

}  // namespace

extern const suite_kernel_table orbitals_free_table;
constexpr suite_kernel_table orbitals_free_table = kernel_table<OrbitalsFree, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
