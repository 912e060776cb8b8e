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

/* A function of C, written as it is declared there, that does nothing and returns -1 where the call is one
   that `counts` and the disk is full. */
#define WRAP(result, name, parameters, arguments, counts, what) \
  result name parameters {                                      \
    if ((counts) && fate(#name, what) != goes_well) return -1;  \
    return NEXT(name) arguments;                                \
  }

/* The same for functions that write n bytes, of which half are still written when the disk fills up. */
#define WRAP_WRITE(name, parameters, arguments)                              \
  ssize_t name parameters {                                                  \
    const enum Fate now = is_file_on_disk(fd) ? fate(#name, "") : goes_well; \
    if (now == fails) return -1;                                             \
    if (now == fills_up) n = (n + 1) / 2;                                    \
    return NEXT(name) arguments;                                             \
  }

WRAP_WRITE(write, (int fd, const void* bytes, size_t n), (fd, bytes, n))
WRAP_WRITE(pwrite, (int fd, const void* bytes, size_t n, off_t at), (fd, bytes, n, at))
WRAP_WRITE(pwrite64, (int fd, const void* bytes, size_t n, off64_t at), (fd, bytes, n, at))

WRAP(ssize_t, writev, (int fd, const struct iovec* parts, int n), (fd, parts, n), is_file_on_disk(fd), "")
WRAP(int, ftruncate, (int fd, off_t length), (fd, length), is_file_on_disk(fd), "")
WRAP(int, ftruncate64, (int fd, off64_t length), (fd, length), is_file_on_disk(fd), "")
WRAP(int, fsync, (int fd), (fd), is_file_on_disk(fd), "")
WRAP(int, fdatasync, (int fd), (fd), is_file_on_disk(fd), "")
WRAP(int, rename, (const char* from, const char* to), (from, to), is_path_on_disk(to), to)
WRAP(int, link, (const char* from, const char* to), (from, to), is_path_on_disk(to), to)
WRAP(int, symlink, (const char* to, const char* path), (to, path), is_path_on_disk(path), path)
WRAP(int, mkdir, (const char* path, mode_t mode), (path, mode), is_path_on_disk(path) && access(path, F_OK) != 0, path)

/* Closes in any case. */
int close(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  const int counts = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && is_file_on_disk(fd);
  const int failed = counts && fate("close", "") != goes_well;
  const int result = NEXT(close)(fd);
  if (!failed) return result;
  errno = ENOSPC;
  return -1;
}

static int creates(const char* path, int flags) { return (flags & (O_CREAT | O_TRUNC)) && is_path_on_disk(path); }

#define OPEN(name, parameters, arguments, counts)                   \
  int name parameters {                                             \
    va_list rest;                                                   \
    va_start(rest, flags);                                          \
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                   \
    if ((counts) && fate(#name, path) != goes_well) return -1;      \
    return NEXT(name) arguments;                                    \
  }
OPEN(open, (const char* path, int flags, ...), (path, flags, mode), creates(path, flags))
OPEN(open64, (const char* path, int flags, ...), (path, flags, mode), creates(path, flags))
OPEN(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode), folder == AT_FDCWD && creates(path, flags))
