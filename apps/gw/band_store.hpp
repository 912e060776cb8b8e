// SPDX-License-Identifier: BSD-3-Clause
// Plane-wave coefficients of the bands that one process needs: as the file has them, at irreducible k; images are made when they are needed.
#pragma once

#include <memory>
#include <vector>

#include "elements_kernel.hpp"
#include "plan.hpp"
#include "slice.hpp"

namespace suite::gw {

// Ranks share bands by blocks of so many, gw.mtxel's vectors on cpu: a part of one costs as much as the whole. Two real bands are computed as one.
inline int64_t bands_together(const Plan& plan) { return plan.parts == 1 ? 16 : 8; }

// The internal bands n', from 0, whose matrix elements a rank computes.
Range internal_share(const Plan& plan, const Slice& slice);

// Whether ranks take turns to compute exchange, each a whole item, or share the occupied bands of each. In turns no band is transformed twice, but few items
// leave some ranks without any: of four for each and one more, for a fifth of the time.
inline bool exchange_in_turns(size_t items, int slices) { return items >= 4 * static_cast<size_t>(slices); }
// Of the occupied bands of an item, those for which a rank computes exchange.
Range occupied_share(int occupied, const Plan& plan, const Slice& slice, bool in_turns);

// The bands, from 0, that the items [first, end) of the plan need of each file, by its k points, and after all k of a spin those of the next: ranges that
// do not touch, in ascending order. Where the external states have no file of their own, they are among the internal ones.
struct NeededBands {
  std::vector<std::vector<Range>> inner, outer;
};
NeededBands needed_bands(const Plan& plan, size_t first, size_t end, const Slice& slice);

class BandStore {
public:
  // Reads what the items [first, end) need.
  BandStore(const Plan& plan, size_t first, size_t end, const Slice& slice);
  // Some of those that were read, of irreducible k.
  Bands stored(int k, int spin, const Range& bands) const { return inner_.bands(k, spin, bands); }
  // The bands of an external k.
  Bands external(const Plan::External& e) const { return (separate_ ? outer_ : inner_).bands(e.k, e.spin, {e.first, e.end}); }

private:
  BandStore(const Plan& plan, const NeededBands& needed);
  struct Slab {
    Range bands;
    Numbers c;
  };
  struct Sphere {
    std::vector<Miller> g;
    std::vector<Slab> slabs;
  };
  // What is read of one file.
  struct Stored {
    Stored(const Wavefunctions& file, int parts, const std::vector<std::vector<Range>>& needed);
    Bands bands(int k, int spin, const Range& bands) const;
    int parts, spinors;
    size_t kpoints;  // of the file
    std::vector<Sphere> spheres;  // as needed_bands; the ones needed are filled
  };
  bool separate_;  // external states are of a file of their own
  Stored inner_, outer_;
};

// Bands at an image of a stored k point.
struct BandImage {
  std::vector<Miller> g;
  Numbers c;
  int spinors = 1;
  Bands bands() const {
    const auto npw = static_cast<int64_t>(g.size());
    return {g.data(), c.at(0), c.parts(), npw, static_cast<int64_t>(c.size()) / (npw * spinors), spinors};
  }
};
// Of bands as they were read at the irreducible k of `point`, by its operation.
void make_image(const Bands& stored, const FullGrid::Point& point, const Operation& operation, BandImage& image);

// Bands at points of the full grid, of one thread.
class BandImages {
public:
  BandImages(const Plan& plan, const Slice& slice, std::shared_ptr<const BandStore> store);
  const std::shared_ptr<const BandStore>& store() const { return store_; }
  // Some of the internal bands of this rank, or the occupied ones of its share of exchange. Until the next call for others.
  Bands at(int full_k, int spin, const Range& bands);

private:
  struct Image : BandImage {
    int full_k = -1, spin = 0;
    Range range;
  };
  const Plan& plan_;
  Range internal_;
  std::shared_ptr<const BandStore> store_;
  Image images_[2];  // of internal bands, and of occupied ones that are not among them
};

}  // namespace suite::gw
