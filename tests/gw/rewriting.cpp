// SPDX-License-Identifier: BSD-3-Clause
#include "rewriting.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <numbers>
#include <random>

#include "crystal_records.hpp"

namespace suite::gw::test {

namespace fs = std::filesystem;
using Complex = std::complex<double>;

namespace {

std::array<Miller, 3> inverse(const std::array<Miller, 3>& m) {
  std::array<Miller, 3> out{};
  int determinant = 0;
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) {
      const size_t a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      out[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
      if (i == 0) determinant += m[j][0] * out[0][j];
    }
  for (auto& row : out)
    for (int& x : row) x *= determinant;
  return out;
}

// Records as Fortran writes them.
class Fortran {
public:
  explicit Fortran(const fs::path& path) : out_(path, std::ios::binary) {}
  template <class... T> void record(const T&... values) {
    std::string content;
    (content.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values.data()[0])), ...);
    const auto length = static_cast<int32_t>(content.size());
    const std::string mark(reinterpret_cast<const char*>(&length), 4);
    out_ << mark << content << mark;
  }
  // In one piece.
  template <class T> void list(size_t count, const T& values) {
    record(std::array{1});
    record(std::array{static_cast<int>(count)});
    record(values);
  }

private:
  std::ofstream out_;
};

std::string title(const std::string& kind) {
  std::string text = kind + "-Complex";
  text.resize(96, ' ');
  return text;
}

// All bands of one k and spin.
struct States {
  std::vector<Miller> g;
  size_t bands = 0, spinors = 1;
  std::vector<Complex> c;  // g fastest, then spinor, then band
  size_t block() const { return g.size() * spinors; }
};

// As exp(-i RG.t) c_k(G) is c_Rk(RG), the spin turned; and then time reversal, (a, b) to (-b*, a*).
void turn(States& states, const Operation& operation, bool reversed) {
  const size_t n = states.g.size();
  for (Miller& g : states.g) g = operation(g);
  for (size_t band = 0; band < states.bands; ++band)
    for (size_t i = 0; i < n; ++i) {
      const Complex phase = std::polar(1.0, operation.phase(states.g[i]));
      Complex* up = states.c.data() + band * states.block() + i;
      if (states.spinors == 1) {
        *up *= phase;
        if (reversed) *up = std::conj(*up);
        continue;
      }
      const auto& u = operation.spin;
      const Complex a = phase * (u[0] * up[0] + u[1] * up[n]), b = phase * (u[2] * up[0] + u[3] * up[n]);
      up[0] = reversed ? -std::conj(b) : a;
      up[n] = reversed ? std::conj(a) : b;
    }
  if (reversed)
    for (Miller& g : states.g) g = -g;
}

// Unitary, of the bands [first, end).
void mix(States& states, size_t first, size_t end, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const size_t count = end - first, block = states.block();
  std::vector<std::vector<Complex>> u(count, std::vector<Complex>(count));
  for (size_t i = 0; i < count; ++i) {
    for (Complex& z : u[i]) z = {normal(random), normal(random)};
    for (size_t j = 0; j <= i; ++j) {
      Complex overlap = 0;
      for (size_t l = 0; l < count; ++l) overlap += std::conj(u[j][l]) * u[i][l];
      if (j < i)
        for (size_t l = 0; l < count; ++l) u[i][l] -= overlap * u[j][l];
      else
        for (Complex& z : u[i]) z /= std::sqrt(overlap.real());
    }
  }
  const std::vector<Complex> old(states.c.begin() + static_cast<ptrdiff_t>(first * block),
                                 states.c.begin() + static_cast<ptrdiff_t>(end * block));
  for (size_t i = 0; i < count; ++i)
    for (size_t g = 0; g < block; ++g) {
      Complex sum = 0;
      for (size_t l = 0; l < count; ++l) sum += u[i][l] * old[l * block + g];
      states.c[(first + i) * block + g] = sum;
    }
}

