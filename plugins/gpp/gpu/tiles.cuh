// SPDX-License-Identifier: BSD-3-Clause
// The tiles of `best`: what its kernels and the host code that launches them agree on.
//
// A block has `rows` threads, one row G each, and one group of neighbouring owned columns G'; it sums over a slice of
// the bands n' of one external band. A tile is `tile_rows` rows of a group, the unit in which bands are sorted by the
// tests of the model that they need (Range), and in which pairs without a pole are left out.
#pragma once

#include "device.cuh"

namespace suite::gpp {

inline constexpr int rows = 128;
inline constexpr int tile_rows = 32;
inline constexpr int tiles_per_block = rows / tile_rows;
// Bands that lie in shared memory at a time, and that single precision sums before it adds to double precision.
inline constexpr int chunk = 32;

// Stands for w where there is no pole: harmless in every formula, above the largest w allowed.
inline constexpr double no_pole = 2e12;
inline constexpr double infinite_w = 1e12;
// 1/(4 TOL_Small) of the model: |w/D|^2 beyond it is branch B.
inline constexpr double limit_one = 2.5e5;

// Sums of a block, per external band and energy: CH of the empty bands without tests (smooth.cuh); CH and SX of the bands with
// all tests (masked.cu); CH and SX of the other occupied bands (occupied.cuh). Their places among the sums:
inline constexpr int smooth_sums = 0, masked_sums = 2, occupied_sums = 6, quantities = 10;

// Which tests the bands n' need in one tile. In their order, bands [0, near) are occupied and need the one for branch A,
// [near, far) are occupied and need none, [far, tested) need all that the model has, and the others are empty and need none.
struct alignas(16) Range {
  int near, far, tested;
  int poles;  // of the tile
};
inline constexpr int no_poles = 0, infinite_poles = 1, finite_poles = 2;  // infinite: every w is 1e12, or there is no pole

struct Tiles {
  int64_t ncouls;
  int ntband, nw, row_blocks, groups, columns, slices, externals;  // of this pass
  int first_group, first_external;
  int energy;             // the first of this launch
  const void* aqsn;       // M_nn'(G), (ncouls,ntband,externals), in the launch's precision
  const void* aqsm;       // M_mn'(G'), packed: [external][group][n' in order][column]
  const Z* wtilde;
  const void* I;
  const double* vcoul;
  const int *igp, *g;     // per owned column, padded to whole groups by igp = -1
  const int* band;        // [external][k]: n' in order: those with f = 1, those with other f > 0, empty ones; each by falling x
  const double* x;        // [external][iw][k]
  const double* f;        // [external][k]
  const double* spacing;  // [external][iw/3]: of two or three even energies, or 0
  const Range* range;     // [external][group][row tile]
  double gamma, sexcut;
  double* slots;          // [external][iw][quantities][blocks of an external band]
  double* static_slots;   // [external][2][blocks of an external band]
};

// Where a thread stands.
struct Place {
  int group, row_block, slice, external, tile, begin, end, slot, blocks;
  int64_t ig;
  bool inside;
  __device__ explicit Place(const Tiles& t) {
    int64_t i = blockIdx.x;
    group = static_cast<int>(i % t.groups);
    i /= t.groups;
    row_block = static_cast<int>(i % t.row_blocks);
    i /= t.row_blocks;
    slice = static_cast<int>(i % t.slices);
    external = static_cast<int>(i / t.slices);
    begin = static_cast<int>(static_cast<int64_t>(t.ntband) * slice / t.slices);
    end = static_cast<int>(static_cast<int64_t>(t.ntband) * (slice + 1) / t.slices);
    blocks = t.groups * t.row_blocks * t.slices;
    slot = (slice * t.row_blocks + row_block) * t.groups + group;
    const int64_t row = static_cast<int64_t>(row_block) * rows + threadIdx.x;
    inside = row < t.ncouls;
    ig = inside ? row : t.ncouls - 1;
    tile = static_cast<int>(row / tile_rows);
  }
  // Ranges of the block's tiles, from the first.
  __device__ const Range* ranges(const Tiles& t) const {
    return t.range + (static_cast<int64_t>(external) * t.groups + group) * t.row_blocks * tiles_per_block + row_block * tiles_per_block;
  }
  // Half the distance between the outermost of the launch's energies where they are even, or 0.
  __device__ double spacing(const Tiles& t) const { return t.spacing[external * ((t.nw + 2) / 3) + t.energy / 3]; }
};

// One column of a thread's tile.
template <bool Real> struct Pole {
  double w;                 // no_pole where there is none
  Number<double, Real> iw;  // I v(G') w
  __device__ Pole(const Tiles& t, const Place& p, int column) {
    const int64_t c = static_cast<int64_t>(t.first_group + p.group) * t.columns + column;
    w = no_pole;
    iw = {};
    if (t.igp[c] < 0 || !p.inside) return;
    const int64_t i = t.igp[c] * t.ncouls + p.ig;
    const double energy = t.wtilde[i].re;
    if (energy == 0) return;
    w = energy;
    iw = static_cast<const Number<double, Real>*>(t.I)[i] * (energy * t.vcoul[t.g[c]]);
  }
};

}  // namespace suite::gpp
