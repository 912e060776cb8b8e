// SPDX-License-Identifier: BSD-3-Clause
#include "paths.hpp"

namespace suite::app {

namespace fs = std::filesystem;

fs::path program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

fs::path installed_inputs() { return program().parent_path().parent_path() / "share" / "suite" / "inputs"; }

fs::path installed_schemas() { return program().parent_path().parent_path() / "share" / "suite" / "schema" / "input"; }

fs::path module(const std::string& name) {
  // SUITE_LIBDIR is CMAKE_INSTALL_LIBDIR ("lib", "lib/x86_64-linux-gnu"), also in the build tree.
  const fs::path file = program().parent_path().parent_path() / SUITE_LIBDIR / "suite" / "modules" / name;
  std::error_code error;
  return fs::is_regular_file(file, error) ? file : fs::path();
}

}  // namespace suite::app
