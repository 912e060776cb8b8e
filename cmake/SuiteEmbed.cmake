# SPDX-License-Identifier: BSD-3-Clause
# cmake -DHEADER=<file> "-DFILES=<path>;..." -P SuiteEmbed.cmake: a C++ header with the text of each file <name>.cl or <name>.h as the
# string literal <name>_cl. In pieces, because compilers limit the length of one literal to 64 KiB.
set(text "// SPDX-License-Identifier: BSD-3-Clause\n#pragma once\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} content)
  string(LENGTH "${content}" length)
  string(APPEND text "inline constexpr char ${name}_cl[] =")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 8000 piece)
    string(APPEND text "\nR\"SUITE_CL(${piece})SUITE_CL\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND text ";\n")
endforeach()
file(WRITE ${HEADER} "${text}")
