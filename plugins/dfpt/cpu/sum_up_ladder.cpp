// SPDX-License-Identifier: BSD-3-Clause
// The published steps of dfpt.sum_up, for CPUs. What a GPU's naive kernel has in global memory
// lies in arrays here, what it has in registers in local variables.
#include "sum_up.hpp"

namespace suite::dfpt {
namespace {

constexpr int64_t batch = 200;  // points of a batch, of which the arguments do not speak

struct Pair {
  double r = 0, e[3] = {0, 0, 0};
};
Pair pair_of(const double* point, const double* nucleus) {
  Pair pair;
  for (int d = 0; d < 3; ++d) pair.e[d] = point[d] - nucleus[d];
  pair.r = std::sqrt(pair.e[0] * pair.e[0] + pair.e[1] * pair.e[1] + pair.e[2] * pair.e[2]);
  for (int d = 0; d < 3 && pair.r > 0; ++d) pair.e[d] /= pair.r;
  return pair;
}

// Y_lm by their recursion with l_max of run time; constants are looked up.
class Harmonics {
public:
  explicit Harmonics(int l_max) : l_max_(l_max), a_(at(components(l_max))), b_(a_), N_(at(l_max + 1)) {
    for (int m = 0; m <= l_max; ++m) {
      N_[at(m)] = harmonics::N(m);
      for (int l = m + 1; l <= l_max; ++l) {
        a_[at(l * l + m)] = harmonics::a(l, m);
        b_[at(l * l + m)] = l > m + 1 ? harmonics::b(l, m) : 0;
      }
    }
  }
  void operator()(const double* e, double* Y) const {
    double c = 1, s = 0;
    for (int m = 0; m <= l_max_; ++m) {
      double below = 0, Q = N_[at(m)];
      for (int l = m; l <= l_max_; ++l) {
        if (l > m) {
          const double next = a_[at(l * l + m)] * e[2] * Q - b_[at(l * l + m)] * below;
          below = Q;
          Q = next;
        }
        Y[l * l + l + m] = Q * c;
        if (m > 0) Y[l * l + l - m] = Q * s;
      }
      const double next = c * e[0] - s * e[1];
      s = s * e[0] + c * e[1];
      c = next;
    }
  }

private:
  int l_max_;
  Numbers a_, b_, N_;
};

const double* table_of(const SumUpCall& call, const SumUp& arrays, int64_t atom, int32_t knot, int64_t d) {
  return arrays.potential_spl.data() + 4 * call.n_lm * (knot + call.n_knots * (arrays.atom_table(atom) - 1 + arrays.n_tables() * d));
}
const double* moments_of(const SumUpCall& call, const SumUp& arrays, int64_t atom, int64_t d) {
  return arrays.moments.data() + call.n_lm * (arrays.atom_table(atom) - 1 + arrays.n_tables() * d);
}

// naive: a thread for a batch; for each atom the points that are near one after the other, then those that
// are far, harmonics and radial parts of all points and components as two-dimensional temporaries.
class NaiveBatch {
public:
  NaiveBatch(const SumUpCall& call, const SumUp& arrays)
      : call_(call), arrays_(arrays), harmonics_(call.l_max), Y_(at(batch * call.n_lm)), radial_(Y_.size()), r_(at(batch)) {}

