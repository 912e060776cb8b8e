// SPDX-License-Identifier: BSD-3-Clause
// The expansions that ../device/far_field.cpp asks for.
#include "../device/far_field.hpp"

#include "texts.hpp"

namespace suite::dfpt {

int64_t far_component(int64_t) { return 8; }
int64_t items_of_groups(const device::Queue& queue, int64_t groups) { return groups * queue.local(); }
AtomMultipoles atom_multipoles() { return {"atom_multipoles", cl::text::far_tree}; }
CellMultipoles cell_multipoles() { return {"cell_multipoles", cl::text::far_tree}; }
LocalExpansions local_expansions() { return {"local_expansions", cl::text::far_tree}; }
MovedExpansions moved_expansions() { return {"moved_expansions", cl::text::far_tree}; }

}  // namespace suite::dfpt
