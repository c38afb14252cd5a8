/* A disk that takes its time: every sync lasts SLOW_SYNC_US microseconds longer (2,000 where nothing is said).
 *
 *   cc -shared -fPIC -O2 -o target/slow_sync.so benches/slow_sync.c -ldl
 *   LD_PRELOAD=target/slow_sync.so target/release/saving
 *
 * Virtual disks answer a sync in a fraction of a millisecond, so what shares one cannot be seen on them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static useconds_t pause_us(void) {
    const char *given = getenv("SLOW_SYNC_US");
    return given ? (useconds_t)atoi(given) : 2000;
}

int fsync(int file) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
    usleep(pause_us());
    return real(file);
}

int fdatasync(int file) {
    int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
    usleep(pause_us());
    return real(file);
}
