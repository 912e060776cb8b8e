// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <boost/test/unit_test.hpp>

#include <string>

#include <suite/suite.hpp>

#include "../common/outcome.hpp"

using suite::test::contains, suite::test::outcome;

// The backend's own table, as a kernel gets it.
const suite_backend& backend_table();
