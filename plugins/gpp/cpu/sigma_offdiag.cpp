// SPDX-License-Identifier: BSD-3-Clause
// gpp.sigma_offdiag on the CPU: for every n' and E the matrix A(G,G') = v I f is made block by block in
// the first cache and multiplied at once with M_n of all external bands n, T(n,G') = sum_G M_n(G) A(G,G');
// then Sigma(n,m) += sum_G' T(n,G') conj(M_m(G')). Both are complex matrix products by one register tile:
// `width` bands n as vectors times `tile` columns. A library's zgemm would need A in memory (16 bytes to write
// and to read per element that takes 8 flop times the external bands), and would be a dependency.
#include <algorithm>
#include <cmath>
#include <utility>

#include <suite/cpu/threads.hpp>

#include "lanes.hpp"
#include "sums.hpp"

namespace suite::gpp {
namespace {

constexpr int tile = lanes == 8 ? 4 : 6;  // columns of a register tile
constexpr int64_t block = 128;     // rows G at a time: A of two energies is 16 KiB then
constexpr int64_t room = 8 << 20;  // doubles that the packed bands of a batch of n' may take

int64_t rounded(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

struct Offdiag : SigmaOffdiag {
  explicit Offdiag(const suite_array* arguments) : SigmaOffdiag(arguments), owned(weighted_columns(*this)) {}
  // Kept off zero as the model has it; beyond 1e90 no factor differs from its limit, and D^3 would overflow.
  double x(int64_t iw, int64_t n1) const { return kept_off_zero(std::clamp(wx_array(iw, n1), -1e90, 1e90)); }
  bool occupied(int64_t n1) const { return occ_array(n1) > 0; }

  std::vector<WeightedColumn> owned;
};

// out[c][part][width] += sum over k of panel[k][part][width] * b[c][part][k], c = 0 ... tile - 1.
template <int Parts, int V> void multiply(const double* panel, const double* b, int64_t stride, int64_t count, double* out) {
  constexpr int width = V * lanes;
  Vector re[tile][V] = {}, im[tile][V] = {};
  for (int64_t k = 0; k < count; ++k) {
    Vector m_re[V], m_im[V];
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) {
      m_re[v] = load(panel + k * Parts * width + v * lanes);
      if constexpr (Parts == 2) m_im[v] = load(panel + k * Parts * width + width + v * lanes);
    }
#pragma GCC unroll 6
    for (int c = 0; c < tile; ++c) {
      const double b_re = b[c * Parts * stride + k];
      if constexpr (Parts == 1) {
#pragma GCC unroll 2
        for (int v = 0; v < V; ++v) re[c][v] += m_re[v] * b_re;
      } else {
        const double b_im = b[(c * Parts + 1) * stride + k];
#pragma GCC unroll 2
        for (int v = 0; v < V; ++v) {
          re[c][v] += m_re[v] * b_re;
          im[c][v] += m_re[v] * b_im;
          re[c][v] -= m_im[v] * b_im;
          im[c][v] += m_im[v] * b_re;
        }
      }
    }
  }
  for (int c = 0; c < tile; ++c)
    for (int v = 0; v < V; ++v) {
      double* const to = out + c * Parts * width + v * lanes;
      store(to, load(to) + re[c][v]);
      if constexpr (Parts == 2) store(to + width, load(to + width) + im[c][v]);
    }
}

// w and v I of one block of rows and `tile` columns, and w v I where w is real; rows and columns beyond the end are zero, and
// so is their A.
struct Pairs {
  alignas(64) double w_re[tile][block], w_im[tile][block], i_re[tile][block], i_im[tile][block], wi_re[tile][block], wi_im[tile][block];

