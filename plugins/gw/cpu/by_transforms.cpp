// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel by transforms: a product on the grid for each pair of bands, and the lines of its transform that
// reach a wanted G.
#include "by_transforms.hpp"

namespace suite::gw {
namespace {

// Of a panel on the grid, for its products with one external band and their transform.
constexpr double nanoseconds_per_number = 0.5;

}  // namespace

void ByTransforms::panel_to_grid(const Mtxel& c, int64_t panel, double* work, double* u) const {
  const Plan& plan = transforms_->plan();
  const auto* const ket = static_cast<const double*>(c.ket.array().data);
  for (int64_t s = 0; s < c.nspinor(); ++s) {
    const Panel from(ket + s * c.npw_ket() * c.ntband() * c.parts(), c.is_real(), c.npw_ket(), c.ntband(), panel);
    Z* const to = reinterpret_cast<Z*>(u) + s * plan.points();
    transforms_->ket_to_grid(
        work, [&](int64_t index) { return from.load(index); }, [&](int64_t line, int64_t x, Z z) { to[line * plan.n[0] + x] = z; });
  }
}

void ByTransforms::prepare(const Mtxel& c, Plan plan) {
  transforms_.reset();
  lines_.limit();
  transforms_.emplace(std::move(plan), lines_);
  const int64_t panels = Panel::count(c.is_real(), c.ntband()), size = panel_size(c);
  kept_ = std::min(panels, memory_mib_ * (1 << 20) / (size * static_cast<int64_t>(sizeof(double))));
  double* const u = internal_.at_least(std::max<int64_t>(1, kept_ * size));
  const int team = cpu::useful_threads(threads_, kept_, 2 * nanoseconds_per_number * static_cast<double>(size));
  scratch_.reserve(team, transforms_->work_size());
  cpu::each(team, kept_, [&](int64_t panel, int thread) { panel_to_grid(c, panel, scratch_.of(thread), u + panel * size); });
}

// Conjugate; a band's points lie one after the other, so that a product reads one number
// for all lanes. A panel of few bands would cost as much as a full one: those go alone.
void ByTransforms::external_bands(const Mtxel& c, int team) {
  const Plan& plan = transforms_->plan();
  const int64_t points = plan.points(), nex = c.nex(), nspinor = c.nspinor(), nx = plan.n[0], npw = c.npw_bra();
  const int64_t rest = nex % lanes, alone = rest <= lanes / 2 ? rest : 0, panels = ceil_div(nex - alone, lanes);
  double* const u = external_.at_least(2 * nex * nspinor * points);
  const auto* const bra = static_cast<const double*>(c.bra.array().data);
  const int parts = c.parts();
  const auto coefficients = [&](int64_t band, int64_t s) { return bra + (s * nex + band) * npw * parts; };
  const auto function = [&](int64_t band, int64_t s) { return u + 2 * (band * nspinor + s) * points; };
  cpu::each(team, (panels + alone) * nspinor, [&](int64_t item, int thread) {
    const int64_t s = item % nspinor, panel = item / nspinor;
    if (panel >= panels) {
      const int64_t band = nex - alone + panel - panels;
      const double* const from = coefficients(band, s);
      double* const to = function(band, s);
      transforms_->band_to_grid(
          scratch_.of(thread),
          [&](int64_t index, double& re, double& im) {
            re = from[index * parts];
            im = parts == 2 ? from[index * parts + 1] : 0;
          },
          [&](int64_t line, int64_t x, double re, double im) {
            to[2 * (line * nx + x)] = re;
            to[2 * (line * nx + x) + 1] = -im;
          });
      return;
    }
    const int64_t first = panel * lanes, some = std::min<int64_t>(lanes, nex - alone - first);
    transforms_->bra_to_grid(
        scratch_.of(thread),
        [&](int64_t index) {
          double re[lanes] = {}, im[lanes] = {};
          for (int64_t l = 0; l < some; ++l) {
            const double* const at = coefficients(first + l, s) + index * parts;
            re[l] = at[0];
            im[l] = parts == 2 ? at[1] : 0;
          }
          return Z{cpu::load(re), cpu::load(im)};
        },
        [&](int64_t line, int64_t x, Z z) {
          for (int64_t l = 0; l < some; ++l) {
            double* const to = function(first + l, s) + 2 * (line * nx + x);
            to[0] = z.re[l];
            to[1] = -z.im[l];
          }
        });
  });
}

void ByTransforms::elements_of(const Mtxel& c, const Elements& elements, const double* u, int64_t panel, int64_t n, double* work) const {
  const Plan& plan = transforms_->plan();
  const int64_t points = plan.points(), nx = plan.n[0], nspinor = c.nspinor();
  const double* const bra = external_.data() + 2 * n * nspinor * points;
  const Z* const ket = reinterpret_cast<const Z*>(u);
  const double per_point = 1 / static_cast<double>(points);
  const auto product = [&](int64_t at) { return times(read(ket + at), bra[2 * at], bra[2 * at + 1]); };
  const auto store = [&](int64_t ig, Z z) { elements.store(ig, panel, n, per_point * z); };
  if (nspinor == 1)
    transforms_->grid_to_wanted(
        work, [&](int64_t line, int64_t x) { return product(line * nx + x); }, store);
  else
    transforms_->grid_to_wanted(
        work, [&](int64_t line, int64_t x) { return product(line * nx + x) + product(line * nx + x + points); }, store);
  for (const int32_t ig : plan.vanishing) elements.store(ig, panel, n, Z{});
}

void ByTransforms::execute(const Mtxel& c, const Elements& elements) {
  const int64_t panels = Panel::count(c.is_real(), c.ntband()), nex = c.nex(), size = panel_size(c), work = transforms_->work_size();
  // Panels that are kept go pair by pair; each of the others is transformed once for all external bands.
  const int64_t pairs = kept_ * nex, items = pairs + panels - kept_;
  const int team = cpu::useful_threads(threads_, items, nanoseconds_per_number * static_cast<double>(size));
  scratch_.reserve(team, work + (kept_ < panels ? size : 0));
  external_bands(c, team);
  cpu::each(team, items, [&](int64_t item, int thread) {
    double* const mine = scratch_.of(thread);
    if (item < pairs) return elements_of(c, elements, internal_.data() + item / nex * size, item / nex, item % nex, mine);
    const int64_t panel = kept_ + item - pairs;
    panel_to_grid(c, panel, mine, mine + work);
    for (int64_t n = 0; n < nex; ++n) elements_of(c, elements, mine + work, panel, n, mine);
  });
}

}  // namespace suite::gw
