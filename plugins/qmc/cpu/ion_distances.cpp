// SPDX-License-Identifier: BSD-3-Clause
// qmc.ion_distances: a row of ions for each position.
#include "ion_rows.hpp"

namespace suite::qmc {
namespace {

class Cpu {
public:
  static constexpr suite_parameter parameters[] = {threads_parameter};
  Cpu(const suite_backend*, suite_queue*, const int64_t* p) : threads_(p[0]) {}

  void prepare(const suite_array* arguments) {
    const IonDistances c(arguments);
    Lattice lattice;
    if (c.cell) lattice = lattice_of(c.cell.data());
    rows_.prepare(c.cell ? &lattice : nullptr, c.rion.data(), c.nion());
  }

  void execute(const suite_array* arguments) {
    const IonDistances c(arguments);
    const int64_t nion = c.nion(), npos = c.positions();
    rows_.use([&](const auto& row) {
      share(useful_threads(threads_, npos, 10 + 2 * real(nion)), npos, [&](int64_t begin, int64_t end, int) {
        for (int64_t p = begin; p < end; ++p) row(c.r.data() + 3 * p, c.eivecs.data() + 4 * nion * p);
      });
    });
  }

private:
  int64_t threads_;
  IonRows rows_{"qmc.ion_distances"};
};

}  // namespace

extern const suite_kernel_table ion_distances_table;
constexpr suite_kernel_table ion_distances_table = kernel_table<IonDistances, Cpu>("cpu", "cpu");

}  // namespace suite::qmc
