// SPDX-License-Identifier: BSD-3-Clause
// Every OpenCL kernel of the family qmc under an interpreter.
#include "tiny.hpp"

int main() {
  return tiny::run([](const suite::Device& device) {
    bool right = true;
    for (const tiny::Shape shape : {tiny::Shape{1, 4}, tiny::Shape{4, 1}}) {
      const auto check = [&](const char* name, const std::string& size, const tiny::Choices& choices = {}, double tolerance = 1e-10) {
        right = tiny::agrees(device, name, size, choices, shape, tolerance) && right;
      };
      for (const char* lattice : {"sc", "fcc", "bcc", "triclinic"})
        check("qmc.closest_images", std::string("netot=5,nfrom=3,nto=6,nwalker=2,lattice=") + lattice);
      for (const char* variant : {"search", "relevant"})
        check("qmc.closest_images", "netot=5,nfrom=2,nto=5,lattice=fcc", {{"variant", variant}});
      check("qmc.ion_distances", "netot=3,nion=5,nwalker=2,lattice=bcc");
      check("qmc.ion_distances", "netot=3,nion=5,open=1");
      check("qmc.jastrow_chi", "nup=3,ndn=2,nwalker=2,nion=4,nspin=2,derivatives=1,at_ion=1,rs=2,lattice=fcc");
      check("qmc.jastrow_chi", "nup=3,ndn=2,nion=4,one=1,npos=2,rs=2,cusp=1,open=1");
      check("qmc.jastrow_f", "nup=4,ndn=2,nwalker=2,nion=4,nf_en=3,nf_ee=3,derivatives=1,at_ion=1,rs=2,lattice=fcc");
      check("qmc.jastrow_f", "nup=3,ndn=2,nion=3,nset_f=3,one=1,npos=2,rs=2,open=1");
      check("qmc.orbitals_gaussian", "nion=2,zeta=4,norb=3,npos=3,at_ion=1");
      check("qmc.orbitals_gaussian", "nion=2,zeta=1,norb=2,npos=5,gradient=0,cutoff=2");
      check("qmc.orbitals_slater", "nion=2,zeta=4,norb=3,npos=3,at_ion=1");
      check("qmc.orbitals_slater", "nion=2,zeta=1,norb=2,npos=5,gradient=0,cutoff=2");
      check("qmc.pseudopotential", "nup=3,ndn=2,nwalker=2,nion=4,lmax=4,npoint=6,lattice=fcc");
      check("qmc.pseudopotential", "nup=3,ndn=2,nwalker=2,nion=5,cutoff=0.3,mpair=4,one=1,open=1");
      for (const char* form : {"polynomial", "bspline"})
        check("qmc.jastrow_u", "nup=3,ndn=2,nwalker=2,derivatives=1,nalpha=5", {{"form", form}});
      for (const char* variant : {"pair", "split_loops", "best"}) {
        check("qmc.jastrow_p", "nup=3,ndn=2,nwalker=2,ngvec=5,derivatives=1", {{"variant", variant}});
        check("qmc.ewald", "nup=2,ndn=1,nwalker=2,field=1,ewald_tolerance=1e-6", {{"variant", variant}}, 1e-5);
      }
      check("qmc.ewald", "nup=2,ndn=1,energy=0,ewald_tolerance=1e-6", {}, 1e-5);
      check("qmc.structure_factor", "nup=3,ndn=2,nwalker=2,ngvec=5");
      check("qmc.structure_factor", "nup=3,ndn=2,nwalker=2,ngvec=5,one=1,accept=1");
      check("qmc.orbitals_free", "netot=8,norb=6,npos=2");
      check("qmc.orbitals_blip", "norb=5,Nx=4,Ny=4,Nz=4,npos=2");
      check("qmc.slater_ratio", "nup=5,one=1,npos=2,kmax=3,waiting=2");
      check("qmc.slater_update", "nup=5,nwalker=2,nupdate=4,kmax=3,waiting=1");
      for (const char* variant : {"sherman_morrison", "delayed"}) check("qmc.slater_update", "nup=5,nupdate=3", {{"variant", variant}});
      check("qmc.slater_invert", "nup=5,nwalker=2");
      for (const char* move : {"metropolis", "langevin"})
        check("qmc.sweep", "nup=3,ndn=2,nwalker=2,ngvec=5,nsweep=2,nalpha=5", {{"move", move}});
      check("qmc.sweep", "nup=3,ndn=0,u=0,p=0", {{"form", "polynomial"}});
      check("qmc.local_energy", "nup=2,ndn=1,ngvec=3,ewald_tolerance=1e-6", {}, 1e-5);
      check("qmc.branch", "nup=2,ndn=1,nwalker=3,nslot=4");
    }
    return right;
  });
}
