// SPDX-License-Identifier: BSD-3-Clause
// Which files are tried, in which order, and what a user reads when none serves.
#include "support.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

namespace fs = std::filesystem;

namespace {

const std::string plugins = TEST_PLUGINS;

// A folder on the search path, instead of the usual one, for the life of this object.
struct Folder {
  explicit Folder(const std::string& name) : path(plugins + "/../search_" + name) {
    fs::remove_all(path);
    fs::create_directories(path);
    fs::permissions(path, fs::perms(0755));
    ::setenv("SUITE_PLUGIN_PATH", path.c_str(), 1);
  }
  ~Folder() {
    ::setenv("SUITE_PLUGIN_PATH", plugins.c_str(), 1);
    ::unsetenv("SUITE_ISA");
  }
  std::string add(const std::string& from, const std::string& to) const {
    const std::string file = path + "/" + to;
    fs::create_directories(fs::path(file).parent_path());
    fs::permissions(fs::path(file).parent_path(), fs::perms(0755));
    fs::copy_file(plugins + "/" + from, file, fs::copy_options::overwrite_existing);
    return file;
  }
  std::string path;
};

std::map<std::string, std::string> visited() {
  std::map<std::string, std::string> files;
  suite_visit([](void* with, const char* file, const suite_plugin* plugin,
                 const char* why) { (*static_cast<std::map<std::string, std::string>*>(with))[file] = plugin ? "ok" : why; },
              &files);
  return files;
}

std::string opened(const std::string& kernel, const std::string& implementation) {
  return outcome([&] { suite::Kernel(kernel, implementation); });
}

bool is_level(const char* level) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return std::string(level) == "x86-64-v4" ? __builtin_cpu_supports("x86-64-v4") : __builtin_cpu_supports("x86-64-v3");
#else
  (void)level;
  return false;
#endif
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugins_are_found_by_name_and_path)

BOOST_AUTO_TEST_CASE(visit_lists_every_file) {
  const auto files = visited();
  for (const char* name : {"probe_cpu", "probe_packed", "probe_remote", "probe_remotepacked", "backend_remote"})
    BOOST_TEST(files.at(plugins + "/suite_" + name + ".so") == "ok");
  BOOST_TEST(files.at(CPU_BACKEND) == "ok");
  ::setenv("SUITE_PLUGIN_PATH", ("/no/such/folder:" + plugins + ":").c_str(), 1);
  BOOST_TEST(visited().at("/no/such/folder") == "No such file or directory");
  ::setenv("SUITE_PLUGIN_PATH", plugins.c_str(), 1);
}

BOOST_AUTO_TEST_CASE(unknown_names) {
  BOOST_TEST(opened("probe.sum", "rmote") ==
             "not found: no implementation 'rmote' of probe.sum; did you mean 'remote'? There are: cpu, "
             "packed, remote, remotepacked");
  BOOST_TEST(opened("probe.sun", "cpu") ==
             "not found: no kernel 'probe.sun' in " + plugins +
                 "/suite_probe_cpu.so; did you mean 'probe.sum'? There are: probe.sum, probe.six, probe.copy, probe.pick, probe.late");
  BOOST_TEST(opened("prob.sum", "cpu").find("not found: no plugin has kernel 'prob.sum'; did you mean 'probe'? Searched: " + plugins) == 0);
  BOOST_TEST(opened("sum", "cpu") == "not found: a kernel is named family.name, as gpp.sigma; 'sum' is not");
  BOOST_TEST(opened("probe.sum", "cpu:3") == "not found: there is no device cpu:3: backend cpu has 1 device, up to cpu:0");
  BOOST_TEST(opened("probe.sum", "/no/such/plugin.so") == "not found: cannot use /no/such/plugin.so: No such file or directory");
  BOOST_TEST(opened("probe.sum", plugins + "/suite_backend_remote.so") ==
             "not found: no kernel 'probe.sum' in " + plugins + "/suite_backend_remote.so");
}

BOOST_AUTO_TEST_CASE(a_path_may_have_any_file_name_and_a_device) {
  const Folder folder("path");
  const std::string file = folder.add("suite_probe_remote.so", "my.so");
  folder.add("suite_backend_remote.so", "suite_backend_remote.so");
  BOOST_TEST(opened("probe.sum", file) == "ok");
  BOOST_TEST(opened("probe.sum", file + ":1") == "ok");
  BOOST_TEST(opened("probe.sum", file + ":2") == "not found: there is no device remote:2: backend remote has 2 devices, up to remote:1");
}

BOOST_AUTO_TEST_CASE(a_plugin_found_by_name_must_be_what_the_name_says) {
  const Folder folder("misnamed");
  const std::string file = folder.add("suite_probe_packed.so", "suite_probe_other.so");
  BOOST_TEST(visited().at(file) == "its table requires the name suite_probe_packed.so");
  BOOST_TEST(opened("probe.sum", "other") ==
             "not found: no usable plugin for probe.sum on other: " + file + ": its table requires the name suite_probe_packed.so");
}

