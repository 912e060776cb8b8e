// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#ifdef SUITE_HAVE_ZLIB
#include <zlib.h>

#include <fmt/core.h>
#endif
#include <suite/plugin.hpp>

#include "coulomb.hpp"
#include "lattice.hpp"

namespace suite::gw {
namespace {

constexpr double same_q = 1e-6;
constexpr double grain = 10 * same_q;  // of the index; a point near a border of two grains is looked up in both

// The whole file, decompressed where it begins as gzip does.
std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Failure(SUITE_NOT_FOUND, "cannot open " + file.string());
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (text.size() < 2 || static_cast<unsigned char>(text[0]) != 0x1f || static_cast<unsigned char>(text[1]) != 0x8b) return text;
#ifdef SUITE_HAVE_ZLIB
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> gz(gzopen(file.c_str(), "rb"), gzclose);
  if (!gz) throw Failure(SUITE_NOT_FOUND, "cannot open " + file.string());
  text.clear();
  char buffer[1 << 16];
  int got = 0;
  while ((got = gzread(gz.get(), buffer, sizeof buffer)) > 0) text.append(buffer, got);
  int code = Z_OK;
  const char* reason = gzerror(gz.get(), &code);
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) throw Failure(SUITE_INVALID_ARGUMENT, file.string() + " is damaged: " + reason);
  return text;
#else
  throw Failure(SUITE_UNSUPPORTED, file.string() + " is gzip-compressed and this build has no zlib; decompress it with gunzip");
#endif
}

uint64_t key(const std::array<int64_t, 3>& cell) {
  uint64_t hash = 0;
  for (int64_t c : cell) hash = (hash ^ static_cast<uint64_t>(c)) * 0x9E3779B97F4A7C15u + (hash >> 29);
  return hash;
}

}  // namespace

CoulombFile::CoulombFile(const std::filesystem::path& file) : file_(file) {
  const std::string text = contents(file);
  std::vector<uint32_t> lines;
  uint32_t number = 0;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const char* stop = static_cast<const char*>(std::memchr(at, '\n', end - at));
    if (!stop) stop = end;
    ++number;
    const auto wrong = [&](const std::string& what) {
      return Failure(SUITE_INVALID_ARGUMENT, fmt::format("{}:{}: {}", file.string(), number, what));
    };
    double column[7];
    int count = 0;
    for (const char* p = at; p < stop;) {
      if (*p == ' ' || *p == '\t' || *p == '\r') {
        ++p;
        continue;
      }
      const char* word = p;
      while (p < stop && *p != ' ' && *p != '\t' && *p != '\r') ++p;
      double value = 0;
      const char* digits = word + (*word == '+');
      const auto [rest, error] = std::from_chars(digits, p, value);
      if (error != std::errc() || rest != p || !std::isfinite(value)) throw wrong("'" + std::string(word, p) + "' is not a number");
      if (count < 7) column[count] = value;
      ++count;
    }
    at = stop + 1;
    if (count == 0) continue;
    if (count != 7) throw wrong(fmt::format("expected 7 numbers (q1 q2 q3 G1 G2 G3 v), got {}", count));
    for (int i = 3; i < 6; ++i)
      if (column[i] != std::round(column[i])) throw wrong(fmt::format("G component {} is not a whole number", i - 2));
    if (!(column[6] > 0)) throw wrong(fmt::format("v is {:f}; it must be positive", column[6]));
    const Entry entry{{column[0] + column[3], column[1] + column[4], column[2] + column[5]}, column[6]};
    if (const Entry* known = find(entry.q_plus_G)) {
      // the same q for another k; only rounding in print is forgiven
      if (!(std::abs(known->v - entry.v) <= 1e-6 * entry.v))
        throw wrong(fmt::format("v(q+G) at {} is {:f} but line {} has {:f}", as_in_files(entry.q_plus_G), entry.v,
                                lines[known - entries_.data()], known->v));
      continue;
    }
    std::array<int64_t, 3> cell;
    for (int i = 0; i < 3; ++i) cell[i] = std::llround(entry.q_plus_G[i] / grain);
    index_.emplace(key(cell), static_cast<uint32_t>(entries_.size()));
    entries_.push_back(entry);
    lines.push_back(number);
  }
  if (entries_.empty()) throw Failure(SUITE_INVALID_ARGUMENT, file.string() + " has no values");
}

const CoulombFile::Entry* CoulombFile::find(const Vector3& x) const {
  std::array<int64_t, 3> low, high, cell;
  for (int i = 0; i < 3; ++i) {
    low[i] = std::llround((x[i] - same_q) / grain);
    high[i] = std::llround((x[i] + same_q) / grain);
  }
  for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0])
    for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
      for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2])
        for (auto [at, end] = index_.equal_range(key(cell)); at != end; ++at) {
          const Entry& entry = entries_[at->second];
          bool same = true;
          for (int i = 0; i < 3; ++i) same = same && std::abs(entry.q_plus_G[i] - x[i]) <= same_q;
          if (same) return &entry;
        }
  return nullptr;
}

const CoulombFile::Entry* CoulombFile::find_either_sign(const Vector3& x) const {
  const Entry* entry = find(x);
  return entry ? entry : find(-x);
}

void CoulombFile::miss(const Vector3& x) const {
  throw Failure(SUITE_NOT_FOUND, file_.string() + " has no v(q+G) for q+G = " + as_in_files(x) +
                                     "; it was written for other k or q points or a smaller cutoff");
}

double CoulombFile::v(const Vector3& q, const Miller& G) const {
  const Entry* entry = find_either_sign(q + G);
  if (!entry) miss(q + G);
  return entry->v;
}

double CoulombFile::mean_v(const Vector3& q, const Miller& G, const std::vector<Operation>& operations) const {
  double sum = 0;
  int found = 0;
  for (const auto& operation : operations)
    if (const Entry* entry = find_either_sign(operation(q + G))) sum += entry->v, ++found;
  if (found == 0) miss(q + G);
  return sum / found;
}

}  // namespace suite::gw
