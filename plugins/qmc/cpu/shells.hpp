// SPDX-License-Identifier: BSD-3-Clause
// Orbitals of shells, eight positions at a time, in the lanes, for qmc.orbitals_gaussian and qmc.orbitals_slater. The exponentials of an
// ion are made once for all of its shells that have the exponent (general contractions repeat them); the functions then lie as (8,nao)
// for the value, the gradient and the Laplacian, and one product of matrices each makes orbitals of them. Shells that are beyond their
// cutoff for all eight take no part. Kind is the radial part:
//   Call                               the arguments of its kernel
//   Primitive(basis, k, l, exponent)   primitive k, of a shell of l, and the place of its exponent among those of the ion
//   Distance(r2, most)                 from an ion whose largest power is `most`; a primitive has exp(-exponent measure())
//   add<derivatives>(p, e, distance)   primitive p with its exponential e, for the RadialPart; finish(l, distance) once for a shell
//
// The bits at a position must not depend on its place among the eight, which changes with the number of processes that share the
// walkers. Copies of one function differ in which products the compiler puts into fused multiply-adds: what is computed for one vector
// is not inlined, so that all vectors have the same code.
#pragma once

#include <map>

#include "../shells.hpp"
#include "../solid_harmonics.hpp"
#include "kernels.hpp"
#include "product.hpp"

