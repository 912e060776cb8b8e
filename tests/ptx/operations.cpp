// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of PTX (PTX ISA 9.0, section 9.7), lane by lane. Compiled without contraction, so that a mul and an add stay two
// roundings: ptxas may fuse them where the PTX names no rounding, within the same error bounds.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <unordered_map>

#include "warp.hpp"

namespace suite::ptx {
namespace {

template <class T> T in(uint64_t raw) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(raw);
  else if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<uint32_t>(raw));
  else return static_cast<T>(raw);
}
template <class T> uint64_t out(T value) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<uint64_t>(value);
  else if constexpr (std::is_same_v<T, float>) return std::bit_cast<uint32_t>(value);
  else return static_cast<std::make_unsigned_t<T>>(value);
}

// The first `count` sources of each lane through f.
template <class R, class A, class F> void map1(Warp& w, const Instruction& i, uint32_t mask, F f) {
  const uint64_t* const a = w.source(i, 0);
  uint64_t* const d = w.result(i);
  if (mask == ~0u)
    for (int l = 0; l < warp_lanes; ++l) d[l] = out<R>(f(in<A>(a[l])));
  else for_lanes(mask, [&](int l) { d[l] = out<R>(f(in<A>(a[l]))); });
}
template <class R, class A, class B, class F> void map2(Warp& w, const Instruction& i, uint32_t mask, F f) {
  const uint64_t *const a = w.source(i, 0), *const b = w.source(i, 1);
  uint64_t* const d = w.result(i);
  if (mask == ~0u)
    for (int l = 0; l < warp_lanes; ++l) d[l] = out<R>(f(in<A>(a[l]), in<B>(b[l])));
  else for_lanes(mask, [&](int l) { d[l] = out<R>(f(in<A>(a[l]), in<B>(b[l]))); });
}
template <class R, class A, class B, class C, class F> void map3(Warp& w, const Instruction& i, uint32_t mask, F f) {
  const uint64_t *const a = w.source(i, 0), *const b = w.source(i, 1), *const c = w.source(i, 2);
  uint64_t* const d = w.result(i);
  if (mask == ~0u)
    for (int l = 0; l < warp_lanes; ++l) d[l] = out<R>(f(in<A>(a[l]), in<B>(b[l]), in<C>(c[l])));
  else for_lanes(mask, [&](int l) { d[l] = out<R>(f(in<A>(a[l]), in<B>(b[l]), in<C>(c[l]))); });
}

void set_predicate(Warp& w, uint32_t index, uint32_t mask, uint32_t bits) {
  uint32_t& to = w.frame->predicates[index];
  to = (to & ~mask) | (bits & mask);
}

template <class A, class F> void compare(Warp& w, const Instruction& i, uint32_t mask, F f) {
  const uint64_t *const a = w.source(i, 0), *const b = w.source(i, 1);
  uint32_t bits = 0;
  for (int l = 0; l < warp_lanes; ++l) bits |= static_cast<uint32_t>(f(in<A>(a[l]), in<A>(b[l]))) << l;
  set_predicate(w, i.result[0], mask, bits);
  if (i.results > 1) set_predicate(w, i.result[1], mask, ~bits);
}

using Table = std::unordered_map<std::string, Operation>;

template <class T>
using Wider = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                                 std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
template <class T> using Unsigned = std::make_unsigned_t<T>;

template <class T> T high(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
  } else {
    return static_cast<T>((static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)) >> (8 * sizeof(T)));
  }
}

// A division by zero gives all ones on a GPU and a signal here; the smallest by -1 wraps round.
template <class T> T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return static_cast<T>(0 - static_cast<Unsigned<T>>(a));
  return static_cast<T>(a / b);
}
template <class T> T remainder_of(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return 0;
  return static_cast<T>(a % b);
}
template <class T> T shifted_left(T a, uint32_t n) { return n >= 8 * sizeof(T) ? T(0) : static_cast<T>(a << n); }
template <class T> T shifted_right(T a, uint32_t n) {
  if (n >= 8 * sizeof(T)) n = 8 * sizeof(T) - 1, a = std::is_signed_v<T> ? a : T(0);
  return static_cast<T>(a >> n);
}

