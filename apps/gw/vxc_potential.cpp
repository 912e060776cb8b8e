// SPDX-License-Identifier: BSD-3-Clause
#include "vxc_potential.hpp"

#include <suite/plugin.hpp>

#include "band_densities.hpp"
#include "crystal_records.hpp"

namespace suite::gw {

namespace {

using Complex = std::complex<double>;

FourierFile read_potential(const std::filesystem::path& file) { return read_fourier_file(file, "VXC", "potential"); }

void check_potential(const FourierFile& potential, const Plan& plan) {
  const Settings& s = plan.settings;
  const Wavefunctions& w = plan.outer();
  require_same_cell(w.crystal(), s.external_wavefunctions().string(), potential.crystal, s.vxc.string());
  if (potential.values.size() != static_cast<size_t>(w.spins()))
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("nspin is {} in {} and {} in {}", potential.values.size(), s.vxc.string(), w.spins(),
                                                      s.external_wavefunctions().string()));
}

ExchangeCorrelation from_potential(const Plan& plan, const std::string& implementation) {
  const Settings& s = plan.settings;
  const Wavefunctions& w = plan.outer();
  const FourierFile potential = read_potential(s.vxc);
  check_potential(potential, plan);
  KernelSource source(implementation);
  ElementsKernel elements(source);
  Numbers work(plan.parts);
  ExchangeCorrelation vxc = ExchangeCorrelation::none(s.vxc);
  for (const auto& external : plan.externals) {
    const auto sphere = w.read(external.k, s.band_min - 1, s.band_max - s.band_min + 1, plan.parts, external.spin);
    const Bands bands{sphere.g.data(), sphere.c.at(0), plan.parts, static_cast<int64_t>(sphere.g.size()), s.band_max - s.band_min + 1,
                      w.spinors()};
    const auto& values = potential.values[static_cast<size_t>(external.spin)];
    const Vector3& k = w.kpoints()[static_cast<size_t>(external.k)];
    band_densities(elements, bands, potential.g, s.offdiag, s.band_min, work, [&](int n, int m, size_t at) {
      Complex sum = 0;
      for (size_t ig = 0; ig < potential.g.size(); ++ig) sum += product(values[ig], work[at + ig]);
      vxc.put(k, external.spin + 1, n, m, rydberg_eV * sum);
    });
  }
  return vxc;
}

}  // namespace

void check_vxc(const std::filesystem::path& file) {
  if (has_records(file)) read_potential(file);
  else ExchangeCorrelation{file};
}

void check_vxc(const Plan& plan) {
  const Settings& s = plan.settings;
  if (has_records(s.vxc)) return check_potential(read_potential(s.vxc), plan);
  const ExchangeCorrelation vxc(s.vxc);
  for (const auto& external : plan.externals)
    for (int band = s.band_min; band <= s.band_max; ++band)
      vxc.at(plan.outer().kpoints()[static_cast<size_t>(external.k)], band, external.spin + 1);
}

ExchangeCorrelation make_vxc(const Settings& settings, const std::string& implementation) {
  return has_records(settings.vxc) ? from_potential(Plan(settings), implementation) : ExchangeCorrelation(settings.vxc);
}

}  // namespace suite::gw
