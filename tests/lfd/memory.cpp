// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out inside of a parallel region of `cpu` must not end the process. This program's operator
// new stands before that of the plugin: where it is told so, a thread of a team gets no memory.
#include <boost/test/unit_test.hpp>

#include <omp.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include <suite/suite.hpp>

namespace {

std::atomic<bool> scarce{false};
std::atomic<int> asked{0};

void* memory(size_t bytes, size_t alignment) {
  if (scarce && omp_in_parallel()) {
    ++asked;
    throw std::bad_alloc();
  }
  const size_t whole = (bytes + alignment) / alignment * alignment;
  if (void* const p = std::aligned_alloc(alignment, whole)) return p;
  throw std::bad_alloc();
}

// The kernel's outcome without memory for teams: "ran", or what it says.
std::string outcome_of(suite::Kernel& kernel) {
  asked = 0;
  scarce = true;
  std::string said = "ran";
  try {
    kernel.run();
  } catch (const suite::Failure& failure) { said = failure.status() == SUITE_OUT_OF_MEMORY ? "out of memory" : failure.what(); }
  scarce = false;
  return said;
}

constexpr const char* size =
    "Nx=14,Ny=16,Nz=18,Norb=33,nsteps=3,nonlocal=1,natom=3,nsphere=40,nproj=9,k=1,A=1,current=1,field_steps="
    "3";

}  // namespace

void* operator new(size_t bytes) { return memory(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(size_t bytes, std::align_val_t alignment) { return memory(bytes, static_cast<size_t>(alignment)); }
// Inlined, they look to g++ as if memory of another new was freed.
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { std::free(p); }

// A step's teams meet at barriers, which a thread without memory would miss: they ask for none.
BOOST_AUTO_TEST_CASE(propagation_asks_for_no_memory_in_its_team) {
  for (const std::string precision : {"", ",precision=single"})
    for (const char* field : {"frozen", "loop", "closed", "spectral", "isolated"})
      for (const char* gauge : {"length", "velocity"}) {
        suite::Kernel kernel("lfd.propagate", "cpu");
        kernel.set_parameter("threads", 2);
        kernel.choose("field", field);
        kernel.choose("gauge", gauge);
        kernel.generate((size + precision).c_str(), 1);
        BOOST_TEST(outcome_of(kernel) == "ran");
        BOOST_TEST(asked == 0, field << " " << gauge << ": " << asked);
      }
}

BOOST_AUTO_TEST_CASE(fields_ask_for_no_memory_in_their_team) {
  for (const char* laplacian : {"differences", "continuum", "isolated"}) {
    suite::Kernel kernel("lfd.spectral_field_solve", "cpu");
    kernel.set_parameter("threads", 2);
    kernel.choose("laplacian", laplacian);
    kernel.generate("N=32", 1);
    BOOST_TEST(outcome_of(kernel) == "ran");
    BOOST_TEST(asked == 0);
  }
}

// Others may, and then it is an error that the caller is told.
BOOST_AUTO_TEST_CASE(what_asks_for_memory_fails_with_a_message) {
  for (const char* name : {"lfd.calc_energy", "lfd.nlp_prop", "lfd.kin_prop", "lfd.compute_rho", "lfd.pot_prop"}) {
    suite::Kernel kernel(name, "cpu");
    kernel.set_parameter("threads", 2);
    kernel.generate(size, 1);
    const std::string said = outcome_of(kernel);
    BOOST_TEST((said == "ran" || said == "out of memory"), name << ": " << said);
    BOOST_TEST((said == "ran") == (asked == 0), name << " asked " << asked << " times and said: " << said);
    BOOST_TEST(outcome_of(kernel) == said);
  }
}
