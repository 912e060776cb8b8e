// SPDX-License-Identifier: BSD-3-Clause
// Damaged copies of a file, of which a reader may refuse each with a sentence. FUZZ_CASES and FUZZ_SEED change how many there are, and which.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace suite::gw::test {

template <class T> std::string raw(T value) { return {reinterpret_cast<const char*>(&value), sizeof(T)}; }
std::string bytes_of(const std::filesystem::path& file);

long damaged_files();
// Damages the file again and again and has it read: how many copies were refused. Boost's checks that each of these is a Failure whose sentence can be printed.
// Whatever else is wrong is for `read` to find.
long refused_of_damaged(const std::filesystem::path& file, const std::function<void()>& read);

}  // namespace suite::gw::test
