// SPDX-License-Identifier: BSD-3-Clause
#include "gw_app.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "bands.hpp"
#include "bands_output.hpp"
#include "base/starter_from_files.hpp"
#include "checkpoint.hpp"
#include "common/quantities.hpp"
#include "consistency.hpp"
#include "dielectric.hpp"
#include "file_kinds.hpp"
#include "frequencies.hpp"
#include "kernel_call.hpp"
#include "matrix_elements.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "plan.hpp"
#include "polarizability.hpp"
#include "qp_hamiltonian.hpp"
#include "start_from.hpp"
#include "vxc_potential.hpp"
#include "worker.hpp"

namespace suite::gw {
namespace {

const char* model_name(Model model) {
  switch (model) {
    case Model::gpp: return "plasmon-pole model of Hybertsen and Louie";
    case Model::godby_needs: return "plasmon-pole model of Godby and Needs";
    case Model::cohsex: return "static COHSEX";
    case Model::contour_deformation: return "full frequency by contour deformation";
    case Model::multipole: return "several complex poles for each pair of G";
  }
  return "";
}

std::string coulomb_name(const Settings& s) {
  if (s.truncation != Truncation::none) return fmt::format("v cut off ({})", truncation_name(s.truncation));
  if (s.screening != ScreeningKind::semiconductor && s.coulomb != CoulombMode::file)
    return std::string("v averaged at q = 0 alone, screening of ") + (s.screening == ScreeningKind::metal ? "a metal" : "graphene");
  switch (s.coulomb) {
    case CoulombMode::cell: return "v averaged over the cell of each q";
    case CoulombMode::none: return "v not averaged";
    case CoulombMode::file: return "v from a file";
    case CoulombMode::berkeleygw: return "v averaged over BerkeleyGW's random points";
  }
  return "";
}

// The key to blame for what Plan refuses: the one whose value, or file, its sentence names first.
const char* blamed(const std::string& sentence, const Settings& s) {
  const auto begins = [&](const char* text) { return sentence.rfind(text, 0) == 0; };
  if (begins("screening")) return "system.screening";
  if (begins("number of bands") || (begins("bands ") && sentence.find("degenerate") != std::string::npos)) return "system.nbands";
  if (begins("external bands")) return "sigma.bands";
  if (begins("k = ")) return "sigma.kpoints";
  if (begins("Godby") || begins("contour deformation") || sentence.find(" poles need eps^-1") != std::string::npos) return "sigma.model";
  if (begins("truncation")) return "coulomb.truncation";
  // Where two files contradict each other the wavefunctions count as right.
  const auto names = [&](const std::filesystem::path& file) { return !file.empty() && sentence.find(file.string()) != std::string::npos; };
  if (names(s.levels.eqp)) return "sigma.eqp_corrections";
  if (names(s.levels_outer.eqp)) return "sigma.eqp_outer_corrections";
  if (names(s.wavefunctions_outer)) return "system.wavefunctions_outer";
  if (names(s.density)) return "system.density";
  if (names(s.eps)) return "system.eps";
  if (names(s.eps0)) return "system.eps0";
  return "system.wavefunctions";
}

// The same for what DielectricPlan and complete_frequencies refuse.
const char* blamed_of_epsilon(const std::string& sentence, const Settings& s) {
  const auto begins = [&](const char* text) { return sentence.rfind(text, 0) == 0; };
  if (begins("number of bands") || begins("bands ") || sentence.find("all occupied") != std::string::npos) return "epsilon.nbands";
  if (begins("screening")) return "system.screening";
  if (begins("q0 ")) return "epsilon.q0";
  if (begins("the cutoff of eps")) return "epsilon.cutoff";
  if (begins("truncation")) return "coulomb.truncation";
  if (begins("external bands")) return "sigma.bands";
  if (begins("k = ")) return "sigma.kpoints";
  if (begins("real_step")) return "epsilon.real_step";
  if (begins("the q grid") || sentence.find("the q grid") != std::string::npos) return "epsilon.q_grid";
  const auto names = [&](const std::filesystem::path& file) { return !file.empty() && sentence.find(file.string()) != std::string::npos; };
  if (names(s.epsilon.levels.eqp)) return "epsilon.eqp_corrections";
  if (names(s.epsilon.eqp_q0)) return "epsilon.eqp_corrections_q0";
  if (sentence.find(s.epsilon.wavefunctions_q0.string()) != std::string::npos)
    return s.epsilon.q0 && begins("k + q") ? "epsilon.q0" : "epsilon.wavefunctions_q0";
  return s.epsilon.wavefunctions.empty() ? "system.wavefunctions" : "epsilon.wavefunctions";
}

void use_all_bands_unless_told(Settings& s) {
  if (s.nbands == 0) s.nbands = Wavefunctions(s.wavefunctions).nbands();
}

// Without epsmat.h5 there is one q, which is all only for a grid of one.
void require_all_q(const InverseDielectric& eps0, const Settings& s) {
  const Miller& n = eps0.grid();
  if (s.eps.empty() && n != Miller{1, 1, 1})
    throw Failure(SUITE_INVALID_ARGUMENT, fmt::format("'eps' is missing in 'system': {} holds q -> 0 only, and its q grid is {} x {} x {}",
                                                      s.eps0.string(), n[0], n[1], n[2]));
}

// How CH is completed. BerkeleyGW decides otherwise where its input does not say.
const char* coulomb_hole_name(const Settings& s) {
  if (s.model == Model::cohsex) return s.exact_static_ch ? "CH exact" : "CH exact, beside its sum over bands";
  return s.exact_static_ch ? "with the static remainder (BerkeleyGW: only if exact_static_ch 1)" : "without static remainder";
}

void describe(const DielectricPlan& plan, std::ostream& out) {
  size_t points = 0;
  for (const auto& q : plan.q) points += q.points.size();
  // The last q is not the small one, whose occupied bands may be of another file.
  const DielectricPlan::Q& usual = plan.q.back();
  const int64_t pairs = usual.points.empty() ? 0 : plan.pairs(usual) / static_cast<int64_t>(usual.points.size());
  out << "epsilon  " << plan.q.size() << " q of the " << plan.grid[0] << "x" << plan.grid[1] << "x" << plan.grid[2] << " grid, up to "
      << plan.largest() << " G within " << fmt::format("{:g}", plan.cutoff()) << " Ry; " << plan.k_points.size() << " k with " << pairs
      << " pairs of bands each, " << points << " pairs (k,q) by symmetry"
      << (plan.frequencies.size() > 1 ? fmt::format("; {} frequencies", plan.frequencies.size()) : "") << "; about "
      << app::bytes_text(dielectric_memory_B(plan)) << " of memory in each process\n";
}

void describe(const Plan& plan, std::ostream& out) {
  const Settings& s = plan.settings;
  const Miller& grid = plan.wavefunctions.grid();
  const bool averaged = s.truncation == Truncation::none && s.coulomb != CoulombMode::none;
  const std::string wings = averaged && s.wings == Wings::berkeleygw ? ", wings as in BerkeleyGW" : "";
  const Wavefunctions& w = plan.wavefunctions;
  out << "system   " << plan.system() << ", " << plan.wavefunctions.operations().size() << " symmetry operations; k grid " << grid[0] << "x"
      << grid[1] << "x" << grid[2] << " (" << plan.wavefunctions.kpoints().size() << " irreducible), " << plan.wavefunctions.nbands()
      << " bands\n"
      << "model    " << model_name(s.model) << ", " << coulomb_name(s) << wings << ", " << coulomb_hole_name(s) << "; eps^-1 of "
      << plan.eps.count() << " q points, up to " << plan.eps.largest() << " G\n"
      << "wanted   bands " << s.band_min << " to " << s.band_max << " at "
      << plan.externals.size() / static_cast<size_t>(plan.wavefunctions.spins()) << " k points"
      << (plan.wavefunctions.spins() == 2 ? " and both spins" : "") << (plan.outer_file ? " of " + s.wavefunctions_outer.string() : "")
      << ", sum over " << s.nbands << " bands: " << plan.items.size() << " pairs (k,q)\n";
  if (!s.offdiag.empty()) out << "elements " << s.offdiag.size() << " between two bands at each k; the sum over q has no symmetry\n";
  if (w.partly_filled())
    out << fmt::format("levels   Fermi level {:.4f} eV; {} bands are full everywhere, {} hold electrons\n",
                       w.levels().fermi()[0] * rydberg_eV, w.full(), w.occupied());
  const auto describe_levels = [&](const LevelSettings& levels, const char* which) {
    if (levels.correct())
      out << "levels   " << which << (levels.eqp.empty() ? "corrected by a scissors operator" : "those of " + levels.eqp.string()) << "\n";
  };
  describe_levels(s.levels, plan.outer_file ? "in the sum " : "");
  describe_levels(s.levels_outer, "of the wanted states ");
  const Memory memory = memory_of(memory_counts(plan, 1, s.gprime_slices), most_workers(plan, 1, s.gprime_slices));
  out << "memory   about " << memory_text(memory) << " in each process\n";
  if (plan.density_breaks_symmetry()) out << "warning  " << plan.density_sentence() << "\n";
}

// Of the section 'bands', the first thing that is wrong with each key.
void check_bands_section(const app::Input& input, const Settings& s, const Wavefunctions& w, std::ostream& out) {
  if (s.bands.path.empty()) return;
  std::string path;
  size_t points = 0;
  input.holds("bands.path", [&] {
    require_all_kpoints(s, w);
    const KPath made = path_of(s.bands, w);
    path = made.name();
    points = made.points().size();
  });
  input.holds("bands.dos_grid", [&] { require_dos_grid(s.bands, w); });
  if (!s.bands.wavefunctions.empty())
    input.holds("bands.wavefunctions", [&] {
      refuse_other_than_wavefunctions(s.bands.wavefunctions);
      require_further_file(s, w, Wavefunctions(s.bands.wavefunctions, KGrid::none));
    });
  if (!path.empty() && input.sound()) out << "bands    " << points << " points along " << path << "\n";
}

// What check() reports by key, before the work of a run.
void require_bands_section(const Settings& s) {
  if (s.bands.path.empty()) return;
  const Wavefunctions w(s.external_wavefunctions());
  require_all_kpoints(s, w);
  path_of(s.bands, w);
  require_dos_grid(s.bands, w);
  for (const auto& file : further_files(s)) require_further_file(s, w, Wavefunctions(file, KGrid::none));
}

nlohmann::ordered_json run_epsilon(const Settings& settings, app::Context& context) {
  const DielectricPlan plan(settings);
  Checkpoint checkpoint(settings, context);
  const DielectricResult dielectric = make_dielectric(plan, context, checkpoint);
  report(dielectric, context);
  context.out << "\n" << dielectric_table(dielectric.q);
  Result result;
  result.spins = plan.wavefunctions.spins();
  result.occupied = plan.wavefunctions.occupied_of_spins();
  if (plan.wavefunctions.partly_filled()) result.fermi_eV = plan.wavefunctions.levels().fermi()[0] * rydberg_eV;
  result.dielectric = dielectric.q;
  checkpoint.remove();
  return results_of_epsilon(result);
}

app::App::Sample sample_of_epsilon(const Settings& settings) {
  const DielectricPlan plan(settings);
  KernelSource source("cpu");
  auto arguments = std::make_shared<ChiArguments>(Polarizability(plan, source).sample(plan.q.size() / 2));
  auto part = std::make_shared<ChiArguments>(arguments->part());
  app::App::Sample sample;
  sample.data = arguments;
  // The kernel adds to chi: each candidate begins with zeros.
  const auto begin = [](ChiArguments& call, Kernel& kernel) {
    std::fill_n(call.chi.at(0), call.chi.size() * static_cast<size_t>(call.chi.parts()), 0.0);
    call.set(kernel);
  };
  sample.set_arguments = [begin, arguments = arguments.get()](Kernel& kernel) { begin(*arguments, kernel); };
  sample.set_part = [begin, part](Kernel& kernel) { begin(*part, kernel); };
  sample.kernel = "gw.chi";
  sample.description = fmt::format("q = {}: {} G, {} pairs of bands, {} frequencies", text(plan.q[plan.q.size() / 2].at),
                                   arguments->column.size(), arguments->pairs(), arguments->z.size());
  return sample;
}

class GwApp final : public app::App, public app::StarterFromFiles {
public:
  const char* name() const override { return "gw"; }
  const char* summary() const override {
    return "quasiparticle energies in the GW approximation (plasmon poles, full frequency, COHSEX) from BerkeleyGW's files";
  }
  const std::vector<app::Key>& keys() const override { return input_keys(); }

