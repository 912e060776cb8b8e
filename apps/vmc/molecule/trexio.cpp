// SPDX-License-Identifier: BSD-3-Clause
#include "trexio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include <suite/qmc/shells.hpp>
#include <suite/qmc/solid_harmonics.hpp>

#include "hdf5/hdf5.hpp"

namespace suite::vmc {
namespace {

constexpr double whole_occupation = 1e-6;  // allowed deviation of an occupation number from a whole one
constexpr int64_t most = 1 << 20;          // of anything counted in a file

// Reads GROUP/GROUP_NAME: TREXIO's names of datasets and attributes begin with those of their groups.
class Reader {
public:
  explicit Reader(const std::filesystem::path& path) : file_(path) {}

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw Failure(SUITE_INVALID_ARGUMENT, file_.path().string() + ": " + sentence);
  }
  bool has(const std::string& group, const std::string& name) const { return file_.has(group + "/" + group + "_" + name); }
  bool has_number(const std::string& group, const std::string& name) const { return file_.has_attribute(group + "_" + name, group); }
  int64_t count(const std::string& group, const std::string& name, int64_t low) const {
    const std::string attribute = group + "_" + name;
    if (!file_.has(group)) refuse("there is no group '" + group + "'; is this a TREXIO file?");
    if (!has_number(group, name)) refuse("group '" + group + "' has no number '" + attribute + "'");
    const double value = file_.number(attribute, group);
    if (!(value >= static_cast<double>(low) && value <= static_cast<double>(most)) || value != std::floor(value))
      refuse(fmt::format("{} is {:g}; it must be a whole number from {} to {}", attribute, value, low, most));
    return static_cast<int64_t>(value);
  }
  int64_t count_or(const std::string& group, const std::string& name, int64_t otherwise) const {
    return has_number(group, name) ? count(group, name, 0) : otherwise;
  }
  std::string text(const std::string& group, const std::string& name) const {
    return file_.has_attribute(group + "_" + name, group) ? file_.text(group + "_" + name, group) : "";
  }
  std::vector<double> reals(const std::string& group, const std::string& name, const std::vector<int64_t>& shape) const {
    auto values = file_.read<double>(group + "/" + group + "_" + name, shape);
    for (size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i])) refuse(fmt::format("{}_{}: number {} of {} is not finite", group, name, i + 1, values.size()));
    return values;
  }
  std::vector<int64_t> integers(const std::string& group, const std::string& name, const std::vector<int64_t>& shape, int64_t low,
                                int64_t high) const {
    auto values = file_.read<int64_t>(group + "/" + group + "_" + name, shape);
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] < low || values[i] > high)
        refuse(fmt::format("{}_{}: number {} is {}; it must be from {} to {}", group, name, i + 1, values[i], low, high));
    return values;
  }
  std::vector<std::string> texts(const std::string& group, const std::string& name, const std::vector<int64_t>& shape) const {
    return file_.texts(group + "/" + group + "_" + name, shape);
  }

private:
  hdf5::File file_;
};

void refuse_what_is_not_done(const Reader& file) {
  if (file.count_or("pbc", "periodic", 0) != 0) file.refuse("it describes a periodic system; molecules in open space are read");
  if (const std::string type = file.text("basis", "type"); type != "Gaussian" && type != "Slater")
    file.refuse("its functions are of type '" + type + "'; it must be 'Gaussian' or 'Slater'");
  if (file.count_or("ao", "cartesian", 0) != 0)
    file.refuse("its functions are Cartesian (ao_cartesian is 1); write the file with spherical ones");
  if (file.has("mo", "coefficient_im")) file.refuse("its orbitals are complex; real ones are read");
  if (const int64_t n = file.count_or("determinant", "num", 0); n > 1)
    file.refuse(fmt::format("it has {} determinants; wave functions of one determinant are read", n));
}

void read_nuclei(const Reader& file, Molecule& m) {
  const int64_t n = file.count("nucleus", "num", 1);
  m.charge = file.reals("nucleus", "charge", {n});
  m.rion = file.reals("nucleus", "coord", {n, 3});
  m.label = file.has("nucleus", "label") ? file.texts("nucleus", "label", {n}) : std::vector<std::string>(static_cast<size_t>(n), "?");
  if (const std::string flaw = flaw_of_nuclei(m); !flaw.empty()) file.refuse(flaw);
}

