// SPDX-License-Identifier: BSD-3-Clause
// Damaged and contradictory files: each gives one sentence that names the file and what is wrong, and nothing
// crashes.
#include <boost/test/unit_test.hpp>

#include <hdf5.h>

#include <functional>

#include <suite/plugin.hpp>

#include "bench.hpp"
#include "datasets.hpp"
#include "plan.hpp"
#include "screening.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;

namespace {

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Failure& failure) { return failure.what(); }
  return "(nothing was wrong)";
}

// A copy of one of the 78-band files to be spoilt.
class Spoilt {
public:
  explicit Spoilt(const std::string& name) : path(folder / name) {
    fs::copy_file(data("silicon_78bands") / name, path);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  }
  void truncate(uintmax_t size) { fs::resize_file(path, size); }
  template <class T> void put(const std::string& dataset, const std::vector<hsize_t>& shape, const std::vector<T>& values) {
    replace_dataset(path, dataset, shape, values);
  }
  // Changes element `index` of a dataset in place.
  template <class T> void change(const std::string& dataset, size_t index, T value) {
    const hid_t type = std::is_same_v<T, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    std::vector<T> values(H5Sget_simple_extent_npoints(space));
    H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    values.at(index) = value;
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
  }
  void remove(const std::string& dataset) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, dataset.c_str(), H5P_DEFAULT);
    H5Fclose(file);
  }
  void poke(std::streamoff at, const std::vector<int32_t>& words) {
    std::FILE* file = std::fopen(path.c_str(), "r+b");
    std::fseek(file, at, SEEK_SET);
    std::fwrite(words.data(), 4, words.size(), file);
    std::fclose(file);
  }
  Scratch folder;
  fs::path path;
};

Settings with(const Spoilt& file) {
  auto s = silicon_78bands();
  s.nbands = 8;
  const auto name = file.path.filename();
  if (name == "WFN_inner.h5") s.wavefunctions = file.path;
  if (name == "RHO") s.density = file.path;
  if (name == "eps0mat.h5") s.eps0 = file.path;
  if (name == "epsmat.h5") s.eps = file.path;
  return s;
}

