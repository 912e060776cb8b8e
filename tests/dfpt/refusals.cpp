// SPDX-License-Identifier: BSD-3-Clause
// What no implementation may compute with, and that the sentence names the thing and its values. Inputs are
// generated ones with one thing changed.
#include "support.hpp"

#include <call.hpp>

using namespace dfpt_test;

namespace {

class Inputs {
public:
  Inputs(const std::string& kernel, const std::string& size) {
    suite::Kernel reference(kernel, "reference");
    reference.generate(size, 1);
    const suite_kernel_table& table = reference.table();
    for (uint32_t i = 0; i < table.argument_count; ++i) {
      suite_array array = reference.argument(table.arguments[i].name);
      if (array.rank < 0) continue;
      auto& bytes = bytes_[table.arguments[i].name];
      bytes.resize(static_cast<size_t>(suite::count_of(array)) * suite_type_size(array.type));
      if (array.data) std::memcpy(bytes.data(), array.data, bytes.size());
      arrays_[table.arguments[i].name] = array;
    }
  }
  int32_t& integer(const std::string& name, size_t i) { return reinterpret_cast<int32_t*>(bytes_.at(name).data())[i]; }
  double& real(const std::string& name, size_t i) { return reinterpret_cast<double*>(bytes_.at(name).data())[i]; }
  const suite_array& array(const std::string& name) const { return arrays_.at(name); }
  void unset(const std::string& name) { arrays_.erase(name); }
  void shape(const std::string& name, std::vector<int64_t> extents, int32_t type = SUITE_REAL64) {
    suite_array& array = arrays_[name];
    array = {};
    array.type = type;
    for (auto& e : array.extent) e = 1;
    for (const int64_t e : extents) array.extent[array.rank++] = e;
    bytes_[name].assign(static_cast<size_t>(suite::count_of(array)) * suite_type_size(type), 0);
  }
  void run(Call& call) {
    call.forget();
    for (auto& [name, array] : arrays_) {
      suite_array mine = array;
      mine.data = bytes_.at(name).data();
      mine.place = SUITE_HOST;
      call.kernel().set(name.c_str(), mine);
    }
    call.run();
  }

private:
  std::map<std::string, suite_array> arrays_;
  std::map<std::string, std::vector<char>> bytes_;
};

struct Refusal {
  std::vector<std::string> words;
  std::function<void(Inputs&)> change;
};
void each_is_refused(const std::string& kernel, const std::string& size, const std::vector<Refusal>& all) {
  const Inputs good(kernel, size);
  standard_kept(kernel, [&](Call& call) {
    Inputs(good).run(call);
    for (const Refusal& refusal : all) {
      Inputs bad = good;
      refusal.change(bad);
      refused(call, refusal.words, [&] { bad.run(call); });
    }
    Inputs(good).run(call);
  });
}

const std::string batches = "natoms=3,points=9,nbatches=4,coarse=6,nlog=30,lbasis=2,ndir=2";

}  // namespace

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(batches_that_do_not_fit) {
  for (const std::string kernel : {"dfpt.basis", "dfpt.rho", "dfpt.h"}) {
    const Inputs good(kernel, batches);
    const int64_t n_basis = kernel == "dfpt.basis" ? good.array("basis_atom").extent[0]
                            : kernel == "dfpt.rho" ? good.array("density_matrix").extent[0]
                                                   : good.array("H").extent[0];
    each_is_refused(
        kernel, batches,
        {{{"batch_points(1) is 2", "must begin at 1"}, [](Inputs& in) { in.integer("batch_points", 0) = 2; }},
         {{"batch_points(3) is 1", "batch_points(2) is", "follow"}, [](Inputs& in) { in.integer("batch_points", 2) = 1; }},
         {{"batch_points(5) is", "points; it must be one more"}, [](Inputs& in) { in.integer("batch_points", 4) += 1; }},
         {{"batch_basis(1) is 0"}, [](Inputs& in) { in.integer("batch_basis", 0) = 0; }},
         {{"batch_basis(5) is", "entries of i_basis"}, [](Inputs& in) { in.integer("batch_basis", 4) += 3; }},
         {{"i_basis(1) is 0", "1 to " + std::to_string(n_basis)}, [](Inputs& in) { in.integer("i_basis", 0) = 0; }},
         {{"i_basis(3) is " + std::to_string(n_basis + 1)},
          [&](Inputs& in) { in.integer("i_basis", 2) = static_cast<int32_t>(n_basis + 1); }},
         {{"i_basis(2) is 1 after 1", "ascend"},
          [](Inputs& in) {
            in.integer("i_basis", 0) = 1;
            in.integer("i_basis", 1) = 1;
          }},
         {{"n_wave is", "(function, point) pairs"}, [&](Inputs& in) { in.shape("wave", {good.array("wave").extent[0] + 1}); }}});
  }
}

