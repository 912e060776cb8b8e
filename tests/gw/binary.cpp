// SPDX-License-Identifier: BSD-3-Clause
// Wavefunctions in records of Fortran: the same as those of the HDF5 file that they were converted from; and damaged ones.
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>

#include <hdf5/hdf5.hpp>
#include <suite/plugin.hpp>

#include "bench.hpp"
#include "damage.hpp"
#include "wavefunctions.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;

namespace {

// Records as Fortran writes them.
class Fortran {
public:
  explicit Fortran(const fs::path& path) : out_(path, std::ios::binary) {}
  template <class T> Fortran& operator<<(const std::vector<T>& values) {
    record_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return *this;
  }
  Fortran& operator<<(const std::string& text) {
    record_ += text;
    return *this;
  }
  void end() {
    const auto length = static_cast<int32_t>(record_.size());
    const std::string mark(reinterpret_cast<const char*>(&length), 4);
    out_ << mark << record_ << mark;
    record_.clear();
  }

private:
  std::ofstream out_;
  std::string record_;
};

// As wfn2hdf.x in the other direction, with every list in `pieces` pieces.
void convert(const fs::path& from, const fs::path& to, int pieces = 1) {
  const hdf5::File file(from);
  const auto integers = [&](const std::string& name) { return file.read<int>("mf_header/" + name, file.shape("mf_header/" + name)); };
  const auto reals = [&](const std::string& name) { return file.read<double>("mf_header/" + name, file.shape("mf_header/" + name)); };
  const int flavour = integers("flavor")[0], spins = integers("kpoints/nspin")[0], operations = integers("symmetry/ntran")[0];
  const int nk = integers("kpoints/nrk")[0], nbands = integers("kpoints/mnband")[0];
  Fortran out(to);
  const auto record = [&](const auto&... values) {
    (out << ... << values);
    out.end();
  };
  std::string title = flavour == 2 ? "WFN-Complex" : "WFN-Real";
  title.resize(96, ' ');
  record(title);
  record(integers("kpoints/nspin"), integers("gspace/ng"), integers("symmetry/ntran"), integers("symmetry/cell_symmetry"),
         integers("crystal/nat"), reals("gspace/ecutrho"), integers("kpoints/nrk"), integers("kpoints/mnband"), integers("kpoints/ngkmax"),
         reals("kpoints/ecutwfc"));
  record(integers("gspace/FFTgrid"), integers("kpoints/kgrid"), reals("kpoints/shift"));
  record(reals("crystal/celvol"), reals("crystal/alat"), reals("crystal/avec"), reals("crystal/adot"));
  record(reals("crystal/recvol"), reals("crystal/blat"), reals("crystal/bvec"), reals("crystal/bdot"));
  auto rotations = integers("symmetry/mtrx");
  auto translations = reals("symmetry/tnp");
  rotations.resize(static_cast<size_t>(9 * operations));
  translations.resize(static_cast<size_t>(3 * operations));
  record(rotations);
  record(translations);
  const auto species = integers("crystal/atyp");
  const auto positions = reals("crystal/apos");
  for (size_t i = 0; i < species.size(); ++i)
    out << std::vector(positions.begin() + 3 * i, positions.begin() + 3 * i + 3) << std::vector{species[i]};
  out.end();
  record(integers("kpoints/ngk"));
  for (const char* name : {"kpoints/w", "kpoints/rk"}) record(reals(name));
  for (const char* name : {"kpoints/ifmin", "kpoints/ifmax"}) record(integers(name));
  for (const char* name : {"kpoints/el", "kpoints/occ"}) record(reals(name));
  // values(first, count): some of a list of n.
  const auto list = [&](int n, const auto& values) {
    record(std::vector{pieces});
    for (int piece = 0; piece < pieces; ++piece) {
      const int first = n * piece / pieces, count = n * (piece + 1) / pieces - first;
      record(std::vector{count});
      values(first, count);
      out.end();
    }
  };
  const auto some = [&](const auto& all, size_t first, size_t count) {
    out << std::vector(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + count));
  };
  const auto triples = [&](const std::vector<int>& all, int n) {
    list(n, [&](int first, int count) { some(all, 3 * static_cast<size_t>(first), 3 * static_cast<size_t>(count)); });
  };
  triples(integers("gspace/components"), integers("gspace/ng")[0]);
  const auto sizes = integers("kpoints/ngk");
  int64_t all = 0, first_of_k = 0;
  for (int n : sizes) all += n;
  for (int k = 0; k < nk; first_of_k += sizes[static_cast<size_t>(k++)]) {
    const int n = sizes[static_cast<size_t>(k)];
    triples(file.read_block<int>("wfns/gvecs", {all, 3}, {first_of_k, 0}, {n, 3}), n);
    for (int band = 0; band < nbands; ++band) {
      const auto c =
          file.read_block<double>("wfns/coeffs", {nbands, spins, all, flavour}, {band, 0, first_of_k, 0}, {1, spins, n, flavour});
      const auto width = static_cast<size_t>(flavour);
      list(n, [&](int first, int count) {
        for (int s = 0; s < spins; ++s) some(c, width * static_cast<size_t>(s * n + first), width * static_cast<size_t>(count));
      });
    }
  }
}

