// SPDX-License-Identifier: BSD-3-Clause
// Wavefunctions in HDF5 (WFN.h5, version 1).
#include "coefficients.hpp"
#include "wavefunction_file.hpp"
#include "wavefunctions.hpp"

namespace suite::gw {

namespace {

constexpr int absurd = 100000000;

class Hdf5Wavefunctions final : public WavefunctionFile {
public:
  explicit Hdf5Wavefunctions(const std::filesystem::path& path) : file_(path) {
    WavefunctionHeader& h = header_;
    h.crystal = read_crystal(file_);
    file_.integer("mf_header/versionnumber", 1, 1);
    h.flavour = file_.integer("mf_header/flavor", 1, 2);
    const int count = file_.integer("mf_header/symmetry/ntran", 1, 48);
    h.operations = operations_of(count, file_.read<int>("mf_header/symmetry/mtrx", {48, 3, 3}).data(),
                                 file_.read<double>("mf_header/symmetry/tnp", {48, 3}).data());
    const std::string points = "mf_header/kpoints/";
    h.spins = file_.integer(points + "nspin", 1, 2);
    h.spinors = file_.integer(points + "nspinor", 1, 2);
    const int nk = file_.integer(points + "nrk", 1, 1000000);
    h.nbands = file_.integer(points + "mnband", 1, 10000000);
    h.cutoff = file_.real(points + "ecutwfc", 1e-3, 1e6);
    const auto grid = file_.read<int>(points + "kgrid", {3});
    const auto shift = file_.read<double>(points + "shift", {3});
    for (int i = 0; i < 3; ++i) h.grid[i] = grid[i], h.shift[i] = shift[i];
    const auto rk = file_.read<double>(points + "rk", {nk, 3});
    for (int k = 0; k < nk; ++k) h.kpoints.push_back({rk[3 * k], rk[3 * k + 1], rk[3 * k + 2]});
    h.weights = file_.read<double>(points + "w", {nk});
    h.energies = file_.read<double>(points + "el", {h.spins, nk, h.nbands});
    h.occupations = file_.read<double>(points + "occ", {h.spins, nk, h.nbands});
    h.lowest = file_.read<int>(points + "ifmin", {h.spins, nk});
    h.highest = file_.read<int>(points + "ifmax", {h.spins, nk});
    h.plane_waves = file_.read<int>(points + "ngk", {nk});
    for (int k = 0; k < nk; ++k) {
      const int n = h.plane_waves[k];
      if (n < 1 || n > absurd) file_.fail(points + "ngk", fmt::format("k point {} has {} plane waves", k + 1, n));
      first_.push_back(first_.back() + n);
    }
    const std::vector<int64_t> shape{first_.back(), 3};
    if (file_.shape("wfns/gvecs") != shape) file_.read<double>("wfns/gvecs", shape);  // fails with both shapes
    coefficients();
  }

  const std::filesystem::path& path() const override { return file_.path(); }

  std::vector<Miller> gspace() const override {
    const int ng = file_.integer("mf_header/gspace/ng", 1, 500000000);
    return as_list(file_.read<int>("mf_header/gspace/components", {ng, 3}));
  }

  Miller fft_grid() const override {
    const auto grid = file_.read<int>("mf_header/gspace/FFTgrid", {3});
    return {grid[0], grid[1], grid[2]};
  }

  std::vector<Miller> gvectors(int k) const override {
    return as_list(file_.read_block<int>("wfns/gvecs", {first_.back(), 3}, {first_[k], 0}, {header_.plane_waves[k], 3}));
  }

  void read(const Slab& slab, double* c) const override { coefficients().read(in_file(slab), c); }
  void read(const Slab& slab, std::complex<double>* c) const override { coefficients().read(in_file(slab), c); }

  void write_header(hdf5::Writer& to) const override {
    for (const HeaderItem& item : mean_field_items) {
      const std::string name = std::string("mf_header/") + item.name;
      const auto shape = file_.shape(name);
      if (item.is_real) to.write(name, file_.read<double>(name, shape).data(), shape);
      else to.write(name, file_.read<int>(name, shape).data(), shape);
    }
  }

  [[noreturn]] void fail(const std::string& item, const std::string& sentence) const override {
    file_.fail((item.rfind("wfns/", 0) == 0 ? "" : "mf_header/") + item, sentence);
  }

private:
  static std::vector<Miller> as_list(const std::vector<int>& components) {
    std::vector<Miller> g(components.size() / 3);
    for (size_t i = 0; i < g.size(); ++i) g[i] = {components[3 * i], components[3 * i + 1], components[3 * i + 2]};
    return g;
  }
  Coefficients coefficients() const { return {file_, header_.nbands, header_.spins * header_.spinors, first_.back(), header_.flavour}; }
  Coefficients::Slab in_file(const Slab& slab) const {
    return {slab.component, slab.first_band, slab.bands, first_[slab.k], header_.plane_waves[slab.k]};
  }

  hdf5::File file_;
  std::vector<int64_t> first_{0};  // row of gvecs at which each k begins; one more at the end
};

}  // namespace

std::unique_ptr<WavefunctionFile> open_wavefunctions_hdf5(const std::filesystem::path& path) {
  return std::make_unique<Hdf5Wavefunctions>(path);
}

}  // namespace suite::gw
