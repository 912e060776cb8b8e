// SPDX-License-Identifier: BSD-3-Clause
#include "elements_kernel.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

#include "measure/verification.hpp"

namespace suite::gw {

namespace {

const double* by_component(const Bands& bands, std::vector<double>& to) {
  if (bands.spinors == 1) return bands.c;
  const int64_t n = bands.npw * bands.parts;
  to.resize(static_cast<size_t>(n * bands.spinors * bands.count));
#pragma omp parallel for schedule(static)
  for (int64_t band = 0; band < bands.count; ++band)
    for (int64_t s = 0; s < bands.spinors; ++s)
      std::copy_n(bands.c + (band * bands.spinors + s) * n, n, to.data() + (s * bands.count + band) * n);
  return to.data();
}

}  // namespace

void ElementsKernel::set(Kernel& kernel, const ElementsCall& call, Components& components) {
  const auto list = [&](const char* name, const Miller* g, int64_t count) {
    kernel.set(name, reinterpret_cast<const int32_t*>(g), {3, count});
  };
  const auto ncouls = static_cast<int64_t>(call.g.size());
  list("g_ket", call.ket.g, call.ket.npw);
  list("g_bra", call.bra.g, call.bra.npw);
  list("g", call.g.data(), ncouls);
  const int parts = call.ket.parts;
  const int64_t spinors = call.ket.spinors;
  set_numbers(kernel, "ket", by_component(call.ket, components.ket), parts, {call.ket.npw, call.ket.count, spinors});
  set_numbers(kernel, "bra", by_component(call.bra, components.bra), parts, {call.bra.npw, call.bra.count, spinors});
  if (call.phase.size() > 0) set_numbers(kernel, "phase", call.phase.at(0), parts, {ncouls});
  kernel.set("conjugate", int32_t{call.conjugate});
  set_numbers(kernel, "aqs", call.m, parts, {ncouls, call.ket.count, call.bra.count});
}

void ElementsKernel::run(const ElementsCall& call) {
  set(timed_.kernel(), call, components_);
  timed_.run();
  if (timed_.record().samples_s.size() == 1) verify(call);
}

// The reference takes a sum over plane waves for each element: a few bands in the middle, and G from the
// whole list.
void ElementsKernel::verify(const ElementsCall& call) {
  app::Verification& verification = timed_.record().verification;
  if (timed_.record().implementation == "reference") {
    verification.detail = "this is the reference implementation";
    return;
  }
  constexpr size_t most_g = 48;
  const int64_t bands = std::min<int64_t>(4, call.ket.count), n1 = (call.ket.count - bands) / 2, n = call.bra.count / 2;
  const size_t all = call.g.size(), step = (all + most_g - 1) / most_g;
  const auto parts = static_cast<size_t>(call.ket.parts);
  ElementsCall some{call.bra.part(n, 1), call.ket.part(n1, bands), {}, Numbers(call.ket.parts), call.conjugate, nullptr};
  std::vector<double> found, expected;
  for (size_t ig = 0; ig < all; ig += step) some.g.push_back(call.g[ig]);
  if (call.phase.size() > 0) {
    some.phase.resize(some.g.size());
    for (size_t i = 0; i < some.g.size(); ++i) some.phase.set(i, call.phase[i * step]);
  }
  for (int64_t band = n1; band < n1 + bands; ++band)
    for (size_t ig = 0; ig < all; ig += step) {
      const double* const m = call.m + ((static_cast<size_t>(n) * call.ket.count + band) * all + ig) * parts;
      found.insert(found.end(), m, m + parts);
    }
  expected.resize(found.size());
  some.m = expected.data();
  Kernel reference("gw.mtxel", "reference");
  Components components;
  set(reference, some, components);
  reference.run();
  const std::vector<app::Output> wanted = app::outputs_of(reference);
  std::vector<app::Output> got = wanted;
  std::memcpy(got.at(0).bytes.data(), found.data(), found.size() * sizeof found[0]);
  verification = app::verify(timed_.kernel(), wanted, got);
  if (verification.failed())
    verification.detail += fmt::format(" (of external band {}, internal bands from {}, every {}th G)", n + 1, n1 + 1, step);
}

}  // namespace suite::gw
