// SPDX-License-Identifier: BSD-3-Clause
// kinetic = fourier on the device (lines.cl): the stages and tables of the three directions, and what is done with them.
#pragma once

#include "../fourier.hpp"
#include "engine.hpp"

namespace suite::lfd::cl {

class Lines {
public:
  // blocks: for the orbitals of lfd.propagate, which hold chi.
  Lines(Engine& engine, bool blocks);

  void set(const Grid& grid);
  // exp(-i dt T) with A + k in momenta (Tables::waves); turns: whether there are any.
  void set_step(double dt, cl_mem momenta, bool turns);
  // u: what the orbitals wait for.
  void propagate(cl_mem psi, cl_mem u);

  // How many rows the sums below have: partial(padded Norb,rows), and three numbers of each vector of orbitals by row.
  cl_int rows() const { return static_cast<cl_int>(std::max(grid_.n[0], grid_.n[1])); }
  void energies(cl_mem psi, cl_mem momenta, cl_mem partial);
  void velocities(cl_mem psi, cl_mem momenta, cl_mem f, cl_mem partial);

private:
  struct Direction {
    explicit Direction(Engine& engine);
    cl_int count = 0;
    opencl::Scratch stages, roots, waves, phase, turns;
  };
  std::string options() const;
  cl_int extent(int d) const { return static_cast<cl_int>(grid_.n[d]); }

  Engine& engine_;
  bool blocks_, set_ = false, single_ = false, turns_ = false;
  Grid grid_;
  Direction directions_[3];
};

}  // namespace suite::lfd::cl
