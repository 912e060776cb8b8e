// SPDX-License-Identifier: BSD-3-Clause
// Paths through the Brillouin zone along labelled points: the usual labels of the lattice (Setyawan and Curtarolo, Comput. Mater. Sci. 49, 299), found from
// its metric however the cell is written, and the user's own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lattice.hpp"

namespace suite::gw {

struct ZoneLabels {
  std::string lattice;  // "face-centred cubic"; empty: not one with labels here
  std::vector<LabelledPoint> points;  // Gamma always
  std::vector<std::string> path;  // as of KPath; empty without a lattice
};
// flat: axes with one k point; the path does not leave their plane.
ZoneLabels zone_labels(const Matrix3& bdot, const std::array<bool, 3>& flat);

// "0.5 0.25 0"; fails naming the label.
Vector3 parse_coordinates(const std::string& label, const std::string& text);

class KPath {
public:
  // Entries are labels, "U|K" for a jump; "auto" alone: that of the lattice. `own` labels come before those of the lattice. About `count` points in all,
  // evenly spaced; every labelled one is among them. Fails where a label is not known.
  KPath(const std::vector<std::string>& entries, const std::vector<LabelledPoint>& own, const ZoneLabels& lattice, const Matrix3& bdot,
        int count);

  struct Point {
    Vector3 k{};
    double distance = 0;  // along the path, bohr^-1
    std::string label;  // empty between labelled points
    bool jump = false;  // no line from the point before
  };
  const std::vector<Point>& points() const { return points_; }
  // "L-Gamma-X-U|K-Gamma"
  const std::string& name() const { return name_; }
  // "Gamma", "0.85 Gamma-X" for a k beside the path by less than a thousandth of a reciprocal vector, and the point there; no name for another.
  struct Place {
    std::string name;
    Vector3 k{};
  };
  Place place_of(const Vector3& k) const;

private:
  struct Line {
    LabelledPoint from, to;
  };
  std::vector<Line> lines_;
  std::vector<Point> points_;
  std::string name_;
};

}  // namespace suite::gw