// What planning a run with this file says, without the file's name in front.
std::string complaint(const Spoilt& file) {
  auto text = message([&] { Plan plan(with(file)); });
  const std::string name = file.path.string() + ": ";
  return text.rfind(name, 0) == 0 ? text.substr(name.size()) : text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(truncated_hdf5_files) {
  for (const char* name : {"WFN_inner.h5", "eps0mat.h5", "epsmat.h5"}) {
    const auto size = fs::file_size(data("silicon_78bands") / name);
    for (uintmax_t length : {uintmax_t{0}, uintmax_t{1}, uintmax_t{8}, uintmax_t{95}, uintmax_t{96}, uintmax_t{1000}, size / 2, size - 1}) {
      Spoilt file(name);
      file.truncate(length);
      const auto text = complaint(file);
      BOOST_CHECK_MESSAGE(text.rfind("not a complete HDF5 file: ", 0) == 0, name << " of " << length << " bytes: " << text);
    }
  }
  Spoilt file("WFN_inner.h5");
  file.truncate(2000000);
  BOOST_TEST(complaint(file) == "not a complete HDF5 file: truncated file: eof = 2000000, sblock->base_addr = 0, stored_eof = 4321668");
}

BOOST_AUTO_TEST_CASE(truncated_density) {
  const auto size = fs::file_size(data("silicon_78bands/RHO"));
  for (uintmax_t length : {uintmax_t{0}, uintmax_t{3}, uintmax_t{4}, uintmax_t{50}, uintmax_t{104}, uintmax_t{140}, uintmax_t{3000},
                           size / 2, size - 4, size - 1}) {
    Spoilt file("RHO");
    file.truncate(length);
    const auto text = complaint(file);
    BOOST_CHECK_MESSAGE(text.rfind("record ", 0) == 0, "RHO of " << length << " bytes: " << text);
  }
  Spoilt file("RHO");
  file.truncate(50);
  BOOST_TEST(complaint(file) == "record 1 (title) says it has 96 bytes, and 46 follow in the file");
}

BOOST_AUTO_TEST_CASE(spoilt_density) {
  {
    Spoilt file("RHO");
    file.poke(0, {-5});
    BOOST_TEST(complaint(file) ==
               "record 1 (title) says it has -5 bytes, and " + std::to_string(fs::file_size(file.path) - 4) + " follow in the file");
  }
  {
    Spoilt file("RHO");
    file.poke(4, {0x2d4e4657});  // WFN-
    BOOST_TEST(complaint(file) == "record 1 (title) begins with 'WFN-Complex' where RHO-Complex or RHO-Real is expected");
  }
  {
    Spoilt file("RHO");
    file.poke(108, {2});
    BOOST_TEST(complaint(file) == "record 14 (density) has 52592 bytes where 105184 are expected");
  }
  {
    Spoilt file("RHO");
    file.poke(112, {2000000000});
    BOOST_TEST(complaint(file) == "record 2 (sizes) gives 2000000000 G vectors");
  }
  {
    Spoilt file("RHO");
    file.poke(112, {3000});
    BOOST_TEST(complaint(file) == "record 10 (length of a piece of the G list) announces 3287 G vectors after 0 of 3000");
  }
  {
    Spoilt file("RHO");
    file.poke(100, {97});
    BOOST_TEST(complaint(file) == "record 1 (title) does not end with its length of 96 bytes");
  }
  BOOST_TEST(message([] { read_density("nowhere/RHO"); }) == "nowhere/RHO: there is no such file");
}

BOOST_AUTO_TEST_CASE(missing_and_foreign_files) {
  auto s = silicon_78bands();
  s.wavefunctions = "nowhere/WFN_inner.h5";
  BOOST_TEST(message([&] { Plan plan(s); }) == "nowhere/WFN_inner.h5: there is no such file");
  s = silicon_78bands();
  s.eps0 = s.wavefunctions;
  BOOST_TEST(message([&] { Plan plan(s); }) == s.eps0.string() + ": dataset eps_header/versionnumber: there is no such dataset");
  s = silicon_78bands();
  s.wavefunctions = s.density;
  BOOST_TEST(message([&] { Plan plan(s); }).rfind(s.density.string() + ": record 1 (title) begins with 'RHO-Complex' where WFN-", 0) == 0u);
}

BOOST_AUTO_TEST_CASE(wrong_shapes_and_types) {
  struct Case {
    const char* file;
    std::function<void(Spoilt&)> spoil;
    const char* says;
  };
  const std::vector<Case> cases{
      {"WFN_inner.h5", [](Spoilt& f) { f.remove("mf_header/kpoints/rk"); }, "dataset mf_header/kpoints/rk: there is no such dataset"},
      {"WFN_inner.h5",
       [](Spoilt& f) {
         f.put<double>("mf_header/kpoints/rk", {8, 2}, std::vector<double>(16));
       },
       "dataset mf_header/kpoints/rk: its shape is (8, 2) where (8, 3) is expected"},
      {"WFN_inner.h5",
       [](Spoilt& f) {
         f.put<int>("mf_header/kpoints/rk", {8, 3}, std::vector<int>(24));
       },
       "dataset mf_header/kpoints/rk: floating-point numbers are expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.put<double>("mf_header/kpoints/ngk", {8}, std::vector<double>(8)); },
       "dataset mf_header/kpoints/ngk: integers are expected"},
      {"WFN_inner.h5",
       [](Spoilt& f) {
         f.put<int>("mf_header/kpoints/nrk", {2}, {8, 8});
       },
       "dataset mf_header/kpoints/nrk: its shape is (2) where one number is expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/kpoints/nrk", 0, 2000000000); },
       "dataset mf_header/kpoints/nrk: its value is 2000000000 where 1 to 1000000 is expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/kpoints/mnband", 0, 5000000); },
       "dataset mf_header/kpoints/el: its shape is (1, 8, 80) where (1, 8, 5000000) is expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/kpoints/nspin", 0, 2); },
       "dataset mf_header/kpoints/el: its shape is (1, 8, 80) where (2, 8, 80) is expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/kpoints/ngk", 3, 99); },
       "dataset wfns/gvecs: its shape is (3280, 3) where (2964, 3) is expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/kpoints/ngk", 3, -1); },
       "dataset mf_header/kpoints/ngk: k point 4 has -1 plane waves"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/flavor", 0, 1); },
       "dataset wfns/coeffs: its shape is (80, 1, 3280, 2) where (80, 1, 3280, 1) is expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<double>("mf_header/kpoints/el", 85, std::nan("")); },
       "dataset mf_header/kpoints/el: the energy of band 6 at k point 2 is nan"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/kpoints/kgrid", 1, 0); },
       "dataset mf_header/kpoints/kgrid: extent 0 where 1 to 10000 is expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/symmetry/ntran", 0, 49); },
       "dataset mf_header/symmetry/ntran: its value is 49 where 1 to 48 is expected"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<int>("mf_header/symmetry/mtrx", 10, 3); },
       "dataset mf_header/symmetry/mtrx: operation 2 does not keep the lattice"},
      {"WFN_inner.h5", [](Spoilt& f) { f.change<double>("mf_header/crystal/bdot", 0, 2.0); },
       "dataset mf_header/crystal/bdot: it makes a cell of 183.44539 bohr^3 but celvol is 270.01139"},
      {"WFN_inner.h5", [](Spoilt& f) { f.put<double>("mf_header/kpoints/w", {8}, {}); },
       "dataset mf_header/kpoints/w: its shape (8) needs 64 bytes but the file holds 0 for it"},
      {"WFN_inner.h5",
       [](Spoilt& f) {
         f.put<double>("wfns/coeffs", {80, 1, 3280, 4000000000}, {});
       },
       "dataset wfns/coeffs: its shape is (80, 1, 3280, 4000000000) where (80, 1, 3280, 2) is expected"},
      {"eps0mat.h5", [](Spoilt& f) { f.change<int>("eps_header/qpoints/nq", 0, 2); },
       "dataset eps_header/qpoints/nq: its value is 2 where 1 is expected"},
      {"eps0mat.h5", [](Spoilt& f) { f.change<double>("eps_header/qpoints/qpts", 2, 0.25); },
       "dataset eps_header/qpoints/qpts: q point 1 is (0, 0, 0.25) where a small q is expected"},
      {"eps0mat.h5", [](Spoilt& f) { f.change<int>("eps_header/params/matrix_type", 0, 2); },
       "dataset eps_header/params/matrix_type: its value is 2 where 0 is expected"},
      {"epsmat.h5", [](Spoilt& f) { f.change<int>("eps_header/gspace/nmtx", 0, 114); },
       "dataset eps_header/gspace/nmtx: q point 1 has 114 G vectors where 1 to 113 are expected"},
      {"epsmat.h5", [](Spoilt& f) { f.change<int>("eps_header/gspace/gind_eps2rho", 4, 3288); },
       "dataset eps_header/gspace/gind_eps2rho: q point 1 points at G vector 3288 of 3287"},
      {"epsmat.h5", [](Spoilt& f) { f.change<int>("eps_header/gspace/gind_eps2rho", 4, 1); },
       "dataset eps_header/gspace/gind_eps2rho: q point 1 has a G vector twice"},
      {"epsmat.h5", [](Spoilt& f) { f.change<int>("eps_header/gspace/gind_eps2rho", 4, 3287); },
       "dataset eps_header/gspace/gind_eps2rho: G = (10, 7, 5) of q point 1 lies outside the cutoff"},
      {"epsmat.h5", [](Spoilt& f) { f.change<int>("eps_header/qpoints/qpt_done", 2, 0); },
       "dataset eps_header/qpoints/qpt_done: q point 3, (0, 0.25, 0.25), was not finished"},
      {"epsmat.h5", [](Spoilt& f) { f.change<int>("eps_header/gspace/nmtx_max", 0, 112); },
       "dataset mats/matrix: its shape is (7, 1, 1, 113, 113, 2) where (7, 1, 1, 112, 112, 2) is expected"},
      {"epsmat.h5", [](Spoilt& f) { f.change<double>("eps_header/qpoints/qpts", 5, 0.0); },
       "dataset eps_header/qpoints/qpts: q point 2 is zero, which belongs to eps0mat.h5"},
  };
  for (const auto& c : cases) {
    Spoilt file(c.file);
    c.spoil(file);
    BOOST_TEST(complaint(file) == c.says);
  }
}

