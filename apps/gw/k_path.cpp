// SPDX-License-Identifier: BSD-3-Clause
#include "k_path.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include <suite/plugin.hpp>

#include "common/near.hpp"

namespace suite::gw {

namespace {

constexpr double third = 1.0 / 3.0;

// A reciprocal basis is one of this kind if its metric is, up to scale: pairs of elements that must be equal, and ratios.
struct LatticeKind {
  const char* name;
  bool (*has)(const Matrix3& g);  // the metric of a basis, scaled to g[0][0] = 1
  std::vector<LabelledPoint> points;
  std::vector<std::string> path;
};

bool alike(double a, double b) { return std::abs(a - b) <= 1e-4; }
bool orthogonal(const Matrix3& g) { return alike(g[0][1], 0) && alike(g[0][2], 0) && alike(g[1][2], 0); }
bool equal_axes(const Matrix3& g, double cosine) {
  return alike(g[1][1], 1) && alike(g[2][2], 1) && alike(g[0][1], cosine) && alike(g[0][2], cosine) && alike(g[1][2], cosine);
}

// Those with more symmetry first.
const std::vector<LatticeKind>& lattice_kinds() {
  static const std::vector<LatticeKind> kinds{
      {"simple cubic",
       [](const Matrix3& g) { return equal_axes(g, 0); },
       {{"X", {0, 0.5, 0}}, {"M", {0.5, 0.5, 0}}, {"R", {0.5, 0.5, 0.5}}},
       {"Gamma", "X", "M", "Gamma", "R", "X|M", "R"}},
      {"face-centred cubic",
       [](const Matrix3& g) { return equal_axes(g, -third); },
       {{"X", {0.5, 0, 0.5}}, {"L", {0.5, 0.5, 0.5}}, {"W", {0.5, 0.25, 0.75}}, {"K", {0.375, 0.375, 0.75}}, {"U", {0.625, 0.25, 0.625}}},
       {"L", "Gamma", "X", "U|K", "Gamma"}},
      {"body-centred cubic",
       [](const Matrix3& g) { return equal_axes(g, 0.5); },
       {{"H", {0.5, -0.5, 0.5}}, {"P", {0.25, 0.25, 0.25}}, {"N", {0, 0, 0.5}}},
       {"Gamma", "H", "N", "Gamma", "P", "H|P", "N"}},
      {"hexagonal",
       [](const Matrix3& g) { return alike(g[1][1], 1) && alike(g[0][1], 0.5) && alike(g[0][2], 0) && alike(g[1][2], 0); },
       {{"M", {0.5, 0, 0}}, {"K", {third, third, 0}}, {"A", {0, 0, 0.5}}, {"L", {0.5, 0, 0.5}}, {"H", {third, third, 0.5}}},
       {"Gamma", "M", "K", "Gamma", "A", "L", "H", "A|L", "M|K", "H"}},
      {"tetragonal",
       [](const Matrix3& g) { return orthogonal(g) && alike(g[1][1], 1); },
       {{"X", {0, 0.5, 0}}, {"M", {0.5, 0.5, 0}}, {"Z", {0, 0, 0.5}}, {"R", {0, 0.5, 0.5}}, {"A", {0.5, 0.5, 0.5}}},
       {"Gamma", "X", "M", "Gamma", "Z", "R", "A", "Z|X", "R|M", "A"}},
      {"orthorhombic",  // a < b < c
       [](const Matrix3& g) { return orthogonal(g) && g[1][1] < 1 && g[2][2] < g[1][1]; },
       {{"X", {0.5, 0, 0}},
        {"Y", {0, 0.5, 0}},
        {"Z", {0, 0, 0.5}},
        {"S", {0.5, 0.5, 0}},
        {"T", {0, 0.5, 0.5}},
        {"U", {0.5, 0, 0.5}},
        {"R", {0.5, 0.5, 0.5}}},
       {"Gamma", "X", "S", "Y", "Gamma", "Z", "U", "R", "T", "Z|Y", "T|U", "X|S", "R"}},
  };
  return kinds;
}

int volume_of(const Miller& a, const Miller& b, const Miller& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// A basis of the reciprocal lattice with such a metric: the given one if it has it, else of short combinations.
std::optional<std::array<Miller, 3>> basis_of(const LatticeKind& kind, const Matrix3& bdot) {
  std::vector<Miller> all{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int a = 2; a >= -2; --a)
    for (int b = 2; b >= -2; --b)
      for (int c = 2; c >= -2; --c)
        if (const Miller g{a, b, c}; g != Miller{} && std::find(all.begin(), all.end(), g) == all.end()) all.push_back(g);
  std::stable_sort(all.begin() + 3, all.end(),
                   [&](const Miller& a, const Miller& b) { return length2(bdot, real(a)) < length2(bdot, real(b)) * (1 - 1e-9); });
  // In a basis of short vectors none is longer than these.
  double longest = 0;
  for (int i = 0; i < 3; ++i) longest = std::max(longest, bdot[i][i]);
  std::erase_if(all, [&](const Miller& g) { return length2(bdot, real(g)) > longest * (1 + 1e-6); });
  for (const Miller& a : all)
    for (const Miller& b : all)
      for (const Miller& c : all) {
        if (std::abs(volume_of(a, b, c)) != 1) continue;
        const std::array<Miller, 3> basis{a, b, c};
        Matrix3 metric{};
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) metric[i][j] = dot(bdot, real(basis[i]), real(basis[j])) / length2(bdot, real(a));
        if (kind.has(metric)) return basis;
      }
  return {};
}

std::string without_ends(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// "U|K" as its labels. Every spelling of Gamma is one.
std::vector<std::string> labels_in(const std::string& entry) {
  std::vector<std::string> labels;
  std::istringstream in(entry + "|");
  for (std::string label; std::getline(in, label, '|');) {
    label = without_ends(label);
    for (const char* gamma : {"G", "GAMMA", "gamma", "Γ", "\\Gamma"})
      if (label == gamma) label = "Gamma";
    labels.push_back(label);
  }
  return labels;
}

}  // namespace

ZoneLabels zone_labels(const Matrix3& bdot, const std::array<bool, 3>& flat) {
  ZoneLabels zone;
  zone.points.push_back({"Gamma", {}});
  const auto leaves_plane = [&](const Vector3& k) {
    for (int i = 0; i < 3; ++i)
      if (flat[i] && std::abs(k[i]) > 1e-9) return true;
    return false;
  };
  for (const LatticeKind& kind : lattice_kinds()) {
    const auto basis = basis_of(kind, bdot);
    if (!basis) continue;
    zone.lattice = kind.name;
    for (const LabelledPoint& point : kind.points) {
      LabelledPoint mine{point.label, {}};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) mine.k[i] += point.k[j] * (*basis)[j][i];
      if (!leaves_plane(mine.k)) zone.points.push_back(mine);
    }
    // What is left of the path in the plane: stretches of at least two points.
    std::vector<std::vector<std::string>> stretches(1);
    for (const std::string& entry : kind.path) {
      const auto labels = labels_in(entry);
      for (size_t i = 0; i < labels.size(); ++i) {
        if (i > 0) stretches.emplace_back();
        const bool there =
            std::any_of(zone.points.begin(), zone.points.end(), [&](const LabelledPoint& p) { return p.label == labels[i]; });
        if (there) stretches.back().push_back(labels[i]);
        else stretches.emplace_back();
      }
    }
    for (const auto& stretch : stretches) {
      if (stretch.size() < 2) continue;
      size_t from = 0;
      if (!zone.path.empty()) zone.path.back() += "|" + stretch[from++];
      zone.path.insert(zone.path.end(), stretch.begin() + static_cast<std::ptrdiff_t>(from), stretch.end());
    }
    break;
  }
  return zone;
}

Vector3 parse_coordinates(const std::string& label, const std::string& text) {
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  std::istringstream in(spaced);
  Vector3 k{};
  std::string rest;
  if (!(in >> k[0] >> k[1] >> k[2]) || in >> rest)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("label {} needs three crystal coordinates such as 0.5 0.25 0; got '{}'", label, text));
  for (const double x : k)
    if (!(std::abs(x) <= 10))
      throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("label {} has the coordinate {:g}; it must be in -10..10", label, x));
  return k;
}

