/* svr_missing.c: svr.h in a build without LIBSVM. */
#include "svr.h"

sg_status svr_run(const double *x, const double *y, size_t n, size_t m, const double *tx, const double *ty, size_t tn,
                  int search, unsigned seed, svr_fit *out)
{
    (void)x, (void)y, (void)n, (void)m, (void)tx, (void)ty, (void)tn, (void)search, (void)seed;
    (void)out;
    sg_set_errmsg("this build has no LIBSVM: install the package libsvm-dev and build again");
    return SG_EINVAL;
}

const char *svr_library(void) { return NULL; }
