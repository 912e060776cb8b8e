// SPDX-License-Identifier: BSD-3-Clause
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, Proc. SC11 (2011)): four random words of a key and a counter,
// with no state, so that a walk does not depend on who computes it, in which order, and with how many others.
//   key      the seed, low and high word
//   counter  {4 * electron + block, sweep, stream low, stream high}, electrons from 0
//   block 0  the Gaussians of a proposed move: x and y from words 0, 1, z from words 2, 3
//   block 1  the uniform number of its acceptance, from words 0, 1
// Electron netot stands for draws of the walker itself, such as branching; netot + 1 + i for the initial
// position of electron i.
#pragma once

#include <cmath>
#include <cstdint>

#include <suite/gpu/host_device.hpp>

namespace suite::qmc {

struct Words {
  uint32_t w[4];
};

SUITE_HOST_DEVICE uint32_t high_word(uint32_t a, uint32_t b) { return static_cast<uint32_t>((static_cast<uint64_t>(a) * b) >> 32); }

SUITE_HOST_DEVICE Words philox(Words counter, uint32_t key0, uint32_t key1) {
  uint32_t a = counter.w[0], b = counter.w[1], c = counter.w[2], d = counter.w[3];
  for (int round = 0; round < 10; ++round) {
    const uint32_t high0 = high_word(0xd2511f53u, a), low0 = 0xd2511f53u * a;
    const uint32_t high1 = high_word(0xcd9e8d57u, c), low1 = 0xcd9e8d57u * c;
    a = high1 ^ b ^ key0;
    b = low1;
    c = high0 ^ d ^ key1;
    d = low0;
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return {{a, b, c, d}};
}

// The words of one draw.
SUITE_HOST_DEVICE Words draw(int64_t seed, int64_t stream, int64_t sweep, int64_t electron, int block) {
  const auto word = [](int64_t x, int shift) { return static_cast<uint32_t>(static_cast<uint64_t>(x) >> shift); };
  return philox({{static_cast<uint32_t>(4 * electron + block), word(sweep, 0), word(stream, 0), word(stream, 32)}}, word(seed, 0),
                word(seed, 32));
}

// In (0,1), 32 bits.
SUITE_HOST_DEVICE double open_uniform(uint32_t word) { return (static_cast<double>(word) + 0.5) * 0x1p-32; }
// In [0,1), 53 bits.
SUITE_HOST_DEVICE double uniform(uint32_t high, uint32_t low) {
  return static_cast<double>(((static_cast<uint64_t>(high) << 32) | low) >> 11) * 0x1p-53;
}

// cos and sin of 2 pi x.
SUITE_HOST_DEVICE void turn_by(double x, double& cosine, double& sine) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  ::sincospi(2 * x, &sine, &cosine);  // in units of pi no angle is so large that its reduction takes a stack
#else
  constexpr double two_pi = 6.283185307179586;
  cosine = std::cos(two_pi * x);
  sine = std::sin(two_pi * x);
#endif
}

// Three Gaussian numbers of variance 1 (Box, Muller, Ann. Math. Stat. 29, 610 (1958)).
SUITE_HOST_DEVICE void gaussians(const Words& words, double* g) {
  const double size1 = std::sqrt(-2 * std::log(open_uniform(words.w[0]))), size2 = std::sqrt(-2 * std::log(open_uniform(words.w[2])));
  double cosine, sine, unused;
  turn_by(open_uniform(words.w[1]), cosine, sine);
  g[0] = size1 * cosine;
  g[1] = size1 * sine;
  turn_by(open_uniform(words.w[3]), cosine, unused);
  g[2] = size2 * cosine;
}

SUITE_HOST_DEVICE void move_gaussians(int64_t seed, int64_t stream, int64_t sweep, int64_t electron, double* g) {
  gaussians(draw(seed, stream, sweep, electron, 0), g);
}
SUITE_HOST_DEVICE double acceptance_uniform(int64_t seed, int64_t stream, int64_t sweep, int64_t electron) {
  const Words words = draw(seed, stream, sweep, electron, 1);
  return uniform(words.w[0], words.w[1]);
}

}  // namespace suite::qmc
