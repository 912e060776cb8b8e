// SPDX-License-Identifier: BSD-3-Clause
// qmc.closest_images: best by the branch-free rules (frame.hpp), relevant by the planes that bound the
// Wigner-Seitz cell, search by the shortest of 27.
#include "../parameters.hpp"
#include "frame.hpp"

namespace suite::qmc {
namespace {

// The four numbers of each lane, one lane after the other.
inline void store_fours(double* to, Vector x, Vector y, Vector z, Vector r, int64_t n) {
  Vector xy[2], zr[2];
  interleave(x, y, xy[0], xy[1]);
  interleave(z, r, zr[0], zr[1]);
  double four[4 * lanes];
  for (int half = 0; half < 2; ++half) {
    // Pairs (x,y) of lanes/2 electrons beside pairs (z,r) of the same.
#if defined(__AVX512F__)
    store(four + 16 * half, __builtin_shufflevector(xy[half], zr[half], 0, 1, 8, 9, 2, 3, 10, 11));
    store(four + 16 * half + 8, __builtin_shufflevector(xy[half], zr[half], 4, 5, 12, 13, 6, 7, 14, 15));
#elif defined(__AVX2__)
    store(four + 8 * half, __builtin_shufflevector(xy[half], zr[half], 0, 1, 4, 5));
    store(four + 8 * half + 4, __builtin_shufflevector(xy[half], zr[half], 2, 3, 6, 7));
#else
    store(four + 4 * half, xy[half]);
    store(four + 4 * half + 2, zr[half]);
#endif
  }
  if (n >= lanes) std::memcpy(to, four, sizeof four);
  else std::memcpy(to, four, static_cast<size_t>(n) * 4 * sizeof(double));
}

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
    const double(&m)[3][3] = frame.from;
    const bool turned = kind != LatticeKind::general && !rule.aligned;
    double at[3];
    frame.into(from, at);
    for (int64_t j = 0; j < nto; j += lanes) {
      Three d = closest({load(cloud.x + j) - at[0], load(cloud.y + j) - at[1], load(cloud.z + j) - at[2]});
      const Vector r = root(square_of(d)) * frame.unit;
      if (turned)
        d = {m[0][0] * d.x + m[0][1] * d.y + m[0][2] * d.z, m[1][0] * d.x + m[1][1] * d.y + m[1][2] * d.z,
             m[2][0] * d.x + m[2][1] * d.y + m[2][2] * d.z};
      else d = {d.x * frame.unit, d.y * frame.unit, d.z * frame.unit};
      store_fours(to + 4 * j, d.x, d.y, d.z, r, nto - j);
    }
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
