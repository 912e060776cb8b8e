// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of this folder have in common on the host: ranges of groups, the cell as the device knows
// it, positions in its frame, small arrays of a call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <suite/opencl/engine.hpp>

#include "../call.hpp"
#include "../lattice.hpp"
#include "../parameters.hpp"

namespace suite::qmc::cl {

using opencl::ceil_div, opencl::count_of, opencl::define, opencl::Knobs, opencl::memory_of, opencl::memory_or;

class Engine : public opencl::Engine {
public:
  // name: of the kernel, for messages.
  Engine(const suite_backend* backend, suite_queue* queue, Knobs knobs, const char* name);

  // Numbers of a work-item where rows have at least `least`: vectors longer than a row are of no use. Where the lanes are positions of all
  // walkers there are always vector() of them: compiled for fewer, a walker that is alone would have other last bits.
  int lanes(int64_t least) const;
  // Work-items of a group that makes moves, one after the other, with barriers on many ways: PoCL copies what
  // follows for each way around a barrier, minutes of work for groups that are of no use on a CPU.
  int local_of_moves() const;
  // Memory of the device; what: for messages.
  opencl::Scratch scratch(const char* what) const { return opencl::Scratch(backend, queue, what); }
  // Copies arguments to vectors on the host, as chi_term, f_term and the like ask for them.
  auto fetcher() const {
    return
        [this](const auto& from, const char* name, auto& to) { to = fetch<typename std::decay_t<decltype(to)>::value_type>(from, name); };
  }
};

// As many as an int counts.
cl_int as_int(int64_t n);

// The lattice, and what common.cl wants of it.
class Cell {
public:
  explicit Cell(Engine& engine) : engine_(engine), numbers_(engine.backend, engine.queue, "the cell") {}
  // any: as if it were none of the cubic ones.
  void set(const suite_array& cell, bool any = false);
  // Open space where the cell is unset.
  void set_or_open(const suite_array& cell);
  const Lattice& lattice() const { return lattice_; }
  cl_mem numbers() { return numbers_.at_least(0); }
  const Lattice* lattice_or_open() const { return open_ ? nullptr : &lattice_; }
  std::string kind() const { return define("KIND", open_ ? 5 : static_cast<int>(lattice_.images.kind)); }

private:
  void upload();
  Engine& engine_;
  Lattice lattice_;
  bool open_ = false;
  opencl::Scratch numbers_;
};

// Positions as the loops over pairs want them: for each walker x, y, z in the frame of the cell, as many as
// whole vectors have; of electrons, those of spin down begin with a vector of their own.
struct Layout {
  int lanes = 1;
  int64_t n = 0, first = 0;  // how many, and how many of them belong to the first part
  int64_t begin(int part) const { return part ? ceil_div(first, lanes) * lanes : 0; }
  int64_t size() const { return begin(1) + ceil_div(n - first, lanes) * lanes; }
};
class Framed {
public:
  Framed(Engine& engine, const char* what) : engine_(engine), memory_(engine.backend, engine.queue, what) {}
  cl_mem set(Cell& cell, const Layout& layout, cl_mem positions, int64_t nwalker);
  // Fractions of the lattice vectors instead.
  cl_mem set_fractions(Cell& cell, const Layout& layout, cl_mem positions, int64_t nwalker);

private:
  cl_mem multiply(Cell& cell, cl_int matrix, const Layout& layout, cl_mem positions, int64_t nwalker);
  Engine& engine_;
  opencl::Scratch memory_;
};

// Where the device writes down what a call must be refused for: two numbers for each walker, 0 where all is
// well; read at the end of the call.
class Complaints {
public:
  explicit Complaints(Engine& engine) : engine_(engine), memory_(engine.backend, engine.queue, "the errors found") {}
  cl_mem clear(int64_t nwalker);
  std::vector<double> read() const;

private:
  Engine& engine_;
  opencl::Scratch memory_;
  std::vector<double> zeros_;
  cl_mem last_ = nullptr;
};

}  // namespace suite::qmc::cl
