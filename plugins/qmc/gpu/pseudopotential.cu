// SPDX-License-Identifier: BSD-3-Clause
// qmc.pseudopotential on a GPU: a thread for each electron finds the ions that are close, with a rotation and the radial functions for
// each of them, which go to memory; then a thread for each point; then a warp for each electron adds up its terms.
#include "../semilocal.hpp"
#include "ions.cuh"

namespace suite::qmc {
namespace {

struct DevicePotential {
  const double *rion, *cutoff, *exponent, *coefficient;
  const int *set_of_ion, *largest_l, *first, *power;
  int nion;
};

struct Turn {
  const long long* stream;  // null: the rule is not turned
  int64_t seed, sweep;
};

// The electrons of a call.
struct Electrons3 {
  const double* rele;
  int netot, nelectron, which;  // which: -1: all
  __device__ __forceinline__ int electron(int e) const { return which < 0 ? e : which; }
  __device__ __forceinline__ const double* position(int e, int64_t w) const { return rele + 3 * (electron(e) + netot * w); }
};

// An electron near an ion: the rule turned, the axis of the polynomials in the rule's own frame, (2l+1) v_l.
struct DevicePair {
  double rotation[3][3], axis[3], d[3], r, v[l_channels];
  int top, ion;  // largest l; -1: weights are 0
};

// The rotation of a pair's rule, and the axis from the ion in its frame.
__device__ __forceinline__ void turn_rule(DevicePair& pair, const Turn& turn, const Electrons3& electrons, int e, int nion,
                                          int64_t stream) {
  double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (turn.stream)
    random_rotation(draw(turn.seed, stream, turn.sweep, rotation_number(electrons.netot, electrons.electron(e), nion, pair.ion), 0), m);
  SUITE_GPU_UNROLL
  for (int j = 0; j < 3; ++j) {
    const double along = pair.d[0] * m[0][j] + pair.d[1] * m[1][j] + pair.d[2] * m[2][j];
    pair.axis[j] = pair.r > 0 ? along / pair.r : m[2][j];
    SUITE_GPU_UNROLL
    for (int i = 0; i < 3; ++i) pair.rotation[i][j] = m[i][j];
  }
}

__device__ __forceinline__ void radial_sums(DevicePair& pair, const DevicePotential& potential) {
  const int set = potential.set_of_ion[pair.ion];
  const double r = pair.r;
  pair.top = potential.largest_l[set];
  for (int l = 0; l < l_channels; ++l) {
    const int channel = l_channels * set + l;
    double v = 0;
    for (int t = potential.first[channel]; t < potential.first[channel + 1]; ++t)
      v += (2 * l + 1) * radial_term(potential.coefficient[t], potential.power[t], potential.exponent[t], r);
    pair.v[l] = v;
  }
}

// With fewer registers than seven blocks leave, nvcc 13.0 spills some.
template <class Images>
__global__ void SUITE_GPU_RESIDENT_BOUNDS(block_threads, 7)
    find_pairs(Images images, DevicePotential potential, Electrons3 electrons, Turn turn, int mpair, int64_t count, DevicePair* pairs,
               int* found, int* ions) {
  const int64_t k = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (k >= count) return;
  const int64_t w = k / electrons.nelectron;
  const int e = static_cast<int>(k - w * electrons.nelectron);
  const double* const at = electrons.position(e, w);
  DevicePair* const own = pairs + k * mpair;
  int close = 0;
  for (int ion = 0; ion < potential.nion; ++ion) {
    const int set = potential.set_of_ion[ion];
    if (set < 0) continue;
    double d[3];
    const double r = images.from_ion(at, potential.rion + 3 * ion, d);
    if (!(r < potential.cutoff[set])) continue;
    if (close < mpair) {
      DevicePair& pair = own[close];
      SUITE_GPU_UNROLL
      for (int j = 0; j < 3; ++j) pair.d[j] = d[j];
      pair.r = r;
      pair.ion = ion;
      if (ions) ions[k * mpair + close] = ion + 1;
    }
    ++close;
  }
  // Apart from the search, whose images would have to wait in registers.
  for (int p = 0; p < close && p < mpair; ++p) {
    DevicePair& pair = own[p];
    turn_rule(pair, turn, electrons, e, potential.nion, turn.stream ? turn.stream[w] : 0);
    radial_sums(pair, potential);
  }
  found[k] = close;
  for (int p = close; p < mpair && ions; ++p) ions[k * mpair + p] = 0;
}

struct PointsOut {
  const double* ratio;
  double *weight, *points, *negative;  // the last two may be null
};

__global__ void __launch_bounds__(block_threads) place_points(const DevicePair* pairs, const int* found, Electrons3 electrons, int mpair,
                                                              int npoint, const double* rule, int64_t count, PointsOut out) {
  const int64_t number = static_cast<int64_t>(blockIdx.x) * block_threads + thread();
  if (number >= count) return;
  const int64_t slot = number / npoint, k = slot / mpair, w = k / electrons.nelectron;
  const int q = static_cast<int>(number - slot * npoint), p = static_cast<int>(slot - k * mpair);
  const double* const at = electrons.position(static_cast<int>(k - w * electrons.nelectron), w);
  const double* const n = rule + 4 * q;  // direction and weight
  double weight = 0, from_electron[3] = {0, 0, 0};
  if (p < found[k]) {
    const DevicePair& pair = pairs[slot];
    weight = n[3] * legendre_sum(pair.v, pair.top, pair.axis[0] * n[0] + pair.axis[1] * n[1] + pair.axis[2] * n[2]);
    SUITE_GPU_UNROLL
    for (int c = 0; c < 3; ++c)
      from_electron[c] = pair.r * (pair.rotation[c][0] * n[0] + pair.rotation[c][1] * n[1] + pair.rotation[c][2] * n[2]) - pair.d[c];
  }
  out.weight[number] = weight;
  SUITE_GPU_UNROLL
  for (int c = 0; c < 3; ++c)
    if (out.points) out.points[3 * number + c] = at[c] + from_electron[c];
  if (out.negative) {
    const double term = p < found[k] ? weight * out.ratio[number] : 0;
    out.negative[number] = term < 0 ? term : 0;
  }
}

__global__ void __launch_bounds__(block_threads)
    add_terms(const int* found, const double* weight, const double* ratio, int mpair, int npoint, int64_t count, double* energy) {
  const int64_t k = (static_cast<int64_t>(blockIdx.x) * block_threads + thread()) / 32;
  const int lane = thread() % 32;
  double sum = 0;
  if (k < count) {
    const int pairs = found[k] < mpair ? found[k] : mpair;
    const int64_t first = k * mpair * npoint;
    for (int i = lane; i < pairs * npoint; i += 32) sum += weight[first + i] * ratio[first + i];
  }
  SUITE_GPU_UNROLL
  for (int mask = 16; mask > 0; mask /= 2) sum += gpu::shuffle_xor<32>(sum, mask);
  if (k < count && lane == 0) energy[k] = sum;
}

class PseudopotentialGpu : public OnGpu {
public:
  using OnGpu::OnGpu;

