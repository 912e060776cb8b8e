// SPDX-License-Identifier: BSD-3-Clause
#include "epsilon.hpp"

#include <algorithm>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "complex_block.hpp"
#include "truncation.hpp"
#include "wavefunctions.hpp"

namespace suite::gw {

namespace {
const std::string header = "eps_header/";

// Of a semiconductor too: a k grid that misses the Fermi points of graphene shows a gap, and q0 is a step of it.
constexpr double largest_q0_of_file = 0.1;

Truncation truncation_of_file(const hdf5::File& file) {
  const int number = file.integer(header + "params/icutv", 0, 7);
  for (Truncation kind : {Truncation::none, Truncation::wire, Truncation::box, Truncation::slab})
    if (number == truncation_number(kind)) return kind;
  file.fail(header + "params/icutv", fmt::format("truncation {} of v where 0 (none), 4 (wire), 5 (box) or 6 (slab) is expected", number));
}

}// namespace

InverseDielectric::InverseDielectric(const std::filesystem::path& eps0, const std::filesystem::path& eps, ScreeningKind screening) {
  files_.push_back(std::make_unique<hdf5::File>(eps0));
  read_header(0, true, screening);
  if (eps.empty()) return;
  files_.push_back(std::make_unique<hdf5::File>(eps));
  read_header(1, false, screening);
}

InverseDielectric::InverseDielectric(const Crystal& crystal, const Miller& grid, double cutoff, int flavour, Truncation truncation,
                                     std::vector<std::complex<double>> frequencies, size_t on_imaginary_axis,
                                     const std::vector<Matrix>& matrices)
    : grid_(grid),
      crystal_(crystal),
      cutoff_(cutoff),
      flavour_(flavour),
      truncation_(truncation),
      frequencies_(std::move(frequencies)),
      on_imaginary_axis_(on_imaginary_axis) {
  for (const Matrix& matrix : matrices) {
    if (entries_.empty()) small_q_ = matrix.q;
    qpoints_.push_back(entries_.empty() ? Vector3{} : matrix.q);
    entries_.push_back({0, static_cast<int>(entries_.size()), matrix.g});
  }
}

void InverseDielectric::read_header(int index, bool at_zero, ScreeningKind screening) {
  const hdf5::File& file = *files_[index];
  const std::string name = file.path().string();
  file.integer(header + "versionnumber", 3, 3);
  const int parts = file.integer(header + "params/matrix_flavor", 1, 2);
  file.integer(header + "params/matrix_type", 0, 0);
  file.integer(header + "params/subspace", 0, 0);
  const Truncation truncation = truncation_of_file(file);
  const int nmatrix = file.integer(header + "params/nmatrix", 1, 4);
  const double cutoff = file.real(header + "params/ecuts", 1e-3, 1e6);
  const Crystal crystal = read_crystal(file);
  const auto grid = file.read<int>(header + "qpoints/qgrid", {3});
  const int nq = file.integer(header + "qpoints/nq", 1, at_zero ? 1 : 1000000);
  const int nfreq = file.integer(header + "freqs/nfreq", 1, 100000);
  // With several frequencies the matrices of a real crystal are complex, too.
  const int flavour = nfreq > 1 && parts == 2 ? file.integer("mf_header/flavor", 1, 2) : parts;
  const auto freqs = file.read<double>(header + "freqs/freqs", {nfreq, 2});
  std::vector<std::complex<double>> frequencies;
  const int imaginary = nfreq > 1 ? file.integer(header + "freqs/nfreq_imag", 0, nfreq) : 0;
  const auto stored = [&](int i) { return std::complex<double>(freqs[2 * i], freqs[2 * i + 1]); };
  for (int i = 0; i < nfreq; ++i)
    for (const double x : {freqs[2 * i], freqs[2 * i + 1]})
      if (!(std::abs(x) <= 1e6)) file.fail(header + "freqs/freqs", fmt::format("frequency {} is not a usable number", i + 1));
  // A list of real frequencies, then one of imaginary ones; 0 is in either, or in both.
  std::vector<int> place;
  for (int i = 0; i < nfreq; ++i)
    if (std::abs(stored(i)) <= 1e-6) place.assign(1, i);
  if (place.empty()) file.fail(header + "freqs/freqs", "none of the frequencies is zero");
  for (const bool of_imaginary : {true, false})
    for (int i = 0; i < nfreq; ++i)
      if (i != place[0] && of_imaginary == (i >= nfreq - imaginary)) place.push_back(i);
  const size_t on_imaginary_axis = static_cast<size_t>(imaginary) + (place[0] < nfreq - imaginary ? 1 : 0);
  for (const int i : place) frequencies.push_back(stored(i));

  if (at_zero) {
    for (int i = 0; i < 3; ++i)
      if (grid[i] < 1 || grid[i] > 10000)
        file.fail(header + "qpoints/qgrid", fmt::format("extent {} where 1 to 10000 is expected", grid[i]));
    grid_ = {grid[0], grid[1], grid[2]};
    crystal_ = crystal;
    cutoff_ = cutoff;
    flavour_ = flavour;
    truncation_ = truncation;
    frequencies_ = frequencies;
    on_imaginary_axis_ = on_imaginary_axis;
    place_ = place;
  } else {
    const std::string first = files_[0]->path().string();
    require_same_cell(crystal_, first, crystal, name);
    const auto differ = [&](const std::string& what, const std::string& a, const std::string& b) {
      throw Failure(SUITE_INVALID_ARGUMENT, what + " is " + a + " in " + first + " and " + b + " in " + name);
    };
    if (!(std::abs(cutoff - cutoff_) <= 1e-6)) differ("the cutoff", fmt::format("{:f} Ry", cutoff_), fmt::format("{:f} Ry", cutoff));
    if (Miller{grid[0], grid[1], grid[2]} != grid_) differ("the q grid", text(grid_), text(Miller{grid[0], grid[1], grid[2]}));
    if (truncation != truncation_) differ("the truncation of v", truncation_name(truncation_), truncation_name(truncation));
    if (flavour != flavour_) differ("the flavour", std::to_string(flavour_), std::to_string(flavour));
    if (frequencies.size() != frequencies_.size())
      differ("the number of frequencies", std::to_string(frequencies_.size()), std::to_string(frequencies.size()));
    for (size_t i = 0; i < frequencies.size(); ++i)
      if (!(std::abs(frequencies[i] - frequencies_[i]) <= 1e-6) || place[i] != place_[i])
        throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("frequency {} differs between {} and {}", i + 1, first, name));
  }

