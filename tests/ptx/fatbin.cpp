// SPDX-License-Identifier: BSD-3-Clause
// The layout is not documented by NVIDIA; this is what fatbinary of CUDA 12 and 13 writes: a header, then entries with a header
// each, PTX or machine code, compressed by Zstandard or not at all.
#include "fatbin.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace suite::ptx {
namespace {

struct Header {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t bytes;  // of the entries
};
struct Entry {
  uint16_t kind, version;
  uint32_t header_bytes;
  uint64_t bytes;  // up to the next entry
  uint32_t compressed_bytes, options;
  uint16_t minor, major;
  uint32_t arch, name, name_bytes;
  uint64_t flags, zero, plain_bytes;
};
static_assert(sizeof(Header) == 16 && sizeof(Entry) == 64);
constexpr uint16_t kind_ptx = 1;
constexpr uint64_t flag_lz4 = 0x2000, flag_zstd = 0x8000;

// The library is on every system whose package manager uses it; its header often is not.
std::string decompressed(const void* data, size_t bytes, size_t plain_bytes) {
  using Decompress = size_t (*)(void*, size_t, const void*, size_t);
  void* const library = dlopen("libzstd.so.1", RTLD_NOW);
  const auto decompress = library ? reinterpret_cast<Decompress>(dlsym(library, "ZSTD_decompress")) : nullptr;
  if (!decompress) throw std::runtime_error("the PTX is compressed by Zstandard, and libzstd.so.1 was not found");
  std::string text(plain_bytes, '\0');
  if (decompress(text.data(), text.size(), data, bytes) != plain_bytes) throw std::runtime_error("the compressed PTX is damaged");
  return text;
}

}  // namespace

std::string ptx_of(const void* fatbin) {
  const char* const begin = static_cast<const char*>(fatbin);
  Header header;
  std::memcpy(&header, begin, sizeof header);
  if (header.magic != 0xba55ed50) throw std::runtime_error("this is no fatbin of nvcc");
  Entry best{};
  const char* best_at = nullptr;
  for (uint64_t at = header.header_bytes; at < header.header_bytes + header.bytes;) {
    Entry entry;
    std::memcpy(&entry, begin + at, sizeof entry);
    if (entry.kind == kind_ptx && entry.arch >= best.arch) best = entry, best_at = begin + at;
    at += entry.header_bytes + entry.bytes;
  }
  if (!best_at) return {};
  const char* const data = best_at + best.header_bytes;
  std::string text;
  if (best.flags & flag_zstd) text = decompressed(data, best.compressed_bytes, best.plain_bytes);
  else if (best.flags & flag_lz4)
    throw std::runtime_error("the PTX is compressed by LZ4, expected Zstandard or none (nvcc --compress-mode)");
  else text.assign(data, best.bytes);
  return text.substr(0, text.find('\0'));
}

}  // namespace suite::ptx