template <class T> void add_integer(Table& t, const std::string& type) {
  using U = Unsigned<T>;
  const auto put = [&](const char* name, Action run) { t[name + type] = {run, Kind::integer}; };
  put("add.", [](Warp& w, const Instruction& i, uint32_t m) { map2<U, U, U>(w, i, m, [](U a, U b) { return static_cast<U>(a + b); }); });
  put("sub.", [](Warp& w, const Instruction& i, uint32_t m) { map2<U, U, U>(w, i, m, [](U a, U b) { return static_cast<U>(a - b); }); });
  put("mul.lo.",
      [](Warp& w, const Instruction& i, uint32_t m) { map2<U, U, U>(w, i, m, [](U a, U b) { return static_cast<U>(uint64_t{a} * b); }); });
  put("mul.hi.", [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return high(a, b); }); });
  put("mad.lo.", [](Warp& w, const Instruction& i, uint32_t m) {
    map3<U, U, U, U>(w, i, m, [](U a, U b, U c) { return static_cast<U>(uint64_t{a} * b + c); });
  });
  if constexpr (sizeof(T) < 8) {
    using W = Wider<T>;
    put("mul.wide.", [](Warp& w, const Instruction& i, uint32_t m) {
      map2<W, T, T>(w, i, m, [](T a, T b) { return static_cast<W>(static_cast<W>(a) * static_cast<W>(b)); });
    });
    put("mad.wide.", [](Warp& w, const Instruction& i, uint32_t m) {
      map3<W, T, T, W>(w, i, m, [](T a, T b, W c) {
        return static_cast<W>(static_cast<Unsigned<W>>(static_cast<W>(a) * static_cast<W>(b)) + static_cast<Unsigned<W>>(c));
      });
    });
  }
  put("div.", [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, quotient<T>); });
  put("rem.", [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, remainder_of<T>); });
  put("min.", [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return b < a ? b : a; }); });
  put("max.", [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return a < b ? b : a; }); });
  put("shr.", [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, uint32_t>(w, i, m, shifted_right<T>); });
  if constexpr (std::is_signed_v<T>) {
    put("abs.", [](Warp& w, const Instruction& i, uint32_t m) {
      map1<U, T>(w, i, m, [](T a) { return a < 0 ? static_cast<U>(0 - static_cast<U>(a)) : static_cast<U>(a); });
    });
    put("neg.", [](Warp& w, const Instruction& i, uint32_t m) { map1<U, U>(w, i, m, [](U a) { return static_cast<U>(0 - a); }); });
  }
}

template <class U> void add_bits(Table& t, const std::string& type) {
  const auto put = [&](const char* name, Action run) { t[name + type] = {run, Kind::integer}; };
  put("and.", [](Warp& w, const Instruction& i, uint32_t m) { map2<U, U, U>(w, i, m, [](U a, U b) { return static_cast<U>(a & b); }); });
  put("or.", [](Warp& w, const Instruction& i, uint32_t m) { map2<U, U, U>(w, i, m, [](U a, U b) { return static_cast<U>(a | b); }); });
  put("xor.", [](Warp& w, const Instruction& i, uint32_t m) { map2<U, U, U>(w, i, m, [](U a, U b) { return static_cast<U>(a ^ b); }); });
  put("not.", [](Warp& w, const Instruction& i, uint32_t m) { map1<U, U>(w, i, m, [](U a) { return static_cast<U>(~a); }); });
  put("shl.", [](Warp& w, const Instruction& i, uint32_t m) { map2<U, U, uint32_t>(w, i, m, shifted_left<U>); });
  put("shr.", [](Warp& w, const Instruction& i, uint32_t m) { map2<U, U, uint32_t>(w, i, m, shifted_right<U>); });
  if constexpr (sizeof(U) >= 4) {
    put("clz.", [](Warp& w, const Instruction& i, uint32_t m) {
      map1<uint32_t, U>(w, i, m, [](U a) { return static_cast<uint32_t>(std::countl_zero(a)); });
    });
    put("popc.", [](Warp& w, const Instruction& i, uint32_t m) {
      map1<uint32_t, U>(w, i, m, [](U a) { return static_cast<uint32_t>(std::popcount(a)); });
    });
    // Bits `length` of a, put into b at `at`.
    put("bfi.", [](Warp& w, const Instruction& i, uint32_t mask) {
      const uint64_t *const a = w.source(i, 0), *const b = w.source(i, 1), *const at = w.source(i, 2), *const length = w.source(i, 3);
      uint64_t* const d = w.result(i);
      for_lanes(mask, [&](int l) {
        const uint32_t from = at[l] & 0xff, n = length[l] & 0xff;
        const U field = shifted_left<U>(n >= 8 * sizeof(U) ? static_cast<U>(~U(0)) : static_cast<U>((U(1) << n) - 1), from);
        d[l] = static_cast<U>((static_cast<U>(b[l]) & ~field) | (shifted_left<U>(static_cast<U>(a[l]), from) & field));
      });
    });
  }
}