  void prepare(const suite_array* arguments) {
    const Pseudopotential c(arguments);
    queue_.select();
    cell_.prepare_or_open(queue_, c.cell);
    const Semilocal p = semilocal_of(semilocal_arguments(c, fetch_from(queue_)), cell_.lattice_or_open());
    const SphereRule rule = sphere_rule(c.npoint());
    some_left_out_ = c.mpair() < p.ions();
    std::vector<double> reals;
    std::vector<int> integers;
    const auto place = [](auto& in, const auto& values) {
      const size_t begin = in.size();
      in.insert(in.end(), values.begin(), values.end());
      return begin;
    };
    const size_t cutoff = place(reals, p.cutoff), exponent = place(reals, p.exponent), coefficient = place(reals, p.coefficient),
                 points = reals.size();
    for (size_t q = 0; q < rule.point.size(); ++q) {
      place(reals, rule.point[q]);
      reals.push_back(rule.weight[q]);
    }
    const size_t set_of_ion = place(integers, p.set_of_ion), largest = place(integers, p.largest_l), first = place(integers, p.first),
                 power = place(integers, p.power);
    upload(reals_, reals);
    upload(integers_, integers);
    queue_.wait();  // what was uploaded goes
    const double* const r = reals_.data();
    const int* const n = integers_.data();
    potential_ = {nullptr,     r + cutoff, r + exponent, r + coefficient,           n + set_of_ion,
                  n + largest, n + first,  n + power,    static_cast<int>(c.nion())};
    rule_ = r + points;
  }

