/* plan.c: see plan.h. */
#include "plan.h"

#include "trial.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

static int allowed(const char *list, const char *name) { return !list || has_word(list, name); }

static sg_status name_cell(cell *c)
{
    text t = {0};
    const char *changed = variant_names[c->experiment->variant];
    text_add(&t, "%s/%s%s%s/%s", preprocessing_names[c->preprocessing], c->data->name, *changed ? "." : "", changed,
             c->algorithm->name);
    if (t.failed) return fail(SG_ENOMEM, "out of memory");
    c->name = t.bytes;
    return SG_OK;
}

static sg_status size_cell(cell *c)
{
    sg_options *o = NULL;
    sg_status st = trial_options(c, &o);
    if (st != SG_OK) return st;
    c->repeats = c->experiment->repeats;
    c->iterations = strtoul(sg_options_get(o, "iters"), NULL, 10);
    if (trial_svr(c->algorithm)) c->iterations = 1;
    c->every = c->iterations == 1 ? 1 : c->experiment->every;
    c->points = (c->iterations + c->every - 1) / c->every;
    sg_options_free(o);
    size_t n = c->points * c->repeats;
    c->test = calloc(3 * n, sizeof *c->test);
    c->seconds = calloc(2 * c->repeats, sizeof *c->seconds);
    if (!c->test || !c->seconds) return fail(SG_ENOMEM, "out of memory");
    c->train = c->test + n;
    c->rate = c->train + n;
    c->score = c->seconds + c->repeats;
    return SG_OK;
}

static sg_status add_cell(plan *p, const cell *like)
{
    cell c = *like;
    sg_status st = name_cell(&c);
    if (st == SG_OK && plan_has(p, c.name)) {
        free(c.name);
        return SG_OK;
    }
    if (st == SG_OK) st = size_cell(&c);
    cell *more = st == SG_OK ? realloc(p->cell, (p->cells + 1) * sizeof *more) : NULL;
    if (st == SG_OK && !more) st = fail(SG_ENOMEM, "out of memory");
    if (st != SG_OK) {
        cell_release(&c);
        return st;
    }
    p->cell = more;
    p->cell[p->cells++] = c;
    return SG_OK;
}

static sg_status plan_experiment(const catalogue *c, const experiment *e, const limits *l, plan *p,
                                 int (*wanted)[VARIANTS])
{
    sg_status st = SG_OK;
    for (size_t d = 0; d < c->datasets; d++) {
        const char *name = c->dataset[d].name;
        if (strcmp(e->datasets, "*") != 0 && !has_word(e->datasets, name)) continue;
        if (!allowed(l->datasets, name)) continue;
        wanted[d][AS_IT_IS] = wanted[d][e->variant] = 1;
        for (size_t pre = 0; pre < PREPROCESSINGS; pre++)
            for (size_t a = 0; st == SG_OK && a < c->algorithms; a++) {
                const char *by = c->algorithm[a].name;
                cell like = {.data = &c->dataset[d],
                             .algorithm = &c->algorithm[a],
                             .experiment = e,
                             .preprocessing = (preprocessing)pre};
                if (has_word(e->preprocessing, preprocessing_names[pre]) &&
                    allowed(l->preprocessing, preprocessing_names[pre]) && has_word(e->algorithms, by) &&
                    allowed(l->algorithms, by))
                    st = add_cell(p, &like);
            }
    }
    return st;
}

/* Every word must be the name of a row of the table. */
static sg_status check_words(const char *flag, const char *words, const void *table, size_t size, size_t count)
{
    const char *word;
    size_t length;
    while (words && (word = next_word(&words, &length))) {
        size_t i = 0;
        /* A name is the first member of every row. */
        for (; i < count; i++) {
            const char *name = *(const char *const *)((const char *)table + i * size);
            if (strlen(name) == length && strncmp(name, word, length) == 0) break;
        }
        if (i == count) return fail(SG_EINVAL, "%s: there is nothing called \"%.*s\"", flag, (int)length, word);
    }
    return SG_OK;
}

static sg_status check_limits(const catalogue *c, const limits *l)
{
    sg_status st = check_words("--experiments", l->experiments, c->experiment, sizeof *c->experiment, c->experiments);
    if (st == SG_OK) st = check_words("--datasets", l->datasets, c->dataset, sizeof *c->dataset, c->datasets);
    if (st == SG_OK) st = check_words("--algorithms", l->algorithms, c->algorithm, sizeof *c->algorithm, c->algorithms);
    if (st == SG_OK)
        st = check_words("--preprocessing", l->preprocessing, preprocessing_names, sizeof *preprocessing_names,
                         PREPROCESSINGS);
    return st;
}

sg_status plan_make(const catalogue *c, const limits *l, plan *out, int (*wanted)[VARIANTS])
{
    sg_status st = check_limits(c, l);
    *out = (plan){0};
    for (size_t i = 0; st == SG_OK && i < c->experiments; i++)
        if (allowed(l->experiments, c->experiment[i].name)) st = plan_experiment(c, &c->experiment[i], l, out, wanted);
    if (st == SG_OK && out->cells == 0) st = fail(SG_EINVAL, "these limits leave nothing to run");
    return st;
}

void plan_free(plan *p)
{
    for (size_t i = 0; i < p->cells; i++) cell_release(&p->cell[i]);
    free(p->cell);
    sheet_free(&p->before);
    *p = (plan){0};
}

int plan_has(const plan *p, const char *name)
{
    size_t i = 0;
    while (i < p->cells && strcmp(p->cell[i].name, name) != 0) i++;
    return i < p->cells;
}

const cell *plan_find(const plan *p, preprocessing pre, const char *data, variant v, const char *by)
{
    for (size_t i = 0; i < p->cells; i++) {
        const cell *c = &p->cell[i];
        if (c->preprocessing == pre && c->experiment->variant == v && c->finished && strcmp(c->data->name, data) == 0 &&
            strcmp(c->algorithm->name, by) == 0)
            return c;
    }
    return NULL;
}
