// SPDX-License-Identifier: BSD-3-Clause
// suite/device.hpp - one host-side interface for kernels on devices (CUDA, HIP, the emulation, OpenCL). A family writes its host code
// once, in device/<kernel>.cpp, which the C++ compiler compiles into each of its device plugins:
//
//   Queue(backend, queue, knobs, kernel)  select(), wait(), download(); lanes(): numbers of a work-item's vector, 1 on a GPU;
//                                         in_flight(items, most): how many work-items of a launch have memory of their own
//   Buffer<T>(queue, what)                memory of the device that grows: set(vector), at_least(count), count(), first()
//                                         knobs: the values of those that parameters() adds, after the kernel's own
//   parameters(own...)                    a kernel's parameters; OpenCL adds the knobs of its queue
//   Count                                 an extent in the integer type of device code; queue.check_extent, check_count refuse larger values
//   Kernel<P...>                          a kernel of gpu/<kernel>.cu or of opencl/<kernel>.cl with these parameters
//   launch(queue, kernel, items, arguments...)
//
// Arguments of a launch are buffers, members of the call's struct, or numbers; the backend turns them into pointers or cl_mem, in the order
// of the parameters. An argument that may be unset is given as or_null(c.density_spl) beside a number that says whether it is set:
// OpenCL kernels then get a dummy buffer. HostCopies (suite/host_copies.hpp) has arrays on the host. Since 0.1.
//
// On a GPU a Kernel is a function of the .cu that launches it: it makes the struct that device code takes of the flat list, and knows the
// shape of blocks. In OpenCL it is a name in a text; the engine determines the shape.
#pragma once

#include <suite/host_copies.hpp>

#if defined(SUITE_DEVICE_OPENCL)
#include <suite/device_opencl.hpp>
#else
#include <suite/device_gpu.hpp>
#endif
