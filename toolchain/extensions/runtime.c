/* What clang expects of the libraries beneath it, linked into each library of a package. */

#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN int isolette_float_status;

/* The processor's time is not known in a sandbox. */
HIDDEN clock_t
clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
