// SPDX-License-Identifier: BSD-3-Clause
// Every OpenCL kernel of the family lfd, at a size that an interpreter manages, in the shape of a GPU (groups
// of several work-items, one number each) and of a processor (vectors), and compared with the reference.
// tests/opencl/oclgrind.cmake runs it.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <suite/suite.hpp>

namespace {

// All results of a call, one after the other, as real numbers.
std::vector<double> results(suite::Kernel& kernel) {
  std::vector<double> all;
  for (uint32_t i = 0; i < kernel.table().argument_count; ++i) {
    const suite_argument& argument = kernel.table().arguments[i];
    suite_array array = kernel.argument(argument.name);
    if (!(argument.intent & SUITE_OUT) || array.rank < 0) continue;
    std::vector<char> bytes(static_cast<size_t>(suite::count_of(array)) * suite_type_size(array.type));
    array.data = bytes.data();
    array.place = SUITE_HOST;
    kernel.get(argument.name, array);
    const auto append = [&](const auto* numbers) {
      all.insert(all.end(), numbers, numbers + bytes.size() / sizeof *numbers);
    };
    if (array.type == SUITE_REAL32 || array.type == SUITE_COMPLEX64)
      append(reinterpret_cast<const float*>(bytes.data()));
    else
      append(reinterpret_cast<const double*>(bytes.data()));
  }
  return all;
}

struct Shape {
  int vector, local;
};

using Choices = std::vector<std::pair<const char*, const char*>>;

bool agrees(const suite::Device& device, const std::string& name, const std::string& size,
            const Choices& choices, const char* variant, Shape shape) {
  suite::Kernel reference(name, "reference"), tried(name, "opencl", &device);
  for (suite::Kernel* kernel : {&reference, &tried})
    for (const auto& [parameter, choice] : choices) kernel->choose(parameter, choice);
  if (variant) tried.choose("variant", variant);
  tried.set_parameter("vector", shape.vector);
  tried.set_parameter("local", shape.local);
  for (suite::Kernel* kernel : {&reference, &tried}) {
    kernel->generate(size, 7);
    kernel->run();
  }
  const std::vector<double> truth = results(reference), answer = results(tried);
  double largest = 0, worst = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    largest = std::max(largest, std::abs(truth[i]));
    const double difference = std::abs(answer[i] - truth[i]);
    if (!(difference <= worst)) worst = difference;
  }
  const bool right = worst <= (size.find("single") == size.npos ? 1e-11 : 1e-4) * largest;
  std::string what = name + (variant ? std::string(" ") + variant : "");
  for (const auto& choice : choices) what += std::string(" ") + choice.second;
  std::printf("%s %s vector %d local %d  %s: relative %.1e\n", right ? "ok   " : "WRONG", what.c_str(),
              shape.vector, shape.local, size.c_str(), worst / largest);
  return right;
}

}  // namespace

int main() {
  try {
    const suite::Device device("opencl");
    std::printf("device: %s\n", device.describe().c_str());
    const std::string all =
        "Nx=4,Ny=2,Nz=6,Norb=5,nsteps=2,field_steps=3,k=1,A=1,E=1,nonlocal=1,natom=2,nsphere=7,"
        "nproj=2,current=1";
    const std::string plain = "Nx=4,Ny=4,Nz=2,Norb=9,nsteps=2,field_steps=2";
    bool right = true;
    for (const Shape shape : {Shape{1, 4}, Shape{8, 1}}) {
      const auto check = [&](const char* name, const std::string& size, const Choices& choices = {},
                             const char* variant = nullptr) {
        right = agrees(device, name, size, choices, variant, shape) && right;
      };
      for (const char* name : {"lfd.pot_prop", "lfd.set_prop", "lfd.periodic_bc", "lfd.compute_rho",
                               "lfd.compute_vxc", "lfd.compute_v", "lfd.nlp_prop", "lfd.calc_energy"})
        check(name, all);
      for (const char* d : {"x", "y", "z"}) check("lfd.kin_prop", all, {{"d", d}, {"p", "full"}});
      for (const char* form : {"loop", "fused", "closed"}) check("lfd.field_prop", all, {}, form);
      for (const char* laplacian : {"differences", "isolated"})
        check("lfd.spectral_field_solve", all, {{"laplacian", laplacian}});
      check("lfd.propagate", all, {{"gauge", "velocity"}});
      check("lfd.propagate", plain);
      check("lfd.propagate", plain + ",precision=single", {{"field", "fused"}});
      for (const char* variant :
           {"original", "specialised", "reordered", "offloaded", "field_sync", "field_async"})
        check("lfd.propagate", all, {{"field", "loop"}}, variant);
    }
    return right ? 0 : 1;
  } catch (const suite::Failure& failure) {
    std::printf("failed: %s\n", failure.what());
    return 1;
  }
}