BOOST_AUTO_TEST_CASE(functions_that_are_none) {
  each_is_refused(
      "dfpt.basis", batches,
      {{{"basis_atom(2) is 4", "1 to 3"}, [](Inputs& in) { in.integer("basis_atom", 1) = 4; }},
       {{"basis_fn(1) is 0", "radial functions"}, [](Inputs& in) { in.integer("basis_fn", 0) = 0; }},
       {{"basis_l(1) is 9", "0 to 8"}, [](Inputs& in) { in.integer("basis_l", 0) = 9; }},
       {{"basis_l(1) is -1"}, [](Inputs& in) { in.integer("basis_l", 0) = -1; }},
       {{"basis_m(1) is -1 where l is 0"}, [](Inputs& in) { in.integer("basis_m", 0) = -1; }},
       {{"species(3) is 5", "1 to 4"}, [](Inputs& in) { in.integer("species", 2) = 5; }},
       {{"r_grid_min(2) is 0"}, [](Inputs& in) { in.real("r_grid_min", 1) = 0; }},
       {{"r_grid_inc(4) is 1"}, [](Inputs& in) { in.real("r_grid_inc", 3) = 1; }},
       {{"outer_radius(", "is 100", "last knot"},
        [](Inputs& in) { in.real("outer_radius", static_cast<size_t>(in.integer("basis_fn", 0) - 1)) = 100; }},
       {{"outer_radius(", "is 0"}, [](Inputs& in) { in.real("outer_radius", static_cast<size_t>(in.integer("basis_fn", 0) - 1)) = 0; }},
       {{"n_grid is 1"}, [](Inputs& in) {
          in.shape("basis_wave_spl", {4, 1, in.array("outer_radius").extent[0]});
        }}});
}

BOOST_AUTO_TEST_CASE(densities_of_nothing_or_of_two_things) {
  const Inputs good("dfpt.rho", batches);
  const int64_t n = good.array("density_matrix").extent[0];
  each_is_refused("dfpt.rho", batches,
                  {{{"neither density_matrix nor C"}, [](Inputs& in) { in.unset("density_matrix"); }},
                   {{"density_matrix and C are set"},
                    [&](Inputs& in) {
                      in.shape("C", {n, 2});
                    }},
                   {{"C1 is set but C is not"},
                    [&](Inputs& in) {
                      in.unset("density_matrix");
                      in.shape("C1", {n, 2, 2});
                    }},
                   {{"n_dir is 2", "C alone"}, [&](Inputs& in) {
                      in.unset("density_matrix");
                      in.shape("C", {n, 2});
                    }}});
}

BOOST_AUTO_TEST_CASE(matrices_of_nothing) {
  const Inputs good("dfpt.h", batches);
  const int64_t n = good.array("H").extent[0];
  each_is_refused("dfpt.h", batches,
                  {{{"neither H nor HC"}, [](Inputs& in) { in.unset("H"); }},
                   {{"C is set but HC is not"},
                    [&](Inputs& in) {
                      in.shape("C", {n, 2});
                    }},
                   {{"HC is set but C is not"},
                    [&](Inputs& in) {
                      in.shape("HC", {n, 2, 2});
                    }},
                   {{"wave_right and HC"}, [&](Inputs& in) {
                      in.shape("C", {n, 2});
                      in.shape("HC", {n, 2, 2});
                      in.shape("wave_right", {in.array("wave").extent[0]});
                    }}});
}

