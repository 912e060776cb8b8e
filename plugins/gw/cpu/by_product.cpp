// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel as a product of matrices. The left one is never made: the external band lies in a box with zeros
// around it, where c_n(G2+G) is at the sum of an offset of G2 and one of G. Some G at a time and one or two
// panels of internal bands stay in registers for all G2.
#include "by_product.hpp"

namespace suite::gw {
namespace {

#if defined(__AVX512F__)
constexpr int tile_rows = 6;
#else
constexpr int tile_rows = 3;
#endif
constexpr int64_t chunk_rows = 8 * tile_rows;  // of a thread at a time
constexpr double nanoseconds_per_flop = 0.01;

// sum over G2 of conj(box[of_ket + row]) ket, of tile_rows rows and `panels` panels; ket of further panels
// lies `far` behind.
template <bool real, int panels>
inline void tile(const double* const (&row)[tile_rows], const int32_t* of_ket, int64_t npw, const Z* ket, int64_t far,
                 Z (&sum)[tile_rows][panels]) {
  for (int64_t i = 0; i < npw; ++i) {
    const int64_t at = int64_t{of_ket[i]} * (real ? 1 : 2);
    Z k[panels];
    for (int p = 0; p < panels; ++p) k[p] = ket[p * far + i];
    for (int r = 0; r < tile_rows; ++r) {
      const double re = row[r][at];
      for (int p = 0; p < panels; ++p) {
        sum[r][p].re += re * k[p].re;
        sum[r][p].im += re * k[p].im;
      }
      if constexpr (!real) {
        const double im = row[r][at + 1];
        for (int p = 0; p < panels; ++p) {
          sum[r][p].re += im * k[p].im;
          sum[r][p].im -= im * k[p].re;
        }
      }
    }
  }
}

}  // namespace

void ByProduct::prepare(const Mtxel& c) {
  box_ = make_box(c);
  const int64_t npw = c.npw_ket(), panels = Panel::count(c.is_real(), c.ntband()), nspinor = c.nspinor();
  const auto* const ket = static_cast<const double*>(c.ket.array().data);
  Z* const to = reinterpret_cast<Z*>(internal_.at_least(2 * lanes * panels * nspinor * npw));
  cpu::in_parallel(threads_, panels * nspinor, 4, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t s = item / panels, panel = item % panels;
      const Panel from(ket + s * npw * c.ntband() * c.parts(), c.is_real(), npw, c.ntband(), panel);
      for (int64_t i = 0; i < npw; ++i) to[item * npw + i] = from.load(i);
    }
  });
  // Calls put other numbers at the same places.
  const int64_t numbers = box_.size * c.parts() * c.nex() * nspinor;
  std::fill_n(external_.at_least(numbers), numbers, 0.0);
}

template <bool real> void ByProduct::multiply(const Mtxel& c, const Elements& elements, int team) const {
  constexpr int parts = real ? 1 : 2;
  const int64_t npw = c.npw_ket(), ncouls = c.ncouls(), nspinor = c.nspinor(), nex = c.nex(), panels = Panel::count(real, c.ntband());
  const int64_t chunks = ceil_div(ncouls, chunk_rows), pairs = ceil_div(panels, 2);
  const Z* const kets = reinterpret_cast<const Z*>(internal_.data());
  const auto tiles = [&]<int some>(std::integral_constant<int, some>, int64_t panel, int64_t n, int64_t first) {
    for (int64_t ig = first; ig < std::min(first + chunk_rows, ncouls); ig += tile_rows) {
      Z sum[tile_rows][some] = {};
      for (int64_t s = 0; s < nspinor; ++s) {
        const double* const box = external_.data() + (n * nspinor + s) * box_.size * parts;
        const double* row[tile_rows];
        for (int r = 0; r < tile_rows; ++r) row[r] = box + int64_t{box_.of_wanted[std::min(ig + r, ncouls - 1)]} * parts;
        tile<real, some>(row, box_.of_ket.data(), npw, kets + (s * panels + panel) * npw, npw, sum);
      }
      for (int r = 0; r < tile_rows && ig + r < ncouls; ++r)
        for (int p = 0; p < some; ++p) elements.store(ig + r, panel + p, n, sum[r][p]);
    }
  };
  cpu::each(team, nex * pairs * chunks, [&](int64_t item, int) {
    const int64_t n = item / (pairs * chunks), panel = 2 * (item / chunks % pairs), first = item % chunks * chunk_rows;
    if (panel + 1 < panels) tiles(std::integral_constant<int, 2>(), panel, n, first);
    else tiles(std::integral_constant<int, 1>(), panel, n, first);
  });
}

void ByProduct::execute(const Mtxel& c, const Elements& elements) {
  const int team = cpu::useful_threads(threads_, c.nex() * ceil_div(c.ncouls(), tile_rows) * ceil_div(c.ntband(), lanes),
                                       nanoseconds_per_flop * flops_of_product(c) /
                                           static_cast<double>(c.nex() * ceil_div(c.ncouls(), tile_rows) * ceil_div(c.ntband(), lanes)));
  const int parts = c.parts();
  const auto* const bra = static_cast<const double*>(c.bra.array().data);
  cpu::share(team, c.nex() * c.nspinor(), [&](int64_t begin, int64_t end, int) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t n = item / c.nspinor(), s = item % c.nspinor();
      const double* const from = bra + (s * c.nex() + n) * c.npw_bra() * parts;
      double* const box = external_.data() + item * box_.size * parts;
      for (int64_t i = 0; i < c.npw_bra(); ++i)
        for (int p = 0; p < parts; ++p) box[int64_t{box_.of_bra[i]} * parts + p] = from[i * parts + p];
    }
  });
  if (c.is_real()) multiply<true>(c, elements, team);
  else multiply<false>(c, elements, team);
}

}  // namespace suite::gw
