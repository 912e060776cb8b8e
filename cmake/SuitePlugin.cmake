# SPDX-License-Identifier: BSD-3-Clause
# suite_add_plugin(<name> SOURCES <file>... [LIBRARIES <target>...] [OPTIONS <flag>...] [ISA <level>...])
#
# One loadable plugin suite_<name>.so (name: <family>_<implementation> or backend_<name>) with one exported symbol.
# ISA x86-64-v3 x86-64-v4 builds it again for those levels, into <plugins>/<level>/; the loader takes the best one
# that the processor runs.
function(suite_add_plugin name)
  cmake_parse_arguments(plugin "" "" "SOURCES;LIBRARIES;OPTIONS;ISA" ${ARGN})
  suite_add_one_plugin(suite_${name} "" "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    foreach(level IN LISTS plugin_ISA)
      suite_add_one_plugin(suite_${name}.${level} ${level} -march=${level})
    endforeach()
  endif()
endfunction()

macro(suite_add_one_plugin target subfolder arch)
  add_library(${target} MODULE ${plugin_SOURCES})
  target_link_libraries(${target} PRIVATE suite::plugin ${plugin_LIBRARIES})
  target_compile_options(${target} PRIVATE ${plugin_OPTIONS} ${arch})
  target_compile_features(${target} PRIVATE cxx_std_20)
  string(JOIN " " plugin_flags ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${plugin_OPTIONS} ${arch})
  target_compile_definitions(${target} PRIVATE "SUITE_PLUGIN_COMPILER=\"${plugin_flags}\"")
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME suite_${name}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${SUITE_PLUGIN_DIR}/${subfolder})
  target_link_options(${target} PRIVATE -Wl,--version-script=${SUITE_CMAKE_DIR}/plugin.map -Wl,--no-undefined)
  install(TARGETS ${target} LIBRARY DESTINATION ${SUITE_PLUGIN_DIR}/${subfolder})
endmacro()
set(SUITE_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})
