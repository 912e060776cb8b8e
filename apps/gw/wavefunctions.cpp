// SPDX-License-Identifier: BSD-3-Clause
#include "wavefunctions.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "records.hpp"
#include "spin_rotation.hpp"

namespace suite::gw {

namespace {

constexpr double norm_tolerance = 1e-3;  // norm-conserving wavefunctions are normalised to single precision or better

void check_operations(const WavefunctionFile& file) {
  const Matrix3& bdot = file.header().crystal.bdot;
  const auto& operations = file.header().operations;
  for (size_t s = 0; s < operations.size(); ++s) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        Vector3 a{}, b{};
        a[i] = b[j] = 1;
        const double kept = dot(bdot, operations[s](a), operations[s](b));
        if (!(std::abs(kept - bdot[i][j]) <= 1e-5 * (bdot[i][i] + bdot[j][j])))
          file.fail("symmetry/mtrx", fmt::format("operation {} does not keep the lattice", s + 1));
      }
    for (double t : operations[s].translation)
      if (!(std::abs(t) <= 100)) file.fail("symmetry/tnp", fmt::format("operation {} has the translation {:f}", s + 1, t));
  }
}

}  // namespace

Matrix3 matrix_of(const double* numbers) {
  Matrix3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] = numbers[3 * i + j];
  return out;
}

// What is neither is left to HDF5, which says what is wrong.
std::unique_ptr<WavefunctionFile> WavefunctionFile::open(const std::filesystem::path& path) {
  return has_records(path) ? open_wavefunctions_binary(path) : open_wavefunctions_hdf5(path);
}

std::vector<Operation> operations_of(int count, const int* rotations, const double* translations) {
  std::vector<Operation> operations(static_cast<size_t>(count));
  for (int s = 0; s < count; ++s) {
    // Fortran's mtrx(i,j,s) acts on k; in C order that is [s][j][i].
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) operations[s].rotation[i][j] = rotations[(s * 3 + j) * 3 + i];
      operations[s].translation[i] = translations[s * 3 + i];
    }
  }
  return operations;
}

Crystal read_crystal(const hdf5::File& file) {
  Crystal crystal;
  crystal.volume = file.real("mf_header/crystal/celvol", 1e-3, 1e9);
  crystal.atoms = file.integer("mf_header/crystal/nat", 1, 1000000);
  crystal.species = file.read<int>("mf_header/crystal/atyp", {crystal.atoms});
  const auto positions = file.read<double>("mf_header/crystal/apos", {crystal.atoms, 3});
  for (size_t i = 0; i < crystal.species.size(); ++i)
    crystal.positions.push_back({positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]});
  const auto bdot = file.read<double>("mf_header/crystal/bdot", {3, 3});
  crystal.bdot = matrix_of(bdot.data());
  crystal.bvec = matrix_of(file.read<double>("mf_header/crystal/bvec", {3, 3}).data());
  if (const std::string wrong = wrong_volume(crystal); !wrong.empty()) file.fail("mf_header/crystal/bdot", wrong);
  return crystal;
}

std::string wrong_volume(const Crystal& crystal) {
  const auto& b = crystal.bdot;
  const double determinant = b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[2][1]) - b[0][1] * (b[1][0] * b[2][2] - b[1][2] * b[2][0]) +
                             b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0]);
  const double volume = determinant > 0 ? std::pow(2 * std::numbers::pi, 3) / std::sqrt(determinant) : 0;
  if (std::abs(volume - crystal.volume) <= 1e-5 * crystal.volume) return "";
  return fmt::format("it makes a cell of {:.8g} bohr^3 but celvol is {:.8g}", volume, crystal.volume);
}

void require_same_cell(const Crystal& a, const std::string& file_a, const Crystal& b, const std::string& file_b) {
  double scale = 0, worst = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      scale = std::max(scale, std::abs(a.bdot[i][j]));
      worst = std::max(worst, std::abs(a.bdot[i][j] - b.bdot[i][j]));
    }
  if (!(worst <= 1e-5 * scale))
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("{} and {} describe different cells ({:.8g} and {:.8g} bohr^3)", file_a, file_b, a.volume, b.volume));
  if (a.positions.empty() || b.positions.empty()) return;
  if (a.species != b.species)
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("{} and {} have different atoms in the same cell", file_a, file_b));
  for (size_t i = 0; i < a.positions.size(); ++i)
    if (!(distance(a.positions[i], b.positions[i]) <= 1e-5))
      throw Failure(SUITE_INVALID_ARGUMENT,
                    fmt::format("atom {} is not at the same place in {} and {}: the origins may differ", i + 1, file_a, file_b));
}

Wavefunctions::Wavefunctions(const std::filesystem::path& path, KGrid kgrid, const LevelSettings& settings, int corrected,
                             const std::optional<std::array<double, 2>>& fermi)
    : file_(WavefunctionFile::open(path)) {
  check_operations(*file_);
  if (spinors() == 2) {
    if (spins() == 2) file_->fail("kpoints/nspin", "2 where 1 is expected with two spinor components");
    if (flavour() == 1) file_->fail("flavor", "1 (real) where 2 (complex) is expected with two spinor components");
    operations_ = with_spin_rotations(header().operations, crystal());
  } else {
    operations_ = header().operations;
  }
  check_points(kgrid);
  check_occupations();
  levels_ = Levels(*file_, settings, corrected, fermi);
}