BOOST_AUTO_TEST_CASE(the_best_level_that_runs_is_taken) {
  if (!is_level("x86-64-v3")) {
    BOOST_TEST_MESSAGE("skipped: this processor does not run x86-64-v3");
    return;
  }
  const Folder folder("levels");
  const std::string base = folder.add("suite_probe_cpu.so", "suite_probe_cpu.so");
  const std::string v3 = folder.add("suite_probe_cpu.so", "x86-64-v3/suite_probe_cpu.so");
  const std::string v4 = folder.add("suite_probe_cpu.so", "x86-64-v4/suite_probe_cpu.so");
  const auto taken = [] { return std::string(suite_plugin_file(suite::Kernel("probe.sum", "cpu").handle())); };
  BOOST_TEST(taken() == (is_level("x86-64-v4") ? v4 : v3));
  ::setenv("SUITE_ISA", "x86-64-v3", 1);
  BOOST_TEST(taken() == v3);
  BOOST_TEST(visited().at(v4) ==
             (is_level("x86-64-v4") ? "SUITE_ISA=x86-64-v3 excludes it" : "it needs x86-64-v4, which this CPU does not support"));
  ::setenv("SUITE_ISA", "baseline", 1);
  BOOST_TEST(taken() == base);
  ::setenv("SUITE_ISA", "avx9", 1);
  BOOST_TEST(opened("probe.sum", "cpu") == "invalid argument: SUITE_ISA is 'avx9'; it must be one of x86-64-v4, x86-64-v3, baseline");
  std::string warned;
  suite_warnings([](void* with, const char* warning) { *static_cast<std::string*>(with) += warning; }, &warned);
  BOOST_TEST(warned == "SUITE_ISA is 'avx9'; it must be one of x86-64-v4, x86-64-v3, baseline");
  // A damaged file of a better level does not hide a sound one of a lower level.
  ::setenv("SUITE_ISA", "x86-64-v3", 1);
  const Folder other("levels_damaged");
  const std::string sound = other.add("suite_probe_packed.so", "suite_probe_packed.so");
  std::ofstream(other.add("suite_probe_packed.so", "x86-64-v3/suite_probe_packed.so"), std::ios::app) << "x";
  BOOST_TEST(std::string(suite_plugin_file(suite::Kernel("probe.sum", "packed").handle())) == sound);
}

BOOST_AUTO_TEST_CASE(what_others_may_write_is_refused) {
  const Folder folder("unsafe");
  const std::string file = fs::canonical(folder.add("suite_probe_cpu.so", "suite_probe_cpu.so"));
  fs::permissions(file, fs::perms(0757));
  BOOST_TEST(opened("probe.sum", file) ==
             "unsupported: cannot use " + file + ": unsafe: the file may be written by everybody (chmod go-w " + file + ")");
  fs::permissions(file, fs::perms(0775));
  BOOST_TEST(opened("probe.sum", file).find("unsafe: the file may be written by its group") != std::string::npos);
  fs::permissions(file, fs::perms(0755));
  const std::string parent = fs::canonical(folder.path);
  for (int mode : {0777, 01777}) {
    ::chmod(parent.c_str(), static_cast<mode_t>(mode));
    BOOST_TEST(opened("probe.sum", file) ==
               "unsupported: cannot use " + file + ": unsafe: its folder may be written by everybody (chmod go-w " + parent + "/)");
  }
  // A link in a safe folder does not make its target safe.
  const Folder other("unsafe_link");
  fs::create_symlink(file, other.path + "/suite_probe_cpu.so");
  BOOST_TEST(visited().at(other.path + "/suite_probe_cpu.so").find("unsafe: its folder") == 0);
  fs::permissions(parent, fs::perms(0755));
  BOOST_TEST(visited().at(other.path + "/suite_probe_cpu.so") == "ok");
}

BOOST_AUTO_TEST_CASE(a_plugin_of_another_user_is_refused) {
  if (::geteuid() != 0) {
    BOOST_TEST_MESSAGE("skipped: only root can give a file away");
    return;
  }
  const Folder folder("owner");
  const std::string file = fs::canonical(folder.add("suite_probe_cpu.so", "suite_probe_cpu.so"));
  BOOST_REQUIRE(::chown(file.c_str(), 4321, 4321) == 0);
  BOOST_TEST(opened("probe.sum", file) ==
             "unsupported: cannot use " + file + ": unsafe: the file belongs to user 4321, not to root or you");
}

