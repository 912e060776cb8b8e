// SPDX-License-Identifier: BSD-3-Clause
// The real flavour: with inversion about the origin wavefunctions, screening and density are real, and so is what the kernels compute with.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>

#include <suite/plugin.hpp>

#include "bench.hpp"
#include "datasets.hpp"
#include "plan.hpp"

using namespace suite;
using namespace suite::gw;
using namespace suite::gw::test;
using Complex = std::complex<double>;
namespace fs = std::filesystem;

namespace {

// u(r + shift/2pi) for u(r): every G gets this phase.
Complex phase_of(const Miller& g, const Vector3& shift) { return std::polar(1.0, dot(real(g), shift)); }

const Operation& inversion(const std::vector<Operation>& operations) {
  const std::array<Miller, 3> minus{Miller{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  const auto found = std::find_if(operations.begin(), operations.end(), [&](const Operation& o) { return o.rotation == minus; });
  BOOST_TEST_REQUIRE((found != operations.end()));
  return *found;
}

// The translation of an operation about the moved origin: t - shift + R^-T shift, for G.shift is (RG).(R^-T shift).
Vector3 moved(const Operation& operation, const Vector3& shift) {
  const auto& r = operation.rotation;
  Vector3 out = operation.translation - shift;
  const auto minor = [&](int i, int j) {
    const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return r[a][c] * r[b][d] - r[a][d] * r[b][c];
  };
  const int determinant = r[0][0] * minor(0, 0) + r[0][1] * minor(0, 1) + r[0][2] * minor(0, 2);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i] += minor(i, j) * determinant * shift[j];
  return out;
}

double product_of(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// As many real orthonormal bands as there are complex ones, of the same space: it holds their real and imaginary parts. Of those the longest
// remainder is taken each time.
std::vector<std::vector<double>> real_bands(const std::vector<std::vector<Complex>>& bands) {
  std::vector<std::vector<double>> rest, out;
  for (const auto& band : bands)
    for (int part : {0, 1}) {
      rest.emplace_back();
      for (const Complex& c : band) rest.back().push_back(part ? c.imag() : c.real());
    }
  while (out.size() < bands.size()) {
    auto next =
        *std::max_element(rest.begin(), rest.end(), [](const auto& a, const auto& b) { return product_of(a, a) < product_of(b, b); });
    for (int twice = 0; twice < 2; ++twice)
      for (const auto& other : out) {
        const double overlap = product_of(next, other);
        for (size_t i = 0; i < next.size(); ++i) next[i] -= overlap * other[i];
      }
    const double norm = std::sqrt(product_of(next, next));
    for (double& x : next) x /= norm;
    for (auto& other : rest) {
      const double overlap = product_of(next, other);
      for (size_t i = 0; i < next.size(); ++i) other[i] -= overlap * next[i];
    }
    out.push_back(std::move(next));
  }
  return out;
}

// Files of the same crystal about its centre of inversion, whose numbers are real: in the real flavour, or in the complex one.
class Twin {
public:
  Twin(const Settings& s, int flavour) : settings(s), flavour_(flavour) {
    const Wavefunctions w(s.wavefunctions);
    shift_ = inversion(w.operations()).translation;
    for (double& x : shift_) x /= 2;
    settings.wavefunctions = copy(s.wavefunctions);
    settings.eps0 = copy(s.eps0);
    settings.eps = copy(s.eps);
    write_bands(w, settings.wavefunctions);
    for (auto* file : {&settings.epsilon.wavefunctions, &settings.epsilon.wavefunctions_q0})
      if (const fs::path from = *file; !from.empty()) {
        *file = copy(from);
        write_bands(Wavefunctions(from), *file);
      }
    const InverseDielectric eps(s.eps0, s.eps);
    write_matrices(settings.eps0, eps, 0, 1);
    write_matrices(settings.eps, eps, 1, eps.count());
    write_density(read_density(s.density).rho);
  }
  Settings settings;

private:
  fs::path copy(const fs::path& from) const {
    const fs::path to = folder_ / from.filename().string();
    fs::copy_file(from, to);
    fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
    return to;
  }
  void push(std::vector<double>& values, double x) const {
    values.push_back(x);
    if (flavour_ == 2) values.push_back(0);
  }

  void write_bands(const Wavefunctions& w, const fs::path& to) const {
    std::vector<double> translations(48 * 3);
    for (size_t i = 0; i < w.operations().size(); ++i) {
      const Vector3 t = moved(w.operations()[i], shift_);
      std::copy(t.begin(), t.end(), translations.begin() + static_cast<ptrdiff_t>(3 * i));
    }
    replace_dataset(to, "mf_header/symmetry/tnp", {48, 3}, translations);
    replace_dataset<int>(to, "mf_header/flavor", {}, {flavour_});
    // By k, then band.
    std::vector<std::vector<std::vector<double>>> all;
    size_t plane_waves = 0;
    for (int k = 0; k < static_cast<int>(w.kpoints().size()); ++k) {
      const auto sphere = w.read(k, w.nbands());
      plane_waves += sphere.g.size();
      auto& bands = all.emplace_back();
      for (int band = 0; band < w.nbands();) {
        std::vector<std::vector<Complex>> set;
        const int first = band;
        for (; band < w.nbands() && (band == first || w.energy(k, band) - w.energy(k, band - 1) < tol_energy_Ry); ++band) {
          set.emplace_back();
          for (size_t i = 0; i < sphere.g.size(); ++i)
            set.back().push_back(sphere.c[static_cast<size_t>(band) * sphere.g.size() + i] * phase_of(sphere.g[i], shift_));
        }
        for (auto& real : real_bands(set)) bands.push_back(std::move(real));
      }
    }
    std::vector<double> values;
    for (int band = 0; band < w.nbands(); ++band)
      for (const auto& bands : all)
        for (double x : bands[static_cast<size_t>(band)]) push(values, x);
    replace_dataset(to, "wfns/coeffs", {static_cast<hsize_t>(w.nbands()), 1, plane_waves, static_cast<hsize_t>(flavour_)}, values);
  }

  // Of the q from `first` on: one frequency.
  void write_matrices(const fs::path& path, const InverseDielectric& eps, int first, int end) const {
    const auto largest = static_cast<size_t>(hdf5::File(path).shape("mats/matrix").at(3));
    std::vector<double> values;
    for (int q = first; q < end; ++q) {
      const auto& g = eps.gvectors(q);
      const auto matrix = eps.matrix(q, 0);
      for (size_t j = 0; j < largest; ++j)
        for (size_t i = 0; i < largest; ++i)
          push(values, i < g.size() && j < g.size()
                           ? (matrix[j * g.size() + i] * phase_of(g[i], shift_) * std::conj(phase_of(g[j], shift_))).real()
                           : 0.0);
    }
    replace_dataset(path, "mats/matrix", {static_cast<hsize_t>(end - first), 1, 1, largest, largest, static_cast<hsize_t>(flavour_)},
                    values);
    replace_dataset<int>(path, "eps_header/params/matrix_flavor", {}, {flavour_});
  }

  // A file of one piece: its last record and the title.
  void write_density(const Density& rho) {
    std::ifstream in(settings.density, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const size_t n = rho.gvectors().size();
    BOOST_TEST_REQUIRE(std::memcmp(text.data() + text.size() - 4 - 16 * n, &rho.values()[0], 16) == 0);
    text.resize(text.size() - 8 - 16 * n);
    std::vector<double> values;
    for (size_t i = 0; i < n; ++i) push(values, (rho.values()[i] * phase_of(rho.gvectors()[i], shift_)).real());
    const auto length = static_cast<int32_t>(values.size() * sizeof(double));
    const std::string mark(reinterpret_cast<const char*>(&length), 4);
    text += mark + std::string(reinterpret_cast<const char*>(values.data()), static_cast<size_t>(length)) + mark;
    if (flavour_ == 1) text.replace(4, 11, "RHO-Real   ");
    settings.density = folder_ / "RHO";
    std::ofstream(settings.density, std::ios::binary) << text;
  }

  Scratch folder_;
  int flavour_;
  Vector3 shift_{};
};

double largest_difference(const std::vector<OffDiagonal>& a, const std::vector<OffDiagonal>& b) {
  double worst = a.size() == b.size() && !a.empty() ? 0 : INFINITY;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const Complex differences[] = {a[i].x - b[i].x, a[i].remainder - b[i].remainder, a[i].sx[0] - b[i].sx[0], a[i].ch[0] - b[i].ch[0]};
    for (const Complex& d : differences)
      if (!(std::abs(d) <= worst)) worst = std::abs(d);
  }
  return worst;
}

Settings some(const Settings& all) {
  auto s = all;
  s.nbands = 14;
  s.band_max = 5;
  return s;
}

}  // namespace

// Twice the same numbers: what is real in both flavours agrees to rounding, what the files of the complex run hold beside to their noise.
BOOST_AUTO_TEST_CASE(real_and_complex_flavour_agree) {
  for (const auto& settings : {some(silicon_78bands()), some(silicon())})
    for (Model model : {Model::gpp, Model::cohsex}) {
      Twin real_twin(settings, 1), complex_twin(settings, 2);
      for (auto* s : {&real_twin.settings, &complex_twin.settings}) {
        s->model = model;
        s->coulomb = CoulombMode::cell;
        s->coulomb_head = 0;
      }
      BOOST_TEST(Plan(real_twin.settings).parts == 1);
      BOOST_TEST(Plan(complex_twin.settings).parts == 2);
      const auto a = run(real_twin.settings), b = run(complex_twin.settings);
      for (const auto& row : a.kernels) BOOST_TEST(row.verification.status == "verified", row.kernel << ": " << row.verification.detail);
      for (const auto& check : a.outcome.checks) BOOST_TEST(check.holds(), check.name << " " << check.deviation);
      double distance = difference(a.result, b.result);
      BOOST_CHECK_MESSAGE(distance <= 1e-11, "flavours: " << distance << " eV");
      auto original = settings;
      original.model = model;
      original.coulomb = CoulombMode::cell;
      original.coulomb_head = 0;
      distance = difference(a.result, run(original).result);
      BOOST_CHECK_MESSAGE(distance <= 1e-9, "the original files: " << distance << " eV");
      // The kernels had real numbers: half of the flops of matrix elements, less of the sums.
      for (size_t i : {0, 1}) BOOST_TEST(a.kernels[i].flops <= 0.8 * b.kernels[i].flops, a.kernels[i].kernel);
    }
}

BOOST_AUTO_TEST_CASE(slices_and_elements_of_the_real_flavour) {
  auto s = some(silicon_78bands());
  s.kpoints = {{0, 0, 0.25}};
  s.offdiag = {{1, 5, 1}, {5, 1, 5}, {2, 2, 2}};
  Twin real_twin(s, 1), complex_twin(s, 2);
  const auto a = run(real_twin.settings).result, b = run(complex_twin.settings).result;
  const double distance = largest_difference(a.off_diagonal, b.off_diagonal);
  BOOST_CHECK_MESSAGE(distance <= 1e-11, "elements: " << distance << " eV");
  for (int slices : {2, 3}) {
    real_twin.settings.gprime_slices = slices;
    const auto shared = run_on_ranks(real_twin.settings, slices).result;
    BOOST_TEST(difference(a, shared) <= 1e-11);
    BOOST_TEST(largest_difference(a.off_diagonal, shared.off_diagonal) <= 1e-11);
    for (size_t i = 0; i < a.states.size(); ++i) BOOST_TEST(shared.states[i].x == a.states[i].x);
  }
}

// About the centre of inversion, and from its own wavefunctions: the same heads, and in the real flavour real matrices.
BOOST_AUTO_TEST_CASE(eps_of_real_wavefunctions_is_that_of_complex_ones) {
  Settings s = silicon_empirical();
  s.epsilon = silicon_empirical_from_wavefunctions().epsilon;
  Twin real_twin(s, 1), complex_twin(s, 2);
  const Scratch a, b;
  const DielectricResult real = make_epsilon(real_twin.settings, a / ""), complex = make_epsilon(complex_twin.settings, b / "");
  BOOST_TEST(DielectricPlan(real_twin.settings).parts == 1);
  BOOST_TEST(real.kernels[1].verification.status == "verified", real.kernels[1].verification.detail);
  const InverseDielectric mine(real.eps0, real.eps), theirs(complex.eps0, complex.eps),
      file(complex_twin.settings.eps0, complex_twin.settings.eps);
  BOOST_TEST(mine.flavour() == 1);
  for (int iq = 0; iq < 3; ++iq) {
    BOOST_TEST(std::abs(real.q[iq].head - complex.q[iq].head) <= 1e-11 * complex.q[iq].head);
    const auto x = mine.matrix(iq, 0), y = theirs.matrix(iq, 0);
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i)
      if (const double d = std::abs(x[i] - y[i]); !(d <= worst)) worst = d;
    BOOST_TEST(worst <= 1e-9);  // wings at q0 reach 35
    BOOST_TEST(std::abs(mine.matrix(iq, 0)[0] - file.matrix(iq, 0)[0]) <= 1e-10);
  }
}

// A translation that is not half of a lattice vector makes images of real bands complex.
BOOST_AUTO_TEST_CASE(phases_of_images_decide) {
  Twin twin(some(silicon_78bands()), 1);
  std::vector<double> translations(48 * 3);
  const auto operations = Wavefunctions(twin.settings.wavefunctions).operations();
  for (size_t i = 0; i < operations.size(); ++i)
    for (int j = 0; j < 3; ++j) translations[3 * i + j] = operations[i].translation[j] + (i == 5 ? std::numbers::pi / 2 : 0);
  replace_dataset(twin.settings.wavefunctions, "mf_header/symmetry/tnp", {48, 3}, translations);
  BOOST_TEST(Plan(twin.settings).parts == 2);
}
