// SPDX-License-Identifier: BSD-3-Clause
#include "file_kinds.hpp"

#include <fstream>
#include <string>

#include <suite/plugin.hpp>

#include "hdf5/hdf5.hpp"

namespace suite::gw {
namespace {

enum class Format { unknown, hdf5, binary, ascii };

// What the first bytes say. Binary files of BerkeleyGW are records of Fortran, the first of which has 96 bytes and begins, like the first
// line of ASCII ones, with "WFN-Complex", "RHO-Real" and the like.
struct FirstBytes {
  Format format = Format::unknown;
  std::string kind;  // "WFN", "RHO", "VXC"; "" where it says none

  explicit FirstBytes(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes(16, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto kind_at = [&](size_t at) {
      const std::string word = bytes.substr(at, 3);
      return (word == "WFN" || word == "RHO" || word == "VXC" || word == "KER") && bytes[at + 3] == '-' ? word : "";
    };
    if (bytes.compare(0, 8, "\x89HDF\r\n\x1a\n") == 0) format = Format::hdf5;
    else if (kind = kind_at(4); !kind.empty()) format = Format::binary;
    else if (kind = kind_at(0); !kind.empty()) format = Format::ascii;
  }
};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& sentence) {
  throw Failure(SUITE_INVALID_ARGUMENT, path.string() + ": " + sentence);
}

std::string named(const std::string& kind) {
  return kind == "WFN"   ? "wavefunctions (WFN)"
         : kind == "RHO" ? "a charge density (RHO)"
         : kind == "VXC" ? "an exchange-correlation potential (VXC)"
                         : kind;
}

bool has(const std::filesystem::path& path, const char* dataset) { return hdf5::File(path).has(dataset); }

}  // namespace

void refuse_other_than_wavefunctions(const std::filesystem::path& path) {
  const FirstBytes first(path);
  if (first.kind == "WFN" && first.format == Format::ascii)
    refuse(path, "an ASCII WFN file; BerkeleyGW's mf_convert.x makes it binary: mf_convert.x A2B WFN.ascii WFN");
  if (!first.kind.empty() && first.kind != "WFN")
    refuse(path, "this holds " + named(first.kind) + "; wavefunctions (WFN.h5) are wanted here");
  if (first.format == Format::hdf5 && has(path, "eps_header"))
    refuse(path, "this holds a dielectric matrix (epsmat.h5); wavefunctions (WFN.h5) are wanted here");
}

void refuse_other_than_density(const std::filesystem::path& path) {
  const FirstBytes first(path);
  if (first.format == Format::hdf5) refuse(path, "an HDF5 file; the charge density is read from BerkeleyGW's binary RHO");
  if (first.kind == "RHO" && first.format == Format::ascii)
    refuse(path, "an ASCII RHO file; BerkeleyGW's mf_convert.x makes it binary: mf_convert.x A2B RHO.ascii RHO");
  if (first.format == Format::binary && first.kind != "RHO")
    refuse(path, "this holds " + named(first.kind) + "; a charge density (RHO) is wanted here");
}

void refuse_other_than_vxc(const std::filesystem::path& path) {
  const FirstBytes first(path);
  if (first.kind == "VXC" && first.format == Format::ascii)
    refuse(path, "an ASCII VXC file; BerkeleyGW's mf_convert.x makes it binary: mf_convert.x A2B VXC.ascii VXC");
  if (!first.kind.empty() && first.kind != "VXC")
    refuse(path, "this holds " + named(first.kind) + "; exchange-correlation energies (vxc.dat) or the potential (VXC) are wanted here");
}

void refuse_other_than_dielectric(const std::filesystem::path& path) {
  const FirstBytes first(path);
  if (!first.kind.empty()) refuse(path, "this holds " + named(first.kind) + "; a dielectric matrix (eps0mat.h5, epsmat.h5) is wanted here");
  if (first.format == Format::hdf5 && has(path, "wfns") && !has(path, "eps_header"))
    refuse(path, "this holds wavefunctions (WFN.h5); a dielectric matrix (eps0mat.h5, epsmat.h5) is wanted here");
}

}  // namespace suite::gw
