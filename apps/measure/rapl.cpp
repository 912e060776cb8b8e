// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <suite/plugin.hpp>

#include "common/io.hpp"
#include "energy.hpp"

namespace suite::app {
namespace {

namespace fs = std::filesystem;

constexpr double most_W = 2000;  // of one package or its memory: no CPU draws that much

struct Domain {
  fs::path file;
  uint64_t range_uJ = 0, last_uJ = 0;
  bool known = true;
};

// Returns false if the file cannot be read; errno holds the reason.
bool read_number(const fs::path& file, uint64_t& value) {
  errno = 0;
  std::ifstream stream(file);
  return static_cast<bool>(stream >> value);
}

// Packages and the memory domains beside their cores. "psys" includes a package, "core" and "uncore" are parts of one. The same counters
// appear again as intel-rapl-mmio.
std::vector<Domain> domains_in(const fs::path& folder) {
  std::vector<Domain> domains;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().rfind("intel-rapl:", 0) != 0) continue;
    const std::string name = first_line(entry.path() / "name");
    if (name.rfind("package", 0) == 0 || name == "dram") domains.push_back({entry.path() / "energy_uj"});
  }
  std::sort(domains.begin(), domains.end(), [](const Domain& a, const Domain& b) { return a.file < b.file; });
  return domains;
}

class Rapl : public EnergyCounter {
public:
  Rapl(std::vector<Domain> domains, std::function<double()> now_s)
      : domains_(std::move(domains)), now_s_(std::move(now_s)), read_at_s_(now_s_()) {}
  double step_s() const override { return 1e-3; }  // Intel's manual, volume 3B, 15.10.2: about a millisecond

  EnergyReading read() override {
    const double now = now_s_(), most_uJ = 1e6 * most_W * (now - read_at_s_);
    read_at_s_ = now;
    bool lost = false;
    for (auto& domain : domains_) {
      uint64_t value = 0;
      const bool known = read_number(domain.file, value) && value <= domain.range_uJ;
      if (!known || !domain.known || most_uJ > static_cast<double>(domain.range_uJ)) {
        lost = true;  // the counter may have wrapped around more than once in that time
      } else {
        const bool wrapped = value < domain.last_uJ;
        sum_.joules += 1e-6 * static_cast<double>(wrapped ? domain.range_uJ - domain.last_uJ + value : value - domain.last_uJ);
      }
      domain.known = known;
      domain.last_uJ = value;
    }
    if (lost) ++sum_.gaps;
    return sum_;
  }

private:
  std::vector<Domain> domains_;
  std::function<double()> now_s_;
  double read_at_s_;
  EnergyReading sum_;
};

}  // namespace

std::unique_ptr<EnergyCounter> open_rapl(const fs::path& folder, std::function<double()> now_s) {
  std::vector<Domain> domains = domains_in(folder);
  if (domains.empty()) throw Failure(SUITE_NOT_FOUND, "there are no RAPL counters (intel-rapl:*) in " + folder.string());
  for (auto& domain : domains) {
    if (!read_number(domain.file, domain.last_uJ))
      throw Failure(SUITE_UNSUPPORTED,
                    domain.file.string() + " cannot be read: " + (errno ? std::strerror(errno) : "it contains no number"));
    const fs::path range = domain.file.parent_path() / "max_energy_range_uj";
    if (!read_number(range, domain.range_uJ) || domain.range_uJ == 0)
      throw Failure(SUITE_UNSUPPORTED, range.string() + " contains no range");
  }
  return std::make_unique<Rapl>(std::move(domains), std::move(now_s));
}

}  // namespace suite::app
