// SPDX-License-Identifier: BSD-3-Clause
// dfpt.basis: points in the lanes. Functions of one atom follow each other in a batch's list, so that the way
// to it, the knots and the harmonics are made once for all of them.
#include "points.hpp"
#include "tile.hpp"

namespace suite::dfpt {
namespace {

class Cpu : public cpu::WithThreads<> {
public:
  using cpu::WithThreads<>::WithThreads;
  void prepare(const suite_array* a) { call_ = check_basis(Basis(a)); }
  void execute(const suite_array* a) {
    const Basis c(a);
    const int64_t points = rounded(call_.batches.most_points, lanes), functions = rounded(call_.batches.most_functions, lanes);
    const int team = cpu::useful_threads(threads_, call_.batches.count(), 20 * real(call_.batches.n_wave) / real(call_.batches.count()));
    scratch_.reserve(team, points * (functions + components(largest_l) + 6));
    cpu::each(team, call_.batches.count(), [&](int64_t b, int thread) {
      const Batch& batch = call_.batches.batch[at(b)];
      if (batch.points > 0 && batch.functions > 0) BatchOf(call_, c, batch, scratch_.of(thread)).run();
    });
  }

private:
  class BatchOf {
  public:
    BatchOf(const BasisCall& call, const Basis& c, const Batch& batch, double* memory)
        : call_(call), c_(c), batch_(batch), list_(c.i_basis.data() + batch.first_function), capacity_(rounded(batch.points, lanes)) {
      coords_ = memory;
      fraction_ = coords_ + 3 * capacity_;
      r_ = fraction_ + capacity_;
      knot_ = reinterpret_cast<int64_t*>(r_ + capacity_);
      Y_ = r_ + 2 * capacity_;
      chi_ = Y_ + components(largest_l) * capacity_;
    }
    void run() {
      separate_coordinates(c_.coords.data() + 3 * batch_.first_point, batch_.points, capacity_, coords_);
      int32_t atom = 0;
      const int32_t *const atoms = c_.basis_atom.data(), *const l = c_.basis_l.data(), *const m = c_.basis_m.data();
      for (int64_t i = 0; i < batch_.functions; ++i) {
        const int32_t f = list_[i] - 1;
        if (atoms[f] != atom) {
          atom = atoms[f];
          int largest = 0;
          for (int64_t j = i; j < batch_.functions && atoms[list_[j] - 1] == atom; ++j) largest = std::max(largest, l[list_[j] - 1]);
          with_l_max(largest, [&](auto l_max) { look_at<decltype(l_max)::value>(atom - 1); });
        }
        radial_times(c_.basis_fn(f) - 1, Y_ + (l[f] * l[f] + l[f] + m[f]) * capacity_, chi_ + i * capacity_);
      }
      put();
    }

  private:
    template <int l_max> void look_at(int64_t atom) {
      const RadialGrid& grid = call_.grids[at(c_.species(atom) - 1)];
      const double* const nucleus = &c_.atom_coords(0, atom);
      for (int64_t p = 0; p < capacity_; p += lanes) {
        const Displacement displacement =
            displacement_to(load(coords_ + p), load(coords_ + capacity_ + p), load(coords_ + 2 * capacity_ + p), nucleus);
        Vector Y[components(l_max)];
        harmonics_of<l_max>(displacement, grid.first, Y);
        for (int lm = 0; lm < components(l_max); ++lm) store(Y_ + lm * capacity_ + p, Y[lm]);
        const Knots knots = position(grid, displacement.r);
        store(r_ + p, displacement.r);
        store(fraction_ + p, knots.fraction);
        std::memcpy(knot_ + p, &knots.number, sizeof knots.number);
      }
    }
    void radial_times(int64_t fn, const double* Y, double* chi) const {
      const double* const spline = &c_.basis_wave_spl(0, 0, fn);
      const double outer = c_.outer_radius(fn);
      for (int64_t p = 0; p < capacity_; ++p) {
        const double* const c = spline + 4 * knot_[p];
        const double d = fraction_[p], value = (c[0] + d * (c[1] + d * (c[2] + d * c[3]))) * Y[p];
        chi[p] = r_[p] < outer ? value : 0;
      }
    }
    // From [function][point] to the caller's order.
    void put() const {
      double* const wave = c_.wave.data() + batch_.wave;
      const int64_t n = batch_.functions;
      for (int64_t f = 0; f < n; f += lanes)
        for (int64_t p = 0; p < batch_.points; p += lanes) {
          Vector v[lanes];
#pragma GCC unroll 8
          for (int i = 0; i < lanes; ++i) v[i] = f + i < n ? load(chi_ + (f + i) * capacity_ + p) : Vector{};
          transpose(v);
          const int64_t count = std::min<int64_t>(lanes, batch_.points - p);
          for (int64_t i = 0; i < count; ++i) store_first(wave + (p + i) * n + f, v[i], n - f);
        }
    }

    const BasisCall& call_;
    const Basis& c_;
    const Batch& batch_;
    const int32_t* list_;
    int64_t capacity_;
    double *coords_, *fraction_, *r_, *Y_, *chi_;
    int64_t* knot_;
  };

  BasisCall call_;
  cpu::Scratch scratch_{"dfpt.basis"};
};

}  // namespace

extern const suite_kernel_table basis_table;
constexpr suite_kernel_table basis_table = kernel_table<Basis, Cpu>("cpu", "cpu");

}  // namespace suite::dfpt