namespace suite::qmc::shells {

inline constexpr int together = product_columns;  // positions of a block
inline constexpr int vectors = together / lanes;  // of them
inline constexpr int outputs = 5;                 // value, d/dx, d/dy, d/dz, Laplacian

// R, R'/r and R'' + 2 (l+1) R'/r.
struct RadialPart {
  Vector R{}, D{}, B{};
};

// The shells of one ion, side by side in the list of functions.
template <class Kind> struct Ion {
  double r[3];
  int top = 0;         // largest l
  int most_power = 0;  // of r, beyond l
  double reach = 0;
  std::vector<double> exponent;  // each once, the smallest first
  struct Shell {
    int l;
    int64_t ao;
    double cutoff;
    std::vector<typename Kind::Primitive> primitives;
  };
  std::vector<Shell> shells;
};

template <class Kind> std::vector<Ion<Kind>> ions_of(const ShellBasis& basis) {
  std::vector<Ion<Kind>> ions(static_cast<size_t>(basis.nion()));
  std::vector<std::map<double, size_t>> places(ions.size());
  for (size_t k = 0; k < ions.size(); ++k) std::copy_n(&basis.rion[3 * k], 3, ions[k].r);
  for (const Shell& shell : basis.shells)
    for (int64_t k = shell.first; k < shell.first + shell.primitives; ++k)
      places[static_cast<size_t>(shell.ion)].emplace(basis.exponent[static_cast<size_t>(k)], 0);
  for (size_t k = 0; k < ions.size(); ++k)
    for (auto& [exponent, place] : places[k]) {
      place = ions[k].exponent.size();
      ions[k].exponent.push_back(exponent);
    }
  for (const Shell& shell : basis.shells) {
    Ion<Kind>& ion = ions[static_cast<size_t>(shell.ion)];
    ion.top = std::max(ion.top, shell.l);
    ion.reach = std::max(ion.reach, shell.cutoff);
    auto& mine = ion.shells.emplace_back(typename Ion<Kind>::Shell{shell.l, shell.ao, shell.cutoff, {}});
    for (auto k = static_cast<size_t>(shell.first); k < static_cast<size_t>(shell.first + shell.primitives); ++k) {
      mine.primitives.emplace_back(basis, k, shell.l, places[static_cast<size_t>(shell.ion)][basis.exponent[k]]);
      if (!basis.power.empty()) ion.most_power = std::max(ion.most_power, int{basis.power[k]});
    }
  }
  return ions;
}

// The functions of all shells at eight positions, (8,nao) of each output, and which shells take part.
struct Functions {
  double* to;
  int64_t stride;  // from one output to the next
  char* takes_part;  // of each function
};

// e^x for all x <= 0.
inline Vector decay(Vector x) { return x > -700.0 ? exponential(larger(x, fill(-700.0))) : Vector{}; }

// The vector from an ion to each position, and the smallest square of its length.
struct FromIon {
  Vector x[vectors], y[vectors], z[vectors], r2[vectors];
  double least = HUGE_VAL;
  FromIon(const double* ion, const double* at) {
    for (int v = 0; v < vectors; ++v) {
      x[v] = load(at + v * lanes) - ion[0];
      y[v] = load(at + together + v * lanes) - ion[1];
      z[v] = load(at + 2 * together + v * lanes) - ion[2];
      r2[v] = square(x[v], y[v], z[v]);
      for (int l = 0; l < lanes; ++l) least = std::min(least, r2[v][l]);
    }
  }

private:
  static Vector square(Vector x, Vector y, Vector z) {
    Vector sum = x * x;
    keep(sum);
    sum += y * y;
    keep(sum);
    return sum + z * z;
  }
};

// Harmonics and exponentials of an ion.
template <class Kind, int top>
[[gnu::noinline]] void start_vector(const Ion<Kind>& ion, const FromIon& from, int v, Vector* harmonic, typename Kind::Distance& distance,
                                    double* powers) {
  solid_harmonics<top>(from.x[v], from.y[v], from.z[v], from.r2[v], harmonic);
  distance.set(from.r2[v], ion.most_power);
  for (size_t k = 0; k < ion.exponent.size(); ++k) store(powers + k * together, decay(-ion.exponent[k] * distance.measure()));
}

// The 2l + 1 functions of a shell from its harmonics and those of l - 1.
template <class Kind, int l, bool derivatives>
[[gnu::noinline]] void put_shell(const typename Ion<Kind>::Shell& shell, const FromIon& from, int v, const Vector* S, const Vector* one,
                                 const typename Kind::Distance& distance, const double* powers, double* to, int64_t stride) {
  RadialPart part;
  for (const auto& p : shell.primitives) Kind::template add<derivatives>(p, load(powers + p.exponent * together), distance, part);
  if constexpr (derivatives) Kind::finish(l, distance, part);
  const Mask inside = from.r2[v] < shell.cutoff * shell.cutoff;
  part.B = inside ? part.B : Vector{};
  part.R = inside ? part.R : Vector{};
  part.D = inside ? part.D : Vector{};
  Vector gradient[2 * l + 1][3];
  if constexpr (derivatives) harmonic_gradients<l>(one, gradient);
  for (int k = 0; k < 2 * l + 1; ++k, to += together) {
    store(to, part.R * S[k]);
    if constexpr (!derivatives) continue;
    const Vector slope = part.D * S[k];
    store(to + stride, part.R * gradient[k][0] + slope * from.x[v]);
    store(to + 2 * stride, part.R * gradient[k][1] + slope * from.y[v]);
    store(to + 3 * stride, part.R * gradient[k][2] + slope * from.z[v]);
    store(to + 4 * stride, part.B * S[k]);
  }
}

template <class Kind, int top, bool derivatives>
void add_ion(const Ion<Kind>& ion, const FromIon& from, double* powers, const Functions& f) {
  Vector harmonic[vectors][harmonics_to(top)];
  typename Kind::Distance distance[vectors];
  for (int v = 0; v < vectors; ++v) start_vector<Kind, top>(ion, from, v, harmonic[v], distance[v], powers + v * lanes);
  for (const auto& shell : ion.shells) {
    if (!(from.least < shell.cutoff * shell.cutoff)) continue;
    std::fill_n(f.takes_part + shell.ao, 2 * shell.l + 1, char{1});
    by_l(std::min(shell.l, top), [&](auto constant) {
      constexpr int l = std::min(static_cast<int>(constant), top);
      for (int v = 0; v < vectors; ++v)
        put_shell<Kind, l, derivatives>(shell, from, v, harmonic[v] + l * l, harmonic[v] + (l > 0 ? (l - 1) * (l - 1) : 0), distance[v],
                                        powers + v * lanes, f.to + together * shell.ao + v * lanes, f.stride);
    });
  }
}

template <class Kind> class Orbitals {
public:
  using Call = typename Kind::Call;
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Orbitals(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const Call c(arguments);
    const auto copy = [](const auto& from, const char*, auto& to) { to = copy_of(from); };
    const ShellBasis basis = shell_basis(shell_arguments(c, copy), c.nao());
    ions_ = ions_of<Kind>(basis);
    most_exponents_ = 0;
    for (const auto& ion : ions_) most_exponents_ = std::max(most_exponents_, std::ssize(ion.exponent));
    rows_ = padded(c.norb());
    mo_ = orbitals_side_by_side(basis, c.mo.data(), c.norb(), rows_);
    nanoseconds_ = (30 * real(std::ssize(basis.exponent)) + 10 * real(basis.nao) * real(rows_)) / 20;
  }

  void execute(const suite_array* arguments) {
    const Call c(arguments);
    if (c.dphi || c.d2phi) run<true>(c);
    else run<false>(c);
  }

private:
  template <bool derivatives> void run(const Call& c) {
    constexpr int count = derivatives ? outputs : 1;
    const int64_t norb = c.norb(), npos = c.positions(), nao = c.nao(), blocks = (npos + together - 1) / together;
    const int64_t of_functions = together * nao, of_orbitals = together * rows_;
    const int team = useful_threads(threads_, blocks, together * nanoseconds_);
    scratch_.reserve(team, count * (of_functions + of_orbitals) + together * (3 + most_exponents_) + (nao + 7) / 8);
    share(team, blocks, [&](int64_t begin, int64_t end, int thread) {
      double *const functions = scratch_.of(thread), *const orbitals = functions + count * of_functions,
                    *const at = orbitals + count * of_orbitals, *const powers = at + 3 * together;
      char* const takes_part = reinterpret_cast<char*>(powers + together * most_exponents_);
      for (int64_t block = begin; block < end; ++block) {
        const int64_t first = together * block, some = std::min<int64_t>(together, npos - first);
        for (int64_t i = 0; i < together; ++i)
          for (int d = 0; d < 3; ++d) at[together * d + i] = c.r.data()[3 * (first + std::min(i, some - 1)) + d];
        std::fill_n(takes_part, nao, char{0});
        for (const auto& ion : ions_) {
          const FromIon from(ion.r, at);
          if (!(from.least < ion.reach * ion.reach)) continue;
          by_l(ion.top, [&](auto top) {
            add_ion<Kind, static_cast<int>(top), derivatives>(ion, from, powers, {functions, of_functions, takes_part});
          });
        }
        std::fill_n(orbitals, count * of_orbitals, 0.0);
        for (int64_t i = 0; i < nao;) {
          int64_t next = i;
          while (next < nao && takes_part[next]) ++next;
          for (int q = 0; q < count && next > i; ++q)
            add_product(orbitals + q * of_orbitals, rows_, &mo_[static_cast<size_t>(rows_ * i)], rows_,
                        functions + q * of_functions + together * i, next - i, rows_);
          i = next + 1;
        }
        for (int64_t i = 0; i < some; ++i) {
          const int64_t p = first + i;
          std::copy_n(orbitals + rows_ * i, norb, c.phi.data() + norb * p);
          if constexpr (!derivatives) continue;
          for (int d = 0; d < 3 && c.dphi; ++d)
            std::copy_n(orbitals + (1 + d) * of_orbitals + rows_ * i, norb, c.dphi.data() + norb * (3 * p + d));
          if (c.d2phi) std::copy_n(orbitals + 4 * of_orbitals + rows_ * i, norb, c.d2phi.data() + norb * p);
        }
      }
    });
  }

  int64_t threads_;
  std::vector<Ion<Kind>> ions_;
  std::vector<double> mo_;
  int64_t rows_ = 0, most_exponents_ = 0;
  double nanoseconds_ = 0;  // of a position, about
  Scratch scratch_;
};

}  // namespace suite::qmc::shells
