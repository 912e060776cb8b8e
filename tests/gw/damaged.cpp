// SPDX-License-Identifier: BSD-3-Clause
// Damaged files of every kind that the app reads, but for binary wavefunctions (binary.cpp): each is refused with a sentence, or what was read is sound.
#include <boost/test/unit_test.hpp>

#include <cmath>

#include <suite/plugin.hpp>

#include "bench.hpp"
#include "crystal_records.hpp"
#include "damage.hpp"
#include "density.hpp"
#include "epsilon.hpp"
#include "vxc.hpp"
#include "wavefunctions.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
namespace fs = std::filesystem;

namespace {

struct Copy {
  explicit Copy(const fs::path& of) : path(folder / of.filename().string()) {
    fs::copy_file(of, path);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  }
  Scratch folder;
  fs::path path;
};

const fs::path polarised_files = fs::path(SUITE_SOURCE_DIR) / "tests/gw/polarised";

void require_finite(const std::vector<std::complex<double>>& values) {
  for (const auto& z : values) BOOST_REQUIRE((std::isfinite(z.real()) && std::isfinite(z.imag())));
}

}  // namespace

// Most bytes are coefficients: a wrong one is seen by the norm of its band.
BOOST_AUTO_TEST_CASE(damaged_hdf5_wavefunctions_are_refused_or_sound) {
  const Copy file(data("gaas/WFNq.h5"));
  const long refused = refused_of_damaged(file.path, [&] {
    const Wavefunctions w(file.path);
    w.gspace();
    for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
      const auto sphere = w.read(k, 0, w.nbands(), w.flavour());
      const size_t n = sphere.g.size();
      for (int band = 0; band < w.nbands(); ++band) {
        double norm = 0;
        for (size_t i = 0; i < n; ++i) norm += std::norm(sphere.c[static_cast<size_t>(band) * n + i]);
        BOOST_REQUIRE(std::abs(norm - 1) <= 1.001e-3);  // what Wavefunctions takes as normalised
        BOOST_REQUIRE(std::isfinite(w.energy(k, band)));
      }
    }
  });
  BOOST_TEST(refused > damaged_files() / 4);
}

BOOST_AUTO_TEST_CASE(damaged_densities_are_refused_or_sound) {
  const Copy file(polarised_files / "RHO");
  const long refused = refused_of_damaged(file.path, [&] {
    const DensityFile density = read_density(file.path);
    BOOST_REQUIRE((density.rho.electrons() > 0 && std::isfinite(density.rho.electrons())));
    for (const Miller& g : density.rho.gvectors()) require_finite({density.rho.at(g)});
  });
  BOOST_TEST(refused > damaged_files() / 4);
}

BOOST_AUTO_TEST_CASE(damaged_potentials_are_refused_or_sound) {
  const Copy file(polarised_files / "VXC");
  const long refused = refused_of_damaged(file.path, [&] {
    const FourierFile potential = read_fourier_file(file.path, "VXC", "potential");
    for (const auto& values : potential.values) require_finite(values);
  });
  BOOST_TEST(refused > damaged_files() / 4);
}

BOOST_AUTO_TEST_CASE(damaged_matrix_elements_of_vxc_are_refused_or_sound) {
  const Copy file(data("silicon/vxc.dat"));
  const long refused = refused_of_damaged(file.path, [&] {
    const ExchangeCorrelation vxc(file.path);
    for (const Vector3& k : vxc.kpoints())
      for (const double x : k) BOOST_REQUIRE(std::isfinite(x));
  });
  BOOST_TEST(refused > damaged_files() / 8);
}

BOOST_AUTO_TEST_CASE(damaged_dielectric_matrices_are_refused_or_sound) {
  const Copy file(data("silicon/eps0mat.h5"));
  const long refused = refused_of_damaged(file.path, [&] {
    const InverseDielectric eps(file.path, {});
    for (int q = 0; q < eps.count(); ++q) require_finite(eps.columns(q, 0, 0, static_cast<int64_t>(eps.gvectors(q).size())));
  });
  BOOST_TEST(refused > damaged_files() / 8);
}
