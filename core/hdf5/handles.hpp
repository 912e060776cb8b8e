// SPDX-License-Identifier: BSD-3-Clause
// What reading and writing share: HDF5's handles, closed by themselves, and its messages, kept from the
// terminal.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include <hdf5.h>

namespace suite::hdf5 {

// Turns HDF5's printing off while it lives. The setting belongs to the thread, and the caller may want it on.
class Quiet {
public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// What HDF5 says about its last error: the innermost description.
inline std::string last_error() {
  std::string found;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* e, void* with) -> herr_t {
        if (e->desc && *e->desc) *static_cast<std::string*>(with) = e->desc;
        return 0;
      },
      &found);
  return found.empty() ? "no reason given" : found;
}

// The attribute of a dataset that holds the SHA-256 of its bytes.
inline constexpr const char* digest_name = "sha256";

class Handle {
public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

template <class T> hid_t memory_type() {
  if constexpr (std::is_same_v<T, int>) return H5T_NATIVE_INT;
  if constexpr (std::is_same_v<T, int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
}

}  // namespace suite::hdf5