// Everything that can be read of a file, judged by Wavefunctions.
std::string content(const fs::path& path) {
  const Wavefunctions w(path);
  std::ostringstream out;
  out.precision(17);
  const auto put = [&](const auto& values) {
    for (const auto& value : values) out << value << ' ';
    out << '\n';
  };
  out << w.flavour() << ' ' << w.nbands() << ' ' << w.occupied() << ' ' << w.cutoff() << ' ' << w.crystal().volume << '\n';
  put(w.grid());
  put(w.shift());
  put(w.weights());
  put(w.crystal().species);
  for (const auto& at : w.crystal().positions) put(at);
  for (const auto& row : w.crystal().bdot) put(row);
  for (const auto& operation : w.operations()) {
    for (const auto& row : operation.rotation) put(row);
    put(operation.translation);
  }
  for (const Miller& g : w.gspace()) put(g);
  for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
    put(w.kpoints()[static_cast<size_t>(k)]);
    for (int band = 0; band < w.nbands(); ++band) out << w.energy(k, band) << ' ';
    for (int parts = w.flavour(); parts <= 2; ++parts) {
      const auto sphere = w.read(k, 0, w.nbands(), parts);
      for (const Miller& g : sphere.g) put(g);
      for (size_t i = 0; i < sphere.c.size(); ++i) out << sphere.c[i] << '\n';
    }
  }
  return out.str();
}

void read_all(const fs::path& path) {
  const Wavefunctions w(path);
  w.gspace();
  for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) w.read(k, 0, w.nbands(), w.flavour());
}

