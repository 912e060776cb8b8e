// SPDX-License-Identifier: BSD-3-Clause
// Formats numbers for people.
#pragma once

#include <string>

namespace suite::app {

std::string fixed(double value, int decimals);  // "83.1"
std::string scientific(double value);  // "3e-14"
std::string metric(double value);  // "1.23 M", "45.6 G": three digits and an SI prefix
std::string seconds_text(double seconds);  // "1.92 s", "14.3 ms", "870 ns"
std::string joules_text(double joules);  // "45.6 mJ", "1.23 J", "12.3 kJ"
std::string bytes_text(double bytes);  // "23.4 GiB"
std::string percent(double fraction);  // "83 %"
// percent() of a measured ceiling: "104 % (!)" above it, which explained() explains in a line below the table.
std::string of_ceiling(double fraction);
std::string explained(const std::string& table);
std::string counted(long number, const std::string& one);  // "1 thread", "2 threads"

}  // namespace suite::app
