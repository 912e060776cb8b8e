# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=<dir> -DHEADER=<file> -P SuiteGitHeader.cmake: a header with the commit of a git checkout, rewritten
# only when that changes.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
file(CONFIGURE OUTPUT ${HEADER} CONTENT "// SPDX-License-Identifier: BSD-3-Clause\n#define SUITE_GIT_COMMIT \"${commit}\"\n")
