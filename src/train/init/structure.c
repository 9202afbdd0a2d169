/* structure.c: the table of structures, and the forecast of what a rule base will take. */
#include "train/init/structure.h"

#include "base/text.h"
#include "predict/parallel_reduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --rules N asks for rules that own their MFs. */
static const sg_structure structure_auto = {"auto", NULL, false};

static const sg_structure *const structures[] = {&structure_auto, &sg_structure_grid, &sg_structure_cluster,
                                                 &sg_structure_linear};

/* Bytes of theta (training holds several copies), or of the matrix of least squares; and of all matrices that are
 * held while that one is summed up. */
static const double max_bytes = 256e6, max_sum_bytes = 1e9;

const char *sg_structure_name(size_t i)
{
    return i < sizeof structures / sizeof *structures ? structures[i]->name : NULL;
}

static const sg_structure *find_structure(const char *name)
{
    size_t i = 0;
    while (strcmp(structures[i]->name, name) != 0) i++;
    return structures[i];
}

static const sg_structure *choose_structure(const sg_options *o)
{
    const sg_structure *s = find_structure(sg_options_text(o, "structure"));
    if (s != &structure_auto) return s;
    return sg_options_integer(o, "rules") > 0 ? &sg_structure_cluster : &sg_structure_grid;
}

/* 16777216 as 16,777,216. */
static void format_thousands(double value, char *out, size_t size)
{
    if (!(value < 1e15)) { /* no one counts these */
        if (value < 1e300) snprintf(out, size, "%.0e", value);
        else snprintf(out, size, "more than 1e300");
        return;
    }
    sg_text t = {0};
    sg_text_append_format(&t, "%.0f", value);
    size_t digits = t.failed ? 0 : t.length, n = 0;
    for (size_t i = 0; i < digits && n + 2 < size; i++) {
        if (i && (digits - i) % 3 == 0) out[n++] = ',';
        out[n++] = t.bytes[i];
    }
    out[n] = '\0';
    sg_text_release(&t);
}

static void format_bytes(double bytes, char *out, size_t size)
{
    char number[SG_NUMBER_BUFFER_SIZE];
    const char *unit = bytes >= 1e12 ? "TB" : bytes >= 1e9 ? "GB" : "MB";
    double shown = bytes / (bytes >= 1e12 ? 1e12 : bytes >= 1e9 ? 1e9 : 1e6);
    sg_number_format_rounded(fmin(shown, 1e300), shown < 100 ? 2 : 4, number);
    snprintf(out, size, "%s %s", number, unit);
}

/* Bytes of the sums that least squares hold at once: those that wait, that of the block at hand, and the factor. */
static double lse_bytes(const sg_source *s, double gram)
{
    if (gram > max_bytes) return gram; /* too much by itself */
    return gram * (double)(sg_parallel_reduce_max_sums(s, sg_parallel_reduce_block_rows(s, (size_t)gram)) + 2);
}

/* Those for so many consequents, or 0 where they are not too many. */
static double excess_lse_bytes(const sg_source *s, const sg_model *m, double conseq)
{
    double gram = 8 * conseq * (conseq + (double)m->outputs), sums = lse_bytes(s, gram);
    return gram > max_bytes || sums > max_sum_bytes ? sums : 0;
}

/* "6,000 inputs, 288.1 MB for ridge regression: use fewer of them (--ignore)" */
sg_status sg_structure_check_lse(const sg_source *s, const sg_model *m, const char *what)
{
    double terms = (double)sg_model_terms(m), sums = excess_lse_bytes(s, m, terms + 1);
    char count[64], size[48];
    if (sums == 0) return SG_OK;
    format_thousands(terms, count, sizeof count);
    format_bytes(sums, size, sizeof size);
    return sg_fail(SG_EINVAL, "%s inputs, %s for %s: use fewer of them (--ignore)", count, size, what);
}

/* "4^12 = 16,777,216 rules, 1.7 GB: use --rules N or fewer --mfs" */
sg_status sg_structure_check_size(const sg_options *o, const sg_source *s, const sg_model *m, const char *how,
                                  double rules)
{
    double conseq = rules * (double)(sg_model_terms(m) + 1), theta = 8 * conseq * (double)m->outputs;
    bool lse = sg_options_equals(o, "consequents", "lse") || sg_options_real(o, "refit") > 0;
    double sums = lse ? excess_lse_bytes(s, m, conseq) : 0;
    if (theta <= max_bytes && sums == 0) return SG_OK;
    if (rules == 1 && theta <= max_bytes) return sg_structure_check_lse(s, m, "least squares");
    char count[64], size[48];
    format_thousands(rules, count, sizeof count);
    format_bytes(theta > max_bytes ? theta : sums, size, sizeof size);
    return sg_fail(SG_EINVAL, "%s%s%s rules, %s%s: use --rules N or fewer --mfs", how, *how ? " = " : "", count, size,
                   theta > max_bytes ? "" : " for least squares of their consequents");
}

sg_status sg_structure_add_block(const sg_options *o, sg_model *m, size_t mfs, size_t rules, size_t rank)
{
    sg_status st = sg_model_add_block(m, sg_mf_find(sg_options_text(o, "mf")), mfs, rules, rank);
    return st == SG_OK ? sg_model_alloc_theta(m) : st;
}

/* One over the number of a rule's conditions, in the mean of all rules: more of them are still harder to meet. */
static double mean_firing_exponent(const sg_block *b)
{
    size_t conditions = 0;
    for (size_t i = 0; i < b->rules * b->inputs; i++) conditions += b->mf_of[i] >= 0;
    return conditions ? (double)b->rules / (double)conditions : 1;
}

/* Combinations are of distances from a rule's own centres, and part of the exponent of its Gaussians. */
static sg_status check_combinations(const sg_options *o, const sg_structure *s)
{
    if (sg_options_integer(o, "low-rank") == 0) return SG_OK;
    if (!s->has_low_rank)
        return sg_fail(SG_EINVAL,
                       "--low-rank: rules of the structure %s do not ask for combinations of inputs; take "
                       "--structure cluster",
                       s->name);
    if (sg_options_equals(o, "mf", sg_mf_gauss.name) || sg_options_equals(o, "mf", sg_mf_gauss_a.name)) return SG_OK;
    return sg_fail(SG_EINVAL,
                   "--low-rank: rules with MFs of the shape %s do not ask for combinations of inputs; take --mf "
                   "gauss or gauss-a",
                   sg_options_text(o, "mf"));
}

sg_status sg_structure_build(const sg_options *o, const sg_source *s, sg_preprocessed *p)
{
    const sg_structure *is = choose_structure(o);
    sg_status st = check_combinations(o, is);
    if (st == SG_OK) st = is->build(o, s, p);
    if (st != SG_OK) return st;
    sg_block *b = &p->model->block[0];
    const char *wrong = b->kind->validate(b->mfs, b->mf);
    if (wrong)
        return sg_fail(SG_EDATA,
                       "%s: inputs that differ by so little can't have membership functions (%s); take --scale zscore",
                       sg_source_name(s), wrong);
    if (sg_options_equals(o, "firing", "mean")) b->firing_scale = mean_firing_exponent(b);
    return SG_OK;
}