BOOST_AUTO_TEST_CASE(components_that_are_none) {
  each_is_refused("dfpt.multipoles", "natoms=2,points=20,nbatches=2,coarse=6,lmax=2",
                  {{{"point_atom(3) is 0", "1 to 2"}, [](Inputs& in) { in.integer("point_atom", 2) = 0; }},
                   {{"point_shell(2) is 7", "1 to 6"}, [](Inputs& in) { in.integer("point_shell", 1) = 7; }},
                   {{"n_lm is 8", "square"},
                    [](Inputs& in) {
                      in.shape("rho_multipole", {8, 6, 2, 3});
                    }},
                   {{"n_lm is 100"}, [](Inputs& in) {
                      in.shape("rho_multipole", {100, 6, 2, 3});
                    }}});
}

BOOST_AUTO_TEST_CASE(radial_grids_that_are_none) {
  each_is_refused("dfpt.poisson", "natoms=2,lmax=1,nlog=40,nknots=10,coarse=6",
                  {{{"species(1) is 9", "1 to 4"}, [](Inputs& in) { in.integer("species", 0) = 9; }},
                   {{"radial_points(2) is 3", "4 to n_radial = 6"}, [](Inputs& in) { in.integer("radial_points", 1) = 3; }},
                   {{"radial_points(1) is 7"}, [](Inputs& in) { in.integer("radial_points", 0) = 7; }},
                   {{"r_radial(1,1) is 0", "positive"}, [](Inputs& in) { in.real("r_radial", 0) = 0; }},
                   {{"r_radial(3,2) is 1e-05"}, [](Inputs& in) { in.real("r_radial", 8) = 1e-5; }},
                   {{"r_radial(4,1) is 20", "ends at 15"}, [](Inputs& in) { in.real("r_radial", 3) = 20; }},
                   {{"grid_shell(2,1) is -1"}, [](Inputs& in) { in.real("grid_shell", 1) = -1; }},
                   {{"knots(1,1) is -1"}, [](Inputs& in) { in.real("knots", 0) = -1; }},
                   {{"knots(3,2) is 0", "ascend"}, [](Inputs& in) { in.real("knots", 12) = 0; }},
                   {{"r_grid_min(1) is -1"}, [](Inputs& in) { in.real("r_grid_min", 0) = -1; }},
                   {{"r_grid_inc(2) is 0.5"}, [](Inputs& in) { in.real("r_grid_inc", 1) = 0.5; }},
                   {{"n_grid is 5", "at least 6"},
                    [](Inputs& in) {
                      in.shape("grid_shell", {5, 4});
                    }},
                   {{"n_lm is 5"}, [](Inputs& in) {
                      in.shape("rho_multipole", {5, 6, 2, 3});
                      in.shape("potential_spl", {5, 4, 10, 2, 3});
                      in.shape("moments", {5, 2, 3});
                    }}});
}

