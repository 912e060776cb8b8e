// SPDX-License-Identifier: BSD-3-Clause
// suite/arguments.hpp - each argument of a kernel is declared once, as a typed member of the kernel's struct:
//
//   struct Sigma : Arguments {
//     using Arguments::Arguments;
//     static constexpr const char* name = "gpp.sigma";
//     // clang-format off
//     SUITE_ARGUMENT(constant, complex, wtilde_array, "ncouls,ngpown", "eV", "plasmon-pole energies w(G,G')");
//     SUITE_ARGUMENT(in,       real,    gamma,        "",              "eV", "gpp_broadening", when_unset("0.5"));
//     SUITE_ARGUMENT(out,      complex, asxtemp,      "nw[,nex]",      "Ry", "SX - X", tolerance{1e-11});
//     // clang-format on
//
// After `const Sigma c(arguments)`, c.wtilde_array(ig, igp) is an element (const for inputs) and c.gamma a double with
// its default applied. rows<Sigma> is the constexpr table for the plugin contract, for the Fortran modules and for the documentation.
// Members are initialised in declaration order, which is also their order in the table. Arguments that several kernels share
// are either a common base struct, and come first, or a member struct (SUITE_ARGUMENT_GROUP), if functions need
// all of them together. Hot loops take c.wtilde_array.data() once.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <suite/abi.h>

namespace suite {

// Names of the element types. A family names its own sets of types: using flavour = Either<real, complex>.
namespace element {
template <class T, int32_t Code> struct Element {
  using type = T;
  static constexpr int32_t code = Code;
};
// The caller's choice, the same for all arguments of the call with this set.
template <class... E> struct Either {
  static constexpr int32_t code = (SUITE_TYPE_SET | ... | (1 << E::code));
};
using integer = Element<int32_t, SUITE_INT32>;
using long_integer = Element<int64_t, SUITE_INT64>;
using single = Element<float, SUITE_REAL32>;
using real = Element<double, SUITE_REAL64>;
using single_complex = Element<std::complex<float>, SUITE_COMPLEX64>;
using complex = Element<std::complex<double>, SUITE_COMPLEX128>;
}  // namespace element

// The rank of a shape: "ncouls,ntband[,nex]" has 3.
consteval int rank_of(const char* shape) {
  int rank = *shape ? 1 : 0;
  for (; *shape; ++shape) rank += *shape == ',';
  return rank;
}

// Options after the meaning. when_unset: the default if the argument is not set; a number ("0.5", "1e-12") becomes the value of a
// scalar.
struct when_unset {
  const char* text;
  double value;  // NaN if the text is not a number
  consteval when_unset(const char* t) : text(t), value(number_in(t)) {}

private:
  // Digits with a decimal point and an optional exponent; the value is rounded once, in the product or quotient with a power of ten.
  static consteval double number_in(const char* t) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const bool negative = *t == '-';
    if (negative) ++t;
    double digits = 0;  // exact below 2^53
    int exponent = 0, count = 0;
    for (bool fraction = false; *t == '.' || (*t >= '0' && *t <= '9'); ++t) {
      if (*t == '.' && fraction) return none;
      if (*t == '.') {
        fraction = true;
        continue;
      }
      digits = digits * 10 + (*t - '0');
      exponent -= fraction;
      ++count;
    }
    if (count == 0) return none;
    if (*t == 'e') {
      const bool down = *++t == '-';
      if (down) ++t;
      if (*t < '0' || *t > '9') return none;
      int power = 0;
      for (; *t >= '0' && *t <= '9'; ++t) power = power * 10 + (*t - '0');
      exponent += down ? -power : power;
    }
    if (*t) return none;
    double scale = 1;  // exact up to 1e22
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) scale *= 10;
    return (negative ? -1 : 1) * (exponent < 0 ? digits / scale : digits * scale);
  }
};
static_assert(when_unset("0.5").value == 0.5 && when_unset("3").value == 3 && when_unset("-1.25").value == -1.25);
static_assert(when_unset("1e-12").value == 1e-12 && when_unset("2.5e3").value == 2500 && when_unset("1e-3").value == 1e-3);
static_assert(when_unset("not computed").value != when_unset("not computed").value && when_unset("1e").value != when_unset("1e").value);
// If shared arguments are optional in some kernels only, their declaration ends with `unset()`, where unset is a parameter of
// the template: must_be_set, or a struct such as: struct no_u { static constexpr when_unset option{"no u term"}; };
struct must_be_set {};
// The allowed distance of a result from the reference, relative to the reference's max norm.
struct tolerance {
  double value;
};
// A short list, copied when it is set, so that the caller may pass an expression.
struct copied_t {};
inline constexpr copied_t copied;

// The array behind a member; null while the table is built.
struct TakenArgument {
  const suite_array* array;
  double otherwise;
};

// An array argument: element access with indices from zero, first index fastest.
template <class E, int Rank, bool Changes> class Argument {
  using T = std::conditional_t<Changes, typename E::type, const typename E::type>;

public:
  constexpr Argument(TakenArgument taken) : array_(taken.array), data_(taken.array ? static_cast<T*>(taken.array->data) : nullptr) {}
  explicit operator bool() const { return data_ != nullptr; }
  // For functions such as cost, where data may be missing although the argument is set; unset arguments have rank -1 there.
  bool is_set() const { return array_->rank >= 0; }
  T* data() const { return data_; }
  int64_t extent(int d) const { return array_->extent[d]; }
  const suite_array& array() const { return *array_; }
  operator const suite_array&() const { return *array_; }
  template <class... I> T& operator()(I... index) const {
    static_assert(sizeof...(I) == Rank);
    const int64_t i[]{static_cast<int64_t>(index)...};
    int64_t offset = 0;
    for (int d = Rank; d-- > 0;) offset = offset * array_->extent[d] + i[d];
    return data_[offset];
  }

private:
  const suite_array* array_;
  T* data_;
};