// The cell in the other manner.
CellRecords rewritten(CellRecords cell, const Manner& manner, const std::vector<Operation>& operations) {
  for (auto* vectors : {&cell.avec, &cell.bvec}) {
    const auto old = *vectors;
    for (size_t i = 0; i < 3; ++i)
      std::copy_n(old.begin() + static_cast<ptrdiff_t>(3 * manner.order[i]), 3, vectors->begin() + static_cast<ptrdiff_t>(3 * i));
  }
  for (auto* metric : {&cell.adot, &cell.bdot}) {
    const auto old = *metric;
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j) (*metric)[3 * i + j] = old[3 * manner.order[i] + manner.order[j]];
  }
  // Cartesian in units of alat, as avec is; the origin counts along the old axes.
  for (Vector3& position : cell.positions)
    for (size_t i = 0; i < 3; ++i)
      for (size_t x = 0; x < 3; ++x) position[x] += manner.origin[manner.order[i]] * cell.avec[3 * i + x];
  cell.rotations.clear();
  cell.translations.clear();
  for (const Operation& operation : operations) {
    const Operation now = manner(operation);
    for (size_t j = 0; j < 3; ++j)
      for (size_t i = 0; i < 3; ++i) cell.rotations.push_back(now.rotation[i][j]);
    cell.translations.insert(cell.translations.end(), now.translation.begin(), now.translation.end());
  }
  return cell;
}

void write_cell(Fortran& out, const CellRecords& cell) {
  out.record(std::array{cell.celvol, cell.alat}, cell.avec, cell.adot);
  out.record(std::array{cell.recvol, cell.blat}, cell.bvec, cell.bdot);
  out.record(cell.rotations);
  out.record(cell.translations);
  std::string atoms;
  for (size_t i = 0; i < cell.positions.size(); ++i) {
    atoms.append(reinterpret_cast<const char*>(cell.positions[i].data()), 24);
    atoms.append(reinterpret_cast<const char*>(&cell.species[i]), 4);
  }
  out.record(atoms);
}

Complex phase_of(const Manner& manner, const Miller& g) {
  return std::polar(1.0, -2 * std::numbers::pi * (g[0] * manner.origin[0] + g[1] * manner.origin[1] + g[2] * manner.origin[2]));
}

}  // namespace

// f(r - origin) has the symmetry {R | t - 2 pi (origin - R^T^-1 origin)} if f has {R | t}: from c(RG) = c(G) exp(-i RG.t).
Operation Manner::operator()(const Operation& operation) const {
  Operation out;
  for (size_t i = 0; i < 3; ++i) out.rotation[i] = (*this)(operation.rotation[order[i]]);
  // RG.t' = RG.t + 2 pi (RG - G).origin for every G, with RG = H.
  Vector3 t = operation.translation;
  const auto back = inverse(operation.rotation);
  for (size_t j = 0; j < 3; ++j) {
    t[j] += 2 * std::numbers::pi * origin[j];
    for (size_t i = 0; i < 3; ++i) t[j] -= 2 * std::numbers::pi * back[i][j] * origin[i];
  }
  out.translation = (*this)(t);
  return out;
}

Rewritten::Rewritten(const Settings& s, const Manner& manner) : settings(s), old_(s), manner_(manner) {
  std::map<fs::path, fs::path> written;
  for (fs::path* file : {&settings.wavefunctions, &settings.epsilon.wavefunctions, &settings.epsilon.wavefunctions_q0}) {
    if (file->empty()) continue;
    fs::path& to = written[*file];
    if (to.empty()) write_bands(*file, to = folder_ / ("WFN" + std::to_string(written.size())));
    *file = to;
  }
  settings.density = folder_ / "RHO";
  write_fourier(s.density, "RHO", settings.density);
  settings.kpoints.clear();
  if (s.epsilon.q0) settings.epsilon.q0 = manner_(*s.epsilon.q0);
}

