// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_free: 1, cos(k.r), sin(k.r) from tables of powers (waves.hpp), the wave vectors in the lanes.
#include "waves.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    const auto* const kvec = c.kvec.data();
    check_orbitals(c.norb(), c.nkvec(), kvec);
    waves_ = WaveList(lattice_of(c.cell.data()), kvec, c.nkvec());
  }

  void execute(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    const int64_t norb = c.norb(), npos = c.positions();
    const int64_t width = waves_.width();
    const int team = useful_threads(threads_, npos, 50 + real(norb));
    scratch_.reserve(team, 2 * width + waves_.one_size() + 2 * width);
    share(team, npos, [&](int64_t begin, int64_t end, int thread) {
      double *const re = scratch_.of(thread), *const im = re + width, *const row = im + width, *const tables = row + 2 * width;
      // Row of orbitals: `first`, then f(g,c,s) as the orbitals of cosine and sine.
      const auto put = [&](double* to, double first, auto&& f) {
        for (int64_t g = 0; g < width; g += lanes) {
          Vector c = load(re + g), s = load(im + g), low, high;
          f(g, c, s);
          interleave(c, s, low, high);
          store(row + 2 * g, low);
          store(row + 2 * g + lanes, high);
        }
        to[0] = first;
        std::copy_n(row, norb - 1, to + 1);
      };
      for (int64_t p = begin; p < end; ++p) {
        waves_.at_position(c.r.data() + 3 * p, re, im, tables);
        put(c.phi.data() + norb * p, 1, [](int64_t, Vector&, Vector&) {});
        if (double* const dphi = c.dphi.data())
          for (int d = 0; d < 3; ++d)
            put(dphi + norb * (3 * p + d), 0, [&](int64_t g, Vector& c, Vector& s) {
              const Vector k = load(waves_.G(d) + g), old = c;
              c = -k * s;
              s = k * old;
            });
        if (double* const d2phi = c.d2phi.data())
          put(d2phi + norb * p, 0, [&](int64_t g, Vector& c, Vector& s) {
            const Vector k2 = load(waves_.square() + g);
            c *= -k2;
            s *= -k2;
          });
      }
    });
  }

private:
  int64_t threads_;
  WaveList waves_;
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table orbitals_free_table;
constexpr suite_kernel_table orbitals_free_table = kernel_table<OrbitalsFree, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
