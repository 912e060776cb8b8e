// SPDX-License-Identifier: BSD-3-Clause
// Leaves files of both kinds in a folder, as apps do: text and HDF5, small ones and ones of several blocks. Ends with 6 and a sentence
// where that cannot be done. For test_full_disk.py.
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "common/io.hpp"
#include "hdf5/hdf5.hpp"
#include "measure/result.hpp"

namespace app = suite::app;

int main(int count, char** words) {
  if (count != 2) return 2;
  try {
    const std::filesystem::path folder = app::make_run_folder("full-disk", words[1]);
    app::write_text_file(folder / "small.txt", "one line\n");
    std::string lines;
    for (int i = 0; i < 40000; ++i) lines += "line " + std::to_string(i) + "\n";
    app::write_text_file(folder / "large.txt", lines);
    std::vector<double> values(400000);
    std::iota(values.begin(), values.end(), 0.0);
    suite::hdf5::Writer file(folder / "values.h5");
    file.text("format", "values 1");
    file.write("values/all", values.data(), {4, 100000});
    file.write("values/few", values.data(), {3});
    file.commit();
  } catch (const app::IoFailure& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 6;
  }
  return 0;
}
