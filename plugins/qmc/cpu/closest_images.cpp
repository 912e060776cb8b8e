// SPDX-License-Identifier: BSD-3-Clause
// qmc.closest_images: best by the branch-free rules (frame.hpp), relevant by the planes that bound the
// Wigner-Seitz cell, search by the shortest of 27.
#include "../parameters.hpp"
#include "fours.hpp"
#include "frame.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::image_variant, threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : variant_(static_cast<ImageStep>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* arguments) {
    const ClosestImages c(arguments);
    lattice_ = lattice_of(c.cell.data());
  }

  void execute(const suite_array* arguments) {
    const ClosestImages c(arguments);
    const int64_t nfrom = c.nfrom(), nto = c.nto(), nwalker = c.nwalker();
    if (variant_ == ImageStep::search) return search(c, nfrom, nto, nwalker);
    ImageRule rule = lattice_.images;
    if (variant_ == ImageStep::relevant) rule.kind = LatticeKind::general;
    const Frame frame(rule);
    const Electrons targets{nto, nto, nwalker};
    const int64_t size = Cloud::size(targets);
    double* const memory = clouds_.at_least(size * nwalker);
    const int team = useful_threads(threads_, nwalker * nfrom, 2 * real(nto));
    share(team, nwalker, [&](int64_t begin, int64_t end, int) {
      for (int64_t w = begin; w < end; ++w) Cloud::in(memory + size * w, targets).fill_from(frame, c.rto.data() + 3 * nto * w);
    });
    by_kind(rule.kind, [&](auto kind) {
      share(team, nwalker * nfrom, [&](int64_t begin, int64_t end, int) {
        for (int64_t row = begin; row < end; ++row)
          put_row<kind()>(rule, frame, Cloud::in(memory + size * (row / nfrom), targets), nto, c.rfrom.data() + 3 * row,
                          c.eevecs.data() + 4 * nto * row);
      });
    });
  }

private:
  template <LatticeKind kind>
  static void put_row(const ImageRule& rule, const Frame& frame, const Cloud& cloud, int64_t nto, const double* from, double* to) {
    const Closest<kind> closest(rule);
    const ToFours put(frame, kind != LatticeKind::general && !rule.aligned);
    double at[3];
    frame.into(from, at);
    for (int64_t j = 0; j < nto; j += lanes)
      put(to + 4 * j, closest({load(cloud.x + j) - at[0], load(cloud.y + j) - at[1], load(cloud.z + j) - at[2]}), nto - j);
  }

  // Into the cell of the short basis, then the shortest of the 27 images around.
  void search(const ClosestImages& c, int64_t nfrom, int64_t nto, int64_t nwalker) const {
    const ImageRule& rule = lattice_.images;
    double image[27][3];
    for (int i = 0; i < 27; ++i)
      for (int d = 0; d < 3; ++d)
        image[i][d] = (i / 9 - 1) * rule.basis[0][d] + (i / 3 % 3 - 1) * rule.basis[1][d] + (i % 3 - 1) * rule.basis[2][d];
    share(useful_threads(threads_, nwalker * nfrom, 30 * real(nto)), nwalker * nfrom, [&](int64_t begin, int64_t end, int) {
      for (int64_t row = begin; row < end; ++row)
        for (int64_t j = 0; j < nto; ++j)
          shortest(rule, image, c.rfrom.data() + 3 * row, c.rto.data() + 3 * (nto * (row / nfrom) + j),
                   c.eevecs.data() + 4 * (nto * row + j));
    });
  }
  static void shortest(const ImageRule& rule, const double (&image)[27][3], const double* from, const double* to, double* eevec) {
    double r[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, n[3];
    for (int i = 0; i < 3; ++i) n[i] = std::nearbyint(rule.inverse[i][0] * r[0] + rule.inverse[i][1] * r[1] + rule.inverse[i][2] * r[2]);
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) r[d] -= n[i] * rule.basis[i][d];
    double least = HUGE_VAL;
    for (const double(&v)[3] : image) {
      const double x = r[0] + v[0], y = r[1] + v[1], z = r[2] + v[2], square = x * x + y * y + z * z;
      if (!(square < least)) continue;
      least = square;
      eevec[0] = x;
      eevec[1] = y;
      eevec[2] = z;
    }
    eevec[3] = std::sqrt(least);
  }

  ImageStep variant_;
  int64_t threads_;
  Lattice lattice_;
  cpu::Buffer<double> clouds_{"qmc.closest_images"};
};

}  // namespace

extern const suite_kernel_table closest_images_table;
constexpr suite_kernel_table closest_images_table = kernel_table<ClosestImages, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
