// SPDX-License-Identifier: BSD-3-Clause
// CASINO's files: what is read, what is refused and where, that nothing crashes.
#include <cmath>
#include <random>
#include <string>

#include <boost/test/unit_test.hpp>

#include <suite/plugin.hpp>

#include <vmc/casino_correlation.hpp>
#include <vmc/casino_input.hpp>

#include <base/input.hpp>

#include "replaced.hpp"

using namespace suite::vmc;

namespace {

const char* const sound = R"( START HEADER
 No title given.
 END HEADER

 START VERSION
   1
 END VERSION

 START JASTROW
 Title
  Electron gas ! 14
 Truncation order C
   3
 START U TERM
 Number of sets
   1
 START SET 1
 Spherical harmonic l,m
   0 0
 Expansion order N_u
   3
 Spin dep (0->uu=dd=ud; 1->uu=dd/=ud; 2->uu/=dd/=ud)
   1
 Cutoff (a.u.)     ;  Optimizable (0=NO; 1=YES)
   9.5                               1
 Parameter values  ;  Optimizable (0=NO; 1=YES)
  7.1794688914000001E-004            1       ! alpha_0,1
 -4.9631999652D-05                   0       ! alpha_2,1
  2.7499138329E-05                   1       ! alpha_3,1
  1.3278237482E-03                   1       ! alpha_0,2
  2.3970971594E-06                   1       ! alpha_2,2
  4.2997318335E-06                   1       ! alpha_3,2
 END SET 1
 END U TERM
 START P TERM
 Spin dep (0->uu=dd=ud; 1->uu=dd/=ud; 2->uu/=dd/=ud)
   0
 Number of simulation-cell G-vectors (NB, cannot have both G & -G)
   5
 G-vector (in terms of rec latt vects) ; label
   1 0 0   1
   0 1 0   1
   0 0 1   1
   1 1 0   2
   1 -1 0  2
 Parameter value ; Optimizable (0=NO; 1=YES)
  -9.2819649004E-02    1   ! a_1
  -1.9828247980E-02    1   ! a_2
 END P TERM
 END JASTROW
)";

System gas() { return make_system(5, Lattice::sc, {}, 7, 7); }

// The message of the failure, "" where there is none.
std::string message(const std::string& text) {
  try {
    parse_correlation_data("correlation.data", text, gas());
  } catch (const suite::Failure& failure) { return failure.what(); }
  return "";
}

void require_message(const std::string& text, const std::string& begin, const std::string& part) {
  const std::string got = message(text);
  BOOST_TEST(got.rfind(begin, 0) == 0, got);
  BOOST_TEST(got.find(part) != std::string::npos, got);
}

}  // namespace

BOOST_AUTO_TEST_CASE(correlation_data_is_read) {
  const auto data = parse_correlation_data("correlation.data", sound, gas());
  const Jastrow& j = data.jastrow;
  BOOST_TEST(data.title == "Electron gas");
  BOOST_TEST(j.truncation == 3);
  BOOST_TEST(j.nalpha == 4);
  BOOST_TEST(j.nset_u == 2);
  BOOST_TEST(j.L_u == 9.5);
  BOOST_TEST(j.alpha[0] == 7.1794688914e-4);
  BOOST_TEST(j.alpha[2] == -4.9631999652e-5);
  BOOST_TEST(j.alpha[3] == 2.7499138329e-5);
  BOOST_TEST(j.alpha[7] == 4.2997318335e-6);
  // alpha_1 = Gamma/(-L)^C + C alpha_0/L
  for (size_t set = 0; set < 2; ++set)
    BOOST_TEST(std::abs(j.alpha[4 * set + 1] - ((set ? 0.5 : 0.25) / -std::pow(9.5, 3) + 3 * j.alpha[4 * set] / 9.5)) < 1e-18);
  BOOST_TEST(data.free_cutoffs[0]);
  BOOST_TEST(!data.free_alpha[1]);
  BOOST_TEST(j.nstar == 2);
  BOOST_TEST(j.nset_p == 1);
  BOOST_TEST((j.star == std::vector<int32_t>{1, 1, 1, 2, 2}));
  BOOST_TEST(j.gvec[13] == -1);
  BOOST_TEST(j.a[1] == -1.982824798e-2);
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back_to_the_last_bit) {
  auto data = parse_correlation_data("correlation.data", sound, gas());
  std::mt19937_64 random(7);
  std::normal_distribution<double> gauss;
  for (auto& x : data.jastrow.alpha) x = gauss(random) * 1e-3;
  for (auto& x : data.jastrow.a) x = gauss(random) * 1e-2;
  data.jastrow.L_u = 9.0 + 1.0 / 3;
  apply_cusp(gas(), data.jastrow);
  const std::string text = correlation_data_text(data);
  const auto back = parse_correlation_data("again", text, gas());
  BOOST_TEST(back.jastrow.alpha == data.jastrow.alpha);
  BOOST_TEST(back.jastrow.a == data.jastrow.a);
  BOOST_TEST(back.jastrow.L_u == data.jastrow.L_u);
  BOOST_TEST(back.jastrow.gvec == data.jastrow.gvec);
  BOOST_TEST((back.free_alpha == data.free_alpha));
  BOOST_TEST(correlation_data_text(back) == text);
}

