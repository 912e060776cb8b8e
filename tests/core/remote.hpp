// SPDX-License-Identifier: BSD-3-Clause
// Addresses of the pretended device "remote": host memory behind an address that faults when the host touches
// it.
#pragma once

#include <cstdint>

namespace remote {

inline constexpr uintptr_t marker = uintptr_t(1) << 62;
inline bool is_remote(const void* data) { return (reinterpret_cast<uintptr_t>(data) & marker) != 0; }
inline void* resolve(const void* data) { return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(data) & ~marker); }
inline void* address(void* data) { return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(data) | marker); }

}  // namespace remote