void Wavefunctions::check_points(KGrid kgrid) const {
  const WavefunctionHeader& h = header();
  for (int i = 0; i < 3; ++i) {
    const int least = kgrid == KGrid::none ? 0 : 1;
    if (h.grid[i] < least || h.grid[i] > 10000)
      file_->fail("kpoints/kgrid", fmt::format("extent {} where {} to 10000 is expected", h.grid[i], least));
    if (!(std::abs(h.shift[i]) <= 100)) file_->fail("kpoints/shift", fmt::format("the shift {} is no shift", h.shift[i]));
  }
  for (size_t k = 0; k < h.kpoints.size(); ++k)
    for (double x : h.kpoints[k])
      if (!(std::abs(x) <= 100)) file_->fail("kpoints/rk", fmt::format("k point {} is {}", k + 1, text(h.kpoints[k])));
  for (size_t i = 0; i < h.energies.size(); ++i)
    if (!(std::abs(h.energies[i]) <= 1e6))
      file_->fail("kpoints/el", fmt::format("the energy of band {} at k point {} is {:f}", i % h.nbands + 1,
                                            i / h.nbands % h.kpoints.size() + 1, h.energies[i]));
}

void Wavefunctions::check_occupations() const {
  const WavefunctionHeader& h = header();
  const size_t nk = h.kpoints.size();
  bool any = false;
  for (size_t i = 0; i < h.highest.size(); ++i) {
    const int low = h.lowest[i], high = h.highest[i];
    any = any || high > 0;
    const bool none = low == 0 && high == 0;
    if (!none && (low != 1 || high < 0 || high > h.nbands))
      file_->fail("kpoints/ifmax", fmt::format("bands {} to {}{} are occupied at k point {}, where 1 to at most {} are expected", low, high,
                                               h.spins == 2 ? fmt::format(" of spin {}", i / nk + 1) : "", i % nk + 1, h.nbands));
  }
  if (!any) file_->fail("kpoints/ifmax", "no band is occupied");
}

double Wavefunctions::electrons() const {
  const WavefunctionHeader& h = header();
  const size_t bands = static_cast<size_t>(h.nbands), nk = h.kpoints.size();
  double sum = 0, weights = 0;
  for (double w : h.weights) weights += w;
  for (size_t i = 0; i < h.highest.size(); ++i) {
    const auto first = h.highest.begin() + static_cast<std::ptrdiff_t>(i / nk * nk);
    if (std::all_of(first, first + static_cast<std::ptrdiff_t>(nk), [&](int high) { return high == *first; })) {
      sum += static_cast<double>(*first) / static_cast<double>(nk);
      continue;
    }
    for (size_t band = 0; band < bands; ++band) sum += h.weights[i % nk] / weights * h.occupations[i * bands + band];
  }
  return sum * 2 / (h.spins * h.spinors);
}

std::vector<Miller> Wavefunctions::gvectors(int k) const {
  const Vector3& at = kpoints()[static_cast<size_t>(k)];
  auto g = file_->gvectors(k);
  for (const Miller& one : g)
    if (!(length2(crystal().bdot, at + one) <= cutoff() * (1 + 1e-6)))
      file_->fail("wfns/gvecs", fmt::format("G = {} of k point {} lies outside the cutoff", text(one), k + 1));
  return g;
}

Wavefunctions::Sphere Wavefunctions::read(int k, int first, int count, int parts, int spin) const {
  const int64_t n = plane_waves(k) * spinors();
  Sphere sphere{gvectors(k), Numbers(parts)};
  sphere.c.resize(static_cast<size_t>(n) * static_cast<size_t>(count));
  const WavefunctionFile::Slab slab{k, spin, first, count};
  if (count == 0) return sphere;
  if (spinors() == 2) read_spinors(slab, sphere);
  else if (parts == flavour()) file_->read(slab, sphere.c.at(0));
  else file_->read(slab, reinterpret_cast<std::complex<double>*>(sphere.c.at(0)));
  for (int band = 0; band < count; ++band) {
    double norm = 0;
    const double* const c = sphere.c.at(static_cast<size_t>(band * n));
    for (int64_t i = 0; i < n * parts; ++i) norm += c[i] * c[i];
    if (!(std::abs(norm - 1) <= norm_tolerance))
      file_->fail("wfns/coeffs", fmt::format("band {} at k point {} has norm {:f} instead of 1", first + band + 1, k + 1, norm));
  }
  return sphere;
}

// The file has all bands of one component after the other.
void Wavefunctions::read_spinors(WavefunctionFile::Slab slab, Sphere& sphere) const {
  const size_t n = sphere.g.size(), bands = static_cast<size_t>(slab.bands);
  std::vector<std::complex<double>> component(n * bands);
  for (slab.component = 0; slab.component < 2; ++slab.component) {
    file_->read(slab, component.data());
    for (size_t band = 0; band < bands; ++band)
      for (size_t i = 0; i < n; ++i) sphere.c.set((2 * band + static_cast<size_t>(slab.component)) * n + i, component[band * n + i]);
  }
}

}  // namespace suite::gw
