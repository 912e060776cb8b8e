// SPDX-License-Identifier: BSD-3-Clause
// Every OpenCL kernel of the family gw under an interpreter.
#include "tiny.hpp"

int main() {
  return tiny::run([](const suite::Device& device) {
    bool right = true;
    for (const tiny::Shape shape : {tiny::Shape{1, 4}, tiny::Shape{4, 1}}) {
      const auto check = [&](const char* name, const std::string& size, const tiny::Choices& choices = {}) {
        right = tiny::agrees(device, name, size, choices, shape) && right;
      };
      check("gw.mtxel", "ecutwfc=1.5,ecuts=1,ntband=5,nex=2,umklapp=1,phased=1");
      check("gw.mtxel", "ecutwfc=1.5,ecuts=1,ntband=3,nex=1,nspinor=2,conjugate=1,lattice=orthorhombic");
      check("gw.mtxel", "ecutwfc=1,ecuts=2,ntband=3,nex=2,flavour=real,far=1");
      for (const char* model : {"hybertsen_louie", "godby_needs", "static"})
        check("gw.screening", "ecuts=1.5,ngpown=5,padding=1,mode=1", {{"model", model}});
      check("gw.screening", "ecuts=1,zero_q=1,flavour=real,cut_density=1,mode=2");
      check("gw.chi", "ncouls=11,npair=5,nfreq=2,frequencies=complex");
      check("gw.chi", "ncouls=9,npair=3,ngpown=7,padding=1,frequencies=imaginary,left_out=0.3");
      check("gw.chi", "ncouls=10,npair=4,flavour=real,unlisted=1");
    }
    return right;
  });
}
