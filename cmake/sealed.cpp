// SPDX-License-Identifier: BSD-3-Clause
// Linked into every plugin that the build seals: a section whose name tells the loader to insist on the seal.
namespace {
__attribute__((section("suite_sealed"), used)) const char sealed[] = "suite-seal";
}
