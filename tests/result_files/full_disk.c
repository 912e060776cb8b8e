/* SPDX-License-Identifier: BSD-3-Clause
   A disk that fills up, for LD_PRELOAD: of all calls that change what lies below the folder SUITE_DISK, the
   one with number SUITE_DISK_FULL_AT (from 1) fails for want of space. With SUITE_DISK_STAYS_FULL=1 that call
   still writes half of its bytes, and everything after it fails. SUITE_DISK_LOG names a file that gets a line
   for every such call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int calls;

static const char* disk(void) {
  const char* folder = getenv("SUITE_DISK");
  return folder ? folder : "";
}

static int is_below(const char* path) {
  const size_t n = strlen(disk());
  return n > 0 && strncmp(path, disk(), n) == 0 && (path[n] == '/' || path[n] == 0);
}

static int is_path_on_disk(const char* path) {
  char here[PATH_MAX], whole[2 * PATH_MAX];
  if (path[0] == '/') return is_below(path);
  if (!getcwd(here, sizeof here)) return 0;
  snprintf(whole, sizeof whole, "%s/%s", here, path);
  return is_below(whole);
}

static int is_file_on_disk(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  if (n < 0) return 0;
  path[n] = 0;
  return is_below(path);
}

enum Fate { goes_well, fails, fills_up };

/* Called once for every call that changes the disk. */
static enum Fate fate(const char* call, const char* what) {
  const int n = atomic_fetch_add(&calls, 1) + 1;
  const char *at = getenv("SUITE_DISK_FULL_AT"), *log = getenv("SUITE_DISK_LOG");
  const char* stays = getenv("SUITE_DISK_STAYS_FULL");
  const int full = at ? atoi(at) : 0, sticky = stays && stays[0] == '1';
  if (log) {
    char line[PATH_MAX + 64];
    const int length = snprintf(line, sizeof line, "%d %s %s\n", n, call, what);
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd >= 0) {
      syscall(SYS_write, fd, line, (size_t)length);
      syscall(SYS_close, fd);
    }
  }
  if (full == 0 || n < full || (n > full && !sticky)) return goes_well;
  errno = ENOSPC;
  return n == full && sticky ? fills_up : fails;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void* bytes, size_t n) {
  if (is_file_on_disk(fd)) switch (fate("write", "")) {
      case fails:
        return -1;
      case fills_up:
        n = (n + 1) / 2;
        break;
      case goes_well:
        break;
    }
  return NEXT(write)(fd, bytes, n);
}

ssize_t pwrite(int fd, const void* bytes, size_t n, off_t at) {
  if (is_file_on_disk(fd)) switch (fate("pwrite", "")) {
      case fails:
        return -1;
      case fills_up:
        n = (n + 1) / 2;
        break;
      case goes_well:
        break;
    }
  return NEXT(pwrite)(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void* bytes, size_t n, off64_t at) { return pwrite(fd, bytes, n, at); }

ssize_t writev(int fd, const struct iovec* parts, int n) {
  if (is_file_on_disk(fd) && fate("writev", "") != goes_well) return -1;
  return NEXT(writev)(fd, parts, n);
}

int ftruncate(int fd, off_t length) {
  if (is_file_on_disk(fd) && fate("ftruncate", "") != goes_well) return -1;
  return NEXT(ftruncate)(fd, length);
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

int fsync(int fd) {
  if (is_file_on_disk(fd) && fate("fsync", "") != goes_well) return -1;
  return NEXT(fsync)(fd);
}

int fdatasync(int fd) {
  if (is_file_on_disk(fd) && fate("fdatasync", "") != goes_well) return -1;
  return NEXT(fdatasync)(fd);
}

int close(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  const int counts = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && is_file_on_disk(fd);
  const int failed = counts && fate("close", "") != goes_well;
  const int result = NEXT(close)(fd);
  if (!failed) return result;
  errno = ENOSPC;
  return -1;
}

int rename(const char* from, const char* to) {
  if (is_path_on_disk(to) && fate("rename", to) != goes_well) return -1;
  return NEXT(rename)(from, to);
}

int link(const char* from, const char* to) {
  if (is_path_on_disk(to) && fate("link", to) != goes_well) return -1;
  return NEXT(link)(from, to);
}

int symlink(const char* to, const char* path) {
  if (is_path_on_disk(path) && fate("symlink", path) != goes_well) return -1;
  return NEXT(symlink)(to, path);
}

int mkdir(const char* path, mode_t mode) {
  struct stat info;
  if (is_path_on_disk(path) && stat(path, &info) != 0 && fate("mkdir", path) != goes_well) return -1;
  return NEXT(mkdir)(path, mode);
}

static int creates(const char* path, int flags) {
  return (flags & (O_CREAT | O_TRUNC)) && is_path_on_disk(path);
}

#define OPEN(name)                                                          \
  int name(const char* path, int flags, ...) {                              \
    va_list rest;                                                           \
    va_start(rest, flags);                                                  \
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;         \
    va_end(rest);                                                           \
    if (creates(path, flags) && fate("open", path) != goes_well) return -1; \
    return NEXT(name)(path, flags, mode);                                   \
  }
OPEN(open)
OPEN(open64)

int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (folder == AT_FDCWD && creates(path, flags) && fate("openat", path) != goes_well) return -1;
  return NEXT(openat)(folder, path, flags, mode);
}
