// SPDX-License-Identifier: BSD-3-Clause
#include "eshdf.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "hdf5/hdf5.hpp"

namespace suite::vmc {
namespace {

constexpr int most_kpoints = 100000, most_states = 100000, most_atoms = 100000;
constexpr int64_t most_waves = 1 << 24;
constexpr int32_t largest_wave = 1 << 14;
constexpr double whole_to = 1e-6;         // of sums of reduced coordinates
constexpr double normalised_to = 1e-3;    // of the plane waves of an orbital
constexpr double least_distance = 0.1;    // bohr, of nuclei
constexpr double most_spline_bytes = 64e9;

// The plane waves of QMCPACK's files, with the names of datasets as they have them.
class EshdfReader {
public:
  explicit EshdfReader(const std::filesystem::path& path) : file_(path) {
    if (!file_.has("electrons/kpoint_0") || !file_.has("supercell/primitive_vectors"))
      refuse("there are no 'electrons/kpoint_0' and 'supercell/primitive_vectors'; is this an ES-HDF file, as pw2qmcpack.x writes it?");
    kpoints_ = file_.integer("electrons/number_of_kpoints", 1, most_kpoints);
    spins_ = file_.integer("electrons/number_of_spins", 1, 2);
  }

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw Failure(SUITE_INVALID_ARGUMENT, file_.path().string() + ": " + sentence);
  }
  int kpoints() const { return kpoints_; }
  int spins() const { return spins_; }
  int integer(const std::string& name, int low, int high) const { return file_.integer(name, low, high); }

  std::vector<double> reals(const std::string& name, const std::vector<int64_t>& shape) const {
    auto values = file_.read<double>(name, shape);
    for (size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i])) refuse(fmt::format("{}: number {} of {} is not finite", name, i + 1, values.size()));
    return values;
  }
  std::vector<int> integers(const std::string& name, const std::vector<int64_t>& shape, int low, int high) const {
    auto values = file_.read<int>(name, shape);
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] < low || values[i] > high)
        refuse(fmt::format("{}: number {} is {}; it must be from {} to {}", name, i + 1, values[i], low, high));
    return values;
  }
  std::string text(const std::string& name) const {
    std::string text = file_.texts(name, file_.shape(name)).at(0);
    text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }

  static std::string kpoint(int k) { return fmt::format("electrons/kpoint_{}", k); }
  static std::string of_spin(int k, int spin) { return fmt::format("{}/spin_{}", kpoint(k), spin); }
  std::array<double, 3> reduced_k(int k) const {
    const auto values = reals(kpoint(k) + "/reduced_k", {3});
    return {values[0], values[1], values[2]};
  }
  std::vector<double> eigenvalues(int k, int spin) const {
    const int states = integer(of_spin(k, spin) + "/number_of_states", 1, most_states);
    auto values = reals(of_spin(k, spin) + "/eigenvalues", {hdf5::any});
    if (std::ssize(values) < states)
      refuse(fmt::format("{}/eigenvalues has {} numbers for {} states", of_spin(k, spin), values.size(), states));
    values.resize(static_cast<size_t>(states));
    return values;
  }
  std::vector<int32_t> gvectors(int k) const {
    std::string name = kpoint(k) + "/gvectors";
    if (!file_.has(name)) name = kpoint(0) + "/gvectors";  // older files have them once
    const auto shape = file_.shape(name);
    if (shape.size() != 2 || shape[0] < 1 || shape[0] > most_waves)
      refuse(fmt::format("{} must have from 1 to {} rows of three numbers", name, most_waves));
    const auto values = integers(name, {shape[0], 3}, -largest_wave, largest_wave);
    return {values.begin(), values.end()};
  }
  PlaneWaves state(int k, int spin, size_t number, size_t waves) const {
    const std::string name = fmt::format("{}/state_{}", of_spin(k, spin), number);
    if (!file_.has(name + "/psi_g"))
      refuse(fmt::format("there is no {}/psi_g: orbitals are read by their plane waves{}", name,
                         file_.has(name + "/psi_r") ? ", and the file has them on a mesh" : ""));
    const auto values = reals(name + "/psi_g", {static_cast<int64_t>(waves), 2});
    PlaneWaves psi(waves);
    double norm = 0;
    for (size_t i = 0; i < waves; ++i) psi[i] = {values[2 * i], values[2 * i + 1]}, norm += std::norm(psi[i]);
    if (!(std::abs(norm - 1) < normalised_to)) refuse(fmt::format("{}/psi_g is not normalised: its square is {:.6g}", name, norm));
    return psi;
  }

