/*
 * WebAssembly has no floating-point status. A variable of each library takes its place: what libraries raise themselves is seen
 * by those that ask, which operations of the machine do not change.
 */
#ifndef _FENV_H
#define _FENV_H
#ifdef __cplusplus
extern "C" {
#endif
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
typedef unsigned int fexcept_t;
typedef struct { unsigned int status; } fenv_t;
#define FE_DFL_ENV ((const fenv_t *) -1)
extern __attribute__((visibility("hidden"))) int isolette_float_status;
static inline int feclearexcept(int which) { isolette_float_status &= ~which; return 0; }
static inline int feraiseexcept(int which) { isolette_float_status |= which; return 0; }
static inline int fetestexcept(int which) { return isolette_float_status & which; }
static inline int fegetexceptflag(fexcept_t *to, int which) { *to = isolette_float_status & which; return 0; }
static inline int fesetexceptflag(const fexcept_t *from, int which) {
    isolette_float_status = (isolette_float_status & ~which) | (*from & which);
    return 0;
}
static inline int fegetround(void) { return FE_TONEAREST; }
static inline int fesetround(int round) { return round == FE_TONEAREST ? 0 : -1; }
static inline int fegetenv(fenv_t *to) { to->status = isolette_float_status; return 0; }
static inline int fesetenv(const fenv_t *from) { isolette_float_status = from == FE_DFL_ENV ? 0 : from->status; return 0; }
static inline int feholdexcept(fenv_t *to) { fegetenv(to); isolette_float_status = 0; return 0; }
static inline int feupdateenv(const fenv_t *from) {
    int raised = isolette_float_status;
    fesetenv(from);
    return feraiseexcept(raised);
}
#ifdef __cplusplus
}
#endif
#endif
