// SPDX-License-Identifier: BSD-3-Clause
// <n|exp(iGr)|n> of bands of one k, and <n|exp(iGr)|m> of some pairs of them.
#pragma once

#include <functional>

#include "elements_kernel.hpp"

namespace suite::gw {

// `bands` begin with number `first`, from 1. take(n, m, at): those of all g stand in `work` from number `at` on; n = m of each band comes first,
// then the pairs, in no order.
void band_densities(ElementsKernel& kernel, const Bands& bands, const std::vector<Miller>& g, const std::vector<Element>& pairs, int first,
                    Numbers& work, const std::function<void(int n, int m, size_t at)>& take);

}  // namespace suite::gw
