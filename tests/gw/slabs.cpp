// SPDX-License-Identifier: BSD-3-Clause
// Reading some bands, plane waves and columns of files that hold more: the right ones, and no memory for the others.
#include <boost/test/unit_test.hpp>

#include <hdf5.h>

#include <numeric>

#include "bench.hpp"
#include "coefficients.hpp"
#include "common/memory.hpp"
#include "epsilon.hpp"
#include "memory.hpp"
#include "plan.hpp"
#include "screening.hpp"
#include "wavefunctions.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
using Complex = std::complex<double>;

namespace {

// wfns/coeffs, each of whose numbers is its place in the file.
void write_numbered(const std::filesystem::path& path, const std::vector<hsize_t>& shape) {
  std::vector<double> values(std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>()));
  std::iota(values.begin(), values.end(), 0.0);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "wfns", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t set = H5Dcreate2(group, "coeffs", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Sclose(space);
  H5Gclose(group);
  H5Fclose(file);
}

}  // namespace

// Two components (spins, or parts of a spinor), several k, both flavours: every slab holds the numbers of its places.
BOOST_AUTO_TEST_CASE(a_slab_of_bands_holds_its_own_coefficients) {
  constexpr int64_t bands = 7, first_of_k[] = {0, 5, 11, 14};
  for (const int64_t components : {1, 2})
    for (const int flavour : {1, 2}) {
      Scratch folder;
      write_numbered(folder / "WFN.h5", {bands, static_cast<hsize_t>(components), 14, static_cast<hsize_t>(flavour)});
      const hdf5::File file(folder / "WFN.h5");
      const Coefficients coefficients(file, bands, components, 14, flavour);
      for (int64_t component = 0; component < components; ++component)
        for (int k = 0; k < 3; ++k)
          for (const auto& [first, count] : {std::pair{0, 7}, {2, 3}, {6, 1}}) {
            const int64_t n = first_of_k[k + 1] - first_of_k[k];
            std::vector<Complex> c(static_cast<size_t>(n * count));
            coefficients.read({component, first, count, first_of_k[k], n}, c.data());
            for (int64_t band = 0; band < count; ++band)
              for (int64_t i = 0; i < n; ++i) {
                const auto place = static_cast<double>((((first + band) * components + component) * 14 + first_of_k[k] + i) * flavour);
                BOOST_TEST_REQUIRE((c[static_cast<size_t>(band * n + i)] == Complex(place, flavour == 2 ? place + 1 : 0)));
              }
          }
    }
}

BOOST_AUTO_TEST_CASE(slabs_of_bands_make_up_the_whole) {
  const Wavefunctions w(silicon_78bands().wavefunctions);
  for (int k : {0, 3, 7}) {
    const auto whole = w.read(k, 80);
    for (const auto& [first, count] : {std::pair{0, 13}, {13, 40}, {53, 27}}) {
      const auto slab = w.read(k, first, count);
      BOOST_TEST(slab.g == whole.g);
      BOOST_TEST(std::equal(slab.c.at(0), slab.c.at(slab.c.size()), whole.c.at(whole.g.size() * static_cast<size_t>(first))));
    }
  }
}

BOOST_AUTO_TEST_CASE(columns_of_a_matrix_are_its_own) {
  const auto s = silicon_78bands();
  const InverseDielectric eps(s.eps0, s.eps);
  for (int q : {0, 4}) {
    const auto whole = eps.matrix(q, 0);
    const size_t n = eps.gvectors(q).size();
    const auto some = eps.columns(q, 0, 17, 30);
    BOOST_TEST(some.size() == 30 * n);
    BOOST_TEST(std::equal(some.begin(), some.end(), whole.begin() + static_cast<ptrdiff_t>(17 * n)));
  }
}

// Wings, images and poles of a slice from its own columns alone.
BOOST_AUTO_TEST_CASE(screening_of_a_slice_is_its_columns_of_the_whole) {
  for (const auto wings : {Wings::symmetric, Wings::berkeleygw}) {
    auto s = silicon_78bands();
    s.nbands = 8;
    s.coulomb = CoulombMode::cell;
    s.wings = wings;
    const Plan plan(s);
    KernelSource source("cpu");
    Screenings whole(plan, source);
    for (int iq : {0, 5, plan.q_full.size() - 1}) {
      const auto& point = plan.q_full[iq];
      const auto all = whole.make(point);
      size_t at = 0;
      for (int slice = 0; slice < 3; ++slice) {
        const auto part = Screenings(plan, source, {slice, 3}).make(point);
        BOOST_TEST_REQUIRE(part.I_eps.size() == part.wtilde.size());
        BOOST_TEST(std::equal(part.I_eps.at(0), part.I_eps.at(part.I_eps.size()), all.I_eps.at(at)));
        BOOST_TEST(std::equal(part.wtilde.begin(), part.wtilde.end(), all.wtilde.begin() + static_cast<ptrdiff_t>(at)));
        at += part.I_eps.size();
      }
      BOOST_TEST(at == all.I_eps.size());
    }
  }
}

