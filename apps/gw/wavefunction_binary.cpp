// SPDX-License-Identifier: BSD-3-Clause
// Wavefunctions in Fortran's records, as pw2bgw.x and the binary writers of BerkeleyGW leave them (WFN, WFNq): a title, the header, all G, and
// for each k its G and then each band, every list in one piece or several.
#include <suite/plugin.hpp>

#include "crystal_records.hpp"
#include "hdf5/hdf5.hpp"
#include "wavefunction_file.hpp"

namespace suite::gw {

namespace {

constexpr const char* gspace_name = "G list";

class BinaryWavefunctions final : public WavefunctionFile {
public:
  explicit BinaryWavefunctions(const std::filesystem::path& path) : records_(path) {
    WavefunctionHeader& h = header_;
    h.flavour = read_title(records_, "WFN");
    // Spins, G, operations, cell_symmetry, atoms, cutoff of the density (a real64); k, bands, most plane waves, cutoff (a real64).
    const auto sizes = records_.next("sizes", 48);
    const int components = get<int32_t>(sizes, 0);
    if (components != 1 && components != 2 && components != 4)
      records_.fail("sizes", fmt::format("gives {} spins where 1, 2 or 4 (for spinors) is expected", components));
    h.spins = components == 2 ? 2 : 1;
    h.spinors = components == 4 ? 2 : 1;
    int operations = 0;
    ng_ = read_sizes(records_, sizes, cell_, operations);
    const int nk = get_list<int32_t>(sizes, 1, 28)[0];
    h.nbands = get_list<int32_t>(sizes, 1, 32)[0];
    most_plane_waves_ = get_list<int32_t>(sizes, 1, 36)[0];
    h.cutoff = get_list<double>(sizes, 1, 40)[0];
    if (nk < 1 || nk > 1000000) records_.fail("sizes", fmt::format("gives {} k points", nk));
    if (h.nbands < 1 || h.nbands > 10000000) records_.fail("sizes", fmt::format("gives {} bands", h.nbands));
    if (!(h.cutoff >= 1e-3 && h.cutoff <= 1e6)) records_.fail("sizes", fmt::format("gives a cutoff of {:g} Ry", h.cutoff));
    const auto grids = records_.next("grids", 48);  // of the FFT, of k, and its shift (real64)
    for (int i = 0; i < 3; ++i) {
      fft_grid_[i] = get<int32_t>(grids, i);
      h.grid[i] = get<int32_t>(grids, 3 + i);
      h.shift[i] = get<double>(grids, 3 + i);
    }
    read_cell(records_, operations, cell_);
    h.crystal = cell_.crystal();
    h.operations = operations_of(operations, cell_.rotations.data(), cell_.translations.data());

    const auto integers = [&](const char* what, int64_t count) {
      return get_list<int>(records_.next(what, 4 * count), static_cast<size_t>(count));
    };
    const auto reals = [&](const char* what, int64_t count) {
      return get_list<double>(records_.next(what, 8 * count), static_cast<size_t>(count));
    };
    h.plane_waves = integers("plane waves of each k", nk);
    for (int k = 0; k < nk; ++k)
      if (h.plane_waves[k] < 1 || h.plane_waves[k] > most_plane_waves_)
        records_.fail("plane waves of each k",
                      fmt::format("gives {} to k point {} where 1 to {} are expected", h.plane_waves[k], k + 1, most_plane_waves_));
    h.weights = reals("weights", nk);
    const auto rk = reals("k points", 3LL * nk);
    for (int k = 0; k < nk; ++k) h.kpoints.push_back({rk[3 * k], rk[3 * k + 1], rk[3 * k + 2]});
    h.lowest = integers("lowest occupied bands", int64_t{h.spins} * nk);
    h.highest = integers("highest occupied bands", int64_t{h.spins} * nk);
    h.energies = reals("energies", int64_t{h.spins} * nk * h.nbands);
    h.occupations = reals("occupations", int64_t{h.spins} * nk * h.nbands);

    gspace_ = find_list(gspace_name, ng_, 12);
    for (int k = 0; k < nk; ++k) {
      const int n = h.plane_waves[k];
      gvectors_.push_back(find_list("G list of a k point", n, 12));
      for (int band = 0; band < h.nbands; ++band) bands_.push_back(find_list("band", n, 8LL * h.flavour * h.spins * h.spinors));
    }
    records_.require_end("band");
  }

  const std::filesystem::path& path() const override { return records_.path(); }
  std::vector<Miller> gspace() const override { return vectors(gspace_, ng_); }
  Miller fft_grid() const override { return fft_grid_; }
  std::vector<Miller> gvectors(int k) const override { return vectors(gvectors_[k], header_.plane_waves[k]); }

