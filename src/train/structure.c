/* structure.c: the table of structures, and the forecast of what a rule base will take. */
#include "train/structure.h"

#include "base/text.h"
#include "train/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --rules N asks for rules that own their MFs. */
static const sg_structure structure_auto = {"auto", NULL, false};

static const sg_structure *const structures[] = {&structure_auto, &sg_structure_grid, &sg_structure_cluster,
                                                 &sg_structure_linear};

/* Bytes of theta (training holds several copies), or of the matrix of least squares; and of all matrices that are
 * held while that one is summed up. */
static const double most = 256e6, most_sums = 1e9;

const char *sg_structure_name(size_t i)
{
    return i < sizeof structures / sizeof *structures ? structures[i]->name : NULL;
}

static const sg_structure *find(const char *name)
{
    size_t i = 0;
    while (strcmp(structures[i]->name, name) != 0) i++;
    return structures[i];
}

static const sg_structure *chosen(const sg_options *o)
{
    const sg_structure *s = find(sg_options_text(o, "structure"));
    if (s != &structure_auto) return s;
    return sg_options_size(o, "rules") > 0 ? &sg_structure_cluster : &sg_structure_grid;
}

/* 16777216 as 16,777,216. */
static void grouped(double value, char *out, size_t size)
{
    if (!(value < 1e15)) { /* no one counts these */
        if (value < 1e300) snprintf(out, size, "%.0e", value);
        else snprintf(out, size, "more than 1e300");
        return;
    }
    sg_text t = {0};
    sg_text_format(&t, "%.0f", value);
    size_t digits = t.failed ? 0 : t.length, n = 0;
    for (size_t i = 0; i < digits && n + 2 < size; i++) {
        if (i && (digits - i) % 3 == 0) out[n++] = ',';
        out[n++] = t.bytes[i];
    }
    out[n] = '\0';
    sg_text_release(&t);
}

static void in_bytes(double bytes, char *out, size_t size)
{
    char number[SG_NUMBER_SIZE];
    const char *unit = bytes >= 1e12 ? "TB" : bytes >= 1e9 ? "GB" : "MB";
    double shown = bytes / (bytes >= 1e12 ? 1e12 : bytes >= 1e9 ? 1e9 : 1e6);
    sg_number_rounded(fmin(shown, 1e300), shown < 100 ? 2 : 4, number);
    snprintf(out, size, "%s %s", number, unit);
}

/* Bytes of the sums that least squares hold at once: those that wait, that of the block at hand, and the factor. */
static double sums_of(const sg_source *s, double gram)
{
    if (gram > most) return gram; /* too much by itself */
    return gram * (double)(sg_sweep_sums(s, sg_sweep_rows(s, (size_t)gram)) + 2);
}

/* Those for so many consequents, or 0 where they are not too many. */
static double too_large(const sg_source *s, const sg_model *m, double conseq)
{
    double gram = 8 * conseq * (conseq + (double)m->outputs), sums = sums_of(s, gram);
    return gram > most || sums > most_sums ? sums : 0;
}

/* "6,000 inputs, 288.1 MB for ridge regression: use fewer of them (--ignore)" */
sg_status sg_structure_squares(const sg_source *s, const sg_model *m, const char *what)
{
    double terms = (double)sg_model_terms(m), sums = too_large(s, m, terms + 1);
    char count[64], size[48];
    if (sums == 0) return SG_OK;
    grouped(terms, count, sizeof count);
    in_bytes(sums, size, sizeof size);
    return sg_fail(SG_EINVAL, "%s inputs, %s for %s: use fewer of them (--ignore)", count, size, what);
}

/* "4^12 = 16,777,216 rules, 1.7 GB: use --rules N or fewer --mfs" */
sg_status sg_structure_fits(const sg_options *o, const sg_source *s, const sg_model *m, const char *how, double rules)
{
    double conseq = rules * (double)(sg_model_terms(m) + 1), theta = 8 * conseq * (double)m->outputs;
    bool lse = sg_options_is(o, "consequents", "lse") || sg_options_number(o, "refit") > 0;
    double sums = lse ? too_large(s, m, conseq) : 0;
    if (theta <= most && sums == 0) return SG_OK;
    if (rules == 1 && theta <= most) return sg_structure_squares(s, m, "least squares");
    char count[64], size[48];
    grouped(rules, count, sizeof count);
    in_bytes(theta > most ? theta : sums, size, sizeof size);
    return sg_fail(SG_EINVAL, "%s%s%s rules, %s%s: use --rules N or fewer --mfs", how, *how ? " = " : "", count, size,
                   theta > most ? "" : " for least squares of their consequents");
}

sg_status sg_structure_room(const sg_options *o, sg_model *m, size_t mfs, size_t rules, size_t rank)
{
    sg_status st = sg_model_add_block(m, sg_mf_find(sg_options_text(o, "mf")), mfs, rules, rank);
    return st == SG_OK ? sg_model_bind(m) : st;
}

/* One over the number of a rule's conditions, in the mean of all rules: more of them are still harder to meet. */
static double mean_firing(const sg_block *b)
{
    size_t conditions = 0;
    for (size_t i = 0; i < b->rules * b->inputs; i++) conditions += b->mf_of[i] >= 0;
    return conditions ? (double)b->rules / (double)conditions : 1;
}

/* Combinations are of distances from a rule's own centres, and part of the exponent of its Gaussians. */
static sg_status check_combinations(const sg_options *o, const sg_structure *s)
{
    if (sg_options_size(o, "low-rank") == 0) return SG_OK;
    if (!s->leans)
        return sg_fail(SG_EINVAL,
                       "--low-rank: rules of the structure %s do not ask for combinations of inputs; take "
                       "--structure cluster",
                       s->name);
    if (sg_options_is(o, "mf", sg_mf_gauss.name) || sg_options_is(o, "mf", sg_mf_gauss_a.name)) return SG_OK;
    return sg_fail(SG_EINVAL,
                   "--low-rank: rules with MFs of the shape %s do not ask for combinations of inputs; take --mf "
                   "gauss or gauss-a",
                   sg_options_text(o, "mf"));
}

sg_status sg_structure_build(const sg_options *o, const sg_source *s, sg_prepared *p)
{
    const sg_structure *is = chosen(o);
    sg_status st = check_combinations(o, is);
    if (st == SG_OK) st = is->build(o, s, p);
    if (st != SG_OK) return st;
    sg_block *b = &p->model->block[0];
    const char *wrong = b->kind->wrong(b->mfs, b->mf);
    if (wrong)
        return sg_fail(SG_EDATA,
                       "%s: inputs that differ by so little can't have membership functions (%s); take --scale zscore",
                       sg_source_name(s), wrong);
    if (sg_options_is(o, "firing", "mean")) b->h = mean_firing(b);
    return SG_OK;
}
