/* A machine with faults, for a program that runs with this library preloaded: its clock is set to another time, its disk
 * is slow, stands still or is full. The faults are numbers in the file that FAULTS names, which can be changed while it runs.
 *
 * Without FAULTS, each sync of a file lasts SLOW_SYNC_US microseconds longer (2,000 where nothing is said). Virtual
 * disks answer a sync in a fraction of a millisecond, so what shares one cannot be seen on them:
 *
 *   cc -shared -fPIC -O2 -o target/faults.so tests/src/machine/faults.c
 *   LD_PRELOAD=target/faults.so target/release/saving
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct faults {
    volatile int64_t clock_ahead_s;
    volatile int64_t sync_us;
    volatile int64_t holds_syncs;
    /* Written here: syncs that are held. */
    int64_t held;
    volatile int64_t full;
};

static struct faults *faults(void) {
    static struct faults own, *found;
    if (found)
        return found;
    const char *path = getenv("FAULTS"), *us = getenv("SLOW_SYNC_US");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *shared = file < 0 ? MAP_FAILED : mmap(0, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    own.sync_us = path ? 0 : us ? atoi(us) : 2000;
    return found = shared == MAP_FAILED ? &own : shared;
}

static void before_sync(void) {
    struct faults *now = faults();
    if (now->sync_us)
        usleep((useconds_t)now->sync_us);
    if (!now->holds_syncs)
        return;
    __atomic_fetch_add(&now->held, 1, __ATOMIC_SEQ_CST);
    while (now->holds_syncs)
        usleep(1000);
    __atomic_fetch_sub(&now->held, 1, __ATOMIC_SEQ_CST);
}

int fsync(int file) {
    before_sync();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    before_sync();
    return (int)syscall(SYS_fdatasync, file);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    int outcome = (int)syscall(SYS_clock_gettime, clock, at);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        at->tv_sec += faults()->clock_ahead_s;
    return outcome;
}

/* Whether a write or an allocation fails since the disk is full: a file may not grow, and what it has may be overwritten. */
static int has_no_room(int file, off_t end) {
    struct stat now;
    if (fstat(file, &now) || !S_ISREG(now.st_mode) || end <= now.st_size)
        return 0;
    errno = ENOSPC;
    return 1;
}

/* Where a write without an offset ends. */
static off_t end_of(int file, size_t count) {
    struct stat now;
    int appends = fcntl(file, F_GETFL) & O_APPEND;
    return (off_t)count + (appends && !fstat(file, &now) ? now.st_size : lseek(file, 0, SEEK_CUR));
}

static size_t length(const struct iovec *parts, int count) {
    size_t all = 0;
    for (int part = 0; part < count; part++)
        all += parts[part].iov_len;
    return all;
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (faults()->full && has_no_room(file, end_of(file, count)))
        return -1;
    return syscall(SYS_write, file, bytes, count);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (faults()->full && has_no_room(file, end_of(file, length(parts, count))))
        return -1;
    return syscall(SYS_writev, file, parts, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    if (faults()->full && has_no_room(file, at + (off_t)count))
        return -1;
    return syscall(SYS_pwrite64, file, bytes, count, at);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
    if (faults()->full && has_no_room(file, at + (off_t)length(parts, count)))
        return -1;
    return syscall(SYS_pwritev, file, parts, count, at, 0);
}

int posix_fallocate(int file, off_t at, off_t count) {
    if (faults()->full && has_no_room(file, at + count))
        return ENOSPC;
    return syscall(SYS_fallocate, file, 0, at, count) ? errno : 0;
}

#ifdef __GLIBC__
/* The same by the names for programs whose files may be large; off_t is such a number on 64 bits. */
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    return pwrite(file, bytes, count, at);
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
    return pwritev(file, parts, count, at);
}

int posix_fallocate64(int file, off64_t at, off64_t count) {
    return posix_fallocate(file, at, count);
}
#endif