  const int ng = file.integer("mf_header/gspace/ng", 1, 500000000);
  const int largest = file.integer(header + "gspace/nmtx_max", 1, ng);
  matrix_extent_[index] = {nq, nmatrix, nfreq, largest, largest, parts};
  if (file.shape("mats/matrix") != matrix_extent_[index]) file.read<double>("mats/matrix", matrix_extent_[index]);  // fails
  const auto components = file.read<int>("mf_header/gspace/components", {ng, 3});
  const auto sizes = file.read<int>(header + "gspace/nmtx", {nq});
  const auto order = file.read<int>(header + "gspace/gind_eps2rho", {nq, ng});
  const auto points = file.read<double>(header + "qpoints/qpts", {nq, 3});
  const auto done = file.read<int>(header + "qpoints/qpt_done", {nq});
  for (int iq = 0; iq < nq; ++iq) {
    Vector3 q{points[3 * iq], points[3 * iq + 1], points[3 * iq + 2]};
    const std::string label = fmt::format("q point {}", iq + 1);
    for (double x : q)
      if (!(std::abs(x) <= 100)) file.fail(header + "qpoints/qpts", label + " is " + text(q));
    if (!done[iq]) file.fail(header + "qpoints/qpt_done", label + ", " + text(q) + ", was not finished");
    if (sizes[iq] < 1 || sizes[iq] > largest)
      file.fail(header + "gspace/nmtx", fmt::format("{} has {} G vectors where 1 to {} are expected", label, sizes[iq], largest));
    const Vector3 stored = q;
    if (at_zero) {
      if (!(distance(q, {0, 0, 0}) <= std::max(largest_q0_of_file, largest_q0(screening))))
        file.fail(header + "qpoints/qpts", label + " is " + text(q) + " where a small q is expected");
      small_q_ = q;
      q = {0, 0, 0};
    } else if (distance(q, {0, 0, 0}) <= 1e-6) {
      file.fail(header + "qpoints/qpts", label + " is zero, which belongs to " + files_[0]->path().filename().string());
    }
    Entry entry{index, iq, {}};
    for (int i = 0; i < sizes[iq]; ++i) {
      const int g = order[static_cast<size_t>(iq) * ng + i] - 1;
      if (g < 0 || g >= ng) file.fail(header + "gspace/gind_eps2rho", fmt::format("{} points at G vector {} of {}", label, g + 1, ng));
      entry.g.push_back({components[3 * g], components[3 * g + 1], components[3 * g + 2]});
      for (int x : entry.g.back())
        if (std::abs(static_cast<int64_t>(x)) > 10000)
          file.fail("mf_header/gspace/components", fmt::format("G vector {} is {}", g + 1, text(entry.g.back())));
      // epsilon.x takes the G of the small q by |G| alone: in a large cell some of a shell at the cutoff have |q+G| beyond it.
      const double length = std::min(length2(crystal.bdot, stored + entry.g.back()), length2(crystal.bdot, q + entry.g.back()));
      if (!(length <= cutoff * (1 + 1e-6)))
        file.fail(header + "gspace/gind_eps2rho", "G = " + text(entry.g.back()) + " of " + label + " lies outside the cutoff");
    }
    auto sorted = entry.g;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      file.fail(header + "gspace/gind_eps2rho", label + " has a G vector twice");
    entries_.push_back(std::move(entry));
    qpoints_.push_back(q);
  }
}

