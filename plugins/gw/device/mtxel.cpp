// SPDX-License-Identifier: BSD-3-Clause
// gw.mtxel on a device: three passes from the sphere to the grid, and three from a product to the wanted G.
// Internal bands stay on the grid from call to call where the memory allowed for them suffices.
#include "mtxel.hpp"

#include "../plan.hpp"
#include "tables.hpp"

namespace suite::gw {
namespace {

// Of panels that are transformed together: enough of them for a large device.
constexpr int64_t work_bytes = int64_t{256} << 20;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// An element of a line: its position there, its place in the panel.
struct Element {
  int32_t position, at;
};
using Elements = std::vector<std::vector<Element>>;  // by outer

class Pass {
public:
  explicit Pass(const device::Queue& queue) : words_(queue, "the lists of lines"), roots_(queue, "the roots of unity") {}

  void set(int n, int64_t inner, int64_t in_stride, int64_t out_stride, const Elements& in, const Elements& out) {
    n_ = n;
    lines_ = static_cast<int64_t>(in.size()) * inner;
    const std::vector<int> stages = stages_of(n);
    if (stages.size() > word::most_stages)
      throw Failure(SUITE_UNSUPPORTED,
                    concat("a transform of ", n, " points has ", stages.size(), " stages; up to ", word::most_stages, " are possible"));
    std::vector<int32_t> words(word::count);
    words[word::n] = n;
    words[word::outer] = static_cast<int32_t>(in.size());
    words[word::inner] = static_cast<int32_t>(inner);
    words[word::in_stride] = static_cast<int32_t>(in_stride);
    words[word::out_stride] = static_cast<int32_t>(out_stride);
    words[word::stages] = static_cast<int32_t>(stages.size());
    for (size_t s = 0; s < stages.size(); ++s) words[word::radix + s] = stages[s];
    list(words, in, word::first_in, word::most_in);
    list(words, out, word::first_out, word::most_out);
    words_.set(words);
    roots_.set(roots_of_unity(n));
  }

  const device::Buffer<int32_t>& words() const { return words_; }
  const device::Buffer<double>& roots() const { return roots_; }
  int32_t n() const { return n_; }
  int64_t lines() const { return lines_; }

private:
  static void list(std::vector<int32_t>& words, const Elements& elements, int first, int most) {
    size_t longest = 0;
    const auto begin = [&](int which) { words[static_cast<size_t>(first + which)] = static_cast<int32_t>(words.size()); };
    begin(0);
    words.push_back(0);
    for (const auto& line : elements) {
      longest = std::max(longest, line.size());
      words.push_back(words.back() + static_cast<int32_t>(line.size()));
    }
    begin(1);
    for (const auto& line : elements)
      for (const Element& e : line) words.push_back(e.position);
    begin(2);
    for (const auto& line : elements)
      for (const Element& e : line) words.push_back(e.at);
    words[static_cast<size_t>(most)] = static_cast<int32_t>(longest);
  }

  device::Buffer<int32_t> words_;
  device::Buffer<double> roots_;
  int n_ = 1;
  int64_t lines_ = 0;
};

// A line of n points, `stride` apart from `at` on.
std::vector<Element> whole_line(int n, int64_t at, int64_t stride) {
  std::vector<Element> line;
  for (int j = 0; j < n; ++j) line.push_back({j, static_cast<int32_t>(at + j * stride)});
  return line;
}
// What is at these positions, `stride` apart from `at` on.
std::vector<Element> some_of(const std::vector<int32_t>& positions, int64_t at, int64_t stride) {
  std::vector<Element> line;
  for (size_t i = 0; i < positions.size(); ++i) line.push_back({positions[i], static_cast<int32_t>(at + static_cast<int64_t>(i) * stride)});
  return line;
}
Elements columns_at(const Columns& c, int n, bool by_entry) {
  Elements lines;
  for (int64_t column = 0; column < c.columns(); ++column) {
    if (!by_entry) {
      lines.push_back(whole_line(n, column * n, 1));
      continue;
    }
    lines.emplace_back();
    for (int32_t e = c.first_entry[column]; e < c.first_entry[column + 1]; ++e) lines.back().push_back({c.z[e], c.index[e]});
  }
  return lines;
}
// The y of the columns of each x; their place in the panel.
Elements columns_of_x(const Columns& c, int nz) {
  Elements lines(static_cast<size_t>(c.nx()));
  for (int64_t i = 0; i < c.nx(); ++i)
    for (int32_t column = c.first_column[i]; column < c.first_column[i + 1]; ++column)
      lines[static_cast<size_t>(i)].push_back({c.y[column], static_cast<int32_t>(int64_t{column} * nz)});
  return lines;
}
Elements slabs_of_x(const Columns& c, int ny) {
  Elements lines;
  for (int64_t i = 0; i < c.nx(); ++i) lines.push_back(whole_line(ny, i, c.nx()));
  return lines;
}

// z lines of columns, y lines of a slab of x, x lines; points of a panel between them.
struct Passes {
  explicit Passes(const device::Queue& queue) : z(queue), y(queue), x(queue) {}
  Pass z, y, x;
  int64_t columns_size = 0, slabs_size = 0;

