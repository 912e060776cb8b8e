// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor: rho_G = sum_j q_j exp(i G.r_j) of each spin or of all, as products of tables
// (waves.hpp, wave_rows.hpp).
#include "wave_rows.hpp"

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
    rows_ = WaveRows(waves_);
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
    const int64_t channels = a[K::rhok].extent[1], items = e.nwalker * channels;
    const int team = useful_threads(threads_, items, real(e.netot) * (20 + 0.1 * real(waves_.count())));
    scratch_.reserve(team, waves_.sum_size(e.netot));
    const double* const charge = numbers<double>(a[K::charge]);
    each(team, items, [&](int64_t item, int thread) {
      const int64_t w = item / channels;
      const int spin = static_cast<int>(item % channels);
      waves_.structure_factor(numbers<double>(a[K::rele]) + 3 * (e.netot * w + e.first(spin)),
                              charge ? charge + e.first(spin) : nullptr,
                              channels == 2 ? e.count(spin) : e.netot,
                              results<double>(a[K::rhok]) + 2 * waves_.count() * item, scratch_.of(thread));
    });
  }

  void update(const suite_array* a, const Electrons& e, int64_t which) {
    const int64_t width = waves_.width(), count = waves_.count();
    const int team = useful_threads(threads_, e.nwalker, 100 + 2 * real(count));
    scratch_.reserve(team, std::max(4 * width + waves_.one_size(), 2 * rows_.table_size()));
    const int64_t channels = a[K::rhok].extent[1], channel = channels == 2 ? e.spin(which) : 0;
    const double q = a[K::charge].data ? numbers<double>(a[K::charge])[which] : 1;
    const auto* const accept = numbers<int32_t>(a[K::accept]);
    share(team, e.nwalker, [&](int64_t begin, int64_t end, int thread) {
      double *const re = scratch_.of(thread), *const im = re + width, *const old_re = im + width,
                    *const old_im = old_re + width, *const tables = old_im + width;
      for (int64_t w = begin; w < end; ++w) {
        if (accept && accept[w] == 0) continue;
        const double *const to = numbers<double>(a[K::rnew]) + 3 * w, *const from =
                                                                          numbers<double>(a[K::rele]) +
                                                                          3 * (e.netot * w + which);
        double* const rho = results<double>(a[K::rhok]) + 2 * count * (channels * w + channel);
        if (rows_.worth()) {
          double *const now = scratch_.of(thread), *const old = now + rows_.table_size();
          rows_.tabulate(to, now);
          rows_.tabulate(from, old);
          rows_.add_difference(now, old, q, rho);
          continue;
        }
        waves_.at_position(to, re, im, tables);
        waves_.at_position(from, old_re, old_im, tables);
        for (int64_t g = 0; g < count; ++g) {
          rho[2 * g] += q * (re[g] - old_re[g]);
          rho[2 * g + 1] += q * (im[g] - old_im[g]);
        }
      }
    });
  }

  int64_t threads_;
  WaveList waves_;
  WaveRows rows_;
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table structure_factor_table;
constexpr suite_kernel_table structure_factor_table = kernel_table<StructureFactor, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
