// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor: rho_G = sum_j q_j exp(i G.r_j) of each spin or of all, as products of tables
// (waves.hpp, wave_rows.hpp).
#include "wave_rows.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const StructureFactor c(arguments);
    const auto* const gvec = c.gvec.data();
    check_vectors("gvec", gvec, c.ngvec());
    waves_ = WaveList(lattice_of(c.cell.data()), gvec, c.ngvec());
    rows_ = WaveRows(waves_);
  }

  void execute(const suite_array* arguments) {
    const StructureFactor c(arguments);
    const Electrons e = electrons_of(c.rele, c.nele.data());
    const Moved moved = check_structure_factor(c);
    if (moved.one) update(c, e, moved.which);
    else recompute(c, e);
  }

private:
  void recompute(const StructureFactor& c, const Electrons& e) {
    const int64_t channels = c.nchannel(), items = e.nwalker * channels;
    const int team = useful_threads(threads_, items, real(e.netot) * (20 + 0.1 * real(waves_.count())));
    scratch_.reserve(team, waves_.sum_size(e.netot));
    const double* const charge = c.charge.data();
    each(team, items, [&](int64_t item, int thread) {
      const int64_t w = item / channels;
      const int spin = static_cast<int>(item % channels);
      waves_.structure_factor(c.rele.data() + 3 * (e.netot * w + e.first(spin)), charge ? charge + e.first(spin) : nullptr,
                              channels == 2 ? e.count(spin) : e.netot, results<double>(c.rhok) + 2 * waves_.count() * item,
                              scratch_.of(thread));
    });
  }

  void update(const StructureFactor& c, const Electrons& e, int64_t which) {
    const int64_t width = waves_.width(), count = waves_.count();
    const int team = useful_threads(threads_, e.nwalker, 100 + 2 * real(count));
    scratch_.reserve(team, std::max(4 * width + waves_.one_size(), 2 * rows_.table_size()));
    const int64_t channels = c.nchannel(), channel = channels == 2 ? e.spin(which) : 0;
    const double q = c.charge ? c.charge(which) : 1;
    const auto* const accept = c.accept.data();
    share(team, e.nwalker, [&](int64_t begin, int64_t end, int thread) {
      double *const re = scratch_.of(thread), *const im = re + width, *const old_re = im + width, *const old_im = old_re + width,
                    *const tables = old_im + width;
      for (int64_t w = begin; w < end; ++w) {
        if (accept && accept[w] == 0) continue;
        const double *const to = c.rnew.data() + 3 * w, *const from = c.rele.data() + 3 * (e.netot * w + which);
        double* const rho = results<double>(c.rhok) + 2 * count * (channels * w + channel);
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
