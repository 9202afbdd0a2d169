/* kernel.c: the table of kernels, and the selection of one of them. */
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

/* The fastest kernels come first. */
static const sg_kernel *const kernels[] = {
#if defined(__x86_64__)
    &sg_kernel_avx2_f64,     &sg_kernel_avx2_f32,
#elif defined(__aarch64__)
    &sg_kernel_neon_f64,     &sg_kernel_neon_f32,
#endif
    &sg_kernel_portable_f64, &sg_kernel_portable_f32, &sg_kernel_reference,
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

/* Returns whether the kernel has this name and precision. The reference kernel computes in double for any precision. */
static bool kernel_matches(const sg_kernel *k, const char *name, const char *precision)
{
    if (name && *name && strcmp(k->name, name) != 0) return false;
    return k == &sg_kernel_reference || strcmp(k->precision, precision) == 0;
}

static bool is_known(const char *name)
{
    static const char *const names[] = {"reference", "portable", "avx2", "neon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

sg_status sg_kernel_select(const char *precision, const sg_kernel **out)
{
    const char *name = getenv("SUGENO_KERNEL");
    if (!precision) return sg_fail(SG_EINVAL, "precision: expected f64 or f32, got NULL");
    if (strcmp(precision, "f64") != 0 && strcmp(precision, "f32") != 0)
        return sg_fail(SG_EINVAL, "precision: expected f64 or f32, got \"%s\"", precision);
    for (size_t i = 0; i < KERNELS; i++)
        if (kernel_matches(kernels[i], name, precision) && kernels[i]->is_supported()) {
            *out = kernels[i];
            return SG_OK;
        }
    if (is_known(name)) return sg_fail(SG_EINVAL, "SUGENO_KERNEL: %s does not run on this machine", name);
    return sg_fail(SG_EINVAL, "SUGENO_KERNEL: expected reference, portable, avx2 or neon, got \"%s\"", name);
}

const char *sg_kernel_name(void)
{
    const sg_kernel *k;
    return sg_kernel_select("f64", &k) == SG_OK ? k->name : NULL;
}
