// SPDX-License-Identifier: BSD-3-Clause
// suite/host_copies.hpp - the arguments of a call on a device with some arrays copied to the host, for checks and tables that
// need their contents:
//
//   const HostCopies<Basis> host(queue, arguments, {"batch_points", "basis_l"});
//   check_basis(*host);
//   host->basis_l(i);
//
// queue: of gpu.hpp, or an engine of opencl/engine.hpp. Unknown argument names do not compile. Since 0.1.
#pragma once

#include <initializer_list>
#include <vector>

#include <suite/plugin.hpp>

namespace suite {

// Bytes of an element; of the types in suite_type.
constexpr size_t bytes_of(int32_t type) { return type == SUITE_INT32 || type == SUITE_REAL32 ? 4 : type == SUITE_COMPLEX128 ? 16 : 8; }

template <class K> class HostCopies {
public:
  struct Name {
    int position;
    consteval Name(const char* name) : position(suite::position<K>(name)) {}
  };

  template <class Queue>
  HostCopies(const Queue& queue, const suite_array* arguments, std::initializer_list<Name> wanted)
      : arrays_(arguments, arguments + rows<K>.size()), arguments_(arrays_.data()) {
    for (const Name name : wanted) {
      suite_array& array = arrays_[static_cast<size_t>(name.position)];
      if (!array.data || array.rank == 0) continue;  // scalars lie on the host
      size_t bytes = bytes_of(array.type);
      for (int d = 0; d < array.rank; ++d) bytes *= static_cast<size_t>(array.extent[d]);
      copies_.emplace_back(bytes);
      queue.download(copies_.back().data(), array.data, bytes);
      array.data = copies_.back().data();
    }
    queue.wait();
    arguments_ = K(arrays_.data());
  }
  HostCopies(const HostCopies&) = delete;
  HostCopies& operator=(const HostCopies&) = delete;

  const K& operator*() const { return arguments_; }
  const K* operator->() const { return &arguments_; }

private:
  std::vector<suite_array> arrays_;
  std::vector<std::vector<char>> copies_;
  K arguments_;
};

}  // namespace suite
