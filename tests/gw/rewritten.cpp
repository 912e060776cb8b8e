// SPDX-License-Identifier: BSD-3-Clause
// One crystal written in other ways: about another origin, with its axes in another order, with k points moved by G vectors, and with a wider grid of
// the density. Nothing that is computed depends on them.
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <numbers>

#include <suite/plugin.hpp>

#include "bench.hpp"
#include "crystal_records.hpp"
#include "datasets.hpp"
#include "plan.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;
using Complex = std::complex<double>;

namespace {

// New axis i is the old one order[i]; atoms are moved by `origin`, in crystal coordinates of the old axes; k by `umklapp` times its number; and the
// grid of the density is `wider` by so many points.
struct Manner {
  std::array<size_t, 3> order{0, 1, 2};
  Vector3 origin{};
  Miller umklapp{};
  int wider = 0;

  template <class T> std::array<T, 3> operator()(const std::array<T, 3>& v) const { return {v[order[0]], v[order[1]], v[order[2]]}; }
  template <class T> std::array<std::array<T, 3>, 3> both(const std::array<std::array<T, 3>, 3>& m) const {
    return {(*this)(m[order[0]]), (*this)(m[order[1]]), (*this)(m[order[2]])};
  }
  Complex phase(const Miller& g) const {
    return std::polar(1.0, -2 * std::numbers::pi * (g[0] * origin[0] + g[1] * origin[1] + g[2] * origin[2]));
  }
  // f(r - origin) has the symmetry {R | t} if f has {R | t - 2 pi (origin - R^T^-1 origin)}: from c(RG) = c(G) exp(-i RG.t).
  Operation operator()(const Operation& operation) const {
    Operation out;
    out.rotation = both(operation.rotation);
    // RG.t' = RG.t + 2 pi (RG - G).origin for every G, with RG = H.
    Vector3 t = operation.translation;
    const auto back = inverse(operation.rotation);
    for (size_t j = 0; j < 3; ++j) {
      t[j] += 2 * std::numbers::pi * origin[j];
      for (size_t i = 0; i < 3; ++i) t[j] -= 2 * std::numbers::pi * back[i][j] * origin[i];
    }
    out.translation = (*this)(t);
    return out;
  }
  static std::array<Miller, 3> inverse(const std::array<Miller, 3>& m) {
    std::array<Miller, 3> out{};
    int determinant = 0;
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j) {
        const size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
        out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        if (i == 0) determinant += m[j][0] * out[0][j];
      }
    for (auto& row : out)
      for (int& x : row) x *= determinant;
    return out;
  }
};

class Rewritten {
public:
  Rewritten(const Settings& s, const Manner& manner) : settings(s), manner_(manner) {
    int number = 0;
    for (fs::path* file : {&settings.wavefunctions, &settings.epsilon.wavefunctions, &settings.epsilon.wavefunctions_q0}) {
      const fs::path to = folder_ / fmt::format("{}.h5", ++number);
      write_bands(*file, to);
      *file = to;
    }
    write_density(s.density);
    settings.kpoints.clear();
    if (s.epsilon.q0) settings.epsilon.q0 = manner_(*s.epsilon.q0);
  }
  Settings settings;
  fs::path folder() const { return folder_ / ""; }

private:
  // Datasets of three vectors, of which each has three numbers.
  void permute(const fs::path& to, const std::string& name, bool both) const {
    const Matrix3 old = matrix_of(hdf5::File(to).read<double>(name, {3, 3}).data());
    const Matrix3 now = both ? manner_.both(old) : Matrix3{old[manner_.order[0]], old[manner_.order[1]], old[manner_.order[2]]};
    std::vector<double> values;
    for (const auto& row : now) values.insert(values.end(), row.begin(), row.end());
    replace_dataset(to, name, {3, 3}, values);
  }

