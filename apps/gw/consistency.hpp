// SPDX-License-Identifier: BSD-3-Clause
// Laws that the input files and the sums of a run must obey, and how far they are from them.
#pragma once

#include <span>
#include <vector>

#include "base/app.hpp"
#include "plan.hpp"
#include "quasiparticle.hpp"
#include "screening.hpp"

namespace suite::gw {

struct SigmaArguments;

// Of the static eps^-1 of one q in its dimensionless form sqrt(v(q+G')/v(q+G)) eps^-1(G,G'), v not averaged.
struct MatrixQuality {
  double anti_hermitian = 0;  // largest distance of two elements that must be conjugates
  double asymmetric = 0;  // ... and of two that an operation which keeps q joins; 0 at q -> 0, which has a direction
  double out_of_range = 0;  // how far the diagonal leaves 0 ... 1
};
// The ranks of a slice compare, each, its own columns with those of all, which pass by a part at a time: no rank holds the whole matrix or reads
// another's columns. What each finds counts for them together.
MatrixQuality quality(const InverseDielectric& eps, int iq, const std::vector<Operation>& operations, const Slice& slice = {});

// The completeness sum of a matrix element: how far sum over n' of |M_nn'(G)|^2 exceeds 1. Norms and
// orthogonality of the wavefunctions, and their rotation, are in it. Each rank of a slice looks at its part of the G.
double closure_excess(const SigmaArguments& arguments, const Slice& slice = {});

// What was seen of every irreducible q, by one rank and then by all.
class Seen {
public:
  explicit Seen(int count) : values_(static_cast<size_t>(count) * fields), known_(static_cast<size_t>(count)) {}
  explicit Seen(std::vector<double> numbers) : values_(std::move(numbers)), known_(values_.size() / fields) {}
  const std::vector<double>& numbers() const { return values_; }
  bool knows(int iq) const { return known_[iq]; }
  void see(int iq, const MatrixQuality& quality, const PoleCount& poles);
  void see_closure(int iq, double excess);
  // What another thread of this process has seen.
  void join(const Seen& other);
  // slices: ranks that share each q by columns, one after the other.
  void share(const app::Communicator& world, int slices);
  MatrixQuality worst() const;
  double worst_closure() const { return largest(closure); }
  PoleCount poles() const { return {sum(pairs), sum(invalid), sum(weight), sum(invalid_weight)}; }

private:
  enum Field {
    anti_hermitian,
    asymmetric,
    out_of_range,
    closure,
    pairs,  // from here on: sums over columns
    invalid,
    weight,
    invalid_weight,
    fields
  };
  double& at(int iq, Field field) { return values_[static_cast<size_t>(iq) * fields + field]; }
  double largest(Field field) const;
  double sum(Field field) const;
  std::vector<double> values_;
  std::vector<char> known_;
};

// The laws of the input and of the sums over bands and q.
void check_sums(const Plan& plan, const Seen& seen, app::Outcome& outcome);
// Those of the quasiparticle energies, and the numbers that another run must repeat.
void check_energies(const Settings& settings, const Result& result, const std::vector<Quasiparticle>& states, app::Outcome& outcome);

}  // namespace suite::gw
