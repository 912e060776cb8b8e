// SPDX-License-Identifier: BSD-3-Clause
// The Ewald interaction on the device, by the steps of the ladder.
#pragma once

#include "../ewald.hpp"
#include "waves.hpp"

namespace suite::qmc::cl {

class EwaldOnDevice {
public:
  EwaldOnDevice(Engine& engine, Cell& cell, SumStep step);
  // The sums of a cell, computed again only where the cell or the arguments have changed. total_only: nothing but the
  // energy of the cell will be wanted.
  void set(const EwaldAlpha& ewald_alpha, double ewald_tolerance, bool total_only);
  // The caller's G, empty where there are none, for the next set.
  void set_list(std::vector<int32_t> gvec);
  void set_charges(const std::vector<double>& charge);

  struct Wanted {
    cl_mem energy = nullptr, field = nullptr, total = nullptr;  // null: not wanted
    cl_mem rho = nullptr;                                       // of the caller; null: to be made
  };
  // Seats are of one channel: rele, rnew, moved, netot and nwalker are looked at.
  void compute(Seats seats, const Wanted& wanted);

private:
  Engine& engine_;
  Cell& cell_;
  SumStep step_;
  EwaldSums sums_;
  std::vector<double> made_of_;  // what sums_ were made of
  std::vector<int32_t> gvec_;
  double total_charge_ = 0, sum_of_squares_ = 0;
  WaveSums long_range_;
  opencl::Scratch images_, charge_, short_range_, potential_, gradient_;
  Framed frame_;
};

}  // namespace suite::qmc::cl
