/* kernel_test_support.h: shared by the kernel tests: the kernels of this processor, and random models and rows to run
 * them on. */
#pragma once

#include "test.h"

#include "base/random/random.h"
#include "kernel/model_engine.h"

#include <stdlib.h>

/* Kernels of the same precision must give identical bits. All are compared with the reference. */
static const sg_kernel *const fast_kernels[] = {
    &sg_kernel_portable_f64,
    &sg_kernel_portable_f32,
#if defined(__x86_64__)
    &sg_kernel_avx2_f64,
    &sg_kernel_avx2_f32,
#elif defined(__aarch64__)
    &sg_kernel_neon_f64,
    &sg_kernel_neon_f32,
#endif
};
enum { FAST_KERNELS = sizeof fast_kernels / sizeof *fast_kernels };

static inline bool is_single(const sg_kernel *k) { return strcmp(k->precision, "f32") == 0; }

/* The largest allowed difference from the reference, relative to the largest value of a result. */
static inline double tolerance_of(const sg_kernel *k) { return is_single(k) ? 1e-5 : 1e-12; }

/* Sets SUGENO_KERNEL, or unsets it if `name` is NULL. */
static inline void use_kernel(const char *name)
{
    assert_int_equal(name ? setenv("SUGENO_KERNEL", name, 1) : unsetenv("SUGENO_KERNEL"), 0);
}

/* --- random systems --- */

typedef enum rule_base {
    GRID,  /* all combinations of the inputs' MFs */
    OWN,   /* every rule has its own MF for each input */
    BACK,  /* like OWN, but the MFs of the last rule come first */
    SHARED /* rules share MFs at random, and conditions are missing */
} rule_base;

typedef struct shape {
    rule_base base;
    const char *text;     /* see shape_of; for a grid, the number of MFs of each input (0: no condition) */
    size_t rules, inputs; /* not for grids */
    size_t rank;          /* low-rank terms per rule */
    const char *mf;
    size_t outputs;
    size_t terms;  /* width of z; 0: z is a */
    bool mean_log; /* h = 1 / inputs */
} shape;

/* Parses "232" (a grid), "own 30 5" (30 rules with 5 inputs), "own 30 5 2" (with two low-rank terms per rule),
 * "back 30 5" or "shared 30 5". */
static inline shape shape_of(const char *text, const char *mf, size_t outputs, size_t terms)
{
    shape sh = {.base = GRID, .text = text, .mf = mf, .outputs = outputs, .terms = terms};
    if (sscanf(text, "own %zu %zu %zu", &sh.rules, &sh.inputs, &sh.rank) >= 2) sh.base = OWN;
    if (sscanf(text, "back %zu %zu %zu", &sh.rules, &sh.inputs, &sh.rank) >= 2) sh.base = BACK;
    if (sscanf(text, "shared %zu %zu %zu", &sh.rules, &sh.inputs, &sh.rank) >= 2) sh.base = SHARED;
    return sh;
}

static inline double draw(sg_random_stream *s, double low, double high)
{
    return low + (high - low) * sg_random_stream_uniform(s);
}

static inline size_t inputs_of(const shape *sh) { return sh->base == GRID ? strlen(sh->text) : sh->inputs; }

static inline size_t count_at(const shape *sh, size_t input) { return (size_t)(sh->text[input] - '0'); }

static inline size_t rules_of(const shape *sh)
{
    size_t rules = 1;
    if (sh->base != GRID) return sh->rules;
    for (size_t m = 0; m < inputs_of(sh); m++) rules *= count_at(sh, m) ? count_at(sh, m) : 1;
    return rules;
}

static inline size_t mfs_of(const shape *sh)
{
    size_t mfs = 0;
    if (sh->base == OWN || sh->base == BACK) return sh->rules * sh->inputs;
    if (sh->base == SHARED) return 3 * sh->inputs;
    for (size_t m = 0; m < inputs_of(sh); m++) mfs += count_at(sh, m);
    return mfs;
}

/* The first input is the slowest index of the rules, as in the structure "grid". */
static inline void index_grid(sg_block *b, const shape *sh)
{
    size_t first = b->mfs, period = 1;
    for (size_t m = b->inputs; m-- > 0;) {
        size_t count = count_at(sh, m);
        first -= count;
        for (size_t i = 0; i < count; i++) b->input_of[first + i] = (uint32_t)m;
        for (size_t r = 0; count && r < b->rules; r++)
            b->mf_of[r * b->inputs + m] = (int32_t)(first + r / period % count);
        period *= count ? count : 1;
    }
}

static inline void index_block(sg_block *b, const shape *sh, sg_random_stream *s)
{
    if (sh->base == GRID) {
        index_grid(b, sh);
        return;
    }
    for (size_t i = 0; i < b->mfs; i++) b->input_of[i] = (uint32_t)(i % b->inputs);
    for (size_t i = 0; i < b->rules * b->inputs; i++) {
        size_t own = sh->base == BACK ? (b->rules - 1) * b->inputs - i + 2 * (i % b->inputs) : i;
        size_t shared = sg_random_stream_below(s, 3) * b->inputs + i % b->inputs;
        bool missing = sh->base == SHARED && sg_random_stream_below(s, 4) == 0;
        b->mf_of[i] = missing ? -1 : (int32_t)(sh->base == SHARED ? shared : own);
    }
}

