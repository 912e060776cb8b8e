// SPDX-License-Identifier: BSD-3-Clause
#include "wavefunctions.hpp"

#include <algorithm>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::gw {

namespace {

constexpr int absurd = 100000000;
constexpr double norm_tolerance = 1e-3;  // norm-conserving wavefunctions are normalised to single precision or better

std::vector<Operation> read_operations(const hdf5::File& file, const Matrix3& bdot) {
  const int count = file.integer("mf_header/symmetry/ntran", 1, 48);
  const auto rotations = file.read<int>("mf_header/symmetry/mtrx", {48, 3, 3});
  const auto translations = file.read<double>("mf_header/symmetry/tnp", {48, 3});
  std::vector<Operation> operations(count);
  for (int s = 0; s < count; ++s) {
    // Fortran's mtrx(i,j,s) acts on k; in C order that is [s][j][i].
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) operations[s].rotation[i][j] = rotations[(s * 3 + j) * 3 + i];
      operations[s].translation[i] = translations[s * 3 + i];
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        Vector3 a{}, b{};
        a[i] = b[j] = 1;
        const double kept = dot(bdot, operations[s](a), operations[s](b));
        if (!(std::abs(kept - bdot[i][j]) <= 1e-5 * (bdot[i][i] + bdot[j][j])))
          file.fail("mf_header/symmetry/mtrx", fmt::format("operation {} does not keep the lattice", s + 1));
      }
  }
  return operations;
}

}  // namespace

Crystal read_crystal(const hdf5::File& file) {
  Crystal crystal;
  crystal.volume = file.real("mf_header/crystal/celvol", 1e-3, 1e9);
  crystal.atoms = file.integer("mf_header/crystal/nat", 1, 1000000);
  crystal.species = file.read<int>("mf_header/crystal/atyp", {crystal.atoms});
  const auto positions = file.read<double>("mf_header/crystal/apos", {crystal.atoms, 3});
  for (size_t i = 0; i < crystal.species.size(); ++i)
    crystal.positions.push_back({positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]});
  const auto bdot = file.read<double>("mf_header/crystal/bdot", {3, 3});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) crystal.bdot[i][j] = bdot[3 * i + j];
  const auto& b = crystal.bdot;
  const double determinant = b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[2][1]) - b[0][1] * (b[1][0] * b[2][2] - b[1][2] * b[2][0]) +
                             b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0]);
  const double volume = determinant > 0 ? std::pow(2 * std::numbers::pi, 3) / std::sqrt(determinant) : 0;
  if (!(std::abs(volume - crystal.volume) <= 1e-5 * crystal.volume)) {
    file.fail("mf_header/crystal/bdot", fmt::format("it makes a cell of {:.8g} bohr^3 but celvol is {:.8g}", volume, crystal.volume));
  }
  return crystal;
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

