// SPDX-License-Identifier: BSD-3-Clause
// What the files of this plugin ask of each other.
#pragma once

#include <string>
#include <vector>

#include <suite/opencl/engine.hpp>

#include "../gpp.hpp"

namespace suite::gpp {

// The arguments of one call, named. Indices inside the kernels are 32-bit where they count rows, columns and
// bands.
struct Call {
  explicit Call(const suite_array* arguments);
  cl_mem wtilde, I, aqsn, aqsm, wx, occ;
  cl_mem asx, ach, ach_n1, ach_static;  // the last two null when not wanted
  cl_int ncouls, ngpown, ntband, nw, nex;
  double gamma, sexcut;
  bool real;
  int parts() const { return real ? 1 : 2; }
};

// wx_array and occ_array of one call, on the host.
struct Bands {
  std::vector<double> wx, occ;
  const Call& call;
  // x = E - E_n', never closer to zero than the model has it.
  double x(int64_t iw, int64_t n1, int64_t e) const {
    const double value = wx[static_cast<size_t>((e * call.ntband + n1) * call.nw + iw)];
    return value < 1e-12 && value > -1e-12 ? 1e-12 : value;
  }
};

// What the user chose; 0: as the device wants it.
struct Choices {
  int vector, local, columns;
  bool mixed;
};

using opencl::ceil_div, opencl::define, opencl::count_of;

// The device, its compiled kernels and the tables of one suite_kernel.
class Engine : public opencl::Engine {
public:
  // name: of the kernel, for messages.
  Engine(const suite_backend* backend, suite_queue* queue, const Choices& choices,
         const char* name = Sigma::name);

  // Compiled with the given options when it is first wanted. source: one of the texts of sources.hpp.
  const opencl::Kernel& kernel(const char* source, const char* name, const std::string& options);

  Choices choices;
  // Work-items of a group: what the user chose, else 1 on a processor and at most so many elsewhere.
  int local(int most) const;

  // Owned columns that count: column of wtilde and I, row of aqsm, v(G').
  cl_int ncolumns = 0;
  opencl::Scratch igp_of_column, row_of_column, v_of_column;
  opencl::Scratch partial, bands;
};

// The engine's columns from the arguments of either kernel; throws as check_columns does.
void list_columns(Engine& engine, const suite_array* arguments);

// Whether all w are real numbers from 0 to 1e12, and the lowest that is not 0 (1e12: there is none).
struct Poles {
  bool real = false;
  double lowest = 0;
};
Poles look_at_poles(Engine& engine, cl_mem wtilde, int64_t count);

// For real w >= 0 (fast.cpp, best.cl).
class FastSums {
public:
  explicit FastSums(Engine& engine);
  void run(const Call& call, const Bands& bands);

private:
  struct Shape;
  void pack(const Call& call, const Shape& shape, cl_int e0, cl_int externals, cl_int first_group,
            cl_int groups);
  void sum(const Call& call, const Shape& shape, cl_int e0, cl_int externals, cl_int first_group,
           cl_int groups);
  Engine& engine_;
  opencl::Scratch tables_, x_stream_;
  opencl::Scratch rows_, columns_, rows_stream_, columns_stream_;
};

// What general_sums is to write.
struct Wanted {
  bool totals, static_ch, by_band;
};

// For any complex w, band by band (general.cl).
void general_sums(Engine& engine, const Call& call, const Wanted& wanted);

// The published steps v1 to v9, and fixed_length as step 10 (ladder.cl).
void ladder_sums(Engine& engine, const Call& call, const Bands& bands, int step);

// Adds the partial sums of `externals` external bands, `count` each, and writes the results (sums.cl).
void gather(Engine& engine, const Call& call, cl_int count, cl_int energies, cl_int iw, cl_int e0,
            cl_int externals, bool with_static, bool again);

}  // namespace suite::gpp
