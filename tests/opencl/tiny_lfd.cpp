// SPDX-License-Identifier: BSD-3-Clause
// Every OpenCL kernel of the family lfd under an interpreter.
#include "tiny.hpp"

int main() {
  return tiny::run([](const suite::Device& device) {
    const std::string all =
        "Nx=4,Ny=2,Nz=6,Norb=5,nsteps=2,field_steps=3,k=1,A=1,E=1,nonlocal=1,natom=2,nsphere=7,"
        "nproj=2,current=1";
    const std::string plain = "Nx=4,Ny=4,Nz=2,Norb=9,nsteps=2,field_steps=2";
    bool right = true;
    for (const tiny::Shape shape : {tiny::Shape{1, 4}, tiny::Shape{8, 1}}) {
      const auto check = [&](const char* name, const std::string& size, const tiny::Choices& choices = {}, double tolerance = 1e-11) {
        right = tiny::agrees(device, name, size, choices, shape, tolerance) && right;
      };
      for (const char* name : {"lfd.pot_prop", "lfd.set_prop", "lfd.periodic_bc", "lfd.compute_rho", "lfd.compute_vxc", "lfd.compute_v",
                               "lfd.nlp_prop", "lfd.calc_energy"})
        check(name, all);
      check("lfd.hpsi", "Nx=4,Ny=2,Nz=6,Norb=5,k=1,A=1,nonlocal=1,natom=2,nsphere=7,nproj=2,nspin=2,ghost=4,edge=mixed");
      check("lfd.hpsi", "Nx=3,Ny=2,Nz=5,Norb=3,slow=1,real=1,nonlocal=1,natom=1,nsphere=7,nproj=3", {{"axes", "xyz"}});
      for (const char* d : {"x", "y", "z"}) check("lfd.kin_prop", all, {{"d", d}, {"p", "full"}});
      for (const char* form : {"loop", "fused", "closed"}) check("lfd.field_prop", all, {{"variant", form}});
      for (const char* laplacian : {"differences", "isolated"}) check("lfd.spectral_field_solve", all, {{"laplacian", laplacian}});
      check("lfd.propagate", all, {{"gauge", "velocity"}});
      check("lfd.propagate", plain);
      check("lfd.propagate", plain + ",precision=single", {{"field", "fused"}}, 1e-4);
      for (const char* variant : {"original", "specialised", "reordered", "offloaded", "field_sync", "field_async"})
        check("lfd.propagate", all, {{"field", "loop"}, {"variant", variant}});
    }
    return right;
  });
}