  void read(const Offdiag& call, bool real_w, int64_t first_column, int64_t first_row, int64_t rows) {
    const int parts = call.parts();
    const int64_t ncouls = call.ncouls(), whole = rows / lanes * lanes;
    for (int c = 0; c < tile; ++c) {
      const auto at = first_column + c;
      if (at >= std::ssize(call.owned)) {
        for (double* to : {w_re[c], w_im[c], i_re[c], i_im[c], wi_re[c], wi_im[c]}) std::fill_n(to, block, 0.0);
        continue;
      }
      const auto [igp, v] = std::pair{call.owned[at].igp, call.owned[at].v};
      const double* const w = poles_of(call).w + 2 * (igp * ncouls + first_row);
      const double* const i = poles_of(call).I + parts * (igp * ncouls + first_row);
      for (int64_t g = 0; g < whole; g += lanes) take(c, g, w + 2 * g, i + parts * g, parts, v, real_w);
      if (whole == rows) continue;
      double last_w[2 * lanes] = {}, last_i[2 * lanes] = {};
      std::copy(w + 2 * whole, w + 2 * rows, last_w);
      std::copy(i + parts * whole, i + parts * rows, last_i);
      take(c, whole, last_w, last_i, parts, v, real_w);
    }
  }

private:
  void take(int c, int64_t g, const double* w, const double* i, int parts, double v, bool real_w) {
    Vector re, im, I_re, I_im{};
    split(w, re, im);
    if (parts == 1) I_re = load(i);
    else split(i, I_re, I_im);
    I_re *= v;
    I_im *= v;
    store(w_re[c] + g, re);
    store(i_re[c] + g, I_re);
    store(i_im[c] + g, I_im);
    if (real_w) {
      store(wi_re[c] + g, re * I_re);
      store(wi_im[c] + g, re * I_im);
    } else {
      store(w_im[c] + g, im);
    }
  }
};

// v I times the factor of CH at two energies below all poles by more than gamma, where every pair is in branch A: w v I/(x - w), from one
// reciprocal for both.
template <int Parts> void make_far(const Pairs& pairs, int64_t rows, const double* x, double* b0, double* b1) {
  for (int c = 0; c < tile; ++c)
    for (int64_t g = 0; g < rows; g += lanes) {
      const Vector w = load(pairs.w_re[c] + g), D0 = x[0] - w, D1 = x[1] - w, q = reciprocal(D0 * D1), r0 = q * D1, r1 = q * D0;
#pragma GCC unroll 2
      for (int part = 0; part < Parts; ++part) {
        const Vector wi = load((part == 0 ? pairs.wi_re : pairs.wi_im)[c] + g);
        store(b0 + (c * Parts + part) * block + g, r0 * wi);
        store(b1 + (c * Parts + part) * block + g, r1 * wi);
      }
    }
}

// v I times the factor of CH, or occupation times that of SX, for real w >= 0: branches (A), (B), (C) of
// gpp.hpp as masks.
template <int Parts, bool Exchange>
void make_real(const Offdiag& call, const Pairs& pairs, int64_t rows, double x, double occupation, double* b) {
  const Vector zero{}, one = fill(1.0);
  const double gamma2 = call.gamma * call.gamma, sexcut2 = call.sexcut * call.sexcut;
  for (int c = 0; c < tile; ++c)
    for (int64_t g = 0; g < rows; g += lanes) {
      const Vector w = load(pairs.w_re[c] + g), D = x - w, D2 = D * D, w2 = w * w;
      const Mask A = (D2 > gamma2) & (w2 < 2.5e5 * D2);
      Vector factor;
      if constexpr (Exchange) {
        const Vector q = reciprocal((A ? D : one) * (x + w));
        const Vector either = (A ? w : fill(-0.5)) * q * w;
        factor = A ? either : w2 > 1e-12 * D2 ? either : zero;
        if (x < 0) factor = factor * factor <= sexcut2 ? factor : zero;
        factor *= occupation;
      } else {
        factor = A ? w * reciprocal(A ? D : one) : zero;
      }
      store(b + c * Parts * block + g, factor * load(pairs.i_re[c] + g));
      if constexpr (Parts == 2) store(b + (c * Parts + 1) * block + g, factor * load(pairs.i_im[c] + g));
    }
}

// The same for any complex w: |w|^2 and |D|^2 stand for |w/D|^2, real reciprocals for complex divisions.
template <bool Exchange> void make_complex(const Offdiag& call, const Pairs& pairs, int64_t rows, double x, double occupation, double* b) {
  const Vector zero{}, one = fill(1.0), tiny = fill(1e-200);
  const double gamma2 = call.gamma * call.gamma, sexcut2 = call.sexcut * call.sexcut;
  for (int c = 0; c < tile; ++c)
    for (int64_t g = 0; g < rows; g += lanes) {
      const Vector w_re = load(pairs.w_re[c] + g), w_im = load(pairs.w_im[c] + g), d_re = x - w_re;
      const Vector d2 = d_re * d_re + w_im * w_im, w2 = w_re * w_re + w_im * w_im;
      const Mask A = (d2 > gamma2) & (w2 < 2.5e5 * d2);
      // w conj(D)/|D|^2 with D = (d_re, -w_im)
      const Vector r = reciprocal(A ? d2 : one);
      Vector f_re = A ? (w_re * d_re - w_im * w_im) * r : zero;
      Vector f_im = A ? (w_im * d_re + w_re * w_im) * r : zero;
      if constexpr (Exchange) {
        const Vector s_re = x + w_re, s2 = s_re * s_re + w_im * w_im;
        const Vector u = reciprocal(s2 > tiny ? s2 : tiny);
        const Vector h_re = (w_re * s_re + w_im * w_im) * u, h_im = (w_im * s_re - w_re * w_im) * u;
        const Mask B = w2 > 1e-12 * d2;
        const Vector b_re = B ? -0.5 * h_re : zero, b_im = B ? -0.5 * h_im : zero;
        const Vector t_re = A ? f_re * h_re - f_im * h_im : b_re, t_im = A ? f_re * h_im + f_im * h_re : b_im;
        f_re = occupation * t_re;
        f_im = occupation * t_im;
        if (x < 0) {
          const Mask kept = t_re * t_re + t_im * t_im <= sexcut2;
          f_re = kept ? f_re : zero;
          f_im = kept ? f_im : zero;
        }
      }
      const Vector i_re = load(pairs.i_re[c] + g), i_im = load(pairs.i_im[c] + g);
      store(b + c * 2 * block + g, f_re * i_re - f_im * i_im);
      store(b + (c * 2 + 1) * block + g, f_re * i_im + f_im * i_re);
    }
}

// Where the pieces of the packed arrays lie, in doubles.
template <int Parts, int V> struct Plan {
  static constexpr int64_t width = V * lanes;
  explicit Plan(const Offdiag& call)
      : panels((call.nex() + width - 1) / width),
        columns(rounded(std::ssize(call.owned), tile)),
        external(rounded(call.nex(), tile)),
        rows(Parts * width * call.ncouls() * panels),
        products(Parts * width * columns * panels),
        conjugates(Parts * columns * external),
        results(Parts * width * external * panels),
        batch(std::clamp<int64_t>(room / (rows + conjugates + 2 * call.nw() * products), 1, std::min<int64_t>(call.ntband(), 16))) {}
  int64_t panels, columns, external;
  int64_t rows;        // of one n': M_n(G) as [panel][G][part][width]
  int64_t products;    // of one n', E and CH or SX: T as [panel][G'][part][width]
  int64_t conjugates;  // of one n': conj(M_m(G')) as [m][part][G']
  int64_t results;     // of one E and CH or SX: [panel][m][part][width]
  int64_t batch;       // n' between two barriers
};

}  // namespace

class OffdiagSums {
public:
  static constexpr suite_parameter parameters[] = {
      cpu::threads_parameter,
  };
  OffdiagSums(const suite_backend*, suite_queue*, const int64_t* parameters) : threads_(static_cast<int>(parameters[0])) {}

