// SPDX-License-Identifier: BSD-3-Clause
// The variant best of lfd.propagate, and kinetic = fourier. Blocks of orbitals (blocks.hpp) go through a step in one
// pass over memory (cells.hpp), or two (fourier.hpp); the phases of the end of a step and of the beginning of the next are one, and so are
// all the constants of the kinetic propagator. While v does not change by itself, a block does several steps
// at once.
#pragma once

#include "block_spheres.hpp"
#include "fourier.hpp"
#include "potential.hpp"

namespace suite::lfd {

template <class T> class Best {
public:
  void run(const PropagateCall<T>& call, LocalPotential<T>& potential, int threads);

private:
  using V = Vector<T>;

  struct Kinetic {
    Tangents<T> tangents;
    double size = 1, angle = 0;  // the product of all constants ep of one step
  };
  // Where the phases of a step are kept, whether they are new, and whether all blocks wait before it.
  struct Planned {
    int64_t slot;
    bool fresh, synchronous;
  };

  static Kinetic kinetic(const PropagateCall<T>& call);

  void start(const PropagateCall<T>& call, int threads);
  void make_plan(const PropagateCall<T>& call);
  Phase phase_of(const PropagateCall<T>& call, int64_t step) const;
  Phase end_of(const PropagateCall<T>& call, int64_t step) const;
  WaveVectors<T> waves_of(const PropagateCall<T>& call, int64_t b, int64_t step) const;
  Border<T> border_of(const WaveVectors<T>& waves) const;
  void pack(const PropagateCall<T>& call);
  void unpack(const PropagateCall<T>& call, const T* u);
  template <bool back> void turn_to_bloch(const PropagateCall<T>& call, int64_t b, int64_t i, int64_t j, V* line) const;
  void set_bloch_lines(const PropagateCall<T>& call);
  void fourier_step(const PropagateCall<T>& call, int64_t b, int64_t step, const Team& team, double* rho, Moments* moments);
  void step_of_block(const PropagateCall<T>& call, int64_t b, int64_t step, bool far, const Team& team);
  void steps(const PropagateCall<T>& call, int64_t first, int64_t last, bool measured, const Team& team);
  void currents_of_block(const PropagateCall<T>& call, int64_t b, int64_t step, const Team& team);
  void currents(const PropagateCall<T>& call, int64_t step, const Team& team);
  void first_density(const PropagateCall<T>& call);
  void collect_density(const PropagateCall<T>& call);
  void sum_moments(const PropagateCall<T>& call);

  typename FourierLines<T>::Block lines_of(int64_t b) const {
    return {blocks_.block(b), tables_.data() + b * fourier_.table_size(), workspace_.data() + omp_get_thread_num() * fourier_.room()};
  }
  const T* u_of(int64_t step) const { return u_ + plan_[step].slot * order_size_ * 2; }

  Blocks<T> blocks_;
  Kinetic kinetic_;
  FourierLines<T> fourier_;
  Buffer<V> tables_;       // of fourier_, [block]
  bool bloch_ = false;     // blocks are chi, with phases on the bonds across the border
  bool still_ = false;     // a call that only measures: dt = 0
  bool has_cells_ = true;  // no direction has one point only
  bool by_slabs_ = false;  // all threads share one block after the other
  int64_t order_size_ = 0;
  Buffer<T> u_storage_;
  Buffer<double> rho_storage_;
  T* u_ = nullptr;
  double* rho_ = nullptr;      // [block][cell][point]
  std::vector<V> occupation_;  // [block]
  std::vector<Planned> plan_;  // [step]
  Buffer<V> bloch_lines_;  // [first step, last step][block][k][re,im]
  BlockSpheres<T> spheres_;
  Buffer<V> workspace_;  // of each thread, for a line: nothing is allocated inside of the parallel region
  std::vector<double> currents_;  // [step][block][plane][direction]
  std::vector<Moments> slabs_;    // [block][slab]
  std::vector<Moments> moments_;  // [block][step]
};

extern template class Best<float>;
extern template class Best<double>;

}  // namespace suite::lfd
