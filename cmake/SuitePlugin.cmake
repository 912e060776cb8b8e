# SPDX-License-Identifier: BSD-3-Clause
# suite_add_plugin(<name> [SOURCES <file>...] [LIBRARIES <target>...] [OPTIONS <flag>...] [ISA <level>...]
#                  [DIRECTORY <folder>] [COMPILER <text>] [NO_INSTALL] [NO_SEAL] [UNITY])
#
# Without SOURCES: all .cpp of the folder and of the family's above it (generate, cost).
# One loadable plugin suite_<name>.so (name: <family>_<implementation> or backend_<name>) with one exported symbol,
# sealed after linking. ISA x86-64-v3 x86-64-v4 armv8-a+sve builds it again for those of these levels that are of the architecture, into
# <plugins>/<level>/; the loader takes the best one that the CPU runs. COMPILER says what compiled it where that is not the C++ compiler. UNITY: in suite's own
# build several sources are compiled at a time, for plugins without loops of their own that are hot.
#
# It works in suite's own build and after find_package(suite). There the plugin is made in the project's build folder,
# or in DIRECTORY, and installed only where SUITE_PLUGIN_DIR is set.
option(SUITE_SEAL "Seal plugins; OFF where a packager strips them later" ON)
set(SUITE_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# suite_find_sources(<variable> <extension>...): the files of the folder with these extensions, and the .cpp of the family's
# folder above it: in suite's own build as objects, which all plugins of the family share. suite_find_device_sources: besides, the
# host side of the family's device plugins (suite/device.hpp), the .cpp of the folder device beside it.
function(suite_find_sources variable)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/*.)
  file(GLOB mine CONFIGURE_DEPENDS ${ARGN})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH family)
  cmake_path(GET family FILENAME name)
  set(shared)
  if(TARGET suite_${name}_shared)
    set(shared $<TARGET_OBJECTS:suite_${name}_shared>)
  elseif(EXISTS ${family}/${name}.hpp)
    file(GLOB shared CONFIGURE_DEPENDS ${family}/*.cpp)
  endif()
  set(${variable} ${mine} ${shared} PARENT_SCOPE)
endfunction()
function(suite_find_device_sources variable)
  suite_find_sources(found ${ARGN})
  file(GLOB device CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/../device/*.cpp)
  set(${variable} ${found} ${device} PARENT_SCOPE)
endfunction()

function(suite_add_plugin name)
  cmake_parse_arguments(plugin "NO_INSTALL;NO_SEAL;UNITY" "DIRECTORY;COMPILER" "SOURCES;LIBRARIES;OPTIONS;ISA" ${ARGN})
  if(NOT plugin_SOURCES)
    suite_find_sources(plugin_SOURCES cpp)
  endif()
  if(NOT plugin_DIRECTORY)
    set(plugin_DIRECTORY ${PROJECT_BINARY_DIR})
    if(SUITE_PLUGIN_DIR)
      string(APPEND plugin_DIRECTORY /${SUITE_PLUGIN_DIR})
    endif()
  endif()
  set(CMAKE_UNITY_BUILD OFF)  # a kernel is compiled alone: what is beside it must not change its code
  if(plugin_UNITY AND COMMAND suite_compile_together)
    suite_compile_together()
  endif()
  suite_add_one_plugin(suite_${name} "" "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(FILTER plugin_ISA INCLUDE REGEX ^x86-)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(FILTER plugin_ISA INCLUDE REGEX ^armv)
  else()
    set(plugin_ISA)
  endif()
  foreach(level IN LISTS plugin_ISA)
    suite_add_one_plugin(suite_${name}.${level} /${level} -march=${level})
  endforeach()
endfunction()

macro(suite_add_one_plugin target subfolder arch)
  add_library(${target} MODULE ${plugin_SOURCES})
  target_link_libraries(${target} PRIVATE suite::plugin ${plugin_LIBRARIES})
  target_compile_options(${target} PRIVATE ${plugin_OPTIONS} ${arch})
  target_compile_features(${target} PRIVATE cxx_std_20)
  string(JOIN " " plugin_flags ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${plugin_OPTIONS} ${arch})
  if(plugin_COMPILER)
    set(plugin_flags ${plugin_COMPILER})
  endif()
  target_compile_definitions(${target} PRIVATE "SUITE_PLUGIN_COMPILER=\"${plugin_flags}\"")
  # With the install RPATH from the start, installing does not edit the file and so keeps the seal.
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME suite_${name} NO_SONAME ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH ""
    LIBRARY_OUTPUT_DIRECTORY ${plugin_DIRECTORY}${subfolder})
  # The loader refuses folders that others may write, whatever the umask was.
  file(MAKE_DIRECTORY ${plugin_DIRECTORY}${subfolder})
  execute_process(COMMAND chmod go-w ${plugin_DIRECTORY}${subfolder})
  target_link_options(${target} PRIVATE -Wl,--version-script=${SUITE_CMAKE_DIR}/plugin.map -Wl,--no-undefined)
  if(SUITE_SEAL AND NOT plugin_NO_SEAL)
    target_sources(${target} PRIVATE ${SUITE_CMAKE_DIR}/sealed.cpp)
    add_custom_command(TARGET ${target} POST_BUILD COMMAND suite::seal $<TARGET_FILE:${target}> VERBATIM)
  endif()
  if(NOT plugin_NO_INSTALL AND SUITE_PLUGIN_DIR)
    if(name MATCHES "_(reference|cpu)$")
      set_property(GLOBAL APPEND PROPERTY SUITE_HOST_PLUGINS ${target})
    endif()
    # Those for a kind of device are parts of the installation that one can leave out.
    set(component plugins)
    if(name MATCHES "_(opencl|cuda|hip|emulated)$")
      set(component ${CMAKE_MATCH_1})
    endif()
    install(TARGETS ${target} LIBRARY DESTINATION ${SUITE_PLUGIN_DIR}${subfolder} COMPONENT ${component})
    if(SUITE_SEAL AND NOT plugin_NO_SEAL)
      suite_reseal_after_strip(${SUITE_PLUGIN_DIR}${subfolder}/suite_${name}.so ${component})
    endif()
  endif()
endmacro()

# strip (cmake --install --strip) drops the seal with everything else that follows the ELF sections.
function(suite_reseal_after_strip file component)
  install(CODE "
    if(CMAKE_INSTALL_DO_STRIP)
      execute_process(COMMAND \"$<TARGET_FILE:suite::seal>\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\" COMMAND_ERROR_IS_FATAL ANY)
    endif()" COMPONENT ${component})
endfunction()
