// SPDX-License-Identifier: BSD-3-Clause
// Calls of qmc.sweep.
#pragma once

#include "support.hpp"

namespace qmc_test {

struct Settings {
  std::string move = "metropolis";
  double tau = 0.5, alimit = 0;
  int32_t nsweep = 1;
  int64_t first_sweep = 0, seed = (int64_t{3} << 32) + 17;
  std::vector<int64_t> stream;
};
struct Walked {
  Indices accepted;
  Numbers diffusion, logpsi;
};

// The gas walks: its positions and inverses change.
inline Walked walk(Call& call, Gas& g, const Settings& s) {
  const int64_t W = g.nwalker;
  g.set_wavefunction(call);
  call.choose("move", s.move);
  call.scalar("tau", s.tau);
  if (s.alimit > 0) call.scalar("alimit", s.alimit);
  call.count("nsweep", s.nsweep);
  std::vector<int64_t> stream = s.stream;
  for (int64_t w = static_cast<int64_t>(stream.size()); w < W; ++w) stream.push_back(7 * w + (w % 2 ? int64_t{1} << 40 : 0));
  call.kernel().set("first_sweep", s.first_sweep);
  call.kernel().set("seed", s.seed);
  call.kernel().set("stream", stream.data(), {W});
  call.indices("accepted", Indices(static_cast<size_t>(W), -1), {W});
  call.numbers("diffusion", Numbers(static_cast<size_t>(2 * W), 1e30), {2, W});
  call.numbers("logpsi", Numbers(static_cast<size_t>(W), 0.25), {W});
  call.run();
  g.rele = call.get_numbers("rele");
  if (g.nup > 0) g.dbar[0] = call.get_numbers("dbar_up");
  if (g.ndn > 0) g.dbar[1] = call.get_numbers("dbar_dn");
  Walked result{Indices(static_cast<size_t>(W)), call.get_numbers("diffusion"), call.get_numbers("logpsi")};
  call.kernel().get("accepted", result.accepted.data(), {W});
  for (double& x : result.logpsi) x -= 0.25;
  return result;
}

}  // namespace qmc_test
