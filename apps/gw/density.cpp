// SPDX-License-Identifier: BSD-3-Clause
#include "density.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::gw {

namespace {

// Fortran sequential unformatted records: a length of four bytes before and after each.
class Records {
public:
  explicit Records(const std::filesystem::path& path) : path_(path), stream_(path, std::ios::binary) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) || !stream_)
      throw Failure(SUITE_NOT_FOUND, path.string() + ": there is no such file");
    size_ = static_cast<int64_t>(std::filesystem::file_size(path));
  }
  // The next record; `bytes` is the length it must have, -1 if unknown.
  std::vector<char> next(const std::string& what, int64_t bytes = -1) {
    const int64_t length = mark(what);
    if (length < 0 || position_ + length + 4 > size_)
      fail(what, fmt::format("says it has {} bytes, and {} follow in the file", length, size_ - position_));
    if (bytes >= 0 && length != bytes) fail(what, fmt::format("has {} bytes where {} are expected", length, bytes));
    std::vector<char> data(length);
    stream_.read(data.data(), length);
    position_ += length;
    if (mark(what) != length) fail(what, fmt::format("does not end with its length of {} bytes", length));
    return data;
  }
  [[noreturn]] void fail(const std::string& what, const std::string& sentence) const {
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}: record {} ({}) {}", path_.string(), number_, what, sentence));
  }

private:
  int64_t mark(const std::string& what) {
    if (!inside_) ++number_;
    inside_ = !inside_;
    int32_t length = 0;
    if (!stream_.read(reinterpret_cast<char*>(&length), 4)) fail(what, fmt::format("is missing: the file ends after {} bytes", size_));
    position_ += 4;
    return length;
  }
  std::filesystem::path path_;
  std::ifstream stream_;
  int64_t size_ = 0, position_ = 0;
  int number_ = 0;
  bool inside_ = false;
};