BOOST_AUTO_TEST_CASE(files_that_contradict_each_other) {
  const auto other = silicon();
  const auto s = silicon_78bands();
  const auto plan = [](const Settings& settings) { return message([&] { Plan{settings}; }); };
  auto t = s;
  t.density = other.density;
  BOOST_TEST(plan(t) ==
             s.wavefunctions.string() + " and " + t.density.string() + " describe different cells (270.01139 and 270.10615 bohr^3)");
  t = s;
  t.eps0 = other.eps0;
  BOOST_TEST(plan(t) == t.eps0.string() + " and " + s.eps.string() + " describe different cells (270.10615 and 270.01139 bohr^3)");
  t = s;
  t.eps0 = other.eps0;
  t.eps = other.eps;
  BOOST_TEST(plan(t) ==
             s.wavefunctions.string() + " and " + t.eps0.string() + " describe different cells (270.01139 and 270.10615 bohr^3)");
  t = s;
  t.eps.clear();
  BOOST_TEST(plan(t) == "q points of " + s.eps0.string() + " and : the points and their images are 1 of the 64 of the grid");
  {
    Spoilt file("WFN_inner.h5");
    for (size_t i = 0; i < 8; ++i) file.change<int>("mf_header/kpoints/ifmax", i, 5);
    BOOST_TEST(complaint(file) ==
               "band 5 at k = (0.25, 0.5, 0.75) is occupied at 10.2902 eV, above band 6 at k = (0, 0.5, 0.5), which is empty at 6.7245 eV: "
               "no Fermi level separates them");
  }
  {
    Spoilt file("epsmat.h5");
    file.change<double>("eps_header/params/ecuts", 0, 8.5);
    BOOST_TEST(complaint(file) == "the cutoff is 8.000000 Ry in " + s.eps0.string() + " and 8.500000 Ry in " + file.path.string());
  }
}

