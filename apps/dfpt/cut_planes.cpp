// SPDX-License-Identifier: BSD-3-Clause
#include "cut_planes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <Eigen/Eigenvalues>

namespace suite::all_electron {
namespace {

// Parts of fewer points are cut by one thread.
constexpr size_t few_points = 20000;

class Cutter {
public:
  explicit Cutter(const std::vector<double>& coords) : points_(coords.size() / 3) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < points_.size(); ++i) points_[i] = {Eigen::Vector3d::Map(&coords[3 * i]), 0, static_cast<uint32_t>(i)};
  }

  PointBatches cut(size_t most) {
    const size_t n = points_.size(), count = (n + most - 1) / most;
    PointBatches batches;
    batches.first.assign(1, 0);
    batches.first.resize(count + 1);
    batches.order.resize(n);
#pragma omp parallel
#pragma omp single
    if (n > 0) cut(0, n, {0, count}, batches);
    return batches;
  }

private:
  struct Point {
    Eigen::Vector3d at;
    double along;
    uint32_t number;
  };
  struct Numbers {
    size_t first, count;
  };

  // Divides the points [begin, end) into the batches with these numbers. Threads share the parts, which do not depend on each other.
  void cut(size_t begin, size_t end, Numbers numbers, PointBatches& batches) {
    if (numbers.count == 1) {
      const auto from = batches.order.begin() + static_cast<std::ptrdiff_t>(begin);
      for (size_t i = begin; i < end; ++i) batches.order[i] = points_[i].number;
      std::sort(from, from + static_cast<std::ptrdiff_t>(end - begin));  // points of a shell keep their order
      batches.first[numbers.first + 1] = end;
      return;
    }
    const size_t left = numbers.count / 2, middle = begin + (end - begin) * left / numbers.count;
    const Eigen::Vector3d axis = longest_axis(begin, end);
    for (size_t i = begin; i < end; ++i) points_[i].along = axis.dot(points_[i].at);
    const auto from = points_.begin();
    std::nth_element(from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(middle),
                     from + static_cast<std::ptrdiff_t>(end),
                     [](const Point& a, const Point& b) { return std::pair(a.along, a.number) < std::pair(b.along, b.number); });
#pragma omp task if (end - begin > few_points) shared(batches)
    cut(begin, middle, {numbers.first, left}, batches);
    cut(middle, end, {numbers.first + left, numbers.count - left}, batches);
#pragma omp taskwait
  }

  Eigen::Vector3d longest_axis(size_t begin, size_t end) const {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
    for (size_t i = begin; i < end; ++i) mean += points_[i].at;
    mean /= static_cast<double>(end - begin);
    for (size_t i = begin; i < end; ++i) {
      const Eigen::Vector3d from_mean = points_[i].at - mean;
      spread += from_mean * from_mean.transpose();
    }
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors().col(2);
  }

  std::vector<Point> points_;
};

}  // namespace

PointBatches cut_into_batches(const std::vector<double>& coords, size_t most) { return Cutter(coords).cut(std::max<size_t>(most, 1)); }

}  // namespace suite::all_electron
