// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor, qmc.jastrow_p and qmc.orbitals_free.
#include "p_term.hpp"
#include "texts.hpp"

namespace suite::qmc::cl {
namespace {

class StructureFactorCL : public opencl::WithEngine<Engine, StructureFactor> {
public:
  StructureFactorCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), cell_(engine), sums_(engine, cell_), charge_(b, q, "the charges") {}

  void prepare(const suite_array* arguments) {
    const StructureFactor c(arguments);
    cell_.set(c.cell);
    nele_ = engine.fetch<int32_t>(c.nele, "nele");
    const std::vector<int32_t> gvec = engine.fetch<int32_t>(c.gvec, "gvec");
    const int64_t count = c.ngvec();
    check_vectors("gvec", gvec.data(), count);
    sums_.set(gvec.data(), count, std::vector<double>(static_cast<size_t>(count)), 1);
    if (c.charge) charge_.upload(to_whole_vectors(engine.fetch<double>(c.charge, "charge")));
  }
  void execute(const suite_array* arguments) {
    const StructureFactor c(arguments);
    const Electrons electrons = electrons_of(c.rele, nele_.data());
    Seats seats;
    seats.moved = check_structure_factor(c);
    seats.rele = memory_of(c.rele);
    seats.netot = electrons.netot;
    seats.channels = static_cast<int>(c.nchannel());
    seats.first = seats.channels == 2 ? electrons.nup : electrons.netot;
    seats.nwalker = electrons.nwalker;
    if (c.charge) seats.charge = charge_.at_least(0);
    if (!seats.moved.one) return sums_.structure_factor(seats, memory_of(c.rhok));
    WaveList& list = sums_.list();
    engine.start(text::waves, "structure_factor_moved", "", seats.nwalker, engine.lanes(list.count()),
                 engine.local(), seats.rele, memory_of(c.rnew), memory_or(c.accept, seats.rele),
                 cl_int(c.accept ? 1 : 0), cell_.numbers(), list.memory(), list.count(), list.size(),
                 memory_of(c.rhok), seats.charge ? seats.charge : seats.rele, cl_int(seats.charge != nullptr),
                 cl_int(seats.channels), cl_int(seats.channels == 2 ? electrons.spin(seats.moved.which) : 0),
                 as_int(seats.netot), seats.one(), as_int(seats.nwalker));
  }

private:
  Cell cell_;
  WaveSums sums_;
  opencl::Scratch charge_;
  std::vector<int32_t> nele_;
};

class JastrowPCL : public opencl::WithEngine<Engine, JastrowP, parameter::jastrow_p_variant> {
public:
  JastrowPCL(const suite_backend* b, suite_queue* q, const int64_t* p)
      : WithEngine(b, q, p), step_(static_cast<SumStep>(p[0])), cell_(engine), p_(engine, cell_) {}

  void prepare(const suite_array* arguments) {
    const JastrowP c(arguments);
    cell_.set(c.cell);
    nele_ = engine.fetch<int32_t>(c.nele, "nele");
    p_.set(c);
  }
  void execute(const suite_array* arguments) {
    const JastrowP c(arguments);
    const Seats seats = seats_of(c, nele_.data());
    const cl_mem value = memory_of(c.value);
    const Outputs out = outputs_of(c.value, c.gradient, c.laplacian, value),
                  derivatives = outputs_of(c.dvalue, c.dgradient, c.dlaplacian, value);
    const bool by_rho = step_ >= SumStep::structure_factor;
    cl_mem rho = nullptr;
    if (by_rho || derivatives.has) rho = c.rhok ? memory_of(c.rhok) : p_.sums().rho(seats);
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

  void prepare(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    cell_.set(c.cell);
    const std::vector<int32_t> kvec = engine.fetch<int32_t>(c.kvec, "kvec");
    check_orbitals(c.norb(), c.nkvec(), kvec.data());
    list_.set(cell_.lattice(), kvec.data(), c.nkvec());
  }
  void execute(const suite_array* arguments) {
    const OrbitalsFree c(arguments);
    const int64_t norb = c.norb(), rows = c.positions();
    const Outputs out = outputs_of(c.phi, c.dphi, c.d2phi, memory_of(c.phi));
    engine.start(text::waves, "orbitals_free", "", rows, engine.lanes(std::max<int64_t>(norb / 2, 1)),
                 engine.local(), memory_of(c.r), cell_.numbers(), list_.memory(), list_.size(), out.value,
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