// A sound file, and a damaged one beside it.
struct Damaged {
  Scratch folder;
  fs::path path = folder / "WFNq";
  std::string sound;
  Damaged() {
    convert(data("gaas/WFNq.h5"), path);
    sound = bytes_of(path);
  }
  void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
  // What reading all of it says, without the file's name in front; "" for a file that is taken.
  std::string complaint() const {
    try {
      read_all(path);
    } catch (const Failure& failure) {
      const std::string text = failure.what(), name = path.string() + ": ";
      return text.rfind(name, 0) == 0 ? text.substr(name.size()) : text;
    }
    return "";
  }
  std::string complaint_with(size_t at, const std::string& bytes) const {
    std::string changed = sound;
    write(changed.replace(at, bytes.size(), bytes));
    return complaint();
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(either_format_holds_the_same_wavefunctions) {
  Scratch folder;
  const fs::path binary = folder / "WFN";
  for (const auto& file :
       {gallium_arsenide_from_wavefunctions().epsilon.wavefunctions, silicon_empirical_from_wavefunctions().epsilon.wavefunctions_q0})
    for (int pieces : {1, 3}) {
      convert(file, binary, pieces);
      BOOST_TEST((content(binary) == content(file)), file << " in " << pieces << " pieces");
    }
}

BOOST_AUTO_TEST_CASE(either_format_makes_the_same_dielectric_matrix) {
  Scratch folder;
  Settings s = gallium_arsenide_from_wavefunctions();
  fs::create_directory(folder / "a");
  fs::create_directory(folder / "b");
  const DielectricResult of_hdf5 = make_epsilon(s, folder / "a");
  for (fs::path* file : {&s.epsilon.wavefunctions, &s.epsilon.wavefunctions_q0}) {
    const fs::path binary = folder / file->stem().string();
    convert(*file, binary);
    *file = binary;
  }
  const DielectricResult of_binary = make_epsilon(s, folder / "b");
  const hdf5::File a(of_hdf5.eps), b(of_binary.eps);
  for (const char* name : {"mf_header/crystal/avec", "mf_header/crystal/recvol", "mf_header/gspace/ecutrho", "mf_header/kpoints/occ",
                           "mf_header/kpoints/rk", "mf_header/symmetry/tnp", "mats/matrix"})
    BOOST_TEST((a.shape(name) == b.shape(name) && a.read<double>(name, a.shape(name)) == b.read<double>(name, b.shape(name))), name);
  for (const char* name : {"mf_header/flavor", "mf_header/gspace/components", "mf_header/gspace/FFTgrid", "mf_header/kpoints/ngkmax",
                           "mf_header/kpoints/ifmax", "mf_header/symmetry/mtrx", "mf_header/symmetry/cell_symmetry"})
    BOOST_TEST((a.shape(name) == b.shape(name) && a.read<int>(name, a.shape(name)) == b.read<int>(name, b.shape(name))), name);
}

BOOST_AUTO_TEST_CASE(truncated_binary_wavefunctions) {
  const Damaged file;
  for (size_t length : {size_t{4}, size_t{7}, size_t{50}, size_t{104}, size_t{140}, size_t{3000}, file.sound.size() / 2,
                        file.sound.size() - 4, file.sound.size() - 1}) {
    file.write(file.sound.substr(0, length));
    const auto text = file.complaint();
    BOOST_CHECK_MESSAGE(text.rfind("record ", 0) == 0, length << " bytes: " << text);
  }
  file.write(file.sound.substr(0, 50));
  BOOST_TEST(file.complaint() == "record 1 (title) says it has 96 bytes, and 46 follow in the file");
  file.write(file.sound + "more");
  BOOST_TEST(file.complaint() == "record 168 (band) should be the last, and 4 bytes follow");
}

BOOST_AUTO_TEST_CASE(spoilt_binary_wavefunctions) {
  const Damaged file;
  const size_t sizes = 104 + 4;  // the second record's content
  BOOST_TEST(file.complaint_with(0, raw(int32_t{96 << 24})) == "its numbers have the byte order of another kind of machine (big-endian)");
  BOOST_TEST(file.complaint_with(0, raw(int64_t{96})) ==
             "its record marks have 8 bytes; files of gfortran and ifx, whose marks have 4, are read");
  BOOST_TEST(file.complaint_with(4, "RHO") == "record 1 (title) begins with 'RHO-Complex' where WFN-Complex or WFN-Real is expected");
  BOOST_TEST(file.complaint_with(sizes, raw(int32_t{3})) == "record 2 (sizes) gives 3 spins where 1, 2 or 4 (for spinors) is expected");
  BOOST_TEST(file.complaint_with(sizes + 4, raw(int32_t{-1})) == "record 2 (sizes) gives -1 G vectors");
  BOOST_TEST(file.complaint_with(sizes + 8, raw(int32_t{49})) ==
             "record 2 (sizes) gives 49 symmetry operations where 1 to 48 are expected");
  BOOST_TEST(file.complaint_with(sizes + 28, raw(int32_t{0})) == "record 2 (sizes) gives 0 k points");
  BOOST_TEST(file.complaint_with(sizes + 32, raw(int32_t{400000})) == "record 14 (energies) has 320 bytes where 32000000 are expected");
  // One of the flavour that it is not: its bands are half as long.
  BOOST_TEST(file.complaint_with(4, "WFN-Real   ") == "record 24 (band) has 2880 bytes where 1440 are expected");
}

// What is taken has passed the checks of Wavefunctions: most of it are flipped bits of a coefficient or an energy.
BOOST_AUTO_TEST_CASE(damaged_binary_wavefunctions_are_refused_or_sound) {
  Damaged file;
  BOOST_TEST(refused_of_damaged(file.path, [&] { read_all(file.path); }) > damaged_files() / 2);
}
