// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor: rho_G = sum_j q_j exp(i G.r_j) for each spin, or of all.
#include <complex>

#include "kernels.hpp"

namespace suite::qmc::reference {
namespace {

class Reference {
public:
  Reference(const suite_backend*, suite_queue*, const int64_t*) {}

  void execute(const suite_array* arguments) {
    using K = StructureFactor;
    const Lattice lattice = lattice_of(numbers(arguments[K::cell]));
    const Electrons electrons = electrons_of(arguments[K::rele], integers(arguments[K::nele]));
    const Moved moved = check_structure_factor(arguments, electrons.netot);
    const int64_t ngvec = arguments[K::gvec].extent[1];
    check_vectors("gvec", integers(arguments[K::gvec]), ngvec);
    const View<std::complex<double>, 3> rhok(arguments[K::rhok]);
    const int32_t* const accept = integers(arguments[K::accept]);
    const double* const charge = numbers(arguments[K::charge]);
    const auto q = [&](int64_t i) { return charge ? charge[i] : 1.0; };
    const int64_t channels = rhok.extent(1);
    const auto channel = [&](int64_t i) { return channels == 2 ? electrons.spin(i) : 0; };
    for (int64_t w = 0; w < electrons.nwalker; ++w) {
      const double* const rele = numbers(arguments[K::rele]) + 3 * electrons.netot * w;
      if (moved.one && accept && accept[w] == 0) continue;
      for (int64_t g = 0; g < ngvec; ++g) {
        Vector G;
        reciprocal_vector(lattice, integers(arguments[K::gvec]) + 3 * g, G.x);
        if (moved.one) {
          const double* const to = numbers(arguments[K::rnew]) + 3 * w;
          rhok(g, channel(moved.which), w) +=
              q(moved.which) * (wave(G, to) - wave(G, rele + 3 * moved.which));
          continue;
        }
        for (int64_t c = 0; c < channels; ++c) rhok(g, c, w) = 0;
        for (int64_t j = 0; j < electrons.netot; ++j) rhok(g, channel(j), w) += q(j) * wave(G, rele + 3 * j);
      }
    }
  }

private:
  static std::complex<double> wave(const Vector& G, const double* r) {
    return std::polar(1.0, dot(G, vector_at(r)));
  }
};

}  // namespace

extern const suite_kernel_table structure_factor_table;
constexpr suite_kernel_table structure_factor_table =
    kernel_table<StructureFactor, Reference>("reference", "cpu");

}  // namespace suite::qmc::reference