Wavefunctions::Wavefunctions(const std::filesystem::path& path, KGrid kgrid) : file_(path), crystal_(read_crystal(file_)) {
  file_.integer("mf_header/versionnumber", 1, 1);
  flavour_ = file_.integer("mf_header/flavor", 1, 2);
  operations_ = read_operations(file_, crystal_.bdot);

  const std::string points = "mf_header/kpoints/";
  if (file_.integer(points + "nspin", 1, 2) != 1)
    throw Failure(SUITE_UNSUPPORTED, path.string() + ": spin-polarised wavefunctions (nspin 2) are not supported yet");
  if (file_.integer(points + "nspinor", 1, 2) != 1)
    throw Failure(SUITE_UNSUPPORTED, path.string() + ": spinor wavefunctions (nspinor 2, spin-orbit coupling) are not supported yet");
  const int nk = file_.integer(points + "nrk", 1, 1000000);
  nbands_ = file_.integer(points + "mnband", 1, 10000000);
  cutoff_ = file_.real(points + "ecutwfc", 1e-3, 1e6);
  const auto grid = file_.read<int>(points + "kgrid", {3});
  const auto shift = file_.read<double>(points + "shift", {3});
  for (int i = 0; i < 3; ++i) {
    if (grid[i] < 1 || grid[i] > 10000) file_.fail(points + "kgrid", fmt::format("extent {} where 1 to 10000 is expected", grid[i]));
    if (kgrid == KGrid::unshifted && !(std::abs(shift[i]) <= 1e-9))
      file_.fail(points + "shift", "the grid is shifted; k - q leaves it: give an unshifted grid");
    if (!(std::abs(shift[i]) <= 100)) file_.fail(points + "shift", fmt::format("the shift {} is no shift", shift[i]));
    grid_[i] = grid[i];
    shift_[i] = shift[i];
  }
  const auto rk = file_.read<double>(points + "rk", {nk, 3});
  for (int k = 0; k < nk; ++k) {
    kpoints_.push_back({rk[3 * k], rk[3 * k + 1], rk[3 * k + 2]});
    for (double x : kpoints_.back())
      if (!(std::abs(x) <= 100)) file_.fail(points + "rk", fmt::format("k point {} is {}", k + 1, text(kpoints_.back())));
  }
  weights_ = file_.read<double>(points + "w", {nk});
  energies_ = file_.read<double>(points + "el", {1, nk, nbands_});
  for (size_t i = 0; i < energies_.size(); ++i)
    if (!(std::abs(energies_[i]) <= 1e6))
      file_.fail(points + "el", fmt::format("the energy of band {} at k point {} is {:f}", i % nbands_ + 1, i / nbands_ + 1, energies_[i]));

  const auto ifmin = file_.read<int>(points + "ifmin", {1, nk}), ifmax = file_.read<int>(points + "ifmax", {1, nk});
  occupied_ = ifmax[0];
  for (int k = 0; k < nk; ++k)
    if (ifmax[k] != occupied_ || ifmin[k] != 1 || occupied_ < 1 || occupied_ > nbands_)
      throw Failure(SUITE_UNSUPPORTED, fmt::format("{}: bands {} to {} are occupied at k point {}, 1 to {} at the first: the "
                                                   "crystal must be a semiconductor with the same bands filled at every k",
                                                   path.string(), ifmin[k], ifmax[k], k + 1, occupied_));

  const auto counts = file_.read<int>(points + "ngk", {nk});
  first_.assign(1, 0);
  for (int k = 0; k < nk; ++k) {
    if (counts[k] < 1 || counts[k] > absurd) file_.fail(points + "ngk", fmt::format("k point {} has {} plane waves", k + 1, counts[k]));
    first_.push_back(first_.back() + counts[k]);
  }
  const std::vector<int64_t> shape{first_.back(), 3};
  if (file_.shape("wfns/gvecs") != shape) file_.read<double>("wfns/gvecs", shape);  // fails with both shapes
  Coefficients(file_, nbands_, 1, first_.back(), flavour_);
}

std::vector<Miller> Wavefunctions::gvectors(int k) const {
  const int64_t n = plane_waves(k);
  const auto components = file_.read_block<int>("wfns/gvecs", {first_.back(), 3}, {first_[k], 0}, {n, 3});
  std::vector<Miller> out;
  for (int64_t i = 0; i < n; ++i) {
    out.push_back({components[3 * i], components[3 * i + 1], components[3 * i + 2]});
    if (!(length2(crystal_.bdot, kpoints_[k] + out.back()) <= cutoff_ * (1 + 1e-6)))
      file_.fail("wfns/gvecs", fmt::format("G = {} of k point {} lies outside the cutoff", text(out.back()), k + 1));
  }
  return out;
}

Wavefunctions::Sphere Wavefunctions::read(int k, int first, int count, int parts) const {
  const int64_t n = plane_waves(k);
  Sphere sphere{gvectors(k), Numbers(parts)};
  sphere.c.resize(static_cast<size_t>(n) * static_cast<size_t>(count));
  const Coefficients coefficients(file_, nbands_, 1, first_.back(), flavour_);
  const Coefficients::Slab slab{0, first, count, first_[k], n};
  if (parts == flavour_) coefficients.read(slab, sphere.c.at(0));
  else coefficients.read(slab, reinterpret_cast<std::complex<double>*>(sphere.c.at(0)));
  for (int band = 0; band < count; ++band) {
    double norm = 0;
    const double* const c = sphere.c.at(static_cast<size_t>(band * n));
    for (int64_t i = 0; i < n * parts; ++i) norm += c[i] * c[i];
    if (!(std::abs(norm - 1) <= norm_tolerance))
      file_.fail("wfns/coeffs", fmt::format("band {} at k point {} has norm {:f} instead of 1", first + band + 1, k + 1, norm));
  }
  return sphere;
}

}  // namespace suite::gw
