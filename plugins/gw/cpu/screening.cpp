// SPDX-License-Identifier: BSD-3-Clause
// gw.screening on the CPU: a column G' at a time, Omega^2 of its rows first, then their poles in
// vectors.
#include <suite/cpu/buffer.hpp>
#include <suite/cpu/doubles.hpp>
#include <suite/cpu/threads.hpp>

#include "../crystal.hpp"
#include "../pole.hpp"

namespace suite::gw {
namespace {

constexpr double nanoseconds_per_pair = 4;
using cpu::Doubles;

// Rows at a time, whose Omega^2 stay in the nearest cache; a multiple of any vector.
constexpr int64_t block = 256;

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {model_parameter, cpu::threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : model_(static_cast<Model>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* arguments) { density_ = make_density_box(PolesOfScreening(arguments)); }

  void execute(const suite_array* arguments) {
    const PolesOfScreening c(arguments);
    const Scalars s = scalars_of(c, model_, density_.electrons);
    set_rows(c, s);
    const int64_t ngpown = c.ngpown();
    const int team = cpu::useful_threads(threads_, ngpown, nanoseconds_per_pair * static_cast<double>(c.ncouls()));
    cpu::share(team, ngpown, [&](int64_t begin, int64_t end, int) {
      for (int64_t igp = begin; igp < end; ++igp)
        if (c.is_real()) column<1>(c, s, igp);
        else column<2>(c, s, igp);
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
        row[i * n + ig] = s.factor * c.vcoul(ig) * (s.bdot[i] * x[0] + s.bdot[i + 3] * x[1] + s.bdot[i + 6] * x[2]);
      if (x[0] == 0 && x[1] == 0 && x[2] == 0) zero_ = ig;
    }
  }

  // A block of rows of one column, real and imaginary parts apart.
  struct Rows {
    double I[2][block], other[2][block], w[2][block];  // other: Omega^2, or I at the imaginary frequency
  };
  struct VectorMath {
    static Doubles root(Doubles x) { return cpu::root(x); }
  };

  template <int parts> void column(const PolesOfScreening& c, const Scalars& s, int64_t igp) const {
    const int64_t n = c.ncouls(), column = (c.indigp ? c.indigp(igp) : igp + 1) - 1;
    auto* const I = static_cast<double*>(c.I_eps_array.array().data) + igp * n * parts;
    auto* const w = reinterpret_cast<double*>(c.wtilde_array.data() + igp * n);
    if (column < 0) {
      std::fill_n(I, n * parts, 0.0);
      std::fill_n(w, 2 * n, 0.0);
      return;
    }
    for (int64_t first = 0; first < n; first += block) {
      const int64_t some = std::min(block, n - first);
      Rows rows = {};
      delta_less<parts>(c.epsinv, igp, column, first, some, rows.I);
      if (s.model == Model::hybertsen_louie) {
        omega_of<parts>(c, column, first, some, rows.other);
        if (zero_ >= first && zero_ < first + some) {
          rows.other[0][zero_ - first] = zero_ == column ? s.plasma2 : 0;
          rows.other[1][zero_ - first] = 0;
        }
        poles(rows, some,
              [&](Complexes<Doubles> here, Complexes<Doubles> omega) { return hybertsen_louie<Doubles, VectorMath>(omega, here, s.mode); });
      } else if (s.model == Model::godby_needs) {
        delta_less<parts>(c.epsinv_imaginary, igp, column, first, some, rows.other);
        poles(rows, some, [&](Complexes<Doubles> here, Complexes<Doubles> second) {
          return godby_needs<Doubles, VectorMath>(here, second, s.w_imaginary2, s.mode);
        });
      } else {
        std::fill_n(rows.w[0], some, largest_w);
      }
      for (int64_t i = 0; i < some; ++i) {
        for (int p = 0; p < parts; ++p) I[(first + i) * parts + p] = rows.I[p][i];
        for (int p = 0; p < 2; ++p) w[2 * (first + i) + p] = rows.w[p][i];
      }
    }
  }

  // delta - eps^-1
  template <int parts>
  static void delta_less(const suite_array& epsinv, int64_t igp, int64_t column, int64_t first, int64_t some, double (&I)[2][block]) {
    const double* const from = static_cast<const double*>(epsinv.data) + (igp * epsinv.extent[0] + first) * parts;
    for (int64_t i = 0; i < some; ++i)
      for (int p = 0; p < parts; ++p) I[p][i] = -from[i * parts + p];
    if (column >= first && column < first + some) I[0][column - first] += 1;
  }

  // Whole vectors: a block has room for the last one.
  template <class F> static void poles(Rows& rows, int64_t some, F&& f) {
    for (int64_t i = 0; i < some; i += cpu::doubles) {
      const PoleOf<Doubles> pole =
          f({cpu::load(rows.I[0] + i), cpu::load(rows.I[1] + i)}, {cpu::load(rows.other[0] + i), cpu::load(rows.other[1] + i)});
      cpu::store(rows.I[0] + i, pole.I.re);
      cpu::store(rows.I[1] + i, pole.I.im);
      cpu::store(rows.w[0] + i, pole.w.re);
      cpu::store(rows.w[1] + i, pole.w.im);
    }
  }

  template <int parts>
  void omega_of(const PolesOfScreening& c, int64_t column, int64_t first, int64_t some, double (&omega)[2][block]) const {
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
