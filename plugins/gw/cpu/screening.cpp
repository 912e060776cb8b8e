// SPDX-License-Identifier: BSD-3-Clause
// gw.screening on the processor: a column G' at a time, Omega^2 of its rows first, then their poles in
// vectors.
#include <suite/cpu/buffer.hpp>
#include <suite/cpu/threads.hpp>

#include "../crystal.hpp"
#include "../pole.hpp"

namespace suite::gw {
namespace {

constexpr double nanoseconds_per_pair = 8;
// Rows at a time, whose Omega^2 stay in the nearest cache.
constexpr int64_t block = 256;

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {model_parameter, cpu::threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p)
      : model_(static_cast<Model>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* arguments) { density_ = make_density_box(PolesOfScreening(arguments)); }

  void execute(const suite_array* arguments) {
    const PolesOfScreening c(arguments);
    const Scalars s = scalars_of(c, model_, density_.electrons);
    set_rows(c, s);
    const int64_t ngpown = c.ngpown();
    const int team =
        cpu::useful_threads(threads_, ngpown, nanoseconds_per_pair * static_cast<double>(c.ncouls()));
    cpu::share(team, ngpown, [&](int64_t begin, int64_t end, int) {
      for (int64_t igp = begin; igp < end; ++igp)
        if (c.is_real())
          column<1>(c, s, igp);
        else
          column<2>(c, s, igp);
    });
  }

private:
  // factor v(q+G) bdot (q+G) of each row, and q+G.
  void set_rows(const PolesOfScreening& c, const Scalars& s) {
    const int64_t n = c.ncouls();
    double* const row = rows_.at_least(6 * n);
    zero_ = -1;
    for (int64_t ig = 0; ig < n; ++ig) {
      double x[3];
      for (int i = 0; i < 3; ++i) x[i] = row[(3 + i) * n + ig] = s.q[i] + c.g(i, ig);
      for (int i = 0; i < 3; ++i)
        row[i * n + ig] =
            s.factor * c.vcoul(ig) * (s.bdot[i] * x[0] + s.bdot[i + 3] * x[1] + s.bdot[i + 6] * x[2]);
      if (x[0] == 0 && x[1] == 0 && x[2] == 0) zero_ = ig;
    }
  }

  template <int parts>
  void column(const PolesOfScreening& c, const Scalars& s, int64_t igp) const {
    const int64_t n = c.ncouls(), column = (c.indigp ? c.indigp(igp) : igp + 1) - 1;
    auto* const I = static_cast<double*>(c.I_eps_array.array().data) + igp * n * parts;
    auto* const w = reinterpret_cast<double*>(c.wtilde_array.data() + igp * n);
    if (column < 0) {
      std::fill_n(I, n * parts, 0.0);
      std::fill_n(w, 2 * n, 0.0);
      return;
    }
    const auto* const eps = static_cast<const double*>(c.epsinv.array().data) + igp * n * parts;
    for (int64_t i = 0; i < n * parts; ++i) I[i] = -eps[i];
    I[column * parts] += 1;
    for (int64_t first = 0; first < n; first += block) {
      const int64_t some = std::min(block, n - first);
      double omega[2][block] = {};
      if (s.model == Model::hybertsen_louie) {
        omega_of<parts>(c, column, first, some, omega);
        if (zero_ >= first && zero_ < first + some) {
          omega[0][zero_ - first] = zero_ == column ? s.plasma2 : 0;
          omega[1][zero_ - first] = 0;
        }
        poles<parts>(some, I + first * parts, w + 2 * first, [&](Pole here, int64_t i) {
          return hybertsen_louie({omega[0][i], omega[1][i]}, here, s.mode);
        });
        for (int64_t i = first * parts; i < (first + some) * parts; i += parts)
          if (square<parts>(I + i) < smallest * smallest)
            for (int p = 0; p < parts; ++p) I[i + p] = 0;
      } else if (s.model == Model::godby_needs) {
        const auto* const second =
            static_cast<const double*>(c.epsinv_imaginary.array().data) + (igp * n + first) * parts;
        for (int64_t i = 0; i < some; ++i)
          for (int p = 0; p < parts; ++p)
            omega[p][i] = (p == 0 && first + i == column ? 1.0 : 0.0) - second[i * parts + p];
        poles<parts>(some, I + first * parts, w + 2 * first, [&](Pole here, int64_t i) {
          return godby_needs(here, {omega[0][i], omega[1][i]}, s.w_imaginary2, s.mode);
        });
        for (int64_t i = 0; i < some; ++i)
          if (square<parts>(I + (first + i) * parts) < smallest * smallest &&
              omega[0][i] * omega[0][i] + omega[1][i] * omega[1][i] < smallest * smallest)
            for (int p = 0; p < parts; ++p) I[(first + i) * parts + p] = 0;
      } else {
        poles<parts>(some, I + first * parts, w + 2 * first, [](Pole, int64_t) {
          return Pole{largest_w, 0.0};
        });
      }
    }
  }

  template <int parts>
  static double square(const double* z) {
    return parts == 1 ? z[0] * z[0] : z[0] * z[0] + z[1] * z[1];
  }
  template <int parts, class F>
  static void poles(int64_t some, const double* I, double* w, F&& f) {
    for (int64_t i = 0; i < some; ++i) {
      const Pole pole = f({I[parts * i], parts == 2 ? I[parts * i + 1] : 0.0}, i);
      w[2 * i] = pole.re;
      w[2 * i + 1] = pole.im;
    }
  }

  template <int parts>
  void omega_of(const PolesOfScreening& c, int64_t column, int64_t first, int64_t some,
                double (&omega)[2][block]) const {
    const int64_t n = c.ncouls();
    const double* const row = rows_.data();
    const double x = row[3 * n + column], y = row[4 * n + column], z = row[5 * n + column];
    const int32_t* const reach = density_.reach;
    const int32_t g[3] = {c.g(0, column), c.g(1, column), c.g(2, column)};
    for (int64_t i = 0; i < some; ++i) {
      const int64_t ig = first + i;
      const int32_t *const at = c.g.data() + 3 * ig, d[3] = {at[0] - g[0], at[1] - g[1], at[2] - g[2]};
      if (std::abs(d[0]) > reach[0] || std::abs(d[1]) > reach[1] || std::abs(d[2]) > reach[2]) continue;
      const double factor = row[ig] * x + row[n + ig] * y + row[2 * n + ig] * z;
      const double* const rho = density_.value.data() + parts * density_.at(d[0], d[1], d[2]);
      omega[0][i] = factor * rho[0];
      if (parts == 2) omega[1][i] = factor * rho[1];
    }
  }

  Model model_;
  int64_t threads_, zero_ = -1;
  DensityBox density_;
  cpu::Buffer<double> rows_{"gw.screening"};
};

}  // namespace

extern const suite_kernel_table screening_table;
constinit const suite_kernel_table screening_table = kernel_table<PolesOfScreening, Cpu>("cpu", "cpu");

}  // namespace suite::gw