BOOST_AUTO_TEST_CASE(parameters_left_out_are_zero_and_a_cutoff_of_zero_is_the_largest) {
  std::string text = sound;
  const size_t begin = text.find("  7.179"), end = text.find(" END SET 1");
  text.erase(begin, end - begin);
  const auto data = parse_correlation_data("correlation.data", replaced(text, "   9.5 ", "   0.0 "), gas());
  BOOST_TEST(data.jastrow.alpha[0] == 0);
  BOOST_TEST(data.jastrow.alpha[1] != 0);
  BOOST_TEST(std::abs(data.jastrow.L_u - gas().inscribed_radius()) < 1e-12);
}

BOOST_AUTO_TEST_CASE(what_there_is_no_kernel_for_is_refused_by_name_and_place) {
  for (const char* term : {"CHI TERM", "F TERM", "Q TERM", "H TERM"})
    require_message(replaced(sound, "START P TERM", std::string("START ") + term),
                    "correlation.data:35:2: ", std::string("term ") + term + " is not supported");
  for (const char* section : {"BACKFLOW", "MDET", "GEMINAL"})
    require_message(std::string(sound) + "\n START " + section + "\n",
                    "correlation.data:52:2: ", std::string("section ") + section + " is not supported");
}

BOOST_AUTO_TEST_CASE(mistakes_have_their_place) {
  const auto wrong = [](const char* what, const char* with, const char* place, const char* part) {
    require_message(replaced(sound, what, with), std::string("correlation.data:") + place + ": ", part);
  };
  wrong("N_u\n   3", "N_u\n   4", "33:2", "there are 6 of the 8 parameters");
  wrong("N_u\n   3", "N_u\n   2", "31:3", "more than the 4 parameters");
  wrong("   9.5 ", "   9.8 ", "25:4", "beyond the radius 9.7128");
  wrong("   9.5 ", "   nan ", "25:4", "must be a number");
  wrong("-4.9631999652D-05                   0", "-4.9631999652D-05                   2", "28:38", "0..1");
  wrong("   1 -1 0  2", "   -1 -1 0 2", "45:4", "its negative appears twice");
  wrong("   1 -1 0  2", "   0 0 0 2", "45:4", "G = 0");
  wrong("   1 -1 0  2", "   1 -1 0 4", "46:2", "labels up to 4");
  wrong("  -1.9828247980E-02    1   ! a_2\n", "", "48:2", "there are 1 of the 2 parameters");
  wrong("C\n   3", "C\n   4", "13:4", "2..3");
  wrong(" END U TERM\n", "", "34:2", "expected 'END U TERM'");
  wrong(" END JASTROW\n", "", "50:1", "expected 'END JASTROW'");
  wrong("l,m\n   0 0", "l,m\n   1 0", "19:4", "l and m");
}