  void execute(const suite_array* arguments) {
    const Pseudopotential c(arguments);
    queue_.select();
    const QuadratureCall call = check_pseudopotential(c);
    const int64_t count = c.nelectron() * c.nwalker(), slots = count * c.mpair(), points = slots * c.npoint();
    if (c.netot() > 1 << 24 || c.nion() > 1 << 24)
      throw Failure(SUITE_UNSUPPORTED, "netot is " + text_of(c.netot()) + " and nion " + text_of(c.nion()) +
                                           "; this implementation supports up to " + text_of(int64_t{1} << 24) + " of each");
    const Electrons3 electrons{c.rele.data(), static_cast<int>(c.netot()), static_cast<int>(c.nelectron()),
                               call.one ? static_cast<int>(call.which) : -1};
    Turn turn{};
    if (call.turns) turn = {device_data<long long>(c.stream), c.seed, c.sweep};
    const int mpair = static_cast<int>(c.mpair()), npoint = static_cast<int>(c.npoint());
    potential_.rion = c.rion.data();
    int* const found = found_.at_least(count);
    DevicePair* const pairs = pairs_.at_least(slots);
    const auto blocks = [](int64_t n) { return grid_of((n + block_threads - 1) / block_threads); };
    by_images(cell_.lattice_or_open(), [&](auto images) {
      SUITE_GPU_LAUNCH(find_pairs<decltype(images)>, blocks(count), block_threads, 0, queue_.stream(), images, potential_, electrons, turn,
                       mpair, count, pairs, found, c.ion.data());
    });
    SUITE_GPU_LAUNCH(place_points, blocks(points), block_threads, 0, queue_.stream(), pairs, found, electrons, mpair, npoint, rule_, points,
                     PointsOut{c.ratio.data(), c.weight.data(), c.points.data(), c.negative.data()});
    if (c.energy)
      SUITE_GPU_LAUNCH(add_terms, blocks(32 * count), block_threads, 0, queue_.stream(), found, c.weight.data(), c.ratio.data(), mpair,
                       npoint, count, c.energy.data());
    asked_ = {call, c.mpair(), c.nelectron(), count};
  }

  void finish() {
    if (!some_left_out_) return;
    queue_.select();
    std::vector<int> found(static_cast<size_t>(asked_.count));
    found_.download(found.data(), asked_.count);
    queue_.wait();
    for (int64_t k = 0; k < asked_.count; ++k)
      check_pairs(found[static_cast<size_t>(k)], asked_.mpair, asked_.call.electron(k % asked_.nelectron), k / asked_.nelectron);
  }

private:
  // What finish() asks about.
  struct Asked {
    QuadratureCall call;
    int64_t mpair, nelectron, count;
  };

  Cell cell_;
  gpu::Buffer<double> reals_{queue_, "the pseudopotentials"};
  gpu::Buffer<int> integers_{queue_, "the pseudopotentials"}, found_{queue_, "the ions that are close"};
  gpu::Buffer<DevicePair> pairs_{queue_, "the ions that are close"};
  DevicePotential potential_{};
  const double* rule_ = nullptr;
  Asked asked_{};
  bool some_left_out_ = false;  // mpair is less than the number of ions with a potential
};

}  // namespace

const suite_kernel_table* pseudopotential_table() { return gpu_table<Pseudopotential, PseudopotentialGpu>(); }

}  // namespace suite::qmc
