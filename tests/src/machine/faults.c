/* A machine with faults, for a program that runs with this library preloaded: its clock is set to another time, its disk
 * is slow or stands still. The faults are numbers in the file that FAULTS names, which can be changed while it runs.
 *
 * Without FAULTS, each sync of a file lasts SLOW_SYNC_US microseconds longer (2,000 where nothing is said). Virtual
 * disks answer a sync in a fraction of a millisecond, so what shares one cannot be seen on them:
 *
 *   cc -shared -fPIC -O2 -o target/faults.so tests/src/machine/faults.c
 *   LD_PRELOAD=target/faults.so target/release/saving
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct faults {
    volatile int64_t clock_ahead_s;
    volatile int64_t sync_us;
    volatile int64_t holds_syncs;
    /* Written here: syncs that are held. */
    int64_t held;
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
