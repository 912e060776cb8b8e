# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What tools/quickstart and tools/test share. Sourced, from the root of the project.

say() {
  if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then printf '\033[1m%s\033[0m\n' "$*"; else printf '%s\n' "$*"; fi
}

# missing_packages <main|all>: those of tools/packages that dpkg does not know as installed, on one line.
missing_packages() {
  command -v dpkg-query >/dev/null || return 0
  local package
  while read -r package; do
    case "$package" in
      '# [all]') if [ "$1" = main ]; then break; else continue; fi ;;
      '' | '#'*) continue ;;
    esac
    [ "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null)" = "install ok installed" ] || printf '%s ' "$package"
  done <tools/packages
}

# provide_packages <main|all>: installs what is missing where apt may be used; else says what to install and continues if there is a compiler at all,
# since the libraries may have come by another way.
provide_packages() {
  local missing
  missing=$(missing_packages "$1")
  [ -n "$missing" ] || return 0
  apt_command="apt-get install -y --no-install-recommends ${missing% }"
  local as_root=
  if [ "$(id -u)" -ne 0 ]; then
    if sudo -n true 2>/dev/null; then as_root="sudo -n"; else as_root=refused; fi
  fi
  if [ "$as_root" != refused ] && command -v apt-get >/dev/null; then
    say "installing: ${missing% }"
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get -o DPkg::Lock::Timeout=300 -qq update
    # shellcheck disable=SC2086 # a list of names
    $as_root apt-get -o DPkg::Lock::Timeout=300 -qq install -y --no-install-recommends $missing >/dev/null
    apt_command=
    return 0
  fi
  say "not installed: ${missing% }"
  echo "  as root:  $apt_command"
  if ! command -v cmake >/dev/null || ! command -v c++ >/dev/null; then
    echo "Without cmake and a C++ compiler nothing can be built; run the line above and start again." >&2
    exit 2
  fi
  echo "  going on with what is here"
}

# build <target>: configures build/ and builds the target. Warnings are errors with the compiler that we use ourselves;
# with others a new warning should stop nobody. quickstart and test agree on this, so that one does not rebuild the
# other's tree. SUITE_CMAKE_ARGUMENTS: more words for cmake.
build() {
  local jobs arguments language
  jobs=${SUITE_JOBS:-$(nproc)}
  arguments=(-S . -B build -DCMAKE_BUILD_TYPE=Release)
  if [ ! -f build/CMakeCache.txt ] && command -v ninja >/dev/null; then arguments+=(-G Ninja); fi
  if [ "$(c++ -dumpversion 2>/dev/null)" = 12 ]; then arguments+=(-DSUITE_WERROR=ON); fi
  if [ "$1" = main_job ]; then
    # The program with the one app that the main job needs; a build that has more keeps it.
    if [ ! -f build/CMakeCache.txt ]; then arguments+=(-DSUITE_ONLY_APPS=gw); fi
  else
    arguments+=(-DSUITE_ONLY_APPS=)
  fi
  if command -v ccache >/dev/null; then
    for language in C CXX CUDA HIP; do arguments+=("-DCMAKE_${language}_COMPILER_LAUNCHER=ccache"); done
  fi
  # shellcheck disable=SC2206 # a list of words
  arguments+=(${SUITE_CMAKE_ARGUMENTS:-})
  say "configuring build/"
  mkdir -p build
  if ! cmake "${arguments[@]}" >build/configure.log 2>&1; then
    cat build/configure.log
    if [ -n "${apt_command:-}" ]; then echo "Perhaps this helps, as root:  $apt_command"; fi
    exit 2
  fi
  sed -n 's/^-- \(suite \|  \)/  \1/p' build/configure.log
  say "building with $jobs jobs"
  if [ -t 1 ]; then
    cmake --build build --target "$1" --parallel "$jobs"
  elif ! cmake --build build --target "$1" --parallel "$jobs" >build/build.log 2>&1; then
    grep -E -A 12 'FAILED|error:|Error:' build/build.log | head -n 200
    echo "the build failed; all of its output: build/build.log" >&2
    exit 1
  fi
}

# Idle OpenMP threads must not spin beside other work; Open MPI may run as root and with more ranks than cores.
export OMP_WAIT_POLICY=passive
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
