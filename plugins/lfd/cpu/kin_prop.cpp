// SPDX-License-Identifier: BSD-3-Clause
// lfd.kin_prop: the pairs of one part of one direction, in place. Each row is read and written once: the
// speed of memory.
#include "../parameters.hpp"
#include "../splitting.hpp"
#include "kernels.hpp"
#include "rows.hpp"

namespace suite::lfd {
namespace {

// Rows a and b of 2 Norb reals: a' = ep a + em b, b' = ep b + em a.
template <class T> void join(T* a, T* b, int64_t n, const Rotation& r) {
  const T epr = static_cast<T>(r.ep.real()), emr = static_cast<T>(r.em.real());
  const Vector<T> epi = alternating(static_cast<T>(r.ep.imag())), emi = alternating(static_cast<T>(r.em.imag()));
  each_vector<T>(
      n, [&](auto type, int64_t i) __attribute__((always_inline)) {
        using V = decltype(type);
        const V x = load_as<V>(a + i), y = load_as<V>(b + i), jx = exchange_parts(x), jy = exchange_parts(y);
        V ei, mi;
        std::memcpy(&ei, &epi, sizeof ei);
        std::memcpy(&mi, &emi, sizeof mi);
        const V new_a = epr * x + ei * jx + emr * y + mi * jy, new_b = epr * y + ei * jy + emr * x + mi * jx;
        std::memcpy(a + i, &new_a, sizeof new_a);
        std::memcpy(b + i, &new_b, sizeof new_b);
      });
}

// The same with em e^{i(A+k)h} and em e^{-i(A+k)h} of each orbital.
template <class T> void join(T* a, T* b, int64_t n, const Rotation& r, const FactorRows<T>& up, const FactorRows<T>& down) {
  const T epr = static_cast<T>(r.ep.real());
  const Vector<T> epi = alternating(static_cast<T>(r.ep.imag()));
  each_vector<T>(
      n, [&](auto type, int64_t i) __attribute__((always_inline)) {
        using V = decltype(type);
        const V x = load_as<V>(a + i), y = load_as<V>(b + i), jx = exchange_parts(x), jy = exchange_parts(y);
        V ei;
        std::memcpy(&ei, &epi, sizeof ei);
        const V new_a = epr * x + ei * jx + load_as<V>(up.re.data() + i) * y + load_as<V>(up.im.data() + i) * jy;
        const V new_b = epr * y + ei * jy + load_as<V>(down.re.data() + i) * x + load_as<V>(down.im.data() + i) * jx;
        std::memcpy(a + i, &new_a, sizeof new_a);
        std::memcpy(b + i, &new_b, sizeof new_b);
      });
}

class Cpu : public cpu::WithThreads<parameter::d, parameter::p, parameter::mass_correction> {
public:
  Cpu(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithThreads(b, q, p), d_(static_cast<int>(p[0])), part_(static_cast<Part>(p[1])), mass_correction_(p[2] != 0) {}

  void execute(const suite_array* a) {
    const KinProp c(a);
    const Grid g = orbital_grid(c.psi, c.h.data());
    check_time_step(c.dt, g.h, g.n, mass_correction_);
    if (g.n[d_] == 1) return;
    const Rotation r = rotation(splitting_angle(c.dt, g.h[d_], mass_correction_), part_);
    by_precision(c.psi.array(), [&](auto type) {
      using T = decltype(type);
      run(g, r, pairs(c.psi.as<complex_of<T>>().data()), c.A.data(), c.k.data());
    });
  }

private:
  template <class T> void run(const Grid& g, const Rotation& r, T* psi, const double* A, const double* k) {
    const bool bloch = A || k;
    const FactorRows<T> up = bloch_factors<T>(bloch ? g.norb : 0, A, k, d_, g.h[d_], r.em);
    const FactorRows<T> down = bloch_factors<T>(bloch ? g.norb : 0, A, k, d_, -g.h[d_], r.em);
    const int64_t row = 2 * g.norb, inside = d_ == 2 ? 1 : d_ == 1 ? g.n[2] : g.n[1] * g.n[2];
    const int64_t first = part_ == Part::half ? 0 : 1, pairs = g.n[d_] / 2, outside = g.points() / (inside * g.n[d_]);
    in_parallel(threads_, outside * pairs * inside, 65536 / row + 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const int64_t at = 2 * (p / inside % pairs) + first, start = p / (inside * pairs) * g.n[d_];
        T* const one = psi + ((start + at) * inside + p % inside) * row;
        T* const other = psi + ((start + (at + 1) % g.n[d_]) * inside + p % inside) * row;
        if (bloch) join(one, other, row, r, up, down);
        else join(one, other, row, r);
      }
    });
  }

  int d_;
  Part part_;
  bool mass_correction_;
};

}  // namespace

extern const suite_kernel_table kin_prop_table;
constexpr suite_kernel_table kin_prop_table = kernel_table<KinProp, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