BOOST_AUTO_TEST_CASE(what_is_no_plugin_is_refused) {
  const Folder folder("junk");
  const auto said = [&](const std::string& name) {
    fs::permissions(folder.path + "/" + name, fs::perms(0755));
    return visited().at(folder.path + "/" + name);
  };
  std::ofstream(folder.path + "/suite_a_b.so") << "";
  BOOST_TEST(said("suite_a_b.so") == "damaged: it is empty");
  std::ofstream(folder.path + "/suite_a_b.so") << "#!/bin/sh\nexit 0\n";
  BOOST_TEST(said("suite_a_b.so") == "damaged: it has 17 bytes, too few for an ELF header");
  std::ofstream(folder.path + "/suite_a_b.so") << std::string(5000, 'x');
  BOOST_TEST(said("suite_a_b.so") == "damaged: it is not an ELF file");
  fs::create_directory(folder.path + "/suite_c_d.so");
  BOOST_TEST(said("suite_c_d.so") == "it is not a regular file");
  fs::create_symlink("/nowhere", folder.path + "/suite_e_f.so");
  BOOST_TEST(visited().at(folder.path + "/suite_e_f.so") == "No such file or directory");
  ::mkfifo((folder.path + "/suite_g_h.so").c_str(), 0600);
  BOOST_TEST(visited().at(folder.path + "/suite_g_h.so") == "it is not a regular file");
  // A shared library that is no plugin, and a program.
  fs::copy_file("/proc/self/exe", folder.path + "/suite_i_j.so");
  BOOST_TEST(said("suite_i_j.so").find("suite_i_j.so") == std::string::npos);
  BOOST_TEST(said("suite_i_j.so") != "ok");
  BOOST_TEST(opened("a.b", "b") ==
             "not found: no usable plugin for a.b on b: " + folder.path + "/suite_a_b.so: damaged: it is not an ELF file");
}

BOOST_AUTO_TEST_CASE(a_long_story_is_cut_to_the_size_of_the_message) {
  std::string path;
  const Folder folder("long");
  for (int i = 0; i < 12; ++i) {
    const std::string sub = folder.path + "/" + std::string(60, static_cast<char>('a' + i));
    fs::create_directory(sub);
    std::ofstream(sub + "/suite_probe_cpu.so") << "junk";
    path += sub + ":";
  }
  ::setenv("SUITE_PLUGIN_PATH", path.c_str(), 1);
  const std::string said = opened("probe.sum", "cpu");
  BOOST_TEST(said.size() == std::string("not found: ").size() + 511);
  BOOST_TEST(said.substr(said.size() - 3) == "...");
}

BOOST_AUTO_TEST_CASE(threads_may_open_at_the_same_time) {
  const Folder folder("threads");
  for (int i = 0; i < 4; ++i) folder.add("suite_probe_cpu.so", "copy" + std::to_string(i) + ".so");
  std::atomic<int> sound = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        SumCall call(folder.path + "/copy" + std::to_string((t + i) % 4) + ".so");
        call.kernel.run();
        sound += call.total[1] == 12;
      }
    });
  for (auto& thread : threads) thread.join();
  BOOST_TEST(sound == 64);
}

BOOST_AUTO_TEST_CASE(the_rounding_mode_survives_loading) {
  std::fesetround(FE_UPWARD);
  const Folder folder("fenv");
  const std::string file = folder.add("suite_probe_cpu.so", "again.so");
  BOOST_TEST(opened("probe.sum", file) == "ok");
  BOOST_TEST(std::fegetround() == FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}

BOOST_AUTO_TEST_CASE(a_plugin_of_the_program_comes_before_files) {
  // The table of a plugin file, under another name: as if this program had a kernel of its own.
  const suite_plugin* file = nullptr;
  suite_visit(
      [](void* with, const char* name, const suite_plugin* plugin, const char*) {
        if (plugin && std::string(name).ends_with("/suite_probe_cpu.so")) *static_cast<const suite_plugin**>(with) = plugin;
      },
      &file);
  BOOST_REQUIRE(file);
  BOOST_TEST(opened("probe.sum", "own").starts_with("not found: no implementation 'own' of probe.sum; there are: "));
  static suite_plugin own = *file;
  own.implementation = "own";
  own.version = "first";
  suite_error error{};
  BOOST_REQUIRE(suite_register_plugin(&own, &error) == SUITE_OK);
  SumCall call("own");
  call.kernel.run();
  BOOST_TEST((call.total == std::vector<double>{6, 12}));
  BOOST_TEST(std::string(suite_plugin_file(call.kernel.handle())) == "(registered by the program)");
  BOOST_TEST(visited().count("(registered by the program)") == 1);
  BOOST_TEST(opened("probe.sum", "owm") ==
             "not found: no implementation 'owm' of probe.sum; did you mean 'own'? There are: cpu, own, packed, "
             "remote, remotepacked");
  // A later one of the same name serves from then on; calls that are open keep theirs.
  static suite_plugin later = own;
  later.version = "second";
  BOOST_REQUIRE(suite_register_plugin(&later, &error) == SUITE_OK);
  const SumCall newer("own");
  BOOST_TEST(std::string(suite_plugin_table(newer.kernel.handle())->version) == "second");
  BOOST_TEST(std::string(suite_plugin_table(call.kernel.handle())->version) == "first");
  // Its tables are checked like those of a file.
  static suite_plugin wrong = own;
  wrong.abi_version = 1;
  BOOST_TEST(suite_register_plugin(&wrong, &error) == SUITE_UNSUPPORTED);
  BOOST_TEST(std::string(error.message) == "it was built for version 1 of the plugin contract; this suite has version 2");
  BOOST_TEST(suite_register_plugin(nullptr, &error) == SUITE_INVALID_ARGUMENT);
}

BOOST_AUTO_TEST_SUITE_END()
