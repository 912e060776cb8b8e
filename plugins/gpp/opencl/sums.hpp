// SPDX-License-Identifier: BSD-3-Clause
// What the files of this plugin ask of each other.
#pragma once

#include <string>
#include <vector>

#include <suite/opencl/engine.hpp>

#include "../gpp.hpp"
#include "../pole_bins.hpp"

namespace suite::gpp {

// The arguments of one call. Indices inside the kernels are 32-bit where they count rows, columns and bands.
struct Call : Sigma {
  explicit Call(const suite_array* arguments);
  cl_int ncouls, ngpown, ntband, nw, nex;
};

// wx_array and occ_array of one call, on the host.
struct Bands {
  std::vector<double> wx, occ;
  const Call& call;
  double x(int64_t iw, int64_t n1, int64_t e) const {
    return kept_off_zero(wx[static_cast<size_t>((e * call.ntband + n1) * call.nw + iw)]);
  }
};

// The same as ../bands.hpp reads a call.
struct OnHost {
  const Call& call;
  const Bands& bands;
  double gamma, sexcut;
  int64_t nw() const { return call.nw; }
  int64_t nex() const { return call.nex; }
  int64_t ntband() const { return call.ntband; }
  double x(int64_t iw, int64_t n1, int64_t e) const { return bands.x(iw, n1, e); }
  double occ_array(int64_t n1) const { return bands.occ[static_cast<size_t>(n1)]; }
};

inline constexpr suite_parameter local_parameter =
    knob("local", 0, 0, 256, "work-items", "work-items of a group; 0: 1 on a CPU, 128 on a GPU");

// What the user chose; 0: as the device wants it.
struct Choices {
  int vector, local, columns;
  bool mixed;
};

using opencl::ceil_div, opencl::define, opencl::count_of;

template <class Argument> cl_mem memory_of(const Argument& argument) { return opencl::memory_of(argument.array()); }

// w and I of a call.
struct PoleBuffers {
  cl_mem w, I;
};
inline PoleBuffers poles_of(const Screening& call) { return {memory_of(call.wtilde_array), memory_of(call.I_eps_array)}; }

// The device, its compiled kernels and the tables of one suite_kernel.
class Engine : public opencl::Engine {
public:
  // name: of the kernel, for messages.
  Engine(const suite_backend* backend, suite_queue* queue, const Choices& choices, const char* name = Sigma::name);

  // Compiled with the given options when it is first wanted. source: one of the texts of sources.hpp.
  const opencl::Kernel& kernel(const char* source, const char* name, const std::string& options);

  Choices choices;
  // Work-items of a group: what the user chose, else 1 on a processor and at most so many elsewhere.
  int local(int most) const;

  // Owned columns that count: column of wtilde and I, row of aqsm, v(G').
  cl_int ncolumns = 0;
  opencl::Scratch igp_of_column, row_of_column, v_of_column;
  opencl::Scratch partial, bands, found;
  // What the lists hold, so that equal ones are not uploaded again.
  std::vector<cl_int> igp_listed, row_listed;
  std::vector<double> v_listed;
};

// The engine's columns from the arguments of either kernel; throws as owned_columns does.
void list_columns(Engine& engine, const Screening& call);

// Whether all w are real numbers from 0 to 1e12, and the lowest that is not 0 (1e12: there is none).
struct Poles {
  bool real = false;
  double lowest = 0;
};
Poles look_at_poles(Engine& engine, const Screening& call);

// Bins of `energies=interpolated` for the finite w. lowest: of them.
inline constexpr int finite_bins = 16;
PoleBins<finite_bins> find_bins(Engine& engine, const Screening& call, double lowest);

// For real w >= 0 (fast.cpp, best.cl).
class FastSums {
public:
  explicit FastSums(Engine& engine);
  void run(const Call& call, const Bands& bands);

private:
  struct Shape;
  void pack(const Call& call, const Shape& shape, cl_int e0, cl_int externals, cl_int first_group, cl_int groups);
  void sum(const Call& call, const Shape& shape, cl_int e0, cl_int externals, cl_int first_group, cl_int groups);
  Engine& engine_;
  opencl::Scratch tables_, x_stream_;
  opencl::Scratch rows_, columns_, rows_stream_, columns_stream_;
};

// Of the sums whose lanes are bands (bands.cpp, moments.cpp): bytes of lists of modes, and of partial sums, at a time; of M of all bands;
// rows G of a list at most; columns G' of a work-item; rows that a work-item packs.
inline constexpr int64_t most_bytes = int64_t(64) << 20, most_packed_bytes = int64_t(512) << 20;
inline constexpr int64_t most_rows = 512, block_columns = 16, pack_rows = 64;
// Rows G of a list: as many lists as keep them within most_rows.
inline int64_t block_rows(const Call& call) {
  return std::max<int64_t>(ceil_div(call.ncouls, std::max<int64_t>(ceil_div(call.ncouls, most_rows), 1)), 1);
}

// For real w >= 0 where results of single bands are wanted, on a processor (bands.cpp, bands.cl). Writes all that is asked for.
class BandSums {
public:
  explicit BandSums(Engine& engine);
  // Whether this device and a call of this size are for it.
  bool serves(const Call& call) const;
  void run(const Call& call, const Bands& bands);

private:
  Engine& engine_;
  opencl::Scratch tables_, rows_, columns_, modes_, row_of_mode_, counts_;
};

// `energies=interpolated` for real w >= 0 (moments.cpp, moments.cl). Writes all that is asked for.
class Moments {
public:
  explicit Moments(Engine& engine);
  // The bins of constants that are new. Looks at w.
  void prepare(const Call& call, double lowest);
  // wx_array must be on the device.
  void run(const Call& call, const Bands& bands);

private:
  struct Plan;
  void pack(const Call& call, const Plan& plan);
  void sort(const Call& call, const Plan& plan, int64_t first, int64_t columns);
  void sum(const Call& call, const Plan& plan, int64_t first, int64_t columns);
  Engine& engine_;
  PoleBins<finite_bins> bins_;
  bool sorted_ = false;  // the lists of all columns are on the device
  opencl::Scratch tables_, rows_, columns_, modes_, basis_, row_of_mode_, starts_, factors_, near_, partial_, near_partial_;
};

// What general_sums is to write beside what the call asks for of single bands: asxtemp and achtemp, achstemp.
struct Wanted {
  bool totals, static_ch;
};

// For any complex w, band by band (general.cl).
void general_sums(Engine& engine, const Call& call, const Wanted& wanted);

// The published steps v1 to v9, and fixed_length as step 10 (ladder.cl).
void ladder_sums(Engine& engine, const Call& call, const Bands& bands, int step);

// Adds the partial sums of `externals` external bands, `count` each, and writes the results (sums.cl).
void gather(Engine& engine, const Call& call, cl_int count, cl_int energies, cl_int iw, cl_int e0, cl_int externals, bool with_static,
            bool again);

}  // namespace suite::gpp
