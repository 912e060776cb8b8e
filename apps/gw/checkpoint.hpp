// SPDX-License-Identifier: BSD-3-Clause
// How far a run has come: its checkpoint.h5, from which another run of the same input continues, and the signal that stops it.
#pragma once

#include <vector>

#include "base/stop.hpp"
#include "gw.hpp"

namespace suite::gw {

class Checkpoint {
public:
  // Takes what the run of settings.restart had done, if there is one.
  Checkpoint(const Settings& settings, app::Context& context);

  // eps^-1, by q of the plan: 1 where it is done, and what is known of each beside the matrices. These are in eps0mat.h5 and epsmat.h5, in the
  // folder of the checkpoint, where qpt_done marks them.
  struct Epsilon {
    std::vector<double> done, numbers;
  };
  Epsilon epsilon;
  // Sigma, by pair (k,q) of the plan: 1 where it is done, and the terms of each, of one slice of G' after the other; what was seen of each q.
  struct Sigma {
    std::vector<double> done, values, seen;
    double iterations = 0;
  };
  Sigma sigma;

  // Of the restart: fails unless the lists have these sizes. False if it had not begun with them.
  bool has_epsilon(size_t q, size_t numbers) const;
  bool has_sigma(size_t items, size_t values, size_t seen) const;
  std::filesystem::path epsilon_of_restart(const char* name) const { return restart_.parent_path() / name; }

  int64_t interval() const { return interval_; }  // matrices, or pairs (k,q) of a process, between two saves; 0: none
  bool stopped() const { return stop_.signal() != 0; }  // this process was asked to
  int agreed_signal() const;  // the same on all; collective
  void save() const;  // by the root
  void remove() const;  // what was done is in the results
  [[noreturn]] void stop(int signal) const;

private:
  bool fits(const char* name, const std::vector<double>& values, size_t size) const;
  const app::Communicator& world_;
  std::string fingerprint_;
  std::filesystem::path file_, restart_;
  int64_t interval_;
  app::StopRequest stop_;
};

}  // namespace suite::gw