  void check(const app::Input& input, std::ostream& out) const override {
    Settings s = read_settings(input);
    // Each key by itself, so that all mistakes are found at once; one that is missing was missed already.
    const auto holds = [&](const char* path, const auto& f) {
      bool right = false;
      input.group([&] {
        input.needs({path});
        right = input.holds(path, f);
      });
      return right;
    };
    const auto are_wavefunctions = [&](const char* path, const std::filesystem::path& file) {
      return holds(path, [&] {
        refuse_other_than_wavefunctions(file);
        Wavefunctions{file};
      });
    };
    std::ostringstream bands_line;  // stands below what is made of it
    const bool readable = are_wavefunctions("system.wavefunctions", s.wavefunctions);
    if (s.makes_epsilon()) {
      const bool pairs = s.epsilon.wavefunctions.empty() ? readable : are_wavefunctions("epsilon.wavefunctions", s.epsilon.wavefunctions);
      const bool moved = are_wavefunctions("epsilon.wavefunctions_q0", s.epsilon.wavefunctions_q0);
      if (pairs && moved && input.sound()) try {
          complete_frequencies(s);
          describe(DielectricPlan(s), out);
        } catch (const Failure& failure) { input.fail(blamed_of_epsilon(failure.what(), s), failure.what()); }
    }
    if (s.epsilon.only) return;
    const bool outer_readable = s.wavefunctions_outer.empty() ? readable : holds("system.wavefunctions_outer", [&] {
      refuse_other_than_wavefunctions(s.wavefunctions_outer);
      Wavefunctions(s.wavefunctions_outer, KGrid::none);
    });
    if (readable && outer_readable) {
      const Wavefunctions inner(s.wavefunctions), w(s.external_wavefunctions(), s.wavefunctions_outer.empty() ? KGrid::grid : KGrid::none);
      use_all_bands_unless_told(s);
      holds("system.nbands", [&] { require_band_sum(s.nbands, inner); });
      if (s.band_max > 0) holds("sigma.bands", [&] { require_bands(s, w); });
      holds("sigma.kpoints", [&] { chosen_kpoints(s, w); });
      input.group([&] {
        input.needs(
            {"bands.path", "bands.labels", "bands.points", "bands.wavefunctions", "bands.dos_grid", "sigma.bands", "sigma.kpoints"});
        if (input.sound()) check_bands_section(input, s, w, bands_line);
      });
    }
    if (!s.density.empty())
      holds("system.density", [&] {
        refuse_other_than_density(s.density);
        read_density(s.density);
      });
    if (!s.vxc.empty())
      holds("system.vxc", [&] {
        refuse_other_than_vxc(s.vxc);
        check_vxc(s.vxc);
      });
    // the header of eps0 alone tells which of the two files is to blame
    input.group([&] {
      input.needs({"system.eps"});
      if (s.eps0.empty()) return;
      const bool eps0 = holds("system.eps0", [&] {
        refuse_other_than_dielectric(s.eps0);
        require_all_q(InverseDielectric(s.eps0, {}, s.screening), s);
      });
      if (s.eps.empty()) return;
      holds("system.eps", [&] {
        refuse_other_than_dielectric(s.eps);
        if (eps0) InverseDielectric(s.eps0, s.eps, s.screening);
      });
    });
    input.group([&] {
      input.needs({"coulomb.average"});
      if (s.coulomb != CoulombMode::cell && !s.vcoul.empty()) holds("coulomb.file", [&] { CoulombFile{s.vcoul}; });
    });
    if (!input.sound()) return;
    try {
      const Plan plan(s);
      if (input.holds("system.vxc", [&] { check_vxc(plan); })) describe(plan, out);
      out << bands_line.str();
    } catch (const Failure& failure) { input.fail(blamed(failure.what(), s), failure.what()); }
  }

