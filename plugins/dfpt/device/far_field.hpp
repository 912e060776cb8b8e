// SPDX-License-Identifier: BSD-3-Clause
// dfpt.sum_up on a device: the expansions of ../far_tree.hpp. Their lists stay on the device; a call makes the multipoles of the
// atoms, those of the cells of atoms from the smallest to the largest, the local expansions, and moves these from the largest
// cells of points to the smallest. What they come to at the points, with what is summed directly, is the backend's own.
#pragma once

#include <suite/device.hpp>

#include "../far_tree.hpp"

namespace suite::dfpt {

// Atoms, then cells of atoms.
struct FarSource {
  double centre[3];
  int32_t multipole, order;  // its first component, in those of all sources
};
// Which sources a cell of atoms consists of, in the list of all parts.
struct FarParts {
  int32_t source, first, last;
};
// A cell of points. An order of -1: no expansion; parent -1: nothing comes from above.
struct FarCell {
  double centre[3];
  int32_t parent, order, expansion;  // its first component, in those of all cells
  int32_t first_far, last_far, first_direct, last_direct, begin, end;
  int32_t unused;  // to a multiple of 8 bytes for every compiler
};
struct FarTaken {
  int32_t source, source_order, order;
};

// An expansion's components are those of m >= 0, each with its directions and both parts of a complex number: so many doubles.
int64_t far_component(int64_t dirs);
// Items of a launch for so many groups, where a group of work-items shares each cell.
int64_t items_of_groups(const device::Queue& queue, int64_t groups);

// An item for each component of each atom: moments, atom_table, factors of the components, multipoles; atoms, tables, l_max; first
// direction, directions.
using AtomMultipoles =
    device::Kernel<const double*, const int32_t*, const double*, double*, device::Count, device::Count, int32_t, device::Count, int32_t>;
AtomMultipoles atom_multipoles();
// The others have a group for each of `count` cells from `first` of their lists on.
// Sources, cells of atoms, parts, multipoles; first, count, directions.
using CellMultipoles = device::Kernel<const FarSource*, const FarParts*, const int32_t*, double*, device::Count, device::Count, int32_t>;
CellMultipoles cell_multipoles();
// Sources, cells of points, what they take, numbers of the cells, multipoles, local expansions; first, count, largest order of these
// cells, directions.
using LocalExpansions = device::Kernel<const FarSource*, const FarCell*, const FarTaken*, const int32_t*, const double*, double*,
                                       device::Count, device::Count, int32_t, int32_t>;
LocalExpansions local_expansions();
// Cells of points, numbers of the cells, local expansions; first, count, directions.
using MovedExpansions = device::Kernel<const FarCell*, const int32_t*, double*, device::Count, device::Count, int32_t>;
MovedExpansions moved_expansions();

class FarField {
public:
  // knobs: those of device::parameters().
  FarField(const suite_backend* backend, suite_queue* queue, const int64_t* knobs) : queue_(backend, queue, knobs, SumUp::name) {}

  // host: the arguments with their constant arrays on the host.
  void prepare(const SumUpCall& call, const SumUp& host);
  // Of three directions at most.
  void expand(const SumUp& c, int64_t first_dir, int64_t dirs);

  // For the points: numbers of the points in the order of their cells; cells; those that are leaves; their direct atoms.
  const device::Buffer<int32_t>& points() const { return points_; }
  const device::Buffer<FarCell>& cells() const { return cells_; }
  const device::Buffer<int32_t>& leaves() const { return leaves_; }
  const device::Buffer<int32_t>& direct() const { return direct_; }
  const device::Buffer<double>& locals() const { return locals_; }

private:
  // A part of a list of cells, which one launch does.
  struct Part {
    int64_t first, count;
    int32_t most;  // order
  };
  void list_sources(const FarTree& tree);
  void list_cells(const FarTree& tree);
  void list_expansions(const FarTree& tree);
  template <class T> device::Buffer<T> buffer(const char* what) const { return device::Buffer<T>(queue_, what); }

  device::Queue queue_;
  int64_t n_atoms_ = 0, multipole_components_ = 0, local_components_ = 0;
  int l_max_ = 0;
  std::vector<Part> upward_, from_far_, downward_;
  device::Buffer<double> factors_ = buffer<double>("the moments' factors"),
                         multipoles_ = buffer<double>("the multipoles of cells of atoms"),
                         locals_ = buffer<double>("the expansions about cells of points");
  device::Buffer<FarSource> sources_ = buffer<FarSource>("the cells of atoms");
  device::Buffer<FarParts> upward_cells_ = buffer<FarParts>("the cells of atoms");
  device::Buffer<FarCell> cells_ = buffer<FarCell>("the cells of points");
  device::Buffer<FarTaken> taken_ = buffer<FarTaken>("what cells of points take from far");
  device::Buffer<int32_t> parts_ = buffer<int32_t>("the cells of atoms"), targets_ = buffer<int32_t>("the cells of points"),
                          moved_ = buffer<int32_t>("the cells of points"), points_ = buffer<int32_t>("the order of the points"),
                          leaves_ = buffer<int32_t>("the cells of points"), direct_ = buffer<int32_t>("the direct atoms of cells");
};

}  // namespace suite::dfpt
