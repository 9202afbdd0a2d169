/* structure_grid.c: the grid structure, one rule for every combination of the MFs of the inputs, as in the paper.
 *
 * Centres are spaced evenly from the smallest to the largest training value of an input; widths are the standard
 * deviation of the input (Algorithm 1) times --width. In the order of rules, the MF of the first input varies
 * slowest. */
#include "train/init/structure_table.h"

#include "base/memory.h"
#include "base/text.h"
#include "train/train_config.h"

#include <stdlib.h>

static sg_status parse_mfs(const sg_structure_config *c, size_t inputs, size_t *mfs)
{
    char item[32];
    size_t given = 0;
    while (sg_list_item(c->mfs, given, item, sizeof item)) given++;
    if (given != 1 && given != inputs)
        return sg_fail(SG_EINVAL, "--mfs: expected one number, or one for each of the %zu inputs%s, got %zu numbers",
                       inputs, c->pca == inputs ? " (after PCA)" : "", given);
    for (size_t m = 0; m < inputs; m++) {
        sg_list_item(c->mfs, given == 1 ? 0 : m, item, sizeof item);
        mfs[m] = (size_t)strtoul(item, NULL, 10);
    }
    return SG_OK;
}

/* Formats the number of rules as "4^12" or "4*3*2". */
static void format_product(const size_t *mfs, size_t inputs, sg_text *out)
{
    bool same = true;
    for (size_t m = 1; m < inputs; m++) same = same && mfs[m] == mfs[0];
    if (same) sg_text_append_format(out, "%zu^%zu", mfs[0], inputs);
    for (size_t m = 0; !same && m < inputs; m++) sg_text_append_format(out, "%s%zu", m ? "*" : "", mfs[m]);
}

static void place_mfs(const sg_moments *moments, double width, size_t input, size_t count, size_t first, sg_block *b)
{
    double low = moments->low[input], range = moments->high[input] - low, p[SG_MF_MAX_PARAMETERS];
    double spacing = count > 1 ? range / (double)(count - 1) : range;
    for (size_t i = 0; i < count; i++) {
        double centre = count > 1 ? low + range * (double)i / (double)(count - 1) : low + range / 2;
        b->kind->init(centre, width * sg_moments_stddev(moments, input), spacing, p);
        sg_mf_put(b, first + i, p);
        b->input_of[first + i] = (uint32_t)input;
    }
}

static void combine_mfs(const size_t *mfs, sg_block *b)
{
    for (size_t r = 0; r < b->rules; r++) {
        size_t rest = r, first = b->mfs;
        for (size_t m = b->inputs; m-- > 0;) {
            first -= mfs[m];
            b->mf_of[r * b->inputs + m] = (int32_t)(first + rest % mfs[m]);
            rest /= mfs[m];
        }
    }
}

static sg_status build_mfs(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p, size_t *mfs)
{
    size_t inputs = p->model->a.out, total = 0;
    double rules = 1;
    sg_text formula = {0};
    sg_status st = parse_mfs(c, inputs, mfs);
    if (st != SG_OK) return st;
    for (size_t m = 0; m < inputs; m++) {
        rules *= (double)mfs[m];
        total += mfs[m];
    }
    format_product(mfs, inputs, &formula);
    st = formula.failed ? sg_fail_out_of_memory("membership functions")
                        : sg_structure_check_size(c->needs_lse, s, p->model, formula.bytes, rules);
    sg_text_release(&formula);
    if (st == SG_OK) st = sg_structure_add_block(c, p->model, total, (size_t)rules, 0);
    if (st != SG_OK) return st;
    sg_block *b = &p->model->block[0];
    for (size_t m = 0, first = 0; m < inputs; first += mfs[m++]) place_mfs(&p->moments, c->width, m, mfs[m], first, b);
    combine_mfs(mfs, b);
    return SG_OK;
}

static sg_status build_grid(const sg_structure_config *c, const sg_source *s, sg_preprocessed *p)
{
    size_t *mfs = sg_calloc(p->model->a.out, sizeof *mfs);
    if (!mfs) return sg_fail_out_of_memory("membership functions");
    sg_status st = build_mfs(c, s, p, mfs);
    free(mfs);
    return st;
}

const sg_structure sg_structure_grid = {"grid", build_grid, false};