  void prepare(const suite_array* arguments) {
    const SigmaOffdiag call(arguments);
    const double* const w = poles_of(call).w;
    const int64_t n = call.ncouls() * call.ngpown();
    bool real = true;
#pragma omp parallel for schedule(static) reduction(&& : real) if (n > 65536)
    for (int64_t i = 0; i < n; ++i) real = real && w[2 * i + 1] == 0 && w[2 * i] >= 0 && w[2 * i] <= largest_w;
    real_w_ = real;
  }

  void execute(const suite_array* arguments) {
    const Offdiag call(arguments);
    // A narrow panel wastes less where it is not filled. Without AVX-512 there are 16 registers, which the sums of a wide one of
    // complex numbers would fill.
    constexpr int most = lanes == 8 ? 2 : 1;
    if (call.is_real() && real_w_) call.nex() > lanes ? run<1, 2>(call) : run<1, 1>(call);
    else call.nex() > lanes ? run<2, most>(call) : run<2, 1>(call);
  }

private:
  template <int Parts, int V> void run(const Offdiag& call) {
    const Plan<Parts, V> plan(call);
    double* const rows = rows_.at_least(plan.batch * plan.rows);
    double* const conjugates = conjugates_.at_least(plan.batch * plan.conjugates);
    double* const products = products_.at_least(plan.batch * 2 * call.nw() * plan.products);
    double* const results = results_.at_least(2 * call.nw() * plan.results);
    const double terms =
        static_cast<double>(call.ncouls() * std::ssize(call.owned)) * static_cast<double>(call.ntband() * call.nw() * call.nex());
    // Below some 20 us of work a second thread costs more than it brings.
    const int threads = terms < 1e5 ? 1 : cpu::team_size(threads_);
#pragma omp parallel num_threads(threads)
    {
      // Every number is summed by one thread in one order, however many threads there are.
      alignas(64) double a[2 * tile * Parts * block];
      Pairs pairs;
#pragma omp for schedule(static)
      for (int64_t i = 0; i < 2 * call.nw() * plan.results; ++i) results[i] = 0;
      for (int64_t first = 0; first < call.ntband(); first += plan.batch) {
        const int64_t bands = std::min(plan.batch, call.ntband() - first);
        pack(call, plan, first, bands, rows, conjugates);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < bands * 2 * call.nw() * plan.products; ++i) products[i] = 0;
        const int64_t tiles = plan.columns / tile;
        const int64_t begin = tiles * omp_get_thread_num() / omp_get_num_threads(),
                      end = tiles * (omp_get_thread_num() + 1) / omp_get_num_threads();
        for (int64_t row = 0; row < call.ncouls(); row += block)
          for (int64_t t = begin; t < end; ++t) multiply_rows(call, plan, {first, bands, row, t}, rows, pairs, a, products);
#pragma omp barrier
        multiply_columns(call, plan, first, bands, products, conjugates, results);
      }
      unpack(call, plan, results);
    }
  }