  void from_sphere(const Plan& plan, const Columns& c) {
    const auto [nx, ny, nz] = sizes(plan, c);
    z.set(plan.n[2], 1, 0, 0, columns_at(c, plan.n[2], true), columns_at(c, plan.n[2], false));
    y.set(plan.n[1], nz, 1, ny * c.nx(), columns_of_x(c, plan.n[2]), slabs_of_x(c, plan.n[1]));
    x.set(plan.n[0], ny * nz, c.nx(), nx, {some_of(c.x, 0, 1)}, {whole_line(plan.n[0], 0, 1)});
  }
  // One line more, of nothing, gives the elements that vanish.
  void to_wanted(const Plan& plan, const Columns& c) {
    const auto [nx, ny, nz] = sizes(plan, c);
    x.set(plan.n[0], ny * nz, nx, c.nx(), {whole_line(plan.n[0], 0, 1)}, {some_of(c.x, 0, 1)});
    y.set(plan.n[1], nz, ny * c.nx(), 1, slabs_of_x(c, plan.n[1]), columns_of_x(c, plan.n[2]));
    Elements in = columns_at(c, plan.n[2], false), out = columns_at(c, plan.n[2], true);
    in.emplace_back();
    out.emplace_back();
    for (const int32_t ig : plan.vanishing) out.back().push_back({0, ig});
    z.set(plan.n[2], 1, 0, 0, in, out);
  }

private:
  std::array<int64_t, 3> sizes(const Plan& plan, const Columns& c) {
    columns_size = std::max<int64_t>(1, c.columns() * plan.n[2]);
    slabs_size = std::max<int64_t>(1, c.nx() * plan.n[1] * plan.n[2]);
    return {plan.n[0], plan.n[1], plan.n[2]};
  }
};

class MtxelOnDevice {
public:
  static constexpr auto parameters =
      device::parameters(knob("memory", 4096, 0, 1 << 24, "MiB",
                              "of the device for internal bands kept in real space from call to call; beyond it all are transformed "
                              "again in each call"));

  MtxelOnDevice(const suite_backend* backend, suite_queue* queue, const int64_t* p)
      : memory_(p[0] * (int64_t{1} << 20)), queue_(backend, queue, p + 1, Mtxel::name) {}

  void prepare(const suite_array* a) {
    queue_.select();
    const HostCopies<Mtxel> host(queue_, a, {"g_ket", "g_bra", "g"});
    const Mtxel& c = *host;
    const Plan plan = make_plan(c);
    points_ = plan.points();
    ket_.from_sphere(plan, plan.ket);
    bra_.from_sphere(plan, plan.bra);
    wanted_.to_wanted(plan, plan.wanted);
    const int64_t nspinor = c.nspinor(), panel_bytes = panel_numbers(points_ * nspinor) * 8;
    panels_ = ceil_div(c.ntband(), queue_.lanes() * per_lane(c));
    longest_ = *std::max_element(plan.n.begin(), plan.n.end());
    const int64_t columns = std::max({ket_.columns_size, bra_.columns_size, wanted_.columns_size}),
                  slabs = std::max({ket_.slabs_size, bra_.slabs_size, wanted_.slabs_size});
    const int64_t work = panel_numbers(columns + slabs) * 8;
    kept_ = panels_ * panel_bytes <= memory_;
    chunk_ = std::clamp<int64_t>(work_bytes / (kept_ ? work : work + panel_bytes), 1, panels_);
    queue_.check_count(chunk_ * std::max({points_, columns, slabs}), "points of a chunk");
    columns_.at_least(panel_numbers(columns) * chunk_);
    slabs_.at_least(panel_numbers(slabs) * chunk_);
    grid_.at_least(panel_numbers(points_ * nspinor) * (kept_ ? panels_ : chunk_));
    functions_.at_least(2 * points_ * nspinor * c.nex());
    const Mtxel on_device(a);
    for (int64_t first = 0; kept_ && first < panels_; first += chunk_) to_grid(on_device, first, std::min(chunk_, panels_ - first), first);
  }

  void execute(const suite_array* a) {
    queue_.select();
    const Mtxel c(a);
    const bool conjugate = is_conjugate(c);
    external_bands(c);
    for (int64_t first = 0; first < panels_; first += chunk_) {
      const int64_t some = std::min(chunk_, panels_ - first);
      if (!kept_) to_grid(c, first, some, 0);
      for (int64_t n = 0; n < c.nex(); ++n) elements(c, first, some, n, conjugate);
    }
  }

private:
  int64_t panel_numbers(int64_t points) const { return 2 * queue_.lanes() * points; }
  static int per_lane(const Mtxel& c) { return c.is_real() ? 2 : 1; }
  const device::Buffer<double>& scratch(int64_t items) {
    return scratch_.at_least(std::max<int64_t>(1, queue_.in_flight(items, 1) * 4 * longest_ * queue_.lanes()));
  }

