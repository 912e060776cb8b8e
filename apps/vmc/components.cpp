// SPDX-License-Identifier: BSD-3-Clause
#include "components.hpp"

#include <fmt/core.h>

#include "run.hpp"

namespace suite::vmc {
namespace {

struct PartName {
  size_t part;
  const char *key, *what;
};
constexpr PartName part_names[] = {
    {part::kei, "KEI", "kinetic energy from the Laplacian of psi"},
    {part::ti, "TI", "kinetic energy from the Laplacian of ln psi"},
    {part::fisq, "FISQ", "kinetic energy from the gradient of ln psi"},
    {part::ewald, "ewald", "Coulomb energy with background and images"},
};

}  // namespace

std::string components_text(const Parts& parts) {
  std::string text;
  for (const auto& p : part_names) {
    const Reblocked e = parts(p.part);
    text += fmt::format(" {:<13} {} Ha   {}\n", p.key, with_error(e.mean, e.error), p.what);
  }
  return text;
}

std::vector<std::pair<std::string, PartResult>> components_of(const Parts& parts) {
  std::vector<std::pair<std::string, PartResult>> all;
  for (const auto& p : part_names) {
    const Reblocked e = parts(p.part);
    all.push_back({p.key, {e.mean, e.error}});
  }
  return all;
}

}  // namespace suite::vmc
