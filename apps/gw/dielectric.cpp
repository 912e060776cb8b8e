// SPDX-License-Identifier: BSD-3-Clause
#include "dielectric.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#ifdef SUITE_HAVE_EIGEN
#include "base/dense/general.hpp"
#include "base/dense/positive.hpp"
#endif
#include "common/memory.hpp"
#include "common/quantities.hpp"
#include "epsilon_file.hpp"
#include "polarizability.hpp"

namespace suite::gw {

namespace {

using Complex = std::complex<double>;

// False where the matrix is not positive definite.
bool invert([[maybe_unused]] double* a, [[maybe_unused]] int64_t n, [[maybe_unused]] int parts) {
#ifdef SUITE_HAVE_EIGEN
  return parts == 1 ? app::invert_positive(a, n) : app::invert_positive(reinterpret_cast<Complex*>(a), n);
#else
  throw Failure(SUITE_UNSUPPORTED, "this build cannot invert the dielectric matrix: it was made without Eigen (apt install libeigen3-dev)");
#endif
}

// Of a matrix that need not be Hermitian; false where it is singular.
bool invert_any([[maybe_unused]] Complex* a, [[maybe_unused]] int64_t n) {
#ifdef SUITE_HAVE_EIGEN
  return app::invert_general(a, n);
#else
  return invert(nullptr, 0, 2);  // says what is missing
#endif
}

InverseHead head_at(const Complex& frequency_Ry, const Complex& value) {
  return {{frequency_Ry.real() * rydberg_eV, frequency_Ry.imag() * rydberg_eV}, {value.real(), value.imag()}};
}

// A lower bound, close where it exceeds 1: Rayleigh's quotient after some products with the matrix.
double largest_eigenvalue(const Numbers& a, size_t matrix, size_t n) {
  constexpr int products = 24;
  std::vector<Complex> x(n), y(n);
  for (size_t i = 0; i < n; ++i) x[i] = std::polar(1.0, 2.4 * static_cast<double>(i));  // no symmetry
  double quotient = 0;
  for (int step = 0; step < products; ++step) {
    double norm = 0;
    for (const Complex& z : x) norm += std::norm(z);
    for (Complex& z : x) z /= std::sqrt(norm);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; ++i) {
      Complex sum = 0;
      for (size_t j = 0; j < n; ++j) sum += product(std::conj(a[(matrix * n + i) * n + j]), x[j]);  // column i is the conjugate of row i
      y[i] = sum;
    }
    Complex overlap = 0;
    for (size_t i = 0; i < n; ++i) overlap += product(std::conj(x[i]), y[i]);
    quotient = overlap.real();
    std::swap(x, y);
  }
  return quotient;
}

// Of delta - v chi itself.
ScreeningAtQ invert_without_root(const DielectricPlan& plan, const DielectricPlan::Q& q, const std::vector<double>& v, Numbers& chi) {
  const size_t n = q.g.size();
  ScreeningAtQ out;
  out.q = q.at, out.g = static_cast<int>(n);
  std::vector<InverseHead> heads;
  for (size_t matrix = 0; matrix < plan.frequencies.size(); ++matrix) {
    std::vector<Complex> a(n * n);
    for (size_t j = 0; j < n; ++j)
      for (size_t i = 0; i < n; ++i) a[j * n + i] = (i == j ? 1.0 : 0.0) - v[i] * chi[(matrix * n + j) * n + i];
    if (matrix == 0) out.head = a[0].real();
    if (!invert_any(a.data(), static_cast<int64_t>(n)))
      throw Failure(SUITE_UNSUPPORTED,
                    fmt::format("the dielectric matrix of q = {} has no inverse: the wavefunctions are damaged", text(q.at)));
    if (matrix == 0) out.inverse_head = a[0].real();
    heads.push_back(head_at(plan.frequencies[matrix], a[0]));
    for (size_t i = 0; i < n * n; ++i) chi.set(matrix * n * n + i, a[i]);
  }
  if (heads.size() > 1) out.inverse_heads = std::move(heads);
  return out;
}

}  // namespace

