// SPDX-License-Identifier: BSD-3-Clause
// gw.screening on a device: an item for each G vector, then for each pair (G,G'). The density lies in a box.
#include "screening.hpp"

#include <algorithm>
#include <array>

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
    const HostCopies<PolesOfScreening> host(queue_, a, {"g_rho", "rho", "indigp"});
    queue_.check_count(host->ncouls() * host->ngpown(), "pairs");
    check_columns(*host);
    density_ = make_density_box(*host);
    rho_.set(density_.value);
    density_.value = {};
    std::vector<int32_t> columns;
    for (int64_t igp = 0; igp < host->ngpown(); ++igp)
      columns.push_back((host->indigp ? host->indigp(igp) : static_cast<int32_t>(igp + 1)) - 1);
    columns_.set(columns);
  }

  void execute(const suite_array* a) {
    queue_.select();
    const PolesOfScreening c(a);
    std::copy_n(a, asked_.size(), asked_.begin());
    const Scalars s = scalars_without_lattice(c, model_, density_.electrons);
    const int64_t n = c.ncouls(), pairs = n * c.ngpown();
    device::launch(queue_, set_rows(), n, c.g, c.vcoul, c.q, c.bdot, rows_.at_least(6 * n + 2), wrong_.at_least(1), n, s.factor,
                   s.plasma2_volume, s.w_imaginary2);
    device::launch(queue_, pair_poles(), pairs, rows_, wrong_, c.g, rho_, columns_, c.epsinv, device::or_null(c.epsinv_imaginary),
                   c.I_eps_array, c.wtilde_array, n, pairs, density_.reach[0], density_.reach[1], density_.reach[2],
                   static_cast<int32_t>(model_), s.mode, c.parts());
  }

  void finish() {
    queue_.select();
    if (wrong_.first()) cell_volume(HostCopies<PolesOfScreening>(queue_, asked_.data(), {"bdot"})->bdot.data());
  }

private:
  Model model_;
  device::Queue queue_;
  DensityBox density_;
  std::array<suite_array, rows<PolesOfScreening>.size()> asked_{};  // about which finish() asks
  device::Buffer<double> rho_{queue_, "the density of gw.screening"}, rows_{queue_, "the G vectors of gw.screening"};
  device::Buffer<int32_t> columns_{queue_, "the columns of gw.screening"}, wrong_{queue_, "whether bdot of gw.screening is wrong"};
};

}  // namespace

const suite_kernel_table* screening_table() {
  static constexpr suite_kernel_table table = kernel_table<PolesOfScreening, ScreeningOnDevice>(SUITE_DEVICE_BACKEND, SUITE_DEVICE_BACKEND);
  return &table;
}

}  // namespace suite::gw