KPath::KPath(const std::vector<std::string>& entries, const std::vector<LabelledPoint>& own, const ZoneLabels& lattice, const Matrix3& bdot,
             int count) {
  const auto refuse_path = [](const std::string& sentence) { throw Failure(SUITE_INVALID_ARGUMENT, sentence); };
  std::vector<std::string> path = entries;
  if (path.size() == 1 && path[0] == "auto") {
    if (lattice.path.empty())
      refuse_path(
          "the lattice is not simple, face-centred or body-centred cubic, hexagonal, tetragonal or orthorhombic: give the labels of the "
          "path, and their "
          "coordinates in 'labels'");
    path = lattice.path;
  }
  std::vector<LabelledPoint> known = own;
  known.insert(known.end(), lattice.points.begin(), lattice.points.end());
  const auto find = [&](const std::string& label) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const LabelledPoint& p) { return p.label == label; });
    if (found != known.end()) return *found;
    std::vector<std::string> names;
    std::string all;
    for (const auto& p : known) names.push_back(p.label), all += (all.empty() ? "" : ", ") + p.label;
    refuse_path(fmt::format("no label {}{}; {}: {}; others go into 'labels'", app::in_quotes(label), app::did_you_mean(label, names),
                            lattice.lattice.empty() ? "known" : "those of the " + lattice.lattice + " lattice", all));
    return LabelledPoint{};
  };
  std::vector<std::vector<LabelledPoint>> stretches(1);
  for (const std::string& entry : path) {
    const auto labels = labels_in(entry);
    for (size_t i = 0; i < labels.size(); ++i) {
      if (i > 0) stretches.emplace_back();
      stretches.back().push_back(find(labels[i]));
    }
  }
  double length = 0;
  for (const auto& stretch : stretches) {
    if (stretch.size() < 2)
      refuse_path(fmt::format("the path has a single point, {}, between two jumps; a line needs two", stretch[0].label));
    for (size_t i = 0; i < stretch.size(); ++i) {
      name_ += (i > 0 ? "-" : name_.empty() ? "" : "|") + stretch[i].label;
      if (i == 0) continue;
      const double step = std::sqrt(length2(bdot, stretch[i].k - stretch[i - 1].k));
      if (!(step > 1e-6))
        refuse_path(fmt::format("{} and {} follow each other on the path and are the same point", stretch[i - 1].label, stretch[i].label));
      lines_.push_back({stretch[i - 1], stretch[i]});
      length += step;
    }
  }
  double distance = 0;
  for (size_t i = 0; i < lines_.size(); ++i) {
    const auto& [from, to] = lines_[i];
    const double step = std::sqrt(length2(bdot, to.k - from.k));
    const int parts = std::max(1, static_cast<int>(std::lround(step / length * (count - 1))));
    const bool goes_on = i > 0 && lines_[i - 1].to.label == from.label && lines_[i - 1].to.k == from.k;
    if (!goes_on) points_.push_back({from.k, distance, from.label, i > 0});
    for (int part = 1; part <= parts; ++part) {
      const double t = static_cast<double>(part) / parts;
      Vector3 k{};
      for (int axis = 0; axis < 3; ++axis) k[axis] = part == parts ? to.k[axis] : from.k[axis] + t * (to.k[axis] - from.k[axis]);
      points_.push_back({k, distance + t * step, part == parts ? to.label : "", false});
    }
    distance += step;
  }
}

KPath::Place KPath::place_of(const Vector3& k) const {
  constexpr double on_line = 1e-3;
  for (const auto& [from, to] : lines_) {
    const Vector3 along = to.k - from.k;
    double share = 0, square = 0;
    for (int i = 0; i < 3; ++i) share += (k[i] - from.k[i]) * along[i], square += along[i] * along[i];
    share = std::clamp(share / square, 0.0, 1.0);
    Vector3 foot{};
    for (int i = 0; i < 3; ++i) foot[i] = from.k[i] + share * along[i];
    if (!(distance(k, foot) <= on_line)) continue;
    if (share < on_line) return {from.label, from.k};
    if (share > 1 - on_line) return {to.label, to.k};
    return {to.label == "Gamma" ? fmt::format("{:.2f} {}-{}", 1 - share, to.label, from.label)  // from Gamma where it is one of the two
                                : fmt::format("{:.2f} {}-{}", share, from.label, to.label),
            foot};
  }
  return {};
}

}  // namespace suite::gw