// In the Hermitian form delta - v^1/2 chi v^1/2, whose eigenvalues are 1 and more.
ScreeningAtQ invert_dielectric(const DielectricPlan& plan, size_t iq, Numbers& chi) {
  const DielectricPlan::Q& q = plan.q[iq];
  const size_t n = q.g.size();
  const std::vector<double> v = plan.v(q);
  // Where v is cut off it is 0 for some G, or a little less by the grid of its integral.
  if (*std::min_element(v.begin(), v.end()) <= 0) return invert_without_root(plan, q, v, chi);
  std::vector<double> root(n);
  for (size_t i = 0; i < n; ++i) root[i] = std::sqrt(v[i]);
  ScreeningAtQ out;
  out.q = q.at, out.g = static_cast<int>(n);
  std::vector<InverseHead> heads;
  for (size_t matrix = 0; matrix < plan.frequencies.size(); ++matrix) {
    const size_t first = matrix * n * n;
#pragma omp parallel for schedule(static)
    for (size_t j = 0; j < n; ++j)
      for (size_t i = 0; i < n; ++i) {
        const size_t at = first + j * n + i;
        chi.set(at, (i == j ? 1.0 : 0.0) - root[i] * root[j] * chi[at]);
      }
    if (matrix == 0) out.head = chi[0].real();
    const bool hermitian = DielectricPlan::hermitian_at(plan.frequencies[matrix]);
    if (!hermitian) {
      if (!invert_any(reinterpret_cast<Complex*>(chi.at(first)), static_cast<int64_t>(n)))
        throw Failure(SUITE_UNSUPPORTED,
                      fmt::format("the dielectric matrix of q = {} is singular: the wavefunctions are damaged", text(q.at)));
    } else if (!invert(chi.at(first), static_cast<int64_t>(n), chi.parts()))
      throw Failure(SUITE_UNSUPPORTED,
                    fmt::format("the dielectric matrix of q = {} is not positive definite: the wavefunctions are damaged", text(q.at)));
    if (matrix == 0) out.inverse_head = chi[0].real();
    heads.push_back(head_at(plan.frequencies[matrix], chi[first]));
    if (hermitian) out.excess = std::max(out.excess, largest_eigenvalue(chi, matrix, n) - 1);
#pragma omp parallel for schedule(static)
    for (size_t j = 0; j < n; ++j)
      for (size_t i = 0; i < n; ++i) {
        const size_t at = first + j * n + i;
        chi.set(at, chi[at] * (root[i] / root[j]));
      }
  }
  if (heads.size() > 1) out.inverse_heads = std::move(heads);
  return out;
}

namespace {

// What is known of a q beside its matrix, as numbers that processes send and checkpoints keep.
size_t numbers_of_q(const DielectricPlan& plan) { return 3 + 2 * plan.frequencies.size(); }

void pack(const ScreeningAtQ& q, double* to) {
  for (const double x : {q.head, q.inverse_head, q.excess}) *to++ = x;
  if (q.inverse_heads)
    for (const InverseHead& head : *q.inverse_heads) to = std::copy_n(head.value.begin(), 2, to);
}

ScreeningAtQ unpack(const DielectricPlan& plan, size_t iq, const double* from) {
  ScreeningAtQ q{plan.q[iq].at, static_cast<int>(plan.q[iq].g.size()), from[0], from[1], from[2], std::nullopt};
  if (plan.frequencies.size() == 1) return q;
  q.inverse_heads.emplace();
  for (size_t f = 0; f < plan.frequencies.size(); ++f)
    q.inverse_heads->push_back(head_at(plan.frequencies[f], {from[3 + 2 * f], from[4 + 2 * f]}));
  return q;
}

// eps0mat.h5 and epsmat.h5 of the root; other processes have none.
class EpsilonFiles {
public:
  EpsilonFiles(const DielectricPlan& plan, const DielectricResult& names, bool root) : plan_(plan), names_(names), root_(root) { open(); }

