// SPDX-License-Identifier: BSD-3-Clause
#include "crystal_records.hpp"

#include <algorithm>
#include <complex>

#include <suite/plugin.hpp>

#include "wavefunctions.hpp"

namespace suite::gw {

int read_title(Records& records, const std::string& kind) {
  const auto record = records.next("title", 96);
  std::string title(record.begin(), record.begin() + 11);
  const std::string complex = kind + "-Complex", real = kind + "-Real";
  if (title == complex) return 2;
  if (title.rfind(real, 0) == 0) return 1;
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  records.fail("title", "begins with '" + title + "' where " + complex + " or " + real + " is expected");
}

Crystal CellRecords::crystal() const {
  Crystal out;
  out.volume = celvol;
  out.bdot = matrix_of(bdot.data());
  out.bvec = matrix_of(bvec.data());
  out.atoms = atoms;
  out.species = species;
  out.positions = positions;
  return out;
}

int read_sizes(const Records& records, const std::vector<char>& sizes, CellRecords& cell, int& operations) {
  const int ng = get<int32_t>(sizes, 1);
  operations = get<int32_t>(sizes, 2);
  cell.cell_symmetry = get<int32_t>(sizes, 3);
  cell.atoms = get<int32_t>(sizes, 4);
  cell.ecutrho = get_list<double>(sizes, 1, 20)[0];
  if (ng < 1 || ng > 500000000) records.fail("sizes", fmt::format("gives {} G vectors", ng));
  if (operations < 1 || operations > 48)
    records.fail("sizes", fmt::format("gives {} symmetry operations where 1 to 48 are expected", operations));
  if (cell.atoms < 1 || cell.atoms > 1000000) records.fail("sizes", fmt::format("gives {} atoms", cell.atoms));
  return ng;
}

void read_cell(Records& records, int operations, CellRecords& cell) {
  // Each lattice: volume, length, three vectors, metric.
  const auto lattice = [&](const char* what, double& volume, double& length, std::array<double, 9>& vectors,
                           std::array<double, 9>& metric) {
    const auto numbers = get_list<double>(records.next(what, 8 * 20), 20);
    volume = numbers[0];
    length = numbers[1];
    std::copy_n(numbers.begin() + 2, 9, vectors.begin());
    std::copy_n(numbers.begin() + 11, 9, metric.begin());
  };
  lattice("direct lattice", cell.celvol, cell.alat, cell.avec, cell.adot);
  lattice("reciprocal lattice", cell.recvol, cell.blat, cell.bvec, cell.bdot);
  if (const std::string wrong = wrong_volume(cell.crystal()); !wrong.empty()) records.fail("reciprocal lattice", "is damaged: " + wrong);
  const auto count = static_cast<size_t>(operations);
  cell.rotations = get_list<int>(records.next("rotations", 4LL * 9 * operations), 9 * count);
  cell.translations = get_list<double>(records.next("translations", 8LL * 3 * operations), 3 * count);
  constexpr size_t each = 3 * 8 + 4;
  const auto atoms = records.next("atoms", int64_t{each} * cell.atoms);
  for (int i = 0; i < cell.atoms; ++i) {
    const auto position = get_list<double>(atoms, 3, each * static_cast<size_t>(i));
    cell.positions.push_back({position[0], position[1], position[2]});
    cell.species.push_back(get_list<int32_t>(atoms, 1, each * static_cast<size_t>(i) + 24)[0]);
  }
}

void read_pieces(Records& records, const std::string& what, int n, const std::function<void(int done, int count)>& take) {
  const std::string pieces = "pieces of the " + what, length = "length of a piece of the " + what;
  const int count = get<int32_t>(records.next(pieces, 4), 0);
  if (count < 1 || count > n) records.fail(pieces, fmt::format("gives {} pieces", count));
  int done = 0;
  for (int piece = 0; piece < count; ++piece) {
    const int here = get<int32_t>(records.next(length, 4), 0);
    if (here < 0 || here > n - done) records.fail(length, fmt::format("announces {} G vectors after {} of {}", here, done, n));
    take(done, here);
    done += here;
  }
  if (done != n) records.fail(what, fmt::format("ends a list of {} for {} G vectors", done, n));
}

FourierFile read_fourier_file(const std::filesystem::path& path, const std::string& kind, const std::string& what) {
  FourierFile out;
  Records records(path);
  const int flavour = read_title(records, kind);
  // Spins, G, operations, cell_symmetry, atoms, cutoff (a real64).
  const auto sizes = records.next("sizes", 28);
  const int components = get<int32_t>(sizes, 0), spins = components == 4 ? 1 : components;
  if (spins != 1 && spins != 2) records.fail("sizes", fmt::format("gives {} spins where 1, 2 or 4 (for spinors) is expected", spins));
  int operations = 0;
  const int ng = read_sizes(records, sizes, out.cell, operations);
  records.next("FFT grid", 12);
  read_cell(records, operations, out.cell);
  out.crystal = out.cell.crystal();
  read_pieces(records, "G list", ng, [&](int, int n) {
    const auto g = get_list<Miller>(records.next("G list", 12LL * n), static_cast<size_t>(n));
    out.g.insert(out.g.end(), g.begin(), g.end());
  });
  out.values.resize(static_cast<size_t>(spins));
  read_pieces(records, what, ng, [&](int, int n) {
    const auto numbers = get_list<double>(records.next(what, 8LL * flavour * n * spins), static_cast<size_t>(flavour) * n * spins);
    size_t at = 0;
    for (auto& of_spin : out.values)
      for (int i = 0; i < n; ++i, at += static_cast<size_t>(flavour)) of_spin.emplace_back(numbers[at], flavour == 2 ? numbers[at + 1] : 0);
  });

  // A sphere fills half of its box; a list that does not is damaged and could ask for any amount of memory.
  int64_t box = 1;
  for (int i = 0; i < 3; ++i) {
    int reach = 0;
    for (const auto& v : out.g) {
      if (std::abs(static_cast<int64_t>(v[i])) > 1000) records.fail("G list", "has G = " + text(v));
      reach = std::max(reach, std::abs(v[i]));
    }
    box *= 2 * reach + 1;
  }
  if (box > 64LL * ng + 1000) records.fail("G list", fmt::format("has {} vectors scattered over a box of {}", ng, box));
  for (const auto& of_spin : out.values)
    for (size_t i = 0; i < out.g.size(); ++i)
      if (!(std::abs(of_spin[i]) <= 1e9)) records.fail(what, "is not a number at G = " + text(out.g[i]));
  records.require_end(what);
  return out;
}

}  // namespace suite::gw
