// SPDX-License-Identifier: BSD-3-Clause
// The functions behind `suite VERB`, one file each. They return the exit code or throw.
#pragma once

#include <exception>
#include <string>

#include "options.hpp"

namespace suite::app {

int run_verb(const Arguments&);
int list_verb(const Arguments&);
int check_verb(const Arguments&);
int compare_verb(const Arguments&);
int bench_verb(const Arguments&);
int ladder_verb(const Arguments&);
int roofline_verb(const Arguments&);
int validate_verb(const Arguments&);
int report_verb(const Arguments&);
int history_verb(const Arguments&);
int init_verb(const Arguments&);
int schema_verb(const Arguments&);
int help_verb(const Arguments&);
int version_verb(const Arguments&);
int completion_verb(const Arguments&);

// Help texts, for the help verb and --help.
std::string general_help();
std::string verb_help(const Verb& verb);

// Prints an exception on standard error, and with --json as an object on standard output; returns the exit code. topic: the help topic
// suggested for errors on the command line.
int report_failure(const std::exception_ptr& failure, const std::string& topic, bool json);

}  // namespace suite::app