// A scalar: its value, which is on the host, or the number of when_unset.
template <class E, bool Changes>
  requires requires { typename E::type; }
class Argument<E, 0, Changes> {
  using T = typename E::type;

public:
  constexpr Argument(TakenArgument taken)
      : set_(taken.array && taken.array->data),
        value_(set_                                 ? *static_cast<const T*>(taken.array->data)
               : taken.otherwise == taken.otherwise ? static_cast<T>(taken.otherwise)
                                                    : T{}) {}
  operator T() const { return value_; }
  bool is_set() const { return set_; }

private:
  bool set_;
  T value_;
};

// An array whose element type the caller chooses.
template <class... Any, int Rank, bool Changes> class Argument<element::Either<Any...>, Rank, Changes> {
public:
  constexpr Argument(TakenArgument taken) : array_(taken.array) {}
  explicit operator bool() const { return array_->data != nullptr; }
  bool is_set() const { return array_->rank >= 0; }
  const suite_array& array() const { return *array_; }
  operator const suite_array&() const { return *array_; }
  int64_t extent(int d) const { return array_->extent[d]; }
  template <class E> bool is() const { return array_->type == E::code; }
  template <class E> auto as() const { return Argument<E, Rank, Changes>({array_, 0}); }

private:
  const suite_array* array_;
};

// Names of the intents.
struct in_t {
  static constexpr int32_t code = SUITE_IN;
  static constexpr bool changes = false;
};
struct constant_t {
  static constexpr int32_t code = SUITE_CONSTANT;
  static constexpr bool changes = false;
};
struct out_t {
  static constexpr int32_t code = SUITE_OUT;
  static constexpr bool changes = true;
};
struct inout_t {
  static constexpr int32_t code = SUITE_INOUT;
  static constexpr bool changes = true;
};

// The table while it is built.
struct WrittenRows {
  suite_argument row[64]{};
  size_t count = 0;
};

class Arguments {
public:
  constexpr explicit Arguments(const suite_array* arrays) : next_(arrays) {}
  constexpr explicit Arguments(WrittenRows* rows) : rows_(rows) {}

protected:
  // The next argument; while the table is built, its row.
  template <class E, class Intent, class... Options>
  constexpr TakenArgument take(const char* name, const char* shape, int rank, const char* unit, const char* meaning, Options... options) {
    double otherwise = 0;
    suite_argument row{name, E::code, rank, Intent::code, 0, shape, unit, meaning, nullptr, 0};
    (apply(options, row, otherwise), ...);
    if (!rows_) return {next_++, otherwise};
    rows_->row[rows_->count++] = row;
    return {nullptr, otherwise};
  }
  // The next arguments, as many as Group has.
  template <class Group> constexpr Group take_group() {
    const Group group = rows_ ? Group(rows_) : Group(next_);
    next_ = static_cast<const Arguments&>(group).next_;
    return group;
  }

private:
  static constexpr void apply(when_unset option, suite_argument& row, double& otherwise) {
    row.when_unset = option.text;
    otherwise = option.value;
  }
  static constexpr void apply(tolerance option, suite_argument& row, double&) { row.tolerance = option.value; }
  static constexpr void apply(copied_t, suite_argument& row, double&) { row.copied = 1; }
  static constexpr void apply(must_be_set, suite_argument&, double&) {}
  template <class Unset>
    requires requires { Unset::option; }
  static constexpr void apply(Unset, suite_argument& row, double& otherwise) {
    apply(Unset::option, row, otherwise);
  }

  const suite_array* next_ = nullptr;
  WrittenRows* rows_ = nullptr;
};

#define SUITE_ARGUMENT(intent, type, name, shape, unit, ...)                            \
  ::suite::Argument<type, ::suite::rank_of(shape), ::suite::intent##_t::changes> name = \
      this->template take<type, ::suite::intent##_t>(#name, shape, ::suite::rank_of(shape), unit, __VA_ARGS__)

#define SUITE_ARGUMENT_GROUP(Group, name) Group name = this->template take_group<Group>()

template <class K>
inline constexpr WrittenRows written_rows = [] {
  WrittenRows made;
  [[maybe_unused]] const K described(&made);
  return made;
}();

// The argument table of K for the plugin contract.
template <class K>
inline constexpr auto rows = [] {
  std::array<suite_argument, written_rows<K>.count> made{};
  for (size_t i = 0; i < made.size(); ++i) made[i] = written_rows<K>.row[i];
  return made;
}();

// The kernels of a family, for programs that print its tables: using kernels = Kernels<Sigma, SigmaOffdiag>.
template <class...> struct Kernels {};

// The position of an argument in the table; does not compile for an unknown name.
template <class K> consteval int position(const char* name) {
  for (size_t i = 0; i < rows<K>.size(); ++i) {
    const char *a = rows<K>[i].name, *b = name;
    while (*a && *a == *b) ++a, ++b;
    if (*a == *b) return static_cast<int>(i);
  }
  throw "no argument of this name";
}

}  // namespace suite
