// SPDX-License-Identifier: BSD-3-Clause
// gw.screening on a device: an item for each pair (G,G'). The density lies in a box; what depends on G alone
// is made on the host.
#include "screening.hpp"

#include "../crystal.hpp"
#include "tables.hpp"

namespace suite::gw {
namespace {

class ScreeningOnDevice {
public:
  static constexpr auto parameters = device::parameters(model_parameter);

  ScreeningOnDevice(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : model_(static_cast<Model>(p[0])), queue_(backend, queue, p + 1, PolesOfScreening::name) {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<PolesOfScreening> host(queue_, a, {"g", "g_rho", "rho", "indigp"});
    queue_.check_count(host->ncouls() * host->ngpown(), "pairs");
    density_ = make_density_box(*host);
    rho_.set(density_.value);
    density_.value = {};
    g_.assign(host->g.data(), host->g.data() + 3 * host->ncouls());
    indigp_.clear();
    if (host->indigp) indigp_.assign(host->indigp.data(), host->indigp.data() + host->ngpown());
    columns_.clear();
    for (int64_t igp = 0; igp < host->ngpown(); ++igp)
      columns_.push_back(
          static_cast<int32_t>((indigp_.empty() ? igp + 1 : indigp_[static_cast<size_t>(igp)]) - 1));
    column_list_.set(columns_);
  }

  void execute(const suite_array* a) {
    queue_.select();
    const HostCopies<PolesOfScreening> host(queue_, a, {"vcoul", "q", "bdot", "indigp"});
    const Scalars s = scalars_of(*host, model_, density_.electrons);
    const int32_t zero = set_rows(*host, s);
    const PolesOfScreening c(a);
    const int64_t pairs = c.ncouls() * c.ngpown();
    device::launch(queue_, pair_poles(), pairs, rows_, c.g, rho_, column_list_, c.epsinv,
                   device::or_null(c.epsinv_imaginary), c.I_eps_array, c.wtilde_array, c.ncouls(), pairs,
                   zero, density_.reach[0], density_.reach[1], density_.reach[2],
                   static_cast<int32_t>(model_), s.mode, c.parts());
  }

private:
  int32_t set_rows(const PolesOfScreening& c, const Scalars& s) {
    const int64_t n = c.ncouls();
    std::vector<double> rows;
    int32_t zero = -1;
    for (int64_t ig = 0; ig < n; ++ig) {
      double x[3];
      for (int i = 0; i < 3; ++i) x[i] = s.q[i] + g_[static_cast<size_t>(3 * ig + i)];
      for (int i = 0; i < 3; ++i)
        rows.push_back(s.factor * c.vcoul(ig) *
                       (s.bdot[i] * x[0] + s.bdot[i + 3] * x[1] + s.bdot[i + 6] * x[2]));
      rows.insert(rows.end(), x, x + 3);
      if (x[0] == 0 && x[1] == 0 && x[2] == 0) zero = static_cast<int32_t>(ig);
    }
    rows.push_back(s.plasma2);
    rows.push_back(s.w_imaginary2);
    rows_.set(rows);
    return zero;
  }

  Model model_;
  device::Queue queue_;
  DensityBox density_;
  std::vector<int32_t> g_, indigp_, columns_;
  device::Buffer<double> rho_{queue_, "the density of gw.screening"},
      rows_{queue_, "the G vectors of gw.screening"};
  device::Buffer<int32_t> column_list_{queue_, "the columns of gw.screening"};
};

}  // namespace

const suite_kernel_table* screening_table() {
  static constexpr suite_kernel_table table =
      kernel_table<PolesOfScreening, ScreeningOnDevice>(SUITE_DEVICE_BACKEND, SUITE_DEVICE_BACKEND);
  return &table;
}

}  // namespace suite::gw
