// SPDX-License-Identifier: BSD-3-Clause
// Every OpenCL kernel of the family gpp under an interpreter.
#include "tiny.hpp"

namespace {

using tiny::Shape;

bool sigma_agrees(const suite::Device& device, const std::string& size, const char* variant, const char* precision, Shape shape) {
  return tiny::agrees(device, "gpp.sigma", size, {{"variant", variant}, {"precision", precision}}, shape,
                      std::string(precision) == "mixed" ? 1e-6 : 1e-11);
}

bool sigma(const suite::Device& device, Shape shape) {
  const std::string base = "ntband=9,ngpown=3,ncouls=11,nvband=2,static=1,band_resolved=1,infinite=0.2,zero=0.1,padding=1";
  bool right = true;
  for (const char* more :
       {",nw=1,nex=2", ",nw=2,nex=1,flavour=real", ",nw=3,nex=1", ",nw=3,nex=1,flavour=real,offdiagonal=1", ",nw=2,nex=1,mode=1"})
    right = sigma_agrees(device, base + more, "best", "double", shape) && right;
  right = sigma_agrees(device, base + ",nw=3,nex=1", "best", "mixed", shape) && right;
  return sigma_agrees(device, base + ",nw=2,nex=1", "best", "mixed", shape) && right;
}

// Moments of the poles, and static CH beside them; results of single bands.
bool many_energies(const suite::Device& device, Shape shape) {
  const std::string base = "ntband=6,ngpown=3,ncouls=11,nvband=2,infinite=0.2,zero=0.1,padding=1,nw=7";
  bool right = true;
  for (const char* more : {",static=1,nex=2", ",flavour=real,band_resolved=1,offdiagonal=1"})
    right = tiny::agrees(device, "gpp.sigma", base + more, {{"energies", "interpolated"}}, shape, 1e-8) && right;
  return right;
}

// More rows than a block of A has, several panels of external bands and tiles of columns, both ways to go
// through them.
bool offdiag(const suite::Device& device, Shape shape) {
  const std::string base = "ntband=3,ngpown=5,ncouls=35,nvband=1,nex=3,infinite=0.2,zero=0.1,padding=1";
  bool right = true;
  for (const char* more : {",nw=2", ",nw=1,flavour=real", ",nw=1,mode=1", ",nw=1,mode=1,flavour=real"})
    right = tiny::agrees(device, "gpp.sigma_offdiag", base + more, {}, shape) && right;
  return right;
}

}  // namespace

int main() {
  return tiny::run([](const suite::Device& device) {
    const Shape gpu{1, 4}, processor{4, 1};
    bool right = true;
    for (const Shape shape : {gpu, processor}) right = sigma(device, shape) && many_energies(device, shape) && right;
    for (const char* step : {"v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "fixed_length"})
      right = sigma_agrees(device, "ntband=5,ngpown=3,ncouls=11,nvband=2,nw=2", step, "double", processor) && right;
    for (const Shape shape : {gpu, Shape{1, 32}, processor, Shape{1, 1}}) right = offdiag(device, shape) && right;
    for (const char* size : {"ntband=3,ngpown=5,ncouls=35,nvband=1,infinite=0.2,zero=0.1,padding=1,nw=1,nex=19",
                             "ntband=2,ngpown=3,ncouls=259,nvband=1,nex=3,nw=1"})
      right = tiny::agrees(device, "gpp.sigma_offdiag", size, {}, processor) && right;
    return right;
  });
}
