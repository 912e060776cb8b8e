// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor, qmc.jastrow_p and qmc.orbitals_free.
#include "../steps.hpp"
#include "p_term.hpp"
#include "texts.hpp"

namespace suite::qmc::cl {
namespace {

class StructureFactorCL : public opencl::WithEngine<Engine, StructureFactor> {
public:
  StructureFactorCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), cell_(engine), sums_(engine, cell_), charge_(b, q, "the charges") {}

  void prepare(const suite_array* a) {
    using K = StructureFactor;
    cell_.set(a[K::cell]);
    nele_ = engine.fetch<int32_t>(a[K::nele], "nele");
    const std::vector<int32_t> gvec = engine.fetch<int32_t>(a[K::gvec], "gvec");
    const int64_t count = a[K::gvec].extent[1];
    check_vectors("gvec", gvec.data(), count);
    sums_.set(gvec.data(), count, std::vector<double>(static_cast<size_t>(count)), 1);
    if (a[K::charge].data) charge_.upload(to_whole_vectors(engine.fetch<double>(a[K::charge], "charge")));
  }
  void execute(const suite_array* a) {
    using K = StructureFactor;
    const Electrons electrons = electrons_of(a[K::rele], nele_.data());
    Seats seats;
    seats.moved = check_structure_factor(a, electrons.netot);
    seats.rele = memory_of(a[K::rele]);
    seats.netot = electrons.netot;
    seats.channels = static_cast<int>(a[K::rhok].extent[1]);
    seats.first = seats.channels == 2 ? electrons.nup : electrons.netot;
    seats.nwalker = electrons.nwalker;
    if (a[K::charge].data) seats.charge = charge_.at_least(0);
    if (!seats.moved.one) return sums_.structure_factor(seats, memory_of(a[K::rhok]));
    WaveList& list = sums_.list();
    engine.start(text::waves, "structure_factor_moved", "", seats.nwalker, engine.lanes(list.count()),
                 engine.local(), seats.rele, memory_of(a[K::rnew]), memory_or(a[K::accept], seats.rele),
                 cl_int(a[K::accept].data != nullptr), cell_.numbers(), list.memory(), list.count(),
                 list.size(), memory_of(a[K::rhok]), seats.charge ? seats.charge : seats.rele,
                 cl_int(seats.charge != nullptr), cl_int(seats.channels),
                 cl_int(seats.channels == 2 ? electrons.spin(seats.moved.which) : 0), as_int(seats.netot),
                 seats.one(), as_int(seats.nwalker));
  }

private:
  Cell cell_;
  WaveSums sums_;
  opencl::Scratch charge_;
  std::vector<int32_t> nele_;
};

constexpr suite_parameter p_variant{"variant",    static_cast<int>(SumStep::best), 0, 3,
                                    sum_variants, SUITE_QMC_JASTROW_P_VARIANTS};

class JastrowPCL : public opencl::WithEngine<Engine, JastrowP, p_variant> {
public:
  JastrowPCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), step_(static_cast<SumStep>(p[0])), cell_(engine), p_(engine, cell_) {}

  void prepare(const suite_array* a) {
    using K = JastrowP;
    cell_.set(a[K::cell]);
    nele_ = engine.fetch<int32_t>(a[K::nele], "nele");
    p_.set(a[K::gvec], a[K::star], a[K::a]);
  }
  void execute(const suite_array* a) {
    using K = JastrowP;
    const Seats seats = seats_of(a[K::rele], a[K::ie], a[K::rnew], a[K::value].extent[0], nele_.data());
    const cl_mem value = memory_of(a[K::value]);
    const Outputs out = outputs_of(a[K::value], a[K::gradient], a[K::laplacian], value),
                  derivatives = outputs_of(a[K::dvalue], a[K::dgradient], a[K::dlaplacian], value);
    const bool by_rho = step_ >= SumStep::structure_factor;
    cl_mem rho = nullptr;
    if (by_rho || derivatives.has) rho = a[K::rhok].data ? memory_of(a[K::rhok]) : p_.sums().rho(seats);
    if (by_rho) p_.sums().by_rho(seats, rho, out);
    if (step_ == SumStep::pair) p_.sums().by_pairs(seats, out, nullptr);
    if (step_ == SumStep::split_loops) p_.sums().by_tables(seats, out);
    if (derivatives.has) p_.derivatives(seats, rho, derivatives);
  }

private:
  SumStep step_;
  Cell cell_;
  POnDevice p_;
  std::vector<int32_t> nele_;
};

class OrbitalsFreeCL : public opencl::WithEngine<Engine, OrbitalsFree> {
public:
  OrbitalsFreeCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), cell_(engine), list_(engine, "the wave vectors") {}

  void prepare(const suite_array* a) {
    using K = OrbitalsFree;
    cell_.set(a[K::cell]);
    const std::vector<int32_t> kvec = engine.fetch<int32_t>(a[K::kvec], "kvec");
    check_orbitals(a[K::phi].extent[0], a[K::kvec].extent[1], kvec.data());
    list_.set(cell_.lattice(), kvec.data(), a[K::kvec].extent[1]);
  }
  void execute(const suite_array* a) {
    using K = OrbitalsFree;
    const int64_t norb = a[K::phi].extent[0], rows = a[K::phi].extent[1] * a[K::phi].extent[2];
    const Outputs out = outputs_of(a[K::phi], a[K::dphi], a[K::d2phi], memory_of(a[K::phi]));
    engine.start(text::waves, "orbitals_free", "", rows, engine.lanes(std::max<int64_t>(norb / 2, 1)),
                 engine.local(), memory_of(a[K::r]), cell_.numbers(), list_.memory(), list_.size(), out.value,
                 out.gradient, out.laplacian, out.has, as_int(norb), as_int(rows));
  }

private:
  Cell cell_;
  WaveList list_;
};

}  // namespace

extern const suite_kernel_table structure_factor_table, jastrow_p_table, orbitals_free_table;
constexpr suite_kernel_table structure_factor_table =
    kernel_table<StructureFactor, StructureFactorCL>("opencl", "opencl");
constexpr suite_kernel_table jastrow_p_table = kernel_table<JastrowP, JastrowPCL>("opencl", "opencl");
constexpr suite_kernel_table orbitals_free_table =
    kernel_table<OrbitalsFree, OrbitalsFreeCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
