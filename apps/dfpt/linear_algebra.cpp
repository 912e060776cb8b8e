// SPDX-License-Identifier: BSD-3-Clause
#include "linear_algebra.hpp"

#include <dlfcn.h>

#include <fmt/core.h>

#include <suite/deterministic.hpp>

#include "base/dense/eigenpairs.hpp"
#include "common/paths.hpp"
#include "lapack/lapack_module.h"

namespace suite::all_electron {
namespace {

// For fewer rows Eigen is as fast, and loading a BLAS would take longer; for more, LAPACK's workspace sizes overflow.
constexpr Eigen::Index least_rows = 200, most_rows = 32000;

class Eigen3 final : public LinearAlgebra {
public:
  explicit Eigen3(std::string instead_of = "") : instead_of_(std::move(instead_of)) {}

  std::string name() const override {
    return fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION) + instead_of_;
  }
  std::optional<Eigenpairs> eigenpairs(Matrix symmetric) const override {
    app::Eigenpairs<double> pairs = app::eigenpairs_of(symmetric);
    if (!pairs.found || !pairs.values.allFinite()) return {};
    return Eigenpairs{std::move(pairs.values), std::move(pairs.vectors)};
  }
  std::optional<Matrix> inverse_factor(Matrix) const override { return {}; }
  Matrix product(const Matrix& a, const Matrix& b) const override { return a * b; }
  Matrix transposed_product(const Matrix& a, const Matrix& b) const override { return a.transpose() * b; }
  void add_product(const ConstPart& a, const ConstPart& b, Part c) const override { c.noalias() += a * b; }
  void add_transposed_product(const ConstPart& a, const ConstPart& b, Part c) const override { c.noalias() += a.transpose() * b; }
  void add_product_with_transposed(const ConstPart& a, const ConstPart& b, Part c) const override { c.noalias() += a * b.transpose(); }

private:
  std::string instead_of_;
};

class Lapack final : public LinearAlgebra {
public:
  explicit Lapack(const suite_lapack_table& table) : table_(table) {}

  std::string name() const override {
    char text[96];
    table_.describe(text, sizeof text);
    return text;
  }
  std::optional<Eigenpairs> eigenpairs(Matrix symmetric) const override {
    if (!symmetric.allFinite()) return {};  // dsyevd may not terminate
    Eigenpairs pairs{Eigen::VectorXd(symmetric.rows()), std::move(symmetric)};
    const int n = static_cast<int>(pairs.values.size());
    if (table_.eigenpairs(n, pairs.vectors.data(), pairs.values.data()) != 0) return {};
    return pairs;
  }
  std::optional<Matrix> inverse_factor(Matrix symmetric) const override {
    if (!symmetric.allFinite() || table_.inverse_factor(static_cast<int>(symmetric.rows()), symmetric.data()) != 0) return {};
    return symmetric;
  }
  Matrix product(const Matrix& a, const Matrix& b) const override {
    Matrix c(a.rows(), b.cols());
    multiply(a.cols(), factor_of(a, false), factor_of(b, false), 0, c);
    return c;
  }
  Matrix transposed_product(const Matrix& a, const Matrix& b) const override {
    Matrix c(a.cols(), b.cols());
    multiply(a.rows(), factor_of(a, true), factor_of(b, false), 0, c);
    return c;
  }
  void add_product(const ConstPart& a, const ConstPart& b, Part c) const override {
    multiply(a.cols(), factor_of(a, false), factor_of(b, false), 1, c);
  }
  void add_transposed_product(const ConstPart& a, const ConstPart& b, Part c) const override {
    multiply(a.rows(), factor_of(a, true), factor_of(b, false), 1, c);
  }
  void add_product_with_transposed(const ConstPart& a, const ConstPart& b, Part c) const override {
    multiply(a.cols(), factor_of(a, false), factor_of(b, true), 1, c);
  }

private:
  static suite_lapack_factor factor_of(const ConstPart& a, bool turned) { return {a.data(), static_cast<int>(a.outerStride()), turned}; }
  void multiply(Eigen::Index steps, const suite_lapack_factor& a, const suite_lapack_factor& b, double keep, Part c) const {
    table_.product(static_cast<int>(c.rows()), static_cast<int>(c.cols()), static_cast<int>(steps), a, b, keep, c.data(),
                   static_cast<int>(c.outerStride()));
  }
  const suite_lapack_table& table_;
};

struct Loaded {
  const suite_lapack_table* table = nullptr;
  std::string why;
};

Loaded load() {
  const auto file = app::module("suite_lapack.so");
  if (file.empty()) return {nullptr, "this build has no LAPACK"};
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    const char* const why = dlerror();
    return {nullptr, "suite_lapack.so cannot be loaded: " + std::string(why ? why : "no reason given")};
  }
  const auto query = reinterpret_cast<suite_lapack_query>(dlsym(handle, "suite_lapack_query_table"));
  const suite_lapack_table* const table = query ? query() : nullptr;
  if (!table || table->version != SUITE_LAPACK_VERSION) return {nullptr, "suite_lapack.so belongs to another version of suite"};
  return {table, ""};
}

}  // namespace

const LinearAlgebra& eigen() {
  static const Eigen3 library;
  return library;
}

const LinearAlgebra* lapack(std::string* why) {
  static const Loaded loaded = load();
  if (!loaded.table) {
    if (why) *why = loaded.why;
    return nullptr;
  }
  static const Lapack library(*loaded.table);
  return &library;
}

const LinearAlgebra& linear_algebra_for(Eigen::Index n) {
  if (n < least_rows || n > most_rows || deterministic_wanted()) return eigen();
  std::string why;
  if (const LinearAlgebra* const library = lapack(&why)) return *library;
  static const Eigen3 instead(" (" + why + ")");
  return instead;
}

}  // namespace suite::all_electron
