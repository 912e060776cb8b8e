// SPDX-License-Identifier: BSD-3-Clause
// consumer [implementation [backend]]: runs gpp.sigma on generated data and compares it with the reference.
#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <vector>

#include <suite/suite.hpp>

std::vector<std::complex<double>> result(const std::string& implementation, const suite::Device& device) {
  suite::Kernel kernel("gpp.sigma", implementation, &device);
  kernel.generate("ncouls=33,ngpown=17,ntband=11,nw=3", 5);
  kernel.run();
  suite_array array = kernel.argument("achtemp");
  std::vector<std::complex<double>> achtemp(static_cast<size_t>(suite::count_of(array)));
  array.data = achtemp.data();
  array.place = SUITE_HOST;
  kernel.get("achtemp", array);
  return achtemp;
}

int main(int argc, char** argv) {
  const std::string implementation = argc > 1 ? argv[1] : "cpu", backend = argc > 2 ? argv[2] : "cpu";
  try {
    const suite::Device device(backend), cpu("cpu");
    const auto got = result(implementation, device), wanted = result("reference", cpu);
    double error = 0, size = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
      error = std::max(error, std::abs(got[i] - wanted[i]));
      size = std::max(size, std::abs(wanted[i]));
    }
    std::cout << "gpp.sigma ran on " << backend << " (" << implementation << "), relative distance " << error / size << '\n';
    if (!(error <= 1e-11 * size)) return 1;
    std::cout << "agrees with the reference\n";
  } catch (const suite::Failure& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
