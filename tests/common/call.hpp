// SPDX-License-Identifier: BSD-3-Clause
// Calls of kernels for tests of physics: numbers in double here, in either precision there, for every
// implementation and variant that is found and can be opened. One that cannot is skipped, and that is said.
#pragma once

#include <complex>
#include <functional>
#include <map>

#include "implementations.hpp"
#include "numbers.hpp"

namespace suite::test {

// One implementation of a kernel, open, in one precision. Arguments are set and fetched as double.
class Call {
public:
  Call(std::shared_ptr<suite::Kernel> kernel, std::string label, bool single)
      : kernel_(std::move(kernel)), single_(single), label_(std::move(label)) {}

  const std::string& label() const { return label_; }
  bool single() const { return single_; }
  // The tolerance for this precision.
  double allow(double in_double, double in_single) const { return single_ ? in_single : in_double; }
  suite::Kernel& kernel() { return *kernel_; }

  void choose(const char* parameter, const std::string& choice) { kernel_->choose(parameter, choice); }
  bool has(const char* parameter) const {
    for (uint32_t i = 0; i < kernel_->table().parameter_count; ++i)
      if (!std::strcmp(kernel_->table().parameters[i].name, parameter)) return true;
    return false;
  }
  void forget() {
    kernel_->forget();
    held_.clear();
  }

  void complexes(const char* name, const Complexes& x, std::vector<int64_t> extents) {
    if (single_) hold<std::complex<float>>(name, x, extents);
    else hold<Complex>(name, x, extents);
  }
  void reals(const char* name, const Numbers& x, std::vector<int64_t> extents) {
    if (single_) hold<float>(name, x, extents);
    else hold<double>(name, x, extents);
  }
  void numbers(const char* name, const Numbers& x, std::vector<int64_t> extents) { hold<double>(name, x, extents); }
  void indices(const char* name, const std::vector<int32_t>& x, std::vector<int64_t> extents) { hold<int32_t>(name, x, extents); }
  void scalar(const char* name, double x) { hold<double>(name, Numbers{x}, {}); }
  void count(const char* name, int32_t x) { hold<int32_t>(name, std::vector<int32_t>{x}, {}); }

  void run() { kernel_->run(); }

  Complexes get_complexes(const char* name) { return single_ ? fetch<Complex, std::complex<float>>(name) : fetch<Complex, Complex>(name); }
  Numbers get_reals(const char* name) { return single_ ? fetch<double, float>(name) : fetch<double, double>(name); }
  Numbers get_numbers(const char* name) { return fetch<double, double>(name); }

private:
  template <class To, class From> void hold(const char* name, const std::vector<From>& x, const std::vector<int64_t>& extents) {
    auto& bytes = held_[name];
    bytes.resize(x.size() * sizeof(To));
    auto* to = reinterpret_cast<To*>(bytes.data());
    for (size_t i = 0; i < x.size(); ++i) to[i] = static_cast<To>(x[i]);
    suite_array array{};
    array.data = bytes.data();
    array.type = suite::type_of<To>;
    for (auto& e : array.extent) e = 1;
    for (int64_t e : extents) array.extent[array.rank++] = e;
    kernel_->set(name, array);
  }
  template <class To, class From> std::vector<To> fetch(const char* name) {
    suite_array array = kernel_->argument(name);
    std::vector<From> there(static_cast<size_t>(suite::count_of(array)));
    array.data = there.data();
    array.place = SUITE_HOST;
    kernel_->get(name, array);
    return std::vector<To>(there.begin(), there.end());
  }

  std::shared_ptr<suite::Kernel> kernel_;
  std::map<std::string, std::vector<char>> held_;
  bool single_;
  std::string label_;
};

enum class Variants { all, standard };

// Calls f for each implementation, in both precisions. An emulated device is slow: only its default variant
// is tried.
inline void for_each(const std::string& kernel, Variants variants, const std::function<void(Call&)>& f) {
  const std::vector<Found> all = implementations_of(kernel);
  BOOST_REQUIRE_MESSAGE(!all.empty(), "no implementation of " << kernel << " was found");
  for (const Found& found : all) {
    if (!open_or_skip(kernel, found.implementation)) continue;
    const bool every = variants == Variants::all && found.backend != "emulated";
    for (const std::string& variant : found.variants) {
      if (!every && variant != found.variants.front()) continue;
      for (const bool single : {false, true}) {
        const auto fresh = kept_a_while(std::make_shared<suite::Kernel>(kernel, found.implementation));
        const bool chosen = every && !variant.empty();
        if (chosen) fresh->choose("variant", variant);
        Call call(fresh, kernel + " on " + found.implementation + (chosen ? " " + variant : "") + (single ? ", single" : ", double"),
                  single);
        f(call);
      }
    }
  }
}

inline Call reference(const std::string& kernel) {
  return Call(std::make_shared<suite::Kernel>(kernel, "reference"), kernel + " on reference", false);
}
// A kernel of the same implementation and precision as another's call, where there is one, else of the
// reference.
inline Call beside(Call& call, const std::string& kernel) {
  const std::string implementation = call.kernel().table().implementation;
  for (const Found& found : implementations_of(kernel))
    if (found.implementation == implementation)
      return Call(std::make_shared<suite::Kernel>(kernel, implementation), kernel + " on " + implementation, call.single());
  return Call(std::make_shared<suite::Kernel>(kernel, "reference"), kernel + " on reference", call.single());
}

inline void check_below(const Call& call, const std::string& what, double value, double allowed) {
  BOOST_CHECK_MESSAGE(value <= allowed, call.label() << ": " << what << " is " << value << ", allowed " << allowed);
  BOOST_TEST_MESSAGE(call.label() << ": " << what << " " << value);
}

}  // namespace suite::test
