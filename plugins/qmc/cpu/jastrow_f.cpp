// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_f: electron after electron, the others in the lanes. Of an ion within reach gamma and
// the powers of r_i make, once for all others,
//   H_mn = sum_l gamma_lmn A_l(r_i),  A_l(r) = (r - L)^C r^l,
// and the same with A_l'/r and A_l''; what is left of a pair are polynomials in r_j and r_ij. (Sums over the others of all powers as
// products of matrices, gamma last, took 1.3 times as long for 66 electrons and three times for 10: every sum ends with one over the
// lanes.)
#include "../f_term.hpp"
#include "frame.hpp"

namespace suite::qmc {
namespace {

struct OpenSpace {
  Three operator()(Three v) const { return v; }
};

// Value, gradient in the frame and Laplacian in each lane.
struct Sums {
  Vector value{}, x{}, y{}, z{}, laplacian{};
};
struct Derivatives {
  double *value, *gradient, *laplacian;
};

// (r - L)^C r^l at an ion, with derivatives, and A'/r, which at r = 0 is A''.
struct AtIon {
  double value, slope, second;
};

// The numbers of one thread.
struct Workspace {
  double* cloud;  // the electrons of the walker
  double* at_ions;  // their distances to each ion
  double* pairs;  // of one electron to the others: x, y, z in the frame and the length
  double* tables;  // H with A, with A'/r and with A'': (nen padded, nee) each
  double* sums;  // for derivatives by gamma: five for each m and n, in lanes
};

// One electron at an ion with the others from place `begin` to `end`, all of one spin.
struct Row {
  const double *pairs, *at_ion, *tables;
  int64_t size, stride, nen, nee, begin, end, without;
  double v[3];  // from the ion in the frame
  double unit, L;
  int C;
};

inline Vector cut_off(Vector r, double L, int C) {
  const Vector x = r - L;
  return C == 3 ? x * x * x : x * x;
}

// Powers: of r_j, 0 if only the row knows.
template <bool slopes, int Powers> void add_pairs(const Row& row, Sums& total) {
  const int64_t nen = Powers ? Powers : row.nen, table = row.stride * row.nee;
  for (int64_t j = row.begin; j < row.end; j += lanes) {
    const Vector b = load(row.at_ion + j);
    const Mask inside = valid_lanes(j, row.end, row.without) & (b < row.L);
    if (!any(inside)) continue;
    const Vector c = load(row.pairs + 3 * row.size + j);
    // By Horner's rule in r_ij: with A twice differentiated (q2 is half of it), with A'/r once, with A''.
    Vector q{}, q1{}, q2{}, s{}, s1{}, t{};
    for (int64_t n = row.nee; n-- > 0;) {
      const double* const h = row.tables + row.stride * n;
      Vector of_h{}, of_slope{}, of_second{};
      for (int64_t m = nen; m-- > 0;) {
        of_h = of_h * b + h[m];
        if constexpr (slopes) {
          of_slope = of_slope * b + h[m + table];
          of_second = of_second * b + h[m + 2 * table];
        }
      }
      if constexpr (slopes) {
        q2 = q2 * c + q1;
        q1 = q1 * c + q;
        s1 = s1 * c + s;
        s = s * c + of_slope;
        t = t * c + of_second;
      }
      q = q * c + of_h;
    }
    const Vector cut = inside ? cut_off(b, row.L, row.C) : Vector{};
    total.value += cut * q;
    if constexpr (slopes) {
      const Vector x = load(row.pairs + j), y = load(row.pairs + row.size + j), z = load(row.pairs + 2 * row.size + j);
      const Mask apart = c > 0.0;
      const Vector inverse = apart ? fill(1.0) / (apart ? c : fill(1.0)) : Vector{}, slope = cut * (apart ? q1 * inverse : 2.0 * q2);
      const Vector across = (row.v[0] * x + row.v[1] * y + row.v[2] * z) * (row.unit * row.unit) * inverse, along = cut * s;
      total.x += along * row.v[0] + slope * x;
      total.y += along * row.v[1] + slope * y;
      total.z += along * row.v[2] + slope * z;
      total.laplacian += cut * (t + 2.0 * (q2 + s + s1 * across)) + 2.0 * slope;
    }
  }
}

// Sums over the others of A_m(r_j) with r_ij^n, with w = n r_ij^(n-2), which at r_ij = 0 is 0 for n = 1, and with w times the vector.
void add_powers(const Row& row, double* sums) {
  for (int64_t j = row.begin; j < row.end; j += lanes) {
    const Vector b = load(row.at_ion + j), c = load(row.pairs + 3 * row.size + j);
    const Mask inside = valid_lanes(j, row.end, row.without) & (b < row.L), apart = c > 0.0;
    if (!any(inside)) continue;
    Vector of_m = inside ? cut_off(b, row.L, row.C) : Vector{};
    for (int64_t m = 0; m < row.nen; ++m, of_m *= b) {
      Vector power = of_m, w = apart ? of_m / (apart ? c : fill(1.0)) : Vector{};
      for (int64_t n = 0; n < row.nee; ++n) {
        double* const to = sums + 5 * lanes * (m + row.nen * n);
        const auto add = [&](int64_t k, Vector x) { store(to + k * lanes, load(to + k * lanes) + x); };
        add(0, power);
        power *= c;
        if (n == 0) continue;
        const Vector v = real(n) * w;
        for (int64_t d = 0; d < 3; ++d) add(1 + d, v * load(row.pairs + d * row.size + j));
        add(4, v);
        w = n == 1 ? of_m : w * c;
      }
    }
  }
}

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const JastrowF c(arguments);
    if (c.cell) lattice_ = lattice_of(c.cell.data());
    rule_ = c.cell ? lattice_.images : ImageRule{};
    f_ = f_term(c, c.cell ? &lattice_ : nullptr, [](const auto& from, const char*, auto& to) { to = copy_of(from); });
    const Frame frame(rule_);
    ions_.clear();
    for (int64_t ion = 0; ion < c.nion(); ++ion) {
      const int set = f_.set_of_ion[static_cast<size_t>(ion)];
      if (set < 0) continue;
      Ion& mine = ions_.emplace_back();
      mine.set = set;
      mine.L = f_.L[static_cast<size_t>(set)];
      frame.into(&c.rion(0, ion), mine.r);
    }
    // Rows of gamma in whole vectors.
    stride_ = padded(f_.nen);
    gamma_.assign(static_cast<size_t>(std::ssize(f_.gamma) / f_.nen * stride_), 0.0);
    for (size_t i = 0; i < f_.gamma.size(); ++i) {
      const auto l = static_cast<size_t>(f_.nen);
      gamma_[i / l * static_cast<size_t>(stride_) + i % l] = f_.gamma[i];
    }
  }

