// SPDX-License-Identifier: BSD-3-Clause
// Calls of the kernels of lfd for tests: numbers in double here, in either precision there, for every
// implementation and variant that is found and can be opened. One that cannot is skipped, and that is said.
#pragma once

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace lfd_test {

using Complex = std::complex<double>;
using Numbers = std::vector<double>;
using Orbitals = std::vector<Complex>;
constexpr double pi = std::numbers::pi;

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

  void orbitals(const char* name, const Orbitals& x, std::vector<int64_t> extents) {
    if (single_)
      hold<std::complex<float>>(name, x, extents);
    else
      hold<Complex>(name, x, extents);
  }
  void field(const char* name, const Numbers& x, std::vector<int64_t> extents) {
    if (single_)
      hold<float>(name, x, extents);
    else
      hold<double>(name, x, extents);
  }
  void numbers(const char* name, const Numbers& x, std::vector<int64_t> extents) {
    hold<double>(name, x, extents);
  }
  void indices(const char* name, const std::vector<int32_t>& x, std::vector<int64_t> extents) {
    hold<int32_t>(name, x, extents);
  }
  void scalar(const char* name, double x) { hold<double>(name, Numbers{x}, {}); }
  void count(const char* name, int32_t x) { hold<int32_t>(name, std::vector<int32_t>{x}, {}); }

  void run() { kernel_->run(); }

  Orbitals get_orbitals(const char* name) {
    return single_ ? fetch<Complex, std::complex<float>>(name) : fetch<Complex, Complex>(name);
  }
  Numbers get_field(const char* name) {
    return single_ ? fetch<double, float>(name) : fetch<double, double>(name);
  }
  Numbers get_numbers(const char* name) { return fetch<double, double>(name); }

private:
  template <class To, class From>
  void hold(const char* name, const std::vector<From>& x, const std::vector<int64_t>& extents) {
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
  template <class To, class From>
  std::vector<To> fetch(const char* name) {
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

struct Found {
  std::string implementation, backend;
  std::vector<std::string> variants;
};

inline std::vector<Found> implementations_of(const std::string& kernel) {
  struct Search {
    std::string kernel;
    std::vector<Found> found;
  } search{kernel, {}};
  suite_visit(
      [](void* with, const char*, const suite_plugin* plugin, const char*) {
        auto& s = *static_cast<Search*>(with);
        for (uint32_t k = 0; plugin && k < plugin->kernel_count; ++k) {
          const suite_kernel_table& table = *plugin->kernels[k];
          if (s.kernel != table.kernel) continue;
          bool known = false;
          for (const Found& f : s.found) known = known || f.implementation == table.implementation;
          if (known) continue;
          Found found{table.implementation, table.backend, {}};
          for (uint32_t p = 0; p < table.parameter_count; ++p)
            if (!std::strcmp(table.parameters[p].name, "variant") && table.parameters[p].choices)
              for (const char* const* choice = table.parameters[p].choices; *choice; ++choice)
                found.variants.emplace_back(*choice);
          if (found.variants.empty()) found.variants.emplace_back();
          s.found.push_back(found);
        }
      },
      &search);
  return search.found;
}

enum class Variants { all, standard };

// Calls f for each implementation, in both precisions. An emulated device is slow: only its standard variant
// is tried.
inline void for_each(const std::string& kernel, Variants variants, const std::function<void(Call&)>& f) {
  const std::vector<Found> all = implementations_of(kernel);
  BOOST_REQUIRE_MESSAGE(!all.empty(), "no implementation of " << kernel << " was found");
  for (const Found& found : all) {
    std::shared_ptr<suite::Kernel> kernel_open;
    try {
      kernel_open = std::make_shared<suite::Kernel>(kernel, found.implementation);
    } catch (const suite::Failure& failure) {
      if (failure.status() != SUITE_DEVICE_ERROR && failure.status() != SUITE_NOT_FOUND) throw;
      BOOST_TEST_MESSAGE("SKIPPED " << kernel << " on " << found.implementation << ": " << failure.what());
      continue;
    }
    const bool every = variants == Variants::all && found.backend != "emulated";
    for (const std::string& variant : found.variants) {
      if (!every && variant != found.variants.front()) continue;
      for (const bool single : {false, true}) {
        auto fresh = std::make_shared<suite::Kernel>(kernel, found.implementation);
        const bool chosen = every && !variant.empty();
        if (chosen) fresh->choose("variant", variant);
        Call call(fresh,
                  kernel + " on " + found.implementation + (chosen ? " " + variant : "") +
                      (single ? ", single" : ", double"),
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
      return Call(std::make_shared<suite::Kernel>(kernel, implementation), kernel + " on " + implementation,
                  call.single());
  return Call(std::make_shared<suite::Kernel>(kernel, "reference"), kernel + " on reference", call.single());
}

// A grid, with the order of psi(Norb,Nz,Ny,Nx) and v(Nz,Ny,Nx).
struct Grid {
  int64_t n[3] = {1, 1, 1};
  double h[3] = {1, 1, 1};
  int64_t norb = 1;
  int64_t points() const { return n[0] * n[1] * n[2]; }
  double dr() const { return h[0] * h[1] * h[2]; }
  int64_t index(int64_t x, int64_t y, int64_t z) const { return z + n[2] * (y + n[1] * x); }
  int64_t at(int d, int64_t i) const {
    return d == 2 ? i % n[2] : d == 1 ? i / n[2] % n[1] : i / (n[2] * n[1]);
  }
  double r(int d, int64_t i) const { return static_cast<double>(at(d, i) - n[d] / 2) * h[d]; }
  int64_t step(int64_t i, int d, int64_t by) const {
    int64_t p[] = {at(0, i), at(1, i), at(2, i)};
    p[d] = (p[d] + by + n[d]) % n[d];
    return index(p[0], p[1], p[2]);
  }
  std::vector<int64_t> psi_extents() const { return {norb, n[2], n[1], n[0]}; }
  std::vector<int64_t> extents() const { return {n[2], n[1], n[0]}; }
  std::vector<int64_t> two_extents() const { return {n[2], n[1], n[0], 2}; }
  Numbers spacings() const { return {h[0], h[1], h[2]}; }
};

inline Orbitals random_orbitals(const Grid& g, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Orbitals psi(static_cast<size_t>(g.norb * g.points()));
  for (Complex& x : psi) x = {normal(engine), normal(engine)};
  const double size = 1 / std::sqrt(2 * static_cast<double>(g.points()) * g.dr());
  for (Complex& x : psi) x *= size;
  return psi;
}

inline Numbers random_numbers(int64_t count, unsigned seed, double low, double high) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  Numbers x(static_cast<size_t>(count));
  for (double& value : x) value = uniform(engine);
  return x;
}

// <psi_m|psi_n>.
inline Complex overlap(const Grid& g, const Orbitals& psi, int64_t m, int64_t n) {
  Complex sum = 0;
  for (int64_t i = 0; i < g.points(); ++i) sum += std::conj(psi[m + g.norb * i]) * psi[n + g.norb * i];
  return sum * g.dr();
}

inline void orthonormalise(const Grid& g, Orbitals& psi) {
  for (int64_t n = 0; n < g.norb; ++n) {
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t m = 0; m < n; ++m) {
        const Complex s = overlap(g, psi, m, n);
        for (int64_t i = 0; i < g.points(); ++i) psi[n + g.norb * i] -= s * psi[m + g.norb * i];
      }
    const double norm = std::sqrt(overlap(g, psi, n, n).real());
    for (int64_t i = 0; i < g.points(); ++i) psi[n + g.norb * i] /= norm;
  }
}

template <class X>
double largest(const std::vector<X>& x) {
  double most = 0;
  for (const X& value : x) most = std::max(most, std::abs(value));
  return most;
}
// Largest difference; a NaN counts as infinitely far.
template <class X>
double distance(const std::vector<X>& a, const std::vector<X>& b) {
  if (a.size() != b.size()) return HUGE_VAL;
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    if (!(d <= most)) most = std::isnan(d) ? HUGE_VAL : d;
  }
  return most;
}

inline void check_below(const Call& call, const std::string& what, double value, double allowed) {
  BOOST_CHECK_MESSAGE(value <= allowed, call.label()
                                            << ": " << what << " is " << value << ", allowed " << allowed);
  BOOST_TEST_MESSAGE(call.label() << ": " << what << " " << value);
}

}  // namespace lfd_test
