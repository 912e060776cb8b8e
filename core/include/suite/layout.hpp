// SPDX-License-Identifier: BSD-3-Clause
// suite/layout.hpp - the named data layouts. The caller's arrays are contiguous, first index fastest, complex
// interleaved; an implementation may name another layout for an argument (suite_kernel_table.layouts) and the
// core converts, or it calls pack() in its own prepare(). Names, combined with '+' in this order:
//   "interleaved"   as the caller's
//   "transposed"    the first two indices swapped
//   "blocked(n)"    the first index cut into blocks of n, zero-padded: [e0/n] slowest, then the other indices
//   in their
//                   order, the n lanes fastest
//   "split"         complex only: real and imaginary parts in separate planes; with blocked(n) in separate
//   lanes of a block
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <suite/plugin.hpp>

namespace suite::layout {

struct Layout {
  bool transposed = false, split = false;
  int64_t block = 0;  // 0: not blocked
  bool plain() const { return !transposed && !split && block == 0; }
};

// Reads a name such as "transposed+blocked(8)+split". Throws Failure(UNSUPPORTED) for anything else.
inline Layout parse(std::string_view name) {
  constexpr int64_t largest_block = 1 << 20;
  const auto refuse = [&] { throw Failure(SUITE_UNSUPPORTED, "no layout is named '" + std::string(name) + "'"); };
  Layout layout;
  if (name == "interleaved") return layout;
  int last = 0;
  for (std::string_view rest = name;;) {
    const size_t plus = rest.find('+');
    const std::string_view part = rest.substr(0, plus);
    int order = 0;
    if (part == "transposed") {
      order = 1, layout.transposed = true;
    } else if (part.starts_with("blocked(") && part.ends_with(")")) {
      const char *from = part.data() + 8, *to = part.data() + part.size() - 1;
      const auto read = std::from_chars(from, to, layout.block);
      if (read.ec != std::errc() || read.ptr != to || layout.block < 1 || layout.block > largest_block) refuse();
      order = 2;
    } else if (part == "split") {
      order = 3, layout.split = true;
    }
    if (order <= last) refuse();
    last = order;
    if (plus == std::string_view::npos) return layout;
    rest.remove_prefix(plus + 1);
  }
}

inline int64_t part_bytes(int32_t type) { return type == SUITE_INT32 || type == SUITE_REAL32 || type == SUITE_COMPLEX64 ? 4 : 8; }
inline int parts_of(int32_t type) { return type == SUITE_COMPLEX64 || type == SUITE_COMPLEX128 ? 2 : 1; }

// Throws when an argument cannot have the layout.
inline void check(const Layout& layout, const suite_argument& argument) {
  const std::string name = std::string("argument '") + argument.name + "'";
  if (layout.transposed && argument.rank < 2)
    throw Failure(SUITE_UNSUPPORTED, concat(name, " has rank ", argument.rank, " and cannot be transposed"));
  if (!layout.plain() && argument.rank == 0) throw Failure(SUITE_UNSUPPORTED, name + " is a scalar and has no layout");
  constexpr int32_t complex = 1 << SUITE_COMPLEX64 | 1 << SUITE_COMPLEX128 | SUITE_TYPE_SET;
  const int32_t types = argument.type & SUITE_TYPE_SET ? argument.type : 1 << argument.type | SUITE_TYPE_SET;
  if (layout.split && (types & complex) == SUITE_TYPE_SET) throw Failure(SUITE_UNSUPPORTED, name + " is never complex and cannot be split");
}

// Offset of element (i0, i1, rest) of an array, in real numbers: base + step_of_imaginary for the
// imaginary part.
class Places {
public:
  // A real array with a "split" layout is left as it is: a flavour's real form.
  Places(const Layout& layout, const suite_array& array) : lanes_(layout.block), parts_(parts_of(array.type)) {
    for (int d = 0; d < SUITE_MAX_RANK; ++d) extent_[d] = d < array.rank ? array.extent[d] : 1;
    if (layout.transposed) std::swap(extent_[0], extent_[1]);
    transposed_ = layout.transposed;
    rest_ = 1;
    for (int d = 2; d < SUITE_MAX_RANK; ++d) rest_ *= extent_[d];
    split_ = layout.split && parts_ == 2;
    const int64_t others = extent_[1] * rest_;
    blocks_ = lanes_ > 0 ? (extent_[0] + lanes_ - 1) / lanes_ : 0;
    elements_ = lanes_ > 0 ? blocks_ * others * lanes_ : extent_[0] * others;
  }
  int64_t elements() const { return elements_; }  // padding included
  int64_t rest() const { return rest_; }
  // Offset of the imaginary part from the real part, in reals.
  int64_t imaginary_step() const { return !split_ ? 1 : lanes_ > 0 ? lanes_ : elements_; }
  // Indices of the caller's array: i0 the first, i1 the second, r all others together.
  int64_t real_part(int64_t i0, int64_t i1, int64_t r) const {
    if (transposed_) std::swap(i0, i1);
    if (lanes_ == 0) {
      const int64_t element = i0 + extent_[0] * (i1 + extent_[1] * r);
      return split_ ? element : element * parts_;
    }
    const int64_t block = i0 / lanes_, lane = i0 % lanes_;
    const int64_t cell = i1 + extent_[1] * (r + rest_ * block);  // one block of lanes
    return cell * lanes_ * parts_ + (split_ ? lane : lane * parts_);
  }

private:
  int64_t lanes_, parts_, rest_, blocks_, elements_;
  int64_t extent_[SUITE_MAX_RANK];
  bool transposed_, split_;
};

// Bytes of the packed form, zero padding of blocks included.
inline int64_t packed_bytes(const Layout& layout, const suite_array& array) {
  return Places(layout, array).elements() * parts_of(array.type) * part_bytes(array.type);
}

// The loop under pack and unpack: move(outside, packed) once per real number.
template <class Real, class Move> void walk(const Layout& layout, const suite_array& array, Move move) {
  const Places places(layout, array);
  const int parts = parts_of(array.type);
  const int64_t e0 = array.rank > 0 ? array.extent[0] : 1, e1 = array.rank > 1 ? array.extent[1] : 1;
  int64_t outside = 0;
  for (int64_t r = 0; r < places.rest(); ++r)
    for (int64_t i1 = 0; i1 < e1; ++i1)
      for (int64_t i0 = 0; i0 < e0; ++i0) {
        const int64_t packed = places.real_part(i0, i1, r);
        for (int part = 0; part < parts; ++part) move(outside++, packed + part * places.imaginary_step());
      }
}

template <class Move> void walk_bytes(const Layout& layout, const suite_array& array, Move move) {
  if (part_bytes(array.type) == 4) walk<uint32_t>(layout, array, [&](int64_t o, int64_t p) { move(o, p, uint32_t()); });
  else walk<uint64_t>(layout, array, [&](int64_t o, int64_t p) { move(o, p, uint64_t()); });
}

// Writes array into `packed`, which holds packed_bytes; padding becomes zero.
inline void pack(const Layout& layout, const suite_array& array, void* packed) {
  if (layout.block > 0) std::memset(packed, 0, static_cast<size_t>(packed_bytes(layout, array)));
  walk_bytes(layout, array, [&](int64_t o, int64_t p, auto number) {
    std::memcpy(static_cast<decltype(number)*>(packed) + p, static_cast<const decltype(number)*>(array.data) + o, sizeof number);
  });
}

// The inverse: fills array from its packed form.
inline void unpack(const Layout& layout, const void* packed, const suite_array& array) {
  walk_bytes(layout, array, [&](int64_t o, int64_t p, auto number) {
    std::memcpy(static_cast<decltype(number)*>(array.data) + o, static_cast<const decltype(number)*>(packed) + p, sizeof number);
  });
}

}  // namespace suite::layout
