// SPDX-License-Identifier: BSD-3-Clause
#include "sizes.hpp"

#include <suite/generate.hpp>

#include <algorithm>

#include "dfpt.hpp"
#include "harmonics.hpp"

namespace suite::dfpt {
namespace {

using generate::Catalogue, generate::IntegerKey, generate::Keys, generate::Named, generate::WordKey;

// The cases of the source document as molecules of a helix or a bundle of them, with the batches, functions
// and pairs that such cases have: polypeptide (312 atoms, about 940 functions, 8000 batches of about 170
// points), rbd (3006 atoms; dfpt.sum_up has 1.5 GB of arrays for it, the others more).
constexpr const char *small = "natoms=3,points=40,nbatches=6,coarse=4,lmax=2,nlog=300,nknots=32", *polypeptide = "natoms=312",
                     *rbd = "natoms=3006";

struct KernelSizes {
  std::string_view kernel;
  const char* standard;
  std::span<const char* const> tests;
};

// Corners first: one atom, one point, batches without functions or points, each l_max, each optional argument
// set and unset, more and fewer points, functions and orbitals than a vector or a tile holds; so many batches
// that several make a segment, so many points far from atoms that cells of cells have expansions.
constexpr const char* basis[] = {
    "natoms=1,points=1,nbatches=1,lbasis=0,nlog=40",    "natoms=2,points=9,nbatches=5,lbasis=1,nlog=60,nucleus=1,nempty=1",
    "natoms=5,points=33,nbatches=4,lbasis=3,nlog=120",  "natoms=3,points=70,nbatches=3,lbasis=8,nlog=90,nucleus=1",
    "natoms=7,points=130,nbatches=2,lbasis=2,nlog=400", "natoms=13,points=17,nbatches=9,lbasis=4,nlog=77,nempty=2",
};
constexpr const char* rho[] = {
    "natoms=1,points=1,nbatches=1,lbasis=0,ndir=1",
    "natoms=3,points=9,nbatches=5,ndir=3,nempty=1",
    "natoms=5,points=33,nbatches=4,ndir=2,triangle=1,lbasis=2",
    "natoms=12,points=130,nbatches=3,ndir=3,triangle=1",
    "natoms=30,points=45,nbatches=5,ndir=3,coarse=2",
    "natoms=4,points=20,nbatches=4,nocc=3,ndir=3",
    "natoms=6,points=65,nbatches=3,nocc=7,ndir=2,nempty=1,lbasis=2",
    "natoms=9,points=31,nbatches=4,nocc=17,first=0,ndir=1",
    "natoms=1,points=1,nbatches=2,lbasis=0,nocc=1,first=0,ndir=1",
    "natoms=8,points=5,nbatches=200,ndir=2,nempty=3",
    "natoms=13,points=21,nbatches=3,nocc=29,ndir=4",
    "natoms=3,points=9,nbatches=2,ndir=5",
};
constexpr const char* h[] = {
    "natoms=1,points=1,nbatches=1,lbasis=0,ndir=1",
    "natoms=3,points=9,nbatches=5,ndir=3,nempty=1",
    "natoms=5,points=33,nbatches=4,ndir=2,lbasis=2,right=1",
    "natoms=12,points=130,nbatches=3,ndir=3",
    "natoms=30,points=45,nbatches=5,ndir=1,v=0,coarse=2",
    "natoms=4,points=20,nbatches=4,nocc=3,ndir=3,matrix=0",
    "natoms=6,points=65,nbatches=3,nocc=7,ndir=2,nempty=1,lbasis=2",
    "natoms=9,points=31,nbatches=4,nocc=17,ndir=1,matrix=0,v=0",
    "natoms=7,points=50,nbatches=3,ndir=1,v=0,right=1",
    "natoms=8,points=5,nbatches=200,nocc=5,ndir=2,nempty=3",
    "natoms=13,points=21,nbatches=3,nocc=29,ndir=4,matrix=0",
    "natoms=3,points=9,nbatches=2,nocc=2,ndir=5",
};
constexpr const char* multipoles[] = {
    "natoms=1,points=1,nbatches=1,lmax=0,ndir=1",
    "natoms=2,points=50,nbatches=3,lmax=1,ndir=3",
    "natoms=3,points=230,coarse=3,lmax=4,ndir=3",
    "natoms=5,points=230,coarse=5,lmax=6,ndir=2",
    "natoms=4,points=100,nbatches=5,lmax=8,ndir=1",
    "natoms=13,points=77,nbatches=11,lmax=3,ndir=3",
    "natoms=2,points=13,nbatches=2,lmax=5,ndir=4",
    "natoms=3,points=61,nbatches=7,lmax=7,ndir=1",
    "natoms=6,points=230,nbatches=7,coarse=2,lmax=2,ndir=3",
};
constexpr const char* poisson[] = {
    "natoms=1,lmax=0,ndir=1,nlog=40,nknots=9,coarse=4",
    "natoms=2,lmax=4,ndir=3,nlog=200,nknots=33",
    "natoms=3,lmax=2,ndir=3,nlog=300,nknots=64,density=1",
    "natoms=1,lmax=8,ndir=2,nlog=250,nknots=300,knots=log",
    "natoms=5,lmax=6,ndir=1,nlog=177,nknots=50,density=1,knots=log,coarse=2",
    "natoms=4,lmax=1,ndir=1,nlog=6,nknots=2,coarse=6",
    "natoms=2,lmax=3,ndir=4,nlog=1150,nknots=20",
};
constexpr const char* sum_up[] = {
    "natoms=1,points=1,nbatches=1,lmax=0,ndir=1,nknots=5",
    "natoms=3,points=20,nbatches=4,lmax=4,ndir=3,nknots=32,nucleus=1",
    "natoms=12,points=33,nbatches=5,lmax=6,ndir=3,nknots=64,knots=log,nucleus=1",
    "natoms=5,points=40,nbatches=3,lmax=8,ndir=2,nknots=20,field=near,nucleus=1",
    "natoms=7,points=40,nbatches=3,lmax=5,ndir=1,nknots=20,field=far",
    "natoms=33,points=65,nbatches=4,lmax=2,ndir=3,nknots=40,shared=1,coarse=2",
    "natoms=4,points=17,nbatches=3,lmax=1,ndir=4,nknots=300,knots=log,shared=1",
    "natoms=6,points=19,nbatches=5,lmax=3,ndir=3,nknots=2,field=near,knots=log",
    "natoms=3,points=29,nbatches=3,lmax=7,ndir=1,nknots=17,field=both",
    "natoms=60,points=31,nbatches=5,lmax=8,ndir=3,nknots=12,field=far,coarse=2",
    "natoms=340,points=60,nbatches=4,lmax=4,ndir=3,nknots=24,coarse=3",
    "natoms=340,points=60,nbatches=32,lmax=1,ndir=4,nknots=12,coarse=3",
};
constexpr const char* response[] = {
    "natoms=1,lbasis=1,nocc=1,ndir=1",
    "natoms=3,ndir=3",
    "natoms=5,ndir=2,lbasis=2,nocc=9,nstates=40,matrix=0,P1=0",
    "natoms=7,ndir=3,C1=0",
    "natoms=4,ndir=1,nocc=8,nstates=8,lbasis=2",
    "natoms=9,ndir=3,matrix=0,C1=0",
    "natoms=12,ndir=1,nocc=17,P1=0",
};

constexpr const char* reciprocal[] = {
    "natoms=1,points=1,nbatches=1,lmax=0,ndir=1,waves=1",
    "natoms=3,points=20,nbatches=4,lmax=4,ndir=3,waves=4,coarse=4",
    "natoms=5,points=33,nbatches=5,lmax=8,ndir=2,waves=2,coarse=4",
    "natoms=12,points=65,nbatches=4,lmax=6,ndir=3,waves=5,coarse=4",
    "natoms=2,points=131,nbatches=3,lmax=1,ndir=4,waves=9,coarse=4",
    "natoms=7,points=29,nbatches=3,lmax=3,ndir=1,waves=3,coarse=4",
    "natoms=4,points=17,nbatches=3,lmax=2,ndir=5,waves=1,coarse=4",
    "natoms=3,points=9,nbatches=2,lmax=7,ndir=1,waves=6,coarse=4",
    "natoms=2,points=40,nbatches=2,lmax=5,ndir=2,waves=17,coarse=4",
};

constexpr KernelSizes all[] = {
    {"dfpt.basis", "natoms=312,nbatches=800", basis}, {"dfpt.rho", "natoms=312,nbatches=384", rho},
    {"dfpt.h", "natoms=312,nbatches=384", h},         {"dfpt.multipoles", "natoms=312,nbatches=4000", multipoles},
    {"dfpt.poisson", "natoms=52", poisson},           {"dfpt.sum_up", "natoms=312,nbatches=200", sum_up},
    {"dfpt.response", "natoms=200", response},        {"dfpt.reciprocal", "natoms=16,nbatches=160,waves=8", reciprocal},
};

constexpr IntegerKey<Size> integer_keys[] = {
    {"natoms", &Size::natoms, 1, 1e6},
    {"nbatches", &Size::nbatches, 0, 1e7},
    {"points", &Size::points, 1, 1e5},
    {"nempty", &Size::nempty, 0, 1e3},
    {"coarse", &Size::coarse, 1, 6},
    {"lbasis", &Size::lbasis, 0, largest_l},
    {"lmax", &Size::lmax, 0, largest_l},
    {"ndir", &Size::ndir, 1, 100},
    {"nknots", &Size::nknots, 2, 1e5},
    {"nlog", &Size::nlog, 6, 1e5},
    {"shared", &Size::shared, 0, 1},
    {"nucleus", &Size::nucleus, 0, 1},
    {"waves", &Size::waves, 1, 100},
    {"nocc", &Size::nocc, 0, 1e5},
    {"nstates", &Size::nstates, 0, 1e6},
    {"first", &Size::first, 0, 1},
    {"matrix", &Size::matrix, 0, 1},
    {"v", &Size::v, 0, 1},
    {"right", &Size::right, 0, 1},
    {"triangle", &Size::triangle, 0, 1},
    {"density", &Size::density, 0, 1},
    {"C1", &Size::C1, 0, 1},
    {"P1", &Size::P1, 0, 1},
};
constexpr WordKey<Size> words[] = {{"knots", &Size::shells_grid, grid_words}, {"field", &Size::field, field_words}};
constexpr Keys<Size> keys{integer_keys, {}, words};

}  // namespace

Size size_of(std::string_view kernel, std::string_view text) {
  const KernelSizes& of_kernel = *std::find_if(std::begin(all), std::end(all), [&](const auto& k) { return k.kernel == kernel; });
  const Named names[] = {{"small", small}, {"standard", of_kernel.standard}, {"polypeptide", polypeptide}, {"rbd", rbd}};
  Size s;
  generate::parse(s, Catalogue{names, of_kernel.tests, {}}, keys, text);
  if (s.right || (kernel == "dfpt.h" && s.nocc == 0)) s.matrix = 1;
  if (!s.C1) s.P1 = 1;
  return s;
}

}  // namespace suite::dfpt
