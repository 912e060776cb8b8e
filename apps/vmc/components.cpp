// SPDX-License-Identifier: BSD-3-Clause
#include "components.hpp"

#include "../common/print.hpp"
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
    text += app::print(" %-13s %s Ha   %s\n", p.key, with_error(e.mean, e.error).c_str(), p.what);
  }
  return text;
}

nlohmann::ordered_json components_json(const Parts& parts) {
  nlohmann::ordered_json out;
  for (const auto& p : part_names) {
    const Reblocked e = parts(p.part);
    out[p.key] = {{"mean_Ha", e.mean}, {"error_Ha", e.error}};
  }
  return out;
}

nlohmann::ordered_json reblocking_json(const Reblocked& e) {
  return {{"samples", e.samples},
          {"correlation_time", e.correlation_time},
          {"block_length", e.block_length},
          {"error_of_error_Ha", e.error_of_error},
          {"converged", e.converged}};
}

}  // namespace suite::vmc