  void read(const Slab& slab, double* c) const override {
    const int64_t n = header_.plane_waves[slab.k], width = header_.flavour;
    for (int64_t band = 0; band < slab.bands; ++band)
      for (const Piece& piece : bands_[static_cast<size_t>(int64_t{slab.k} * header_.nbands + slab.first_band + band)])
        records_.read_at(piece.position + 8 * width * piece.count * slab.component,
                         reinterpret_cast<char*>(c + width * (band * n + piece.first)), 8 * width * piece.count, "a band");
  }
  void read(const Slab& slab, std::complex<double>* c) const override {
    auto* const numbers = reinterpret_cast<double*>(c);
    read(slab, numbers);
    const int64_t count = header_.plane_waves[slab.k] * slab.bands;
    // From the last on, for the real ones lie at the beginning.
    for (int64_t i = count; header_.flavour == 1 && i-- > 0;) numbers[2 * i] = numbers[i], numbers[2 * i + 1] = 0;
  }

  void write_header(hdf5::Writer& to) const override {
    const WavefunctionHeader& h = header_;
    const auto nk = static_cast<int64_t>(h.kpoints.size());
    const auto integer = [&](const char* name, int value) { to.write(std::string("mf_header/") + name, &value, {}); };
    const auto real = [&](const char* name, double value) { to.write(std::string("mf_header/") + name, &value, {}); };
    const auto list = [&](const char* name, const auto* values, const std::vector<int64_t>& shape) {
      to.write(std::string("mf_header/") + name, values, shape);
    };
    integer("versionnumber", 1);
    integer("flavor", h.flavour);
    real("crystal/celvol", cell_.celvol);
    real("crystal/recvol", cell_.recvol);
    real("crystal/alat", cell_.alat);
    real("crystal/blat", cell_.blat);
    integer("crystal/nat", h.crystal.atoms);
    list("crystal/avec", cell_.avec.data(), {3, 3});
    list("crystal/bvec", cell_.bvec.data(), {3, 3});
    list("crystal/adot", cell_.adot.data(), {3, 3});
    list("crystal/bdot", cell_.bdot.data(), {3, 3});
    list("crystal/atyp", h.crystal.species.data(), {h.crystal.atoms});
    list("crystal/apos", h.crystal.positions[0].data(), {h.crystal.atoms, 3});
    const auto all_g = gspace();
    integer("gspace/ng", ng_);
    real("gspace/ecutrho", cell_.ecutrho);
    list("gspace/FFTgrid", fft_grid_.data(), {3});
    list("gspace/components", all_g[0].data(), {ng_, 3});
    integer("kpoints/nspin", h.spins);
    integer("kpoints/nspinor", h.spinors);
    integer("kpoints/nrk", static_cast<int>(nk));
    integer("kpoints/mnband", h.nbands);
    integer("kpoints/ngkmax", most_plane_waves_);
    real("kpoints/ecutwfc", h.cutoff);
    list("kpoints/kgrid", h.grid.data(), {3});
    list("kpoints/shift", h.shift.data(), {3});
    list("kpoints/ngk", h.plane_waves.data(), {nk});
    list("kpoints/ifmin", h.lowest.data(), {h.spins, nk});
    list("kpoints/ifmax", h.highest.data(), {h.spins, nk});
    list("kpoints/w", h.weights.data(), {nk});
    list("kpoints/rk", h.kpoints[0].data(), {nk, 3});
    list("kpoints/el", h.energies.data(), {h.spins, nk, h.nbands});
    list("kpoints/occ", h.occupations.data(), {h.spins, nk, h.nbands});
    integer("symmetry/ntran", cell_.operations());
    integer("symmetry/cell_symmetry", cell_.cell_symmetry);
    std::vector<int> rotations = cell_.rotations;
    std::vector<double> translations = cell_.translations;
    rotations.resize(48 * 9);
    translations.resize(48 * 3);
    list("symmetry/mtrx", rotations.data(), {48, 3, 3});
    list("symmetry/tnp", translations.data(), {48, 3});
  }

  [[noreturn]] void fail(const std::string& item, const std::string& sentence) const override {
    throw Failure(SUITE_INVALID_ARGUMENT, path().string() + ": " + item.substr(item.rfind('/') + 1) + ": " + sentence);
  }

private:
  // A list of G or of numbers, one for each of them, in one piece or several.
  struct Piece {
    int64_t position = 0;  // of its first byte
    int32_t first = 0, count = 0;
  };
  using List = std::vector<Piece>;

  List find_list(const char* what, int n, int64_t bytes_each) {
    List list;
    read_pieces(records_, what, n, [&](int done, int count) { list.push_back({records_.skip(what, bytes_each * count), done, count}); });
    return list;
  }

  std::vector<Miller> vectors(const List& list, int n) const {
    static_assert(sizeof(Miller) == 12);
    std::vector<Miller> g(static_cast<size_t>(n));
    for (const Piece& piece : list)
      records_.read_at(piece.position, reinterpret_cast<char*>(g[static_cast<size_t>(piece.first)].data()), 12LL * piece.count,
                       gspace_name);
    return g;
  }

  Records records_;
  CellRecords cell_;
  int ng_ = 0, most_plane_waves_ = 0;
  Miller fft_grid_{};
  List gspace_;
  std::vector<List> gvectors_, bands_;  // by k; bands fastest
};

}  // namespace

std::unique_ptr<WavefunctionFile> open_wavefunctions_binary(const std::filesystem::path& path) {
  return std::make_unique<BinaryWavefunctions>(path);
}

}  // namespace suite::gw
