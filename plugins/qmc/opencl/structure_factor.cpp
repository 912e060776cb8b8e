// SPDX-License-Identifier: BSD-3-Clause
// qmc.structure_factor (waves.cl).
#include "texts.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {
namespace {

class StructureFactorCL : public opencl::WithEngine<Engine, StructureFactor> {
public:
  using WithEngine::WithEngine;

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
    engine.start(text::waves, "structure_factor_moved", "", seats.nwalker, engine.lanes(list.count()), engine.local(), seats.rele,
                 memory_of(c.rnew), memory_or(c.accept, seats.rele), cl_int(c.accept ? 1 : 0), cell_.numbers(), list.memory(), list.count(),
                 list.size(), memory_of(c.rhok), seats.charge ? seats.charge : seats.rele, cl_int(seats.charge != nullptr),
                 cl_int(seats.channels), cl_int(seats.channels == 2 ? electrons.spin(seats.moved.which) : 0), as_int(seats.netot),
                 seats.one(), as_int(seats.nwalker));
  }

private:
  Cell cell_{engine};
  WaveSums sums_{engine, cell_};
  opencl::Scratch charge_{engine.scratch("the charges")};
  std::vector<int32_t> nele_;
};

}  // namespace

extern const suite_kernel_table structure_factor_table;
constexpr suite_kernel_table structure_factor_table = kernel_table<StructureFactor, StructureFactorCL>("opencl", "opencl");

}  // namespace suite::qmc::cl
