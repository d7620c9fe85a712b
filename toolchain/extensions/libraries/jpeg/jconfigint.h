/* What only the sources of libjpeg-turbo read of its configuration. */
#define BUILD "0"
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "3.1.0"
#define HIDDEN __attribute__((visibility("hidden")))
#undef inline
#define INLINE inline __attribute__((always_inline))
#define THREAD_LOCAL __thread
#define SIZEOF_SIZE_T 4
#define HAVE_BUILTIN_CTZL
#define FALLTHROUGH __attribute__((fallthrough));

/* Arithmetic coding exists for 8 bits only. */
#ifndef BITS_IN_JSAMPLE
#define BITS_IN_JSAMPLE 8
#endif
#undef C_ARITH_CODING_SUPPORTED
#undef D_ARITH_CODING_SUPPORTED
#if BITS_IN_JSAMPLE == 8
#define C_ARITH_CODING_SUPPORTED 1
#define D_ARITH_CODING_SUPPORTED 1
#endif