  void execute(const suite_array* arguments) {
    const JastrowF c(arguments);
    electrons_ = electrons_of(c.rele, c.nele.data());
    moved_ = moved_of(c, c.npos());
    const bool by_gamma = c.dvalue || c.dgradient || c.dlaplacian;
    add_ = choose(c.gradient || c.laplacian);
    const int64_t cloud = Cloud::size(electrons_), at_ions = size() * std::ssize(ions_), pairs = 4 * size(), tables = 3 * stride_ * f_.nee,
                  sums = by_gamma ? 5 * lanes * f_.nen * f_.nee : 0, items = moved_.npos * electrons_.nwalker;
    const int team = useful_threads(threads_, items, real(size() * (2 + std::ssize(ions_) * (by_gamma ? 20 : 6))));
    scratch_.reserve(team, cloud + at_ions + pairs + tables + sums);
    const auto run = [&](const auto& closest) {
      share(team, items, [&](int64_t begin, int64_t end, int thread) {
        Workspace my{};
        my.cloud = scratch_.of(thread);
        my.at_ions = my.cloud + cloud;
        my.pairs = my.at_ions + at_ions;
        my.tables = my.pairs + pairs;
        my.sums = by_gamma ? my.tables + tables : nullptr;
        const Frame frame(rule_);
        for (int64_t item = begin; item < end; ++item) {
          if (item == begin || item % moved_.npos == 0) enter(c, item / moved_.npos, frame, closest, my);
          sum(c, item, frame, closest, my);
        }
      });
    };
    if (!c.cell) return run(OpenSpace{});
    by_kind(rule_.kind, [&](auto kind) { run(Closest<kind()>(rule_)); });
  }

private:
  struct Ion {
    double r[3], L;
    int set;
  };
  using AddPairs = void (*)(const Row&, Sums&);

