/* SPDX-License-Identifier: BSD-3-Clause
 * What libsuite asks of the module that writes HDF5 files (core/capture), which it loads when SUITE_CAPTURE
 * is set. */
#pragma once

#include <suite/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SUITE_CAPTURE_MODULE_VERSION 1u

typedef struct suite_capture_file suite_capture_file;

/* Functions that return int return a suite_status. They may be called from several threads. */
typedef struct suite_capture_module {
  uint32_t version; /* SUITE_CAPTURE_MODULE_VERSION */
  /* A file that is written under a temporary name made from this one. */
  int (*create)(const char* name, suite_capture_file**, suite_error*);
  /* Attributes of a dataset, or of the file: of is "/". */
  int (*text)(suite_capture_file*, const char* of, const char* name, const char* value, suite_error*);
  int (*number)(suite_capture_file*, const char* of, const char* name, double value, suite_error*);
  /* A dataset of an array on the host. */
  int (*array)(suite_capture_file*, const char* dataset, const suite_array*, suite_error*);
  /* Gives the file the next name of STEM-1.h5, STEM-2.h5, ... that is free. The file is to be discarded
   * after it as well. */
  int (*commit)(suite_capture_file*, const char* stem, suite_error*);
  /* Closes the file; nothing is left of one that was not committed. */
  void (*discard)(suite_capture_file*);
} suite_capture_module;

SUITE_EXPORT const suite_capture_module* suite_capture_module_query(void);

#ifdef __cplusplus
}
#endif