// The 20 leading bits of the mantissa, of the operand and of the result (PTX ISA, rcp.approx.ftz.f64).
double leading_bits(double x) { return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & 0xffffffff00000000u); }
double rough_reciprocal(double x) {
  if (std::isnan(x)) return std::numeric_limits<double>::quiet_NaN();
  if (std::fpclassify(x) == FP_SUBNORMAL) x = std::copysign(0.0, x);
  const double y = 1 / leading_bits(x);
  return std::fpclassify(y) == FP_SUBNORMAL ? std::copysign(0.0, y) : leading_bits(y);
}
template <class T> T toward_zero_sum(T a, T b) {
  const double exact = static_cast<double>(a) + static_cast<double>(b);
  const T near = static_cast<T>(exact);
  return std::abs(static_cast<double>(near)) > std::abs(exact) ? std::nextafter(near, T(0)) : near;
}

template <class T> void add_floating(Table& t, const std::string& type) {
  constexpr bool is_double = sizeof(T) == 8;
  constexpr Kind plain = is_double ? Kind::fp64 : Kind::fp32;
  const auto put = [&](const char* name, Kind kind, Action run) { t[name + type] = {run, kind}; };
  put("fma.", is_double ? Kind::fma64 : plain,
      [](Warp& w, const Instruction& i, uint32_t m) { map3<T, T, T, T>(w, i, m, [](T a, T b, T c) { return std::fma(a, b, c); }); });
  put("add.", plain, [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return a + b; }); });
  put("sub.", plain, [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return a - b; }); });
  put("mul.", plain, [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return a * b; }); });
  put("add.rz.", plain, [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, toward_zero_sum<T>); });
  put("div.", is_double ? Kind::div64 : plain,
      [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return a / b; }); });
  put("rcp.", is_double ? Kind::div64 : plain,
      [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, [](T a) { return 1 / a; }); });
  put("sqrt.", is_double ? Kind::div64 : plain,
      [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, [](T a) { return std::sqrt(a); }); });
  put("neg.", plain, [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, [](T a) { return -a; }); });
  put("abs.", plain, [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, [](T a) { return std::abs(a); }); });
  put("min.", plain, [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return std::fmin(a, b); }); });
  put("max.", plain, [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return std::fmax(a, b); }); });
  // copysign d, a, b: the sign of a, the rest of b.
  put("copysign.", plain,
      [](Warp& w, const Instruction& i, uint32_t m) { map2<T, T, T>(w, i, m, [](T a, T b) { return std::copysign(b, a); }); });
  put("rsqrt.approx.", Kind::special,
      [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, [](T a) { return 1 / std::sqrt(a); }); });
  if constexpr (is_double) {
    put("rcp.approx.ftz.", Kind::special, [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, rough_reciprocal); });
  } else {
    for (const char* const ftz : {"", "ftz."}) {
      put((std::string("ex2.approx.") + ftz).c_str(), Kind::special,
          [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, [](T a) { return std::exp2(a); }); });
      put((std::string("lg2.approx.") + ftz).c_str(), Kind::special,
          [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, [](T a) { return std::log2(a); }); });
      put((std::string("rcp.approx.") + ftz).c_str(), Kind::special,
          [](Warp& w, const Instruction& i, uint32_t m) { map1<T, T>(w, i, m, [](T a) { return 1 / a; }); });
    }
  }
}

template <class T> void add_comparisons(Table& t, const std::string& type) {
  const auto put = [&](const char* name, Action run) { t[std::string("setp.") + name + "." + type] = {run, Kind::move, true}; };
  put("eq", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return a == b; }); });
  put("ne", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return a < b || a > b; }); });
  put("lt", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return a < b; }); });
  put("le", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return a <= b; }); });
  put("gt", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return a > b; }); });
  put("ge", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return a >= b; }); });
  if constexpr (std::is_floating_point_v<T>) {  // the same or unordered
    put("equ", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return !(a < b || a > b); }); });
    put("neu", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return !(a == b); }); });
    put("ltu", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return !(a >= b); }); });
    put("leu", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return !(a > b); }); });
    put("gtu", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return !(a <= b); }); });
    put("geu", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return !(a < b); }); });
    put("num", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return a == a && b == b; }); });
    put("nan", [](Warp& w, const Instruction& i, uint32_t m) { compare<T>(w, i, m, [](T a, T b) { return a != a || b != b; }); });
  } else if constexpr (std::is_unsigned_v<T>) {
    t["setp.lo." + type] = t["setp.lt." + type];
    t["setp.ls." + type] = t["setp.le." + type];
    t["setp.hi." + type] = t["setp.gt." + type];
    t["setp.hs." + type] = t["setp.ge." + type];
  }
}

