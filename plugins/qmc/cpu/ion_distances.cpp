// SPDX-License-Identifier: BSD-3-Clause
// qmc.ion_distances: the ions in the lanes, in a cell by the rules of its lattice (frame.hpp).
#include "frame.hpp"
#include "fours.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const IonDistances c(arguments);
    rule_ = c.cell ? lattice_of(c.cell.data()).images : ImageRule{};
    const Electrons ions = all_ions(c);
    Cloud::in(ions_.at_least(Cloud::size(ions)), ions).fill_from(Frame(rule_), c.rion.data());
  }

  void execute(const suite_array* arguments) {
    const IonDistances c(arguments);
    if (!c.cell) return put_all(c, [](Three d) { return d; });
    by_kind(rule_.kind, [&](auto kind) {
      const Closest<kind()> closest(rule_);
      put_all(c, closest);
    });
  }

private:
  static Electrons all_ions(const IonDistances& c) { return {c.nion(), c.nion(), 1}; }

  template <class Closest> void put_all(const IonDistances& c, const Closest& closest) const {
    const int64_t nion = c.nion(), npos = c.positions();
    const Cloud ions = Cloud::in(ions_.data(), all_ions(c));
    const Frame frame(rule_);
    const ToFours put(frame, rule_.kind != LatticeKind::general && !rule_.aligned);
    share(useful_threads(threads_, npos, 10 + 2 * real(nion)), npos, [&](int64_t begin, int64_t end, int) {
      for (int64_t p = begin; p < end; ++p) {
        double at[3];
        frame.into(c.r.data() + 3 * p, at);
        double* const to = c.eivecs.data() + 4 * nion * p;
        for (int64_t j = 0; j < nion; j += lanes)
          put(to + 4 * j, closest({at[0] - load(ions.x + j), at[1] - load(ions.y + j), at[2] - load(ions.z + j)}), nion - j);
      }
    });
  }

  int64_t threads_;
  ImageRule rule_;
  cpu::Buffer<double> ions_{"qmc.ion_distances"};
};

}  // namespace

extern const suite_kernel_table ion_distances_table;
constexpr suite_kernel_table ion_distances_table = kernel_table<IonDistances, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