  AddPairs choose(bool slopes) const {
    const auto of = [&](auto powers) { return slopes ? add_pairs<true, powers()> : add_pairs<false, powers()>; };
    switch (f_.nen) {
      case 3: return of(std::integral_constant<int, 3>());
      case 4: return of(std::integral_constant<int, 4>());
      case 5: return of(std::integral_constant<int, 5>());
      default: return of(std::integral_constant<int, 0>());
    }
  }

  int64_t size() const { return Cloud::padded_count(electrons_); }

  // The walker's electrons and their distances to the ions.
  template <class Closest> void enter(const JastrowF& c, int64_t w, const Frame& frame, const Closest& closest, const Workspace& my) const {
    const Cloud cloud = Cloud::in(my.cloud, electrons_);
    cloud.fill_from(frame, c.rele.data() + 3 * electrons_.netot * w);
    double* to = my.at_ions;
    for (const Ion& ion : ions_) {
      for_each_vector(cloud, [&](int64_t j) {
        store(to + j, root(square_of(closest({load(cloud.x + j) - ion.r[0], load(cloud.y + j) - ion.r[1], load(cloud.z + j) - ion.r[2]}))) *
                          frame.unit);
      });
      to += size();
    }
  }
  template <class F> static void for_each_vector(const Cloud& cloud, const F& f) {
    for (int spin = 0; spin < 2; ++spin)
      for (int64_t j = 0; j < cloud.count[spin]; j += lanes) f(cloud.start[spin] + j);
  }

  template <class Closest>
  void sum(const JastrowF& c, int64_t item, const Frame& frame, const Closest& closest, const Workspace& my) const {
    const int64_t electron = moved_.electron(item % moved_.npos), numbers = std::ssize(f_.gamma), n = size();
    const Cloud cloud = Cloud::in(my.cloud, electrons_);
    const int spin = electrons_.spin(electron);
    double at[3];
    if (moved_.one) frame.into(c.rnew.data() + 3 * item, at);
    else cloud.get(electron, at);
    for_each_vector(cloud, [&](int64_t j) {
      const Three d = closest({at[0] - load(cloud.x + j), at[1] - load(cloud.y + j), at[2] - load(cloud.z + j)});
      store(my.pairs + j, d.x);
      store(my.pairs + n + j, d.y);
      store(my.pairs + 2 * n + j, d.z);
      store(my.pairs + 3 * n + j, root(square_of(d)) * frame.unit);
    });
    const Derivatives by{c.dvalue ? c.dvalue.data() + numbers * item : nullptr,
                         c.dgradient ? c.dgradient.data() + 3 * numbers * item : nullptr,
                         c.dlaplacian ? c.dlaplacian.data() + numbers * item : nullptr};
    if (by.value) std::fill_n(by.value, numbers, 0.0);
    if (by.gradient) std::fill_n(by.gradient, 3 * numbers, 0.0);
    if (by.laplacian) std::fill_n(by.laplacian, numbers, 0.0);
    Row row{my.pairs, my.at_ions, my.tables, n, stride_, f_.nen, f_.nee, 0, 0, cloud.place(electron), {}, frame.unit, 0, f_.C};
    Sums total;
    for (const Ion& ion : ions_) {
      const Three d = closest({fill(at[0] - ion.r[0]), fill(at[1] - ion.r[1]), fill(at[2] - ion.r[2])});
      const double v[3] = {d.x[0], d.y[0], d.z[0]}, a = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * frame.unit;
      if (a < ion.L) {
        std::copy_n(v, 3, row.v);
        row.L = ion.L;
        AtIon A[most_powers];
        for (int64_t l = 0; l < f_.nen; ++l) A[l] = at_ion(ion, l, a);
        for (int other = 0; other < 2; ++other) {
          row.begin = cloud.start[other];
          row.end = row.begin + cloud.count[other];
          if (row.begin == row.end) continue;
          const int64_t gamma = f_.at(set_of_pair(f_.nset_pair, spin, other), ion.set);
          make_tables(gamma, A, my.tables);
          add_(row, total);
          if (my.sums) add_derivatives(row, gamma, A, my.sums, by);
        }
      }
      row.at_ion += n;
    }
    c.value.data()[item] = cpu::sum(total.value);
    const double g[3] = {cpu::sum(total.x), cpu::sum(total.y), cpu::sum(total.z)};
    if (c.gradient) frame.out_of(g, c.gradient.data() + 3 * item);
    if (c.laplacian) c.laplacian.data()[item] = cpu::sum(total.laplacian);
    for (int64_t k = 0; k < numbers && by.gradient; ++k) {
      double* const to = by.gradient + 3 * k;
      const double scaled[3] = {to[0], to[1], to[2]};
      frame.out_of(scaled, to);
    }
  }