  // Zeros where the panel is wider than there are bands, and columns more than are owned.
  template <int Parts, int V>
  static void pack(const Offdiag& call, const Plan<Parts, V>& plan, int64_t first, int64_t bands, double* rows, double* conjugates) {
    constexpr int64_t width = Plan<Parts, V>::width;
    const double* const M = numbers_of(call.aqs);
    const int64_t ncouls = call.ncouls(), ntband = call.ntband(), nex = call.nex();
    const int stored = call.parts();
    const auto element = [&](int64_t g, int64_t n1, int64_t n, int part) {
      return part < stored ? M[((n * ntband + n1) * ncouls + g) * stored + part] : 0.0;
    };
#pragma omp for collapse(2) schedule(static) nowait
    for (int64_t b = 0; b < bands; ++b)
      for (int64_t n = 0; n < plan.panels * width; ++n) {
        double* const to = rows + b * plan.rows + n / width * Parts * width * ncouls + n % width;
        for (int64_t g = 0; g < ncouls; ++g)
          for (int part = 0; part < Parts; ++part) to[(g * Parts + part) * width] = n < nex ? element(g, first + b, n, part) : 0;
      }
#pragma omp for collapse(2) schedule(static)
    for (int64_t b = 0; b < bands; ++b)
      for (int64_t m = 0; m < plan.external; ++m) {
        double* const to = conjugates + b * plan.conjugates + m * Parts * plan.columns;
        for (int64_t c = 0; c < plan.columns; ++c) {
          const bool there = m < nex && c < std::ssize(call.owned);
          for (int part = 0; part < Parts; ++part)
            to[part * plan.columns + c] = there ? (part ? -1 : 1) * element(call.owned[c].g, first + b, m, part) : 0;
        }
      }
  }

  struct Where {
    int64_t first, bands, row, tile_index;
  };

