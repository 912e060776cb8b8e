// SPDX-License-Identifier: BSD-3-Clause
#include "sphere_tables.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace suite::lfd {
namespace {

// Point p of the grid as number `at` of an atom's sphere.
struct Visit {
  int point, atom, at;
};

// All visits, by point and then by atom.
std::vector<Visit> visits_of(const Pseudopotential& V) {
  std::vector<Visit> visits;
  for (int64_t atom = 0; atom < V.natom; ++atom)
    for (int at = 0; at < V.counts[atom]; ++at) visits.push_back({V.points[at + V.nsphere * atom] - 1, static_cast<int>(atom), at});
  std::sort(visits.begin(), visits.end(),
            [](const Visit& a, const Visit& b) { return std::pair(a.point, a.atom) < std::pair(b.point, b.atom); });
  return visits;
}

// A pair of atoms, the later one first, in one image.
struct Touch {
  Link link;
  std::vector<double> products;
};

class Touches {
public:
  Touches(const Pseudopotential& V, const std::vector<double>& vectors) : V_(V), vectors_(vectors), of_(static_cast<size_t>(V.natom)) {}
  void add(const Visit& earlier, const Visit& later) {
    const int64_t np = V_.nproj, ns = V_.nsphere;
    const double* const v = vectors_.data() + 3 * (later.at + ns * later.atom);
    const double* const w = vectors_.data() + 3 * (earlier.at + ns * earlier.atom);
    Touch& touch = find(later.atom, {earlier.atom, {v[0] - w[0], v[1] - w[1], v[2] - w[2]}});
    for (int64_t i = 0; i < np; ++i) {
      const double b = V_.beta[later.at + ns * (i + np * later.atom)];
      for (int64_t j = 0; j < np; ++j) touch.products[i * np + j] += b * V_.beta[earlier.at + ns * (j + np * earlier.atom)];
    }
  }
  // Of an atom with those before it.
  const std::vector<Touch>& of(int64_t atom) const { return of_[atom].known; }

private:
  struct OfAtom {
    std::vector<Touch> known;
    size_t last = 0;  // found
  };
  Touch& find(int later, const Link& link) {
    auto& [known, last] = of_[later];
    for (size_t i = 0; i < known.size(); ++i) {  // neighbouring points meet the same atoms in the same order
      last = last + 1 < known.size() ? last + 1 : 0;
      if (known[last].link.other == link.other && same(known[last].link.apart, link.apart)) return known[last];
    }
    last = known.size();
    known.push_back({link, std::vector<double>(static_cast<size_t>(V_.nproj * V_.nproj))});
    return known.back();
  }
  // To rounding: lattice vectors are far longer.
  static bool same(const double* a, const double* b) {
    for (int d = 0; d < 3; ++d)
      if (!(std::abs(a[d] - b[d]) <= 1e-12 * (1 + std::abs(a[d])))) return false;
    return true;
  }
  const Pseudopotential& V_;
  const std::vector<double>& vectors_;
  std::vector<OfAtom> of_;
};

void set_levels(int64_t natom, const Touches& touches, SphereTables& t) {
  std::vector<int> level(static_cast<size_t>(natom));
  int levels = 1;
  for (int64_t atom = 0; atom < natom; ++atom) {
    for (const Touch& touch : touches.of(atom)) level[atom] = std::max(level[atom], level[touch.link.other] + 1);
    levels = std::max(levels, level[atom] + 1);
  }
  t.level_first.assign(static_cast<size_t>(levels) + 1, 0);
  for (const int l : level) ++t.level_first[l + 1];
  for (int l = 0; l < levels; ++l) t.level_first[l + 1] += t.level_first[l];
  std::vector<int> next(t.level_first.begin(), t.level_first.end() - 1);
  t.level_atoms.resize(level.size());
  for (int64_t atom = 0; atom < natom; ++atom) t.level_atoms[next[level[atom]]++] = static_cast<int>(atom);
}

void set_links(int64_t natom, int64_t nproj, const Touches& touches, SphereTables& t) {
  std::vector<std::vector<std::pair<int, const Touch*>>> after(static_cast<size_t>(natom));  // of each atom, with those after it
  for (int64_t atom = 0; atom < natom; ++atom)
    for (const Touch& touch : touches.of(atom)) after[touch.link.other].emplace_back(static_cast<int>(atom), &touch);
  t.link_first = {0};
  for (int64_t atom = 0; atom < natom; ++atom) {
    for (const Touch& touch : touches.of(atom)) {
      t.links.push_back(touch.link);
      t.products.insert(t.products.end(), touch.products.begin(), touch.products.end());
    }
    t.link_first.push_back(static_cast<int>(t.links.size()));
    for (const auto& [other, touch] : after[atom]) {
      const double* const apart = touch->link.apart;
      t.links.push_back({other, {-apart[0], -apart[1], -apart[2]}});
      for (int64_t i = 0; i < nproj; ++i)
        for (int64_t j = 0; j < nproj; ++j) t.products.push_back(touch->products[j * nproj + i]);
    }
    t.link_first.push_back(static_cast<int>(t.links.size()));
  }
}

void set_members(const std::vector<Visit>& visits, SphereTables& t) {
  t.member_first = {0};
  for (size_t first = 0, end; first < visits.size(); first = end) {
    std::vector<int> points;
    for (end = first; end < visits.size(); ++end) {
      if (!points.empty() && points.back() == visits[end].point) continue;
      if (points.size() == points_together) break;
      points.push_back(visits[end].point);
    }
    std::vector<Visit> here(visits.begin() + static_cast<int64_t>(first), visits.begin() + static_cast<int64_t>(end));
    std::stable_sort(here.begin(), here.end(), [](const Visit& a, const Visit& b) { return a.atom < b.atom; });
    for (size_t i = 0; i < here.size(); ++i) {
      if (i == 0 || here[i].atom != here[i - 1].atom) {
        Member member{here[i].atom, {}};
        std::fill(member.at, member.at + points_together, -1);
        t.members.push_back(member);
      }
      const auto place = std::find(points.begin(), points.end(), here[i].point) - points.begin();
      t.members.back().at[place] = here[i].at;
    }
    t.covered.insert(t.covered.end(), points.begin(), points.end());
    t.member_first.push_back(static_cast<int>(t.members.size()));
  }
}

}  // namespace

SphereTables sphere_tables(const Pseudopotential& V, const std::vector<double>& vectors) {
  SphereTables t;
  const std::vector<Visit> visits = visits_of(V);
  Touches touches(V, vectors);
  for (size_t first = 0, end; first < visits.size(); first = end) {
    for (end = first; end < visits.size() && visits[end].point == visits[first].point; ++end) continue;
    for (size_t a = first; a < end; ++a)
      for (size_t b = a + 1; b < end; ++b) touches.add(visits[a], visits[b]);
  }
  set_levels(V.natom, touches, t);
  set_links(V.natom, V.nproj, touches, t);
  set_members(visits, t);
  return t;
}

}  // namespace suite::lfd
