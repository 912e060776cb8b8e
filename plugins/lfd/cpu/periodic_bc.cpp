// SPDX-License-Identifier: BSD-3-Clause
// lfd.periodic_bc: the six faces of ghost points, as copies of rows and of whole runs of rows.
#include "kernels.hpp"

namespace suite::lfd {
namespace {

class Cpu : public cpu::WithThreads<> {
public:
  using WithThreads::WithThreads;

  void execute(const suite_array* a) {
    const PeriodicBc c(a);
    const int64_t row = c.psi.extent(0) * (is_single(c.psi.array()) ? 8 : 16), nz = c.psi.extent(1) - 2, ny = c.psi.extent(2) - 2,
                  nx = c.psi.extent(3) - 2;
    char* const psi = static_cast<char*>(c.psi.array().data);
    const auto at = [&](int64_t x, int64_t y, int64_t z) { return psi + ((x * (ny + 2) + y) * (nz + 2) + z) * row; };
    const auto copy = [&](char* to, const char* from, int64_t rows) { std::copy(from, from + rows * row, to); };
    // The faces across x come from points that the others do not write.
    in_parallel(threads_, ny, 65536 / (nz * row) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t y = begin + 1; y <= end; ++y) {
        copy(at(0, y, 1), at(nx, y, 1), nz);
        copy(at(nx + 1, y, 1), at(1, y, 1), nz);
      }
    });
    in_parallel(threads_, nx, 65536 / ((nz + ny) * row) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t x = begin + 1; x <= end; ++x) {
        copy(at(x, 0, 1), at(x, ny, 1), nz);
        copy(at(x, ny + 1, 1), at(x, 1, 1), nz);
        for (int64_t y = 1; y <= ny; ++y) {
          copy(at(x, y, 0), at(x, y, nz), 1);
          copy(at(x, y, nz + 1), at(x, y, 1), 1);
        }
      }
    });
  }
};

}  // namespace

extern const suite_kernel_table periodic_bc_table;
constexpr suite_kernel_table periodic_bc_table = kernel_table<PeriodicBc, Cpu>("cpu", "cpu");

}  // namespace suite::lfd