BOOST_AUTO_TEST_CASE(settings_that_the_files_cannot_serve) {
  const auto plan = [](auto&& change) {
    auto s = silicon_78bands();
    change(s);
    return message([&] { Plan{s}; });
  };
  const std::string file = data("silicon_78bands/WFN_inner.h5").string();
  BOOST_TEST(plan([](Settings& s) { s.nbands = 81; }) ==
             "number of bands: 81 asked for; 4 (the occupied ones) to 80 are possible with " + file);
  BOOST_TEST(plan([](Settings& s) { s.nbands = 7; }) ==
             "bands 7 and 8 are degenerate at k = (0, 0.25, 0.25): a sum over 7 bands would depend on how "
             "they are mixed; 4 or 8 would not");
  BOOST_TEST(plan([](Settings& s) { s.band_max = 81; }) == "external bands 1 to 81 are asked for; the bands are 1 to 80");
  BOOST_TEST(plan([](Settings& s) { s.kpoints = {{0.1, 0, 0}}; }) == "k = (0.1, 0, 0) is not among the 8 k points of " + file);
  BOOST_TEST(plan([](Settings& s) { s.model = Model::godby_needs; }) ==
             "Godby-Needs needs eps^-1 at zero and at one imaginary frequency; " + data("silicon_78bands/eps0mat.h5").string() +
                 " has 1 frequency");
}

// Damage that only shows when the numbers themselves are read.
BOOST_AUTO_TEST_CASE(points_beside_their_shifted_grid) {
  Spoilt file("WFN_inner.h5");
  file.change<double>("mf_header/kpoints/shift", 1, 0.5);
  BOOST_TEST(message([&] { Plan{with(file)}; }) ==
             "k points of " + file.path.string() + ": (0, 0, 0) is not on the 4 x 4 x 4 grid, shifted by (0, 0.5, 0) of its steps");
}