  void put(size_t iq, const Numbers& inverse) {
    if (root_) (iq == 0 ? eps0_ : eps_)->put(iq, inverse);
  }
  // What a run that was stopped had done: all of `done`.
  void take(const Checkpoint& checkpoint) {
    if (!root_) return;
    const Checkpoint::Epsilon& state = checkpoint.epsilon;
    const auto from = [&](const std::filesystem::path& own) { return checkpoint.epsilon_of_restart(own.filename().c_str()); };
    std::vector<EpsilonFile::Taken> taken = eps0_->take(from(names_.eps0));
    if (eps_)
      for (const auto& one : eps_->take(from(names_.eps))) taken.push_back(one);
    for (size_t iq = 0; iq < state.done.size(); ++iq) {
      if (state.done[iq] == 0) continue;
      const auto refuse = [&](const char* sentence) {
        throw Failure(SUITE_INVALID_ARGUMENT,
                      fmt::format("{} {} of q = {}", from(iq == 0 ? names_.eps0 : names_.eps).string(), sentence, text(plan_.q[iq].at)));
      };
      const auto found = std::find_if(taken.begin(), taken.end(), [&](const auto& one) { return one.iq == iq; });
      if (found == taken.end()) refuse("lacks the matrix, which its checkpoint has as done,");
      if (found->inverse_head != unpack(plan_, iq, &state.numbers[numbers_of_q(plan_) * iq]).inverse_head)
        refuse("is of another run than the checkpoint beside it: it has another matrix");
    }
  }
  void commit() {
    if (root_) eps0_->commit();
    if (eps_) eps_->commit();
  }
  // As they stand, and on.
  void commit_and_go_on() {
    commit();
    open();
    if (root_) eps0_->take(names_.eps0);
    if (eps_) eps_->take(names_.eps);
  }

private:
  void open() {
    if (!root_) return;
    eps0_ = std::make_unique<EpsilonFile>(names_.eps0, plan_, 0, 1);
    if (plan_.q.size() > 1) eps_ = std::make_unique<EpsilonFile>(names_.eps, plan_, 1, plan_.q.size());
  }
  const DielectricPlan& plan_;
  const DielectricResult& names_;
  bool root_;
  std::unique_ptr<EpsilonFile> eps0_, eps_;
};

}  // namespace

DielectricResult make_dielectric(const DielectricPlan& plan, app::Context& context, Checkpoint& checkpoint) {
  const auto& world = context.world;
  const size_t ranks = static_cast<size_t>(world.size()), rank = static_cast<size_t>(world.rank()), count = plan.q.size();
  const double memory_B = dielectric_memory_B(plan, ranks);
  app::require_memory(memory_B, "eps^-1 needs " + app::bytes_text(memory_B), "use fewer bands or a lower cutoff of eps");
  KernelSource source(context.implementation, context.variant, context.parameters);
  Polarizability polarizability(plan, source);
  DielectricResult result{context.folder / "eps0mat.h5", count > 1 ? context.folder / "epsmat.h5" : std::filesystem::path(), {}, {}, {}};
  EpsilonFiles files(plan, result, world.root());
  const size_t each = numbers_of_q(plan);
  Checkpoint::Epsilon& state = checkpoint.epsilon;
  if (checkpoint.has_epsilon(count, each * count)) files.take(checkpoint);
  else state = {std::vector<double>(count), std::vector<double>(each * count)};
  std::vector<size_t> to_do;
  for (size_t iq = 0; iq < count; ++iq)
    if (state.done[iq] == 0) to_do.push_back(iq);

  int64_t pairs = 0, pairs_done = 0, since_save = 0;
  for (size_t i = rank; i < to_do.size(); i += ranks) pairs += plan.pairs(plan.q[to_do[i]]);
  context.progress.start("eps^-1: pairs of bands", pairs);
  const auto after = [&](int64_t done) {
    context.progress.advance(pairs_done += done);
    return !checkpoint.stopped();
  };
  // A q each, then all of these to the root, and so on: a q is computed by one rank alone, so that nothing depends on their number.
  for (size_t first = 0; first < to_do.size(); first += ranks) {
    Numbers inverse(plan.parts);
    std::vector<double> known((1 + each) * ranks);  // of each rank: 1 where its q is done, then what is known of it
    if (first + rank < to_do.size()) {
      const size_t mine = to_do[first + rank];
      if (auto chi = polarizability.compute(mine, after)) {
        inverse = std::move(*chi);
        double* const to = known.data() + (1 + each) * rank;
        to[0] = 1;
        pack(invert_dielectric(plan, mine, inverse), to + 1);
      }
    }
    world.sum(std::span<double>(known));
    for (size_t r = 0; r < ranks && first + r < to_do.size(); ++r) {
      const double* const from = known.data() + (1 + each) * r;
      if (from[0] == 0) continue;
      const size_t iq = to_do[first + r], n = plan.q[iq].g.size(), numbers = n * n * plan.frequencies.size();
      Numbers passed(plan.parts);
      if (ranks > 1) {
        if (r == rank) passed = inverse;
        passed.resize(numbers);
        world.sum(std::span<double>(passed.at(0), numbers * static_cast<size_t>(plan.parts)));
      }
      files.put(iq, ranks > 1 ? passed : inverse);
      state.done[iq] = 1;
      std::copy_n(from + 1, each, state.numbers.begin() + static_cast<std::ptrdiff_t>(each * iq));
      ++since_save;
    }
    const bool left = std::find(state.done.begin(), state.done.end(), 0.0) != state.done.end();
    if (const int signal = checkpoint.agreed_signal(); signal && left) {
      files.commit();
      checkpoint.save();
      checkpoint.stop(signal);
    }
    if (left && checkpoint.interval() > 0 && since_save >= checkpoint.interval()) {
      files.commit_and_go_on();
      checkpoint.save();
      since_save = 0;
    }
  }
  context.progress.finish();
  files.commit();
  double wait = 0;
  world.sum(std::span<double>(&wait, 1));  // the others read the files
  for (size_t iq = 0; iq < count; ++iq) result.q.push_back(unpack(plan, iq, state.numbers.data() + each * iq));
  result.kernels = polarizability.records();
  for (app::Row& row : result.kernels) share_verification(world, row);
  result.warnings = source.warnings();
  return result;
}

