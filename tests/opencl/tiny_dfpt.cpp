// SPDX-License-Identifier: BSD-3-Clause
// Every OpenCL kernel of the family dfpt under an interpreter.
#include "tiny.hpp"

int main() {
  return tiny::run([](const suite::Device& device) {
    bool right = true;
    for (const tiny::Shape shape : {tiny::Shape{1, 4}, tiny::Shape{4, 1}}) {
      const auto check = [&](const char* name, const std::string& size, const tiny::Choices& choices = {}) {
        right = tiny::agrees(device, name, size, choices, shape) && right;
      };
      check("dfpt.basis", "natoms=2,points=5,nbatches=3,lbasis=2,nlog=60,nucleus=1,nempty=1,coarse=6");
      check("dfpt.multipoles", "natoms=2,points=9,nbatches=2,lmax=2,ndir=2,coarse=6");
      check("dfpt.poisson", "natoms=2,lmax=2,ndir=1,nlog=40,nknots=9,density=1,coarse=5");
      check("dfpt.response", "natoms=2,lbasis=1,nocc=3,ndir=2");
      check("dfpt.reciprocal", "natoms=2,points=6,nbatches=2,lmax=2,ndir=4,waves=2,coarse=6");
      const std::string few = "natoms=3,points=6,nbatches=3,nempty=1,coarse=6,";
      for (const char* variant : {"naive", "parallelism", "memory", "control_flow", "best"}) {
        check("dfpt.rho", few + "ndir=2", {{"variant", variant}});
        check("dfpt.h", few + "ndir=1,right=1", {{"variant", variant}});
        check("dfpt.sum_up", "natoms=3,points=5,nbatches=2,lmax=2,ndir=2,nknots=8,nucleus=1,coarse=6", {{"variant", variant}});
      }
      for (const char* variant : {"naive", "control_flow", "best"}) {
        check("dfpt.rho", few + "nocc=2,ndir=2", {{"variant", variant}});
        check("dfpt.h", few + "nocc=2,ndir=2,v=0", {{"variant", variant}});
      }
      check("dfpt.rho", few + "nocc=2,first=0,ndir=1");
    }
    return right;
  });
}