// The channel `max_ang_mom_plus_1` of a nucleus is its local part. Terms without weight are those of converters for nuclei without projectors.
void read_potential(const Reader& file, Molecule& m) {
  const int64_t n = file.count_or("ecp", "num", 0);
  if (n == 0) return;
  const auto ion = file.integers("ecp", "nucleus_index", {n}, 0, m.nion() - 1), l = file.integers("ecp", "ang_mom", {n}, 0, most),
             power = file.integers("ecp", "power", {n}, -2, 8), local = file.integers("ecp", "max_ang_mom_plus_1", {m.nion()}, 0, most);
  const auto exponent = file.reals("ecp", "exponent", {n}), coefficient = file.reals("ecp", "coefficient", {n});
  for (size_t k = 0; k < ion.size(); ++k) {
    const auto a = static_cast<size_t>(ion[k]);
    if (l[k] > local[a])
      file.refuse(fmt::format("ecp_ang_mom: number {} is {}, beyond ecp_max_ang_mom_plus_1 of nucleus {} ({}), {}", k + 1, l[k], a + 1,
                              m.label[a], local[a]));
    if (!(exponent[k] > 0)) file.refuse(fmt::format("ecp_exponent: number {} is {:g}; it must be positive", k + 1, exponent[k]));
    if (coefficient[k] == 0) continue;
    m.potential.push_back({static_cast<int32_t>(a), l[k] == local[a] ? local_channel : static_cast<int32_t>(l[k]),
                           static_cast<int>(power[k]), exponent[k], coefficient[k]});
  }
}

// Shells with their primitives side by side, all factors of TREXIO multiplied: coefficient, prim_factor, shell_factor. R_s(r) =
// r^r_power sum_k coefficient_k exp(-exponent_k r^p) with p = 2 for Gaussians, 1 for Slater functions, times r^l Y_lm. Returns the place
// that each function of the file has among the functions of the shells.
void read_shells(const Reader& file, Molecule& m) {
  const int64_t nshell = file.count("basis", "shell_num", 1), nprim = file.count("basis", "prim_num", 1);
  for (const int64_t a : file.integers("basis", "nucleus_index", {nshell}, 0, m.nion() - 1))
    m.shell_ion.push_back(static_cast<int32_t>(a + 1));
  for (const int64_t l : file.integers("basis", "shell_ang_mom", {nshell}, 0, most)) {
    if (l > qmc::largest_l)
      file.refuse(fmt::format("shell {} has the angular momentum {}; it must be at most {} (g)", m.shell_l.size() + 1, l, qmc::largest_l));
    m.shell_l.push_back(static_cast<int32_t>(l));
  }
  const bool slater = file.text("basis", "type") == "Slater";
  std::vector<int64_t> power(static_cast<size_t>(nshell), 0);
  if (file.has("basis", "r_power")) power = file.integers("basis", "r_power", {nshell}, 0, slater ? qmc::largest_power : 0);
  const auto shell_of = file.integers("basis", "shell_index", {nprim}, 0, nshell - 1);
  const auto exponent = file.reals("basis", "exponent", {nprim}), coefficient = file.reals("basis", "coefficient", {nprim}),
             of_primitive = file.reals("basis", "prim_factor", {nprim}), of_shell = file.reals("basis", "shell_factor", {nshell});
  m.shell_first.push_back(1);
  for (int64_t s = 0; s < nshell; ++s) {
    for (size_t p = 0; p < shell_of.size(); ++p) {
      if (shell_of[p] != s) continue;
      if (!(exponent[p] > 0)) file.refuse(fmt::format("primitive {} has the exponent {:g}; it must be positive", p + 1, exponent[p]));
      m.exponent.push_back(exponent[p]);
      if (slater) m.power.push_back(static_cast<int32_t>(power[static_cast<size_t>(s)]));
      m.coefficient.push_back(coefficient[p] * of_primitive[p] * of_shell[static_cast<size_t>(s)]);
    }
    m.shell_first.push_back(static_cast<int32_t>(m.exponent.size() + 1));
    if (m.shell_first[m.shell_first.size() - 2] == m.shell_first.back()) file.refuse(fmt::format("shell {} has no primitive", s + 1));
  }
}

