// SPDX-License-Identifier: BSD-3-Clause
// Calls of the kernel recorded inside BerkeleyGW 3.0 (silicon; tests/data/gpp_fixtures): its inputs, and its
// answers for one diagonal element. Every implementation is to reproduce them to 1e-12.
#include <boost/test/unit_test.hpp>

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "variants.hpp"

namespace {

using Complex = std::complex<double>;

class File {
public:
  explicit File(const std::string& name) : id_(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    if (id_ < 0) throw std::runtime_error("cannot open " + name);
  }
  ~File() { H5Fclose(id_); }
  std::vector<double> real(const char* dataset) const { return read<double>(dataset, H5T_NATIVE_DOUBLE); }
  std::vector<int32_t> integer(const char* dataset) const { return read<int32_t>(dataset, H5T_NATIVE_INT32); }
  std::vector<Complex> complex(const char* dataset) const {
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Complex));
    H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "i", sizeof(double), H5T_NATIVE_DOUBLE);
    auto values = read<Complex>(dataset, type);
    H5Tclose(type);
    return values;
  }
  double attribute(const char* name) const {
    double value = 0;
    const hid_t id = H5Aopen(id_, name, H5P_DEFAULT);
    if (id < 0 || H5Aread(id, H5T_NATIVE_DOUBLE, &value) < 0) throw std::runtime_error(std::string("no attribute ") + name);
    H5Aclose(id);
    return value;
  }

private:
  template <class T> std::vector<T> read(const char* dataset, hid_t type) const {
    const hid_t id = H5Dopen2(id_, dataset, H5P_DEFAULT), space = H5Dget_space(id);
    std::vector<T> values(static_cast<size_t>(H5Sget_simple_extent_npoints(space)));
    if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) throw std::runtime_error(dataset);
    H5Sclose(space);
    H5Dclose(id);
    return values;
  }
  hid_t id_;
};

// theory: f = 1 up to nvband + ncrit, but 1/2 at the Fermi energy; beyond nvband only below it.
std::vector<double> occupations(const File& file, const std::vector<int32_t>& band, const std::vector<double>& energy) {
  const double ef = file.attribute("efermi"), tol = file.attribute("tol");
  const auto nvband = static_cast<int>(file.attribute("nvband")), ncrit = static_cast<int>(file.attribute("ncrit"));
  std::vector<double> f(band.size(), 0.0);
  for (size_t n = 0; n < band.size(); ++n)
    if (band[n] <= nvband + ncrit && (ncrit == 0 || energy[n] <= ef + tol)) f[n] = std::abs(energy[n] - ef) < tol ? 0.5 : 1.0;
  return f;
}

void reproduce(const std::string& name) {
  const File file(name);
  const auto vcoul = file.real("vcoul"), energy = file.real("ekq");
  const auto igp = file.integer("igp"), band = file.integer("band_index");
  const auto wtilde = file.complex("wtilde_array"), I = file.complex("I_eps_array");
  const auto aqsn = file.complex("aqsn"), aqsm = file.complex("aqsm"), sx = file.complex("asx"), ch = file.complex("ach");
  const auto ncouls = std::ssize(vcoul), ngpown = std::ssize(igp), ntband = std::ssize(band);
  const auto first = static_cast<int64_t>(file.attribute("nstart")), last = static_cast<int64_t>(file.attribute("nend"));
  const int64_t nw = last - first + 1;
  const auto f = occupations(file, band, energy);
  const double gamma = file.attribute("gamma"), sexcut = file.attribute("sexcut");
  std::vector<double> wx;
  for (double e : energy)
    for (int64_t iw = first; iw <= last; ++iw)
      wx.push_back(file.attribute("e_lk") + file.attribute("dw") * static_cast<double>(iw - 2) - e);

  for_each_implementation([&](suite::Kernel& kernel, const std::string& implementation) {
    std::vector<Complex> asx(nw), ach(nw);
    kernel.set("wtilde_array", wtilde.data(), {ncouls, ngpown});
    kernel.set("I_eps_array", I.data(), {ncouls, ngpown});
    kernel.set("vcoul", vcoul.data(), {ncouls});
    kernel.set("indigp", igp.data(), {ngpown});
    kernel.set("aqsntemp", aqsn.data(), {ncouls, ntband, 1});
    kernel.set("aqsmtemp", aqsm.data(), {ncouls, ntband, 1});
    kernel.set("wx_array", wx.data(), {nw, ntband, 1});
    kernel.set("occ_array", f.data(), {ntband});
    kernel.set("gamma", gamma);
    kernel.set("sexcut", sexcut);
    kernel.set("asxtemp", asx.data(), {nw, 1});
    kernel.set("achtemp", ach.data(), {nw, 1});
    kernel.run();
    kernel.get("asxtemp", asx.data(), {nw, 1});
    kernel.get("achtemp", ach.data(), {nw, 1});
    double worst = 0;
    const auto compare = [&](Complex x, Complex truth) {
      const double relative = std::abs(x - truth) / std::abs(truth);
      if (!(relative <= worst)) worst = relative;
    };
    for (int64_t iw = 0; iw < nw; ++iw) {
      compare(asx[iw], sx[first - 1 + iw]);
      compare(ach[iw], ch[first - 1 + iw]);
    }
    BOOST_CHECK_MESSAGE(worst <= 1e-12, implementation << " on " << name << ": relative " << worst);
    BOOST_TEST_MESSAGE(std::filesystem::path(name).filename().string() << " " << implementation << " " << worst);
    if (!implementation.ends_with(" best") || !has_mixed_precision(kernel)) return;
    kernel.choose("precision", "mixed");
    kernel.run();
    kernel.get("asxtemp", asx.data(), {nw, 1});
    kernel.get("achtemp", ach.data(), {nw, 1});
    worst = 0;
    for (int64_t iw = 0; iw < nw; ++iw) {
      compare(asx[iw], sx[first - 1 + iw]);
      compare(ach[iw], ch[first - 1 + iw]);
    }
    BOOST_CHECK_MESSAGE(worst <= 1e-6, implementation << ", mixed precision, on " << name << ": relative " << worst);
    BOOST_TEST_MESSAGE("  in mixed precision " << worst);
    kernel.choose("precision", "double");
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(recorded_calls_of_berkeleygw_are_reproduced) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(SUITE_FIXTURES))
    if (entry.path().extension() == ".h5") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  BOOST_REQUIRE(!files.empty());
  for (const auto& file : files) reproduce(file);
}