// Bytes changed, lines dropped, doubled and swapped: read or refused, never more.
BOOST_AUTO_TEST_CASE(damaged_files_are_read_or_refused) {
  const System system = gas();
  std::mt19937_64 random(20);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = sound;
    for (int k = static_cast<int>(random() % 4); k >= 0; --k) {
      if (text.empty()) break;
      const size_t at = random() % text.size();
      switch (random() % 5) {
        case 0: text[at] = static_cast<char>(random()); break;
        case 1: text.erase(at, random() % 60); break;
        case 2: text.insert(at, text.substr(random() % text.size(), random() % 60)); break;
        case 3: text.resize(at + 1); break;
        default: text.insert(at, "99999999999999999999");
      }
    }
    try {
      parse_correlation_data("correlation.data", text, system);
    } catch (const suite::Failure&) { ++refused; }
  }
  BOOST_TEST(refused > 5000);
}

namespace {

const char* const input = R"(#-------------------#
# CASINO input file #
#-------------------#
runtype           : vmc_dmc        #*! Type of calculation (Text)
atom_basis_type   : none           #*! Basis set type (text)
neu               : 0              #*! Number of up electrons (Integer)
ned               : 0              #*! Number of down electrons (Integer)
vmc_equil_nstep   : 5000           #*! Number of equilibration steps (Integer)
vmc_nstep         : 100000
dtvmc             : 2.5d0
dtdmc             : 0.01
use_jastrow       : T
vmc_nblock        : 10
%block free_particles
r_s 5.0
dimensionality 3
cell_geometry
0.5 0.5 0.0
0.5 0.0 0.5
0.0 0.5 0.5
particle 1 det 1 : 27 orbitals free
particle 2 det 1 : 15 orbitals free
k_offset 0.0 0.0 0.0
%endblock free_particles
)";