private:
  hdf5::File file_;
  int kpoints_ = 0, spins_ = 0;
};

using Supercell = std::array<std::array<long, 3>, 3>;

long cells_of(const Supercell& t) {
  return std::abs(t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) - t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                  t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]));
}

bool is_whole(double x) { return std::abs(x - std::round(x)) < whole_to; }
bool is_whole(const std::array<double, 3>& k) { return is_whole(k[0]) && is_whole(k[1]) && is_whole(k[2]); }
std::array<double, 3> added(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

// A k point of the file that the supercell has.
struct Block {
  int kpoint = 0;
  std::array<double, 3> k{};
  bool paired = false;
  bool reversed = false;  // the file has -k, whose functions are the complex conjugates
};

std::array<double, 3> negative(const std::array<double, 3>& k) { return {-k[0], -k[1], -k[2]}; }

// Whether the supercell has k at its twist.
bool belongs(const EshdfChoice& choice, const std::array<double, 3>& k) {
  std::array<double, 3> in_supercell{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) in_supercell[i] += static_cast<double>(choice.supercell[i][j]) * k[j];
    in_supercell[i] -= choice.twist[i];
  }
  return is_whole(in_supercell);
}

// Each k once: as the file has it, or else from -k.
std::vector<Block> complex_blocks(const EshdfReader& file, const EshdfChoice& choice) {
  std::vector<Block> blocks;
  for (const bool reversed : {false, true})
    for (int k = 0; k < file.kpoints(); ++k) {
      const auto there = file.reduced_k(k);
      const Block block{k, reversed ? negative(there) : there, false, reversed};
      const auto same = [&](const Block& other) { return is_whole(added(block.k, negative(other.k))); };
      if (belongs(choice, block.k) && std::none_of(blocks.begin(), blocks.end(), same)) blocks.push_back(block);
    }
  return blocks;
}

// One of k and -k.
std::vector<Block> real_blocks(const EshdfReader& file, const EshdfChoice& choice) {
  std::vector<Block> blocks;
  for (int k = 0; k < file.kpoints(); ++k) {
    Block block{k, file.reduced_k(k)};
    if (!belongs(choice, block.k)) continue;
    block.paired = !is_whole(added(block.k, block.k));
    const auto same = [&](const Block& other) { return is_whole(added(block.k, negative(other.k))) || is_whole(added(block.k, other.k)); };
    if (std::none_of(blocks.begin(), blocks.end(), same)) blocks.push_back(block);
  }
  return blocks;
}

std::vector<Block> blocks_of(const EshdfReader& file, const EshdfChoice& choice) {
  const auto blocks = choice.complex ? complex_blocks(file, choice) : real_blocks(file, choice);
  long found = 0;
  for (const Block& block : blocks) found += block.paired ? 2 : 1;
  const long needed = cells_of(choice.supercell);
  const std::string twist = fmt::format("({:g}, {:g}, {:g})", choice.twist[0], choice.twist[1], choice.twist[2]);
  if (needed == 1 && found == 0) {
    std::string all;
    for (int k = 0; k < std::min(file.kpoints(), 8); ++k) {
      const auto at = file.reduced_k(k);
      all += fmt::format("{}({:g}, {:g}, {:g})", k ? ", " : "", at[0], at[1], at[2]);
    }
    file.refuse(fmt::format("it has no k point {}; it has {}{}", twist, all, file.kpoints() > 8 ? ", ..." : ""));
  }
  if (found != needed)
    file.refuse(fmt::format("a supercell of {} cells at the twist {} needs {} k points, with -k counted beside k; the file has {} of them",
                            needed, twist, needed, found));
  return blocks;
}

// The lowest states of a spin, by their number at each block. gap: as EshdfFile::gap.
std::vector<size_t> filled_states(const EshdfReader& file, const std::vector<Block>& blocks, int spin, int64_t count, double& gap) {
  struct Level {
    double energy;
    size_t block;
  };
  std::vector<Level> levels;
  int64_t room = 0;
  for (size_t b = 0; b < blocks.size(); ++b)
    for (const double energy : file.eigenvalues(blocks[b].kpoint, spin)) {
      levels.push_back({energy, b});
      room += blocks[b].paired ? 2 : 1;
    }
  if (room < count) file.refuse(fmt::format("{} electrons of a spin need as many orbitals; the file has {} at these k", count, room));
  std::stable_sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) { return a.energy < b.energy; });
  std::vector<size_t> states(blocks.size(), 0);
  int64_t filled = 0;
  double highest = 0;
  for (const Level& level : levels) {
    if (filled == count) {
      gap = level.energy - highest;
      break;
    }
    highest = level.energy;
    const auto& block = blocks[level.block];
    filled += block.paired ? 2 : 1;
    if (filled > count)
      file.refuse(
          fmt::format("the highest of {} electrons of a spin would fill one of the two orbitals at k and -k, ({:g}, {:g}, {:g}): "
                      "an open shell; with 'complex_wf: true' one of them can be filled",
                      count, block.k[0], block.k[1], block.k[2]));
    ++states[level.block];
  }
  return states;
}