  void operator()(int64_t first, int64_t last) {
    const int64_t n = call_.n_lm;
    for (int64_t d = 0; d < call_.n_dir; ++d) std::fill_n(&arrays_.potential(first, d), last - first, 0.0);
    for (int64_t atom = 0; atom < call_.n_atoms; ++atom) {
      const RadialGrid& grid = call_.grids[at(arrays_.species(atom) - 1)];
      bool any_near = false;
      for (int64_t p = first; p < last; ++p) {
        const Pair pair = pair_of(arrays_.coords.data() + 3 * p, arrays_.atom_coords.data() + 3 * atom);
        double* const Y = Y_.data() + n * (p - first);
        harmonics_(pair.e, Y);
        r_[at(p - first)] = pair.r;
        any_near = any_near || pair.r < arrays_.radius_of(atom);
        if (grid.is_at_nucleus(pair.r) && pair.r < arrays_.radius_of(atom)) std::fill(Y + 1, Y + n, 0.0);
      }
      for (int64_t d = 0; d < call_.n_dir; ++d) {
        if (any_near) near_part(first, last, atom, grid, d);
        far_part(first, last, atom, d);
        for (int64_t p = first; p < last; ++p) {
          double sum = 0;
          for (int64_t lm = 0; lm < n; ++lm) sum += radial_[at(n * (p - first) + lm)] * Y_[at(n * (p - first) + lm)];
          arrays_.potential(p, d) += sum;
        }
      }
    }
  }

private:
  void near_part(int64_t first, int64_t last, int64_t atom, const RadialGrid& grid, int64_t d) {
    for (int64_t p = first; p < last; ++p) {
      if (!(r_[at(p - first)] < arrays_.radius_of(atom))) continue;
      const Knot knot = grid.position(r_[at(p - first)]);
      const double* const c = table_of(call_, arrays_, atom, knot.number, d);
      for (int64_t lm = 0; lm < call_.n_lm; ++lm) radial_[at(call_.n_lm * (p - first) + lm)] = cubic(c + lm, call_.n_lm, knot.fraction);
    }
  }
  void far_part(int64_t first, int64_t last, int64_t atom, int64_t d) {
    const double* const moments = moments_of(call_, arrays_, atom, d);
    for (int64_t p = first; p < last; ++p) {
      const double r = r_[at(p - first)];
      if (r < arrays_.radius_of(atom)) continue;
      double power = 1 / r;
      for (int l = 0; l <= call_.l_max; ++l, power /= r)
        for (int lm = l * l; lm < components(l); ++lm) radial_[at(call_.n_lm * (p - first) + lm)] = moments[lm] * power;
    }
  }

  const SumUpCall& call_;
  const SumUp& arrays_;
  Harmonics harmonics_;
  Numbers Y_, radial_, r_;
};

// One point after the other, any point of any batch; temporaries are vectors.
class Point {
public:
  Point(const SumUpCall& call, const SumUp& arrays)
      : call_(call), arrays_(arrays), harmonics_(call.l_max), Y_(at(call.n_lm)), radial_(Y_.size()) {}

