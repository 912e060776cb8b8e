// SPDX-License-Identifier: BSD-3-Clause
// Batches on the device, and the pieces of their work that blocks take.
#pragma once

#include <vector>

#include "call.hpp"

namespace suite::dfpt {

// Some points of a batch from `row` on, or a tile of its matrix.
struct Piece {
  int32_t batch, row, column;
};

// The points of all batches, some at a time; with the first piece of each batch, and behind the last.
struct PointPieces {
  std::vector<Piece> pieces;
  std::vector<int64_t> first;
};
inline PointPieces point_pieces(const Batches& batches, int64_t points) {
  PointPieces made;
  for (int32_t b = 0; b < batches.count(); ++b) {
    made.first.push_back(std::ssize(made.pieces));
    for (int64_t p = 0; p < batches.batch[static_cast<size_t>(b)].points; p += points)
      made.pieces.push_back({b, static_cast<int32_t>(p), 0});
  }
  made.first.push_back(std::ssize(made.pieces));
  return made;
}

// Batches whose work arrays fit into `capacity` numbers, one at least: [first, last), with the place of each
// one's array.
struct Chunk {
  int64_t first = 0, last = 0, numbers = 0;
};
template <class Size>
std::vector<Chunk> chunks_of(const Batches& batches, int64_t capacity, std::vector<int64_t>& place, const Size& size) {
  std::vector<Chunk> chunks;
  place.clear();
  for (int64_t b = 0; b < batches.count(); ++b) {
    const int64_t numbers = size(batches.batch[static_cast<size_t>(b)]);
    if (chunks.empty() || chunks.back().numbers + numbers > capacity) chunks.push_back({b, b, 0});
    place.push_back(chunks.back().numbers);
    chunks.back().last = b + 1;
    chunks.back().numbers += numbers;
  }
  return chunks;
}

}  // namespace suite::dfpt
