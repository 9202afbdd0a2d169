/* structure_table.c: the table of structures, the linear structure, and limits on the memory that a rule base needs. */
#include "train/init/structure_table.h"

#include "base/text.h"
#include "rows/parallel_reduce.h"
#include "train/train_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Builds one rule without conditions. */
static sg_status build_linear(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p)
{
    sg_status st = sg_structure_check_size(c->needs_lse, s, p->model, "", 1);
    return st == SG_OK ? sg_structure_add_block(c, p->model, 0, 1, 0) : st;
}

static const sg_structure structure_linear = {"linear", build_linear, false};
/* Curves are fitted by least squares (train/additive), not by the steps of a trainer. */
static sg_status build_additive(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p)
{
    (void)c;
    (void)s;
    (void)p;
    return sg_fail(SG_EINVAL, "curves (presets additive and additive-pairs) are not trained in steps; use sg_train");
}

static const sg_structure structure_additive = {"additive", build_additive, false};
static const sg_structure structure_auto = {"auto", NULL, false}; /* it is never built: see sg_structure_find */

static const sg_structure *const structures[] = {&structure_auto, &sg_structure_grid, &sg_structure_cluster,
                                                 &structure_linear, &structure_additive};

const char *sg_structure_name(size_t i)
{
    return i < sizeof structures / sizeof *structures ? structures[i]->name : NULL;
}

const sg_structure *sg_structure_find(const char *name, size_t rules)
{
    size_t i = 0;
    while (strcmp(structures[i]->name, name) != 0) i++;
    if (structures[i] != &structure_auto) return structures[i];
    return rules > 0 ? &sg_structure_cluster : &sg_structure_grid;
}

/* --- limits --- */

/* The maximum size of theta, of which training holds several copies, and of a Gram matrix; and the maximum total size
 * of the Gram matrices that are in memory while one is accumulated. */
static const double max_bytes = 256e6, max_sum_bytes = 1e9;

/* Formats 16777216 as 16,777,216. */
static void format_thousands(double value, char *out, size_t size)
{
    char digits[32];
    size_t n = 0;
    if (!(value < 1e15)) {
        if (value < 1e300) snprintf(out, size, "%.0e", value);
        else snprintf(out, size, "more than 1e300");
        return;
    }
    size_t length = (size_t)snprintf(digits, sizeof digits, "%.0f", value);
    for (size_t i = 0; i < length && n + 2 < size; i++) {
        if (i && (length - i) % 3 == 0) out[n++] = ',';
        out[n++] = digits[i];
    }
    out[n] = '\0';
}

static void format_bytes(double bytes, char *out, size_t size)
{
    char number[SG_NUMBER_BUFFER_SIZE];
    const char *unit = bytes >= 1e12 ? "TB" : bytes >= 1e9 ? "GB" : "MB";
    double shown = bytes / (bytes >= 1e12 ? 1e12 : bytes >= 1e9 ? 1e9 : 1e6);
    sg_number_format_rounded(fmin(shown, 1e300), shown < 100 ? 2 : 4, number);
    snprintf(out, size, "%s %s", number, unit);
}

/* Returns the bytes of all Gram matrices in memory: the partial sums of the tree, the current block and the factor. */
static double lse_bytes(const sg_source *s, double gram)
{
    if (gram > max_bytes) return gram; /* a single one is already too large */
    return gram * (double)(sg_parallel_reduce_max_sums(s, sg_parallel_reduce_block_rows(s, (size_t)gram)) + 2);
}

/* Returns lse_bytes for this many consequents if that is too much, and otherwise 0. */
static double excess_lse_bytes(const sg_source *s, const sg_model *m, double conseq)
{
    double gram = 8 * conseq * (conseq + (double)m->outputs), sums = lse_bytes(s, gram);
    return gram > max_bytes || sums > max_sum_bytes ? sums : 0;
}

sg_status sg_structure_check_lse(const sg_source *s, const sg_model *m, const char *what)
{
    double terms = (double)sg_model_terms(m), sums = excess_lse_bytes(s, m, terms + 1);
    char count[64], size[48];
    if (sums == 0) return SG_OK;
    format_thousands(terms, count, sizeof count);
    format_bytes(sums, size, sizeof size);
    return sg_fail(SG_EINVAL, "%s with %s inputs needs %s of memory; use fewer inputs (--ignore)", what, count, size);
}

sg_status sg_structure_check_size(bool needs_lse, const sg_source *s, const sg_model *m, const char *formula,
                                  double rules)
{
    double conseq = rules * (double)(sg_model_terms(m) + 1), theta = 8 * conseq * (double)m->outputs;
    double sums = needs_lse ? excess_lse_bytes(s, m, conseq) : 0;
    if (theta <= max_bytes && sums == 0) return SG_OK;
    if (rules == 1 && theta <= max_bytes) return sg_structure_check_lse(s, m, "least squares");
    char count[64], size[48];
    format_thousands(rules, count, sizeof count);
    format_bytes(theta > max_bytes ? theta : sums, size, sizeof size);
    return sg_fail(SG_EINVAL, "%s%s%s rules need %s of memory%s; use --rules N or a smaller --mfs", formula,
                   *formula ? " = " : "", count, size, theta > max_bytes ? "" : " for least squares");
}

/* --- building --- */

sg_status sg_structure_add_block(const sg_structure_config *c, sg_model *m, size_t mfs, size_t rules, size_t rank)
{
    sg_status st = sg_model_add_block(m, c->mf, mfs, rules, rank);
    return st == SG_OK ? sg_model_alloc_theta(m) : st;
}

/* Returns HTSK's exponent: 1 / the mean number of conditions per rule. A rule with more conditions than the mean still
 * fires less than one with fewer. */
static double mean_firing_exponent(const sg_block *b)
{
    size_t conditions = 0;
    for (size_t i = 0; i < b->rules * b->inputs; i++) conditions += b->mf_of[i] >= 0;
    return conditions ? (double)b->rules / (double)conditions : 1;
}

/* Fails unless low-rank terms can combine distances from a rule's own centres, in the exponent of its Gaussians. */
static sg_status check_low_rank(const sg_structure_config *c)
{
    if (c->low_rank == 0) return SG_OK;
    if (!c->kind->has_low_rank)
        return sg_fail(SG_EINVAL, "--low-rank is not available with --structure %s; use --structure cluster",
                       c->kind->name);
    if (c->mf == &sg_mf_gauss || c->mf == &sg_mf_gauss_a) return SG_OK;
    return sg_fail(SG_EINVAL, "--low-rank is not available with --mf %s; use --mf gauss or gauss-a", c->mf->name);
}

sg_status sg_structure_build(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p)
{
    sg_status st = check_low_rank(c);
    if (st == SG_OK) st = c->kind->build(c, s, p);
    if (st != SG_OK) return st;
    sg_block *b = &p->model->block[0];
    const char *wrong = b->kind->validate(b->mfs, b->mf);
    if (wrong)
        return sg_fail(SG_EDATA, "%s: an input varies too little for its membership functions (%s); use --scale zscore",
                       sg_source_name(s), wrong);
    if (c->mean_firing) b->firing_scale = mean_firing_exponent(b);
    return SG_OK;
}
