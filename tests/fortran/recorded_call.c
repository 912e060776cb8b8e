/* SPDX-License-Identifier: BSD-3-Clause
   Reads a call recorded inside BerkeleyGW for recorded_calls.f90: HDF5, complex numbers as compounds {r,i}. A result below zero: it
   is not there, or it has another length. */
#include <hdf5.h>

static hid_t type_in_memory(hid_t dataset) {
  const hid_t stored = H5Dget_type(dataset);
  const H5T_class_t kind = H5Tget_class(stored);
  H5Tclose(stored);
  if (kind == H5T_INTEGER) return H5Tcopy(H5T_NATIVE_INT);
  if (kind == H5T_FLOAT) return H5Tcopy(H5T_NATIVE_DOUBLE);
  const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * sizeof(double));
  H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "i", sizeof(double), H5T_NATIVE_DOUBLE);
  return type;
}

static int length_of(hid_t dataset) {
  const hid_t space = H5Dget_space(dataset);
  const int length = (int)H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  return length;
}

static hid_t open_dataset(const char* path, const char* name) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return -1;
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT); /* keeps the file open */
  H5Fclose(file);
  return dataset;
}

int recorded_length(const char* path, const char* name) {
  const hid_t dataset = open_dataset(path, name);
  if (dataset < 0) return -1;
  const int length = length_of(dataset);
  H5Dclose(dataset);
  return length;
}

int recorded_values(const char* path, const char* name, int length, void* to) {
  const hid_t dataset = open_dataset(path, name);
  if (dataset < 0) return -1;
  int status = -1;
  if (length_of(dataset) == length) {
    const hid_t type = type_in_memory(dataset);
    status = (int)H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
    H5Tclose(type);
  }
  H5Dclose(dataset);
  return status;
}

int recorded_attribute(const char* path, const char* name, double* to) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return -1;
  int status = -1;
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  if (attribute >= 0) {
    status = (int)H5Aread(attribute, H5T_NATIVE_DOUBLE, to);
    H5Aclose(attribute);
  }
  H5Fclose(file);
  return status;
}
