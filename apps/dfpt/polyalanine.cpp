// SPDX-License-Identifier: BSD-3-Clause
#include "polyalanine.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <suite/plugin.hpp>

namespace suite::all_electron {
namespace {

using Vector = std::array<double, 3>;

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
Vector unit(const Vector& a) { return (1 / std::sqrt(dot(a, a))) * a; }

constexpr double degree = std::numbers::pi / 180;

// Angstrom and degrees.
constexpr double omega = 180;
constexpr double N_CA = 1.458, CA_C = 1.525, C_N = 1.329, C_O = 1.231, C_OH = 1.329, CA_CB = 1.521;
constexpr double N_H = 1.01, C_H = 1.09, O_H = 0.97;
constexpr double N_CA_C = 111.2, CA_C_N = 116.2, C_N_CA = 121.7, CA_C_O = 120.8, N_CA_CB = 110.4;
constexpr double CA_N_H = 119.15, C_O_H = 108, tetrahedral = 109.5;
constexpr double beta_carbon = -122.6;  // from the carbonyl carbon to C_beta of an L residue, seen along N-CA

struct Torsions {
  double phi, psi;
};
Torsions torsions_of(Conformation conformation) { return conformation == Conformation::helix ? Torsions{-57, -47} : Torsions{-139, 135}; }

// Position at this distance from c, with the angle b-c-atom and the torsion a-b-c-atom.
Vector place(const Vector& a, const Vector& b, const Vector& c, double distance, double angle, double torsion) {
  const Vector forward = unit(c - b), normal = unit(cross(b - a, forward)), side = cross(normal, forward);
  const double s = std::sin(angle * degree);
  return c + distance * ((-std::cos(angle * degree)) * forward + (s * std::cos(torsion * degree)) * side +
                         (s * std::sin(torsion * degree)) * normal);
}

// The chain: N, CA, C of each residue, and the next N.
std::vector<Vector> backbone(long residues, const Torsions& t) {
  std::vector<Vector> chain{{0, 0, 0}, {N_CA, 0, 0}};
  chain.push_back(chain[1] + CA_C * Vector{-std::cos(N_CA_C * degree), std::sin(N_CA_C * degree), 0});
  const auto grow = [&](double distance, double angle, double torsion) {
    const size_t n = chain.size();
    chain.push_back(place(chain[n - 3], chain[n - 2], chain[n - 1], distance, angle, torsion));
  };
  for (long i = 1; i < residues; ++i) {
    grow(C_N, CA_C_N, t.psi);
    grow(N_CA, C_N_CA, omega);
    grow(CA_C, N_CA_C, t.phi);
  }
  grow(C_OH, CA_C_N, t.psi);
  return chain;
}

class Peptide {
public:
  Peptide(const std::vector<Vector>& chain, const Torsions& t) : chain_(chain), t_(t) {
    for (size_t first = 0; first + 1 < chain.size(); first += 3) residue(first);
    carboxyl_end();
  }
  std::vector<app::StructureAtom> atoms() && { return std::move(atoms_); }

private:
  void add(const char* element, const Vector& position) { atoms_.push_back({element, position}); }

  // first: index of the residue's N in the chain.
  void residue(size_t first) {
    const Vector &N = chain_[first], &CA = chain_[first + 1], &C = chain_[first + 2];
    const Vector CB = place(C, N, CA, CA_CB, N_CA_CB, beta_carbon);
    add("N", N);
    amino_hydrogens(first);
    add("C", CA);
    add("H", CA - C_H * unit(unit(N - CA) + unit(C - CA) + unit(CB - CA)));
    add("C", CB);
    for (const double torsion : {60.0, 180.0, 300.0}) add("H", place(N, CA, CB, C_H, tetrahedral, torsion));
    add("C", C);
    add("O", place(N, CA, C, C_O, CA_C_O, t_.psi + 180));
  }
  void amino_hydrogens(size_t first) {
    const Vector &N = chain_[first], &CA = chain_[first + 1], &C = chain_[first + 2];
    if (first > 0) {
      add("H", place(C, CA, N, N_H, CA_N_H, t_.phi + 180));
      return;
    }
    for (const double torsion : {t_.phi, t_.phi + 120}) add("H", place(C, CA, N, N_H, tetrahedral, torsion));
  }
  // OH instead of the next residue, with its hydrogen on the side of the double bond.
  void carboxyl_end() {
    const size_t last = chain_.size() - 1;
    const Vector &CA = chain_[last - 2], &C = chain_[last - 1], &O = chain_[last];
    add("O", O);
    add("H", place(CA, C, O, O_H, C_O_H, 180));
  }

  const std::vector<Vector>& chain_;
  Torsions t_;
  std::vector<app::StructureAtom> atoms_;
};

// From differences of successive CA-CA vectors, which are perpendicular to the axis.
Vector axis_of(const std::vector<Vector>& chain) {
  if (chain.size() < 12) return unit(chain[chain.size() - 2] - chain[0]);
  const auto bend = [&](size_t ca) { return chain[ca] + chain[ca + 6] - 2.0 * chain[ca + 3]; };
  return unit(cross(bend(1), bend(4)));
}

// Rotates axis to z and moves the mean position to the origin.
void lay_along_z(const Vector& axis, std::vector<app::StructureAtom>& atoms) {
  const Vector across = std::abs(axis[0]) < 0.8 ? Vector{1, 0, 0} : Vector{0, 1, 0};
  const Vector x = unit(cross(across, axis)), y = cross(axis, x);
  Vector middle{};
  for (const auto& atom : atoms) middle = middle + (1.0 / static_cast<double>(atoms.size())) * atom.position;
  for (auto& atom : atoms) {
    const Vector r = atom.position - middle;
    atom.position = {dot(r, x), dot(r, y), dot(r, axis)};
  }
}

}  // namespace

long alanine_residues(long atoms) {
  if (atoms < least_polyalanine || atoms > most_polyalanine)
    throw Failure(SUITE_INVALID_ARGUMENT,
                  fmt::format("polyalanine has {} to {} atoms; got {}", least_polyalanine, most_polyalanine, atoms));
  return std::max(1L, (atoms - 3 + 5) / 10);
}

app::Structure polyalanine(long residues, Conformation conformation) {
  const Torsions t = torsions_of(conformation);
  const auto chain = backbone(residues, t);
  app::Structure structure;
  structure.atoms = Peptide(chain, t).atoms();
  lay_along_z(axis_of(chain), structure.atoms);
  structure.title = fmt::format("{} of polyalanine, H-(NH-CH(CH3)-CO){}-OH, angstrom",
                                conformation == Conformation::helix ? "alpha helix" : "strand", residues);
  return structure;
}

app::Starter::Start polyalanine_input(long atoms, Conformation conformation) {
  const app::Structure structure = polyalanine(alanine_residues(atoms), conformation);
  const std::string count = std::to_string(structure.atoms.size());
  const std::string shape = conformation == Conformation::helix ? "helix" : "strand";
  const std::string file = "polyalanine_" + shape + "_" + count + ".xyz";
  return {"polyalanine " + shape + " of " + count + " atoms",
          {{"molecule.structure", file}, {"basis.level", "light"}, {"basis.tier", "0"}},
          {{file, app::xyz_text(structure)}}};
}

}  // namespace suite::all_electron