std::complex<double> overlap_of(const PlaneWaves& a, const PlaneWaves& b) {
  std::complex<double> sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

std::vector<BlochFunctions> bloch_functions(const EshdfReader& file, const std::vector<Block>& blocks, int spin, int64_t count,
                                            double& gap) {
  std::vector<BlochFunctions> functions;
  const auto states = filled_states(file, blocks, spin, count, gap);
  for (size_t b = 0; b < blocks.size(); ++b) {
    if (states[b] == 0) continue;
    BlochFunctions one;
    one.k = blocks[b].k;
    one.paired = blocks[b].paired;
    one.gvec = file.gvectors(blocks[b].kpoint);
    for (size_t i = 0; i < states[b]; ++i) one.states.push_back(file.state(blocks[b].kpoint, spin, i, one.gvec.size() / 3));
    if (blocks[b].reversed) {
      for (int32_t& g : one.gvec) g = -g;
      for (PlaneWaves& state : one.states)
        for (auto& c : state) c = std::conj(c);
    }
    for (size_t i = 0; i < one.states.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (const double overlap = std::abs(overlap_of(one.states[i], one.states[j])); !(overlap < normalised_to))
          file.refuse(fmt::format("{}: the states {} and {} are not orthogonal; their overlap is {:.3g}",
                                  EshdfReader::of_spin(blocks[b].kpoint, spin), j, i, overlap));
    functions.push_back(std::move(one));
  }
  return functions;
}

// Lattice vectors of the file's cell whose sums with an atom of it are the atoms of the supercell.
std::vector<std::array<double, 3>> copies_of_cell(const qmc::Lattice& file_cell, const qmc::Lattice& supercell, long cells) {
  std::vector<std::array<double, 3>> shifts;
  const auto reach = static_cast<long>(std::ceil(4 * supercell.circumscribed_radius / (2 * file_cell.inscribed_radius))) + 1;
  for (long i = -reach; i <= reach; ++i)
    for (long j = -reach; j <= reach; ++j)
      for (long k = -reach; k <= reach; ++k) {
        std::array<double, 3> r{};
        bool inside = true;
        for (size_t d = 0; d < 3; ++d)
          r[d] = static_cast<double>(i) * file_cell.a[0][d] + static_cast<double>(j) * file_cell.a[1][d] +
                 static_cast<double>(k) * file_cell.a[2][d];
        for (const auto& b : supercell.b) {
          const double fraction = (r[0] * b[0] + r[1] * b[1] + r[2] * b[2]) / (2 * std::numbers::pi);
          inside = inside && fraction > -whole_to && fraction < 1 - whole_to;
        }
        if (inside) shifts.push_back(r);
      }
  if (std::ssize(shifts) != cells)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("the supercell has {} cells, but {} were found in it", cells, shifts.size()));
  return shifts;
}

void read_atoms(const EshdfReader& file, const std::vector<std::array<double, 3>>& shifts, EshdfFile& out) {
  const int n = file.integer("atoms/number_of_atoms", 1, most_atoms), nspecies = file.integer("atoms/number_of_species", 1, n);
  const auto species = file.integers("atoms/species_ids", {n}, 0, nspecies - 1);
  const auto positions = file.reals("atoms/positions", {n, 3});
  Molecule& m = out.molecule;
  for (const auto& shift : shifts)
    for (size_t a = 0; a < species.size(); ++a) {
      const std::string group = fmt::format("atoms/species_{}/", species[a]);
      m.label.push_back(file.text(group + "name"));
      m.charge.push_back(file.integer(group + "valence_charge", 1, 200));
      out.atomic_number.push_back(file.integer(group + "atomic_number", 1, 200));
      for (size_t d = 0; d < 3; ++d) m.rion.push_back(positions[3 * a + d] + shift[d]);
    }
}

void check_distances(const EshdfReader& file, const Molecule& m, const qmc::Lattice& lattice) {
  if (2 * lattice.inscribed_radius < least_distance)
    file.refuse(fmt::format("the cell repeats after {:.3g} bohr", 2 * lattice.inscribed_radius));
  for (size_t a = 0; a < m.charge.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      double d[3];
      for (size_t x = 0; x < 3; ++x) d[x] = m.rion[3 * a + x] - m.rion[3 * b + x];
      qmc::closest_image(lattice.images, d[0], d[1], d[2]);
      if (const double r = std::hypot(d[0], d[1], d[2]); r < least_distance)
        file.refuse(fmt::format("atoms {} ({}) and {} ({}) are {:.3g} bohr apart", b + 1, m.label[b], a + 1, m.label[a], r));
    }
}

}  // namespace