// pw2bgw.x writes no grid where the k points are those of a path.
BOOST_AUTO_TEST_CASE(points_of_a_path_need_no_grid) {
  Spoilt file("WFN_inner.h5");
  for (const size_t axis : {0, 1, 2}) file.change<int>("mf_header/kpoints/kgrid", axis, 0);
  BOOST_TEST(Wavefunctions(file.path, KGrid::none).kpoints().size() == 8u);
  BOOST_TEST(message([&] { Wavefunctions{file.path, KGrid::grid}; }).find("extent 0 where 1 to 10000 is expected") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not) {
  {
    Spoilt file("WFN_inner.h5");
    file.change<double>("wfns/coeffs", 2 * 3280 + 10, std::nan(""));
    BOOST_TEST(message([&] { Wavefunctions(file.path).read(0, 4); }) ==
               file.path.string() + ": dataset wfns/coeffs: band 2 at k point 1 has norm nan instead of 1");
  }
  {
    Spoilt file("WFN_inner.h5");
    file.change<int>("wfns/gvecs", 3, 40);
    BOOST_TEST(message([&] { Wavefunctions(file.path).gvectors(0); }).find("dataset wfns/gvecs: G = (40, ") != std::string::npos);
  }
  {
    Spoilt file("eps0mat.h5");
    file.change<double>("mats/matrix", 2 * 113 + 4, INFINITY);
    BOOST_TEST(message([&] { InverseDielectric(file.path, {}).matrix(0, 0); }) ==
               file.path.string() + ": dataset mats/matrix: element (3, 2) of q = (0, 0, 0) is not a usable number");
  }
}

// Two frequencies made from one pole: Godby-Needs finds that pole for every pair.
BOOST_AUTO_TEST_CASE(godby_needs_reads_the_second_frequency) {
  Scratch folder;
  const double pole = 12.0, second = 20.0;  // eV
  auto s = silicon_78bands();
  s.nbands = 8;
  s.model = Model::godby_needs;
  const auto extend = [&](const fs::path& from, const fs::path& to) {
    fs::copy_file(from, to);
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
    const hid_t file = H5Fopen(to.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t old = H5Dopen2(file, "mats/matrix", H5P_DEFAULT), old_space = H5Dget_space(old);
    hsize_t shape[6];
    H5Sget_simple_extent_dims(old_space, shape, nullptr);
    const size_t n = shape[3], block = n * n * 2;
    std::vector<double> one(shape[0] * block), two(2 * one.size());
    H5Dread(old, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, one.data());
    for (size_t q = 0; q < shape[0]; ++q)
      for (size_t i = 0; i < block; ++i) {
        const double delta = i % 2 == 0 && (i / 2) / n == (i / 2) % n ? 1 : 0;
        two[2 * q * block + i] = one[q * block + i];
        // I(iw) = I pole^2/(pole^2 + w^2)
        two[(2 * q + 1) * block + i] = delta - (delta - one[q * block + i]) * pole * pole / (pole * pole + second * second);
      }
    shape[2] = 2;
    H5Sclose(old_space);
    H5Dclose(old);
    H5Ldelete(file, "mats/matrix", H5P_DEFAULT);
    const auto put = [&](const char* name, int rank, const hsize_t* extents, hid_t type, const void* values) {
      H5Ldelete(file, name, H5P_DEFAULT);
      const hid_t space = rank ? H5Screate_simple(rank, extents, nullptr) : H5Screate(H5S_SCALAR);
      const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
      H5Dclose(set);
      H5Sclose(space);
    };
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    put("mats/matrix", 6, shape, H5T_NATIVE_DOUBLE, two.data());
    const hsize_t pair[]{2, 2};
    const double frequencies[]{0, 0, 0, second};
    const int count = 2;
    put("eps_header/freqs/freqs", 2, pair, H5T_NATIVE_DOUBLE, frequencies);
    put("eps_header/freqs/nfreq", 0, nullptr, H5T_NATIVE_INT, &count);
    H5Fclose(file);
  };
  extend(data("silicon_78bands/eps0mat.h5"), folder / "eps0mat.h5");
  extend(data("silicon_78bands/epsmat.h5"), folder / "epsmat.h5");
  s.eps0 = folder / "eps0mat.h5";
  s.eps = folder / "epsmat.h5";
  const Plan plan(s);
  KernelSource source("cpu");
  Screenings screenings(plan, source);
  for (int q = 0; q < plan.eps.count(); ++q) {
    const auto screening = screenings.make(q);
    double worst = 0;
    size_t poles = 0;
    for (size_t i = 0; i < screening.wtilde.size(); ++i) {
      if (screening.wtilde[i] == 0.0) continue;  // too small a strength
      ++poles;
      // 1 - delta + ... leaves 1e-16/|I| of the ratio; strengths go down to 1e-6
      worst = std::max(worst, std::abs(screening.wtilde[i] - pole));
    }
    BOOST_TEST(poles > screening.wtilde.size() / 4);
    BOOST_TEST(worst <= 1e-7);
  }
}
