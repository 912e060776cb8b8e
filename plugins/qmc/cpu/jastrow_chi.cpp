// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_chi: positions of one spin in the lanes, ion after ion.
#include "../chi.hpp"
#include "frame.hpp"

namespace suite::qmc {
namespace {

// Positions of one spin side by side, as many as a vector has; `item` is where their results lie.
struct Block {
  const double* r;
  int64_t item, some;
  int spin;
};

// All blocks of a call.
class Blocks {
public:
  Blocks(const JastrowChi& c, const Electrons& electrons, const Moved& moved) : electrons_(electrons) {
    one_ = moved.one;
    r_ = one_ ? c.rnew.data() : c.rele.data();
    n_[0] = one_ ? moved.npos * electrons.nwalker : electrons.count(0);
    n_[1] = one_ ? 0 : electrons.count(1);
    spin_ = one_ ? electrons.spin(moved.which) : 0;
    for (int part = 0; part < 2; ++part) blocks_[part] = (n_[part] + lanes - 1) / lanes;
  }
  int64_t count() const { return (blocks_[0] + blocks_[1]) * (one_ ? 1 : electrons_.nwalker); }
  Block operator[](int64_t b) const {
    const int64_t of_walker = blocks_[0] + blocks_[1], w = b / of_walker, inside = b % of_walker;
    const int part = inside >= blocks_[0];
    const int64_t at = (inside - (part ? blocks_[0] : 0)) * lanes, item = w * electrons_.netot + (part ? n_[0] : 0) + at;
    return {r_ + 3 * item, item, std::min<int64_t>(lanes, n_[part] - at), one_ ? spin_ : part};
  }

private:
  const Electrons& electrons_;
  bool one_;
  int spin_;
  const double* r_;
  int64_t n_[2], blocks_[2];
};

struct OpenSpace {
  Three operator()(Three v) const { return v; }
};

struct LocalLanes {
  Vector value{}, x{}, y{}, z{}, laplacian{};
  // A function at a distance along d, where `inside`; at distance 0 its slope over it is the second derivative.
  void add(Mask inside, Vector value_, Vector first, Vector second, Vector distance, const Three& d) {
    const Mask apart = distance > 0.0;
    const Vector quotient = apart ? first / (apart ? distance : fill(1.0)) : second, slope = inside ? quotient : Vector{};
    value += inside ? value_ : Vector{};
    x += slope * d.x;
    y += slope * d.y;
    z += slope * d.z;
    laplacian += (inside ? second : Vector{}) + 2.0 * slope;
  }
};

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const JastrowChi c(arguments);
    if (c.cell) lattice_ = lattice_of(c.cell.data());
    rule_ = c.cell ? lattice_.images : ImageRule{};
    chi_ = chi_term(c, c.cell ? &lattice_ : nullptr, [](const auto& from, const char*, auto& to) { to = copy_of(from); });
    const Frame frame(rule_);
    ions_.clear();
    for (int64_t ion = 0; ion < c.nion(); ++ion) {
      if (chi_.set_of_ion[static_cast<size_t>(ion)] < 0) continue;
      Ion& mine = ions_.emplace_back();
      mine.set = chi_.set_of_ion[static_cast<size_t>(ion)];
      frame.into(&c.rion(0, ion), mine.r);
    }
  }

  void execute(const suite_array* arguments) {
    const JastrowChi c(arguments);
    const Electrons electrons = electrons_of(c.rele, c.nele.data());
    const Moved moved = moved_of(c, c.npos());
    const Blocks blocks(c, electrons, moved);
    const bool by_parameters = c.dvalue || c.dgradient || c.dlaplacian;
    const int team = useful_threads(threads_, blocks.count(), 8 * real(std::ssize(ions_)) * (by_parameters ? 5 : 1));
    scratch_.reserve(team, 5 * lanes * chi_.nbeta * chi_.nset);
    const Frame frame(rule_);
    const auto run = [&](const auto& closest) {
      share(team, blocks.count(), [&](int64_t begin, int64_t end, int thread) {
        for (int64_t b = begin; b < end; ++b) {
          if (chi_.C == 3) sum<3>(c, blocks[b], frame, closest);
          else sum<2>(c, blocks[b], frame, closest);
          if (by_parameters) derive(c, blocks[b], frame, closest, scratch_.of(thread));
        }
      });
    };
    if (!c.cell) return run(OpenSpace{});
    by_kind(rule_.kind, [&](auto kind) { run(Closest<kind()>(rule_)); });
  }

private:
  struct Ion {
    double r[3];
    int set;
  };

