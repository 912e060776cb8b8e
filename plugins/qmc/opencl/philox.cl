// SPDX-License-Identifier: BSD-3-Clause
// philox4x32-10, the twin of ../philox.hpp (Salmon, Moraes, Dror and Shaw, SC11, 2011).
static uint4 philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const uint high0 = mul_hi(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
    const uint high1 = mul_hi(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
    c = (uint4)(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
    key += (uint2)(0x9e3779b9u, 0xbb67ae85u);
  }
  return c;
}