bool is_eshdf(const std::filesystem::path& path) {
  const hdf5::File file(path);
  return file.has("supercell") && file.has("electrons");
}

bool needs_complex(const std::array<double, 3>& twist) { return !is_whole(added(twist, twist)); }

std::array<double, 3> first_twist(const std::filesystem::path& path) {
  const EshdfReader file(path);
  for (int k = 0; k < file.kpoints(); ++k)
    if (is_whole(file.reduced_k(k))) return {};
  return file.reduced_k(0);
}

EshdfFile read_eshdf(const std::filesystem::path& path, const EshdfChoice& choice) {
  const EshdfReader file(path);
  EshdfFile out;
  auto crystal = std::make_shared<Crystal>();
  const long cells = cells_of(choice.supercell);
  if (cells == 0) file.refuse("the vectors of the supercell lie in a plane");
  const auto vectors = file.reals("supercell/primitive_vectors", {3, 3});
  std::copy(vectors.begin(), vectors.end(), crystal->spline_cell.begin());
  for (size_t i = 0; i < 3; ++i)
    for (size_t d = 0; d < 3; ++d)
      for (size_t j = 0; j < 3; ++j)
        crystal->cell[3 * i + d] += static_cast<double>(choice.supercell[i][j]) * crystal->spline_cell[3 * j + d];
  const qmc::Lattice file_cell = qmc::lattice_of(crystal->spline_cell.data());
  crystal->lattice = qmc::lattice_of(crystal->cell.data());
  crystal->copies = cells;
  crystal->twist = choice.twist;
  crystal->complex = choice.complex;
  read_atoms(file, copies_of_cell(file_cell, crystal->lattice, cells), out);
  check_distances(file, out.molecule, crystal->lattice);

  const auto electrons = file.integers("electrons/number_of_electrons", {2}, 0, most_states);
  if (electrons[0] < 1) file.refuse("electrons/number_of_electrons: there must be at least one electron with spin up");
  const auto blocks = blocks_of(file, choice);
  std::array<std::vector<BlochFunctions>, 2> functions;
  std::vector<BlochFunctions> all;
  const bool alike = file.spins() == 1 && electrons[0] == electrons[1];
  for (size_t spin = 0; spin < 2; ++spin) {
    out.nele[spin] = static_cast<int32_t>(electrons[spin] * cells);
    if (out.nele[spin] == 0 || (spin == 1 && alike)) continue;
    functions[spin] = bloch_functions(file, blocks, file.spins() == 2 ? static_cast<int>(spin) : 0, out.nele[spin], out.gap[spin]);
    all.insert(all.end(), functions[spin].begin(), functions[spin].end());
  }
  crystal->mesh = spline_mesh(all, choice.mesh_factor);
  const double points =
      static_cast<double>(crystal->mesh[0]) * static_cast<double>(crystal->mesh[1]) * static_cast<double>(crystal->mesh[2]);
  if (const double bytes = 16 * points * static_cast<double>(out.nele[0] + out.nele[1]); bytes > most_spline_bytes)
    file.refuse(fmt::format("splines on a mesh of {} x {} x {} would take {:.3g} GB; reduce system.mesh_factor", crystal->mesh[0],
                            crystal->mesh[1], crystal->mesh[2], bytes / 1e9));
  for (size_t spin = 0; spin < 2; ++spin) {
    if (spin == 1 && alike) crystal->spin[1] = crystal->spin[0];
    else if (out.nele[spin] > 0) crystal->spin[spin] = spline_table(functions[spin], file_cell, crystal->mesh, choice.complex);
  }
  out.molecule.crystal = std::move(crystal);
  return out;
}

}  // namespace suite::vmc