  static Three into(const Frame& frame, const Block& block) {
    Vector x, y, z;
    load_three(block.r, block.some, x, y, z);
    const double(&m)[3][3] = frame.to;
    return {m[0][0] * x + m[0][1] * y + m[0][2] * z, m[1][0] * x + m[1][1] * y + m[1][2] * z, m[2][0] * x + m[2][1] * y + m[2][2] * z};
  }
  // f(ion, inside, distance, vector) for the ions within whose cutoff some lane is.
  template <class Closest, class F> void near(const Block& block, const Frame& frame, const Closest& closest, const F& f) const {
    const Three at = into(frame, block);
    for (const Ion& ion : ions_) {
      const Three d = closest({at.x - ion.r[0], at.y - ion.r[1], at.z - ion.r[2]});
      const Vector distance = root(square_of(d)) * frame.unit;
      const Mask inside = distance < chi_.L[static_cast<size_t>(ion.set)];
      if (any(inside)) f(ion, inside, distance, d);
    }
  }

  template <int C, class Closest> void sum(const JastrowChi& c, const Block& block, const Frame& frame, const Closest& closest) const {
    LocalLanes total;
    near(block, frame, closest, [&](const Ion& ion, Mask inside, Vector r, const Three& d) {
      const double* const beta = chi_.coefficients(block.spin, ion.set);
      Vector p{}, p1{}, p2{};  // P, P', P''/2
      for (int64_t l = chi_.nbeta; l-- > 0;) {
        p2 = p2 * r + p1;
        p1 = p1 * r + p;
        p = p * r + beta[l];
      }
      const Vector x = r - chi_.L[static_cast<size_t>(ion.set)], f2 = C == 3 ? x : fill(1.0), f1 = f2 * x, f = f1 * x;
      total.add(inside, f * p, 1.0 * C * f1 * p + f * p1, 1.0 * C * (C - 1) * f2 * p + 2.0 * C * f1 * p1 + 2.0 * f * p2, r, d);
    });
    put(c.value.data(), c.gradient.data(), c.laplacian.data(), 1, 0, block, frame, total);
  }

  // By the parameters: the sums of each set and power, all of them for the spin of the block; those of the other one are 0.
  template <class Closest>
  void derive(const JastrowChi& c, const Block& block, const Frame& frame, const Closest& closest, double* memory) const {
    const int64_t nbeta = chi_.nbeta, of_spins = nbeta * chi_.nspin, size = of_spins * chi_.nset;
    std::fill_n(memory, 5 * lanes * nbeta * chi_.nset, 0.0);
    near(block, frame, closest, [&](const Ion& ion, Mask inside, Vector r, const Three& d) {
      const double C = chi_.C;
      const Vector x = r - chi_.L[static_cast<size_t>(ion.set)], f2 = chi_.C == 3 ? x : fill(1.0), f1 = f2 * x, f = f1 * x;
      Vector q = fill(1.0), q1{}, q2{};  // r^l, r^(l-1), r^(l-2), or 0 where l times it is
      for (int64_t l = 0; l < nbeta; ++l) {
        double* const to = memory + 5 * lanes * (l + nbeta * ion.set);
        LocalLanes sums{load(to), load(to + lanes), load(to + 2 * lanes), load(to + 3 * lanes), load(to + 4 * lanes)};
        const double n = real(l);
        sums.add(inside, f * q, C * f1 * q + f * (n * q1), C * (C - 1) * f2 * q + 2.0 * C * f1 * (n * q1) + f * (n * (n - 1) * q2), r, d);
        const Vector parts[5] = {sums.value, sums.x, sums.y, sums.z, sums.laplacian};
        for (int k = 0; k < 5; ++k) store(to + k * lanes, parts[k]);
        q2 = q1;
        q1 = q;
        q = q * r;
      }
    });
    const int mine = chi_.of_spin(block.spin);
    for (int64_t set = 0; set < chi_.nset; ++set)
      for (int spin = 0; spin < chi_.nspin; ++spin)
        for (int64_t l = 0; l < nbeta; ++l) {
          const double* const from = memory + 5 * lanes * (l + nbeta * set);
          const LocalLanes sums = spin == mine ? LocalLanes{load(from), load(from + lanes), load(from + 2 * lanes), load(from + 3 * lanes),
                                                            load(from + 4 * lanes)}
                                               : LocalLanes{};
          put(c.dvalue.data(), c.dgradient.data(), c.dlaplacian.data(), size, l + nbeta * spin + of_spins * set, block, frame, sums);
        }
  }

  // The lanes' numbers lie `step` apart from place `at` of the block's first item on.
  static void put(double* value, double* gradient, double* laplacian, int64_t step, int64_t at, const Block& block, const Frame& frame,
                  const LocalLanes& local) {
    for (int64_t l = 0; l < block.some; ++l) {
      const int64_t to = step * (block.item + l) + at;
      if (value) value[to] = local.value[l];
      if (laplacian) laplacian[to] = local.laplacian[l];
      const double g[3] = {local.x[l], local.y[l], local.z[l]};
      if (gradient) frame.out_of(g, gradient + 3 * to);
    }
  }

  int64_t threads_;
  Lattice lattice_;
  ImageRule rule_;
  ChiTerm chi_;
  std::vector<Ion> ions_;
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table jastrow_chi_table;
constexpr suite_kernel_table jastrow_chi_table = kernel_table<JastrowChi, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