std::string input_message(const std::string& text) {
  try {
    parse_casino_input("input", text);
  } catch (const suite::Failure& failure) { return failure.what(); }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(input_is_read) {
  const auto in = parse_casino_input("input", input);
  BOOST_TEST(in.rs == 5);
  BOOST_TEST(in.nele[0] == 27);
  BOOST_TEST(in.nele[1] == 15);
  BOOST_TEST(in.shape[5] == 0.5);
  BOOST_TEST(in.shape[4] == 0);
  BOOST_TEST(in.runtype.value() == "vmc_dmc");
  BOOST_TEST(in.use_jastrow.value());
  BOOST_TEST(in.dtvmc.value() == 2.5);
  BOOST_TEST(in.vmc_nstep.value() == 100000);
  BOOST_TEST(!in.vmc_decorr_period.has_value());
  BOOST_TEST((in.settable == std::vector<std::string>{"runtype", "vmc_equil_nstep", "vmc_nstep", "dtvmc", "dtdmc", "use_jastrow"}));
  BOOST_TEST((in.ignored == std::vector<std::string>{"vmc_nblock"}));
}

BOOST_AUTO_TEST_CASE(input_refuses_what_is_not_the_electron_gas) {
  const auto wrong = [](const char* what, const char* with, const char* place, const char* part) {
    const std::string got = input_message(replaced(input, what, with));
    BOOST_TEST(got.rfind(std::string("input:") + place + ": ", 0) == 0, got);
    BOOST_TEST(got.find(part) != std::string::npos, got);
  };
  wrong(": none ", ": plane-wave ", "5:21", "atom_basis_type plane-wave is not supported");
  wrong(": none ", ": gaussian ", "14:1", "the block free_particles is not supported");
  wrong("neu               : 0", "neu               : 9", "6:21", "neu is 9, but particle 1");
  wrong("vmc_nblock        : 10", "backflow : T", "13:12", "backflow T is not supported, it must be F");
  wrong("vmc_nblock        : 10", "interaction : mpc", "13:15", "interaction mpc is not supported, it must be ewald");
  wrong("vmc_nblock        : 10", "vmc_method : 3", "13:14", "vmc_method 3 is not supported, it must be 1");
  wrong("vmc_nblock        : 10", "limdmc : 2", "13:10", "limdmc 2 is not supported, it must be 4");
  wrong("vmc_nblock        : 10", "newrun : F", "13:10", "newrun F is not supported, it must be T");
  wrong("vmc_nblock        : 10", "vmc_decorr_period : 200000", "13:21", "vmc_decorr_period must be 1..100000");
  wrong("vmc_nblock        : 10", "dmc_target_weight : 7.5", "13:21", "must be a whole number");
  wrong("vmc_nblock        : 10", "opt_method : newton", "13:14", "opt_method newton is not supported");
  wrong(": vmc_dmc ", ": dmc_stats ", "4:21", "runtype dmc_stats is not supported; it must be one of vmc, vmc_dmc, vmc_opt");
  wrong("dtvmc             : 2.5d0", "opt_dtvmc : 0", "25:1", "but dtvmc is missing");
  wrong("dimensionality 3", "dimensionality 2", "16:16", "must be 3");
  wrong("0.0 0.5 0.5", "1.0 0.5 0.5", "21:1", "lie in a plane");
  wrong("27 orbitals free", "27 orbitals wigner", "21:32", "must be free");
  wrong("particle 2", "particle 3", "22:10", "1..2");
  wrong("k_offset 0.0", "k_offset 0.5", "23:10", "k_offset must be 0 0 0");
  wrong("r_s 5.0", "r_s -5.0", "15:5", "above 0");
  wrong("r_s 5.0", "r_t 5.0", "15:1", "'r_t' in free_particles");
  wrong("%endblock free_particles", "", "25:1", "expected '%endblock'");
  wrong("%block free_particles", "%block expot", "14:1", "the block expot is not supported");
  wrong("vmc_nblock        : 10", "dtdmc : 0.1", "13:1", "appears twice; first in line 11");
}

BOOST_AUTO_TEST_CASE(no_mistake_of_an_input_hides_another) {
  std::string text = replaced(input, "runtype           : vmc_dmc", "runtype           : dmc_stats");
  text = replaced(text, "dtdmc             : 0.01", "dtdmc             : -1");
  text = replaced(text, "vmc_nblock        : 10", "backflow          : T");
  text = replaced(text, "r_s 5.0", "r_s five");
  text = replaced(text, "dimensionality 3", "dimensionality 2");
  text = replaced(text, "0.5 0.0 0.5", "0.5 0.0 x");
  text = replaced(text, "k_offset 0.0 0.0 0.0", "k_offset 0.0 0.5 0.0");
  text += "%block expot\nanything\n%endblock expot\n";
  try {
    parse_casino_input("input", text);
    BOOST_FAIL("it was read");
  } catch (const suite::app::InputErrors& errors) {
    BOOST_TEST(errors.count() == 8u, errors.what());
    for (const char* place : {"input:4:21: ", "input:11:21: ", "input:13:21: ", "input:15:5: ", "input:16:16: ", "input:19:9: ",
                              "input:23:14: ", "input:25:1: "})
      BOOST_TEST(std::string(errors.what()).find(place) != std::string::npos, place);
  }
}

BOOST_AUTO_TEST_CASE(coefficients_marked_as_fixed_are_no_parameters) {
  const auto data = parse_correlation_data("correlation.data", sound, gas());
  Free free;
  free.each_u = data.free_alpha;
  free.each_p = {true, false};
  const auto names = parameter_names(data.jastrow, free);
  // alpha_2 of the parallel spins and a_2 stay.
  BOOST_TEST((names == std::vector<std::string>{"alpha_0 parallel", "alpha_3 parallel", "alpha_0 antiparallel", "alpha_2 antiparallel",
                                                "alpha_3 antiparallel", "a_1"}));
  Jastrow changed = data.jastrow;
  set_parameters(gas(), changed, std::vector<double>(names.size(), 0.0), free);
  BOOST_TEST(changed.alpha[2] == data.jastrow.alpha[2]);
  BOOST_TEST(changed.alpha[3] == 0);
  BOOST_TEST(changed.a[0] == 0);
  BOOST_TEST(changed.a[1] == data.jastrow.a[1]);
}

BOOST_AUTO_TEST_CASE(damaged_inputs_are_read_or_refused) {
  std::mt19937_64 random(21);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = input;
    for (int k = static_cast<int>(random() % 4); k >= 0; --k) {
      if (text.empty()) break;
      const size_t at = random() % text.size();
      if (random() % 2) text[at] = static_cast<char>(random());
      else if (random() % 2) text.erase(at, random() % 40);
      else text.insert(at, text.substr(random() % text.size(), random() % 40));
    }
    try {
      parse_casino_input("input", text);
    } catch (const suite::Failure&) { ++refused; }
  }
  BOOST_TEST(refused > 5000);
}
