/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <suite/suite.h>

int main(void) {
  suite_error error = {""};
  suite_call* call = NULL;
  double seconds = 0;
  int status = suite_open("gpp.sigma", "cpu", NULL, &call, &error);
  if (!status) status = suite_generate(call, "small", 1, &error);
  if (!status) status = suite_run(call, &seconds, &error);
  if (status) fprintf(stderr, "%s: %s\n", suite_status_name(status), error.message);
  else printf("gpp.sigma ran on cpu in %g s, suite %s\n", seconds, suite_version());
  suite_close(call);
  return status;
}