void report(const DielectricResult& dielectric, app::Context& context) {
  for (const app::Row& row : dielectric.kernels) app::add_or_join(context.kernels, row);
  app::Outcome& outcome = context.outcome;
  for (const std::string& warning : dielectric.warnings)
    if (std::find(outcome.warnings.begin(), outcome.warnings.end(), warning) == outcome.warnings.end()) outcome.warnings.push_back(warning);
  double excess = 0;
  app::Observable heads{"eps at G = G' = 0", "", {}, {}, 1e-6};
  for (const ScreeningAtQ& q : dielectric.q) {
    if (!(q.excess <= excess)) excess = q.excess;
    heads.values.push_back(q.head);
    heads.labels.push_back("q = " + text(q.q));
  }
  outcome.checks.push_back(
      {"eigenvalues of eps are 1 or more", excess, 1e-8, "", "the polarizability is wrong, or the wavefunctions are damaged"});
  outcome.observables.push_back(std::move(heads));
}

std::string dielectric_table(const std::vector<ScreeningAtQ>& dielectric) {
  std::string out = fmt::format("{:>32}{:>8}{:>16}{:>16}\n", "q", "G", "eps_00", "1/(eps^-1)_00");
  for (const ScreeningAtQ& q : dielectric) out += fmt::format("{:>32}{:>8}{:16.8f}{:16.8f}\n", text(q.q), q.g, q.head, 1 / q.inverse_head);
  return out;
}

double dielectric_memory_B(const DielectricPlan& plan, size_t ranks) {
  const double number_B = 8.0 * plan.parts, n = plan.largest();
  double stored = 0, largest_k = 0;
  const auto add = [&](const Wavefunctions& w, int nbands) {
    for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
      const double n = static_cast<double>(w.plane_waves(k)) * w.spinors();
      stored += n * nbands * w.spins();
      largest_k = std::max(largest_k, n);
    }
  };
  add(plan.wavefunctions, plan.nbands);
  add(plan.wavefunctions_q0, plan.pairs_in_q0() ? plan.nbands : plan.wavefunctions.most_occupied());
  // The program with its plugins and the buffers of OpenMP and of four HDF5 files; the pairs of a call, and as the kernel packs them; the matrices, those that
  // come from other processes, the symmetric form of one, and what the file's writer has of one, or of as much as it writes at a time. glibc keeps freed blocks below 32 MiB, and the next q, which
  // may be larger, does not fit into them.
  constexpr double program_B = 30 * 1048576, kept_block_B = 32 * 1048576, most_of_writer_B = 88 * 1048576;
  int64_t pairs = 0;
  for (const auto& q : plan.q) pairs = std::max(pairs, plan.pairs(q));
  const double matrices_B = number_B * n * n * static_cast<double>(plan.frequencies.size()),
               of_writer_B = std::min(16 * 6 * n * n, most_of_writer_B);
  const double kept_B = plan.q.size() > 1 && matrices_B < kept_block_B ? matrices_B : 0;
  return program_B + number_B * (stored + largest_k * plan.nbands + 2 * n * static_cast<double>(std::min(pairs, pairs_together)) + n * n) +
         matrices_B * (ranks > 1 ? 2 : 1) + kept_B + of_writer_B;
}

}  // namespace suite::gw
