// SPDX-License-Identifier: BSD-3-Clause
// Writes eps0mat.h5 and epsmat.h5 in BerkeleyGW's format, which its sigma.x reads and this app.
#pragma once

#include "dielectric_plan.hpp"

namespace suite::gw {

class EpsilonFile {
public:
  // For q number `first` to `end` - 1 of the plan.
  EpsilonFile(const std::filesystem::path& path, const DielectricPlan& plan, size_t first, size_t end);
  // eps^-1(G,G') of q number iq, all frequencies one after the other, G fastest.
  void put(size_t iq, const Numbers& inverse);
  // A q of another file, and the real part of its first element in the static limit.
  struct Taken {
    size_t iq;
    double inverse_head;
  };
  // The matrices that such a file of the same plan has.
  std::vector<Taken> take(const std::filesystem::path& earlier);
  // Gives the file its name. Until then there is none. qpt_done is 0 of matrices that are missing.
  void commit();

private:
  void write_header(size_t end);
  int64_t columns_together(int64_t n) const;
  const DielectricPlan& plan_;
  size_t first_;
  std::vector<int> done_;  // by row
  std::vector<size_t> order_;  // of the plan's frequencies in the file
  int64_t largest_ = 0, parts_ = 2;  // G of the largest matrix; numbers of an element
  hdf5::Writer file_;
};

}  // namespace suite::gw
