// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <suite/gpu/host_device.hpp>

#define SUITE_QMC_DEVICE SUITE_HOST_DEVICE
