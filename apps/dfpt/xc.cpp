// SPDX-License-Identifier: BSD-3-Clause
#include "xc.hpp"

#include <algorithm>

#ifdef SUITE_HAVE_LIBXC
#include <xc.h>

#include <suite/suite.hpp>
#endif

namespace suite::all_electron {

#ifdef SUITE_HAVE_LIBXC
namespace {

constexpr double empty_below = 1e-24;

// libxc's "modified" PW92 has the parameter A to as many digits as ours.
int libxc_correlation(Xc xc) { return xc == Xc::pz81 ? XC_LDA_C_PZ : xc == Xc::vwn5 ? XC_LDA_C_VWN : XC_LDA_C_PW_MOD; }

class Functional {
public:
  explicit Functional(int id) {
    if (xc_func_init(&functional_, id, XC_UNPOLARIZED) != 0)
      throw Failure(SUITE_INTERNAL, concat("libxc ", xc_version_string(), " has no functional ", id));
    xc_func_set_dens_threshold(&functional_, empty_below);
  }
  ~Functional() { xc_func_end(&functional_); }
  Functional(const Functional&) = delete;
  Functional& operator=(const Functional&) = delete;

  void add_to(std::span<const double> density, std::span<XcValues> values) const {
    constexpr size_t most = 1024;
#pragma omp parallel for schedule(static)
    for (size_t first = 0; first < density.size(); first += most) {
      double e[most], v[most], f[most];
      const size_t n = std::min(most, density.size() - first);
      xc_lda_exc_vxc_fxc(&functional_, n, density.data() + first, e, v, f);
      for (size_t i = 0; i < n; ++i)
        if (density[first + i] >= empty_below) {
          XcValues& value = values[first + i];
          value = {value.e + e[i], value.v + v[i], value.f + f[i]};
        }
    }
  }

private:
  xc_func_type functional_;
};

}  // namespace

void exchange_correlation(Xc xc, std::span<const double> density, std::span<XcValues> values) {
  std::fill(values.begin(), values.end(), XcValues{0, 0, 0});
  Functional(XC_LDA_X).add_to(density, values);
  Functional(libxc_correlation(xc)).add_to(density, values);
}
#else
void exchange_correlation(Xc xc, std::span<const double> density, std::span<XcValues> values) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < density.size(); ++i) values[i] = own_exchange_correlation(xc, density[i]);
}
#endif

std::vector<XcValues> exchange_correlation(Xc xc, std::span<const double> density) {
  std::vector<XcValues> values(density.size());
  exchange_correlation(xc, density, values);
  return values;
}

const char* name_of(Xc xc) {
  switch (xc) {
    case Xc::pz81: return "pz81";
    case Xc::vwn5: return "vwn5";
    case Xc::pw92: break;
  }
  return "pw92";
}

}  // namespace suite::all_electron
