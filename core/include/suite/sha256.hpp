// SPDX-License-Identifier: BSD-3-Clause
// suite/sha256.hpp - SHA-256 (FIPS 180-4), header-only: the seals of plugins and the names of cached
// binaries.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace suite {
namespace sha256_detail {

alignas(16) inline constexpr uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

inline void compress(uint32_t state[8], const uint8_t* block, size_t blocks) {
  for (; blocks > 0; --blocks, block += 64) {
    uint32_t w[64];
    for (int t = 0; t < 16; ++t)
      w[t] = uint32_t(block[4 * t]) << 24 | uint32_t(block[4 * t + 1]) << 16 | uint32_t(block[4 * t + 2]) << 8 | uint32_t(block[4 * t + 3]);
    for (int t = 16; t < 64; ++t) {
      const uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
      const uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
      w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; ++t) {
      const uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + k[t] + w[t];
      const uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)
// The CPU's SHA instructions: about six times as fast, so that hashing every plugin costs `suite list`
// nothing.
inline __attribute__((target("sha,sse4.1"))) void compress_sha_ni(uint32_t state[8], const uint8_t* block, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  // The instructions want the state as (a,b,e,f) and (c,d,g,h).
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(state)), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; blocks > 0; --blocks, block += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 16; ++i) {
      __m128i now;
      if (i < 4) {
        now = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i)), swap);
      } else {
        const __m128i minus7 = _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4);
        now = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
        now = _mm_sha256msg2_epu32(_mm_add_epi32(now, minus7), w[(i + 3) & 3]);
      }
      w[i & 3] = now;
      __m128i sum = _mm_add_epi32(now, _mm_load_si128(reinterpret_cast<const __m128i*>(k + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(high, low, 8));
}

// g++ 12 has no __builtin_cpu_supports("sha"): CPUID leaf 7, EBX bit 29.
inline bool cpu_has_sha() {
  uint32_t a = 7, b = 0, c = 0, d = 0;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return (b >> 29 & 1) && __builtin_cpu_supports("sse4.1");
}
#endif

inline void digest_blocks(uint32_t state[8], const uint8_t* block, size_t blocks) {
#if defined(__x86_64__)
  static const bool fast = cpu_has_sha();
  if (fast) return compress_sha_ni(state, block, blocks);
#endif
  compress(state, block, blocks);
}

}  // namespace sha256_detail

using Digest = std::array<uint8_t, 32>;

class Sha256 {
public:
  void update(const void* data, size_t bytes);
  Digest finish();

private:
  uint32_t state_[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t pending_[64];
  uint64_t length_ = 0;
};

inline void Sha256::update(const void* data, size_t bytes) {
  auto* next = static_cast<const uint8_t*>(data);
  const size_t kept = length_ % 64;
  length_ += bytes;
  if (kept > 0) {
    const size_t taken = std::min(bytes, 64 - kept);
    std::memcpy(pending_ + kept, next, taken);
    next += taken, bytes -= taken;
    if (kept + taken < 64) return;
    sha256_detail::digest_blocks(state_, pending_, 1);
  }
  sha256_detail::digest_blocks(state_, next, bytes / 64);
  std::memcpy(pending_, next + bytes / 64 * 64, bytes % 64);
}

inline Digest Sha256::finish() {
  const uint64_t bits = length_ * 8;
  const uint8_t one = 0x80, zero[64]{};
  update(&one, 1);
  update(zero, (120 - length_ % 64) % 64);
  uint8_t big_endian[8];
  for (int i = 0; i < 8; ++i) big_endian[i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  update(big_endian, 8);
  Digest digest;
  for (int i = 0; i < 32; ++i) digest[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

inline Digest sha256(const void* data, size_t bytes) {
  Sha256 hash;
  hash.update(data, bytes);
  return hash.finish();
}

inline std::string hexadecimal(const Digest& digest) {
  std::string text;
  for (uint8_t byte : digest) (text += "0123456789abcdef"[byte >> 4]) += "0123456789abcdef"[byte & 15];
  return text;
}

}  // namespace suite
