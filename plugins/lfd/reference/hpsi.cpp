// SPDX-License-Identifier: BSD-3-Clause
// lfd.hpsi, neighbour by neighbour (../lfd.hpp).
#include "../stencil.hpp"
#include "kernels.hpp"

namespace suite::lfd::reference {
namespace {

// The numbers of psi as complex ones.
template <class A> Orbitals read_any_orbitals(const A& psi) {
  const int64_t count = psi.extent(0) * psi.extent(1) * psi.extent(2) * psi.extent(3) * psi.extent(4);
  const auto numbers = [&](const auto* from) { return Orbitals(from, from + count); };
  if (psi.template is<element::complex>()) return numbers(psi.template as<element::complex>().data());
  if (psi.template is<element::single_complex>()) return numbers(psi.template as<element::single_complex>().data());
  if (psi.template is<real>()) return numbers(psi.template as<real>().data());
  return numbers(psi.template as<element::single>().data());
}
template <class A> void write_any_orbitals(const Orbitals& from, const A& hpsi) {
  const auto write = [&](auto* to) {
    using T = std::remove_pointer_t<decltype(to)>;
    for (const Complex& x : from) {
      if constexpr (std::is_floating_point_v<T>) *to++ = static_cast<T>(x.real());
      else *to++ = static_cast<T>(x);
    }
  };
  if (hpsi.template is<element::complex>()) write(hpsi.template as<element::complex>().data());
  else if (hpsi.template is<element::single_complex>()) write(hpsi.template as<element::single_complex>().data());
  else if (hpsi.template is<real>()) write(hpsi.template as<real>().data());
  else write(hpsi.template as<element::single>().data());
}

class Reference {
public:
  static constexpr suite_parameter parameters[] = {parameter::differences, parameter::axes, parameter::vector_potential};
  Reference(const suite_backend*, suite_queue*, const int64_t* p) : chosen_(p) {}
  static int cost(const suite_array* a, const int64_t* p, suite_cost* cost) { return Hpsi::cost_with(a, HpsiChoices(p).radius, cost); }

  void execute(const suite_array* arguments) {
    const Hpsi c(arguments);
    const int32_t* const spin = c.spin.data();
    const HpsiArrays all = hpsi_arrays(c, chosen_, c.h.data(), c.ghost.data(), c.boundary.data(), spin);
    const Nonlocal V = read_nonlocal(all.grid(), c.nonlocal);
    const Momenta momenta{three_or_zero(c.A), c.k.data()};
    const Orbitals psi = read_any_orbitals(c.psi);
    const Field v = read_field(c.v);
    Orbitals result(psi.size());
    for (int64_t n = 0; n < all.norb(); ++n) {
      const int64_t start = n % all.nfast + n / all.nfast * all.slice();
      const double* const potential = v.data() + (spin ? spin[n] - 1 : 0) * all.points();
      for (int64_t i = 0; i < all.points(); ++i)
        result[start + all.place(i)] = potential[i] * psi[start + all.place(i)] + kinetic(all, momenta, n, psi, start, i);
      add_nonlocal(all, V, momenta, n, psi, result, start);
    }
    write_any_orbitals(result, c.hpsi);
  }

private:
  static Complex kinetic(const HpsiArrays& all, const Momenta& momenta, int64_t n, const Orbitals& psi, int64_t start, int64_t i) {
    const int64_t at[] = {i % all.n[0], i / all.n[0] % all.n[1], i / (all.n[0] * all.n[1])}, here = start + all.place(i);
    Complex sum = 0;
    for (int a = 0; a < 3; ++a) {
      const AxisStencil& axis = all.axis[a];
      const double q = momenta(axis.direction, n);
      const auto value = [&](int64_t step) -> Complex {
        const Neighbour to = neighbour_along(all, a, at[a] + step);
        return to.there ? psi[here + (to.at - at[a]) * all.stride(a)] : 0;
      };
      sum += axis.center(q) * psi[here];
      for (int m = 1; m <= axis.radius; ++m)
        sum += axis.even(m, q) * (value(m) + value(-m)) + Complex(0, axis.odd(m, q)) * (value(m) - value(-m));
    }
    return sum;
  }

  static void add_nonlocal(const HpsiArrays& all, const Nonlocal& V, const Momenta& momenta, int64_t n, const Orbitals& psi,
                           Orbitals& result, int64_t start) {
    const double volume = all.grid().volume_element();
    for (int64_t atom = 0; atom < V.natom; ++atom) {
      std::vector<Complex> overlap(static_cast<size_t>(V.nproj));
      const auto place = [&](int64_t i) { return start + all.place(V.nlpoint[i + V.nsphere * atom] - 1); };
      for (int64_t j = 0; j < V.nproj; ++j)
        for (int64_t i = 0; i < V.count[atom]; ++i) overlap[j] += std::conj(projector(V, momenta, n, i, j, atom)) * psi[place(i)] * volume;
      for (int64_t j = 0; j < V.nproj; ++j)
        for (int64_t l = 0; l < V.nproj; ++l)
          for (int64_t i = 0; i < V.count[atom]; ++i)
            result[place(i)] += projector(V, momenta, n, i, j, atom) * V.dnl[j + V.nproj * (l + V.nproj * atom)] * overlap[l];
    }
  }

  HpsiChoices chosen_;
};

}  // namespace

extern const suite_kernel_table hpsi_table;
constexpr suite_kernel_table hpsi_table = kernel_table<Hpsi, Reference>("reference", "cpu");

}  // namespace suite::lfd::reference
