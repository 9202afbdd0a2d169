/* student.c: see student.h. */
#include "auto/student.h"

#include "auto/members.h"
#include "auto/synthetic.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- what it learns from --- */

static void label(const sg_ground *g, size_t real, const double *y, sg_desk *d)
{
    double weight = 0;
    for (size_t i = 0; i < g->rows; i++) weight += g->weight[i] / (double)g->rows;
    for (size_t i = 0; i < d->rows.rows; i++) {
        double *row = d->value + i * d->rows.columns;
        for (size_t o = 0; o < g->outputs; o++) row[g->roles.target[o]] = y[i * g->outputs + o];
        if (i >= real && g->roles.weight != SG_NO_COLUMN) row[g->roles.weight] = weight;
    }
}

/* Rows of `from`, and others, with the teacher's answers. */
static sg_status make_rows(sg_search *s, const sg_source *from, const sg_committee *teacher, size_t count,
                           sg_pool *pool, sg_desk *out)
{
    const sg_ground *g = &s->ground;
    sg_status st = sg_synthetic_rows(g, from, count, s->seed, pool, out);
    if (st != SG_OK) return st;
    double *y = sg_alloc(out->rows.rows, g->outputs * sizeof *y);
    st = y ? sg_committee_predict(teacher, g, &out->rows, y) : sg_fail(SG_ENOMEM, "out of memory for a student");
    if (st == SG_OK) label(g, from->rows, y, out);
    else sg_desk_release(out);
    sg_watch_on(&s->watch, sg_committee_cost(teacher, count) + sg_synthetic_cost(from->rows, g->inputs, count));
    free(y);
    return st;
}

/* Many rules, and long: what a teacher says has no noise. */
static sg_status make_options(const sg_search *s, sg_options **out)
{
    static const char *const option[][2] = {
        {"centres", "kmeans-y"}, {"width", "1"},   {"firing", "product"}, {"l2", "0.00001"},
        {"noise", "0"},          {"drop", "none"}, {"batch", "256"},
    };
    char rules[32];
    sg_setting usual = sg_setting_usual(&s->choices);
    sg_status st = sg_setting_options(&s->choices, &usual, out);
    for (size_t i = 0; st == SG_OK && i < sizeof option / sizeof *option; i++)
        if (!sg_options_given(s->user, option[i][0])) st = sg_options_set(*out, option[i][0], option[i][1]);
    if (st == SG_OK && s->choices.levels[1] > 1) st = sg_options_set(*out, "scale", "quantile");
    if (st == SG_OK && s->choices.many && sg_choices_lean(&s->choices)) st = sg_options_set(*out, "low-rank", "3");
    snprintf(rules, sizeof rules, "%zu", sg_search_student(s));
    return st == SG_OK ? sg_options_set(*out, "rules", rules) : st;
}

/* --- on parts --- */

typedef struct school {
    sg_search *search;
    sg_desk *desk; /* (parts) */
} school;

static sg_status rows_of_part(void *arg, size_t part, const sg_source **train)
{
    *train = &((school *)arg)->desk[part].rows;
    return SG_OK;
}

/* Its members have not seen the part. */
static sg_status teach_part(void *arg, size_t part, size_t worker)
{
    school *class = arg;
    sg_search *s = class->search;
    sg_committee teacher = {0};
    sg_status st = SG_OK;
    (void)worker;
    for (size_t i = 0; st == SG_OK && i < s->finals; i++)
        if (s->weight[i] > 0) st = sg_candidate_join(&s->final[i], part, s->weight[i], &teacher);
    const sg_source *rows = &s->ground.part[part].train;
    if (st == SG_OK) st = make_rows(s, rows, &teacher, sg_synthetic_count(rows->rows, false), NULL, &class->desk[part]);
    sg_committee_release(&teacher);
    return st;
}

sg_status sg_student_try(sg_search *s, sg_candidate *out)
{
    size_t parts = s->plan.screened;
    school class = {s, sg_alloc(parts, sizeof *class.desk)};
    *out = (sg_candidate){.error = INFINITY};
    if (!class.desk) return sg_fail(SG_ENOMEM, "out of memory for a student");
    sg_status st = make_options(s, &out->options);
    if (st == SG_OK) st = sg_pool_run_long(s->pool, parts, teach_part, &class);
    sg_round r = {.ground = &s->ground,
                  .candidate = out,
                  .count = 1,
                  .parts = parts,
                  .length = s->plan.student,
                  .looks = s->plan.looks,
                  .rows = rows_of_part,
                  .arg = &class,
                  .watch = &s->watch};
    if (st == SG_OK) st = sg_round_run(&r, s->pool);
    for (size_t i = 0; i < parts; i++) sg_desk_release(&class.desk[i]);
    free(class.desk);
    return st;
}

/* --- on all rows --- */

sg_status sg_student_train(sg_search *s, const sg_candidate *student, sg_model **out)
{
    sg_committee teacher = {0};
    sg_desk desk = {0};
    const sg_source *all = &s->ground.desk.rows;
    sg_status st = sg_members_train(s, all, s->plan.seeds, &teacher);
    if (st == SG_OK) st = make_rows(s, all, &teacher, sg_synthetic_count(all->rows, true), s->pool, &desk);
    sg_committee_release(&teacher);
    if (st == SG_OK) st = sg_candidate_refit(student, &s->ground, &desk.rows, 0, &s->watch, out);
    sg_desk_release(&desk);
    return st;
}
