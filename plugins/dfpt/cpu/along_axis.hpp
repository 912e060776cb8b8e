// SPDX-License-Identifier: BSD-3-Clause
// Expansions in coordinates whose z axis lies along a translation, which then mixes terms of one m only: O(order^3) operations instead of
// order^4 (White and Head-Gordon, J. Chem. Phys. 105, 5061 (1996)). A rotation about z is a phase for each m; others are made of it by
// exchanging x and z, a fixed matrix for each l half of whose elements are 0 (Dehnen, Comput. Astrophys. Cosmol. 1, 1 (2014)).
#pragma once

#include "../far_tree.hpp"
#include "kernels.hpp"

namespace suite::dfpt {

typedef double Four __attribute__((vector_size(32)));

// A complex number for each direction: of up to three in the lanes of a vector, or of one.
template <class Lanes> struct Term {
  Lanes re, im;
};

// What terms turn like: R_lm, as multipoles do, or I_lm, as local expansions do (expansions.hpp).
enum class Kind { regular, irregular };

class AlongAxis {
public:
  // by: along the new z axis.
  AlongAxis(const double* by, int order);

  double length() const { return length_; }
  // Terms in the new coordinates.
  template <class Lanes> void turn(Kind kind, const Term<Lanes>* from, int order, Term<Lanes>* to) const;
  // Back, and added. from: terms up to most_m; those beyond are 0 and not read.
  template <class Lanes> void add_back(Kind kind, const Term<Lanes>* from, int order, int most_m, Term<Lanes>* to) const;

private:
  struct Phase {
    double re, im;
  };
  using Phases = Phase[most_order + 1];
  static void powers(double re, double im, int order, Phases& all);

  double length_;
  Phases to_yz_, to_axis_;  // e^(im angle): into the plane of y and z; there, onto the axis
};

extern template void AlongAxis::turn(Kind, const Term<double>*, int, Term<double>*) const;
extern template void AlongAxis::turn(Kind, const Term<Four>*, int, Term<Four>*) const;
extern template void AlongAxis::add_back(Kind, const Term<double>*, int, int, Term<double>*) const;
extern template void AlongAxis::add_back(Kind, const Term<Four>*, int, int, Term<Four>*) const;

}  // namespace suite::dfpt
