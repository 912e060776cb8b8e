/* SPDX-License-Identifier: BSD-3-Clause
 * The part of HIP that suite uses, on top of CUDA: with this folder first on the include path nvcc compiles HIP source,
 * which can then be run on an NVIDIA GPU. HIP's own headers for NVIDIA (5.2) do not compile with CUDA 13. */
#pragma once
#include <cuda_runtime.h>

#define __HIP_PLATFORM_NVIDIA__ 1
using hipError_t = cudaError_t;
using hipFuncAttributes = cudaFuncAttributes;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipGraph_t = cudaGraph_t;
using hipGraphExec_t = cudaGraphExec_t;
using hipDeviceProp_t = cudaDeviceProp;
using hipDeviceAttribute_t = cudaDeviceAttr;
using hipPointerAttribute_t = cudaPointerAttributes;
#define hipSuccess cudaSuccess
#define hipErrorNoDevice cudaErrorNoDevice
#define hipErrorMemoryAllocation cudaErrorMemoryAllocation
#define hipErrorIllegalAddress cudaErrorIllegalAddress
#define hipErrorLaunchFailure cudaErrorLaunchFailure
#define hipErrorECCNotCorrectable cudaErrorECCUncorrectable
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorNotReady cudaErrorNotReady
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipHostMallocDefault cudaHostAllocDefault
#define hipStreamNonBlocking cudaStreamNonBlocking
#define hipStreamCaptureModeRelaxed cudaStreamCaptureModeRelaxed
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize
#define hipMemoryTypeUnregistered cudaMemoryTypeUnregistered
#define hipMemoryTypeHost cudaMemoryTypeHost
#define hipMemoryTypeDevice cudaMemoryTypeDevice

inline const char* hipGetErrorString(hipError_t e) { return cudaGetErrorString(e); }
inline const char* hipGetErrorName(hipError_t e) { return cudaGetErrorName(e); }
template <class T> hipError_t hipMalloc(T** p, size_t bytes) { return cudaMalloc(reinterpret_cast<void**>(p), bytes); }
inline hipError_t hipHostMalloc(void** p, size_t bytes, unsigned flags) { return cudaHostAlloc(p, bytes, flags); }
inline hipError_t hipHostFree(void* p) { return cudaFreeHost(p); }

#define SUITE_HIP_ON_NVIDIA(name) \
  template <class... A> hipError_t hip##name(A... a) { return cuda##name(a...); }
SUITE_HIP_ON_NVIDIA(DeviceGetAttribute)
SUITE_HIP_ON_NVIDIA(DriverGetVersion)
SUITE_HIP_ON_NVIDIA(EventCreate)
SUITE_HIP_ON_NVIDIA(EventDestroy)
SUITE_HIP_ON_NVIDIA(EventElapsedTime)
SUITE_HIP_ON_NVIDIA(EventRecord)
SUITE_HIP_ON_NVIDIA(EventSynchronize)
SUITE_HIP_ON_NVIDIA(Free)
SUITE_HIP_ON_NVIDIA(FuncGetAttributes)
SUITE_HIP_ON_NVIDIA(FuncSetAttribute)
SUITE_HIP_ON_NVIDIA(GetDevice)
SUITE_HIP_ON_NVIDIA(GetDeviceCount)
SUITE_HIP_ON_NVIDIA(GetDeviceProperties)
SUITE_HIP_ON_NVIDIA(GetLastError)
SUITE_HIP_ON_NVIDIA(GraphDestroy)
SUITE_HIP_ON_NVIDIA(GraphExecDestroy)
SUITE_HIP_ON_NVIDIA(GraphInstantiateWithFlags)
SUITE_HIP_ON_NVIDIA(GraphLaunch)
SUITE_HIP_ON_NVIDIA(MemGetInfo)
SUITE_HIP_ON_NVIDIA(Memcpy)
SUITE_HIP_ON_NVIDIA(MemcpyAsync)
SUITE_HIP_ON_NVIDIA(MemsetAsync)
SUITE_HIP_ON_NVIDIA(OccupancyMaxActiveBlocksPerMultiprocessor)
SUITE_HIP_ON_NVIDIA(PointerGetAttributes)
SUITE_HIP_ON_NVIDIA(SetDevice)
SUITE_HIP_ON_NVIDIA(StreamBeginCapture)
SUITE_HIP_ON_NVIDIA(StreamCreateWithFlags)
SUITE_HIP_ON_NVIDIA(StreamDestroy)
SUITE_HIP_ON_NVIDIA(StreamEndCapture)
SUITE_HIP_ON_NVIDIA(StreamGetDevice)
SUITE_HIP_ON_NVIDIA(StreamSynchronize)
#undef SUITE_HIP_ON_NVIDIA
