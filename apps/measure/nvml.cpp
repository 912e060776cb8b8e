// SPDX-License-Identifier: BSD-3-Clause
// The functions of NVIDIA's management library (NVML) for energy, loaded from the driver's libnvidia-ml.so.1.
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sstream>

#include <fmt/core.h>

#include <suite/plugin.hpp>

#include "energy.hpp"

namespace suite::app {
namespace {

using Gpu = void*;

struct Library {
  int (*init)();
  int (*count)(unsigned*);
  int (*by_index)(unsigned, Gpu*);
  int (*by_uuid)(const char*, Gpu*);
  int (*energy)(Gpu, unsigned long long*);  // mJ since the driver was loaded
  const char* (*text)(int);

  void check(int code, const char* what) const {
    if (code != 0) throw Failure(SUITE_UNSUPPORTED, std::string(what) + ": " + text(code));
  }
};

template <class T> void look_up(void* library, const char* name, T& function) {
  function = reinterpret_cast<T>(dlsym(library, name));
  if (!function) throw Failure(SUITE_UNSUPPORTED, std::string("libnvidia-ml.so.1 has no function ") + name);
}

Library open_library() {
  void* handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw Failure(SUITE_NOT_FOUND, "libnvidia-ml.so.1 of NVIDIA's driver cannot be loaded");
  Library library;
  look_up(handle, "nvmlErrorString", library.text);
  look_up(handle, "nvmlInit_v2", library.init);
  look_up(handle, "nvmlDeviceGetCount_v2", library.count);
  look_up(handle, "nvmlDeviceGetHandleByIndex_v2", library.by_index);
  look_up(handle, "nvmlDeviceGetHandleByUUID", library.by_uuid);
  look_up(handle, "nvmlDeviceGetTotalEnergyConsumption", library.energy);
  library.check(library.init(), "nvmlInit");
  return library;
}

// The n-th device named by CUDA_VISIBLE_DEVICES; "" if it is not set.
std::string visible(int device) {
  const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
  std::istringstream stream(list ? list : "");
  std::string entry;
  for (int i = 0; i <= device; ++i)
    if (!std::getline(stream, entry, ',')) return "";
  return entry;
}

// NVML numbers GPUs in bus order, CUDA by speed unless configured otherwise.
Gpu find_gpu(const Library& library, int device) {
  Gpu gpu = nullptr;
  const std::string named = visible(device);
  if (named.rfind("GPU-", 0) == 0) {
    library.check(library.by_uuid(named.c_str(), &gpu), "nvmlDeviceGetHandleByUUID");
    return gpu;
  }
  unsigned count = 0;
  library.check(library.count(&count), "nvmlDeviceGetCount");
  const char* order = std::getenv("CUDA_DEVICE_ORDER");
  if (count > 1 && !(order && !std::strcmp(order, "PCI_BUS_ID")))
    throw Failure(
        SUITE_UNSUPPORTED,
        fmt::format("cannot determine which of the {} GPUs is cuda:{}; CUDA_DEVICE_ORDER=PCI_BUS_ID makes CUDA number them like the driver",
                    count, device));
  const bool number = !named.empty() && named.find_first_not_of("0123456789") == std::string::npos;
  if (!named.empty() && !number)
    throw Failure(SUITE_UNSUPPORTED, "the energy of '" + named + "' in CUDA_VISIBLE_DEVICES is not counted separately");
  const unsigned index = count == 1 ? 0 : static_cast<unsigned>(number ? std::atoi(named.c_str()) : device);
  library.check(library.by_index(index, &gpu), "nvmlDeviceGetHandleByIndex");
  return gpu;
}

class Nvml : public EnergyCounter {
public:
  explicit Nvml(int device) : library_(open_library()), gpu_(find_gpu(library_, device)) {
    library_.check(library_.energy(gpu_, &first_mJ_), "nvmlDeviceGetTotalEnergyConsumption");
  }
  // The driver updates its value about every 20 to 100 ms; NVML does not report the interval.
  double step_s() const override { return 0.1; }
  EnergyReading read() override {
    unsigned long long now_mJ = 0;
    const bool known = library_.energy(gpu_, &now_mJ) == 0 && now_mJ >= first_mJ_;
    if (!known || !known_) ++gaps_;  // the energy since a failed reading is unknown too
    known_ = known;
    return {known ? 1e-3 * static_cast<double>(now_mJ - first_mJ_) : 0, gaps_};
  }

private:
  Library library_;
  Gpu gpu_;
  unsigned long long first_mJ_ = 0;
  bool known_ = true;
  int gaps_ = 0;
};

}  // namespace

std::unique_ptr<EnergyCounter> open_nvml(int cuda_device) { return std::make_unique<Nvml>(cuda_device); }

}  // namespace suite::app