int InverseDielectric::largest() const {
  size_t n = 0;
  for (const auto& entry : entries_) n = std::max(n, entry.g.size());
  return static_cast<int>(n);
}

std::vector<double> InverseDielectric::truncated_v(int q) const {
  const Entry& entry = entries_[q];
  const auto n = static_cast<int64_t>(entry.g.size());
  const auto& extent = matrix_extent_[entry.file];
  const std::lock_guard lock(*reading_);
  return files_[entry.file]->read_block<double>(header + "gspace/vcoul", {extent[0], extent[3]}, {entry.row, 0}, {1, n});
}

std::vector<std::complex<double>> InverseDielectric::columns(int q, int frequency, int64_t first, int64_t count) const {
  if (files_.empty()) throw Failure(SUITE_INTERNAL, "the elements of eps^-1 were not computed yet");
  const Entry& entry = entries_[q];
  const hdf5::File& file = *files_[entry.file];
  const int64_t n = static_cast<int64_t>(entry.g.size());
  std::vector<std::complex<double>> out(static_cast<size_t>(n * count));
  {
    const std::lock_guard lock(*reading_);
    read_complex_block(file, "mats/matrix", matrix_extent_[entry.file], {entry.row, 0, place_[static_cast<size_t>(frequency)], first, 0, 0},
                       {1, 1, 1, count, n, matrix_extent_[entry.file][5]}, out.data());
  }
  for (size_t i = 0; i < out.size(); ++i)
    if (!(std::abs(out[i]) <= 1e6))
      file.fail("mats/matrix",
                fmt::format("element ({}, {}) of q = {} is not a usable number", i % n + 1, first + i / n + 1, text(qpoints_[q])));
  return out;
}

}  // namespace suite::gw