/* Draws parameters like those of a model trained on rows in [-2, 2]. */
static inline void random_parameters(sg_model *m, sg_random_stream *s)
{
    for (size_t i = 0; i < m->parameters; i++) m->theta[i] = draw(s, -0.9, 0.8);
    for (size_t k = 0; k < m->blocks; k++)
        for (size_t i = 0; i < m->block[k].mfs; i++) {
            sg_block *b = &m->block[k];
            double p[SG_MF_MAX_PARAMETERS], centre = draw(s, -1.7, 1.6), width = draw(s, 0.7, 1.9);
            b->kind->init(centre, width, draw(s, 2.1, 3.4), p);
            b->kind->project(1, p, 0.1);
            sg_mf_put(b, i, p);
        }
    for (sg_block *b = m->block; b < m->block + m->blocks; b++)
        for (double *u = b->low_rank; u < b->conseq; u++) *u /= sqrt((double)b->inputs);
}

static inline void add_random_block(sg_model *m, const shape *sh, sg_random_stream *s)
{
    check(sg_model_add_block(m, sg_mf_find(sh->mf), mfs_of(sh), rules_of(sh), sh->rank));
    sg_block *b = &m->block[m->blocks - 1];
    if (sh->mean_log) b->firing_scale = 1 / (double)b->inputs;
    index_block(b, sh, s);
}

/* A model without blocks. All inputs and outputs are named "v". If z differs from a, its pipeline has one step, which
 * sets its width. */
static inline sg_model *new_model(const shape *sh, sg_random_stream *s)
{
    const char *names[64];
    sg_model *m;
    for (size_t i = 0; i < 64; i++) names[i] = "v";
    check(sg_model_new(names, inputs_of(sh), names, sh->outputs, &m));
    m->shared_pipeline = sh->terms == 0;
    if (m->shared_pipeline) return m;
    sg_transform *step = sg_pipeline_append(&m->z, &sg_transform_pca, sh->terms);
    assert_non_null(step);
    for (size_t i = 0; i < sh->terms * inputs_of(sh); i++) step->parameter[0][i] = draw(s, -0.8, 0.7);
    return m;
}

static inline sg_model *random_model(const shape *sh, sg_random_stream *s)
{
    sg_model *m = new_model(sh, s);
    add_random_block(m, sh, s);
    check(sg_model_alloc_theta(m));
    random_parameters(m, s);
    return m;
}

/* --- random chunks --- */

/* Which rules of a row the drop mask keeps. */
typedef enum masks { WITHOUT, RANDOM, ALL, ONE, NONE_OF_SOME, MASKS } masks;

typedef struct chunk_rows {
    sg_chunk chunk;
    double *a, *z, *missing, *slope;
    uint32_t *bits;
    sg_dropout_bits keep;
} chunk_rows;

/* Returns (features, SG_PITCH) values: n random rows, copies of the last row up to a multiple of 8, then NaN, which
 * kernels must not use. */
static inline double *random_features(size_t features, size_t n, sg_random_stream *s)
{
    double *x = malloc(features * SG_PITCH * sizeof *x);
    assert_non_null(x);
    for (size_t k = 0; k < features; k++)
        for (size_t i = 0; i < SG_PITCH; i++)
            x[k * SG_PITCH + i] = i < n                 ? draw(s, -2.1, 1.9)
                                  : i < (n + 7) / 8 * 8 ? x[k * SG_PITCH + n - 1]
                                                        : (double)NAN;
    return x;
}

/* Drop masks (n, words) in the layout of sg_dropout_draw. */
static inline uint32_t *random_bits(masks kind, size_t rules, size_t n, size_t words, sg_random_stream *s)
{
    uint32_t *bits = calloc(n * words, sizeof *bits);
    assert_non_null(bits);
    for (size_t i = 0; i < n; i++) {
        size_t one = sg_random_stream_below(s, rules);
        bool none = kind == NONE_OF_SOME && sg_random_stream_below(s, 3) == 0;
        for (size_t r = 0; r < rules; r++) {
            bool kept = kind == ALL || (kind == ONE ? r == one : !none && sg_random_stream_below(s, 2));
            bits[i * words + r / 32] |= (uint32_t)kept << r % 32;
        }
    }
    return bits;
}

static inline chunk_rows random_rows(const sg_block *b, bool one_view, masks kind, size_t n, sg_random_stream *s)
{
    chunk_rows r = {.a = random_features(b->inputs, n, s)};
    r.z = one_view ? r.a : random_features(b->terms, n, s);
    r.slope = calloc(b->outputs * SG_PITCH, sizeof *r.slope);
    assert_non_null(r.slope);
    for (size_t o = 0; o < b->outputs; o++)
        for (size_t i = 0; i < n; i++) r.slope[o * SG_PITCH + i] = draw(s, -1.3, 1.2);
    r.chunk = (sg_chunk){.n = n, .a = r.a, .z = r.z};
    if (kind == WITHOUT) return r;
    r.keep.words = (b->rules + 31) / 32;
    r.keep.bits = r.bits = random_bits(kind, b->rules, n, r.keep.words, s);
    return r;
}

/* Marks a third of the inputs as missing, all of them in the first row and none in the second. */
static inline void lose_inputs(chunk_rows *r, const sg_block *b, sg_random_stream *s)
{
    const size_t n = r->chunk.n;
    r->missing = calloc(b->inputs, SG_PITCH * sizeof *r->missing);
    assert_non_null(r->missing);
    for (size_t k = 0; k < b->inputs; k++) {
        double *missing = r->missing + k * SG_PITCH;
        for (size_t i = 0; i < n; i++) missing[i] = i == 0 || (i != 1 && sg_random_stream_below(s, 3) == 0);
        for (size_t i = n; i < (n + 7) / 8 * 8; i++) missing[i] = missing[n - 1];
    }
    r->chunk.missing = r->missing;
}

static inline void free_rows(chunk_rows *r)
{
    free(r->missing);
    if (r->z != r->a) free(r->z);
    free(r->a);
    free(r->slope);
    free(r->bits);
}