enum class Round { nearest, zero, down, up };
template <class T> T rounded(T x, Round how) {
  switch (how) {
    case Round::zero: return std::trunc(x);
    case Round::down: return std::floor(x);
    case Round::up: return std::ceil(x);
    default: return std::nearbyint(x);
  }
}
// Out of range gives the nearest integer there is, NaN gives 0 (for 64 bits the smallest).
template <class I, class T> I to_integer(T x, Round how) {
  if (std::isnan(x)) return sizeof(I) == 8 ? static_cast<I>(uint64_t{1} << 63) : I(0);
  x = rounded(x, how);
  const T low = static_cast<T>(std::numeric_limits<I>::min()), high = std::ldexp(T(1), std::numeric_limits<I>::digits);
  if (x < low) return std::numeric_limits<I>::min();
  if (x >= high) return std::numeric_limits<I>::max();
  return static_cast<I>(x);
}

template <class D, class S, Round how> void convert(Warp& w, const Instruction& i, uint32_t mask) {
  map1<D, S>(w, i, mask, [](S x) -> D {
    if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D>) return to_integer<D>(x, how);
    else if constexpr (std::is_floating_point_v<S> && std::is_same_v<S, D>) return rounded(x, how);
    else return static_cast<D>(x);
  });
}

template <class D, class S> void add_conversion(Table& t, const std::string& to, const std::string& from) {
  const std::string types = to + "." + from;
  if constexpr (std::is_floating_point_v<S> && (std::is_integral_v<D> || std::is_same_v<D, S>)) {
    t["cvt.rni." + types] = {convert<D, S, Round::nearest>, Kind::convert};
    t["cvt.rzi." + types] = {convert<D, S, Round::zero>, Kind::convert};
    t["cvt.rmi." + types] = {convert<D, S, Round::down>, Kind::convert};
    t["cvt.rpi." + types] = {convert<D, S, Round::up>, Kind::convert};
  } else {
    t["cvt." + types] = {convert<D, S, Round::nearest>, Kind::convert};
  }
}
template <class D> void add_conversions(Table& t, const std::string& to) {
  add_conversion<D, double>(t, to, "f64");
  add_conversion<D, float>(t, to, "f32");
  add_conversion<D, int64_t>(t, to, "s64");
  add_conversion<D, uint64_t>(t, to, "u64");
  add_conversion<D, int32_t>(t, to, "s32");
  add_conversion<D, uint32_t>(t, to, "u32");
  add_conversion<D, int16_t>(t, to, "s16");
  add_conversion<D, uint16_t>(t, to, "u16");
  add_conversion<D, int8_t>(t, to, "s8");
  add_conversion<D, uint8_t>(t, to, "u8");
}

// Additions that hand on a carry: a condition code for each lane, which lies in the warp's predicate after the constants.
enum class Carry { add, sub, multiply_low, multiply_high };
template <Carry what, bool reads, bool writes> void carried(Warp& w, const Instruction& i, uint32_t mask) {
  constexpr bool multiplies = what == Carry::multiply_low || what == Carry::multiply_high;
  const uint64_t *const a = w.source(i, 0), *const b = w.source(i, 1), *const c = multiplies ? w.source(i, 2) : nullptr;
  uint64_t* const d = w.result(i);
  const uint32_t before = w.frame->predicates[i.predicate[0]];
  uint32_t after = 0;
  for_lanes(mask, [&](int l) {
    const uint64_t carry = reads ? before >> l & 1 : 0, x = static_cast<uint32_t>(a[l]), y = static_cast<uint32_t>(b[l]);
    uint64_t sum = 0;
    if constexpr (what == Carry::add) sum = x + y + carry;
    if constexpr (what == Carry::sub) sum = x - y - carry;  // bit 32 is the borrow
    if constexpr (what == Carry::multiply_low) sum = static_cast<uint32_t>(x * y) + uint64_t{static_cast<uint32_t>(c[l])} + carry;
    if constexpr (what == Carry::multiply_high) sum = (x * y >> 32) + uint64_t{static_cast<uint32_t>(c[l])} + carry;
    d[l] = static_cast<uint32_t>(sum);
    after |= static_cast<uint32_t>(sum >> 32 & 1) << l;
  });
  if constexpr (writes) set_predicate(w, i.predicate[0], mask, after);
}
template <Carry what> void add_carried(Table& t, const std::string& name, const std::string& part) {
  for (const char* const type : {"u32", "s32", "b32"}) {
    t[name + part + ".cc." + type] = {carried<what, false, true>, Kind::integer};
    t[name + "c" + part + "." + type] = {carried<what, true, false>, Kind::integer};
    t[name + "c" + part + ".cc." + type] = {carried<what, true, true>, Kind::integer};
  }
}

