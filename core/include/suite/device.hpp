// SPDX-License-Identifier: BSD-3-Clause
// suite/device.hpp - what the host side of a kernel on a device needs, the same for CUDA, HIP, the emulation and OpenCL. A family writes it
// once, in device/<kernel>.cpp, which is compiled by the C++ compiler into each of its device plugins:
//
//   Queue(backend, queue, knobs, kernel)  select(), wait(), download(); lanes(): numbers of a work-item's vector, 1 on a GPU;
//                                         in_flight(items, most): how many work-items of a launch have memory of their own
//   Buffer<T>(queue, what)                memory of the device that grows: set(vector), at_least(count), count()
//                                         knobs: what the call has for those that parameters() adds, behind the kernel's own
//   parameters(own...)                    a kernel's parameters; OpenCL adds the knobs of its queue
//   Count                                 an extent, as device code counts it; queue.check_extent, check_count refuse what is too much
//   Kernel<P...>                          a kernel of gpu/<kernel>.cu or of opencl/<kernel>.cl with these parameters
//   launch(queue, kernel, items, arguments...)
//
// Arguments of a launch are buffers, members of the call's struct, or numbers; the body makes pointers or cl_mem of them, in the order
// of the parameters. An argument that may be unset is given as or_null(c.density_spl) beside a number that says whether it is set:
// OpenCL's kernels get another buffer then. HostCopies (suite/host_copies.hpp) has arrays on the host. Since 0.1.
//
// On a GPU a Kernel is a function of the .cu that launches it: it makes the struct that device code takes of the flat list, and knows the
// shape of blocks. In OpenCL it is a name in a text; the shape is the engine's.
#pragma once

#include <suite/host_copies.hpp>

#if defined(SUITE_DEVICE_OPENCL)
#include <suite/device_opencl.hpp>
#else
#include <suite/device_gpu.hpp>
#endif