  // T(n,G') += sum over the rows of one block, for `tile` columns G'.
  template <int Parts, int V>
  void multiply_rows(const Offdiag& call, const Plan<Parts, V>& plan, const Where& at, const double* rows, Pairs& pairs, double* a,
                     double* products) const {
    constexpr int64_t width = Plan<Parts, V>::width;
    const int64_t count = std::min(block, call.ncouls() - at.row);
    pairs.read(call, real_w_, at.tile_index * tile, at.row, count);
    const auto add = [&](int64_t band, int64_t iw, int exchange, const double* from) {
      double* const to = products + ((band * call.nw() + iw) * 2 + exchange) * plan.products;
      for (int64_t p = 0; p < plan.panels; ++p)
        multiply<Parts, V>(rows + band * plan.rows + (p * call.ncouls() + at.row) * Parts * width, from, block, count,
                           to + (p * plan.columns + at.tile_index * tile) * Parts * width);
    };
    for (int64_t b = 0; b < at.bands; ++b) {
      const int64_t n1 = at.first + b;
      int64_t iw = 0;
      for (; real_w_ && iw + 1 < call.nw(); iw += 2) {
        const double x[2] = {call.x(iw, n1), call.x(iw + 1, n1)};
        if (std::max(x[0], x[1]) >= -call.gamma) break;
        make_far<Parts>(pairs, count, x, a, a + tile * Parts * block);
        add(b, iw, 0, a);
        add(b, iw + 1, 0, a + tile * Parts * block);
      }
      for (; iw < call.nw(); ++iw) {
        make<Parts, false>(call, pairs, count, call.x(iw, n1), 1, a);
        add(b, iw, 0, a);
      }
      for (iw = 0; iw < call.nw() && call.occupied(n1); ++iw) {
        make<Parts, true>(call, pairs, count, call.x(iw, n1), call.occ_array(n1), a);
        add(b, iw, 1, a);
      }
    }
  }

  template <int Parts, bool Exchange>
  void make(const Offdiag& call, const Pairs& pairs, int64_t rows, double x, double occupation, double* a) const {
    if constexpr (Parts == 2)
      if (!real_w_) return make_complex<Exchange>(call, pairs, rows, x, occupation, a);
    make_real<Parts, Exchange>(call, pairs, rows, x, occupation, a);
  }

  // Sigma(n,m) += sum over G' of T(n,G') conj(M_m(G')).
  template <int Parts, int V>
  static void multiply_columns(const Offdiag& call, const Plan<Parts, V>& plan, int64_t first, int64_t bands, const double* products,
                               const double* conjugates, double* results) {
    constexpr int64_t width = Plan<Parts, V>::width;
#pragma omp for collapse(3) schedule(static)
    for (int64_t which = 0; which < 2 * call.nw(); ++which)
      for (int64_t p = 0; p < plan.panels; ++p)
        for (int64_t m = 0; m < plan.external; m += tile)
          for (int64_t b = 0; b < bands; ++b) {
            if (which % 2 == 1 && !call.occupied(first + b)) continue;
            multiply<Parts, V>(products + (b * 2 * call.nw() + which) * plan.products + p * plan.columns * Parts * width,
                               conjugates + b * plan.conjugates + m * Parts * plan.columns, plan.columns, plan.columns,
                               results + which * plan.results + (p * plan.external + m) * Parts * width);
          }
  }

  template <int Parts, int V> static void unpack(const Offdiag& call, const Plan<Parts, V>& plan, const double* results) {
    constexpr int64_t width = Plan<Parts, V>::width;
#pragma omp for collapse(2) schedule(static)
    for (int64_t iw = 0; iw < call.nw(); ++iw)
      for (int64_t m = 0; m < call.nex(); ++m)
        for (int64_t n = 0; n < call.nex(); ++n) {
          const auto value = [&](int64_t exchange, double factor) {
            const double* const from =
                results + (2 * iw + exchange) * plan.results + ((n / width * plan.external + m) * Parts) * width + n % width;
            return std::complex<double>(factor * from[0], Parts == 2 ? factor * from[width] : 0);
          };
          call.ach(n, m, iw) = value(0, 0.5);
          call.asx(n, m, iw) = value(1, -1);
        }
  }

  int threads_;
  bool real_w_ = false;
  Buffer rows_, conjugates_, products_, results_;
};

extern const suite_kernel_table offdiag_table;
constinit const suite_kernel_table offdiag_table = kernel_table<SigmaOffdiag, OffdiagSums>("cpu", "cpu");

}  // namespace suite::gpp
