// SPDX-License-Identifier: BSD-3-Clause
// The arguments of dfpt.sum_up and the organisations that answer it.
#pragma once

#include "../steps.hpp"
#include "kernels.hpp"

namespace suite::dfpt {

struct SumUpArrays {
  explicit SumUpArrays(const suite_array* a)
      : coords(numbers<double>(a[SumUp::coords])),
        atom_coords(numbers<double>(a[SumUp::atom_coords])),
        multipole_radius(numbers<double>(a[SumUp::multipole_radius])),
        spline(numbers<double>(a[SumUp::potential_spl])),
        moments(numbers<double>(a[SumUp::moments])),
        species(numbers<int32_t>(a[SumUp::species])),
        atom_table(numbers<int32_t>(a[SumUp::atom_table])),
        n_tables(a[SumUp::potential_spl].extent[3]),
        potential(results<double>(a[SumUp::potential])) {}
  double radius_of(int64_t atom) const { return multipole_radius[species[atom] - 1]; }

  const double *coords, *atom_coords, *multipole_radius, *spline, *moments;
  const int32_t *species, *atom_table;
  int64_t n_tables;
  double* potential;
};

// sum_up_ladder.cpp
void sum_up_step(Step step, const SumUpCall& call, const SumUpArrays& arrays, int64_t threads);

}  // namespace suite::dfpt
