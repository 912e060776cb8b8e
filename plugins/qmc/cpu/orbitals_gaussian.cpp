// SPDX-License-Identifier: BSD-3-Clause
// qmc.orbitals_gaussian: eight positions at a time, in the lanes. The exponentials of an ion are made once for all of its shells that
// have the exponent (general contractions repeat them); the functions then lie as (8,nao) for the value, the gradient and the
// Laplacian, and one product of matrices each makes orbitals of them. Shells that are beyond their cutoff for all eight take no part.
#include <map>

#include "../gaussians.hpp"
#include "../solid_harmonics.hpp"
#include "kernels.hpp"
#include "product.hpp"

namespace suite::qmc {
namespace {

constexpr int together = product_columns;  // positions of a block
constexpr int vectors = together / lanes;  // of them
constexpr int outputs = 5;                 // value, d/dx, d/dy, d/dz, Laplacian

// The shells of one ion, side by side in the list of functions.
struct Ion {
  double r[3];
  int top = 0;  // largest l
  double reach = 0;
  std::vector<double> exponent;  // each once, the smallest first
  struct Primitive {
    size_t exponent;
    double c, slope, bend;  // c, -2 g c, 4 g^2 c
  };
  struct Shell {
    int l;
    int64_t ao;
    double cutoff;
    std::vector<Primitive> primitives;
  };
  std::vector<Shell> shells;
};

std::vector<Ion> ions_of(const GaussianBasis& basis) {
  std::vector<Ion> ions(static_cast<size_t>(basis.nion()));
  std::vector<std::map<double, size_t>> places(ions.size());
  for (size_t k = 0; k < ions.size(); ++k) std::copy_n(&basis.rion[3 * k], 3, ions[k].r);
  for (const GaussianShell& shell : basis.shells)
    for (int64_t k = shell.first; k < shell.first + shell.primitives; ++k)
      places[static_cast<size_t>(shell.ion)].emplace(basis.exponent[static_cast<size_t>(k)], 0);
  for (size_t k = 0; k < ions.size(); ++k)
    for (auto& [exponent, place] : places[k]) {
      place = ions[k].exponent.size();
      ions[k].exponent.push_back(exponent);
    }
  for (const GaussianShell& shell : basis.shells) {
    Ion& ion = ions[static_cast<size_t>(shell.ion)];
    ion.top = std::max(ion.top, shell.l);
    ion.reach = std::max(ion.reach, shell.cutoff);
    Ion::Shell& mine = ion.shells.emplace_back(Ion::Shell{shell.l, shell.ao, shell.cutoff, {}});
    for (int64_t k = shell.first; k < shell.first + shell.primitives; ++k) {
      const double g = basis.exponent[static_cast<size_t>(k)], c = basis.coefficient[static_cast<size_t>(k)];
      mine.primitives.push_back({places[static_cast<size_t>(shell.ion)][g], c, -2 * g * c, 4 * g * g * c});
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
      r2[v] = x[v] * x[v] + y[v] * y[v] + z[v] * z[v];
      for (int l = 0; l < lanes; ++l) least = std::min(least, r2[v][l]);
    }
  }
};

// The 2l + 1 functions of a shell from its harmonics, those of l - 1, and R, R'/r and the bracket of the Laplacian.
template <int l, bool derivatives>
inline void put_shell(const FromIon& from, int v, const Vector* S, const Vector* one, Vector R, Vector D, Vector B, double* to,
                      int64_t stride) {
  Vector gradient[2 * l + 1][3];
  if constexpr (derivatives) harmonic_gradients<l>(one, gradient);
  for (int k = 0; k < 2 * l + 1; ++k, to += together) {
    store(to, R * S[k]);
    if constexpr (!derivatives) continue;
    const Vector slope = D * S[k];
    store(to + stride, R * gradient[k][0] + slope * from.x[v]);
    store(to + 2 * stride, R * gradient[k][1] + slope * from.y[v]);
    store(to + 3 * stride, R * gradient[k][2] + slope * from.z[v]);
    store(to + 4 * stride, B * S[k]);
  }
}

template <int top, bool derivatives> void add_ion(const Ion& ion, const FromIon& from, double* powers, const Functions& f) {
  Vector harmonic[vectors][harmonics_to(top)];
  for (int v = 0; v < vectors; ++v) solid_harmonics<top>(from.x[v], from.y[v], from.z[v], from.r2[v], harmonic[v]);
  for (size_t k = 0; k < ion.exponent.size(); ++k)
    for (int v = 0; v < vectors; ++v) store(powers + k * together + v * lanes, decay(-ion.exponent[k] * from.r2[v]));
  for (const Ion::Shell& shell : ion.shells) {
    if (!(from.least < shell.cutoff * shell.cutoff)) continue;
    Vector R[vectors]{}, D[vectors]{}, B[vectors]{};
    for (const Ion::Primitive& p : shell.primitives)
      for (int v = 0; v < vectors; ++v) {
        const Vector e = load(powers + p.exponent * together + v * lanes);
        R[v] += p.c * e;
        if constexpr (derivatives) {
          D[v] += p.slope * e;
          B[v] += p.bend * e;
        }
      }
    for (int v = 0; v < vectors; ++v) {
      const Mask inside = from.r2[v] < shell.cutoff * shell.cutoff;
      B[v] = inside ? B[v] * from.r2[v] + (2.0 * shell.l + 3) * D[v] : Vector{};
      R[v] = inside ? R[v] : Vector{};
      D[v] = inside ? D[v] : Vector{};
    }
    std::fill_n(f.takes_part + shell.ao, 2 * shell.l + 1, char{1});
    by_l(std::min(shell.l, top), [&](auto constant) {
      constexpr int l = std::min(static_cast<int>(constant), top);
      for (int v = 0; v < vectors; ++v)
        put_shell<l, derivatives>(from, v, harmonic[v] + l * l, harmonic[v] + (l > 0 ? (l - 1) * (l - 1) : 0), R[v], D[v], B[v],
                                  f.to + together * shell.ao + v * lanes, f.stride);
    });
  }
}

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const OrbitalsGaussian c(arguments);
    const auto copy = [](const auto& from, const char*, auto& to) { to = copy_of(from); };
    const GaussianBasis basis = gaussian_basis(gaussian_arguments(c, copy), c.nao());
    ions_ = ions_of(basis);
    most_exponents_ = 0;
    for (const Ion& ion : ions_) most_exponents_ = std::max(most_exponents_, std::ssize(ion.exponent));
    rows_ = padded(c.norb());
    mo_ = orbitals_side_by_side(basis, c.mo.data(), c.norb(), rows_);
    nanoseconds_ = (30 * real(std::ssize(basis.exponent)) + 10 * real(basis.nao) * real(rows_)) / 20;
  }

  void execute(const suite_array* arguments) {
    const OrbitalsGaussian c(arguments);
    if (c.dphi || c.d2phi) run<true>(c);
    else run<false>(c);
  }

private:
  template <bool derivatives> void run(const OrbitalsGaussian& c) {
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
        for (const Ion& ion : ions_) {
          const FromIon from(ion.r, at);
          if (!(from.least < ion.reach * ion.reach)) continue;
          by_l(ion.top, [&](auto top) {
            add_ion<static_cast<int>(top), derivatives>(ion, from, powers, {functions, of_functions, takes_part});
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
  std::vector<Ion> ions_;
  std::vector<double> mo_;
  int64_t rows_ = 0, most_exponents_ = 0;
  double nanoseconds_ = 0;  // of a position, about
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table orbitals_gaussian_table;
constexpr suite_kernel_table orbitals_gaussian_table = kernel_table<OrbitalsGaussian, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
