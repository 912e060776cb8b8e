// SPDX-License-Identifier: BSD-3-Clause
// Lists of reciprocal vectors on the device, and sums over them by the steps of the ladder.
#pragma once

#include <vector>

#include "engine.hpp"

namespace suite::qmc::cl {

// n1, n2, n3 and G^2 as doubles, each filled up with zeros to vectors of any length (waves.cl).
class WaveList {
public:
  WaveList(Engine& engine, const char* what)
      : lines_(engine.backend, engine.queue, what),
        entries_(engine.backend, engine.queue, what),
        memory_(engine.backend, engine.queue, what) {}
  void set(const Lattice& lattice, const int32_t* n, int64_t count);
  cl_mem memory() { return memory_.at_least(sizeof(double)); }
  cl_int count() const { return count_; }
  cl_int size() const { return size_; }
  int64_t highest() const { return highest_; }  // of |n_i|
  // Lines of the list for structure_factor_by_lines (powers.cl).
  cl_mem lines() { return lines_.at_least(0); }
  cl_mem entries() { return entries_.at_least(0); }
  cl_int line_count() const { return line_count_; }

private:
  void find_lines(const int32_t* n, int64_t count);
  opencl::Scratch lines_, entries_;
  cl_int line_count_ = 0;
  opencl::Scratch memory_;
  cl_int count_ = 0, size_ = 0;
  int64_t highest_ = 0;
};

// Filled up with zeros to whole vectors of any length, as Seats::charge is read.
inline std::vector<double> to_whole_vectors(std::vector<double> numbers) {
  numbers.resize((numbers.size() + 15) / 16 * 16);
  return numbers;
}

// The particles of a call, at whose positions something is wanted.
struct Seats {
  cl_mem rele = nullptr, rnew = nullptr;
  Moved moved;
  int64_t netot = 0, first = 0, nwalker = 1;  // the first `first` of them belong to channel 0
  int channels = 2;
  cl_mem charge = nullptr;  // of each particle; 1 where it is null
  cl_int one() const { return moved.one ? static_cast<cl_int>(moved.which) : -1; }
  int64_t rows() const { return moved.npos * nwalker; }
};

// All electrons where they are; nele on the host.
Seats seats_of_all(const suite_array& rele, const int32_t* nele);
// Those of a call that may move one of them.
template <class Call> Seats seats_of(const Call& c, const int32_t* nele) {
  Seats seats = seats_of_all(c.rele, nele);
  seats.moved = moved_of(c, c.npos());
  seats.rnew = memory_or(c.rnew, seats.rele);
  return seats;
}

// Where sums over a list go; bits of has: 1 value, 2 gradient, 4 Laplacian.
struct Outputs {
  cl_mem value, gradient, laplacian;
  cl_int has;
};
Outputs outputs_of(const suite_array& value, const suite_array& gradient, const suite_array& laplacian, cl_mem otherwise);

// sum_{j/=i} q_j sum_G a_G cos(G.r_ij) with derivatives, a by the channels of i and j.
class WaveSums {
public:
  WaveSums(Engine& engine, Cell& cell);
  // coefficients(count,nset)
  void set(const int32_t* n, int64_t count, const std::vector<double>& coefficients, int nset);
  WaveList& list() { return list_; }
  cl_mem coefficients() { return coefficients_.at_least(sizeof(double)); }

  // The structure factors (count,channels,nwalker), into memory of its own.
  cl_mem rho(const Seats& seats);
  void structure_factor(const Seats& seats, cl_mem to);
  void by_rho(const Seats& seats, cl_mem rho, const Outputs& outputs);
  void by_tables(const Seats& seats, const Outputs& outputs);
  // With images, the same loop over the pairs has the short-range sum of the Ewald interaction.
  struct Images {
    cl_mem vectors;
    cl_int count;
    double alpha, cutoff;
    cl_mem short_range;
  };
  void by_pairs(const Seats& seats, const Outputs& outputs, const Images* images);

private:
  // Positions in fractions and charges, in the order of a Layout.
  struct Laid {
    Layout layout;
    cl_mem fractions, charge;
  };
  Laid lay_out(const Seats& seats);
  cl_mem make_tables(const Laid& laid, const char* text, const std::string& options, int64_t nwalker);
  std::string ladder_options() const;

  Engine& engine_;
  Cell& cell_;
  WaveList list_;
  opencl::Scratch coefficients_, rho_, tables_, line_;
  Framed fractions_;
  int nset_ = 1;
};

}  // namespace suite::qmc::cl