  template <class Array>
  void sphere_to_slabs(const Passes& p, const Array& coefficients, int64_t npw, int64_t nbands, int64_t first, int64_t some, int64_t s,
                       int parts, int bands_of_lane) {
    const int64_t columns = some * p.z.lines(), slabs = some * p.y.lines();
    device::launch(queue_, from_sphere(), columns, p.z.words(), p.z.roots(), coefficients, columns_, scratch(columns), p.z.n(), p.z.lines(),
                   some, p.columns_size, npw, nbands, first, static_cast<int32_t>(s), parts, bands_of_lane);
    device::launch(queue_, between(), slabs, p.y.words(), p.y.roots(), columns_, slabs_, scratch(slabs), p.y.n(), p.y.lines(), some,
                   p.columns_size, p.slabs_size, int64_t{0}, int64_t{1});
  }

  // Panels first, first + 1, .. to the grid, as panels `to`, to + 1, .. there.
  void to_grid(const Mtxel& c, int64_t first, int64_t some, int64_t to) {
    const int64_t nspinor = c.nspinor(), items = some * ket_.x.lines();
    for (int64_t s = 0; s < nspinor; ++s) {
      sphere_to_slabs(ket_, c.ket, c.npw_ket(), c.ntband(), first * queue_.lanes() * per_lane(c), some, s, c.parts(), per_lane(c));
      device::launch(queue_, between(), items, ket_.x.words(), ket_.x.roots(), slabs_, grid_, scratch(items), ket_.x.n(), ket_.x.lines(),
                     some, ket_.slabs_size, points_, to * nspinor + s, nspinor);
    }
  }

  void external_bands(const Mtxel& c) {
    const int64_t nspinor = c.nspinor(), nex = c.nex(), panels = ceil_div(nex, queue_.lanes());
    for (int64_t first = 0; first < panels; first += chunk_)
      for (int64_t s = 0; s < nspinor; ++s) {
        const int64_t some = std::min(chunk_, panels - first), items = some * bra_.x.lines(), band = first * queue_.lanes();
        sphere_to_slabs(bra_, c.bra, c.npw_bra(), nex, band, some, s, c.parts(), 1);
        device::launch(queue_, to_functions(), items, bra_.x.words(), bra_.x.roots(), slabs_, functions_, scratch(items), bra_.x.n(),
                       bra_.x.lines(), some, bra_.slabs_size, points_, band * nspinor + s, nspinor, nex - band);
      }
  }

  void elements(const Mtxel& c, int64_t first, int64_t some, int64_t n, bool conjugate) {
    const int64_t nspinor = c.nspinor(), lines = some * wanted_.x.lines(), slabs = some * wanted_.y.lines(),
                  columns = some * wanted_.z.lines();
    device::launch(queue_, product_lines(), lines, wanted_.x.words(), wanted_.x.roots(), functions_, grid_, slabs_, scratch(lines),
                   wanted_.x.n(), wanted_.x.lines(), some, points_, wanted_.slabs_size, n * nspinor, kept_ ? first : 0,
                   static_cast<int32_t>(nspinor));
    device::launch(queue_, between(), slabs, wanted_.y.words(), wanted_.y.roots(), slabs_, columns_, scratch(slabs), wanted_.y.n(),
                   wanted_.y.lines(), some, wanted_.slabs_size, wanted_.columns_size, int64_t{0}, int64_t{1});
    device::launch(queue_, to_elements(), columns, wanted_.z.words(), wanted_.z.roots(), columns_, device::or_null(c.phase), c.aqs,
                   scratch(columns), wanted_.z.n(), wanted_.z.lines(), some, wanted_.columns_size, c.ncouls(), c.ntband(), n,
                   first * queue_.lanes() * per_lane(c), static_cast<int32_t>(bool(c.phase)), static_cast<int32_t>(conjugate),
                   static_cast<int32_t>(c.is_real()), 1 / static_cast<double>(points_));
  }

  int64_t memory_;
  device::Queue queue_;
  Passes ket_{queue_}, bra_{queue_}, wanted_{queue_};
  int64_t points_ = 0, panels_ = 0, chunk_ = 1, longest_ = 1;
  bool kept_ = false;
  device::Buffer<double> columns_{queue_, "the columns of gw.mtxel"}, slabs_{queue_, "the slabs of gw.mtxel"},
      grid_{queue_, "the internal bands of gw.mtxel on the grid"}, functions_{queue_, "the external bands of gw.mtxel on the grid"},
      scratch_{queue_, "the lines of gw.mtxel"};
};

}  // namespace

const suite_kernel_table* mtxel_table() {
  static constexpr suite_kernel_table table = kernel_table<Mtxel, MtxelOnDevice>(SUITE_DEVICE_BACKEND, SUITE_DEVICE_BACKEND);
  return &table;
}

}  // namespace suite::gw
