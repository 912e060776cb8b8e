// SPDX-License-Identifier: BSD-3-Clause
#include "polarizability.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "measure/verification.hpp"

namespace suite::gw {

namespace {

using Complex = std::complex<double>;

}  // namespace

void ChiArguments::set(Kernel& kernel) {
  const auto columns = static_cast<int64_t>(column.size()), nz = static_cast<int64_t>(z.size());
  const int64_t ng = static_cast<int64_t>(chi.size()) / (columns * nz);
  set_numbers(kernel, "aqs", m.at(0), m.parts(), {ng, pairs()});
  kernel.set("delta", delta.data(), {pairs()});
  kernel.set("weight", weight.data(), {pairs()});
  if (z != std::vector<Complex>{0}) kernel.set("z", z.data(), {nz});
  kernel.set("indigp", column.data(), {columns});
  set_numbers(kernel, "chi", chi.at(0), chi.parts(), {ng, columns, nz});
}

ChiArguments ChiArguments::part() const {
  ChiArguments some = part_without_elements();
  some.m = m;
  return some;
}

ChiArguments ChiArguments::part_without_elements() const {
  constexpr size_t most_columns = 4;
  const size_t all = column.size(), ng = chi.size() / (all * z.size()), step = (all + most_columns - 1) / most_columns;
  ChiArguments some{Numbers(m.parts()), delta, weight, z, {}, Numbers(chi.parts())};
  for (size_t i = 0; i < all; i += step) some.column.push_back(column[i]);
  some.chi.resize(ng * some.column.size() * z.size());
  for (size_t f = 0, to = 0; f < z.size(); ++f)
    for (size_t i = 0; i < all; i += step)
      std::copy_n(chi.at((f * all + i) * ng), ng * static_cast<size_t>(chi.parts()), some.chi.at(ng * to++));
  return some;
}

Polarizability::Polarizability(const DielectricPlan& plan, KernelSource& source)
    : plan_(plan), elements_(source), timed_(source.open("gw.chi")) {
  const auto read = [&](const Wavefunctions& w, int spin, int nbands, std::vector<Wavefunctions::Sphere>& bands) {
    for (size_t k = 0; k < w.kpoints().size(); ++k) bands.push_back(w.read(static_cast<int>(k), 0, nbands, plan.parts, spin));
  };
  for (int spin = 0; spin < plan.wavefunctions.spins(); ++spin) {
    read(plan.wavefunctions, spin, plan.nbands, bands_);
    read(plan.wavefunctions_q0, spin, plan.pairs_in_q0() ? plan.nbands : plan.occupied(true, spin), bands_q0_);
  }
  slab_.m = Numbers(plan.parts);
  slab_.z = plan.frequencies;
}

void Polarizability::begin(size_t iq) {
  const size_t n = plan_.q[iq].g.size();
  clear_pairs();
  slab_.m.reserve(n * static_cast<size_t>(std::min(plan_.pairs(plan_.q[iq]), pairs_together)));  // growing would take twice as much
  slab_.column.resize(n);
  std::iota(slab_.column.begin(), slab_.column.end(), 1);
  slab_.chi = Numbers(plan_.parts);
  slab_.chi.resize(n * n * slab_.z.size());
}

void Polarizability::clear_pairs() {
  slab_.m.resize(0);
  slab_.delta.clear();
  slab_.weight.clear();
}

Numbers Polarizability::compute(size_t iq) {
  return *compute(iq, [](int64_t) { return true; });
}

std::optional<Numbers> Polarizability::compute(size_t iq, const std::function<bool(int64_t)>& after) {
  begin(iq);
  struct Left {};
  const auto take_away = [&] {
    const int64_t pairs = slab_.pairs();
    run();
    if (!after(pairs)) throw Left{};
  };
  try {
    for (int spin = 0; spin < plan_.wavefunctions.spins(); ++spin)
      for (const auto& point : plan_.q[iq].points) gather(iq, point, spin, take_away);
    take_away();
  } catch (const Left&) { return std::nullopt; }
  make_symmetric(iq, slab_.chi);
  return std::move(slab_.chi);
}

ChiArguments Polarizability::sample(size_t iq) {
  begin(iq);
  std::optional<ChiArguments> first;
  for (const auto& point : plan_.q[iq].points) {
    if (first) break;
    gather(iq, point, 0, [&] {
      if (!first) first = std::move(slab_);
      clear_pairs();
    });
  }
  return first ? std::move(*first) : std::move(slab_);
}

// M_vc(G) = <ck| exp(-i(q+G)r) |v,k+q>, the conjugate of the element with v as bra; c fastest, as gw.mtxel gives them.
template <class Full> void Polarizability::gather(size_t iq, const DielectricPlan::Point& point, int spin, const Full& full) {
  const DielectricPlan::Q& q = plan_.q[iq];
  const auto of = [&](const std::vector<Wavefunctions::Sphere>& stored, const FullGrid::Point& at, int first, int end,
                      const Wavefunctions& w, BandImage& image) {
    const auto& sphere = stored[static_cast<size_t>(spin) * w.kpoints().size() + static_cast<size_t>(at.irreducible)];
    const auto npw = static_cast<int64_t>(sphere.g.size());
    make_image(Bands{sphere.g.data(), sphere.c.at(0), plan_.parts, npw, end, w.spinors()}.part(first, end - first), at,
               w.operations()[static_cast<size_t>(at.operation)], image);
  };
  const AllImages& k_points = plan_.k_points_of(q.at_zero);
  const FullGrid::Point &at_k = k_points[point.k], &at_kq = plan_.valence_points(q.at_zero)[point.valence];
  const Wavefunctions &w = plan_.wavefunctions_of(q.at_zero), &wv = plan_.valence(q.at_zero);
  const int occupied = plan_.occupied(q.at_zero, spin), first_empty = plan_.full(q.at_zero, spin);
  if (occupied == 0) return;
  of(&w == &plan_.wavefunctions ? bands_ : bands_q0_, at_k, first_empty, plan_.nbands, w, empty_);
  of(q.at_zero ? bands_q0_ : bands_, at_kq, 0, occupied, wv, valence_);
  ElementsCall call{valence_.bands(), empty_.bands(), q.g, {}, true, nullptr};
  for (Miller& g : call.g) g = g + point.umklapp;
  const int64_t nc = call.ket.count, nv = call.bra.count, ng = static_cast<int64_t>(q.g.size());
  const int64_t c_block = std::min(nc, pairs_together), v_block = std::max<int64_t>(1, pairs_together / c_block);
  // Two spins, which are summed one by one where they differ, and in one where they are mixed; and two time orderings.
  const double weight = 4.0 * point.weight / (k_points.size() * w.crystal().volume * w.spins() * w.spinors());
  for (int64_t c0 = 0; c0 < nc; c0 += c_block)
    for (int64_t v0 = 0; v0 < nv; v0 += v_block) {
      ElementsCall some = call;
      some.ket = call.ket.part(c0, std::min(c_block, nc - c0));
      some.bra = call.bra.part(v0, std::min(v_block, nv - v0));
      if (slab_.pairs() + some.ket.count * some.bra.count > pairs_together) full();
      const auto before = static_cast<size_t>(slab_.pairs() * ng);
      slab_.m.resize(before + static_cast<size_t>(ng * some.ket.count * some.bra.count));
      some.m = slab_.m.at(before);
      elements_.run(some);
      for (int64_t v = v0; v < v0 + some.bra.count; ++v)
        for (int64_t c = c0; c < c0 + some.ket.count; ++c) {
          const int empty = first_empty + static_cast<int>(c), filled = static_cast<int>(v);
          const double electrons =
              wv.levels().occupation(at_kq.irreducible, filled, spin) - w.levels().occupation(at_k.irreducible, empty, spin);
          slab_.delta.push_back(w.energy(at_k.irreducible, empty, spin) - wv.energy(at_kq.irreducible, filled, spin));
          slab_.weight.push_back(electrons > 1e-12 ? weight * electrons : 0);
        }
    }
}

void Polarizability::run() {
  if (slab_.pairs() == 0) return;
  std::optional<ChiArguments> before;
  if (!timed_.used()) before = slab_.part_without_elements();
  slab_.set(timed_.kernel());
  timed_.run();
  if (before) verify(std::move(*before));
  clear_pairs();
}

// Against the reference: some of the columns.
void Polarizability::verify(ChiArguments expected) {
  app::Verification& verification = timed_.record().verification;
  if (timed_.record().implementation == "reference") {
    verification.detail = "this is the reference implementation";
    return;
  }
  const Numbers found = slab_.part_without_elements().chi;
  std::swap(expected.m, slab_.m);
  Kernel reference("gw.chi", "reference");
  expected.set(reference);
  reference.run();
  const std::vector<app::Output> wanted = app::outputs_of(reference);
  std::vector<app::Output> got = wanted;
  std::memcpy(got.at(0).bytes.data(), found.at(0), got.at(0).bytes.size());
  std::swap(expected.m, slab_.m);  // keeps its memory
  verification = app::verify(timed_.kernel(), wanted, got);
  if (verification.failed()) verification.detail += fmt::format(" (of {} columns)", expected.column.size());
}

// The mean of the images chi(G,G') -> exp(-i RG.t) exp(i RG'.t) chi at (+-RG + shift, +-RG' + shift). Time reversal conjugates the matrix elements, but not
// the energy denominators: it takes chi(G',G) and the conjugate phases.
void Polarizability::make_symmetric(size_t iq, Numbers& chi) const {
  const DielectricPlan::Q& q = plan_.q[iq];
  const size_t n = q.g.size(), matrices = plan_.frequencies.size();
  std::map<Miller, size_t> place;
  for (size_t i = 0; i < n; ++i) place[q.g[i]] = i;
  struct Image {
    std::vector<size_t> to;
    std::vector<Complex> phase;
    bool reversed;
  };
  std::vector<Image> images;
  for (const auto& keeps : q.little_group) {
    const Operation& operation = plan_.wavefunctions_of(q.at_zero).operations()[static_cast<size_t>(keeps.operation)];
    Image& image = images.emplace_back(Image{{}, {}, keeps.reversed});
    for (const Miller& g : q.g) {
      const Miller moved = operation(g);
      // +-R(q + G) = q + shift +- RG
      const auto found = place.find((keeps.reversed ? -moved : moved) + keeps.shift);
      if (found == place.end()) throw Failure(SUITE_INTERNAL, "the image of G = " + text(g) + " is missing at q = " + text(q.at));
      image.to.push_back(found->second);
      image.phase.push_back(std::polar(1.0, operation.phase(moved)));
    }
  }
  const double share = 1.0 / static_cast<double>(images.size());
  for (size_t matrix = 0; matrix < matrices; ++matrix) {
    Numbers sum(chi.parts());
    sum.resize(n * n);
    for (const Image& image : images) {
#pragma omp parallel for schedule(static)
      for (size_t j = 0; j < n; ++j) {
        const size_t column = n * image.to[j];
        for (size_t i = 0; i < n; ++i) {
          const Complex phase = product(image.phase[i], std::conj(image.phase[j]));
          const Complex rotated =
              image.reversed ? product(std::conj(phase), chi[(matrix * n + i) * n + j]) : product(phase, chi[(matrix * n + j) * n + i]);
          const size_t at = column + image.to[i];
          sum.set(at, sum[at] + share * rotated);
        }
      }
    }
    std::copy_n(sum.at(0), n * n * static_cast<size_t>(chi.parts()), chi.at(matrix * n * n));
  }
}

}  // namespace suite::gw