  void operator()(int64_t p) {
    const int64_t n = call_.n_lm;
    for (int64_t d = 0; d < call_.n_dir; ++d) arrays_.potential(p, d) = 0;
    for (int64_t atom = 0; atom < call_.n_atoms; ++atom) {
      const Pair pair = pair_of(arrays_.coords.data() + 3 * p, arrays_.atom_coords.data() + 3 * atom);
      harmonics_(pair.e, Y_.data());
      const RadialGrid& grid = call_.grids[at(arrays_.species(atom) - 1)];
      const bool is_near = pair.r < arrays_.radius_of(atom);
      if (is_near && grid.is_at_nucleus(pair.r)) std::fill(Y_.begin() + 1, Y_.end(), 0.0);
      const Knot knot = is_near ? grid.position(pair.r) : Knot{};
      for (int64_t d = 0; d < call_.n_dir; ++d) {
        if (is_near) {
          const double* const c = table_of(call_, arrays_, atom, knot.number, d);
          for (int64_t lm = 0; lm < n; ++lm) radial_[at(lm)] = cubic(c + lm, n, knot.fraction);
        } else {
          const double* const moments = moments_of(call_, arrays_, atom, d);
          double power = 1 / pair.r;
          for (int l = 0; l <= call_.l_max; ++l, power /= pair.r)
            for (int lm = l * l; lm < components(l); ++lm) radial_[at(lm)] = moments[lm] * power;
        }
        double sum = 0;
        for (int64_t lm = 0; lm < n; ++lm) sum += radial_[at(lm)] * Y_[at(lm)];
        arrays_.potential(p, d) += sum;
      }
    }
  }

private:
  const SumUpCall& call_;
  const SumUp& arrays_;
  Harmonics harmonics_;
  Numbers Y_, radial_;
};

// memory: harmonics in local variables with subscripts known to the compiler, radial part and sum in one
// loop. control_flow: besides, near and far in one loop over four, or one, coefficients, which the compiler
// makes vectors of, and three directions unrolled.
template <int l_max, bool merged> class LocalPoint {
  static constexpr int n = components(l_max);

public:
  LocalPoint(const SumUpCall& call, const SumUp& arrays) : call_(call), arrays_(arrays) {}

  void operator()(int64_t p) {
    for (int64_t d = 0; d < call_.n_dir; ++d) arrays_.potential(p, d) = 0;
    for (int64_t atom = 0; atom < call_.n_atoms; ++atom) {
      const Pair pair = pair_of(arrays_.coords.data() + 3 * p, arrays_.atom_coords.data() + 3 * atom);
      double Y[n];
      spherical_harmonics<l_max>(pair.e[0], pair.e[1], pair.e[2], Y);
      const RadialGrid& grid = call_.grids[at(arrays_.species(atom) - 1)];
      const bool is_near = pair.r < arrays_.radius_of(atom);
      if (is_near && grid.is_at_nucleus(pair.r)) std::fill(Y + 1, Y + n, 0.0);
      if (!is_near) {
        double power = 1;
        for (int l = 0; l <= l_max; ++l) {
          power /= pair.r;
          for (int lm = l * l; lm < components(l); ++lm) Y[lm] *= power;
        }
      }
      const Knot knot = is_near ? grid.position(pair.r) : Knot{};
      if (merged && call_.n_dir == 3) directions<3>(p, atom, is_near, knot, Y, 0);
      else
        for (int64_t d = 0; d < call_.n_dir; ++d) directions<1>(p, atom, is_near, knot, Y, d);
    }
  }

private:
  template <int count> void directions(int64_t p, int64_t atom, bool is_near, const Knot& knot, const double* Y, int64_t first) {
    for (int64_t d = first; d < first + count; ++d) {
      double sum = 0;
      if (is_near) {
        const double* const c = table_of(call_, arrays_, atom, knot.number, d);
        for (int lm = 0; lm < n; ++lm) sum += cubic(c + lm, n, knot.fraction) * Y[lm];
      } else {
        const double* const moments = moments_of(call_, arrays_, atom, d);
        for (int lm = 0; lm < n; ++lm) sum += moments[lm] * Y[lm];
      }
      arrays_.potential(p, d) += sum;
    }
  }

  const SumUpCall& call_;
  const SumUp& arrays_;
};

template <class Worker> void all_points(const SumUpCall& call, const SumUp& arrays, int64_t threads) {
  cpu::in_parallel(threads, call.n_points, 20, [&](int64_t begin, int64_t end) {
    Worker worker(call, arrays);
    for (int64_t p = begin; p < end; ++p) worker(p);
  });
}

}  // namespace

void sum_up_step(Step step, const SumUpCall& call, const SumUp& arrays, int64_t threads) {
  switch (step) {
    case Step::naive:
      return cpu::in_parallel(threads, (call.n_points + batch - 1) / batch, 1, [&](int64_t begin, int64_t end) {
        NaiveBatch worker(call, arrays);
        for (int64_t b = begin; b < end; ++b) worker(b * batch, std::min((b + 1) * batch, call.n_points));
      });
    case Step::parallelism: return all_points<Point>(call, arrays, threads);
    case Step::memory:
      return with_l_max(call.l_max, [&](auto l_max) { all_points<LocalPoint<decltype(l_max)::value, false>>(call, arrays, threads); });
    default:
      return with_l_max(call.l_max, [&](auto l_max) { all_points<LocalPoint<decltype(l_max)::value, true>>(call, arrays, threads); });
  }
}

}  // namespace suite::dfpt
