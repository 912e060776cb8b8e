// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace suite::gw::test {

// Puts another dataset in the place of one of an HDF5 file; without a shape a scalar, without values zeros.
template <class T>
void replace_dataset(const std::filesystem::path& path, const std::string& dataset, const std::vector<hsize_t>& shape,
                     const std::vector<T>& values) {
  const hid_t type = std::is_same_v<T, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, dataset.c_str(), H5P_DEFAULT);
  const hid_t space = shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t set = H5Dcreate2(file, dataset.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (!values.empty()) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}

}  // namespace suite::gw::test
