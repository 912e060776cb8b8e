// SPDX-License-Identifier: BSD-3-Clause
// qmc.jastrow_p: sum_{j/=i} p(r_ij). best and structure_factor by rho_G (p_term.hpp); the source document's
// loops over pairs in p_pairs.hpp.
#include "p_pairs.hpp"

#include "../parameters.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {parameter::jastrow_p_variant, threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : variant_(static_cast<SumStep>(p[0])), threads_(p[1]) {}

  void prepare(const suite_array* arguments) {
    const JastrowP c(arguments);
    p_ = PTable(lattice_of(c.cell.data()), c);
  }

  void execute(const suite_array* arguments) {
    const JastrowP c(arguments);
    electrons_ = electrons_of(c.rele, c.nele.data());
    moved_ = moved_of(c, c.npos());
    const bool pairs = variant_ == SumStep::pair || variant_ == SumStep::split_loops;
    const bool values = !pairs || c.dvalue || c.dgradient || c.dlaplacian;
    if (pairs) by_pairs(c);
    if (values) by_structure_factor(c, !pairs);
  }

private:
  bool alone() const { return electrons_.netot == 1; }  // sees exactly nothing
  const double* position(const JastrowP& c, int64_t item) const { return (moved_.one ? c.rnew : c.rele).data() + 3 * item; }
  static void put(const JastrowP& c, int64_t item, double value, const double* gradient, double laplacian) {
    c.value.data()[item] = value;
    if (double* const to = c.gradient.data()) std::copy_n(gradient, 3, to + 3 * item);
    if (double* const to = c.laplacian.data()) to[item] = laplacian;
  }

  void by_pairs(const JastrowP& c) {
    const int64_t items = electrons_.nwalker * moved_.npos, netot = electrons_.netot;
    const int team = useful_threads(threads_, items, 0.3 * real(netot * p_.term.ngvec));
    const bool split = variant_ == SumStep::split_loops;
    const PairSums pairs(p_, electrons_);
    scratch_.reserve(team, split ? pairs.split_size() : pairs.private_size());
    share(team, items, [&](int64_t begin, int64_t end, int thread) {
      int64_t tabulated = -1;
      for (int64_t item = begin; item < end; ++item) {
        const int64_t w = item / moved_.npos, electron = moved_.electron(item % moved_.npos);
        const double* const rele = c.rele.data() + 3 * netot * w;
        if (split && tabulated != w) pairs.tabulate_all(rele, scratch_.of(thread));
        tabulated = w;
        const PairSums::Sums s = split ? pairs.with_tables(position(c, item), electron, scratch_.of(thread))
                                       : pairs.one_loop(rele, position(c, item), electron, scratch_.of(thread));
        put(c, item, s.value, s.gradient, s.laplacian);
      }
    });
  }

  // For every walker rho_G of both spins and, for both spins, what an electron sees; then positions by lanes.
  void by_structure_factor(const JastrowP& c, bool with_values) {
    const WaveList& waves = p_.waves;
    const int64_t G = 2 * waves.count(), per_walker = 4 * G, nwalker = electrons_.nwalker;
    const int64_t blocks = padded(moved_.npos) / lanes;
    double* const seen = seen_.at_least(per_walker * nwalker);
    const int team = useful_threads(threads_, nwalker * blocks, 6 * real(waves.count()));
    scratch_.reserve(team, std::max(waves.sum_size(electrons_.netot), 2 * waves.width() + waves.one_size() + waves.many_size()));
    share(team, nwalker, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t w = begin; w < end; ++w) gather(c, w, seen + per_walker * w, scratch_.of(thread));
    });
    const bool derivatives = c.gradient || c.laplacian;
    const bool by_parameters = c.dvalue || c.dgradient || c.dlaplacian;
    share(team, with_values ? nwalker * blocks : 0, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t block = begin; block < end; ++block) {
        const int64_t w = block / blocks, first = block % blocks * lanes, some = std::min<int64_t>(lanes, moved_.npos - first);
        tabulate_positions(waves, position(c, moved_.npos * w + first), some, scratch_.of(thread));
        put_block(c, w, first, some, seen + per_walker * w, scratch_.of(thread), derivatives);
      }
    });
    if (!by_parameters) return;
    share(team, nwalker * moved_.npos, [&](int64_t begin, int64_t end, int thread) {
      for (int64_t item = begin; item < end; ++item) derive(c, item, seen + per_walker * (item / moved_.npos), scratch_.of(thread));
    });
  }

  // rho_up, rho_dn, without the electron that moves, then what each spin sees.
  void gather(const JastrowP& c, int64_t w, double* seen, double* scratch) const {
    const WaveList& waves = p_.waves;
    const int64_t G = 2 * waves.count(), width = waves.width();
    const double* const rele = c.rele.data() + 3 * electrons_.netot * w;
    if (alone()) {
      std::fill_n(seen, 4 * G, 0.0);
      return;
    }
    if (const double* const given = numbers<double>(c.rhok)) std::copy_n(given + 2 * G * w, 2 * G, seen);
    else
      for (int spin = 0; spin < 2; ++spin)
        waves.structure_factor(rele + 3 * electrons_.first(spin), nullptr, electrons_.count(spin), seen + G * spin, scratch);
    if (moved_.one) {
      waves.at_position(rele + 3 * moved_.which, scratch, scratch + width, scratch + 2 * width);
      double* const own = seen + G * electrons_.spin(moved_.which);
      for (int64_t g = 0; g < waves.count(); ++g) {
        own[2 * g] -= scratch[g];
        own[2 * g + 1] -= scratch[width + g];
      }
    }
    for (int spin = 0; spin < 2; ++spin) p_.seen_by(spin, seen, seen + G, seen + G * (2 + spin));
  }

  void put_block(const JastrowP& c, int64_t w, int64_t first, int64_t some, const double* seen, const double* tables,
                 bool derivatives) const {
    const WaveList& waves = p_.waves;
    const int64_t G = 2 * waves.count();
    // Electrons of both spins may meet in one block.
    for (int spin = 0; spin < 2; ++spin) {
      bool here = false;
      for (int64_t l = 0; l < some; ++l) here = here || electrons_.spin(moved_.electron(first + l)) == spin;
      if (!here) continue;
      const double* const b = seen + G * (2 + spin);
      const WaveList::Transform t = derivatives ? waves.transform<true>(tables, b) : waves.transform<false>(tables, b);
      PTable::Own own;
      for (int64_t g = 0; !moved_.one && !alone() && g < waves.count(); ++g) {
        own.value += p_.set(spin, spin)[g];
        own.square += p_.set(spin, spin)[g] * waves.square()[g];
      }
      for (int64_t l = 0; l < some; ++l) {
        if (electrons_.spin(moved_.electron(first + l)) != spin) continue;
        const double gradient[3] = {-t.odd[0][l], -t.odd[1][l], -t.odd[2][l]};
        put(c, moved_.npos * w + first + l, t.value[l] - own.value, gradient, own.square - t.square[l]);
      }
    }
  }

  // By the coefficients: the sums over a star with the structure factor of the set's spin.
  void derive(const JastrowP& c, int64_t item, const double* seen, double* scratch) const {
    const WaveList& waves = p_.waves;
    const int64_t G = 2 * waves.count(), size = p_.term.nstar * p_.term.nset;
    double *const dvalue = c.dvalue.data(), *const dgradient = c.dgradient.data(), *const dlaplacian = c.dlaplacian.data();
    if (dvalue) std::fill_n(dvalue + size * item, size, 0.0);
    if (dgradient) std::fill_n(dgradient + 3 * size * item, 3 * size, 0.0);
    if (dlaplacian) std::fill_n(dlaplacian + size * item, size, 0.0);
    double *const re = scratch, *const im = scratch + waves.width();
    waves.at_position(position(c, item), re, im, im + waves.width());
    const int spin = electrons_.spin(moved_.electron(item % moved_.npos));
    for (int other = 0; other < 2; ++other) {
      const int64_t set = p_.term.nstar * set_of_pair(p_.term.nset, spin, other);
      const double* const rho = seen + G * other;
      for (int64_t g = 0; g < waves.count(); ++g) {
        const double own = other == spin && !moved_.one && !alone() ? 1 : 0;
        const double even = re[g] * rho[2 * g] + im[g] * rho[2 * g + 1] - own, odd = im[g] * rho[2 * g] - re[g] * rho[2 * g + 1];
        const int64_t to = size * item + set + p_.star[static_cast<size_t>(g)];
        if (dvalue) dvalue[to] += even;
        for (int d = 0; dgradient && d < 3; ++d) dgradient[3 * to + d] -= waves.G(d)[g] * odd;
        if (dlaplacian) dlaplacian[to] -= waves.square()[g] * even;
      }
    }
  }

  SumStep variant_;
  int64_t threads_;
  PTable p_;
  Electrons electrons_;
  Moved moved_;
  cpu::Buffer<double> seen_{"qmc.jastrow_p"};
  Scratch scratch_;
};

}  // namespace

extern const suite_kernel_table jastrow_p_table;
constexpr suite_kernel_table jastrow_p_table = kernel_table<JastrowP, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