  nlohmann::ordered_json results_schema() const override { return gw::results_schema(); }

  nlohmann::ordered_json run(const app::Input& input, app::Context& context) const override {
    Settings settings = read_settings(input);
    input.finish();
    complete_frequencies(settings);
    if (settings.epsilon.only) return run_epsilon(settings, context);
    use_all_bands_unless_told(settings);
    if (settings.makes_epsilon()) check_vxc(Plan(settings));  // before the work
    require_bands_section(settings);
    const ExchangeCorrelation vxc = make_vxc(settings, context.implementation);
    Checkpoint checkpoint(settings, context);
    Result result = self_energy(settings, context, checkpoint);
    for (auto& state : result.states) state.vxc = vxc.at(result.kpoints[state.k], state.band, state.spin);
    for (auto& o : result.off_diagonal) o.vxc = vxc.between(result.kpoints[o.k], o.element.n, o.element.m, o.spin);
    if (std::any_of(result.off_diagonal.begin(), result.off_diagonal.end(), [](const OffDiagonal& o) { return !o.vxc; }))
      context.outcome.warnings.push_back(settings.vxc.string() +
                                         " does not have Vxc between all bands of 'offdiag': it is 0 in sigma_hp.log");
    const auto states = quasiparticles(result.states, settings.model == Model::cohsex ? -2 : settings.finite_difference_form);
    check_energies(settings, result, states, context.outcome);
    const Solution solution{settings, result, states};
    std::optional<BandStructure> bands;
    if (!settings.bands.path.empty()) bands = band_structure(solution, context.outcome);
    nlohmann::ordered_json out = results(solution, bands ? &*bands : nullptr);
    std::vector<app::TextFile> files{{"eqp0.dat", eqp_file(solution, &Quasiparticle::eqp0)},
                                     {"eqp1.dat", eqp_file(solution, &Quasiparticle::eqp1)},
                                     {"sigma_hp.log", sigma_log(solution)},
                                     {"quasiparticle.svg", plot(solution)}};
    if (const auto levels = mixed_levels(settings, result); !levels.empty())
      files.push_back({"offdiag.dat", offdiag_file(settings, result, levels)});
    else if (settings.sigma_matrix[0] != 0)
      context.outcome.warnings.push_back(
          "the Hamiltonian of 'sigma_matrix' was not diagonalised: this build was made without Eigen (apt install libeigen3-dev)");
    if (bands)
      files.insert(files.end(),
                   {{"bands.dat", bands_file(*bands)}, {"dos.dat", dos_file(*bands)}, {"bands.svg", bands_plot(*bands, result.system)}});
    app::write_files(context, files, out);
    if (!result.dielectric.empty()) context.out << "\n" << dielectric_table(result.dielectric);
    context.out << "\n" << table(solution);
    if (bands) context.out << "\n" << bands_table(*bands);
    checkpoint.remove();
    return out;
  }

