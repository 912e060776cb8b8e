// SPDX-License-Identifier: BSD-3-Clause
// suite/gpu/runtime.hpp - the runtime of CUDA or HIP under one name, every call checked. Part of gpu.hpp;
// alone it is what a backend needs, for any C++ compiler.
#pragma once

#include <string>

#include <suite/plugin.hpp>

#if defined(__HIP__) && !defined(SUITE_GPU_HIP)
#define SUITE_GPU_HIP
#endif
#if defined(SUITE_GPU_HIP)
#include <hip/hip_runtime.h>
#define SUITE_GPU_NAME(x) hip##x
#define SUITE_GPU_TEXT "hip"
#else
#include <cuda_runtime.h>
#define SUITE_GPU_NAME(x) cuda##x
#define SUITE_GPU_TEXT "cuda"
#endif
#ifndef SUITE_GPU_BACKEND
#define SUITE_GPU_BACKEND SUITE_GPU_TEXT
#endif

// SUITE_GPU_CALL(Memcpy, to, from, bytes, kind) is cudaMemcpy or hipMemcpy; what it returns is checked.
#define SUITE_GPU_CALL(function, ...) ::suite::gpu::check(SUITE_GPU_NAME(function)(__VA_ARGS__), SUITE_GPU_TEXT #function)

namespace suite::gpu {

using Status = SUITE_GPU_NAME(Error_t);
using Stream = SUITE_GPU_NAME(Stream_t);
using Event = SUITE_GPU_NAME(Event_t);
using Dim3 = ::dim3;

// After these errors the device is unusable for this process.
inline bool lost(Status status) {
  switch (status) {
    case SUITE_GPU_NAME(ErrorIllegalAddress):
    case SUITE_GPU_NAME(ErrorLaunchFailure):
#if defined(SUITE_GPU_HIP)
    case hipErrorECCNotCorrectable:
#else
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchTimeout:
    case cudaErrorDevicesUnavailable:
#endif
      return true;
    default: return false;
  }
}

inline std::string text(Status status) {
  std::string said = SUITE_GPU_NAME(GetErrorName)(status);
  const std::string meaning = SUITE_GPU_NAME(GetErrorString)(status);
  if (meaning != said) said += ": " + meaning;
  if (lost(status)) said += "; the device is lost to this process, which must be started again";
  return said;
}

// Throws with the runtime's own name and text of the error.
inline void check(Status status, const char* what) {
  if (status == SUITE_GPU_NAME(Success)) return;
  // The runtime keeps the last error until it is read; it has been reported now.
  static_cast<void>(SUITE_GPU_NAME(GetLastError)());
  throw Failure(status == SUITE_GPU_NAME(ErrorMemoryAllocation) ? SUITE_OUT_OF_MEMORY : SUITE_DEVICE_ERROR,
                std::string(what) + ": " + text(status));
}

}  // namespace suite::gpu