template <class T> T get(const std::vector<char>& record, size_t index) {
  T value;
  std::memcpy(&value, record.data() + index * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

Density::Density(std::span<const Miller> G, std::span<const std::complex<double>> rho)
    : g_(G.begin(), G.end()), rho_(rho.begin(), rho.end()) {
  if (G.size() != rho.size())
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the density has {} values for {} G vectors", rho.size(), G.size()));
  constexpr int largest = 1000;  // no file of this world needs a larger box
  for (const auto& g : G)
    for (int i = 0; i < 3; ++i) {
      if (std::abs(g[i]) > largest)
        throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the density has a G vector with component {}", g[i]));
      reach_[i] = std::max(reach_[i], std::abs(g[i]));
    }
  if (G.empty()) return;
  box_.resize(static_cast<size_t>(2 * reach_[0] + 1) * (2 * reach_[1] + 1) * (2 * reach_[2] + 1));
  for (size_t i = 0; i < G.size(); ++i) {
    const auto& g = G[i];
    box_[(static_cast<size_t>(g[0] + reach_[0]) * (2 * reach_[1] + 1) + (g[1] + reach_[1])) * (2 * reach_[2] + 1) + (g[2] + reach_[2])] =
        rho[i];
  }
  electrons_ = at({0, 0, 0}).real();
}

DensityFile read_density(const std::filesystem::path& path) {
  DensityFile out;
  Records records(path);
  const auto title = records.next("title", 96);
  const std::string kind(title.begin(), title.begin() + 11);
  const bool is_complex = kind == "RHO-Complex";
  if (!is_complex && kind.substr(0, 8) != "RHO-Real")
    records.fail("title", "begins with '" + kind + "' where RHO-Complex or RHO-Real is expected");
  // nspin, number of G, ntran, cell_symmetry, number of atoms, cutoff (a real64)
  const auto sizes = records.next("sizes", 28);
  const int nspin = get<int32_t>(sizes, 0), ng = get<int32_t>(sizes, 1), ntran = get<int32_t>(sizes, 2), nat = get<int32_t>(sizes, 4);
  if (nspin == 2) records.fail("sizes", "is of a spin-polarised charge density (nspin 2), which is not supported yet");
  if (nspin != 1) records.fail("sizes", fmt::format("gives {} spins where 1 is expected", nspin));
  if (ng < 1 || ng > 500000000) records.fail("sizes", fmt::format("gives {} G vectors", ng));
  if (ntran < 1 || ntran > 48) records.fail("sizes", fmt::format("gives {} symmetry operations where 1 to 48 are expected", ntran));
  if (nat < 1 || nat > 1000000) records.fail("sizes", fmt::format("gives {} atoms", nat));
  out.crystal.atoms = nat;
  records.next("FFT grid", 12);
  out.crystal.volume = get<double>(records.next("direct lattice", 8 * 20), 0);
  const auto reciprocal = records.next("reciprocal lattice", 8 * 20);  // volume, blat, bvec, bdot
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.crystal.bdot[i][j] = get<double>(reciprocal, 11 + 3 * i + j);
  records.next("rotations", 4LL * 9 * ntran);
  records.next("translations", 8LL * 3 * ntran);
  records.next("atoms", (8LL * 3 + 4) * nat);

  // A file may hold its list in several pieces.
  std::vector<Miller> g;
  const auto pieces = [&](const char* what) {
    const int n = get<int32_t>(records.next(what, 4), 0);
    if (n < 1 || n > ng) records.fail(what, fmt::format("gives {} pieces", n));
    return n;
  };
  const auto length = [&](const char* what, size_t done) {
    const int n = get<int32_t>(records.next(what, 4), 0);
    if (n < 0 || n > ng - static_cast<int>(done)) records.fail(what, fmt::format("announces {} G vectors after {} of {}", n, done, ng));
    return n;
  };
  for (int piece = pieces("pieces of the G list"); piece > 0; --piece) {
    const int n = length("length of a G list", g.size());
    const auto record = records.next("G list", 12LL * n);
    for (int i = 0; i < n; ++i)
      g.push_back({get<int32_t>(record, 3 * i), get<int32_t>(record, 3 * i + 1), get<int32_t>(record, 3 * i + 2)});
  }
  std::vector<std::complex<double>> rho;
  const int64_t width = is_complex ? 16 : 8;
  for (int piece = pieces("pieces of the density"); piece > 0; --piece) {
    const int n = length("length of a piece of the density", rho.size());
    const auto record = records.next("density", width * n);
    for (int i = 0; i < n; ++i) rho.push_back(is_complex ? get<std::complex<double>>(record, i) : get<double>(record, i));
  }
  if (g.size() != static_cast<size_t>(ng) || rho.size() != g.size())
    records.fail("density", fmt::format("ends a file of {} components for {} G vectors", rho.size(), ng));

  // A sphere fills half of its box; a list that does not is damaged and could ask for any amount of memory.
  int64_t box = 1;
  for (int i = 0; i < 3; ++i) {
    int reach = 0;
    for (const auto& v : g) {
      if (std::abs(static_cast<int64_t>(v[i])) > 1000) records.fail("G list", "has G = " + text(v));
      reach = std::max(reach, std::abs(v[i]));
    }
    box *= 2 * reach + 1;
  }
  if (box > 64LL * ng + 1000) records.fail("G list", fmt::format("has {} vectors scattered over a box of {}", ng, box));
  for (size_t i = 0; i < g.size(); ++i)
    if (!(std::abs(rho[i]) <= 1e9)) records.fail("density", "is not a number at G = " + text(g[i]));
  out.rho = Density(g, rho);
  if (!(out.rho.electrons() > 0)) records.fail("density", fmt::format("gives {:f} electrons", out.rho.electrons()));
  return out;
}

namespace {

// rho(G) as its image under the operation has it.
std::complex<double> from_image(const Density& rho, const Operation& operation, const Miller& g) {
  const Miller image = operation(g);
  return rho.at(image) * std::polar(1.0, -operation.phase(image));
}

}  // namespace

double asymmetry(const Density& rho, const std::vector<Operation>& operations) {
  double worst = 0;
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (size_t i = 0; i < operations.size(); ++i)
    for (const auto& g : rho.gvectors()) worst = std::max(worst, std::norm(from_image(rho, operations[i], g) - rho.at(g)));
  return std::sqrt(worst);
}

Density symmetrised(const Density& rho, const std::vector<Operation>& operations) {
  std::vector<std::complex<double>> mean;
  for (const auto& g : rho.gvectors()) {
    std::complex<double> sum = 0;
    for (const auto& operation : operations) sum += from_image(rho, operation, g);
    mean.push_back(sum / static_cast<double>(operations.size()));
  }
  return Density(rho.gvectors(), mean);
}

}  // namespace suite::gw
