// SPDX-License-Identifier: BSD-3-Clause
#include "cut_planes.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <Eigen/Eigenvalues>

namespace suite::all_electron {
namespace {

class Cutter {
public:
  explicit Cutter(const std::vector<double>& coords) : coords_(coords), along_(coords.size() / 3) {
    batches_.order.resize(along_.size());
    std::iota(batches_.order.begin(), batches_.order.end(), 0u);
  }

  PointBatches cut(size_t most) {
    batches_.first.assign(1, 0);
    if (const size_t n = along_.size(); n > 0) cut(0, n, (n + most - 1) / most);
    return std::move(batches_);
  }

private:
  // Divides the points [begin, end) of the order into `count` batches.
  void cut(size_t begin, size_t end, size_t count) {
    if (count == 1) {
      // Points of a shell keep their order.
      std::sort(batches_.order.begin() + static_cast<std::ptrdiff_t>(begin), batches_.order.begin() + static_cast<std::ptrdiff_t>(end));
      batches_.first.push_back(end);
      return;
    }
    const size_t left = count / 2, middle = begin + (end - begin) * left / count;
    const Eigen::Vector3d axis = longest_axis(begin, end);
    for (size_t i = begin; i < end; ++i) {
      const size_t at = batches_.order[i];
      along_[at] = axis.dot(Eigen::Vector3d::Map(&coords_[3 * at]));
    }
    const auto from = batches_.order.begin();
    std::nth_element(from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(middle),
                     from + static_cast<std::ptrdiff_t>(end),
                     [&](uint32_t a, uint32_t b) { return std::pair(along_[a], a) < std::pair(along_[b], b); });
    cut(begin, middle, left);
    cut(middle, end, count - left);
  }

  Eigen::Vector3d longest_axis(size_t begin, size_t end) const {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
    for (size_t i = begin; i < end; ++i) mean += Eigen::Vector3d::Map(&coords_[3 * batches_.order[i]]);
    mean /= static_cast<double>(end - begin);
    for (size_t i = begin; i < end; ++i) {
      const Eigen::Vector3d from_mean = Eigen::Vector3d::Map(&coords_[3 * batches_.order[i]]) - mean;
      spread += from_mean * from_mean.transpose();
    }
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors().col(2);
  }

  const std::vector<double>& coords_;
  std::vector<double> along_;
  PointBatches batches_;
};

}  // namespace

PointBatches cut_into_batches(const std::vector<double>& coords, size_t most) { return Cutter(coords).cut(std::max<size_t>(most, 1)); }

}  // namespace suite::all_electron
