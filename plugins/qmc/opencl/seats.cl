// SPDX-License-Identifier: BSD-3-Clause
// Rows of the terms that an electron has with all others (pairs.cl, f_term.cl), in front of which this text stands.

// Where a row's electron is and which one it is: `one` from 0, or -1 for all where they are.
typedef struct {
  int w, electron, place, spin;
  double at[3];
} seat;
static seat seat_of(int row, __global const double* rele, __global const double* rnew,
                    __global const double* cell, int one, int npos, int netot, int nup, int second) {
  seat s;
  s.w = row / npos;
  s.electron = one < 0 ? row % npos : one;
  s.spin = s.electron >= nup;
  s.place = s.spin ? s.electron - nup + second : s.electron;
  __global const double* r = one < 0 ? rele + 3 * ((size_t)s.w * netot + s.electron) : rnew + 3 * (size_t)row;
  const double at[3] = {r[0], r[1], r[2]};
  apply(FRAME(cell), at, s.at);
  return s;
}
