/* cut_weakest.c: ranks conditions and rules by the exact change of the predictions when each is removed alone, divided
 * by the reading cost that its removal saves. */
#include "explain/simplify/cut_weakest.h"

#include "base/memory.h"
#include "base/number/portable_math.h"
#include "explain/simplify/prune_and_merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double sg_block_size(const sg_block *b)
{
    return (double)(sg_block_conditions(b) + b->mfs + b->rules * (b->terms + 1));
}

/* Tuning makes up for a missing condition better than for a missing rule. */
static const double rule_factor = 2;

/* A condition, or a rule if input is the number of inputs. */
typedef struct cut {
    size_t rule, input;
    double saves, cost;
} cut;

static int compare_cuts(const void *a, const void *b)
{
    const cut *x = a, *y = b;
    double cx = x->cost / x->saves, cy = y->cost / y->saves;
    if (cx != cy) return cx < cy ? -1 : 1;
    if (x->rule != y->rule) return x->rule < y->rule ? -1 : 1;
    return x->input < y->input ? -1 : x->input > y->input;
}

/* --- costs --- */

/* Adds the squared changes for a row. Without a condition of log membership l, the odds of rule r grow by the factor
 * exp(-h l), so the output moves towards the output of the rule. */
static void add_row_changes(const sg_block *b, const sg_block_workspace *w, double *change)
{
    const double most = 600;
    for (size_t r = 0; r < b->rules; r++) {
        if (w->firing[r] == 0) continue;
        double apart = 0, f = w->firing[r];
        for (size_t o = 0; o < b->outputs; o++) {
            double d = w->rule_y[r * b->outputs + o] - w->y[o];
            apart += d * d;
        }
        for (size_t i = 0; i < b->inputs; i++) {
            int32_t mf = b->mf_of[r * b->inputs + i];
            if (mf < 0) continue;
            double grown = f * (sg_exp(fmin(-b->firing_scale * w->log_mu[mf], most)) - 1), part = grown / (1 + grown);
            change[r * b->inputs + i] += part * part * apart;
        }
    }
}

static sg_status measure_changes(const sg_refit_data *f, const sg_block *b, double *change)
{
    sg_block_workspace w;
    if (!sg_block_workspace_init(&w, b)) return sg_fail_out_of_memory("simplification");
    for (size_t i = 0; i < f->rows; i++) {
        if (f->is_holdout[i]) continue;
        sg_forward(b, f->a + i * b->inputs, f->z + i * b->terms, NULL, &w);
        add_row_changes(b, &w, change);
    }
    for (size_t i = 0; i < b->rules * b->inputs; i++) change[i] /= (double)f->rows;
    sg_block_workspace_release(&w);
    return SG_OK;
}

/* Removing a condition also removes its membership function if no other rule uses this function. */
static size_t list_cuts(const sg_block *b, const double *change, const double *importance, const size_t *users,
                        cut *out)
{
    size_t n = 0;
    for (size_t r = 0; r < b->rules; r++) {
        double saves = (double)(b->terms + 1);
        for (size_t i = 0; i < b->inputs; i++) {
            int32_t mf = b->mf_of[r * b->inputs + i];
            if (mf < 0) continue;
            double less = users[mf] == 1 ? 2 : 1;
            saves += less;
            out[n++] = (cut){r, i, less, change[r * b->inputs + i]};
        }
        out[n++] = (cut){r, b->inputs, saves, rule_factor * importance[r]};
    }
    return n;
}

/* --- selection --- */

/* What remains: condition[rules * inputs] and rule[rules]. */
typedef struct what_remains {
    bool *condition, *rule;
    size_t rules;
} what_remains;

static void apply_cuts(const sg_block *b, const cut *list, size_t n, double share, what_remains *left)
{
    double goal = share * sg_block_size(b), saved = 0;
    for (size_t i = 0; i < n && (saved < goal || i == 0); i++) {
        if (list[i].input == b->inputs) {
            if (left->rules == 1 || !left->rule[list[i].rule]) continue;
            left->rule[list[i].rule] = false;
            left->rules--;
        } else left->condition[list[i].rule * b->inputs + list[i].input] = false;
        saved += list[i].saves;
    }
}

static void count_users(const sg_block *b, size_t *users)
{
    for (size_t i = 0; i < b->rules * b->inputs; i++)
        if (b->mf_of[i] >= 0) users[b->mf_of[i]]++;
}

sg_status sg_cut_weakest(const sg_refit_data *f, const sg_model *m, double share, sg_model **out)
{
    const sg_block *b = &m->block[0];
    const size_t cells = b->rules * b->inputs;
    double *change = sg_calloc(cells, sizeof *change), *importance = sg_calloc(b->rules, sizeof *importance);
    size_t *users = sg_calloc(b->mfs, sizeof *users);
    cut *list = sg_calloc(cells + b->rules, sizeof *list);
    what_remains left = {sg_calloc(cells, sizeof *left.condition), sg_calloc(b->rules, sizeof *left.rule), b->rules};
    bool ok = change && importance && users && list && left.condition && left.rule;
    sg_status st = ok ? measure_changes(f, b, change) : sg_fail_out_of_memory("simplification");
    if (st == SG_OK) st = sg_refit_data_rule_importance(f, m, importance);
    if (st == SG_OK) {
        count_users(b, users);
        size_t n = list_cuts(b, change, importance, users, list);
        qsort(list, n, sizeof *list, compare_cuts);
        memset(left.condition, true, cells);
        memset(left.rule, true, b->rules);
        apply_cuts(b, list, n, share, &left);
        st = sg_prune_conditions(m, left.condition, left.rule, out);
    }
    free(change);
    free(importance);
    free(users);
    free(list);
    free(left.condition);
    free(left.rule);
    return st;
}