void Rewritten::write_bands(const fs::path& from, const fs::path& to) const {
  const auto file = WavefunctionFile::open(from);
  const Wavefunctions w(from);
  const WavefunctionHeader& h = file->header();
  const FourierFile density = read_fourier_file(old_.density, "RHO", "density");
  const CellRecords cell = rewritten(density.cell, manner_, h.operations);
  const size_t nk = h.kpoints.size(), spinors = static_cast<size_t>(h.spinors), bands = static_cast<size_t>(h.nbands);
  std::mt19937 random(manner_.mixing);
  std::vector<Vector3> rk;
  std::vector<States> solved;  // spin fastest, then k
  for (size_t k = 0; k < nk; ++k) {
    const Operation& operation = w.operations()[manner_.image == 0 ? 0 : (manner_.image + 5 * k) % w.operations().size()];
    const bool turned = manner_.image != 0, reversed = manner_.reversed && k % 2 == 1;
    Vector3 at = turned ? operation(h.kpoints[k]) : h.kpoints[k];
    if (reversed) at = -at;
    Miller more{};
    for (size_t i = 0; i < 3; ++i) more[i] = static_cast<int>(k) * manner_.umklapp[i];
    rk.push_back(manner_(at + more));
    for (int spin = 0; spin < h.spins; ++spin) {
      const auto sphere = w.read(static_cast<int>(k), 0, h.nbands, 2, spin);
      States& states = solved.emplace_back(States{sphere.g, bands, spinors, {}});
      for (size_t i = 0; i < sphere.c.size(); ++i) states.c.push_back(sphere.c[i]);
      if (turned || reversed) turn(states, turned ? operation : Operation{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, reversed);
      for (size_t band = 0; band < bands; ++band)
        for (size_t i = 0; i < states.block(); ++i) states.c[band * states.block() + i] *= phase_of(manner_, states.g[i % states.g.size()]);
      for (Miller& g : states.g) g = manner_(g - more);
      for (size_t first = 0, end = 0; manner_.mixing > 0 && first < bands; first = end) {
        const auto energy = [&](size_t band) { return w.mean_field(static_cast<int>(k), static_cast<int>(band), spin); };
        for (end = first + 1; end < bands && energy(end) - energy(end - 1) < 1e-10; ++end) continue;
        mix(states, first, end, random);
      }
    }
  }
  std::vector<Miller> gspace = file->gspace();
  for (Miller& g : gspace) g = manner_(g);
  Miller fft = manner_(file->fft_grid());
  for (int& n : fft) n += manner_.wider;
  Fortran out(to);
  out.record(title("WFN"));
  out.record(std::array{h.spinors == 2 ? 4 : h.spins, static_cast<int>(gspace.size()), cell.operations(), cell.cell_symmetry, cell.atoms},
             std::array{cell.ecutrho}, std::array{static_cast<int>(nk), h.nbands, *std::ranges::max_element(h.plane_waves)},
             std::array{h.cutoff});
  out.record(fft, manner_(h.grid), manner_(h.shift));
  write_cell(out, cell);
  out.record(h.plane_waves);
  out.record(h.weights);
  out.record(rk);
  out.record(h.lowest);
  out.record(h.highest);
  out.record(h.energies);
  out.record(h.occupations);
  out.list(gspace.size(), gspace);
  const auto spins = static_cast<size_t>(h.spins);
  for (size_t k = 0; k < nk; ++k) {
    const auto& g = solved[k * spins].g;
    out.list(g.size(), g);
    for (size_t band = 0; band < bands; ++band) {
      std::vector<Complex> both;
      for (size_t spin = 0; spin < spins; ++spin) {
        const States& states = solved[k * spins + spin];
        const auto first = states.c.begin() + static_cast<ptrdiff_t>(band * states.block());
        both.insert(both.end(), first, first + static_cast<ptrdiff_t>(states.block()));
      }
      out.list(g.size(), both);
    }
  }
}

void Rewritten::write_fourier(const fs::path& from, const std::string& kind, const fs::path& to) const {
  const FourierFile old = read_fourier_file(from, kind, "file");
  const Wavefunctions w(old_.wavefunctions);
  const CellRecords cell = rewritten(old.cell, manner_, w.operations());
  Fortran out(to);
  out.record(title(kind));
  out.record(std::array{w.spinors() == 2 ? 4 : static_cast<int>(old.values.size()), static_cast<int>(old.g.size()), cell.operations(),
                        cell.cell_symmetry, cell.atoms},
             std::array{cell.ecutrho});
  Miller fft = manner_(w.fft_grid());
  for (int& n : fft) n += manner_.wider;
  out.record(fft);
  write_cell(out, cell);
  std::vector<Miller> g;
  std::vector<Complex> values;
  for (const Miller& one : old.g) g.push_back(manner_(one));
  for (const auto& of_spin : old.values)
    for (size_t i = 0; i < old.g.size(); ++i) values.push_back(of_spin[i] * phase_of(manner_, old.g[i]));
  out.list(g.size(), g);
  out.list(g.size(), values);
}

}  // namespace suite::gw::test