BOOST_AUTO_TEST_CASE(tables_that_are_none) {
  const std::string size = "natoms=3,points=20,nbatches=2,coarse=6,lmax=2,nknots=8,knots=";
  each_is_refused("dfpt.sum_up", size + "shells",
                  {{{"species(1) is 0", "1 to 4"}, [](Inputs& in) { in.integer("species", 0) = 0; }},
                   {{"atom_table(2) is 4", "1 to 3"}, [](Inputs& in) { in.integer("atom_table", 1) = 4; }},
                   {{"multipole_radius(3) is 0"}, [](Inputs& in) { in.real("multipole_radius", 2) = 0; }},
                   {{"multipole_radius(1) is 60", "last knot"}, [](Inputs& in) { in.real("multipole_radius", 0) = 60; }},
                   {{"grid_scale(1) is -2"}, [](Inputs& in) { in.real("grid_scale", 0) = -2; }},
                   {{"grid_max is set but grid_scale is not"}, [](Inputs& in) { in.unset("grid_scale"); }},
                   {{"grid_scale is set but grid_max is not"}, [](Inputs& in) { in.unset("grid_max"); }},
                   {{"neither r_grid_min nor grid_scale"},
                    [](Inputs& in) {
                      in.unset("grid_scale");
                      in.unset("grid_max");
                    }},
                   {{"r_grid_min and grid_scale are set"},
                    [](Inputs& in) {
                      in.shape("r_grid_min", {4});
                      in.shape("r_grid_inc", {4});
                    }},
                   {{"n_lm is 7"},
                    [](Inputs& in) {
                      in.shape("potential_spl", {7, 4, 8, 3, 3});
                      in.shape("moments", {7, 3, 3});
                    }},
                   {{"n_knots is 1"}, [](Inputs& in) {
                      in.shape("potential_spl", {9, 4, 1, 3, 3});
                    }}});
  each_is_refused("dfpt.sum_up", size + "log",
                  {{{"r_grid_min is set but r_grid_inc is not"}, [](Inputs& in) { in.unset("r_grid_inc"); }},
                   {{"r_grid_inc is set but r_grid_min is not"}, [](Inputs& in) { in.unset("r_grid_min"); }},
                   {{"r_grid_inc(1) is 0.9"}, [](Inputs& in) { in.real("r_grid_inc", 0) = 0.9; }}});
}

BOOST_AUTO_TEST_CASE(responses_without_a_gap_or_a_perturbation) {
  const std::string size = "natoms=2,ndir=2,nocc=3";
  const Inputs good("dfpt.response", size);
  const int64_t n = good.array("C").extent[0], states = good.array("C").extent[1];
  each_is_refused(
      "dfpt.response", size,
      {{{"n_occ is 0"}, [](Inputs& in) { in.integer("n_occ", 0) = 0; }},
       {{"n_occ is " + std::to_string(states + 1)}, [&](Inputs& in) { in.integer("n_occ", 0) = static_cast<int32_t>(states + 1); }},
       {{"n_occ is 2 but C1 has 3"}, [](Inputs& in) { in.integer("n_occ", 0) = 2; }},
       {{"neither H1 nor HC1"}, [](Inputs& in) { in.unset("H1"); }},
       {{"H1 and HC1 are set"},
        [&](Inputs& in) {
          in.shape("HC1", {n, 3, 2});
        }},
       {{"neither C1 nor density_matrix"},
        [](Inputs& in) {
          in.unset("C1");
          in.unset("density_matrix");
        }},
       {{"empty state 5 is at -2", "occupied state", "gap"}, [](Inputs& in) { in.real("eigenvalues", 4) = -2; }},
       {{"empty state 4", "occupied state 2 at 7"}, [](Inputs& in) { in.real("eigenvalues", 1) = 7; }},
       {{"empty state 4", "gap"}, [](Inputs& in) { in.real("eigenvalues", 3) = in.real("eigenvalues", 2); }}});
}

BOOST_AUTO_TEST_CASE(plane_waves_that_are_none) {
  each_is_refused("dfpt.reciprocal", "natoms=2,points=9,nbatches=2,coarse=6,waves=2,lmax=2,ndir=2",
                  {{{"g_index(:,3) is 0 0 0", "G = 0"},
                    [](Inputs& in) {
                      for (size_t d = 0; d < 3; ++d) in.integer("g_index", 6 + d) = 0;
                    }},
                   {{"g_index(2,4) is 1001", "-1000 to 1000"}, [](Inputs& in) { in.integer("g_index", 10) = 1001; }},
                   {{"g_index(3,1) is -2147483648", "-1000 to 1000"}, [](Inputs& in) { in.integer("g_index", 2) = INT32_MIN; }},
                   {{"whose G is 0"},
                    [](Inputs& in) {
                      for (size_t i = 0; i < 9; ++i) in.real("reciprocal", i) = 0;
                    }},
                   {{"n_lm is 8", "square"}, [](Inputs& in) {
                      in.shape("moments", {8, 2, 2});
                    }}});
}

BOOST_AUTO_TEST_SUITE_END()
