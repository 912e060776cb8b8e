// SPDX-License-Identifier: BSD-3-Clause
// main() of the tests that use Boost.Test, but for those that have one of their own.
#define BOOST_TEST_MODULE suite
#include <boost/test/unit_test.hpp>
