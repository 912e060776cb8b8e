# SPDX-License-Identifier: BSD-3-Clause
# What an earlier configure did not find is looked for again: a compiler may have been installed since (tools/quickstart, then tools/test).
# CMake's find_ commands do so by themselves; check_language() and checks by compiling keep their first answer in the cache.
include(CheckLanguage)

# suite_check_language(<language>): check_language() that believes only a compiler that was found.
macro(suite_check_language language)
  if(NOT CMAKE_${language}_COMPILER)
    unset(CMAKE_${language}_COMPILER CACHE)
  endif()
  check_language(${language})
endmacro()