  void write_bands(const fs::path& from, const fs::path& to) const {
    fs::copy_file(from, to);
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
    const Wavefunctions w(from);
    for (const char* name : {"avec", "bvec"}) permute(to, std::string("mf_header/crystal/") + name, false);
    for (const char* name : {"adot", "bdot"}) permute(to, std::string("mf_header/crystal/") + name, true);
    // Cartesian in units of alat, as avec is.
    const hdf5::File file(from);
    const int atoms = w.crystal().atoms;
    auto positions = file.read<double>("mf_header/crystal/apos", {atoms, 3});
    const auto avec = file.read<double>("mf_header/crystal/avec", {3, 3});
    for (size_t atom = 0; atom < static_cast<size_t>(atoms); ++atom)
      for (size_t i = 0; i < 3; ++i)
        for (size_t x = 0; x < 3; ++x) positions[3 * atom + x] += manner_.origin[i] * avec[3 * i + x];
    replace_dataset(to, "mf_header/crystal/apos", {static_cast<hsize_t>(atoms), 3}, positions);
    const auto integers = [&](const char* name, const Miller& v) { replace_dataset<int>(to, name, {3}, {v[0], v[1], v[2]}); };
    Miller fft = manner_(w.fft_grid());
    for (int& n : fft) n += manner_.wider;
    integers("mf_header/gspace/FFTgrid", fft);
    integers("mf_header/kpoints/kgrid", manner_(w.grid()));
    const Vector3 shift = manner_(w.shift());
    replace_dataset<double>(to, "mf_header/kpoints/shift", {3}, {shift[0], shift[1], shift[2]});
    std::vector<int> rotations(48 * 9);
    std::vector<double> translations(48 * 3);
    for (size_t s = 0; s < w.operations().size(); ++s) {
      const Operation operation = manner_(w.operations()[s]);
      for (size_t i = 0; i < 3; ++i) {
        translations[3 * s + i] = operation.translation[i];
        for (size_t j = 0; j < 3; ++j) rotations[(3 * s + j) * 3 + i] = operation.rotation[i][j];
      }
    }
    replace_dataset(to, "mf_header/symmetry/mtrx", {48, 3, 3}, rotations);
    replace_dataset(to, "mf_header/symmetry/tnp", {48, 3}, translations);
    const auto list = [&](const std::string& name, const std::vector<Miller>& g) {
      std::vector<int> values;
      for (const Miller& one : g) values.insert(values.end(), one.begin(), one.end());
      replace_dataset(to, name, {g.size(), 3}, values);
    };
    std::vector<Miller> gspace = w.gspace(), all;
    for (Miller& g : gspace) g = manner_(g);
    list("mf_header/gspace/components", gspace);
    std::vector<double> rk;
    std::vector<std::vector<Complex>> bands(static_cast<size_t>(w.nbands()));
    for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
      Miller more{};
      for (size_t i = 0; i < 3; ++i) more[i] = k * manner_.umklapp[i];
      const Vector3 at = manner_(w.kpoints()[static_cast<size_t>(k)] + more);
      rk.insert(rk.end(), at.begin(), at.end());
      const auto sphere = w.read(k, w.nbands());
      for (const Miller& g : sphere.g) all.push_back(manner_(g - more));
      for (size_t band = 0; band < bands.size(); ++band)
        for (size_t i = 0; i < sphere.g.size(); ++i)
          bands[band].push_back(sphere.c[band * sphere.g.size() + i] * manner_.phase(sphere.g[i]));
    }
    replace_dataset(to, "mf_header/kpoints/rk", {w.kpoints().size(), 3}, rk);
    list("wfns/gvecs", all);
    std::vector<double> values;
    for (const auto& band : bands)
      for (const Complex& c : band) values.push_back(c.real()), values.push_back(c.imag());
    replace_dataset(to, "wfns/coeffs", {bands.size(), 1, all.size(), 2}, values);
  }

  void write_density(const fs::path& from) {
    const FourierFile old = read_fourier_file(from, "RHO", "density");
    std::string text;
    const auto record = [&](const std::string& content) {
      const auto length = static_cast<int32_t>(content.size());
      const std::string mark(reinterpret_cast<const char*>(&length), 4);
      text += mark + content + mark;
    };
    const auto bytes = [](const auto& values) {
      return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
    };
    const auto vectors = [&](const std::array<double, 9>& v) {
      std::vector<double> out;
      for (size_t i : manner_.order)
        out.insert(out.end(), v.begin() + static_cast<ptrdiff_t>(3 * i), v.begin() + static_cast<ptrdiff_t>(3 * i + 3));
      return bytes(out);
    };
    const auto metric = [&](const std::array<double, 9>& v) {
      std::vector<double> out;
      for (size_t i : manner_.order)
        for (size_t j : manner_.order) out.push_back(v[3 * i + j]);
      return bytes(out);
    };
    const CellRecords& cell = old.cell;
    const Wavefunctions w(settings.wavefunctions);
    std::string title = "RHO-Complex";
    title.resize(96, ' ');
    record(title);
    const int ng = static_cast<int>(old.g.size());
    record(bytes(std::array<int, 5>{1, ng, cell.operations(), cell.cell_symmetry, cell.atoms}) + bytes(std::array{cell.ecutrho}));
    record(bytes(w.fft_grid()));
    record(bytes(std::array{cell.celvol, cell.alat}) + vectors(cell.avec) + metric(cell.adot));
    record(bytes(std::array{cell.recvol, cell.blat}) + vectors(cell.bvec) + metric(cell.bdot));
    std::vector<int> rotations;
    std::vector<double> translations;
    for (const Operation& operation : w.operations()) {
      for (size_t j = 0; j < 3; ++j)
        for (size_t i = 0; i < 3; ++i) rotations.push_back(operation.rotation[i][j]);
      translations.insert(translations.end(), operation.translation.begin(), operation.translation.end());
    }
    record(bytes(rotations));
    record(bytes(translations));
    std::string atoms;
    for (size_t i = 0; i < w.crystal().positions.size(); ++i)
      atoms += bytes(w.crystal().positions[i]) + bytes(std::array{w.crystal().species[i]});
    record(atoms);
    std::vector<Miller> g;
    std::vector<Complex> values;
    for (size_t i = 0; i < old.g.size(); ++i) {
      g.push_back(manner_(old.g[i]));
      values.push_back(old.values[0][i] * manner_.phase(old.g[i]));
    }
    const std::string one = bytes(std::array{1}), count = bytes(std::array{ng});
    for (const std::string& content : {one, count, bytes(g), one, count, bytes(values)}) record(content);
    settings.density = folder_ / "RHO";
    std::ofstream(settings.density, std::ios::binary) << text;
  }

  Scratch folder_;
  Manner manner_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_depends_on_how_a_crystal_is_written) {
  Settings s = gallium_arsenide_from_wavefunctions();
  s.epsilon.cutoff_Ry = 3;
  s.epsilon.q0 = Vector3{0, 0, 0.001};
  s.coulomb = CoulombMode::cell;
  s.wings = Wings::symmetric;
  s.coulomb_head = 0;
  const Scratch folder;
  const Outcome plain = run(s, "cpu", folder / "");
  const Manner manners[] = {{{0, 1, 2}, {0.17, -0.08, 0.31}, {}, 0},
                            {{1, 2, 0}, {}, {}, 0},
                            {{0, 1, 2}, {}, {1, -1, 2}, 0},
                            {{2, 0, 1}, {0.3, 0.1, 0.2}, {-1, 1, 0}, 6}};
  for (const Manner& manner : manners) {
    const Rewritten other(s, manner);
    const Outcome found = run(other.settings, "cpu", other.folder());
    const double distance = difference(plain.result, found.result);
    BOOST_TEST(distance <= 1e-7, distance << " eV");
    for (size_t i = 0; i < plain.result.dielectric.size(); ++i) {
      const double a = plain.result.dielectric[i].head, b = found.result.dielectric.at(i).head;
      BOOST_TEST(std::abs(a - b) <= 1e-9 * a);
    }
    for (const auto& check : found.outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
  }
}
