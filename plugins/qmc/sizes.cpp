// SPDX-License-Identifier: BSD-3-Clause
#include "sizes.hpp"

#include <suite/generate.hpp>

#include <algorithm>

#include "qmc.hpp"

namespace suite::qmc {
namespace {

using generate::Catalogue, generate::IntegerKey, generate::Keys, generate::Named, generate::RealKey, generate::WordKey;

// heg678 is the case of the source document: 678 electrons in an fcc cell, 84 G vectors (10 stars).
constexpr const char *small = "nup=7,ndn=7,nwalker=3,gradient=1,derivatives=1,field=1,nsweep=2",
                     *heg54 = "nup=27,ndn=27,nwalker=4,rs=1,ngvec=28,nalpha=9,nto=54,nfrom=54",
                     *heg678 =
                         "lattice=fcc,nup=339,ndn=339,rs=1,ngvec=84,nalpha=9,nto=678,nfrom=678,nupdate=32,"
                         "kmax=32,ordered=1,Nx=24,Ny=24,Nz=24";

struct KernelSizes {
  std::string_view kernel;
  const char* standard;
  std::span<const char* const> tests;
};

// Corners first: one electron, one spin, no cubic lattice, one electron or all, each optional argument set
// and unset, more and fewer electrons than a vector holds.
constexpr const char* images[] = {
    "netot=2,nfrom=1,nto=1",
    "lattice=fcc,netot=14,nwalker=2,nfrom=3,nto=19",
    "lattice=bcc,netot=14,nwalker=3,nfrom=7,nto=8",
    "lattice=triclinic,netot=5,nwalker=2,nfrom=9,nto=17",
    "lattice=turned,netot=14,nwalker=1,nfrom=11,nto=33",
    "lattice=sc,netot=38,nwalker=2,nfrom=16,nto=65",
};
constexpr const char* ion_distances[] = {
    "nion=1,netot=1,open=1",
    "nion=3,netot=5,nwalker=2,open=1",
    "nion=2,netot=7,lattice=fcc,nwalker=2",
    "nion=9,netot=4,lattice=bcc,nwalker=3",
    "nion=17,netot=3,lattice=triclinic,nwalker=2",
    "nion=33,netot=6,lattice=turned",
    "nion=5,netot=4,npos=2,nwalker=3",
};
constexpr const char* ewald[] = {
    "nup=1,ndn=0,total=1,energy=1,field=1",
    "nup=1,ndn=1,nwalker=2,lattice=fcc,total=1,energy=0",
    "netot=5,nwalker=2,lattice=triclinic,ions=1,field=1,rs=2",
    "netot=14,nwalker=3,lattice=sc,rs=1",
    "netot=9,nwalker=2,lattice=bcc,one=1,npos=3,field=1,ions=1",
    "netot=17,nwalker=1,lattice=turned,one=1,energy=0,field=1,ions=1",
    "netot=8,nwalker=2,lattice=fcc,energy=0,total=0,field=1,ewald_alpha=4,ewald_tolerance=1e-13",
    "netot=10,nwalker=1,lattice=sc,ewald_alpha=2.2,rs=3",
    "netot=11,nwalker=1,lattice=fcc,one=1,rhok=1",
    "netot=9,nwalker=2,lattice=triclinic,one=1,npos=2,rhok=1,ions=1,ewald_alpha=4",
    "netot=13,nwalker=2,lattice=bcc,rhok=1,field=1,ewald_tolerance=1e-13,ewald_alpha=3",
    "netot=21,nwalker=3,lattice=turned,one=1,npos=5,rhok=1,field=1,ewald_alpha=4",
    "nup=1,ndn=0,one=1,rhok=1,ewald_alpha=3",
};
constexpr const char* jastrow_u[] = {
    "nup=1,ndn=0,nset_u=1,gradient=0",
    "nup=1,ndn=1,nset_u=3,nwalker=2,nalpha=4,truncation=2,derivatives=1",
    "netot=14,nwalker=3,derivatives=1",
    "nup=5,ndn=3,lattice=triclinic,nset_u=3,one=1,npos=4,nwalker=2,derivatives=1",
    "nup=12,ndn=0,lattice=fcc,one=1,nwalker=2,truncation=3,gradient=0",
    "nup=9,ndn=8,lattice=bcc,nset_u=1,nalpha=9,rs=1,nwalker=2",
    "nup=19,ndn=14,lattice=turned,nset_u=2,one=1,npos=1,nwalker=1,truncation=2",
};
constexpr const char* jastrow_chi[] = {
    "nup=1,ndn=0,nion=1,nset=1,nbeta=1,gradient=0,open=1",
    "nup=1,ndn=1,nwalker=2,nion=2,nset=1,nspin=2,truncation=2,derivatives=1,cusp=1,open=1,rs=2",
    "netot=14,nwalker=3,nion=6,derivatives=1,rs=1",
    "nup=1,ndn=7,lattice=triclinic,nion=9,nset=3,nspin=2,one=1,npos=4,nwalker=2,derivatives=1,rs=2,at_ion=1",
    "nup=12,ndn=0,lattice=fcc,nion=5,one=1,nwalker=7,truncation=3,gradient=0,cusp=1,rs=1",
    "nup=9,ndn=8,lattice=bcc,nion=17,nset=2,nspin=2,nbeta=9,rs=1,nwalker=2,cusp=1",
    "nup=19,ndn=14,lattice=turned,nion=33,nset=2,one=1,npos=1,nwalker=1,truncation=2,rs=1",
    "nup=6,ndn=5,nion=12,nset=4,nspin=2,nbeta=3,nwalker=2,derivatives=1,rs=1,open=1,at_ion=1",
};
// Cutoffs of open space overlap; of at_ion every electron in turn is on an ion, exactly at a cutoff, on top of another electron, or
// anywhere.
constexpr const char* jastrow_f[] = {
    "nup=1,ndn=0,nion=1,nset=1,open=1",
    "nup=1,ndn=1,nwalker=2,nion=2,nset=1,nf_en=1,nf_ee=1,nset_f=1,gradient=0,open=1,rs=2",
    "nup=5,ndn=5,nwalker=3,nion=3,nset_f=2,derivatives=1,rs=1,open=1",
    "nup=3,ndn=4,nwalker=2,lattice=triclinic,nion=6,nset=3,nset_f=3,nf_en=5,nf_ee=3,truncation=2,derivatives=1,rs=2,at_ion=1",
    "nup=6,ndn=5,lattice=fcc,nion=5,one=1,npos=3,nwalker=5,nf_en=3,nf_ee=2,rs=1,derivatives=1",
    "nup=7,ndn=2,nion=12,nset=4,nset_f=3,nwalker=2,derivatives=1,rs=1,open=1,at_ion=1",
    "nup=33,ndn=33,lattice=turned,nion=9,nset_f=1,nf_en=6,nf_ee=5,rs=1",
    "nup=9,ndn=17,lattice=bcc,nion=4,one=1,npos=13,nwalker=2,gradient=0,rs=2,truncation=2",
    "nup=4,ndn=0,lattice=sc,nion=3,one=1,npos=2,nset_f=3,nwalker=2,cutoff=0.01",
};
constexpr const char* jastrow_p[] = {
    "nup=2,ndn=0,ngvec=1,gradient=0",
    "nup=1,ndn=1,nset_p=3,nwalker=2,ngvec=3,derivatives=1,signs=1",
    "netot=14,nwalker=3,rhok=1,derivatives=1",
    "nup=5,ndn=3,lattice=triclinic,nset_p=3,one=1,npos=4,nwalker=2,rhok=1,derivatives=1",
    "nup=12,ndn=0,lattice=fcc,one=1,nwalker=2,ngvec=29,gradient=0",
    "nup=9,ndn=8,lattice=bcc,nset_p=2,ngvec=27,nwalker=2,signs=1",
    "nup=6,ndn=7,lattice=turned,nset_p=2,one=1,npos=2,nwalker=1,rhok=1,ngvec=84,signs=1",
};
constexpr const char* structure_factor[] = {
    "nup=1,ndn=0,ngvec=1",
    "nup=3,ndn=2,ngvec=13,lattice=triclinic,nwalker=2,signs=1",
    "netot=14,nwalker=3,one=1",
    "nup=5,ndn=9,nwalker=4,one=1,accept=1,lattice=fcc,ngvec=29",
    "netot=33,nwalker=2,lattice=turned,ngvec=84,signs=1",
    "netot=9,nwalker=2,charge=1,ions=1,lattice=bcc,ngvec=27",
    "netot=12,nwalker=3,one=1,charge=1,ions=1,accept=1,lattice=triclinic,ngvec=40",
};
constexpr const char* orbitals_free[] = {
    "nup=1,ndn=0,norb=1",
    "netot=4,norb=2,gradient=0,nwalker=2",
    "netot=14,nwalker=3",
    "netot=38,lattice=fcc,nwalker=2,npos=3",
    "netot=14,lattice=triclinic,norb=4,npos=9",
    "netot=66,lattice=turned,nwalker=1,npos=5,signs=1",
};
constexpr const char* orbitals_blip[] = {
    "Nx=4,Ny=4,Nz=4,norb=1,npos=3",
    "norb=5,nwalker=2,npos=4,lattice=triclinic",
    "norb=8,Nx=7,Ny=4,Nz=9,nwalker=3,npos=5",
    "norb=3,gradient=0,npos=6,lattice=fcc",
    "norb=17,lattice=triclinic,npos=7,precision=single",
    "norb=33,Nx=10,Ny=12,Nz=5,npos=3,nwalker=2,lattice=turned,precision=single,gradient=0",
};
constexpr const char* orbitals_of_shells[] = {
    "nion=1,zeta=0,norb=1,npos=1",
    "nion=1,zeta=4,norb=3,npos=5,nwalker=2",
    "nion=5,zeta=4,norb=5,npos=10,nwalker=3,at_ion=1",
    "nion=2,zeta=1,norb=2,npos=9,gradient=0,at_ion=1",
    "nion=4,zeta=3,norb=17,npos=3,nwalker=7,cutoff=3",
    "nion=3,zeta=2,norb=34,npos=1,nwalker=2,gradient=0,cutoff=1.5",
    "nion=27,zeta=2,norb=9,npos=4,nwalker=2",
    "nion=20,zeta=3,norb=6,npos=17",
};
constexpr const char* pseudopotential[] = {
    "nup=1,ndn=0,nion=1,nset=1,lmax=0,npoint=6,turn=0,open=1",
    "nup=3,ndn=2,nwalker=3,nion=3,npoint=12,open=1",
    "nup=7,ndn=6,nwalker=2,nion=7,nset=2,lmax=4,npoint=50,lattice=fcc",
    "nup=4,ndn=3,nwalker=5,nion=9,nset=3,npoint=26,one=1,lattice=triclinic",
    "nup=4,ndn=3,nwalker=5,nion=4,npoint=18,lattice=bcc,ratio=0",
    "nup=9,ndn=9,nwalker=2,nion=6,nset=2,lmax=3,npoint=12,open=1,at_ion=1,rs=2",
    "nup=2,ndn=1,nwalker=4,nion=11,cutoff=0.02,npoint=12,mpair=3,lattice=turned",
    "nup=10,ndn=10,nwalker=2,nion=33,cutoff=0.4,npoint=6,mpair=17,lmax=1,lattice=turned",
    "nup=5,ndn=4,nion=8,npoint=12,open=1,at_ion=1,signs=1,turn=0,lmax=2",
    "nup=5,ndn=4,nwalker=3,nion=4,npoint=12,one=1,ratio=0",
};
constexpr const char* slater_ratio[] = {
    "nup=1,one=1,gradient=0",
    "nup=5,nwalker=2,gradient=1",
    "nup=7,nwalker=3,one=1,npos=4,kmax=4,waiting=3",
    "nup=19,nwalker=2,kmax=8,waiting=4",
    "nup=33,one=1,npos=2,gradient=0,kmax=5,waiting=5",
    "nup=9,nwalker=2,one=1,kmax=3,waiting=0,lattice=triclinic",
};
constexpr const char* slater_update[] = {
    "nup=1,nupdate=1",
    "nup=5,nwalker=2,nupdate=4,gradient=0",
    "nup=7,nwalker=3,nupdate=5,kmax=4,waiting=2",
    "nup=19,nwalker=2,nupdate=19,ordered=1,kmax=8,waiting=0",
    "nup=9,nwalker=3,flush=1,kmax=6,waiting=4,gradient=0",
    "nup=33,nupdate=33,ordered=1,nwalker=2,lattice=fcc",
    "nup=12,nwalker=2,nupdate=3,kmax=7,waiting=3,lattice=triclinic",
    "nup=4,nwalker=2,nupdate=6,kmax=1",
};
constexpr const char* slater_invert[] = {
    "nup=1,gradient=0", "nup=2,nwalker=3", "nup=7,nwalker=2", "nup=19,nwalker=2,lattice=fcc", "nup=33",
};
constexpr const char* sweep[] = {
    "nup=1,ndn=0,u=0,p=0,gradient=0",
    "nup=1,ndn=1,nwalker=2,p=0,nset_u=3,truncation=2",
    "netot=14,nwalker=3,nsweep=2",
    "nup=5,ndn=2,nwalker=3,lattice=triclinic,nset_p=3,ngvec=13,nsweep=3,alimit=0.25,rs=1,signs=1",
    "nup=9,ndn=0,nwalker=2,lattice=fcc,u=0,ngvec=7,nsweep=4",
    "nup=6,ndn=5,nwalker=4,lattice=bcc,nset_p=2,nset_u=1,ngvec=9,rs=1.5",
    "nup=7,ndn=19,nwalker=1,lattice=bcc,nset_p=2,ngvec=9,tau=0.5,gradient=0",
    "nup=49,ndn=27,nwalker=1,lattice=fcc,ngvec=29,nsweep=2,rs=1",
};
constexpr const char* local_energy[] = {
    "nup=1,ndn=0,u=0,p=0,gradient=0",
    "nup=1,ndn=1,nwalker=2,p=0,nset_u=3,truncation=2",
    "netot=14,nwalker=2",
    "nup=5,ndn=2,nwalker=3,lattice=triclinic,nset_p=3,ngvec=13,rs=1,ewald_alpha=4,signs=1",
    "nup=9,ndn=0,nwalker=2,lattice=fcc,u=0,ngvec=7,ewald_tolerance=1e-13",
    "nup=6,ndn=5,nwalker=4,lattice=bcc,nset_p=2,nset_u=1,ngvec=9,rs=1.5",
    "nup=7,ndn=9,nwalker=1,lattice=turned,nset_p=2,ngvec=9,gradient=0",
};
constexpr const char* branch[] = {
    "nup=1,ndn=0,nwalker=1,ncarry=0",
    "nup=3,ndn=2,nwalker=4,nslot=7",
    "nup=7,ndn=7,nwalker=5",
    "nup=2,ndn=0,nwalker=3,nslot=4,ncarry=1",
    "nup=40,ndn=37,nwalker=19,nslot=21,ncarry=300",
};

constexpr KernelSizes all[] = {
    {ClosestImages::name, "lattice=fcc,nup=339,ndn=339,nfrom=678,nto=678,nwalker=4", images},
    {IonDistances::name, "lattice=fcc,nion=64,netot=256,nwalker=64", ion_distances},
    {Ewald::name, "lattice=fcc,nup=113,ndn=113,rs=1", ewald},
    {JastrowU::name, "lattice=fcc,nup=339,ndn=339,rs=1,nalpha=9,nwalker=4", jastrow_u},
    {JastrowChi::name, "lattice=fcc,nup=128,ndn=128,rs=1.3,nion=64,nset=2,nspin=2,nbeta=9,nwalker=64", jastrow_chi},
    {JastrowF::name, "nup=33,ndn=33,rs=1,nion=16,open=1,nwalker=64", jastrow_f},
    {JastrowP::name, "lattice=fcc,nup=113,ndn=113,rs=1,ngvec=84", jastrow_p},
    {StructureFactor::name, "lattice=fcc,nup=339,ndn=339,rs=1,ngvec=84,nwalker=16", structure_factor},
    {OrbitalsFree::name, "lattice=fcc,nup=339,ndn=339,rs=1,nwalker=4", orbitals_free},
    {OrbitalsBlip::name, "norb=339,Nx=24,Ny=24,Nz=24,npos=64,nwalker=4", orbitals_blip},
    {OrbitalsGaussian::name, "nion=5,zeta=3,norb=5,npos=10,nwalker=1000", orbitals_of_shells},
    {OrbitalsSlater::name, "nion=5,zeta=3,norb=5,npos=10,nwalker=1000", orbitals_of_shells},
    {Pseudopotential::name, "lattice=fcc,nup=128,ndn=128,rs=1.3,nion=64,nset=2,cutoff=0.4,mpair=16,nwalker=16", pseudopotential},
    {SlaterRatio::name, "lattice=fcc,nup=339,ndn=339,rs=1,one=1,npos=1,nwalker=4", slater_ratio},
    {SlaterUpdate::name, "lattice=fcc,nup=339,ndn=339,rs=1,ordered=1,nupdate=64,nwalker=2", slater_update},
    {SlaterInvert::name, "lattice=fcc,nup=113,ndn=113,rs=1,nwalker=8", slater_invert},
    {Sweep::name, "nup=27,ndn=27,rs=1,nalpha=9,nwalker=8", sweep},
    {LocalEnergy::name, "nup=27,ndn=27,rs=1,nalpha=9,nwalker=4", local_energy},
    {Branch::name, "nup=27,ndn=27,nwalker=256", branch},
};

constexpr const char* precisions[] = {"double", "single", nullptr};
constexpr IntegerKey<Size> integer_keys[] = {
    {"netot", &Size::both, 1, 1e5},
    {"nup", &Size::nup, 0, 1e5},
    {"ndn", &Size::ndn, 0, 1e5},
    {"nwalker", &Size::nwalker, 1, 1e6},
    {"npos", &Size::npos, 1, 1e6},
    {"one", &Size::one, 0, 1},
    {"nset_u", &Size::nset_u, 1, 3},
    {"nset_p", &Size::nset_p, 1, 3},
    {"nalpha", &Size::nalpha, 1, 100},
    {"truncation", &Size::truncation, 0, 3},
    {"ngvec", &Size::ngvec, 1, 1e5},
    {"u", &Size::u, 0, 1},
    {"p", &Size::p, 0, 1},
    {"rhok", &Size::rhok, 0, 1},
    {"energy", &Size::energy, 0, 1},
    {"total", &Size::total, 0, 1},
    {"field", &Size::field, 0, 1},
    {"gradient", &Size::gradient, 0, 1},
    {"derivatives", &Size::derivatives, 0, 1},
    {"accept", &Size::accept, 0, 1},
    {"charge", &Size::charge, 0, 1},
    {"ions", &Size::ions, 0, 1},
    {"nion", &Size::nion, 1, 1e4},
    {"zeta", &Size::zeta, 0, 4},
    {"nbeta", &Size::nbeta, 1, 100},
    {"nspin", &Size::nspin, 1, 2},
    {"nset", &Size::nset, 1, 1000},
    {"nf_en", &Size::nf_en, 1, 16},
    {"nf_ee", &Size::nf_ee, 1, 16},
    {"nset_f", &Size::nset_f, 1, 3},
    {"cusp", &Size::cusp, 0, 1},
    {"at_ion", &Size::at_ion, 0, 1},
    {"open", &Size::open, 0, 1},
    {"npoint", &Size::npoint, 6, 50},
    {"mpair", &Size::mpair, 0, 1e4},
    {"lmax", &Size::lmax, 0, 4},
    {"turn", &Size::turn, 0, 1},
    {"ratio", &Size::ratio, 0, 1},
    {"norb", &Size::norb, 1, 1e5},
    {"Nx", &Size::Nx, 1, 1e4},
    {"Ny", &Size::Ny, 1, 1e4},
    {"Nz", &Size::Nz, 1, 1e4},
    {"nfrom", &Size::nfrom, 1, 1e5},
    {"nto", &Size::nto, 1, 1e5},
    {"kmax", &Size::kmax, 0, 1e4},
    {"waiting", &Size::waiting, 0, 1e4},
    {"nupdate", &Size::nupdate, 1, 1e6},
    {"flush", &Size::flush, 0, 1},
    {"ordered", &Size::ordered, 0, 1},
    {"nsweep", &Size::nsweep, 0, 1e6},
    {"nslot", &Size::nslot, 0, 1e6},
    {"ncarry", &Size::ncarry, 0, 1e4},
    {"signs", &Size::signs, 0, 1},
};
constexpr RealKey<Size> real_keys[] = {
    {"rs", &Size::rs, 1e-3, 1e3},
    {"tau", &Size::tau, 1e-6, 1e3},  // in r_s^2
    {"alimit", &Size::alimit, 0, 1e3},  // 0: unset
    {"ewald_alpha", &Size::ewald_alpha, 0, 100},  // in V^(-1/3); 0: unset
    {"ewald_tolerance", &Size::ewald_tolerance, 0, 1e-2},
    {"cutoff", &Size::cutoff, 0, 1e3},  // of shells, in bohr, 0: unset; of pseudopotentials and f, in inscribed radii, 0: 0.98
};
constexpr WordKey<Size> words[] = {{"lattice", &Size::lattice, lattices}, {"precision", &Size::single, precisions}};
constexpr Keys<Size> keys{integer_keys, real_keys, words};

// Optional arguments by the key that sets them.
struct Switch {
  std::string_view argument;
  int64_t Size::*key;
};
constexpr Switch switches[] = {
    {"ie", &Size::one},
    {"phi", &Size::one},  // of qmc.slater_update
    {"rnew", &Size::one},
    {"truncation", &Size::truncation},
    {"alpha", &Size::u},
    {"L_u", &Size::u},
    {"gvec", &Size::p},
    {"star", &Size::p},
    {"a", &Size::p},
    {"rhok", &Size::rhok},
    {"slope", &Size::cusp},
    {"accept", &Size::accept},
    {"charge", &Size::charge},
    {"energy", &Size::energy},
    {"field", &Size::field},
    {"gradient", &Size::gradient},
    {"laplacian", &Size::gradient},
    {"dphi", &Size::gradient},
    {"d2phi", &Size::gradient},
    {"drift", &Size::gradient},
    {"ratio", &Size::gradient},
    {"negative", &Size::ratio},
    {"seed", &Size::turn},
    {"sweep", &Size::turn},
    {"stream", &Size::turn},
    {"logdet", &Size::gradient},
    {"sign", &Size::gradient},
    {"diffusion", &Size::gradient},
    {"logpsi", &Size::gradient},
    {"velocity", &Size::gradient},
    {"jastrow", &Size::gradient},
    {"dvalue", &Size::derivatives},
    {"dgradient", &Size::derivatives},
    {"dlaplacian", &Size::derivatives},
    {"delayed_phi", &Size::kmax},
    {"delayed_dbar", &Size::kmax},
    {"delayed_binv", &Size::kmax},
    {"delayed_electron", &Size::kmax},
    {"dbar_up", &Size::nup},
    {"dbar_dn", &Size::ndn},
    {"nsweep", &Size::nsweep},
    {"carry", &Size::ncarry},
};

}  // namespace

int64_t Size::waves() const { return std::max<int64_t>(1, std::max({nup, ndn, norb}) / 2); }

int64_t Size::by_name(std::string_view word) const {
  for (const auto& key : integer_keys)
    if (word == key.name) return this->*key.member;
  return -1;
}

bool Size::wants(std::string_view optional) const {
  if (optional == "truncation") return truncation > 0 && u;
  if (optional == "total") return total && !one;
  if (optional == "cell") return !open;
  if (optional == "shell_cutoff") return cutoff > 0;
  if (optional == "alimit") return alimit > 0;
  if (optional == "ewald_alpha") return ewald_alpha > 0;
  if (optional == "ewald_tolerance") return ewald_tolerance > 0;
  for (const Switch& s : switches)
    if (s.argument == optional) return this->*s.key > 0;
  return true;
}

Size size_of(std::string_view kernel, std::string_view text) {
  const KernelSizes& of_kernel = *std::find_if(std::begin(all), std::end(all), [&](const auto& k) { return k.kernel == kernel; });
  const Named names[] = {{"small", small}, {"standard", of_kernel.standard}, {"heg54", heg54}, {"heg678", heg678}};
  Size s;
  generate::parse(s, Catalogue{names, of_kernel.tests, {}}, keys, text);
  if (s.both > 0) {
    s.nup = (s.both + 1) / 2;
    s.ndn = s.both / 2;
  }
  // The kernels of one determinant have electrons of one spin.
  if (kernel == SlaterRatio::name || kernel == SlaterUpdate::name || kernel == SlaterInvert::name) s.ndn = s.nup;
  if (kernel == SlaterUpdate::name) s.one = !s.flush;
  if (kernel == Ewald::name) s.p = s.ewald_list = s.rhok;
  if (kernel == Pseudopotential::name) s.gradient = s.energy = s.ratio;
  if (s.flush) s.gradient = 0;
  s.nup = std::max<int64_t>(s.nup, s.ndn == 0);
  s.nslot = std::max(s.nslot, s.nwalker);
  return s;
}

}  // namespace suite::qmc