void select(Warp& w, const Instruction& i, uint32_t mask) {
  const uint64_t *const a = w.source(i, 0), *const b = w.source(i, 1);
  const uint32_t chosen = w.frame->predicates[i.predicate[0]];
  uint64_t* const d = w.result(i);
  for_lanes(mask, [&](int l) { d[l] = chosen >> l & 1 ? a[l] : b[l]; });
}
void move(Warp& w, const Instruction& i, uint32_t mask) {
  map1<uint64_t, uint64_t>(w, i, mask, [](uint64_t a) { return a; });
}
template <class F> void logic(Warp& w, const Instruction& i, uint32_t mask, F f) {
  const auto& p = w.frame->predicates;
  set_predicate(w, i.result[0], mask, f(p[i.predicate[0]], p[i.predicate[1]]));
}

Table make() {
  Table t;
  for (const char* const type : {"b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"}) {
    t[std::string("selp.") + type] = {select, Kind::move, false, Undefined::copied};
    t[std::string("mov.") + type] = {move, Kind::move, false, Undefined::copied};
  }
  add_bits<uint16_t>(t, "b16");
  add_bits<uint32_t>(t, "b32");
  add_bits<uint64_t>(t, "b64");
  add_integer<int16_t>(t, "s16");
  add_integer<uint16_t>(t, "u16");
  add_integer<int32_t>(t, "s32");
  add_integer<uint32_t>(t, "u32");
  add_integer<int64_t>(t, "s64");
  add_integer<uint64_t>(t, "u64");
  add_floating<double>(t, "f64");
  add_floating<float>(t, "f32");
  add_comparisons<uint16_t>(t, "b16");
  add_comparisons<uint32_t>(t, "b32");
  add_comparisons<uint64_t>(t, "b64");
  add_comparisons<int16_t>(t, "s16");
  add_comparisons<uint16_t>(t, "u16");
  add_comparisons<int32_t>(t, "s32");
  add_comparisons<uint32_t>(t, "u32");
  add_comparisons<int64_t>(t, "s64");
  add_comparisons<uint64_t>(t, "u64");
  add_comparisons<float>(t, "f32");
  add_comparisons<double>(t, "f64");
  add_conversions<double>(t, "f64");
  add_conversions<float>(t, "f32");
  add_conversions<int64_t>(t, "s64");
  add_conversions<uint64_t>(t, "u64");
  add_conversions<int32_t>(t, "s32");
  add_conversions<uint32_t>(t, "u32");
  add_conversions<int16_t>(t, "s16");
  add_conversions<uint16_t>(t, "u16");
  add_carried<Carry::add>(t, "add", "");
  add_carried<Carry::sub>(t, "sub", "");
  add_carried<Carry::multiply_low>(t, "mad", ".lo");
  add_carried<Carry::multiply_high>(t, "mad", ".hi");
  t["mov.pred"] = {[](Warp& w, const Instruction& i, uint32_t m) { logic(w, i, m, [](uint32_t a, uint32_t) { return a; }); }, Kind::move,
                   true, Undefined::copied};
  t["not.pred"] = {[](Warp& w, const Instruction& i, uint32_t m) { logic(w, i, m, [](uint32_t a, uint32_t) { return ~a; }); }, Kind::move,
                   true};
  t["and.pred"] = {[](Warp& w, const Instruction& i, uint32_t m) { logic(w, i, m, [](uint32_t a, uint32_t b) { return a & b; }); },
                   Kind::move, true};
  t["or.pred"] = {[](Warp& w, const Instruction& i, uint32_t m) { logic(w, i, m, [](uint32_t a, uint32_t b) { return a | b; }); },
                  Kind::move, true};
  t["xor.pred"] = {[](Warp& w, const Instruction& i, uint32_t m) { logic(w, i, m, [](uint32_t a, uint32_t b) { return a ^ b; }); },
                   Kind::move, true};
  return t;
}

}  // namespace

bool find_operation(const std::string& opcode, Operation& found) {
  static const Table table = make();
  const auto at = table.find(opcode);
  if (at == table.end()) return false;
  found = at->second;
  return true;
}

}  // namespace suite::ptx
