// SPDX-License-Identifier: BSD-3-Clause
#include "engine.hpp"

#include <cstdio>

#include "texts.hpp"

namespace suite::dfpt::cl {
namespace {

std::string literal(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17e", x);
  return text;
}

std::string component(int l, int m) { return concat("Y[", l * l + l + m, "] = "); }

// One column m, from l on: Q_lm from the two below, and what l_max has beyond.
std::string column(int l, int m) {
  if (l > largest_l) return "";
  std::string text = concat("if (l_max >= ", l, ") {\n");
  if (l == m) text += "q = " + literal(harmonics::N(m)) + ";\n";
  else if (l == m + 1) text += "p = q; q = " + literal(harmonics::a(l, m)) + " * z * p;\n";
  else text += "o = p; p = q; q = " + literal(harmonics::a(l, m)) + " * z * p - " + literal(harmonics::b(l, m)) + " * r2 * o;\n";
  if (m == 0) text += component(l, 0) + "q;\n";
  else text += component(l, m) + "q * c; " + component(l, -m) + "q * s;\n";
  return text + column(l + 1, m) + "}\n";
}

// Their constants, for loops over l and m.
std::string tables_text() {
  std::string first, along_z, along_r;
  for (int l = 0; l <= largest_l; ++l) {
    first += literal(harmonics::N(l)) + ",";
    for (int m = 0; m <= largest_l; ++m) {
      along_z += literal(m < l ? harmonics::a(l, m) : 0) + ",";
      along_r += literal(m < l - 1 ? harmonics::b(l, m) : 0) + ",";
    }
  }
  return "__constant double HARMONIC_N[] = {" + first + "};\n__constant double HARMONIC_A[] = {" + along_z +
         "};\n__constant double HARMONIC_B[] = {" + along_r + "};\n";
}

// solid_harmonics of ../harmonics.hpp for vectors of points and an l_max of run time (or of a build option);
// r2 = 1 gives the spherical ones of a unit vector. Every subscript is known at compile time.
std::string harmonics_text() {
  std::string text = tables_text() +
                     "INLINE void solid_harmonics(int l_max, vd x, vd y, vd z, vd r2, vd* Y) {\n"
                     "vd q, p, o, c = 1, s = 0, t;\n";
  for (int m = 0; m <= largest_l; ++m) {
    if (m > 0) text += concat("if (l_max < ", m, ") return;\nt = c * x - s * y; s = s * x + c * y; c = t;\n");
    text += column(m, m);
  }
  return text + "}\n";
}

}  // namespace

// No processor has vectors of more than 8 doubles, and tiles of longer ones fill no registers: 16 counts
// as 8.
Engine::Engine(const suite_backend* b, suite_queue* q, Knobs knobs, const char* name)
    : opencl::Engine(b, q, {knobs.vector == 16 ? 8 : knobs.vector, knobs.local}, name,
                     opencl::vectors_text + harmonics_text() + text::common) {}

}  // namespace suite::dfpt::cl

suite::opencl::Engine suite::device::engine_of_family(const suite_backend* backend, suite_queue* queue, opencl::Knobs knobs,
                                                      const char* kernel) {
  return dfpt::cl::Engine(backend, queue, knobs, kernel);
}

namespace suite::dfpt::cl {

std::vector<double> numbers_of(const std::vector<RadialGrid>& grids) {
  std::vector<double> numbers;
  for (const RadialGrid& grid : grids) numbers.insert(numbers.end(), {grid.first, grid.length, grid.factor});
  return numbers;
}

}  // namespace suite::dfpt::cl
