/* What clang expects of the libraries beneath it, linked into each library of a package. */

#include <stdio.h>
#include <stdlib.h>
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

/* An exception cannot be caught: the program ends. Packages that expect one have a patch that avoids it. */
HIDDEN void *
__cxa_allocate_exception(size_t size)
{
    static long long room[32];
    return size <= sizeof(room) ? room : NULL;
}

HIDDEN _Noreturn void
__cxa_throw(void *thrown, void *type, void (*destroy)(void *))
{
    (void)thrown, (void)type, (void)destroy;
    fputs("a C++ exception was thrown, which cannot be caught in a sandbox\n", stderr);
    abort();
}
