// SPDX-License-Identifier: BSD-3-Clause
#include "band_store.hpp"

#include <algorithm>
#include <utility>

namespace suite::gw {

namespace {

using Complex = std::complex<double>;

// The operation first, and then time reversal: (a, b) becomes (-b*, a*).
void rotate_spinor(const Complex* from, const std::vector<Complex>& phase, const Operation& operation, bool reversed, Complex* to) {
  const size_t n = phase.size();
  const auto& u = operation.spin;
  for (size_t i = 0; i < n; ++i) {
    const Complex up = product(phase[i], product(u[0], from[i]) + product(u[1], from[n + i])),
                  down = product(phase[i], product(u[2], from[i]) + product(u[3], from[n + i]));
    to[i] = reversed ? -std::conj(down) : up;
    to[n + i] = reversed ? std::conj(up) : down;
  }
}

}  // namespace

Range internal_share(const Plan& plan, const Slice& slice) { return slice.part(plan.settings.nbands, slice.slice, bands_together(plan)); }

Range occupied_share(int occupied, const Plan& plan, const Slice& slice, bool in_turns) {
  return (in_turns ? Slice{} : slice).part(occupied, in_turns ? 0 : slice.slice, bands_together(plan));
}

NeededBands needed_bands(const Plan& plan, size_t first, size_t end, const Slice& slice) {
  const Range internal = internal_share(plan, slice);
  const bool in_turns = exchange_in_turns(end - first, slice.slices);
  const size_t kpoints = plan.wavefunctions.kpoints().size(), outer_kpoints = plan.outer().kpoints().size(),
               spins = static_cast<size_t>(plan.wavefunctions.spins());
  NeededBands needed;
  needed.inner.resize(kpoints * spins);
  if (plan.outer_file) needed.outer.resize(outer_kpoints * spins);
  for (size_t i = first; i < end; ++i) {
    const auto& external = plan.externals[plan.items[i].external];
    const size_t spin = static_cast<size_t>(external.spin);
    auto& inner = needed.inner[kpoints * spin + static_cast<size_t>(plan.k_full[plan.items[i].inner].irreducible)];
    inner.insert(inner.end(), {internal, occupied_share(plan.occupied_of(plan.items[i]), plan, slice, in_turns)});
    (plan.outer_file ? needed.outer : needed.inner)[outer_kpoints * spin + static_cast<size_t>(external.k)].push_back(
        {external.first, external.end});
  }
  for (auto* of_file : {&needed.inner, &needed.outer})
    for (auto& ranges : *of_file) {
      std::erase_if(ranges, [](const Range& r) { return r.count() == 0; });
      std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
      std::vector<Range> joined;
      for (const Range& r : ranges)
        if (joined.empty() || r.first > joined.back().end) joined.push_back(r);
        else joined.back().end = std::max(joined.back().end, r.end);
      ranges = joined;
    }
  return needed;
}

BandStore::BandStore(const Plan& plan, size_t first, size_t end, const Slice& slice)
    : BandStore(plan, needed_bands(plan, first, end, slice)) {}

BandStore::BandStore(const Plan& plan, const NeededBands& needed)
    : separate_(plan.outer_file.has_value()),
      inner_(plan.wavefunctions, plan.parts, needed.inner),
      outer_(plan.outer(), plan.parts, needed.outer) {}

BandStore::Stored::Stored(const Wavefunctions& file, int parts_of_number, const std::vector<std::vector<Range>>& needed)
    : parts(parts_of_number), spinors(file.spinors()), kpoints(file.kpoints().size()), spheres(needed.size()) {
  for (size_t k = 0; k < needed.size(); ++k)
    for (const Range& bands : needed[k]) {
      auto sphere = file.read(static_cast<int>(k % kpoints), static_cast<int>(bands.first), static_cast<int>(bands.count()), parts,
                              static_cast<int>(k / kpoints));
      spheres[k].g = std::move(sphere.g);
      spheres[k].slabs.push_back({bands, std::move(sphere.c)});
    }
}

Bands BandStore::Stored::bands(int k, int spin, const Range& wanted) const {
  const Sphere& sphere = spheres[kpoints * static_cast<size_t>(spin) + static_cast<size_t>(k)];
  const auto npw = static_cast<int64_t>(sphere.g.size());
  for (const Slab& slab : sphere.slabs)
    if (slab.bands.holds(wanted))
      return Bands{sphere.g.data(), slab.c.at(0), parts, npw, slab.bands.count(), spinors}.part(wanted.first - slab.bands.first,
                                                                                                wanted.count());
  return {sphere.g.data(), nullptr, parts, npw, 0, spinors};
}

void make_image(const Bands& stored, const FullGrid::Point& point, const Operation& operation, BandImage& image) {
  const auto n = static_cast<size_t>(stored.npw);
  image.g.resize(n);
  image.c = Numbers(stored.parts);
  image.spinors = stored.spinors;
  image.c.resize(n * static_cast<size_t>(stored.count * stored.spinors));
  std::vector<Complex> phase(n);
  for (size_t i = 0; i < n; ++i) {
    image.g[i] = rotated(point, operation, stored.g[i]);
    phase[i] = std::polar(1.0, operation.phase(operation(stored.g[i])));
  }
#pragma omp parallel for schedule(static)
  for (int64_t band = 0; band < stored.count; ++band) {
    const double* from = stored.part(band, 1).c;
    double* to = image.c.at(n * static_cast<size_t>(band * stored.spinors));
    if (stored.spinors == 2) {
      rotate_spinor(reinterpret_cast<const Complex*>(from), phase, operation, point.reversed, reinterpret_cast<Complex*>(to));
      continue;
    }
    for (size_t i = 0; i < n; ++i) {
      if (stored.parts == 1) {
        to[i] = from[i] * phase[i].real();
        continue;
      }
      const Complex c = product({from[2 * i], from[2 * i + 1]}, phase[i]);
      to[2 * i] = c.real();
      to[2 * i + 1] = point.reversed ? -c.imag() : c.imag();
    }
  }
}

BandImages::BandImages(const Plan& plan, const Slice& slice, std::shared_ptr<const BandStore> store)
    : plan_(plan), internal_(internal_share(plan, slice)), store_(std::move(store)) {}

Bands BandImages::at(int full_k, int spin, const Range& bands) {
  Image& image = images_[internal_.holds(bands) ? 0 : 1];
  const Range& wanted = internal_.holds(bands) ? internal_ : bands;
  if (image.full_k != full_k || image.spin != spin) {
    const auto& point = plan_.k_full[full_k];
    image.full_k = full_k;
    image.spin = spin;
    image.range = wanted;
    make_image(store_->stored(point.irreducible, spin, wanted), point, plan_.wavefunctions.operations()[point.operation], image);
  }
  return image.bands().part(bands.first - image.range.first, bands.count());
}

}  // namespace suite::gw
