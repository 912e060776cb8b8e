// SPDX-License-Identifier: BSD-3-Clause
#include "elf.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include <suite/plugin.hpp>

#include "seal.hpp"

namespace suite::core {
namespace {

// True when [offset, offset + size) lies inside the first `limit` bytes; cannot overflow.
bool inside(uint64_t offset, uint64_t size, uint64_t limit) { return offset <= limit && size <= limit - offset; }

std::string header_defect(const File& file, Elf64_Ehdr& header) {
  if (file.size() < sizeof header) return concat("it has ", file.size(), " bytes, too few for an ELF header");
  header = file.at<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return "it is not an ELF file";
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) return "it is not a 64-bit little-endian ELF file";
#if defined(__x86_64__)
  constexpr int machine = EM_X86_64;
#elif defined(__aarch64__)
  constexpr int machine = EM_AARCH64;
#else
  const int machine = header.e_machine;
#endif
  if (header.e_machine != machine) return concat("it is for another CPU architecture (ELF machine ", header.e_machine, ")");
  if (header.e_type != ET_DYN) return concat("it is not a shared library (ELF type ", header.e_type, ")");
  if (header.e_ident[EI_VERSION] != EV_CURRENT || header.e_version != EV_CURRENT || header.e_ehsize != sizeof header)
    return "its ELF header is malformed";
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0 || header.e_phnum > 256)
    return "its program header table is malformed";
  if (!inside(header.e_phoff, uint64_t(header.e_phnum) * sizeof(Elf64_Phdr), file.size()))
    return "its program header table lies beyond its end";
  return "";
}

// The dynamic section must be an ELF array that ends, and its tables must lie in a loaded segment.
std::string dynamic_defect(const File& file, const Elf64_Phdr& dynamic, const std::vector<Elf64_Phdr>& segments) {
  if (dynamic.p_filesz % sizeof(Elf64_Dyn) || dynamic.p_filesz == 0) return "its dynamic section is malformed";
  const auto loaded = [&](uint64_t address) {
    return std::any_of(segments.begin(), segments.end(),
                       [&](const Elf64_Phdr& s) { return s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_memsz; });
  };
  if (!loaded(dynamic.p_vaddr)) return "its dynamic section is not in a loaded segment";
  bool ends = false, symbols = false, strings = false;
  for (const auto& entry : file.array<Elf64_Dyn>(dynamic.p_offset, dynamic.p_filesz / sizeof(Elf64_Dyn))) {
    if (ends) break;
    switch (entry.d_tag) {
      case DT_NULL: ends = true; break;
      case DT_SYMTAB: symbols = true; [[fallthrough]];
      case DT_STRTAB: strings = strings || entry.d_tag == DT_STRTAB; [[fallthrough]];
      case DT_HASH:
      case DT_GNU_HASH:
      case DT_RELA:
      case DT_JMPREL:
      case DT_PLTGOT:
      case DT_INIT:
      case DT_FINI:
      case DT_INIT_ARRAY:
      case DT_FINI_ARRAY:
      case DT_VERSYM:
      case DT_VERNEED:
        if (!loaded(entry.d_un.d_ptr)) return "its dynamic section points outside the loaded segments";
        break;
      default: break;
    }
  }
  if (!ends || !symbols || !strings) return "its dynamic section is incomplete";
  return "";
}

std::string segments_defect(const File& file, const Elf64_Ehdr& header, uint64_t& end) {
  constexpr uint64_t largest_image = uint64_t(1) << 36;
  const auto segments = file.array<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  const Elf64_Phdr* dynamic = nullptr;
  bool loads = false;
  for (const auto& s : segments) {
    if (s.p_type != PT_NULL && s.p_type != PT_GNU_STACK && !inside(s.p_offset, s.p_filesz, file.size()))
      return concat("a segment ends at byte ", s.p_offset + s.p_filesz, " of ", file.size());
    if (s.p_type != PT_GNU_STACK) end = std::max(end, s.p_offset + s.p_filesz);
    if (s.p_type == PT_LOAD) {
      loads = true;
      const bool aligned = s.p_align <= 1 || ((s.p_align & (s.p_align - 1)) == 0 && s.p_vaddr % s.p_align == s.p_offset % s.p_align);
      if (s.p_memsz < s.p_filesz || !aligned || !inside(s.p_vaddr, s.p_memsz, largest_image)) return "a loaded segment is malformed";
    }
    if (s.p_type == PT_DYNAMIC) dynamic = &s;
  }
  if (!loads) return "it has nothing to load";
  if (!dynamic) return "it has no dynamic section";
  return dynamic_defect(file, *dynamic, segments);
}

std::string sections_defect(const File& file, const Elf64_Ehdr& header, Elf& elf) {
  if (header.e_shoff == 0) return "";  // a plugin without sections is legal, it only cannot ask for a seal
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum)
    return "its section header table is malformed";
  if (!inside(header.e_shoff, uint64_t(header.e_shnum) * sizeof(Elf64_Shdr), file.size()))
    return "its section header table lies beyond its end";
  const auto sections = file.array<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  const Elf64_Shdr& name_table = sections[header.e_shstrndx];
  std::vector<char> names;
  if (name_table.sh_type != SHT_NOBITS && inside(name_table.sh_offset, name_table.sh_size, file.size()))
    names = file.array<char>(name_table.sh_offset, name_table.sh_size);
  elf.end = std::max(elf.end, header.e_shoff + uint64_t(header.e_shnum) * sizeof(Elf64_Shdr));
  for (const auto& s : sections) {
    if (s.sh_type == SHT_NULL || s.sh_type == SHT_NOBITS) continue;
    if (!inside(s.sh_offset, s.sh_size, file.size())) return concat("a section lies beyond its end of ", file.size(), " bytes");
    elf.end = std::max(elf.end, s.sh_offset + s.sh_size);
    if (inside(s.sh_name, sizeof sealed_section, names.size()))
      elf.wants_seal |= !std::memcmp(names.data() + s.sh_name, sealed_section, sizeof sealed_section);
  }
  return "";
}

}  // namespace

Elf examine_elf(const File& file) {
  Elf elf;
  Elf64_Ehdr header;
  elf.defect = header_defect(file, header);
  if (elf.defect.empty()) elf.defect = segments_defect(file, header, elf.end);
  if (elf.defect.empty()) elf.defect = sections_defect(file, header, elf);
  elf.end = std::max(elf.end, uint64_t(sizeof header));
  return elf;
}

}  // namespace suite::core
