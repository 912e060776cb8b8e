// SPDX-License-Identifier: BSD-3-Clause
// dfpt.response
#include "engine.hpp"
#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

class ResponseCL : public opencl::WithEngine<Engine, Response> {
public:
  using WithEngine::WithEngine;

  void execute(const suite_array* a) {
    const Response c(a);
    call_ = check_response(c);
    opencl::count_of(c.C, 0, "C");
    opencl::count_of(c.C, 1, "C");
    check_gap(engine.fetch<double>(c.eigenvalues, "eigenvalues").data(), call_.n_occ, call_.n_states);
    const int64_t n = call_.n_basis, n_occ = call_.n_occ, n_empty = call_.n_states - n_occ, n_dir = call_.n_dir;
    const int lanes = engine.vector(), items = engine.local();
    const cl_mem C = memory_of(c.C);
    // H1 C, as long as it is not given.
    cl_mem HC = memory_or(c.HC1, C);
    if (call_.matrices) {
      HC = numbers(products_, n * n_occ * n_dir);
      product({memory_of(c.H1), n * n}, {C, 0, 1, n}, HC, n, n_occ, n);
    }
    // U, 0 without empty states.
    const cl_mem U = numbers(U_, n_empty * n_occ * n_dir), empty = numbers(turned_, n * n_empty);
    if (n_empty > 0) {
      engine.start(text::response, "turn_states", "", n, lanes, items, C, empty, cl_int(n), cl_int(n_occ), cl_int(n_empty));
      product({empty, 0}, {HC, n * n_occ, 1, n}, U, n_empty, n_occ, n, memory_of(c.eigenvalues));
    }
    const cl_mem C1 = c.C1 ? memory_of(c.C1) : numbers(C1_, n * n_occ * n_dir);
    product({C, 0, n * n_occ}, {U, n_empty * n_occ, 1, n_empty}, C1, n, n_occ, n_empty);
    if (!c.density_matrix) return;
    const cl_mem P1 = memory_of(c.density_matrix);
    product({C1, n * n_occ}, {C, 0, n, 1}, P1, n, n, n_occ);
    engine.start(text::response, "symmetrise", "", n * n_dir, lanes, items, P1, cl_int(n), cl_int(n_dir));
  }

private:
  // Matrices of all directions, `size` numbers apart; of the right one elements by step and column.
  struct Left {
    cl_mem data;
    int64_t size, first = 0;  // what is left out at the beginning
  };
  struct Right {
    cl_mem data;
    int64_t size, step, column;
  };

  cl_mem numbers(Scratch& scratch, int64_t count) { return scratch.at_least(at(count) * sizeof(double)); }

  void product(const Left& A, const Right& B, cl_mem result, int64_t rows, int64_t columns, int64_t steps, cl_mem energies = nullptr) {
    const int lanes = engine.vector(), items = engine.local();
    const int64_t tiles = ceil_div(rows, 3 * lanes) * ceil_div(columns, 8) * call_.n_dir;
    as_int(tiles, "tiles of a matrix");
    engine.start(text::response, "product", "", ceil_div(tiles, items), lanes, items, A.data, static_cast<cl_ulong>(A.size),
                 static_cast<cl_ulong>(A.first), B.data, static_cast<cl_ulong>(B.size), static_cast<cl_int>(B.step),
                 static_cast<cl_int>(B.column), result, energies ? energies : A.data, cl_int(energies != nullptr),
                 static_cast<cl_int>(call_.n_occ), static_cast<cl_int>(rows), static_cast<cl_int>(columns), static_cast<cl_int>(steps),
                 static_cast<cl_int>(call_.n_dir));
  }

  ResponseCall call_;
  Scratch products_{engine.backend, engine.queue, "H1 C"}, U_{engine.backend, engine.queue, "the U matrices"},
      turned_{engine.backend, engine.queue, "the empty states"}, C1_{engine.backend, engine.queue, "the first-order orbitals"};
};

}  // namespace

}  // namespace suite::dfpt::cl

const suite_kernel_table* suite::dfpt::response_table() {
  static constexpr suite_kernel_table table = kernel_table<Response, cl::ResponseCL>("opencl", "opencl");
  return &table;
}