// 48 or 96 MiB in the file, of which 64 bands are wanted. In the real flavour they double, in place.
BOOST_AUTO_TEST_CASE(reading_a_slab_takes_memory_for_the_slab_alone) {
  constexpr double MiB = 1048576;
  constexpr int64_t bands = 1024, plane_waves = 6144, some = 64;
  for (const int flavour : {1, 2}) {
    Scratch folder;
    write_numbered(folder / "WFN.h5", {bands, 1, plane_waves, static_cast<hsize_t>(flavour)});
    const hdf5::File file(folder / "WFN.h5");
    const Coefficients coefficients(file, bands, 1, plane_waves, flavour);
    app::begin_peak_memory();
    const double before_B = app::peak_memory_B();
    std::vector<Complex> c(static_cast<size_t>(plane_waves * some));
    coefficients.read({0, 100, some, 0, plane_waves}, c.data());
    const double taken = (app::peak_memory_B() - before_B) / MiB, wanted = 16.0 * static_cast<double>(c.size()) / MiB;
    BOOST_TEST_MESSAGE("flavour " << flavour << ": " << taken << " MiB for " << wanted);
    // HDF5 itself and what malloc had given back to the system: a few MiB.
    BOOST_CHECK_MESSAGE(before_B == 0 || taken <= wanted + 4, taken << " MiB for " << wanted);
  }
}

// epsilon.x takes the G of the small q by |G|: those of a shell at the cutoff may have |q+G| beyond it.
BOOST_AUTO_TEST_CASE(a_shell_at_the_cutoff_of_the_small_q) {
  Scratch folder;
  const auto path = folder / "eps0mat.h5";
  std::filesystem::copy_file(silicon_78bands().eps0, path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  double shell = 0, longest = 0;
  {
    const InverseDielectric before(path, {});
    for (const auto& g : before.gvectors(0)) {
      shell = std::max(shell, length2(before.crystal().bdot, real(g)));
      longest = std::max(longest, length2(before.crystal().bdot, before.small_q() + g));
    }
  }
  BOOST_TEST_REQUIRE(longest > shell * (1 + 2e-6));
  const auto put = [&](double cutoff) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, "eps_header/params/ecuts", H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &cutoff);
    H5Dclose(set);
    H5Fclose(file);
  };
  put(shell * (1 + 1e-9));
  BOOST_CHECK_NO_THROW(InverseDielectric(path, {}));
  put(shell * (1 - 1e-3));
  BOOST_CHECK_THROW(InverseDielectric(path, {}), Failure);
}

// One slice less of the columns, and twice the bands: what must follow, and what must not.
BOOST_AUTO_TEST_CASE(the_memory_forecast_follows_the_sizes) {
  MemoryCounts c;
  c.stored = 5000.0 * 400;
  c.plane_waves = c.bare = 5000;
  c.bands = c.own_bands = 400;
  c.occupied = c.own_occupied = 108;
  c.external = 6;
  c.ncouls = c.columns = 1800;
  c.grid = 42875;
  c.bare_grid = 64000;
  const Memory one = memory_of(c);
  c.columns = 900;
  const Memory half = memory_of(c);
  BOOST_TEST(half.screening == one.screening / 2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(half.elements == one.elements);
  c.bands = c.own_bands = 800;
  c.stored *= 2;
  const Memory twice = memory_of(c);
  BOOST_TEST(twice.wavefunctions == 2 * half.wavefunctions, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(twice.elements - half.elements == 16.0 * 1800 * 400 * 6, boost::test_tools::tolerance(1e-12));
  // Threads with (k,q) of their own: what was read is there once.
  const Memory three = memory_of(c, 3);
  BOOST_TEST(three.wavefunctions == twice.wavefunctions);
  BOOST_TEST(three.of_thread() == 3 * twice.of_thread(), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_memory_forecast_counts_what_is_read) {
  const Plan plan(silicon_78bands());
  const MemoryCounts all = memory_counts(plan), third = memory_counts(plan, 1, 3);
  double plane_waves = 0;
  for (int k = 0; k < 8; ++k) plane_waves += static_cast<double>(plan.wavefunctions.plane_waves(k));
  BOOST_TEST(all.stored == 78 * plane_waves);  // every k is an internal one
  BOOST_TEST(all.ncouls == 113.0);
  BOOST_TEST(third.columns == 38.0);
}