// The functions of a file stand in the order of its shells, those of a shell side by side.
void check_functions(const Reader& file, const Molecule& m) {
  const int64_t nao = file.count("ao", "num", 1);
  if (nao != m.nao()) file.refuse(fmt::format("ao_num is {} but the shells have {} functions", nao, m.nao()));
  const auto shell = file.integers("ao", "shell", {nao}, 0, m.nshell() - 1);
  size_t ao = 0;
  for (size_t s = 0; s < m.shell_l.size(); ++s)
    for (int k = 0; k < 2 * m.shell_l[s] + 1; ++k, ++ao)
      if (shell[ao] != static_cast<int64_t>(s))
        file.refuse(fmt::format("ao_shell: function {} belongs to shell {} where shell {} is expected", ao + 1, shell[ao] + 1, s + 1));
}

// The numbers of the orbitals that each spin occupies: of the determinant if the file has one, else by occupation, else the first ones.
std::array<std::vector<size_t>, 2> occupied(const Reader& file, int64_t nmo, const std::array<int32_t, 2>& nele) {
  std::vector<int64_t> spin(static_cast<size_t>(nmo), 0);
  if (file.has("mo", "spin")) spin = file.integers("mo", "spin", {nmo}, 0, 1);
  const bool unrestricted = std::find(spin.begin(), spin.end(), 1) != spin.end();
  std::array<std::vector<size_t>, 2> found;
  const auto of_spin = [&](size_t i, size_t s) { return !unrestricted || spin[i] == static_cast<int64_t>(s); };
  if (file.count_or("determinant", "num", 0) == 1) {
    const int64_t words = (nmo + 63) / 64;
    const auto bits =
        file.integers("determinant", "list", {1, 2 * words}, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
    for (size_t s = 0; s < 2; ++s)
      for (size_t i = 0; i < static_cast<size_t>(nmo); ++i)
        if (static_cast<uint64_t>(bits[s * static_cast<size_t>(words) + i / 64]) >> i % 64 & 1) found[s].push_back(i);
    return found;
  }
  std::vector<double> occupation;
  if (file.has("mo", "occupation")) occupation = file.reals("mo", "occupation", {nmo});
  for (size_t i = 0; i < static_cast<size_t>(nmo); ++i) {
    const double whole = occupation.empty() ? 0 : std::round(occupation[i]);
    if (!occupation.empty() && (std::abs(occupation[i] - whole) > whole_occupation || whole < 0 || whole > (unrestricted ? 1 : 2)))
      file.refuse(fmt::format("orbital {} has the occupation {:g}; in one determinant it must be {}", i + 1, occupation[i],
                              unrestricted ? "0 or 1" : "0, 1 or 2"));
    for (size_t s = 0; s < 2; ++s) {
      const bool open = std::ssize(found[s]) < nele[s];
      const double needed = unrestricted ? 1 : static_cast<double>(s + 1);
      if (of_spin(i, s) && (occupation.empty() ? open : whole >= needed)) found[s].push_back(i);
    }
  }
  return found;
}

void read_orbitals(const Reader& file, TrexioFile& out) {
  Molecule& m = out.molecule;
  const int64_t nmo = file.count("mo", "num", 1), nao = m.nao();
  const auto norm = file.reals("ao", "normalization", {nao}), coefficient = file.reals("mo", "coefficient", {nmo, nao});
  const auto numbers = occupied(file, nmo, out.nele);
  for (size_t s = 0; s < 2; ++s) {
    if (std::ssize(numbers[s]) != out.nele[s])
      file.refuse(fmt::format("{} is {} but {} orbitals of spin {} are occupied", s ? "electron_dn_num" : "electron_up_num", out.nele[s],
                              numbers[s].size(), s ? "down" : "up"));
    for (const size_t i : numbers[s])
      for (size_t ao = 0; ao < static_cast<size_t>(nao); ++ao) m.mo[s].push_back(coefficient[i * static_cast<size_t>(nao) + ao] * norm[ao]);
  }
  if (const std::string flaw = flaw_of_orbitals(m); !flaw.empty()) file.refuse(flaw);
}

}  // namespace

TrexioFile read_trexio(const std::filesystem::path& path) {
  const Reader file(path);
  TrexioFile out;
  read_nuclei(file, out.molecule);
  refuse_what_is_not_done(file);
  const int64_t up = file.count("electron", "up_num", 1), down = file.count("electron", "dn_num", 0);
  const int64_t all = file.count_or("electron", "num", up + down);
  if (all != up + down) file.refuse(fmt::format("electron_num is {} but there are {} electrons up and {} down", all, up, down));
  out.nele = {static_cast<int32_t>(up), static_cast<int32_t>(down)};
  read_potential(file, out.molecule);
  read_shells(file, out.molecule);
  check_functions(file, out.molecule);
  read_orbitals(file, out);
  return out;
}

}  // namespace suite::vmc
