// SPDX-License-Identifier: BSD-3-Clause
#include "trace_file.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <suite/plugin.hpp>

#include "process.hpp"

namespace suite::core {
namespace {

constexpr long first_line = 10'000'000;  // of the devices: above the ids of threads
constexpr const char* ending = "\n]\n";

const char* asked_file() {
  const char* file = std::getenv("SUITE_TRACE");
  return file && *file ? file : nullptr;
}

// trace.json: trace.rank1.json, trace-2.json, trace.rank1-2.json.
std::string file_name(const std::string& asked, long rank, int number) {
  const size_t slash = asked.rfind('/'), dot = asked.rfind('.');
  const size_t stem =
      dot == std::string::npos || (slash != std::string::npos && dot < slash) || dot == (slash == std::string::npos ? 0 : slash + 1)
          ? asked.size()
          : dot;
  return asked.substr(0, stem) + (rank < 0 ? "" : concat(".rank", rank)) + (number < 2 ? "" : concat("-", number)) + asked.substr(stem);
}

std::string program_name() {
  const std::string path = program_path();
  return path.substr(path.rfind('/') + 1);
}

// For trouble(), which must not make a file.
std::atomic<TraceFile*>& made() {
  static std::atomic<TraceFile*> file{nullptr};
  return file;
}

}  // namespace

double trace_clock() {
  using namespace std::chrono;
  using Microseconds = duration<double, std::micro>;
  constexpr seconds start_of_2026{1767225600};
  static const double offset = Microseconds(system_clock::now().time_since_epoch() - start_of_2026).count() -
                               Microseconds(steady_clock::now().time_since_epoch()).count();
  return offset + Microseconds(steady_clock::now().time_since_epoch()).count();
}

std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c < ' ' || c > '~' ? '?' : c;
  }
  return quoted + '"';
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

bool TraceFile::wanted() { return asked_file() != nullptr; }

TraceFile& TraceFile::of_process() {
  static auto& file = *new TraceFile(asked_file() ? asked_file() : "");
  return file;
}

std::string TraceFile::trouble() {
  TraceFile* file = made();
  if (!file || file->forked_) return "";
  const std::lock_guard lock(file->mutex_);
  return file->trouble_;
}

TraceFile::TraceFile(const std::string& asked) {
  const long rank = launched_rank();
  process_ = rank < 0 ? ::getpid() : rank;
  open(file_name(asked, rank, 1));
  made() = this;
  if (!file_) return;
  const std::string who = program_name() + (rank < 0 ? "" : concat(", rank ", rank)) + " on " + host_name();
  write(concat("[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":", process_, ",\"args\":{\"name\":", json_text(who), "}}"));
  ::pthread_atfork(nullptr, nullptr, [] { made().load()->forked_ = true; });
  std::atexit([] { made().load()->finish(); });
}

// Nothing is overwritten: where the file exists, the next free number is taken.
void TraceFile::open(const std::string& asked) {
  constexpr int most = 10000;
  for (int number = 1; number < most; ++number) {
    const std::string name = file_name(asked, -1, number);
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      file_ = std::make_unique<GrowingFile>(descriptor);
      if (number > 1) trouble_ = "SUITE_TRACE: " + asked + " exists; the trace is in " + name;
      return;
    }
    if (errno != EEXIST) break;
  }
  trouble_ = "SUITE_TRACE: cannot create " + asked + ": " + std::strerror(errno) + "; nothing is traced";
}

// The host's work goes on when the disk is full.
void TraceFile::write(const std::string& text) {
  if (!file_ || !file_->is_open()) return;
  if (const std::string why = file_->append(text); !why.empty()) {
    trouble_ = "SUITE_TRACE: the trace ends early: " + why;
    file_->finish(ending);
  }
}

void TraceFile::append(const std::string& events) { write(",\n" + events); }

void TraceFile::finish() {
  if (forked_) return;
  const std::lock_guard lock(mutex_);
  if (file_) file_->finish(ending);
}

std::string TraceFile::event(const std::string& name, const std::string& kind, double from, double to, long thread,
                             const std::string& arguments) const {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers, ",\"ph\":\"X\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%ld,\"tid\":%ld", from, to - from, process_,
                thread);
  return "{\"name\":" + json_text(name) + ",\"cat\":" + json_text(kind) + numbers + ",\"args\":{" + arguments + "}}";
}

void TraceFile::add(const std::string& name, const std::string& kind, double from, double to, const std::string& arguments) {
  if (forked_) return;
  static thread_local const long thread = ::syscall(SYS_gettid);
  const std::string text = event(name, kind, from, to, thread, arguments);
  const std::lock_guard lock(mutex_);
  append(text);
}

void TraceFile::add_on_device(const std::string& device, const std::string& name, double from, double to, const std::string& arguments) {
  if (forked_) return;
  const std::lock_guard lock(mutex_);
  size_t line = 0;
  while (line < lines_.size() && (lines_[line].device != device || lines_[line].busy_until > from)) ++line;
  const long thread = first_line + static_cast<long>(line);
  if (line == lines_.size()) {
    lines_.push_back({device, 0});
    append(concat("{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":", process_, ",\"tid\":", thread,
                  ",\"args\":{\"name\":", json_text("device " + device), "}}"));
  }
  lines_[line].busy_until = to;
  append(event(name, "device", from, to, thread, arguments));
}

}  // namespace suite::core
