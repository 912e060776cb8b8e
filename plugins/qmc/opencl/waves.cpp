// SPDX-License-Identifier: BSD-3-Clause
#include "waves.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "texts.hpp"

namespace suite::qmc::cl {
namespace {

constexpr int64_t longest_vector = 16, most_powers = 64;

// Texts that build upon each other; an Engine knows them by their address.
const char* ladder_text() {
  static const std::string text = std::string(text::powers) + text::waves + text::ewald + text::ladder;
  return text.c_str();
}

}  // namespace

void WaveList::set(const Lattice& lattice, const int32_t* n, int64_t count) {
  count_ = as_int(count);
  size_ = as_int(ceil_div(std::max<int64_t>(count, 1), longest_vector) * longest_vector);
  highest_ = 0;
  std::vector<double> numbers(static_cast<size_t>(4 * size_));
  for (int64_t g = 0; g < count; ++g) {
    double G[3], square = 0;
    reciprocal_vector(lattice, n + 3 * g, G);
    for (int d = 0; d < 3; ++d) {
      numbers[static_cast<size_t>(d * size_ + g)] = n[3 * g + d];
      highest_ = std::max<int64_t>(highest_, std::abs(n[3 * g + d]));
      square += G[d] * G[d];
    }
    numbers[static_cast<size_t>(3 * size_ + g)] = square;
  }
  memory_.upload(numbers);
  find_lines(n, count);
}

void WaveList::find_lines(const int32_t* n, int64_t count) {
  using Places = std::pair<cl_int, cl_int>;  // of +n3 and -n3 in the list
  std::map<std::pair<int32_t, int32_t>, std::map<int32_t, Places>> found;
  for (int64_t g = 0; g < count; ++g) {
    Places& places = found[{n[3 * g], n[3 * g + 1]}].try_emplace(std::abs(n[3 * g + 2]), Places{-1, -1}).first->second;
    (n[3 * g + 2] < 0 ? places.second : places.first) = static_cast<cl_int>(g);
  }
  std::vector<cl_int> lines, entries;
  for (const auto& [numbers, line] : found) {
    lines.insert(lines.end(), {numbers.first, numbers.second, static_cast<cl_int>(entries.size() / 3)});
    for (const auto& [n3, places] : line) entries.insert(entries.end(), {n3, places.first, places.second});
    lines.push_back(static_cast<cl_int>(entries.size() / 3));
  }
  line_count_ = as_int(static_cast<int64_t>(found.size()));
  lines_.upload(lines);
  entries_.upload(entries);
}

Seats seats_of_all(const suite_array& rele, const int32_t* nele) {
  const Electrons electrons = electrons_of(rele, nele);
  Seats seats;
  seats.moved.npos = electrons.netot;
  seats.rele = seats.rnew = memory_of(rele);
  seats.netot = electrons.netot;
  seats.first = electrons.nup;
  seats.nwalker = electrons.nwalker;
  return seats;
}

Outputs outputs_of(const suite_array& value, const suite_array& gradient, const suite_array& laplacian, cl_mem otherwise) {
  return {memory_or(value, otherwise), memory_or(gradient, otherwise), memory_or(laplacian, otherwise),
          (value.data != nullptr) + 2 * (gradient.data != nullptr) + 4 * (laplacian.data != nullptr)};
}

WaveSums::WaveSums(Engine& engine, Cell& cell)
    : engine_(engine),
      cell_(cell),
      list_(engine, "the list of G"),
      coefficients_(engine.backend, engine.queue, "the coefficients of G"),
      rho_(engine.backend, engine.queue, "the structure factors"),
      tables_(engine.backend, engine.queue, "the powers of exponentials"),
      line_(engine.backend, engine.queue, "the products of a line"),
      fractions_(engine, "the positions in fractions") {}

void WaveSums::set(const int32_t* n, int64_t count, const std::vector<double>& coefficients, int nset) {
  list_.set(cell_.lattice(), n, count);
  nset_ = nset;
  std::vector<double> rows(static_cast<size_t>(nset * list_.size()));
  for (int64_t set = 0; set < nset; ++set) std::copy_n(coefficients.begin() + set * count, count, rows.begin() + set * list_.size());
  coefficients_.upload(rows);
}

void WaveSums::structure_factor(const Seats& s, cl_mem to) {
  const int items = engine_.local(), lanes = engine_.lanes(list_.count());
  if (engine_.coarse() && list_.highest() <= most_powers) {
    const Laid laid = lay_out(s);
    const std::string options = define("KIND", 0) + define("NPOW", list_.highest());
    const cl_mem tables = make_tables(laid, text::powers, options, s.nwalker);
    const int64_t rows = list_.line_count() * s.channels * s.nwalker, fsize = laid.layout.size();
    const cl_mem line = line_.at_least(static_cast<size_t>(2 * fsize * engine_.groups(rows, items)) * sizeof(double));
    engine_.start(text::powers, "structure_factor_by_lines", options, as_int(rows), laid.layout.lanes, items, laid.fractions, tables,
                  laid.charge, cl_int(s.charge != nullptr), list_.lines(), list_.line_count(), list_.entries(), to, list_.count(),
                  cl_int(s.channels), as_int(laid.layout.begin(1)), as_int(fsize), line, as_int(s.nwalker));
    return;
  }
  const int64_t pieces = ceil_div(ceil_div(list_.count(), lanes), 8 * items);
  engine_.start(text::waves, "structure_factor", "", pieces * s.nwalker, lanes, items, s.rele, s.charge ? s.charge : s.rele,
                cl_int(s.charge != nullptr), cell_.numbers(), list_.memory(), list_.count(), list_.size(), to, cl_int(s.channels),
                as_int(s.netot), as_int(s.first), as_int(s.nwalker));
}

cl_mem WaveSums::rho(const Seats& s) {
  const cl_mem memory = rho_.at_least(static_cast<size_t>(2 * s.channels * list_.count() * s.nwalker) * sizeof(double));
  structure_factor(s, memory);
  return memory;
}

void WaveSums::by_rho(const Seats& s, cl_mem rho, const Outputs& out) {
  engine_.start(text::waves, "sums_by_rho", "", s.rows(), engine_.lanes(list_.count()), engine_.local(), s.rele, s.rnew,
                s.charge ? s.charge : s.rele, cl_int(s.charge != nullptr), cell_.numbers(), list_.memory(), coefficients(), cl_int(nset_),
                list_.count(), list_.size(), rho, cl_int(s.channels), out.value, out.gradient, out.laplacian, out.has, s.one(),
                as_int(s.moved.npos), as_int(s.netot), as_int(s.first), as_int(s.rows()));
}

std::string WaveSums::ladder_options() const {
  if (list_.highest() > most_powers)
    throw Failure(SUITE_UNSUPPORTED, "a component of a reciprocal vector is " + text_of(list_.highest()) +
                                         "; the variants pair and split_loops support powers up to " + text_of(most_powers) +
                                         ", use variant best");
  return cell_.kind() + define("NPOW", list_.highest());
}

WaveSums::Laid WaveSums::lay_out(const Seats& s) {
  Laid laid;
  laid.layout = {engine_.lanes(std::max(s.first, s.netot - s.first)), s.netot, s.first};
  laid.fractions = fractions_.set_fractions(cell_, laid.layout, s.rele, s.nwalker);
  // Charges are of one channel: their order is that of the particles.
  laid.charge = s.charge ? s.charge : s.rele;
  return laid;
}

void WaveSums::by_pairs(const Seats& s, const Outputs& out, const Images* images) {
  const Laid laid = lay_out(s);
  const std::string options = ladder_options() + define("EWALD", images != nullptr);
  const auto start = [&](auto... more) {
    engine_.start(ladder_text(), "sums_by_pairs", options, s.rows(), laid.layout.lanes, engine_.local(), s.rele, s.rnew, laid.fractions,
                  laid.charge, cl_int(s.charge != nullptr), cell_.numbers(), list_.memory(), coefficients(), cl_int(nset_), list_.count(),
                  list_.size(), out.value, out.gradient, out.laplacian, out.has, s.one(), as_int(s.moved.npos), as_int(s.netot),
                  as_int(s.first), as_int(laid.layout.begin(1)), as_int(laid.layout.size()), as_int(s.rows()), more...);
  };
  if (images) start(images->vectors, images->count, images->alpha, images->cutoff, images->short_range);
  else start();
}

cl_mem WaveSums::make_tables(const Laid& laid, const char* text, const std::string& options, int64_t nwalker) {
  const int64_t fsize = laid.layout.size();
  const int items = engine_.local();
  const cl_mem tables = tables_.at_least(static_cast<size_t>(6 * (list_.highest() + 1) * fsize * nwalker) * sizeof(double));
  engine_.start(text, "power_tables", options, ceil_div(3 * fsize / laid.layout.lanes * nwalker, items), laid.layout.lanes, items,
                laid.fractions, tables, as_int(fsize), as_int(nwalker));
  return tables;
}

void WaveSums::by_tables(const Seats& s, const Outputs& out) {
  const Laid laid = lay_out(s);
  const std::string options = ladder_options() + define("EWALD", 0);
  const int items = engine_.local();
  const int64_t fsize = laid.layout.size();
  const cl_mem tables = make_tables(laid, ladder_text(), options, s.nwalker);
  engine_.start(ladder_text(), "sums_by_tables", options, s.rows(), laid.layout.lanes, items, s.rele, s.rnew, laid.fractions, tables,
                laid.charge, cl_int(s.charge != nullptr), cell_.numbers(), list_.memory(), coefficients(), cl_int(nset_), list_.count(),
                list_.size(), out.value, out.gradient, out.laplacian, out.has, s.one(), as_int(s.moved.npos), as_int(s.netot),
                as_int(s.first), as_int(laid.layout.begin(1)), as_int(fsize), as_int(s.rows()));
}

}  // namespace suite::qmc::cl
