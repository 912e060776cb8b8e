// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor: rho_G = sum_j exp(i G.r_j) of each spin, as products of tables (waves.hpp).
#include "waves.hpp"

namespace suite::qmc {
namespace {

class Cpu {
  using K = StructureFactor;

public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* a) {
    const auto* const gvec = numbers<int32_t>(a[K::gvec]);
    check_vectors("gvec", gvec, a[K::gvec].extent[1]);
    waves_ = WaveList(lattice_of(numbers<double>(a[K::cell])), gvec, a[K::gvec].extent[1]);
  }

  void execute(const suite_array* a) {
    const Electrons e = electrons_of(a[K::rele], numbers<int32_t>(a[K::nele]));
    const Moved moved = check_structure_factor(a, e.netot);
    if (moved.one)
      update(a, e, moved.which);
    else
      anew(a, e);
  }

private:
  void anew(const suite_array* a, const Electrons& e) {
    const int team =
        useful_threads(threads_, e.nwalker * 2, real(e.netot) * (20 + 0.1 * real(waves_.count())));
    scratch_.reserve(team, waves_.sum_size(e.netot));
    each(team, e.nwalker * 2, [&](int64_t item, int thread) {
      const int64_t w = item / 2;
      const int spin = static_cast<int>(item % 2);
      waves_.structure_factor(numbers<double>(a[K::rele]) + 3 * (e.netot * w + e.first(spin)), nullptr,
                              e.count(spin), results<double>(a[K::rhok]) + 2 * waves_.count() * item,
                              scratch_.of(thread));
    });
  }

  void update(const suite_array* a, const Electrons& e, int64_t which) {
    const int64_t width = waves_.width(), count = waves_.count();
    const int team = useful_threads(threads_, e.nwalker, 100 + 2 * real(count));
    scratch_.reserve(team, 4 * width + waves_.one_size());
    const auto* const accept = numbers<int32_t>(a[K::accept]);
    share(team, e.nwalker, [&](int64_t begin, int64_t end, int thread) {
      double *const re = scratch_.of(thread), *const im = re + width, *const old_re = im + width,
                    *const old_im = old_re + width, *const tables = old_im + width;
      for (int64_t w = begin; w < end; ++w) {
        if (accept && accept[w] == 0) continue;
        waves_.at_position(numbers<double>(a[K::rnew]) + 3 * w, re, im, tables);
        waves_.at_position(numbers<double>(a[K::rele]) + 3 * (e.netot * w + which), old_re, old_im, tables);
        double* const rho = results<double>(a[K::rhok]) + 2 * count * (2 * w + e.spin(which));
        for (int64_t g = 0; g < count; ++g) {
          rho[2 * g] += re[g] - old_re[g];
          rho[2 * g + 1] += im[g] - old_im[g];
        }
      }
    });
  }

  int64_t threads_;
  WaveList waves_;
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table structure_factor_table;
constexpr suite_kernel_table structure_factor_table = kernel_table<StructureFactor, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