  AtIon at_ion(const Ion& ion, int64_t l, double a) const {
    const Radial f = polynomial_basis(l, ion.L, f_.C, a);
    return {f.value, a > 0 ? f.first / a : f.second, f.second};
  }

  void make_tables(int64_t gamma, const AtIon* A, double* tables) const {
    const double* const of_pair = gamma_.data() + gamma / f_.nen * stride_;
    const int64_t table = stride_ * f_.nee;
    for (int64_t n = 0; n < f_.nee; ++n)
      for (int64_t m = 0; m < stride_; m += lanes) {
        Vector h{}, slope{}, second{};
        for (int64_t l = 0; l < f_.nen; ++l) {
          const Vector g = load(of_pair + m + stride_ * (l + f_.nen * n));
          h += g * A[l].value;
          slope += g * A[l].slope;
          second += g * A[l].second;
        }
        double* const to = tables + m + stride_ * n;
        store(to, h);
        store(to + table, slope);
        store(to + 2 * table, second);
      }
  }

  // The gradients stay in the frame.
  void add_derivatives(const Row& row, int64_t gamma, const AtIon* A, double* sums, const Derivatives& by) const {
    std::fill_n(sums, 5 * lanes * f_.nen * f_.nee, 0.0);
    add_powers(row, sums);
    for (int64_t n = 0; n < f_.nee; ++n)
      for (int64_t m = 0; m < f_.nen; ++m) {
        double t[5];
        for (int64_t k = 0; k < 5; ++k) t[k] = cpu::sum(load(sums + lanes * (k + 5 * (m + f_.nen * n))));
        const double across = (row.v[0] * t[1] + row.v[1] * t[2] + row.v[2] * t[3]) * (row.unit * row.unit);
        for (int64_t l = 0; l < f_.nen; ++l) {
          const int64_t to = gamma + l + f_.nen * (m + f_.nen * n);
          if (by.value) by.value[to] += A[l].value * t[0];
          for (int64_t d = 0; d < 3 && by.gradient; ++d) by.gradient[3 * to + d] += A[l].slope * row.v[d] * t[0] + A[l].value * t[1 + d];
          if (by.laplacian)
            by.laplacian[to] += (A[l].second + 2 * A[l].slope) * t[0] + real(n + 1) * A[l].value * t[4] + 2 * A[l].slope * across;
        }
      }
  }

  int64_t threads_;
  Lattice lattice_;
  ImageRule rule_;
  FTerm f_;
  std::vector<Ion> ions_;
  std::vector<double> gamma_;
  int64_t stride_ = 0;  // of gamma and the tables
  AddPairs add_ = nullptr;
  Electrons electrons_;
  Moved moved_;
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table jastrow_f_table;
constexpr suite_kernel_table jastrow_f_table = kernel_table<JastrowF, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