  app::Starter::Start from(const std::filesystem::path& source, const std::filesystem::path& folder) const override {
    return start_from(source, folder);
  }

  std::vector<std::string> usual_keys() const override { return {"system.density", "system.vxc", "system.eps0", "sigma.bands"}; }
  Sample sample(const app::Input& input) const override {
    Settings settings = read_settings(input);
    input.finish();
    complete_frequencies(settings);
    if (settings.makes_epsilon()) return sample_of_epsilon(settings);
    use_all_bands_unless_told(settings);
    if (settings.full_frequency()) return sample_of_screening(settings);
    const Plan plan(settings);
    // The pair (k,q) in the middle of the list, which is ordered by size.
    const size_t i = plan.items.size() / 2;
    const Plan::Item& item = plan.items[i];
    const auto& point = plan.q_full[item.q];
    KernelSource source("cpu");
    auto arguments = std::make_shared<SigmaArguments>();
    arguments->screening = Screenings(plan, source).make(point);
    arguments->take_item(plan, item);
    MatrixElements(plan, i, i + 1, source).compute(item, arguments->screening, arguments->m);
    Sample sample;
    sample.data = arguments;
    const bool static_part = settings.static_bands();
    sample.set_arguments = [arguments = arguments.get(), static_part](Kernel& kernel) {
      arguments->set_constants(kernel);
      arguments->set_item(kernel, static_part, 0, arguments->nex);
    };
    auto part = std::make_shared<SigmaArguments>(arguments->part(arguments->nex / 2, most_terms_verified));
    sample.set_part = [part, static_part](Kernel& kernel) {
      part->set_constants(kernel);
      part->set_item(kernel, static_part, 0, 1);
    };
    sample.kernel = "gpp.sigma";
    sample.description = fmt::format("{} bands of k = {}, q = {}: {} G, {} G', {} bands, {} energies", arguments->nex,
                                     text(plan.outer().kpoints()[plan.externals[item.external].k]), text(point.at),
                                     arguments->screening.ncouls, arguments->screening.ngpown(), arguments->nbands, arguments->nw);
    return sample;
  }
};

}  // namespace

const app::App& gw_app() {
  static const GwApp app;
  return app;
}

}  // namespace suite::gw

std::unique_ptr<suite::app::App> suite::app::make_gw() { return std::make_unique<suite::gw::GwApp>(); }
